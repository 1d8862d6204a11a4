/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_rma.h: the highest room of verbs: reads, writes and atomics, and memory.
 *
 *   vb_rma.c     starts and posts them
 *   vb_stripe.c  long reads over both rails of a rank
 *   vb_second.c  ends and renews connections of the second rail
 *   vb_gather.c  registers the pieces of a gathered write
 *   vb_relay.c   does them by messages, where the device cannot
 *   vb_mr.c      registered memory; mr_cache.c keeps registrations
 */
#ifndef VERBS_VB_RMA_H
#define VERBS_VB_RMA_H

#include "runtime/base/pieces.h"
#include "runtime/fabric/verbs/vb_msg.h"

enum vb_op_kind { VB_OP_READ, VB_OP_WRITE, VB_OP_ADD, VB_OP_SWAP };
enum vb_op_way {
	VB_UNDECIDED, /* before it is connected */
	VB_WITHIN,    /* the device, in the work request; a short write */
	VB_DIRECT,    /* the device, on registered memory */
	VB_BOUNCE,    /* the device, through a registered buffer */
	VB_RELAY      /* messages */
};

/* A read, write or atomic in progress. */
struct vb_op {
	struct list link; /* in ep->ops or vb->rma.relayed */
	struct vb_ep *ep;
	struct fab_op *user;
	uint8_t kind, way;
	char *local;	    /* destination of a read or atomic */
	struct iovec flat;  /* source of a write in one piece */
	struct pieces from; /* source of a write: what is left to post */
	int pieces;	    /* pieces of a writev; 0: flat */
	uint64_t remote;
	size_t len, posted, done;
	/* of the peer's key: the name of its memory, and what its device knows
	 * that by; rkey 0: the device does not know it */
	uint64_t mem;
	uint32_t rkey;
	uint32_t lkey; /* if there are no runs */
	uint64_t id;   /* relay: its name in the answers */
	struct mr_entry *entry;
	struct vb_run *runs; /* vb_gather.c; malloced */
	int run, nruns;	     /* run that holds `from`; number of runs */
	uint64_t operand[2];
	int status;
};

/* A struct vb_regs is the handle of a struct mr_entry: a registration for each
 * rail. Ranges of less than VB_STRIPE_MIN have none for the second one. */
struct vb_regs {
	struct ibv_mr *mr[VB_RAILS];
};

static inline uint32_t vb_lkey(const struct mr_entry *entry, int rail)
{
	return ((const struct vb_regs *)entry->handle)->mr[rail]->lkey;
}

/* Consecutive pieces that one registration covers. */
struct vb_run {
	struct mr_entry *entry;
	const struct iovec *end; /* first piece behind it */
};

/* A struct vb_stripe is a read over both rails in progress. Each has some parts
 * of it in flight. */
enum {
	VB_STRIPE_MIN = 256 << 10, /* bytes; a shorter read is not spread */
	VB_STRIPE_AHEAD = 2	   /* parts in flight on each rail */
};
struct vb_stripe_part {
	struct fab_op op;
	struct vb_stripe *of;
	uint8_t rail;
	size_t at, len;
};
struct vb_stripe {
	struct fab_op *user;
	struct vb_ep *ep[VB_RAILS];
	uint32_t rkey[VB_RAILS];
	struct mr_entry *entry; /* registration of dst */
	char *dst;
	uint64_t remote;
	size_t len, dealt, part; /* part: bytes of each part but the last */
	int flying, status;
	struct vb_stripe_part parts[VB_RAILS * VB_STRIPE_AHEAD];
};

/* An answer owed for a peer's relayed operation. */
struct vb_serve {
	struct list link;
	struct vb_ep *ep;
	uint64_t id;  /* of the peer's operation */
	uint64_t mem; /* id of the memory that holds `from` */
	uint8_t kind;
	const char *from;
	uint64_t len, moved, value;
};

