/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verbs.h: RDMA between nodes as a fabric: the provider's own structs.
 *
 *   verbs.c      the provider: open, wire, close, progress
 *   vb_lib.c     libibverbs, loaded when it is needed
 *   vb_device.c  device, port and GID of this rank
 *   vb_card.c    what a rank publishes about itself, and checks of others'
 *   vb_qp.c      RC queue pairs: RESET -> INIT -> RTR -> RTS
 *   vb_mesh.c    all connections at start, or each at its first use
 *   vb_dial.c    the exchange that connects at first use, over a UD queue pair
 *   vb_post.c    work requests: sending messages, probes, what completes
 *   vb_recv.c    the shared receive queue, and credits
 *   vb_rma.c     read, write, atomics
 *   vb_gather.c  registers the pieces of a gathered write
 *   vb_relay.c   the same by messages, where the device cannot
 *   vb_mr.c      registered memory
 *   vb_bufs.c    registered buffers of one size
 *   vb_watch.c   the thread that sleeps on the device's events
 *   vb_stats.c   counters, the device's own among them
 *   vb_fault.c   what an error of the device means, in words
 *
 * Only this folder includes <infiniband/verbs.h>. The classic calls are used,
 * not ibv_wr_* and cq_ex, which Soft-RoCE had wrong for long.
 */
#ifndef FABRIC_VERBS_H
#define FABRIC_VERBS_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/base/pieces.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/verbs/mr_cache.h"
#include "runtime/fabric/verbs/vb_bufs.h"

enum {
	VB_SQ = 63, /* work requests of a queue pair. Rings are rounded up
		     * to a power of two after adding one */
	VB_SLOTS = VB_SQ + 1,
	VB_SIGNAL = 32,	 /* every so many sends one completion is asked for */
	VB_INLINE = 144, /* bytes that travel in the work request */
	VB_SGE = 16,	 /* pieces that a work request gathers, at most */
	VB_READS = 16,	 /* READs and atomics under way to one peer */
	VB_SEGMENT = 1 << 20, /* bytes of one READ or WRITE at most */
	VB_WINDOW_MIN = 4,    /* receive buffers of a peer; see vb_recv.c */
	VB_WINDOW = 8,
	VB_WINDOW_MAX = 64,
	VB_SEND_MIN = 16,      /* buffers to send from, if memory allows */
	VB_BUF_MIN = 512 + 16, /* bytes of a receive buffer, at least */
	VB_SRQ_MAX = 4096      /* receive buffers posted, unless more are due */
};

/* Before every message. */
struct vb_head {
	uint64_t hdr;	 /* of the fabric's user */
	uint32_t limit;	 /* messages that the receiver may have sent in all */
	uint8_t kind;	 /* enum vb_kind */
	uint8_t starved; /* the sender has been out of credit */
	uint16_t pad;
};
_Static_assert(sizeof(struct vb_head) == 16, "travels between ranks");

enum vb_kind {
	VB_MSG,	   /* to the sink */
	VB_CREDIT, /* nothing but its head */
	VB_GET,	   /* vb_relay.c: asks for memory */
	VB_PUT,	   /* stores into memory */
	VB_ATOMIC, /* acts on a word */
	VB_DATA,   /* part of the answer to GET */
	VB_RESULT  /* end of PUT and ATOMIC, or refusal */
};

/* What a rank publishes. Read by others: of their version or refused. */
struct vb_card {
	uint32_t magic; /* also tells the byte order */
	uint16_t version, length;
	uint64_t job;	/* hash of the job's name */
	uint64_t nonce; /* who can show it has read the card */
	uint8_t gid[16];
	uint32_t lid, dial_qpn;
	uint32_t buf_len; /* of a receive buffer */
	uint32_t window;  /* receive buffers for each peer at the start */
	uint8_t mtu;	  /* enum ibv_mtu */
	uint8_t reads;	  /* that it answers at once */
	uint8_t atomics;  /* by its device */
	uint8_t mesh;	  /* queue pair numbers follow */
	char device[32];
	char host[64];
};

/* A work request that has been posted and not retired. */
struct vb_slot {
	struct vb_op *op; /* NULL: a message or probe */
	uint32_t buf;	  /* of vb->tx; VB_NO_BUF: none */
	uint32_t len;
};

enum vb_state {
	VB_IDLE,    /* no queue pair */
	VB_DIALING, /* INIT: waits for the peer's number */
	VB_HALF,    /* RTS; whether the peer is, is not known */
	VB_READY,   /* RTS on both sides */
	VB_FAILED
};

