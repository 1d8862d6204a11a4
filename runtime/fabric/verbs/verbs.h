/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verbs.h: RDMA between nodes as a fabric: the provider's own structs.
 *
 *   verbs.c      the provider: open, wire, close, progress
 *   vb_lib.c     libibverbs, loaded when it is needed
 *   vb_ports.c   the ports of this node, with GID and network
 *   vb_rails.c   the choice among them, pure
 *   vb_device.c  opens the device and port chosen
 *   vb_agree.c   the ranks agree on the network that joins their nodes
 *   vb_card.c    what a rank publishes about itself, and checks of others'
 *   vb_qp.c      RC queue pairs: RESET -> INIT -> RTR -> RTS
 *   vb_mesh.c    all connections at start, or each at its first use
 *   vb_dial.c    the exchange that connects at first use, over a UD queue pair
 *   vb_post.c    work requests: sending messages, probes, completions
 *   vb_recv.c    the shared receive queue, and credits
 *   vb_rma.c     read, write, atomics
 *   vb_gather.c  registration of the pieces of a gathered write
 *   vb_relay.c   read, write, atomics by messages, where the device cannot
 *   vb_mr.c      registered memory
 *   vb_bufs.c    registered buffers of one size
 *   vb_watch.c   the thread that sleeps on the device's events
 *   vb_stats.c   counters, including the device's own
 *   vb_fault.c   errors of the device in words
 *
 * Only this folder includes <infiniband/verbs.h>. It uses the classic calls
 * instead of ibv_wr_* and cq_ex, which Soft-RoCE long had wrong.
 */
#ifndef FABRIC_VERBS_H
#define FABRIC_VERBS_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/verbs/mr_cache.h"
#include "runtime/fabric/verbs/vb_bufs.h"
#include "runtime/fabric/verbs/vb_ports.h"

enum {
	VB_SQ = 63, /* work requests of a queue pair; rings are rounded up to a
		       power of two after adding one */
	VB_PROBES = 16,	 /* places in the completion queue for probes */
	VB_INLINE = 144, /* bytes sent inline in the work request */
	VB_SGE = 16,	 /* most pieces gathered by a work request */
	/* less where peers are many: all make each queue pair larger */
	VB_SQ_FEW = 31,
	VB_INLINE_FEW = 48,
	VB_SGE_FEW = 3,
	VB_PEERS_OF_BUF = 8,  /* peers that share a receive buffer */
	VB_READS = 16,	      /* READs and atomics in flight to one peer */
	VB_SEGMENT = 1 << 20, /* most bytes of one READ or WRITE */
	VB_WINDOW_MIN = 4,    /* receive buffers per peer; see vb_recv.c */
	VB_WINDOW = 8,
	VB_WINDOW_MAX = 64,
	VB_SEND_MIN = 16,      /* send buffers, if memory allows */
	VB_BUF_MIN = 512 + 16, /* least bytes of a receive buffer */
	VB_SRQ_MAX = 4096,     /* posted receive buffers; may be exceeded */
	VB_SENDS_MAX = 4096    /* work requests in flight to all peers */
};

/* The header of every message. */
struct vb_head {
	uint64_t hdr;	 /* of the fabric's user */
	uint32_t limit;	 /* total that its receiver may send */
	uint8_t kind;	 /* enum vb_kind */
	uint8_t starved; /* the sender has run out of credits */
	uint16_t pad;
};
_Static_assert(sizeof(struct vb_head) == 16, "travels between ranks");

enum vb_kind {
	VB_MSG,	   /* to the sink */
	VB_CREDIT, /* credits: only the header */
	VB_GET,	   /* vb_relay.c: requests memory */
	VB_PUT,	   /* stores into memory */
	VB_ATOMIC, /* acts on a word */
	VB_DATA,   /* part of the answer to GET */
	VB_RESULT  /* end of PUT and ATOMIC, or refusal */
};

