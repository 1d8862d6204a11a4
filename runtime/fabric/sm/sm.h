/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm.h: shared memory inside a node as a fabric: the provider's own structs.
 *
 *   sm.c          the provider: open, connect, progress
 *   sm_segment.c  the one shared segment: layout, exchange, mapping
 *   sm_modex.c    cards of the fabric between nodes, on their way to modex.c
 *   sm_ring.c     messages: a ring (base/ring.h) per ordered pair of ranks
 *   sm_grow.c     larger rings for the pairs that need them
 *   sm_copy.c     large copies: by CMA, or of mapped heap memory
 *   sm_offer.c    registered memory, and copies by both ends
 *   sm_relay.c    large copies through bounce buffers: where CMA is denied, and
 *                 where sm_pace.c finds them faster
 *   sm_push.c     of these, the writes
 *   sm_choice.c   which copies go through buffers, and until when
 *   sm_heap.c     mrt_alloc's memory, and atomics on it
 *   sm_wait.c     sleeping and waking by futex
 *   sm_liveness.c detection of ranks that have died
 *
 * A slot is a rank's number on its node (boot_job.node_rank).
 */
#ifndef FABRIC_SM_H
#define FABRIC_SM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/limits.h"
#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/base/ring.h"
#include "runtime/fabric/fabric.h"
#include "runtime/topo/topo.h"

enum {
	SM_OFFERS = 64, /* open offers of a rank */
	SM_MEMS = 1024, /* lists of its registered memory */
	SM_PATH = 64,	/* bytes for the name of the segment's file */
	SM_ARENAS = 32, /* heap arenas of a rank; each is twice the last */
	SM_SLOTS_MAX = NODE_RANKS_MAX,
	SM_SCAN_MAX = 16,   /* up to so many slots all rings are polled; with
			     * more they begin small (sm_grow.c) */
	SM_SMALL_LINES = 4, /* of a small ring; its data is one page */
	/* how much more data and lines a ring has when it has grown beyond its
	 * usual size */
	SM_WIDEN = 8,
	SM_WIDEN_LINES = 4,
	SM_COLL_SLOT = 1 << 16, /* shared: bytes per slot */
	/* bulk: bytes per slot, but at least SM_BULK in all: a core
	 * that writes what another has in its L2 waits for it */
	SM_BULK_SLOT = 9 << 16,
	SM_BULK = 1 << 22,
	SM_SPARE = 8, /* spare: times bulk */
	/* Bounce buffers of a rank, filled in turn. Short ones let both ends
	 * copy at once soon. All together are so long that a buffer has left
	 * the reader's L2 before it is filled again: 2 MiB give 32 GB/s, 1 MiB
	 * 30, 256 KiB 25. */
	SM_BOUNCES = 32,
	SM_BOUNCE_LEN = 1 << 16,
	SM_BOUNCE_CLAIMS = SM_BOUNCES * SM_BOUNCE_LEN, /* where these begin */
	SM_BOUNCE = SM_BOUNCE_CLAIMS + 4096
};

/* ---- what lies in the segment ---- */

/* A large copy on which both ends work: the owner of the source offers it, the
 * reader opens it, and both claim chunks until none is left. */
struct sm_offer {
	_Atomic uint64_t next; /* first unclaimed byte; >= len: none */
	_Atomic uint64_t done; /* bytes copied or failed */
	_Atomic uint32_t failed;
	uint32_t reader; /* slot */
	uint64_t dst;	 /* address in the reader */
	uint64_t len;	 /* bytes of the whole; set by the owner */
	uint64_t pad[3];
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct sm_offer) == 64, "one cache line");

struct sm_arena {
	_Atomic uint64_t base; /* address in the owner; 0: none */
	uint64_t len;
	int32_t fd; /* in the owner */
	int32_t pad;
	uint64_t inode; /* inode that fd must have */
};

/* A rank's card. Its struct fab_home is apart from it, since every rank reads
 * those of all others and each card lies on pages of its own. Both are written
 * by their owner before it attaches. */
struct sm_card {
	int32_t pid;
	int32_t rank; /* world */
	uint64_t nonce;
	uint64_t probe; /* address in the owner of a word that holds nonce */
	pthread_mutex_t alive;	 /* held while its owner lives */
	_Atomic uint32_t dead;	 /* a rank has found its owner dead */
	_Atomic uint32_t blames; /* slot + 1 of whose death ended it */
	_Atomic uint32_t left;	 /* its owner has closed the fabric */
	/* the doorbell, on its own line: futex word, 1 while asleep */
	_Atomic uint32_t asleep __attribute__((aligned(64)));
	/* the flags that its owner, asleep, waits for: their offset in the
	 * segment */
	_Atomic uint64_t flags;
	/* with more than SM_SCAN_MAX slots: bit per slot that has sent
	 * something */
	_Atomic uint64_t senders[64] __attribute__((aligned(64)));
	struct sm_offer offers[SM_OFFERS];
	struct sm_arena arenas[SM_ARENAS];
} __attribute__((aligned(64)));