struct vb_ep {
	struct fab_ep base;
	uint8_t state; /* enum vb_state */
	bool starved;  /* out of credit since the last message */
	uint8_t reads; /* under way */
	uint8_t reads_max;
	uint16_t head, tail;  /* of slots: posted, retired; mod 2^16 */
	uint16_t signalled;   /* head after the last that will complete */
	uint16_t looked;      /* tail at the last look for signs of life */
	uint64_t silent;      /* ns of the look since which nothing completes */
	uint64_t before;      /* and of the look before that */
	uint32_t sent, limit; /* messages; how many it may be; mod 2^32 */
	uint32_t granted, told; /* the other way: allowed; said so */
	uint32_t window;
	struct ibv_qp *qp;
	struct vb_slot *slots; /* [VB_SLOTS] */
	struct list ops;       /* struct vb_op with parts to post */
	struct list owing;     /* in vb->owing: granted - told is large */
	struct list dialing;   /* in vb->dialing */
	struct list stuck;     /* in vb->stuck: ops wait for what others have */
	struct ibv_ah *ah;     /* to its UD queue pair, while dialing */
	uint64_t dial_again;   /* ns */
	uint64_t dial_warn;
	uint32_t dial_pause;  /* ms */
	struct vb_card *card; /* NULL: not yet read */
};

enum vb_op_kind { VB_OP_READ, VB_OP_WRITE, VB_OP_ADD, VB_OP_SWAP };
enum vb_op_way {
	VB_UNDECIDED, /* not connected yet */
	VB_DIRECT,    /* the device, from and to registered memory */
	VB_BOUNCE,    /* the device, by a buffer of ours */
	VB_RELAY      /* messages */
};

/* A read, write or atomic under way. */
struct vb_op {
	struct list link; /* ep->ops, or vb->relayed */
	struct vb_ep *ep;
	struct fab_op *user;
	uint8_t kind, way;
	char *local;	    /* not of a write */
	struct iovec flat;  /* a write from one piece */
	struct pieces from; /* a write: what is left to post */
	int pieces;	    /* a write from so many; 0: from flat */
	uint64_t remote;
	size_t len, posted, done;
	uint32_t rkey, mem; /* the peer's key */
	uint32_t lkey;	    /* unless there are runs */
	uint32_t id;	    /* relay: in the answers */
	struct mr_entry *entry;
	struct vb_run *runs; /* vb_gather.c; malloced */
	int run, nruns;	     /* where `from` is; of them */
	uint64_t operand[2];
	int status;
};

/* Pieces of a list that one registration covers. */
struct vb_run {
	struct mr_entry *entry;
	const struct iovec *end; /* the first beyond */
};

/* A relayed answer that is owed to a peer. */
struct vb_serve {
	struct list link;
	struct vb_ep *ep;
	uint64_t id;  /* the peer's */
	uint32_t mem; /* that holds `from` */
	uint8_t kind;
	const char *from;
	uint64_t len, moved, value;
};

/* What is counted, one row each: its member and its name (vb_stats.c). */
#define VB_COUNTS(X)                                                           \
	X(posts, "ibv_post_send calls")                                        \
	X(wrs, "work requests")                                                \
	X(signalled, "work requests signalled")                                \
	X(completions, "completions of sends")                                 \
	X(received, "messages received")                                       \
	X(credits, "CREDIT messages")                                          \
	X(stalls, "stalls for credit")                                         \
	X(probes, "probes")                                                    \
	X(reads, "RDMA reads")                                                 \
	X(read_bytes, "RDMA read bytes")                                       \
	X(writes, "RDMA writes")                                               \
	X(write_bytes, "RDMA write bytes")                                     \
	X(atomics, "RDMA atomics")                                             \
	X(bounced, "bytes by own buffers")                                     \
	X(relayed, "relayed operations")
struct vb_counts {
#define X(member, name) uint64_t member;
	VB_COUNTS(X)
#undef X
};

struct vb {
	struct fab base;
	const struct boot_job *job;
	bool wired;
	bool carries_all; /* no other fabric is open */
	bool closing;	  /* waits for the others to close, see verbs.c: */
	uint64_t lost;	  /* ns since when a peer does not answer; 0: all do */
	char lost_text[400];

	/* vb_device.c */
	struct ibv_context *context;
	struct ibv_device_attr attr;
	struct ibv_port_attr port_attr;
	uint8_t port;
	int gid_index;
	union ibv_gid gid;
	struct ibv_pd *pd;

	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	int srq_max; /* receive buffers that can be posted */
	int cq_room; /* completions of sends that still fit */
	struct ibv_srq *srq;
	struct vb_bufs rx, tx;
	uint32_t window;
	uint32_t spare; /* buffers by which windows may grow, in all */
	uint32_t inline_max;

