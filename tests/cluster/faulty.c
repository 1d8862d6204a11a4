/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faulty.c is preloaded; it stands between libmrt and libibverbs and lets calls
 * fail. It replaces dlvsym, by which libmrt finds libibverbs' functions.
 *
 *   FAULTY=CALL:NTH[:ERRNO]  the NTH call of CALL fails, and all after it
 *                            with NTH+; CALL "any" counts all calls together
 *   FAULTY_EVERY=CALL:N:SEED[:ERRNO]  about one in N fails
 *   FAULTY_QPS=N             the device has N queue pairs for each rank
 *   FAULTY_RANK=R            only at this rank (PMIX_RANK)
 *   FAULTY_EVENT=TYPE:SECS[+TYPE]  the device reports an event (enum
 *                            ibv_event_type), its own or port 1's; then another
 *   FAULTY_LOG=FILE          at the end, what was called, one name a line
 *   FAULTY_SEEN=FILE         attributes that queue pairs get, one a line
 *
 * A failing ibv_poll_cq turns a completion into an error, with the status
 * ERRNO; -1 fails the call itself, -2 loses the completions. ibv_query_device
 * with -N reports completion queues of N entries, ibv_get_device_list with -1 a
 * first device of iWARP.
 */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/cluster/faulty_plan.h"

#undef ibv_query_port
#undef ibv_reg_mr

/* ---- what is replaced: pointers to the real ones ---- */

static struct {
	struct ibv_device **(*ibv_get_device_list)(int *);
	struct ibv_context *(*ibv_open_device)(struct ibv_device *);
	int (*ibv_query_device)(struct ibv_context *, struct ibv_device_attr *);
	int (*ibv_query_port)(struct ibv_context *, uint8_t,
			      struct _compat_ibv_port_attr *);
	int (*ibv_query_gid)(struct ibv_context *, uint8_t, int,
			     union ibv_gid *);
	int (*_ibv_query_gid_ex)(struct ibv_context *, uint32_t, uint32_t,
				 struct ibv_gid_entry *, uint32_t, size_t);
	struct ibv_pd *(*ibv_alloc_pd)(struct ibv_context *);
	struct ibv_mr *(*ibv_reg_mr)(struct ibv_pd *, void *, size_t, int);
	struct ibv_comp_channel *(*ibv_create_comp_channel)(
	    struct ibv_context *);
	struct ibv_cq *(*ibv_create_cq)(struct ibv_context *, int, void *,
					struct ibv_comp_channel *, int);
	struct ibv_srq *(*ibv_create_srq)(struct ibv_pd *,
					  struct ibv_srq_init_attr *);
	struct ibv_qp *(*ibv_create_qp)(struct ibv_pd *,
					struct ibv_qp_init_attr *);
	int (*ibv_destroy_qp)(struct ibv_qp *);
	int (*ibv_modify_qp)(struct ibv_qp *, struct ibv_qp_attr *, int);
	struct ibv_ah *(*ibv_create_ah)(struct ibv_pd *, struct ibv_ah_attr *);
	int (*ibv_get_cq_event)(struct ibv_comp_channel *, struct ibv_cq **,
				void **);
	int (*ibv_get_async_event)(struct ibv_context *,
				   struct ibv_async_event *);
	void (*ibv_ack_async_event)(struct ibv_async_event *);
	struct ibv_context_ops ops;
} real;

static struct ibv_device **list(int *n)
{
	bool now = strikes(CALL_ibv_get_device_list);
	struct ibv_device **all;

	if (now && plan.err > 0)
		return NULL;
	all = real.ibv_get_device_list(n);
	if (now && all && all[0])
		all[0]->transport_type = IBV_TRANSPORT_IWARP;
	return all;
}

/* ---- the data path ---- */

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad_wr)
{
	if (strikes(CALL_ibv_post_send)) {
		*bad_wr = wr;
		return plan.err;
	}
	return real.ops.post_send(qp, wr, bad_wr);
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad_wr)
{
	return strikes(CALL_ibv_post_recv) ? plan.err
					   : real.ops.post_recv(qp, wr, bad_wr);
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			 struct ibv_recv_wr **bad_wr)
{
	return strikes(CALL_ibv_post_srq_recv)
		   ? plan.err
		   : real.ops.post_srq_recv(srq, wr, bad_wr);
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
	return strikes(CALL_ibv_req_notify_cq)
		   ? plan.err
		   : real.ops.req_notify_cq(cq, solicited);
}