/* The card that a rank publishes. Peers of another version refuse it. */
struct vb_card {
	uint32_t magic; /* also shows the byte order */
	uint16_t version, length;
	uint64_t job;	/* hash of the job's name */
	uint64_t nonce; /* known only to those who have read the card */
	uint8_t gid[16];
	uint32_t lid, dial_qpn;
	uint32_t buf_len; /* bytes of a receive buffer */
	uint32_t window;  /* receive buffers for each peer at the start */
	uint8_t mtu;	  /* enum ibv_mtu */
	uint8_t reads;	  /* READs and atomics it answers at once */
	uint8_t atomics;  /* its device does atomics */
	uint8_t mesh;	  /* queue pair numbers follow */
	uint8_t shares;	  /* windows are more than its receive buffers */
	char device[32];
	char host[64];
	struct vb_net net;
	uint16_t nports; /* of its node, which follow; 0 unless it is the lowest
			    rank there */
};

/* A work request that is posted and not retired. */
struct vb_slot {
	struct vb_op *op; /* NULL: a message or probe */
	uint32_t buf;	  /* buffer of vb->tx, or VB_NO_BUF */
	uint32_t len;
};

enum vb_state {
	VB_IDLE,    /* no queue pair */
	VB_DIALING, /* INIT: waits for the peer's queue pair number */
	VB_HALF,    /* RTS here; the peer's state is unknown */
	VB_READY,   /* RTS on both sides */
	VB_FAILED
};

struct vb_ep {
	struct fab_ep base;
	uint8_t state; /* enum vb_state */
	bool starved;  /* ran out of credits since the last message */
	uint8_t reads; /* in flight */
	uint8_t reads_max;
	uint16_t head, tail;	 /* slots posted, retired; mod 2^16 */
	uint16_t signalled;	 /* head behind the last signalled slot */
	uint16_t checked_tail;	 /* tail at the last liveness check */
	uint16_t nudged_tail;	 /* tail at the last turn of vb_probe_idle */
	uint32_t checked_grants; /* of messages received, at that check */
	bool probe_due;		 /* at that check */
	uint64_t silent_since; /* ns, check since which nothing has completed */
	uint64_t checked_before;     /* ns, check before that */
	uint64_t checked;	     /* ns, last check */
	uint32_t sent, limit;	     /* messages sent; most allowed; mod 2^32 */
	uint32_t granted, announced; /* to the peer: most allowed; announced */
	uint32_t window;
	uint32_t excess; /* credits of the peer beyond its window */
	struct ibv_qp *qp;
	struct vb_slot *slots; /* [vb->sq + 1] */
	struct list ops;       /* struct vb_op with parts to be posted */
	struct list wide;      /* link in vb->wide: the window has grown */
	struct list owing; /* link in vb->owing: granted - announced is large */
	struct list dialing; /* link in vb->dialing */
	struct list blocked; /* link in vb->blocked: ops wait for resources */
	struct list unsignalled; /* link in vb->unsignalled: head != signalled
				  */
	struct ibv_ah *ah;   /* to the peer's UD queue pair, while dialing */
	uint64_t dial_again; /* ns */
	uint64_t dial_warn;
	uint32_t dial_pause;  /* ms */
	struct list unsent;   /* link in vb_dial's list, if unsent_kinds */
	uint8_t unsent_kinds; /* bits: messages that wait for room */
	struct vb_card *card; /* the peer's; NULL: not yet read */
	uint32_t peer_qpn;    /* of the card; 0: it connects at first use */
};