	struct vb_card card; /* own */
	struct vb_ep *eps;   /* [job->size] */
	/* ep by queue pair number: open addressing, a power of two */
	struct vb_ep **by_qpn;
	uint32_t qpn_mask, qpn_used;

	struct list owing, dialing, stuck;
	struct list relayed, serves; /* vb_relay.c */
	unsigned busy; /* entries of all these: 0 for a quick poll */
	struct pool op_pool, serve_pool, mem_pool;
	uint32_t next_id;
	struct vb_dial *dial;

	bool caching; /* cache is there */
	struct mr_cache cache;
	struct list mems; /* struct fab_mem */
	struct list heap; /* vb_mr.c */

	pthread_t watcher;
	bool watching;
	int stop;		    /* eventfd */
	_Atomic uint32_t asleep;    /* futex word */
	_Atomic uint64_t port_down; /* ns since when; 0: it is up */
	_Atomic uint64_t port_up;   /* ns when it last came back; 0: never */
	atomic_bool no_address;	    /* that is why it is down */
	uint64_t next_probe;
	uint32_t polls;

	struct vb_counts counts;
	struct counters *port_start; /* vb_stats.c; NULL: nobody asks */
};

/* ---- between the files ---- */

/* wr_id: what completes. Sends: rank of the peer and slot. */
enum { VB_WR_SEND, VB_WR_RECV, VB_WR_DIAL };
static inline uint64_t vb_wr_id(unsigned what, uint32_t where, uint16_t slot)
{
	return (uint64_t)what << 62 | (uint64_t)slot << 32 | where;
}

static inline struct vb *vb_of(const struct vb_ep *ep)
{
	return (struct vb *)ep->base.fab;
}

/* Pieces that a work request gathers. */
static inline int vb_sge_max(const struct vb *vb)
{
	return vb->attr.max_sge < VB_SGE ? vb->attr.max_sge : VB_SGE;
}

/* vb_lib.c: 0, or -1 without libibverbs, after saying why at level info. */
int vb_lib_open(void);

/* vb_device.c: opens the device and its port; MRT_ERR_NO_FABRIC (logged). */
int vb_device_open(struct vb *vb);
void vb_device_close(struct vb *vb);
/* Its work is done by CPUs of this node: Soft-RoCE, siw. */
bool vb_device_is_software(const struct vb *vb);
/* "rxe0 port 1" */
const char *vb_port_name(const struct vb *vb);

/* vb_card.c */
int vb_card_publish(struct vb *vb);
/* The peer's card into ep->card; its queue pair number for us into *qpn, 0:
 * it connects at first use. MRT_ERR_PROTOCOL (logged). */
int vb_card_read(struct vb_ep *ep, uint32_t *qpn);

/* vb_qp.c */
int vb_qp_create(struct vb_ep *ep); /* INIT, and receive buffers for it */
int vb_qp_connect(struct vb_ep *ep, uint32_t qpn); /* RTS; card is there */
void vb_qp_destroy(struct vb_ep *ep);
struct vb_ep *vb_qp_find(const struct vb *vb, uint32_t qpn);
/* The way to a peer, for RC and UD. */
void vb_qp_address(const struct vb *vb, const struct vb_card *card,
		   struct ibv_ah_attr *ah);

/* vb_mesh.c, vb_dial.c */
int vb_mesh_open(struct vb *vb);
int vb_mesh_wire(struct vb *vb);
void vb_mesh_close(struct vb *vb);
int vb_dial_open(struct vb *vb);
void vb_dial_close(struct vb *vb);
/* Begins to connect, if it has not begun: ERR_AGAIN, or MRT_ERR_*. */
int vb_dial(struct vb_ep *ep);
int vb_dial_progress(struct vb *vb);
void vb_dial_arrived(struct vb *vb, const struct ibv_wc *wc);
/* The peer has shown that it is connected. */
void vb_dial_done(struct vb_ep *ep);

/* vb_post.c */
int vb_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
/* Sends any kind of message; ERR_AGAIN as send. */
int vb_message(struct vb_ep *ep, enum vb_kind kind, uint64_t hdr,
	       const struct iovec *iov, int n);
/* Slots of the send queue that are free. */
static inline int vb_room(const struct vb_ep *ep)
{
	return VB_SQ - (uint16_t)(ep->head - ep->tail);
}
/* Gives wr a slot and its wr_id; to be posted in this order. */
struct vb_slot *vb_slot_take(struct vb_ep *ep, struct ibv_send_wr *wr,
			     bool signal);
