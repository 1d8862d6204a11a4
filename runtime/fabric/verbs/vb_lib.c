/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_lib.c: loads libibverbs when a job needs it; a rank without use for it
 * saves a twelfth of the memory and a twenty-fifth of the start, which it and
 * the two libraries below it cost. What the provider and mrt-info call is
 * defined here under libibverbs' own names, which libmrt does not export, and
 * passes the call on. A program begins with vb_lib_open or ibv_get_device_list.
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "runtime/fabric/dynamic.h"
#include "runtime/fabric/verbs/vb_device.h"

/* verbs.h has macros of these names */
#undef ibv_query_port
#undef ibv_reg_mr

/* clang-format off */
#define FUNCTIONS(X, V)                                                        \
	V("IBVERBS_1.1", void, ibv_free_device_list,                           \
	  (struct ibv_device **list), (list))                                  \
	X("IBVERBS_1.1", const char *, ibv_get_device_name,                    \
	  (struct ibv_device *device), (device))                               \
	X("IBVERBS_1.1", __be64, ibv_get_device_guid,                          \
	  (struct ibv_device *device), (device))                               \
	X("IBVERBS_1.1", struct ibv_context *, ibv_open_device,                \
	  (struct ibv_device *device), (device))                               \
	X("IBVERBS_1.1", int, ibv_close_device,                                \
	  (struct ibv_context *context), (context))                            \
	X("IBVERBS_1.1", int, ibv_query_device,                                \
	  (struct ibv_context *context, struct ibv_device_attr *attr),         \
	  (context, attr))                                                     \
	X("IBVERBS_1.1", int, ibv_query_port,                                  \
	  (struct ibv_context *context, uint8_t port,                          \
	   struct _compat_ibv_port_attr *attr),                                \
	  (context, port, attr))                                               \
	X("IBVERBS_1.1", int, ibv_query_gid,                                   \
	  (struct ibv_context *context, uint8_t port, int k,                   \
	   union ibv_gid *gid),                                                \
	  (context, port, k, gid))                                             \
	X("IBVERBS_1.1", int, ibv_query_pkey,                                  \
	  (struct ibv_context *context, uint8_t port, int k, __be16 *key),     \
	  (context, port, k, key))                                             \
	X("IBVERBS_1.1", int, ibv_get_async_event,                             \
	  (struct ibv_context *context, struct ibv_async_event *event),        \
	  (context, event))                                                    \
	V("IBVERBS_1.1", void, ibv_ack_async_event,                            \
	  (struct ibv_async_event *event), (event))                            \
	X("IBVERBS_1.1", int, ibv_fork_init, (void), ())                       \
	X("IBVERBS_1.1", struct ibv_pd *, ibv_alloc_pd,                        \
	  (struct ibv_context *context), (context))                            \
	X("IBVERBS_1.1", int, ibv_dealloc_pd, (struct ibv_pd *pd), (pd))       \
	X("IBVERBS_1.1", struct ibv_mr *, ibv_reg_mr,                          \
	  (struct ibv_pd *pd, void *at, size_t len, int access),               \
	  (pd, at, len, access))                                               \
	X("IBVERBS_1.1", int, ibv_dereg_mr, (struct ibv_mr *mr), (mr))         \
	X("IBVERBS_1.0", struct ibv_comp_channel *, ibv_create_comp_channel,   \
	  (struct ibv_context *context), (context))                            \
	X("IBVERBS_1.0", int, ibv_destroy_comp_channel,                        \
	  (struct ibv_comp_channel *channel), (channel))                       \
	X("IBVERBS_1.1", struct ibv_cq *, ibv_create_cq,                       \
	  (struct ibv_context *context, int cqe, void *arg,                    \
	   struct ibv_comp_channel *channel, int vector),                      \
	  (context, cqe, arg, channel, vector))                                \
	X("IBVERBS_1.1", int, ibv_destroy_cq, (struct ibv_cq *cq), (cq))       \
	X("IBVERBS_1.1", int, ibv_get_cq_event,                                \
	  (struct ibv_comp_channel *channel, struct ibv_cq **cq,               \
	   void **arg),                                                        \
	  (channel, cq, arg))                                                  \
	V("IBVERBS_1.1", void, ibv_ack_cq_events,                              \
	  (struct ibv_cq *cq, unsigned int n), (cq, n))                        \
	X("IBVERBS_1.1", struct ibv_srq *, ibv_create_srq,                     \
	  (struct ibv_pd *pd, struct ibv_srq_init_attr *attr), (pd, attr))     \
	X("IBVERBS_1.1", int, ibv_destroy_srq, (struct ibv_srq *srq), (srq))   \
	X("IBVERBS_1.1", struct ibv_qp *, ibv_create_qp,                       \
	  (struct ibv_pd *pd, struct ibv_qp_init_attr *attr), (pd, attr))      \
	X("IBVERBS_1.1", int, ibv_modify_qp,                                   \
	  (struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask),             \
	  (qp, attr, mask))                                                    \
	X("IBVERBS_1.1", int, ibv_destroy_qp, (struct ibv_qp *qp), (qp))       \
	X("IBVERBS_1.1", struct ibv_ah *, ibv_create_ah,                       \
	  (struct ibv_pd *pd, struct ibv_ah_attr *attr), (pd, attr))           \
	X("IBVERBS_1.1", int, ibv_destroy_ah, (struct ibv_ah *ah), (ah))       \
	X("IBVERBS_1.1", const char *, ibv_wc_status_str,                      \
	  (enum ibv_wc_status status), (status))                               \
	X("IBVERBS_1.1", const char *, ibv_event_type_str,                     \
	  (enum ibv_event_type event), (event))                                \
	X("IBVERBS_1.1", const char *, ibv_port_state_str,                     \
	  (enum ibv_port_state state), (state))