struct sm_header {
	uint64_t magic, nonce;
	uint32_t version, slots;
	uint64_t size;
	_Atomic uint32_t attached;
	_Atomic uint32_t deaths; /* a rank has found another dead */
	_Atomic uint32_t told;	 /* a rank has told of a fault: fault_share */
	/* bit per slot that may be asleep, and that may be so for flags: a rank
	 * that looks for sleepers reads few lines, and only the cards of
	 * those */
	_Atomic uint64_t sleepers[SM_SLOTS_MAX / 64]
	    __attribute__((aligned(64)));
	_Atomic uint64_t flag_sleepers[SM_SLOTS_MAX / 64]
	    __attribute__((aligned(64)));
};

/* A part of a bounce buffer. */
struct sm_piece {
	uint32_t buffer, offset, bytes;
};

/* Who exchanges the number of a part of a write for 0 has the bounce buffer in
 * which it lies: the peer, or its owner again. */
struct sm_claim {
	_Atomic uint32_t part;
} __attribute__((aligned(64)));
_Static_assert(SM_BOUNCES * sizeof(struct sm_claim) <= 4096, "a page");

/* ---- what a rank has ---- */

/* A bounce buffer that this rank has filled, with a part of a write of its own
 * or of its answer to a read of a peer. */
struct sm_filled {
	struct sm_piece piece;
	uint32_t part;	 /* number in the claim */
	uint32_t copy;	 /* id; 0: an answer */
	uint64_t remote; /* where the part belongs */
};

/* How large copies are made (sm_copy.c). */
enum sm_how { MAPPED, CMA, RING, HOWS };

struct sm_counts {
	uint64_t copies[HOWS], copied[HOWS]; /* of this rank; bytes */
	uint64_t helped, bounced;	     /* bytes copied for a peer */
	uint64_t left;			     /* copies that waited in vain */
	uint64_t enlarged;		     /* rings, of either end */
	uint64_t looked;		     /* at rings whose bit was set */
};

struct sm_ep {
	struct fab_ep base;
	int slot;
	bool can_cma;	   /* not yet denied */
	uint8_t seen_dead; /* checks that found it dead */
	bool outlived;	   /* only the thread that called mrt_init is dead */
	struct sm_choice *choice; /* NULL before the first one with a choice */
	struct ring tx, *rx;	  /* rx: in sm->rx */
	struct sm_card *card;
	struct sm_map {
		void *at;
		size_t len;
	} maps[SM_ARENAS]; /* the peer's arenas that are mapped here */
};

struct sm {
	struct fab base;
	struct fab_node node;
	const struct boot_job *job;
	int slot, slots;
	struct sm_header *seg; /* the segment */
	char *rings;	       /* in it: rings as they are at first */
	size_t second_at;      /* offset of the second rings in the file */
	int fd;		       /* of the segment's file */
	char path[SM_PATH];    /* its name until all have attached, or "" */
	bool in_shm; /* the file is in /dev/shm: its memory may be used up */
	bool flags_armed;  /* armed for flags */
	bool grown_out;	   /* there was no memory for a second ring */
	char *bulk;	   /* [slots * SM_BULK_SLOT]; NULL until mapped */
	char *bounce;	   /* [slots * SM_BOUNCE]; NULL until mapped */
	char *spare;	   /* [SM_SPARE * bytes of bulk]; NULL until mapped */
	bool bounce_ready; /* own bounce buffers have memory */
	unsigned bounce_used;	    /* bit k: own buffer k is not emptied yet */
	unsigned bounce_next;	    /* own buffer to be filled next */
	unsigned bounce_round;	    /* rounds through all of them */
	size_t seg_size, data_size; /* data_size: of a ring of usual size */
	int next_check; /* the slot at which the next check of peers begins */
	struct fab_home *homes;
	struct sm_card *cards, *card; /* all; this rank's */
	struct ring *rx;	      /* [slots] */
	struct sm_ep *eps;	      /* [slots] */
	int *slot_of;		      /* [job->size] or -1 */
	uint64_t *pending;  /* slots > SM_SCAN_MAX: senders not yet drained */
	bool held;	    /* own mutex `alive` is locked */
	bool cma;	    /* allowed and probed */
	bool membarrier;    /* sends need no fence */
	struct list copies; /* struct sm_copy */
	struct list serves; /* struct sm_serve: pending answers */
	struct list mems[SM_MEMS]; /* struct fab_mem, by id */
	struct pool copy_pool, serve_pool, mem_pool;
	char *scratch; /* of reads by CMA that are unpacked; NULL until then */
	uint64_t open_offers; /* bit k: own offer k is in use, */
	const struct fab_mem *offered[SM_OFFERS]; /* for this memory */
	unsigned busy;	    /* copies, serves and open offers; 0: quick poll */
	uint64_t moves;	    /* polls that found something, or might have */
	uint64_t last_move; /* that in which a read ended last */
	/* bytes of long messages: read, and offered, lately */
	uint64_t took, gave;
	uint32_t next_id;
	uint64_t probe;	    /* holds the nonce; peers read it to try CMA */
	struct list arenas; /* own heap (sm_heap.c) */
	int narenas;
	void *used_blocks; /* of the heap, by address */
	struct sm_counts counts;
	struct sm_filled filled[SM_BOUNCES];
	uint32_t parts; /* number of the last part of a write */
};