/* The counters: member and name (vb_stats.c). */
#define VB_COUNTS(X)                                                           \
	X(posts, "ibv_post_send calls")                                        \
	X(wrs, "work requests")                                                \
	X(signalled, "work requests signalled")                                \
	X(completions, "completions of sends")                                 \
	X(received, "messages received")                                       \
	X(credits, "CREDIT messages")                                          \
	X(stalls, "stalls for credit")                                         \
	X(widened, "windows widened")                                          \
	X(narrowed, "windows narrowed")                                        \
	X(probes, "probes")                                                    \
	X(reads, "RDMA reads")                                                 \
	X(read_bytes, "RDMA read bytes")                                       \
	X(writes, "RDMA writes")                                               \
	X(write_bytes, "RDMA write bytes")                                     \
	X(atomics, "RDMA atomics")                                             \
	X(bounced, "bytes by own buffers")                                     \
	X(relayed, "relayed operations")                                       \
	X(calls, "calls for connection")                                       \
	X(repeated, "calls repeated")                                          \
	X(answers, "answers to calls")                                         \
	X(ways, "address handles")
struct vb_counts {
#define X(member, name) uint64_t member;
	VB_COUNTS(X)
#undef X
};

struct vb {
	struct fab base;
	const struct boot_job *job;
	bool wired;
	bool carries_all; /* it is the only open fabric */
	bool closing;	  /* waiting for the others to close; see verbs.c */
	uint64_t lost;	  /* ns, since a peer does not answer; 0: all do */
	char lost_text[400];

	struct vb_ports ports; /* of this node */
	struct vb_net net;     /* in use; a guess until vb_agree */
	bool again;	       /* the guess was wrong */

	/* vb_device.c */
	struct vb_port own;
	struct ibv_context *context;
	struct ibv_device_attr attr;
	struct ibv_port_attr port_attr;
	uint8_t port;
	int gid_index, pkey_index;
	union ibv_gid gid;
	struct ibv_pd *pd;

	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	int srq_max; /* most posted receive buffers */
	int cq_room; /* work requests that may still be posted */
	struct ibv_srq *srq;
	struct vb_bufs rx, tx;
	bool shares;	 /* peers share the buffers; see vb_recv.c */
	uint32_t posted; /* receive buffers */
	uint32_t window; /* of a peer at the start */
	uint32_t spare;	 /* credits by which all windows may still grow */
	struct list wide;
	uint32_t inline_max;
	uint16_t sq; /* work requests of a queue pair: VB_SQ or VB_SQ_FEW */

	struct vb_card card; /* own; with what follows in base.card */
	struct vb_ep *eps;   /* [job->size] */
	/* hash table from queue pair number to ep: open addressing, size a
	 * power of two */
	struct vb_ep **by_qpn;
	uint32_t qpn_mask, qpn_used;

	struct list owing, dialing, blocked, unsignalled;
	struct list relayed, serves; /* vb_relay.c */
	unsigned busy;		     /* entries of these lists; 0: quick poll */
	struct pool op_pool, serve_pool, mem_pool;
	uint32_t next_id;
	struct vb_dial *dial;

	bool caching; /* cache is initialised */
	struct mr_cache cache;
	struct list mems; /* struct fab_mem */
	struct list heap; /* vb_mr.c */

	pthread_t watcher;
	bool watching;
	int stop;		    /* eventfd */
	_Atomic uint32_t asleep;    /* futex word */
	atomic_bool armed;	    /* the next completion makes an event */
	_Atomic uint64_t port_down; /* ns, since when; 0: it is up */
	_Atomic uint64_t port_up;   /* ns, when it last came back; 0: never */
	atomic_bool no_address;	    /* it is down since it lost its address */
	uint64_t probe_turn; /* last part of a second probed for; vb_post.c */
	uint32_t polls;

	struct vb_counts counts;
	struct counters *port_start; /* vb_stats.c; NULL: not wanted */
};

/* ---- between the files ---- */

/* A wr_id says what completes; of a send, the rank of the peer and the slot. */
enum { VB_WR_SEND, VB_WR_RECV, VB_WR_DIAL };
static inline uint64_t vb_wr_id(unsigned what, uint32_t where, uint16_t slot)
{
	return (uint64_t)what << 62 | (uint64_t)slot << 32 | where;
}

static inline struct vb *vb_of(const struct vb_ep *ep)
{
	return (struct vb *)ep->base.fab;
}