int vb_post(struct vb_ep *ep, struct ibv_send_wr *first);
/* Gets back the buffers of sends that nobody asked a completion of. */
void vb_reclaim(struct vb *vb);
/* Posts a WRITE of nothing, with completion: it fails if the peer is gone. */
void vb_probe(struct vb_ep *ep);
void vb_probe_idle(struct vb *vb);
/* A send has completed. */
void vb_completed(struct vb *vb, const struct ibv_wc *wc);
/* Waits until what was sent has been acknowledged; before close. */
void vb_drain(struct vb *vb);

/* vb_recv.c */
int vb_recv_open(struct vb *vb, bool all); /* connect at start */
void vb_recv_close(struct vb *vb);
int vb_recv_add(struct vb_ep *ep); /* the first buffers for a new peer */
void vb_arrived(struct vb *vb, const struct ibv_wc *wc);
int vb_credits_return(struct vb *vb);

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
/* Posts what there is room for. */
void vb_rma_push(struct vb_ep *ep);
/* The same for those that no completion of their own will push. */
int vb_rma_progress(struct vb *vb);
/* A part of an operation has completed. */
void vb_rma_retired(struct vb_op *op, const struct vb_slot *slot);
void vb_rma_finish(struct vb_op *op, int status);

/* vb_gather.c */
/* Registers the pieces of op. False: impossible, nothing has happened. */
bool vb_gather_register(struct vb_op *op);
void vb_gather_release(struct vb_op *op);
/* The next *len bytes of a write, or what of them one work request gathers:
 * into sge[VB_SGE], the number of them. */
int vb_gather_take(struct vb_op *op, struct ibv_sge *sge, size_t *len);

/* vb_relay.c */
void vb_relay_start(struct vb_op *op);
int vb_relay_progress(struct vb *vb);
/* Answers owed from this memory become refusals. */
void vb_relay_drop(struct vb *vb, uint32_t mem);
/* A message that cannot be: ends the job. */
void vb_bad_message(const struct vb_ep *ep, unsigned kind, size_t len);
void vb_relay_arrived(struct vb_ep *ep, const struct vb_head *head,
		      const char *data, size_t len);

/* vb_mr.c */
int vb_mr_open(struct vb *vb);
void vb_mr_close(struct vb *vb);
/* Registers local memory; NULL: impossible, copy it. */
struct mr_entry *vb_mr_get(struct vb *vb, const void *addr, size_t len);
int vb_mem_register(struct fab *fab, void *addr, size_t len,
		    struct fab_mem **mem, struct fab_key *key);
void vb_mem_deregister(struct fab *fab, struct fab_mem *mem);
/* Memory that a peer names in a relayed request; NULL: not its business. */
void *vb_mem_find(struct vb *vb, uint32_t id, uint64_t addr, uint64_t len);
int vb_heap_alloc(struct fab *fab, size_t len, void **ptr);
int vb_heap_free(struct fab *fab, void *ptr);
int vb_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);

/* vb_watch.c */
int vb_watch_open(struct vb *vb);
void vb_watch_close(struct vb *vb);
void vb_arm(struct fab *fab);
void vb_disarm(struct fab *fab);
void vb_wait(struct fab *fab, unsigned timeout_us);
void vb_wake(struct fab *fab);

/* vb_stats.c */
void vb_stats_open(struct vb *vb);
void vb_stats_close(struct vb *vb);
void vb_stats(struct fab *fab, struct counters *t);

/* vb_fault.c: a call has failed with an errno while something was set up:
 * logged with what it is for ("completion queue of 400") and what to do about
 * it; MRT_ERR_*. */
int vb_refused(const struct vb *vb, const char *call, const char *what,
	       int err);
/* How long a packet is sent again before its connection fails. */
uint64_t vb_retry_ns(void);
/* The device should have given up this silent peer, and has not: the port
 * went down. */
bool vb_is_cut_off(const struct vb_ep *ep, uint64_t now);
/* What helps against an errno of libibverbs; "" if nothing is known. */
const char *vb_advice(int err);
/* Ends the job, saying why; ep is not used again. */
void vb_failed(struct vb_ep *ep, const struct ibv_wc *wc);
void vb_broken(struct vb_ep *ep, const char *what, int err);
void vb_unconnected(struct vb_ep *ep, int code);     /* why has been logged */
void vb_lost(const struct vb *vb, const char *what); /* for all peers */
void vb_async(struct vb *vb, const struct ibv_async_event *event);
#endif
