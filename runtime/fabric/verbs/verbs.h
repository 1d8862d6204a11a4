/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verbs.h: RDMA between nodes as a fabric: the provider's own structs, which
 * all its rooms share. A room is a header with its functions; it includes that
 * of the room below it, and a source includes that of its own room, so no room
 * calls one above it but by struct vb_upcalls.
 *
 *   vb_device.h  libibverbs, ports, the port of this rank, words for its errors
 *   vb_conn.h    cards, queue pairs, and what connects them
 *   vb_msg.h     messages, credits, probes, sleep
 *   vb_rma.h     read, write, atomics, registered memory
 *   verbs.c      the provider: open, wire, close, progress; vb_stats.c counters
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
#include "runtime/fabric/nap.h"
#include "runtime/fabric/own_heap.h"
#include "runtime/fabric/verbs/mr_cache.h"
#include "runtime/fabric/verbs/vb_bufs.h"
#include "runtime/fabric/verbs/vb_ports.h"

struct vb_op;

enum {
	VB_SQ = 63, /* work requests of a queue pair; rings are rounded up to a
		       power of two after adding one */
	VB_PROBES = 16,	      /* places in the completion queue for probes */
	VB_INLINE = 144,      /* bytes sent inline in the work request */
	VB_SGE = 16,	      /* most pieces gathered by a work request */
	VB_READS = 16,	      /* READs and atomics in flight to one peer */
	VB_SEGMENT = 1 << 20, /* most bytes of one READ or WRITE */
	VB_WINDOW_MIN = 4,    /* receive buffers per peer; see vb_recv.c */
	VB_WINDOW = 8,
	VB_WINDOW_MAX = 64,
	VB_SEND_MIN = 16,      /* send buffers, if memory allows */
	VB_BUF_MIN = 512 + 16, /* least bytes of a receive buffer */
	VB_SRQ_MAX = 4096,     /* posted receive buffers; may be exceeded */
	VB_SENDS_MAX = 2900,   /* work requests in flight to all peers; more
				  would double the completion queue */
	VB_PEERS_LEAST = 2,    /* fewest peers to be connected to at a time */
	VB_PEERS_MOST = 256,   /* most, unless MRT_IB_PEERS asks for more */
	VB_RAILS = 2	       /* most ports that a rank uses */
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
	VB_CLOSE,  /* the last of a connection (vb_close.c): only the header */
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
	uint8_t mesh;	  /* queue pair numbers follow, 0 for none */
	char device[32];
	char host[64];
	struct vb_net net;
	/* of the lowest rank of a node: its ports, and bytes of text that says
	 * why others cannot be used, which follow; 0 of other ranks */
	uint16_t nports, unfit;
	/* The rank's second rail has a card of so many bytes, which ends the
	 * blob; 0: there is no second rail. */
	uint32_t second;
};

/* A work request that is posted and not retired. */
struct vb_slot {
	struct vb_op *op; /* NULL: a message or probe */
	uint32_t buf;	  /* buffer of vb->conn.tx, or VB_NO_BUF */
	uint32_t len;
};

enum vb_state {
	VB_IDLE,    /* no queue pair */
	VB_DIALING, /* INIT: waits for the peer's queue pair number */
	VB_HALF,    /* RTS here; the peer's state is unknown */
	VB_READY,   /* RTS on both sides */
	VB_CLOSING, /* RTS on both sides, for what has been posted */
	VB_FAILED
};

