/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm.h: shared memory inside a node as a fabric: the provider's own structs,
 * which all its rooms share. A room is a header with its functions; it includes
 * that of the room below it, and a source includes that of its own room, so no
 * room calls one above it but by struct sm_upcalls.
 *
 *   sm_wait.h     sleeping and waking, and which ranks live
 *   sm_ring.h     messages: a ring (base/ring.h) per ordered pair of ranks
 *   sm_segment.h  the one shared file: layout, exchange, mapping
 *   sm_heap.h     mrt_alloc's memory, which peers map
 *   sm_copy.h     read, write and atomics on a peer's memory
 *   sm.c          the provider: open, wire, close, counters
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
	SM_PATH = 64,	/* bytes for the name of the segment's file or socket */
	SM_ARENAS = 32, /* heap arenas of a rank; each is twice the last */
	SM_SLOTS_MAX = NODE_RANKS_MAX,
	SM_SCAN_MAX = 16,   /* up to so many slots all rings are polled; with
			     * more they begin small (sm_grow.c) */
	SM_SMALL_LINES = 4, /* of a small ring; its data is 4 KiB */
	/* how much more data and lines a ring has when it has grown beyond its
	 * usual size */
	SM_WIDEN = 8,
	SM_WIDEN_LINES = 4,
	SM_COLL_SLOT = 1 << 17, /* shared: bytes per slot */
	/* bulk: bytes per slot, but at least SM_BULK in all: a core
	 * that writes what another has in its L2 waits for it */
	SM_BULK_SLOT = 10 << 16,
	SM_BULK = 1 << 22,
	SM_SPARE = 8, /* the spare part is so many times as long as bulk */
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
	uint64_t copy;	 /* id; 0: an answer */
	uint64_t remote; /* where the part belongs */
};

/* Ways to copy (sm_copy.h). */
enum sm_how { MAPPED, CMA, RING, HOWS };

/* Messages. */
struct sm_rings {
	char *first;	   /* in the segment: rings as they are at first */
	size_t second_at;  /* offset of the second rings in the file */
	size_t data_size;  /* of a ring of usual size */
	struct ring *rx;   /* [slots] */
	uint64_t *pending; /* slots > SM_SCAN_MAX: senders not yet drained */
	bool grown_out;	   /* there was no memory for a second ring */
	uint64_t moves;	   /* polls that found something, or might have */
	uint64_t enlarged; /* rings, of either end */
	uint64_t looked;   /* at rings whose bit was set */
};

/* The parts of the shared file behind the segment are mapped when this rank
 * first needs them; until then their address is NULL. */
struct sm_buffers {
	char *bulk;	  /* [slots * SM_BULK_SLOT] */
	char *bounce;	  /* [slots * SM_BOUNCE] */
	char *spare;	  /* [SM_SPARE * bytes of bulk] */
	bool ready;	  /* own bounce buffers have memory */
	unsigned used;	  /* bit k: own buffer k is not emptied yet */
	unsigned next;	  /* own buffer to be filled next */
	unsigned round;	  /* rounds through all of them */
	uint64_t bounced; /* bytes put into them */
};

/* The memory of mrt_alloc. */
struct sm_heap {
	struct list arenas;
	int narenas;
	void *used; /* its blocks in use, by address */
};

/* Operations on a peer's memory, and registered memory. */
struct sm_copies {
	struct list begun;	   /* struct sm_copy */
	struct list serves;	   /* struct sm_serve: pending answers */
	struct list mems[SM_MEMS]; /* struct fab_mem, by id */
	struct pool pool, serve_pool, mem_pool;
	bool cma;      /* allowed and probed */
	char *scratch; /* of reads by CMA that are unpacked; NULL until then */
	uint64_t open_offers; /* bit k: own offer k is in use, */
	const struct fab_mem *offered[SM_OFFERS]; /* for this memory */
	unsigned busy;	    /* copies, serves and open offers; 0: quick poll */
	uint64_t last_move; /* rings.moves when a read ended last */
	/* bytes of long messages: read, and offered, lately */
	uint64_t took, gave;
	uint64_t next_id; /* never comes round to 0 */
	uint32_t parts;	  /* number of the last part of a write */
	struct sm_filled filled[SM_BOUNCES];
	uint64_t count[HOWS], bytes[HOWS]; /* copied by this rank */
	uint64_t helped;		   /* bytes copied for a reader */
	uint64_t left;			   /* copies that waited in vain */
};

struct sm_ep {
	struct fab_ep base;
	int slot;
	bool can_cma;	   /* not yet denied */
	uint8_t seen_dead; /* checks that found it dead */
	bool outlived;	   /* only the thread that called mrt_init is dead */
	struct sm_choice *choice; /* NULL before the first one with a choice */
	struct ring tx, *rx;	  /* rx: in sm->rings.rx */
	struct sm_card *card;
	struct sm_map {
		void *at;
		size_t len;
	} maps[SM_ARENAS]; /* the peer's arenas that are mapped here */
};

struct sm;

/* Functions of the room of copies that the rings beneath it call. */
struct sm_upcalls {
	/* Moves what is under way; returns whether something moved. */
	int (*progress)(struct sm *sm);
	/* A message of a kind other than SM_MSG has arrived. */
	void (*arrived)(struct sm *sm, struct sm_ep *ep, uint32_t kind,
			const struct ring_line *line, const void *data,
			size_t len);
};

struct sm {
	struct fab base;
	struct fab_node node;
	const struct boot_job *job;
	const struct sm_upcalls *up;
	int slot, slots;
	struct sm_header *seg; /* the segment */
	size_t seg_size;
	int fd;		    /* of the segment's file */
	char path[SM_PATH]; /* name until all have attached, or "" */
	int listener;	    /* sm_pass.c, until then; or -1 */
	bool in_shm;	/* the file is in /dev/shm: its memory may be used up */
	uint64_t probe; /* holds the nonce; peers read it to try CMA */
	struct fab_home *homes;
	struct sm_card *cards, *card; /* all; this rank's */
	struct sm_ep *eps;	      /* [slots] */
	bool held;		      /* own mutex `alive` is locked */
	int next_check;	  /* the slot at which the next check of peers begins */
	bool membarrier;  /* sends need no fence */
	bool flags_armed; /* armed for flags */
	struct sm_rings rings;
	struct sm_buffers buffers;
	struct sm_heap heap;
	struct sm_copies copies;
};

static inline struct sm *sm_of_node(const struct fab_node *node)
{
	return (struct sm *)((uintptr_t)node - offsetof(struct sm, node));
}
#endif
