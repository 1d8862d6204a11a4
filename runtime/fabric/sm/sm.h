/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm.h: shared memory inside a node as a fabric: the provider's own structs.
 *
 *   sm.c          the provider: open, connect, progress
 *   sm_segment.c  the one shared segment: layout, exchange, mapping
 *   sm_ring.c     messages: a ring (base/ring.h) per ordered pair of ranks
 *   sm_copy.c     large copies: CMA with both ends copying, or mapped heap
 *   sm_relay.c    the same through the rings where CMA is denied
 *   sm_heap.c     mrt_alloc's memory, and atomics on it
 *   sm_wait.c     sleeping and waking by futex
 *   sm_liveness.c    who has died
 *
 * "Slot" is a rank's number on its node (boot_job.node_rank).
 */
#ifndef FABRIC_SM_H
#define FABRIC_SM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/base/ring.h"
#include "runtime/fabric/fabric.h"
#include "runtime/topo/topo.h"

enum {
	SM_OFFERS = 64,		/* two-ended copies that a rank can have open */
	SM_PATH = 64,		/* name of the segment's file, if it has one */
	SM_ARENAS = 32,		/* heap arenas of a rank; each doubles */
	SM_SCAN_MAX = 16,	/* up to so many slots all rings are polled */
	SM_COLL_SLOT = 1 << 15, /* shared(): bytes per slot */
	/* shared_bulk(): bytes per slot, but so many in all for few slots: a
	 * core that writes what the other has in its L2 waits for it */
	SM_BULK_SLOT = 9 << 16,
	SM_BULK = 1 << 22,
	/* Bounce buffers of a rank, filled in turn. So large that a buffer
	 * has left the other's L2 before it is filled again: with 2 MiB in
	 * all 30 GB/s, with 1 MiB 17, with 32 KiB 8. */
	SM_BOUNCES = 8,
	SM_BOUNCE_LEN = 1 << 18,
	SM_BOUNCE = SM_BOUNCES * SM_BOUNCE_LEN
};

/* ---- what lies in the segment ---- */

/*
 * A large copy with both ends at work: the owner of the source offers it, the
 * reader opens it, and both claim chunks until none is left.
 */
struct sm_offer {
	_Atomic uint64_t next; /* first byte not claimed; >= len: none */
	_Atomic uint64_t done; /* bytes copied, or given up on */
	_Atomic uint32_t failed;
	uint32_t reader; /* slot */
	uint64_t dst;	 /* in the reader */
	uint64_t len;	 /* of the whole; set by the owner */
	uint64_t pad[3];
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct sm_offer) == 64, "one line");

struct sm_arena {
	_Atomic uint64_t base; /* address in the owner; 0: none */
	uint64_t len;
	int32_t fd; /* in the owner */
	int32_t pad;
	uint64_t inode; /* what fd shall be */
};

/* A rank's card: written by its owner before it attaches. */
struct sm_card {
	int32_t pid;
	int32_t rank; /* world */
	uint64_t nonce;
	uint64_t probe; /* address of a word holding nonce, in the owner */
	uint64_t cpus[TOPO_MASK_WORDS];
	int32_t quota;		 /* see topo.h */
	pthread_mutex_t alive;	 /* held by its owner (sm_liveness.c) */
	_Atomic uint32_t dead;	 /* somebody has found it not held any more */
	_Atomic uint32_t blames; /* slot + 1 of whose death has ended it */
	_Atomic uint32_t
	    left; /* its owner has closed the fabric, held or not */
	/* the doorbell, on its own line: futex word, 1 while asleep */
	_Atomic uint32_t asleep __attribute__((aligned(64)));
	/* SM_SCAN_MAX exceeded: which slots have sent something */
	_Atomic uint64_t senders[64] __attribute__((aligned(64)));
	struct sm_offer offers[SM_OFFERS];
	struct sm_arena arenas[SM_ARENAS];
} __attribute__((aligned(64)));

struct sm_header {
	uint64_t magic, nonce;
	uint32_t version, slots;
	uint64_t size;
	_Atomic uint32_t attached;
};

/* ---- what a rank has ---- */

/* What large copies are made by (sm_copy.c). */
enum sm_how { MAPPED, CMA, RING, HOWS };

struct sm_counts {
	uint64_t copies[HOWS], copied[HOWS]; /* this rank's; bytes */
	uint64_t helped, bounced;	     /* bytes moved for a peer's copy */
};

struct sm_ep {
	struct fab_ep base;
	int slot;
	bool can_cma;	     /* not denied so far */
	uint8_t seen_dead;   /* looks in which its mutex was not held */
	bool outlived;	     /* only the thread that called mrt_init is dead */
	struct ring tx, *rx; /* rx: in sm->rx */
	struct sm_card *card;
	struct sm_map {
		void *at;
		size_t len;
	} maps[SM_ARENAS]; /* the peer's arenas mapped here */
};