struct vb_ep {
	struct fab_ep base;
	struct list open; /* link in vb->conn.open, while it has a queue pair */
	uint8_t state;	  /* enum vb_state */
	bool starved;	  /* ran out of credits since the last message */
	uint8_t reads;	  /* in flight */
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
	struct ibv_qp *qp;
	struct vb_slot *slots; /* [VB_SQ + 1] */
	struct list ops;       /* struct vb_op with parts to be posted */
	struct list
	    owing; /* link in vb->msg.owing: granted - announced is large */
	struct list dialing; /* link in vb->conn.dialing, or closing */
	struct list
	    blocked; /* link in vb->rma.blocked: ops wait for resources */
	struct list
	    unsignalled;      /* link in vb->msg.unsignalled: head != signalled
			       */
	struct ibv_ah *ah;    /* to the peer's UD queue pair, while dialing */
	uint64_t retry_until; /* ns, see vb_qp_may_retry; 0: nothing failed */
	uint64_t dial_again;  /* ns */
	uint64_t dial_sent;   /* ns, last CALL; 0: not called */
	uint64_t dial_warn;
	uint32_t dial_pause;  /* ms */
	struct list unsent;   /* link in vb_ud's list, if unsent_kinds */
	uint8_t unsent_kinds; /* bits: messages that wait for room */
	struct vb_card *card; /* the peer's; NULL: not yet read */
	uint32_t peer_qpn;    /* of the card, for the start; 0: none */
	uint32_t dest_qpn;    /* the peer's queue pair, once connected */
	uint32_t called;      /* the same of one that has called; 0: none */
	struct vb_mail *mail; /* not acknowledged; NULL: none (vb_mail.c) */
	uint32_t mailed, mail_heard; /* datagrams with messages; mod 2^32 */
	uint32_t mails;	 /* of `mailed`, those since a connection ended */
	uint32_t early;	 /* the same, for the connection after this */
	uint32_t epoch;	 /* connections to the peer that have ended */
	uint32_t looked; /* its activity when vb_cache.c looked last */
	bool close_sent, close_heard; /* VB_CLOSE */
	/* vb_second.c */
	uint64_t stopped; /* ns, when its queue pair was */
	uint64_t resting; /* ns, until when the peer is not called */
	uint8_t failures; /* since it was connected last */
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
	X(probes, "probes")                                                    \
	X(reads, "RDMA reads")                                                 \
	X(read_bytes, "RDMA read bytes")                                       \
	X(writes, "RDMA writes")                                               \
	X(write_bytes, "RDMA write bytes")                                     \
	X(atomics, "RDMA atomics")                                             \
	X(striped, "reads over two rails")                                     \
	X(redone, "parts of reads done again")                                 \
	X(bounced, "bytes by own buffers")                                     \
	X(relayed, "relayed operations")                                       \
	X(calls, "calls for connection")                                       \
	X(repeated, "calls repeated")                                          \
	X(answers, "answers to calls")                                         \
	X(mails, "messages by datagram")                                       \
	X(closed, "connections closed")                                        \
	X(ways, "address handles")
struct vb_counts {
#define X(member, name) uint64_t member;
	VB_COUNTS(X)
#undef X
};

/* The device and port that this rank uses, and what it could use. */
struct vb_device {
	struct vb_ports ports; /* of this node */
	struct vb_net net;     /* in use; a guess until vb_agree */
	struct vb_net second;  /* the second rails' network, if `paired` */
	bool paired;	       /* every rank is to have a second rail */
	bool again;	       /* the guess was wrong */
	struct vb_port own;
	struct ibv_context *context;
	struct ibv_device_attr attr;
	struct ibv_port_attr port_attr;
	uint8_t port;
	uint8_t traffic_class;
	uint8_t timeout, retries; /* of an acknowledgement */
	int gid_index, pkey_index;
	uint16_t pkey; /* 0: unknown */
	union ibv_gid gid;
	struct ibv_pd *pd;
	_Atomic uint64_t port_down; /* ns, since when; 0: it is up */
	_Atomic uint64_t port_up;   /* ns, when it last came back; 0: never */
	atomic_bool gone; /* a second rail has lost its device or address */
	atomic_bool no_address; /* it is down since it lost its address */
};

/* Queue pairs, what they share, and how they are connected. */
struct vb_conn {
	struct vb_card card; /* own; with what follows in base.card */
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	int cq_room; /* work requests that may still be posted */
	int srq_max; /* most posted receive buffers */
	struct ibv_srq *srq;
	struct vb_bufs rx, tx;
	uint32_t posted; /* receive buffers */
	uint32_t window; /* of a peer at the start */
	uint32_t spare;	 /* credits by which all windows may still grow */
	uint32_t inline_max;
	/* [job->size] peers that are or were used, NULL for others; list of
	 * those that have a queue pair */
	struct vb_ep **eps;
	struct list open;
	/* hash table from queue pair number to ep: open addressing, size a
	 * power of two */
	struct vb_ep **by_qpn;
	uint32_t qpn_mask, qpn_used;
	int peers_max;	  /* most connections to others at a time */
	int calling;	  /* those of them that no peer has answered */
	int nclosing;	  /* those of them in `closing` */
	uint32_t surplus; /* posted buffers that no window counts */
	struct list dialing, closing;
	uint64_t dial_look;  /* ns: no call is to be repeated before */
	uint64_t dial_heard; /* ns: last datagram of a peer */
	struct vb_ud *ud;
};

/* Messages: sending, credits, and waiting for them. */
struct vb_msg {
	struct list owing, unsignalled;
	uint64_t probe_turn; /* last part of a second probed for; vb_post.c */
	pthread_t watcher;
	bool watching;
	int stop; /* eventfd */
	struct nap nap;
	atomic_bool armed; /* the next completion makes an event */
};

/* Operations on memory, and the memory. */
struct vb_rma {
	struct list blocked;
	struct list relayed, serves; /* vb_relay.c */
	struct pool op_pool, serve_pool, mem_pool, stripe_pool;
	uint64_t next_id; /* never comes round */
	bool caching;	  /* cache is initialised */
	struct mr_cache cache;
	struct list mems; /* struct fab_mem */
	struct own_heap heap;
};

/* Functions of the one-sided room (vb_rma.h) that the rooms beneath it,
 * connections and messages, call. */
struct vb_upcalls {
	/* Posts as much of ep->ops as there is room for. */
	void (*push)(struct vb_ep *ep);
	/* A part of an operation has completed, or failed with MRT_ERR_*. */
	void (*retired)(struct vb_op *op, const struct vb_slot *slot,
			int status);
	/* A message of a kind from VB_GET on has arrived. */
	void (*arrived)(struct vb_ep *ep, const struct vb_head *head,
			const char *data, size_t len);
	/* A connection of the second rail has failed, as the text says, or
	 * ends with that of the first for NULL. */
	void (*lost)(struct vb_ep *ep, const char *text);
};

struct vb {
	struct fab base;
	const struct boot_job *job;
	const struct vb_upcalls *up;
	/* Both rails of a rank name the first one, which has the memory; the
	 * first names the second, or NULL if there is none. */
	struct vb *first, *second;
	uint8_t rail;	     /* 0: it is the first; 1: the second */
	bool second_told;    /* the second rail's loss has been logged */
	bool second_gone;    /* vb_second.c has noticed dev.gone */
	struct list leaving; /* eps that flush, linked by `dialing` */
	bool wired;
	bool carries_all; /* it is the only open fabric */
	bool closing;	  /* waiting for the others to close; see verbs.c */
	uint64_t lost;	  /* ns, since a peer does not answer; 0: all do */
	char lost_text[400];
	struct vb_device dev;
	struct vb_conn conn;
	struct vb_msg msg;
	struct vb_rma rma;
	/* entries of dialing, closing, owing, blocked, relayed, serves; 0:
	 * quick poll */
	unsigned busy;
	uint32_t polls;
	struct vb_counts counts;
	struct counters *port_start; /* vb_stats.c; NULL: not wanted */
};

/* A wr_id says what completes; of a send, the rank of the peer and the slot. */
enum { VB_WR_SEND, VB_WR_RECV, VB_WR_UD };
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
	return vb->dev.attr.max_sge < VB_SGE ? vb->dev.attr.max_sge : VB_SGE;
}

/* Returns the free slots of the send queue. */
static inline int vb_room(const struct vb_ep *ep)
{
	return VB_SQ - (uint16_t)(ep->head - ep->tail);
}
#endif