/* Only polls that find something are counted. */
static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	int got = real.ops.poll_cq(cq, n, wc);

	if (got <= 0 || !strikes(CALL_ibv_poll_cq))
		return got;
	if (plan.err < 0)
		return plan.err == -1 ? -1 : 0;
	wc[0].status = (enum ibv_wc_status)plan.err;
	return got;
}

static int query_device(struct ibv_context *c, struct ibv_device_attr *attr)
{
	bool now = strikes(CALL_ibv_query_device);
	int rc =
	    now && plan.err > 0 ? plan.err : real.ibv_query_device(c, attr);

	/* returns an errno but leaves errno alone, as some providers do */
	errno = now ? 0 : errno;
	if (now && plan.err < 0)
		attr->max_cqe = -plan.err;
	return rc;
}

static int query_port(struct ibv_context *c, uint8_t port,
		      struct _compat_ibv_port_attr *attr)
{
	if (strikes(CALL_ibv_query_port)) {
		errno = 0;
		return plan.err;
	}
	return real.ibv_query_port(c, port, attr);
}

static int query_gid(struct ibv_context *c, uint8_t port, int k,
		     union ibv_gid *gid)
{
	return strikes(CALL_ibv_query_gid)
		   ? -1
		   : real.ibv_query_gid(c, port, k, gid);
}

static int query_gid_ex(struct ibv_context *c, uint32_t port, uint32_t k,
			struct ibv_gid_entry *entry, uint32_t flags,
			size_t size)
{
	return strikes(CALL__ibv_query_gid_ex)
		   ? plan.err
		   : real._ibv_query_gid_ex(c, port, k, entry, flags, size);
}

static struct ibv_pd *alloc_pd(struct ibv_context *c)
{
	return strikes(CALL_ibv_alloc_pd) ? NULL : real.ibv_alloc_pd(c);
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *at, size_t len,
			     int access)
{
	return strikes(CALL_ibv_reg_mr) ? NULL
					: real.ibv_reg_mr(pd, at, len, access);
}

static struct ibv_comp_channel *create_channel(struct ibv_context *c)
{
	return strikes(CALL_ibv_create_comp_channel)
		   ? NULL
		   : real.ibv_create_comp_channel(c);
}

static struct ibv_cq *create_cq(struct ibv_context *c, int cqe, void *arg,
				struct ibv_comp_channel *channel, int vector)
{
	note_seen("comp_vector", (unsigned)vector);
	return strikes(CALL_ibv_create_cq)
		   ? NULL
		   : real.ibv_create_cq(c, cqe, arg, channel, vector);
}

#define CREATES(name, made, type)                                              \
	static made *name(struct ibv_pd *pd, type *attr)                       \
	{                                                                      \
		return strikes(CALL_ibv_##name) ? NULL                         \
						: real.ibv_##name(pd, attr);   \
	}
CREATES(create_srq, struct ibv_srq, struct ibv_srq_init_attr)
CREATES(create_ah, struct ibv_ah, struct ibv_ah_attr)

static atomic_int live; /* queue pairs */

static struct ibv_qp *create_qp(struct ibv_pd *pd,
				struct ibv_qp_init_attr *init)
{
	struct ibv_qp *qp = NULL;

	if (strikes(CALL_ibv_create_qp))
		return NULL;
	if (!plan.qps || live < plan.qps)
		qp = real.ibv_create_qp(pd, init);
	else
		errno = ENOMEM;
	live += qp != NULL;
	return qp;
}

static int destroy_qp(struct ibv_qp *qp)
{
	live--;
	return real.ibv_destroy_qp(qp);
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	if (mask & IBV_QP_AV)
		note_seen("traffic_class", attr->ah_attr.grh.traffic_class);
	if (mask & IBV_QP_RETRY_CNT)
		note_seen("retry_cnt", attr->retry_cnt);
	if (mask & IBV_QP_MIN_RNR_TIMER)
		note_seen("min_rnr_timer", attr->min_rnr_timer);
	if (mask & IBV_QP_TIMEOUT)
		note_seen("timeout", attr->timeout);
	return strikes(CALL_ibv_modify_qp) ? plan.err
					   : real.ibv_modify_qp(qp, attr, mask);
}

static int get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
			void **arg)
{
	return strikes(CALL_ibv_get_cq_event)
		   ? -1
		   : real.ibv_get_cq_event(channel, cq, arg);
}

/* The device that reports events, when, and whether it has. */
static struct {
	struct ibv_context *context;
	time_t due;
	bool told, acknowledged;
} source;