struct sm {
	struct fab base;
	const struct boot_job *job;
	int slot, slots;
	struct sm_header *seg; /* the segment */
	int fd;		       /* of its file */
	char path[SM_PATH];    /* its name until all have attached; "" */
	char *bulk;	      /* [slots * SM_BULK_SLOT]; NULL: not yet mapped */
	char *bounce;	      /* [slots * SM_BOUNCE]; likewise */
	bool bounce_ready;    /* own bounce buffers have memory */
	unsigned bounce_used; /* bit k: a peer has not yet emptied own k */
	unsigned bounce_next; /* filled next */
	unsigned bounce_round; /* how often all have been filled */
	size_t seg_size, data_size;
	struct sm_card *cards, *card; /* all; own */
	struct ring *rx;	      /* [slots] */
	struct sm_ep *eps;	      /* [slots] */
	int *slot_of;		      /* [job->size] or -1 */
	uint64_t *pending;  /* slots > SM_SCAN_MAX: senders not yet drained */
	bool held;	    /* own alive */
	bool cma;	    /* allowed and probed */
	bool membarrier;    /* sleeping needs no fence in send */
	struct list copies; /* struct sm_copy */
	struct list serves; /* struct sm_serve: answers owed to peers */
	struct list mems;   /* struct fab_mem */
	struct pool copy_pool, serve_pool, mem_pool;
	uint64_t open_offers; /* bit k: own offer k is in use */
	unsigned busy; /* copies, serves and open offers: 0 for a quick poll */
	uint32_t next_id;
	uint64_t probe;	    /* holds the nonce; peers read it to try CMA */
	struct list arenas; /* own heap (sm_heap.c) */
	int narenas;
	struct sm_counts counts;
};

/* ---- between the files ---- */

/* A memfd of so many bytes that nobody can truncate; -1 with errno. */
int sm_memfd(size_t size);
/* Creates and publishes (slot 0); after the fence, all attach. */
int sm_segment_open(struct sm *sm);
int sm_segment_attach(struct sm *sm);
void sm_segment_close(struct sm *sm);
/* Bounce buffers of a slot; own ones with memory behind. NULL: none. */
char *sm_bounce(struct sm *sm, int slot);
char *sm_own_bounce(struct sm *sm);
void *sm_coll_area(struct sm *sm, size_t *len);
void *sm_bulk(struct fab *fab);
size_t sm_bulk_size(const struct sm *sm);
/* Rings: from slot `from` to slot `to`. */
struct ring_shared *sm_ring_at(const struct sm *sm, int from, int to);

/* Message kinds above RING_LEN_MASK: what a line is for. */
enum sm_kind {
	SM_MSG = 0,	      /* to the sink */
	SM_GET = 1 << 24,     /* asks for memory through the ring */
	SM_PUT = 2 << 24,     /* part of a write through the ring */
	SM_DATA = 3 << 24,    /* part of the answer to SM_GET */
	SM_FULL = 7 << 24,    /* the same, in a bounce buffer */
	SM_EMPTIED = 8 << 24, /* the bounce buffer may be used again */
	SM_ACK = 4 << 24,     /* end of a PUT, or refusal: status */
	SM_ATOMIC = 5 << 24,  /* fetch_add, compare_swap */
	SM_RESULT = 6 << 24   /* their answer */
};

int sm_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
ssize_t sm_take(struct fab_ep *ep, uint64_t hdr, void *buf, size_t room);
/* Sends an internal message; ERR_AGAIN as send. */
int sm_post(struct sm_ep *ep, enum sm_kind kind, uint64_t hdr,
	    const struct iovec *iov, int n);
int sm_progress(struct fab *fab);

void sm_copy_init(struct sm *sm); /* probes CMA; cards are complete */
void sm_copy_fini(struct sm *sm);
int sm_copy_progress(struct sm *sm);
int sm_mem_register(struct fab *fab, void *addr, size_t len,
		    struct fab_mem **mem, struct fab_key *key);
void sm_mem_deregister(struct fab *fab, struct fab_mem *mem);
int sm_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	    size_t len, struct fab_op *op);
int sm_writev(struct fab_ep *ep, const struct iovec *iov, int n,
	      uint64_t remote, struct fab_key key, struct fab_op *op);
int sm_write(struct fab_ep *ep, const void *src, uint64_t remote,
	     struct fab_key key, size_t len, struct fab_op *op);
int sm_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		 uint64_t add, uint64_t *result, struct fab_op *op);
int sm_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		    const uint64_t exchange[2], uint64_t *result,
		    struct fab_op *op);

int sm_heap_alloc(struct fab *fab, size_t len, void **ptr);
int sm_heap_free(struct fab *fab, void *ptr);
int sm_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);
void sm_heap_fini(struct sm *sm);

/* From attaching to closing; raises a fault if a rank has died. */
void sm_liveness_init(struct sm *sm);
void sm_liveness_fini(struct sm *sm);
void sm_check_peers(struct fab *fab);

void sm_wait_prepare(void);
void sm_wait_init(struct sm *sm);
/* Sleeps until woken, at most timeout_us, if *word is still value. */
void sm_sleep(_Atomic uint32_t *word, uint32_t value, unsigned timeout_us);
void sm_wake_all(_Atomic uint32_t *word);
void sm_arm(struct fab *fab);
void sm_disarm(struct fab *fab);
void sm_wait(struct fab *fab, unsigned timeout_us);
void sm_wake(struct fab *fab);
void sm_notify_all(struct fab *fab);
/* Wakes the peer of ep if it sleeps. */
void sm_ring_bell(struct sm_card *card);

/* The end of every send: after the line is published, look whether the peer
 * sleeps. Compiled into one load on machines with membarrier. */
static inline void sm_notify(struct sm *sm, struct sm_card *card)
{
	if (__builtin_expect(!sm->membarrier, 0))
		/* pairs with the fence in sm_arm: either the peer sees the
		 * line, or we see it asleep */
		atomic_thread_fence(memory_order_seq_cst);
	else
		/* the peer's membarrier in sm_arm stands in for the fence */
		atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(
		atomic_load_explicit(&card->asleep, memory_order_relaxed), 0))
		sm_ring_bell(card);
}
#endif