/* Libraries of 2020 and before lack these; the last column serves instead. */
#define NEWER(X)                                                               \
	X("IBVERBS_1.11", int, _ibv_query_gid_ex,                              \
	  (struct ibv_context *context, uint32_t port, uint32_t k,             \
	   struct ibv_gid_entry *entry, uint32_t flags, size_t size),          \
	  (context, port, k, entry, flags, size),                              \
	  old_query_gid(context, port, k, entry))                              \
	X("IBVERBS_1.13", enum ibv_fork_status, ibv_is_fork_initialized,       \
	  (void), (), IBV_FORK_DISABLED)
/* clang-format on */

static struct {
	__typeof__(ibv_get_device_list) *ibv_get_device_list;
	FUNCTIONS(DYNAMIC_MEMBER, DYNAMIC_MEMBER)
	NEWER(DYNAMIC_MEMBER)
} lib;

static const struct dynamic_symbol symbols[] = {
#define SYMBOL_NEWER(version, type, name, ...)                                 \
	{#name, version, &lib.name, true},
    FUNCTIONS(DYNAMIC_SYMBOL, DYNAMIC_SYMBOL) NEWER(SYMBOL_NEWER){
	"ibv_get_device_list", "IBVERBS_1.1", &lib.ibv_get_device_list, false}};

int vb_lib_open(void)
{
	static bool is_open;

	if (!is_open)
		is_open = !dynamic_open("libibverbs.so.1", symbols,
					sizeof(symbols) / sizeof(*symbols));
	return is_open ? 0 : -1;
}

/* ---- the functions, under their own names ---- */

#define CALL_NEWER(version, type, name, parameters, arguments, instead)        \
	type name parameters                                                   \
	{                                                                      \
		return lib.name ? lib.name arguments : instead;                \
	}
FUNCTIONS(DYNAMIC_CALL, DYNAMIC_CALL_VOID)

/* Reads a GID and, from the kernel's own files, what RoCE it is for. */
static int old_query_gid(struct ibv_context *context, uint32_t port, uint32_t k,
			 struct ibv_gid_entry *entry)
{
	char path[sizeof(context->device->ibdev_path) + 64], type[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/ports/%u/gid_attrs/types/%u",
		 context->device->ibdev_path, port, k);
	f = fopen(path, "re");
	if (f && !fgets(type, sizeof(type), f))
		type[0] = 0; /* the entry is empty */
	if (f)
		fclose(f);
	if (!type[0])
		return ENODATA;
	*entry = (struct ibv_gid_entry){.gid_index = k,
					.port_num = port,
					.gid_type = strstr(type, "v2")
							? IBV_GID_TYPE_ROCE_V2
							: IBV_GID_TYPE_IB};
	return ibv_query_gid(context, (uint8_t)port, (int)k, &entry->gid)
		   ? errno
		   : 0;
}

NEWER(CALL_NEWER)

struct ibv_device **ibv_get_device_list(int *n)
{
	if (!vb_lib_open())
		return lib.ibv_get_device_list(n);
	if (n)
		*n = 0;
	errno = ENOSYS;
	return NULL;
}

/* An inline function of verbs.h refers to this one for accesses that libmrt
 * does not request; without optimization the reference remains. */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *at, size_t len,
				uint64_t iova, unsigned int access)
{
	(void)pd, (void)at, (void)len, (void)iova, (void)access;
	errno = EOPNOTSUPP;
	return NULL;
}