static bool is_due(void)
{
	return source.context && !source.told && time(NULL) >= source.due;
}

/* Replaces poll: reports the device's event when it is due. */
__attribute__((visibility("default"))) int
poll_or_event(struct pollfd *fds, nfds_t n, int timeout) __asm__("poll");

int poll_or_event(struct pollfd *fds, nfds_t n, int timeout)
{
	struct pollfd *asked = NULL;
	int rc;

	for (nfds_t k = 0; source.context && !source.told && k < n; k++)
		if (fds[k].fd == source.context->async_fd)
			asked = &fds[k];
	if (!asked)
		return (int)syscall(SYS_poll, fds, n, timeout);
	do
		rc = (int)syscall(SYS_poll, fds, n, 50);
	while (!rc && !is_due());
	if (rc >= 0 && is_due()) {
		rc += !asked->revents;
		asked->revents |= POLLIN;
	}
	return rc;
}

static int get_async_event(struct ibv_context *context,
			   struct ibv_async_event *event)
{
	if (strikes(CALL_ibv_get_async_event))
		return -1;
	if (!is_due())
		return real.ibv_get_async_event(context, event);
	fprintf(stderr, "faulty: event %d\n", plan.event);
	event->event_type = (enum ibv_event_type)plan.event;
	source.told = !plan.next_event;
	source.due++;
	plan.event = plan.next_event;
	plan.next_event = 0;
	event->element.port_num = 1;
	return 0;
}

static void ack_async_event(struct ibv_async_event *event)
{
	if (!source.told || source.acknowledged)
		real.ibv_ack_async_event(event);
	source.acknowledged = source.told;
}

static struct ibv_context *open_device(struct ibv_device *device)
{
	struct ibv_context *context;

	if (strikes(CALL_ibv_open_device))
		return NULL;
	context = real.ibv_open_device(device);
	if (!context)
		return NULL;
	real.ops = context->ops;
	context->ops.post_send = post_send;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.req_notify_cq = req_notify_cq;
	context->ops.poll_cq = poll_cq;
	if (plan.here && plan.event_after) {
		source.context = context;
		source.due = time(NULL) + plan.event_after;
	}
	return context;
}

/* ---- the way in ---- */

static const struct replacement {
	const char *name;
	void *by;
	void *real;
} replacements[] = {
    {"ibv_get_device_list", list, &real.ibv_get_device_list},
    {"ibv_open_device", open_device, &real.ibv_open_device},
    {"ibv_query_device", query_device, &real.ibv_query_device},
    {"ibv_query_port", query_port, &real.ibv_query_port},
    {"ibv_query_gid", query_gid, &real.ibv_query_gid},
    {"_ibv_query_gid_ex", query_gid_ex, &real._ibv_query_gid_ex},
    {"ibv_alloc_pd", alloc_pd, &real.ibv_alloc_pd},
    {"ibv_reg_mr", reg_mr, &real.ibv_reg_mr},
    {"ibv_create_comp_channel", create_channel, &real.ibv_create_comp_channel},
    {"ibv_create_cq", create_cq, &real.ibv_create_cq},
    {"ibv_create_srq", create_srq, &real.ibv_create_srq},
    {"ibv_create_qp", create_qp, &real.ibv_create_qp},
    {"ibv_destroy_qp", destroy_qp, &real.ibv_destroy_qp},
    {"ibv_modify_qp", modify_qp, &real.ibv_modify_qp},
    {"ibv_create_ah", create_ah, &real.ibv_create_ah},
    {"ibv_get_cq_event", get_cq_event, &real.ibv_get_cq_event},
    {"ibv_get_async_event", get_async_event, &real.ibv_get_async_event},
    {"ibv_ack_async_event", ack_async_event, &real.ibv_ack_async_event},
};

typedef void *(*lookup)(void *, const char *, const char *);

__attribute__((visibility("default"))) void *
dlvsym(void *library, const char *name, const char *version)
{
	static lookup next;
	void *found;

	if (!next) {
		void *at = dlsym(RTLD_NEXT, "dlvsym");

		memcpy(&next, &at, sizeof(next));
	}
	found = next(library, name, version);
	for (size_t k = 0;
	     found && k < sizeof(replacements) / sizeof(*replacements); k++) {
		if (strcmp(name, replacements[k].name))
			continue;
		memcpy(replacements[k].real, &found, sizeof(found));
		return replacements[k].by;
	}
	return found;
}
