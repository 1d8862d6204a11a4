/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_lib.c: libibverbs, loaded when a job needs it: for a rank without use for
 * it, it and the two libraries below it would be a twelfth of the memory, and
 * a twenty-fifth of the start. What the provider and mrt-info call is
 * defined here under libibverbs' own names, which libmrt does not export, and
 * passes the call on. All begins with vb_lib_open or ibv_get_device_list.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/log.h"
#include "runtime/fabric/verbs/verbs.h"

/* macros around the functions of these names */
#undef ibv_query_port
#undef ibv_reg_mr

/* With the versions that a linker would have bound to. */
#define FUNCTIONS(X)                                                           \
	X(ibv_get_device_list, "IBVERBS_1.1")                                  \
	X(ibv_free_device_list, "IBVERBS_1.1")                                 \
	X(ibv_get_device_name, "IBVERBS_1.1")                                  \
	X(ibv_get_device_guid, "IBVERBS_1.1")                                  \
	X(ibv_open_device, "IBVERBS_1.1")                                      \
	X(ibv_close_device, "IBVERBS_1.1")                                     \
	X(ibv_query_device, "IBVERBS_1.1")                                     \
	X(ibv_query_port, "IBVERBS_1.1")                                       \
	X(ibv_query_gid, "IBVERBS_1.1")                                        \
	X(_ibv_query_gid_ex, "IBVERBS_1.11")                                   \
	X(ibv_get_async_event, "IBVERBS_1.1")                                  \
	X(ibv_ack_async_event, "IBVERBS_1.1")                                  \
	X(ibv_fork_init, "IBVERBS_1.1")                                        \
	X(ibv_is_fork_initialized, "IBVERBS_1.13")                             \
	X(ibv_alloc_pd, "IBVERBS_1.1")                                         \
	X(ibv_dealloc_pd, "IBVERBS_1.1")                                       \
	X(ibv_reg_mr, "IBVERBS_1.1")                                           \
	X(ibv_dereg_mr, "IBVERBS_1.1")                                         \
	X(ibv_create_comp_channel, "IBVERBS_1.0")                              \
	X(ibv_destroy_comp_channel, "IBVERBS_1.0")                             \
	X(ibv_create_cq, "IBVERBS_1.1")                                        \
	X(ibv_destroy_cq, "IBVERBS_1.1")                                       \
	X(ibv_get_cq_event, "IBVERBS_1.1")                                     \
	X(ibv_ack_cq_events, "IBVERBS_1.1")                                    \
	X(ibv_create_srq, "IBVERBS_1.1")                                       \
	X(ibv_destroy_srq, "IBVERBS_1.1")                                      \
	X(ibv_create_qp, "IBVERBS_1.1")                                        \
	X(ibv_modify_qp, "IBVERBS_1.1")                                        \
	X(ibv_destroy_qp, "IBVERBS_1.1")                                       \
	X(ibv_create_ah, "IBVERBS_1.1")                                        \
	X(ibv_destroy_ah, "IBVERBS_1.1")                                       \
	X(ibv_wc_status_str, "IBVERBS_1.1")                                    \
	X(ibv_event_type_str, "IBVERBS_1.1")                                   \
	X(ibv_port_state_str, "IBVERBS_1.1")

static struct {
#define MEMBER(name, version) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
} lib;

static const struct symbol {
	const char *name, *version;
	void *at;
} symbols[] = {
#define SYMBOL(name, version) {#name, version, &lib.name},
    FUNCTIONS(SYMBOL)};

static bool find_all(void *library)
{
	for (size_t k = 0; k < sizeof(symbols) / sizeof(*symbols); k++) {
		const struct symbol *s = &symbols[k];
		void *found = dlvsym(library, s->name, s->version);

		if (!found)
			return false;
		memcpy(s->at, &found, sizeof(found));
	}
	return true;
}

int vb_lib_open(void)
{
	static void *library; /* stays: others may have taken it too */
	void *opened;

	if (library)
		return 0;
	opened = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
	if (opened && find_all(opened)) {
		library = opened;
		return 0;
	}
	log_info("libibverbs: %s", dlerror());
	if (opened)
		dlclose(opened);
	return -1;
}

/* ---- devices ---- */

struct ibv_device **ibv_get_device_list(int *n)
{
	if (!vb_lib_open())
		return lib.ibv_get_device_list(n);
	if (n)
		*n = 0;
	errno = ENOSYS;
	return NULL;
}

void ibv_free_device_list(struct ibv_device **list)
{
	lib.ibv_free_device_list(list);
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return lib.ibv_get_device_name(device);
}

__be64 ibv_get_device_guid(struct ibv_device *device)
{
	return lib.ibv_get_device_guid(device);
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	return lib.ibv_open_device(device);
}

int ibv_close_device(struct ibv_context *context)
{
	return lib.ibv_close_device(context);
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	return lib.ibv_query_device(context, attr);
}

int ibv_query_port(struct ibv_context *context, uint8_t port,
		   struct _compat_ibv_port_attr *attr)
{
	return lib.ibv_query_port(context, port, attr);
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int k,
		  union ibv_gid *gid)
{
	return lib.ibv_query_gid(context, port, k, gid);
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t k,
		      struct ibv_gid_entry *entry, uint32_t flags, size_t size)
{
	return lib._ibv_query_gid_ex(context, port, k, entry, flags, size);
}

int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	return lib.ibv_get_async_event(context, event);
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	lib.ibv_ack_async_event(event);
}

/* ---- memory ---- */

int ibv_fork_init(void)
{
	return lib.ibv_fork_init();
}

enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return lib.ibv_is_fork_initialized();
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	return lib.ibv_alloc_pd(context);
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	return lib.ibv_dealloc_pd(pd);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *at, size_t len, int access)
{
	return lib.ibv_reg_mr(pd, at, len, access);
}

/* An inline function of verbs.h refers to it, for accesses that libmrt does not
 * ask for; without optimization that stays. */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *at, size_t len,
				uint64_t iova, unsigned int access)
{
	(void)pd, (void)at, (void)len, (void)iova, (void)access;
	errno = EOPNOTSUPP;
	return NULL;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	return lib.ibv_dereg_mr(mr);
}

/* ---- queues ---- */

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	return lib.ibv_create_comp_channel(context);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	return lib.ibv_destroy_comp_channel(channel);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *arg,
			     struct ibv_comp_channel *channel, int vector)
{
	return lib.ibv_create_cq(context, cqe, arg, channel, vector);
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	return lib.ibv_destroy_cq(cq);
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
		     void **arg)
{
	return lib.ibv_get_cq_event(channel, cq, arg);
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int n)
{
	lib.ibv_ack_cq_events(cq, n);
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr)
{
	return lib.ibv_create_srq(pd, attr);
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	return lib.ibv_destroy_srq(srq);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	return lib.ibv_create_qp(pd, attr);
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	return lib.ibv_modify_qp(qp, attr, mask);
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	return lib.ibv_destroy_qp(qp);
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	return lib.ibv_create_ah(pd, attr);
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	return lib.ibv_destroy_ah(ah);
}

/* ---- words ---- */

const char *ibv_wc_status_str(enum ibv_wc_status status)
{
	return lib.ibv_wc_status_str(status);
}

const char *ibv_event_type_str(enum ibv_event_type event)
{
	return lib.ibv_event_type_str(event);
}

const char *ibv_port_state_str(enum ibv_port_state state)
{
	return lib.ibv_port_state_str(state);
}