/* ---- between the files ---- */

static inline struct sm *sm_of_node(const struct fab_node *node)
{
	return (struct sm *)((uintptr_t)node - offsetof(struct sm, node));
}

/* Creates a memfd of `size` bytes that nobody can truncate; -1 with errno. */
int sm_memfd(size_t size);
/* Slot 0 creates and publishes the segment; after the fence all ranks attach.
 * MRT_ERR_* (logged). Close unmaps it. */
int sm_segment_open(struct sm *sm);
int sm_segment_attach(struct sm *sm);
void sm_segment_close(struct sm *sm);
int sm_put_card(struct fab_node *node, const void *card, size_t len);
ssize_t sm_card_of(struct fab_node *node, int rank, void *card);
/* Logs that the segment's file cannot be made or mapped (`what`: "create",
 * "map") for lack of memory, `size` bytes, and advises to lower MRT_SM_RING
 * where large rings take most of it. Returns the error for errno. */
int sm_no_memory(const struct sm *sm, const char *what, size_t size);
/* Returns whether this rank's bounce buffers have memory (not logged). */
bool sm_may_bounce(struct sm *sm);
/* Returns where the next p->bytes can be put in an own bounce buffer, and tells
 * it in *p. NULL: all are in use, or have no memory (not logged). */
char *sm_bounce_next(struct sm *sm, struct sm_piece *p);
/* The piece of sm_bounce_next is in use until its bit in bounce_used is
 * cleared. */
void sm_bounce_use(struct sm *sm, const struct sm_piece *p);
/* Returns a piece in a bounce buffer of this slot. NULL (not logged): it cannot
 * be mapped. */
char *sm_bounce_at(struct sm *sm, int slot, const struct sm_piece *p);
struct sm_claim *sm_bounce_claim(struct sm *sm, int slot, uint32_t buffer);
/* Returns `shared` of fabric.h. */
void *sm_coll_area(struct sm *sm, size_t *len);
void *sm_bulk(struct fab_node *node);
void *sm_spare(struct fab_node *node, size_t at, size_t len, bool reserve);
size_t sm_bulk_size(const struct sm *sm);
size_t sm_spare_size(const struct sm *sm);
/* Bytes of the segment's file that have memory from the start, and in all; and
 * the offset of the second rings in it. */
size_t sm_reserved_size(const struct sm *sm);
size_t sm_file_size(const struct sm *sm);
size_t sm_second_offset(const struct sm *sm);
void sm_buffers_close(struct sm *sm);
/* Bytes of all rings as they are at first, and of all second rings. */
size_t sm_rings_bytes(const struct sm *sm);
size_t sm_second_rings_bytes(const struct sm *sm);
/* Attaches one end of the ring from slot `from` to slot `to`, as it is at
 * first. */
void sm_ring_attach(const struct sm *sm, struct ring *r, int from, int to);
/* Whether a sender that finds no room in this ring may continue in a second
 * one. */
bool sm_may_grow(const struct sm *sm, const struct ring *r);
/* Continues a ring through which this rank sends in a second one, if it may
 * grow. False: no memory; where the first ring is too small for all messages, a
 * fault has been raised. */
bool sm_grow(struct sm *sm, struct sm_ep *ep);
/* Follows the sender from a ring whose last message has just been peeked to the
 * second one. False: there cannot be another one. */
bool sm_follow(struct sm *sm, struct sm_ep *ep);
/* Return the bytes of rings that this rank has mapped, and of those that it has
 * used. */
size_t sm_rings_used(const struct sm *sm);
size_t sm_rings_mapped(const struct sm *sm);
void sm_grow_fini(struct sm *sm);