/* Returns how many pieces a work request can gather. */
static inline int vb_sge_max(const struct vb *vb)
{
	int most = vb->shares ? VB_SGE_FEW : VB_SGE;

	return vb->attr.max_sge < most ? vb->attr.max_sge : most;
}

/* verbs.c: makes all lists empty. */
void vb_lists_init(struct vb *vb);

/* vb_lib.c: returns 0, or -1 without libibverbs after logging why at level
 * info. */
int vb_lib_open(void);

/* vb_device.c: finds the ports of this node and guesses vb->net; opens the port
 * of this rank in that network. MRT_ERR_NO_FABRIC (logged). */
int vb_device_scan(struct vb *vb);
int vb_device_open(struct vb *vb);
/* Whether the open port is that of this rank in vb->net. */
bool vb_device_is_open(const struct vb *vb);
void vb_device_close(struct vb *vb);
/* Whether the device's work is done by CPUs of this node: Soft-RoCE, siw. */
bool vb_device_is_software(const struct vb *vb);
/* Returns "rxe0 port 1", valid until the next call on this thread. */
const char *vb_port_name(const struct vb *vb);

/* vb_card.c: makes the card that is published, with what follows it, in
 * vb->base. MRT_ERR_NO_MEM (logged). */
int vb_card_make(struct vb *vb);
void vb_card_free(struct vb *vb);
/* Reads the peer's card into ep->card and its queue pair number for this rank
 * into ep->peer_qpn. *node gets its node, without ports unless the peer is the
 * lowest rank there; valid until modex_forget. NULL: not wanted.
 * MRT_ERR_PROTOCOL (logged). */
int vb_card_read(struct vb_ep *ep, struct vb_node *node);

/* vb_agree.c: sets vb->net to the network that joins the nodes, the same on all
 * ranks. It reads cards of other nodes, and sets *again on all ranks if the
 * guess of one node was wrong. MRT_ERR_NO_FABRIC, MRT_ERR_PROTOCOL (logged). */
int vb_agree(struct vb *vb, bool *again);

/* vb_qp.c */
int vb_qp_create(struct vb_ep *ep); /* to INIT, with receive buffers */
int vb_qp_connect(struct vb_ep *ep, uint32_t qpn); /* to RTS; needs ep->card */
void vb_qp_destroy(struct vb_ep *ep);
struct vb_ep *vb_qp_find(const struct vb *vb, uint32_t qpn);
/* Fills in the path to a peer, for RC and UD. */
void vb_qp_address(const struct vb *vb, const struct vb_card *card,
		   struct ibv_ah_attr *ah);

/* vb_mesh.c, vb_dial.c */
int vb_mesh_open(struct vb *vb);
/* Forgets the cards of peers. */
void vb_mesh_forget(struct vb *vb);
int vb_mesh_wire(struct vb *vb);
/* Connects this rank to itself, unless it is or is about to be. */
int vb_mesh_loop(struct vb *vb);
void vb_mesh_close(struct vb *vb);
/* Returns how many completions the queue pair for calls may have at once. */
int vb_dial_completions(const struct vb *vb);
int vb_dial_open(struct vb *vb);
void vb_dial_close(struct vb *vb);
/* Begins to connect unless begun before. Returns ERR_AGAIN or MRT_ERR_*
 * (logged). */
int vb_dial(struct vb_ep *ep);
int vb_dial_progress(struct vb *vb);
void vb_dial_arrived(struct vb *vb, const struct ibv_wc *wc);
/* Marks ep as connected, after the peer has shown that it is. */
void vb_dial_done(struct vb_ep *ep);

/* vb_post.c */
int vb_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
/* Sends a message of any kind; ERR_AGAIN like send. */
int vb_message(struct vb_ep *ep, enum vb_kind kind, uint64_t hdr,
	       const struct iovec *iov, int n);