/* vb_rma.c */
int vb_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	    size_t len, struct fab_op *user);
int vb_write(struct fab_ep *ep, const void *src, uint64_t remote,
	     struct fab_key key, size_t len, struct fab_op *user);
int vb_writev(struct fab_ep *ep, const struct iovec *iov, int n,
	      uint64_t remote, struct fab_key key, struct fab_op *user);
int vb_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		 uint64_t add, uint64_t *result, struct fab_op *user);
int vb_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		    const uint64_t exchange[2], uint64_t *result,
		    struct fab_op *user);
/* The members of struct vb_upcalls. */
void vb_rma_push(struct vb_ep *ep);
void vb_rma_retired(struct vb_op *op, const struct vb_slot *slot, int status);
void vb_relay_arrived(struct vb_ep *ep, const struct vb_head *head,
		      const char *data, size_t len);
/* Like vb_rma_push for all connections in vb->rma.blocked, which no completion
 * of their own would push. */
int vb_rma_progress(struct vb *vb);
void vb_rma_finish(struct vb_op *op, int status);
/* Starts an operation like *what. Its way is chosen unless it has one. Returns
 * 0 or MRT_ERR_* (logged). */
int vb_rma_start(const struct vb_op *what);

/* vb_stripe.c: reads over both rails what a read of the first one describes.
 * Returns false, with nothing begun, if it is short or cannot be registered, or
 * if the second rail is not connected, which this call then asks for. */
bool vb_stripe_read(const struct vb_op *what, struct fab_key key);

/* vb_second.c: functions for endpoints of the second rail. */
/* Returns whether the rail can be used now. If not it begins to connect, unless
 * it has failed a moment ago. */
bool vb_second_is_ready(struct vb_ep *ep);
/* Stops a connection that has failed, as the text says, or for NULL one whose
 * first rail is being closed. Its operations end with MRT_ERR_PEER, then it can
 * be connected again. A member of struct vb_upcalls. */
void vb_second_lost(struct vb_ep *ep, const char *text);
/* Destroys the queue pairs of stopped connections that have flushed; returns
 * how many. vb is the second rail. */
int vb_second_progress(struct vb *vb);

/* vb_gather.c */
/* Registers the pieces of op. False: impossible, and nothing has happened. */
bool vb_gather_register(struct vb_op *op);
/* Gives back what op has registered; without effect if it is called again. */
void vb_op_release(struct vb_op *op);
/* Takes the next *len bytes of a write, or as many of them as one work request
 * gathers, into sge[VB_SGE]; returns how many entries. */
int vb_gather_take(struct vb_op *op, struct ibv_sge *sge, size_t *len);

/* vb_mr.c */
int vb_mr_open(struct vb *vb);
void vb_mr_close(struct vb *vb);
/* Gets a registration of local memory, where the device `writes`; or NULL if
 * impossible: copy it then. */
struct mr_entry *vb_mr_get(struct vb *vb, const void *addr, size_t len,
			   bool writes);
int vb_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
		    struct fab_mem **mem, struct fab_key *key);
void vb_mem_deregister(struct fab *fab, struct fab_mem *mem);
/* Whether the device reaches registered memory by itself. */
bool vb_mem_is_registered(const struct fab_mem *mem);
/* Returns the memory that a peer names in a relayed request, or NULL if it may
 * not access it. */
void *vb_mem_find(struct vb *vb, uint64_t id, uint64_t addr, uint64_t len);
int vb_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr);
int vb_heap_free(struct fab *fab, void *ptr);
int vb_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);

/* vb_relay.c */
void vb_relay_start(struct vb_op *op);
int vb_relay_progress(struct vb *vb);
/* Turns answers still owed from this memory into refusals. */
void vb_relay_drop(struct vb *vb, uint64_t mem);

/* verbs.c: makes all lists and pools of vb empty, and sets its upcalls. */
void vb_init(struct vb *vb);

/* vb_stats.c */
void vb_stats_open(struct vb *vb);
void vb_stats_close(struct vb *vb);
void vb_stats(struct fab *fab, struct counters *t);
#endif