/* Kinds of messages, in the bits above RING_LEN_MASK. */
enum sm_kind {
	SM_MSG = 0,	      /* a message for the sink */
	SM_GET = 1 << 24,     /* requests memory through the ring */
	SM_PUT = 2 << 24,     /* part of a write */
	SM_DATA = 3 << 24,    /* part of the answer to SM_GET */
	SM_FULL = 7 << 24,    /* like SM_DATA, in a bounce buffer */
	SM_EMPTIED = 8 << 24, /* the bounce buffer may be reused */
	SM_ACK = 4 << 24,     /* end of a PUT, or refusal; a status */
	SM_ATOMIC = 5 << 24,  /* fetch_add, compare_swap */
	SM_RESULT = 6 << 24,  /* answer to SM_ATOMIC */
	SM_GROWN = 9 << 24,   /* what follows comes through the second ring */
	SM_FILL = 10 << 24,   /* part of a write, in a bounce buffer */
	SM_DROP = 11 << 24    /* an SM_GET that need not be answered any more */
};

int sm_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
ssize_t sm_take(struct fab_ep *ep, uint64_t hdr, void *buf, size_t room);
/* Sends an internal message; ERR_AGAIN like send. */
int sm_post(struct sm_ep *ep, enum sm_kind kind, uint64_t hdr,
	    const struct iovec *iov, int n);
int sm_progress(struct fab *fab);

void sm_copy_init(struct sm *sm); /* probes CMA; after all attached */
void sm_copy_fini(struct sm *sm);
int sm_copy_progress(struct sm *sm);
int sm_mem_register(struct fab *fab, void *addr, size_t len, bool once,
		    struct fab_mem **mem, struct fab_key *key);
void sm_mem_deregister(struct fab *fab, struct fab_mem *mem);
int sm_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	    size_t len, struct fab_op *op);
int sm_writev(struct fab_ep *ep, const struct iovec *iov, int n,
	      uint64_t remote, struct fab_key key, struct fab_op *op);
int sm_read_unpack(struct fab_ep *ep, struct fab_packer *to, uint64_t remote,
		   struct fab_key key, size_t len, struct fab_op *op);
int sm_copy_pieces(struct fab_ep *ep, bool back, void *here,
		   struct pieces *there, size_t len);
int sm_pack_register(struct fab_ep *ep, struct fab_packer *from, size_t len,
		     struct fab_mem **mem, struct fab_key *key);
int sm_write(struct fab_ep *ep, const void *src, uint64_t remote,
	     struct fab_key key, size_t len, struct fab_op *op);
int sm_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		 uint64_t add, uint64_t *result, struct fab_op *op);
int sm_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		    const uint64_t exchange[2], uint64_t *result,
		    struct fab_op *op);

int sm_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr);
int sm_heap_free(struct fab *fab, void *ptr);
int sm_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);
void sm_heap_fini(struct sm *sm);

/* Liveness from attaching to closing; sm_check_peers raises a fault if a rank
 * has died. */
void sm_liveness_init(struct sm *sm);
void sm_liveness_fini(struct sm *sm);
void sm_check_peers(struct fab_node *node);

void sm_wait_prepare(void);
void sm_wait_init(struct sm *sm);
/* Sleeps until woken or for timeout_us, if *word is still value. */
void sm_sleep(_Atomic uint32_t *word, uint32_t value, unsigned timeout_us);
void sm_wake_all(_Atomic uint32_t *word);
void sm_arm(struct fab *fab, const void *flags);
void sm_disarm(struct fab *fab);
void sm_wait(struct fab *fab, unsigned timeout_us);
void sm_wake(struct fab *fab);
void sm_notify_flags(struct fab_node *node, const void *flags);
/* Wakes the owner of the card if it sleeps. */
void sm_ring_bell(struct sm_card *card);

/* Stands between what a rank publishes and its look for sleepers. */
static inline void sm_order(const struct sm *sm)
{
	if (__builtin_expect(!sm->membarrier, 0))
		/* pairs with the fence in sm_arm: either the peer sees the
		 * line, or we see it asleep */
		atomic_thread_fence(memory_order_seq_cst);
	else
		/* the peer's membarrier in sm_arm replaces the fence */
		atomic_signal_fence(memory_order_seq_cst);
}

/* Ends every send: after the line is published, wakes the peer if it sleeps.
 * One load on machines with membarrier. */
static inline void sm_notify(struct sm *sm, struct sm_card *card)
{
	sm_order(sm);
	/* relaxed: ordered by the fence above */
	if (__builtin_expect(
		atomic_load_explicit(&card->asleep, memory_order_relaxed), 0))
		sm_ring_bell(card);
}
#endif