/* Returns the free slots of the send queue. */
static inline int vb_room(const struct vb_ep *ep)
{
	return vb_of(ep)->sq - (uint16_t)(ep->head - ep->tail);
}
/* Gives wr a slot and its wr_id. Slots must be posted in the order taken. */
struct vb_slot *vb_slot_take(struct vb_ep *ep, struct ibv_send_wr *wr,
			     bool signal);
/* Posts a chain of work requests. Returns 0, or MRT_ERR_PEER after a fault. */
int vb_post(struct vb_ep *ep, struct ibv_send_wr *first);
/* Requests completions where sends without one hold buffers and places in the
 * completion queue. */
void vb_reclaim(struct vb *vb);
/* Posts an empty WRITE with completion, which fails if the peer is gone. False:
 * the completion queue has no place for one more. vb_probe_idle probes each
 * peer that has been silent once a second, not all at one moment. */
bool vb_probe(struct vb_ep *ep);
void vb_probe_idle(struct vb *vb);
/* Handles the completion of a send. */
void vb_completed(struct vb *vb, const struct ibv_wc *wc);
/* Waits until all that was sent is acknowledged; before close. */
void vb_drain(struct vb *vb);

/* vb_recv.c */
int vb_recv_open(struct vb *vb, bool all); /* all: connect at start */
void vb_recv_close(struct vb *vb);
int vb_recv_add(struct vb_ep *ep); /* posts the first buffers for a peer */
/* Handles the completion of a receive. */
void vb_arrived(struct vb *vb, const struct ibv_wc *wc);
/* Sends CREDIT messages that are due; returns their number. */
int vb_credits_return(struct vb *vb);

/* vb_mr.c */
int vb_mr_open(struct vb *vb);
void vb_mr_close(struct vb *vb);
/* Gets a registration of local memory, or NULL if impossible: copy it then. */
struct mr_entry *vb_mr_get(struct vb *vb, const void *addr, size_t len);
int vb_mem_register(struct fab *fab, void *addr, size_t len, bool once,
		    struct fab_mem **mem, struct fab_key *key);
void vb_mem_deregister(struct fab *fab, struct fab_mem *mem);
/* Returns the memory that a peer names in a relayed request, or NULL if it may
 * not access it. */
/* Whether the device reaches registered memory by itself. */
bool vb_mem_is_registered(const struct fab_mem *mem);
void *vb_mem_find(struct vb *vb, uint32_t id, uint64_t addr, uint64_t len);
int vb_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr);
int vb_heap_free(struct fab *fab, void *ptr);
int vb_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);

/* vb_watch.c */
int vb_watch_open(struct vb *vb);
void vb_watch_close(struct vb *vb);
void vb_arm(struct fab *fab, const void *flags);
void vb_disarm(struct fab *fab);
void vb_wait(struct fab *fab, unsigned timeout_us);
void vb_wake(struct fab *fab);

/* vb_stats.c */
void vb_stats_open(struct vb *vb);
void vb_stats_close(struct vb *vb);
void vb_stats(struct fab *fab, struct counters *t);

/* vb_fault.c: logs that a call of the set-up has failed with an errno, what it
 * was for ("completion queue of 400") and what to do about it. Returns
 * MRT_ERR_*. */
int vb_refused(const struct vb *vb, const char *call, const char *what,
	       int err);
/* Returns how long the device resends a packet before the connection fails. */
uint64_t vb_retry_ns(void);
/* Whether the device should have given up this silent peer but has not, as it
 * does when the port goes down. */
bool vb_is_cut_off(const struct vb_ep *ep, uint64_t now);
/* Returns what helps against an errno of libibverbs; "" if unknown. */
const char *vb_advice(int err);
/* These end the job with a message; ep is not used again. */
void vb_failed(struct vb_ep *ep, const struct ibv_wc *wc);
void vb_broken(struct vb_ep *ep, const char *what, int err);
void vb_unconnected(struct vb_ep *ep, int code);     /* cause already logged */
void vb_lost(const struct vb *vb, const char *what); /* for all peers */
void vb_async(struct vb *vb, const struct ibv_async_event *event);
#endif
