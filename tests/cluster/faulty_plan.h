/* SPDX-License-Identifier: Apache-2.0 */
/* faulty_plan.h: which calls of libibverbs must fail, as faulty.c says. */
#ifndef CLUSTER_FAULTY_PLAN_H
#define CLUSTER_FAULTY_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define CALLS(X)                                                               \
	X(ibv_get_device_list) X(ibv_open_device) X(ibv_query_device)          \
	X(ibv_query_port) X(ibv_query_gid) X(_ibv_query_gid_ex)                \
	X(ibv_alloc_pd) X(ibv_reg_mr) X(ibv_create_comp_channel)               \
	X(ibv_create_cq) X(ibv_create_srq) X(ibv_create_qp) X(ibv_modify_qp)   \
	X(ibv_create_ah) X(ibv_get_cq_event) X(ibv_get_async_event)            \
	X(ibv_post_send) X(ibv_post_recv) X(ibv_post_srq_recv)                 \
	X(ibv_req_notify_cq) X(ibv_poll_cq)
/* clang-format on */

enum call {
#define X(name) CALL_##name,
	CALLS(X)
#undef X
	    CALLS_N
};
struct plan {
	bool here, on;
	bool all; /* "any" */
	enum call call;
	bool more; /* all later calls too */
	unsigned long nth, every;
	uint64_t random;
	int err;
	int qps;	       /* most queue pairs; 0: as many as there are */
	int event, next_event; /* 0: none */
	long event_after;
};
extern struct plan plan;

/* Counts a call; returns whether it must fail. */
bool strikes(enum call call);
/* Writes an attribute of what is made to FAULTY_SEEN. */
void note_seen(const char *what, unsigned value);
#endif
