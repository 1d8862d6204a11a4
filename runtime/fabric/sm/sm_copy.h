/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_copy.h: read, write and atomics on a peer's memory. There are five ways,
 * by three steps (enum sm_how), of which each copy takes the first that it can:
 *
 *           what it costs                      when it is taken
 *   MAPPED  one copy by this CPU               memory of mrt_alloc, own memory
 *   CMA     a system call (as long as copying  what the kernel lets this rank
 *           20 KiB), one copy by the kernel    reach, unless sm_choice.c finds
 *                                              the buffers faster
 *     both  the same, and both ends copy, in   long reads of messages where
 *     ends  half the time                      each rank has a CPU
 *   RING    two copies, both in the caches;    more than 8 KiB: where CMA is
 *           the owner takes part in its turns  denied, or slower
 *     in    two copies and a message for each  the rest: short copies without
 *     the   part                               CMA, atomics, and where buffers
 *     ring                                     have no memory
 *
 *   sm_copy.c    begins, moves and ends copies; MAPPED and CMA
 *   sm_offer.c   registered memory, and copies by both ends
 *   sm_relay.c   RING: reads and atomics
 *   sm_push.c    RING: writes through buffers
 *   sm_choice.c  which copies go through buffers, and until when; by the times
 *                of sm_pace.c (sm_pace.h)
 */
#ifndef FABRIC_SM_COPY_H
#define FABRIC_SM_COPY_H

#include "runtime/base/pieces.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/sm/sm_cma.h"
#include "runtime/fabric/sm/sm_heap.h"
#include "runtime/fabric/sm/sm_pace.h"

enum copy_kind { COPY_READ, COPY_WRITE, COPY_ATOMIC };

/* A read, write or atomic that this rank has in progress. */
struct sm_copy {
	struct list link;
	struct sm_ep *ep;
	char *local;	       /* destination of a read or atomic */
	struct fab_packer *to; /* in place of local: unpacks what is read */
	struct iovec flat;     /* source of a write in one piece */
	struct pieces from;    /* source of a write: the rest of it */
	char *mapped;	       /* MAPPED: the peer's memory, mapped here */
	uint64_t remote, len, moved;
	struct fab_key key;
	struct fab_op *op;
	struct sm_offer *offer; /* NULL: only this end copies */
	uint64_t operand[2];	/* atomics: addend, or compare and swap */
	uint64_t began;		/* time, if the way was chosen; else 0 */
	uint64_t id;		/* RING: its name in the answers */
	uint8_t how, kind;
	bool swap, asked;
	bool waits;  /* not begun yet: struct sm_choice */
	bool pushed; /* a write through this rank's bounce buffers */
	uint8_t out; /* buffers of it that the peer has not emptied */
};

/* Copies for which there is a choice, of a message or of a window. */
enum sm_chosen { READS, READS_UNPACKED, GETS, WRITES, CHOSEN };

/* Copies from and to one peer for which there is a choice between CMA and RING.
 * Few are begun at a time, so that the choice of the others comes late. */
struct sm_choice {
	struct pace paces[CHOSEN][PACE_CLASSES];
	struct list waiting; /* struct sm_copy, not in sm->copies yet */
	unsigned begun;	     /* copies */
	uint64_t under_way;  /* bytes of these */
	uint64_t ended;	     /* time at which the last one ended */
	uint64_t last_move;  /* sm->moves at that time */
	bool absent;	/* the peer let a copy wait, and will answer late */
	uint32_t polls; /* in vain, for copies that wait for it */
	uint64_t quiet_since; /* time; 0: it has answered */
	uint64_t ask_after;   /* time until which it is not asked again, */
	uint64_t retry_ns;    /* so long after the last time; 0: it came */
};

/* Word 1 of a key is 1 + the index of an offer. Without an offer it is
 * KEY_AWAITED where the owner waits for the end of the one read, KEY_PACKED
 * where it also packs what is read, and 0 else. */
enum { KEY_AWAITED = SM_OFFERS + 1, KEY_PACKED };

/* Registered memory that peers may access. */
struct fab_mem {
	struct list link;
	struct fab_packer *packer; /* packs what is read; NULL: it lies here */
	char *addr;		   /* NULL if it is packed */
	size_t len;
	uint64_t id;
	struct sm_offer *offer;
};

/* An answer that this rank owes for a peer's RING operation. */
struct sm_serve {
	struct list link;
	struct sm_ep *ep;
	uint32_t kind;		   /* enum sm_kind */
	uint64_t id;		   /* of the peer's copy */
	uint64_t mem;		   /* id of the struct fab_mem that is read */
	struct fab_packer *packer; /* packs from byte `from` on */
	uint64_t from;		   /* address, unless there is a packer */
	uint64_t len, moved, value;
};

enum {
	SM_BOUNCE_MIN = 8192, /* shorter answers and writes go by the ring */
	/* buffers that one poll fills: a peer whose other end copies by CMA, in
	 * chunks of half a MiB, would else get most of the time, and find CMA
	 * faster than it is */
	SM_AT_ONCE = 4
};

/* Returns how many bytes, up to `limit`, go into the next buffer. The first
 * part is short, so that the peer starts early. */
static inline uint32_t sm_part(uint64_t moved, uint64_t len, size_t limit)
{
	size_t most =
	    moved || limit < SM_BOUNCE_LEN / 4 ? limit : SM_BOUNCE_LEN / 4;

	return (uint32_t)(len - moved < most ? len - moved : most);
}

/* Returns whether a piece that a peer names can be. */
static inline bool sm_piece_fits(const struct sm_piece *p)
{
	return p->buffer < SM_BOUNCES && p->offset <= SM_BOUNCE_LEN &&
	       p->bytes <= SM_BOUNCE_LEN - p->offset;
}

/* The value of SM_EMPTIED, for buffer SM_BOUNCES that the peer is there again.
 */
static inline uint64_t sm_emptied(uint32_t buffer, int status)
{
	return (uint64_t)(uint32_t)status << 32 | buffer;
}

/* These functions are members of fab_ops and node_ops: fabric.h describes
 * them. */
void sm_copy_init(struct sm *sm); /* probes CMA; after all attached */
void sm_copy_fini(struct sm *sm);
int sm_copy_progress(struct sm *sm);
int sm_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
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

/* sm_relay.c: copies through rings and bounce buffers. Return whether something
 * moved. */
int sm_relay_step(struct sm *sm, struct sm_copy *c);
int sm_relay_serve(struct sm *sm);
/* Sends an answer, or queues it until the ring has room. */
void sm_relay_answer(struct sm *sm, const struct sm_serve *answer);
/* Returns this rank's copy that the peer names, or NULL. */
struct sm_copy *sm_find_copy(struct sm *sm, const struct sm_ep *ep,
			     uint64_t id);
/* Ends the job because of an impossible message. */
void sm_bad_message(const struct sm_ep *ep, const char *what);
/* Turns answers still owed from this memory into refusals: the peer asked, but
 * then said that it had all. */
void sm_relay_drop(struct sm *sm, const struct fab_mem *m);
/* Handles an internal message of a peer. */
void sm_relay_message(struct sm *sm, struct sm_ep *ep, uint32_t kind,
		      const struct ring_line *line, const void *data,
		      size_t len);

/* sm_push.c: writes through this rank's bounce buffers. step and take_back
 * return whether something moved; take_back writes by CMA what the peer has not
 * taken. */
int sm_push_step(struct sm *sm, struct sm_copy *c);
int sm_push_take_back(struct sm *sm, struct sm_copy *c);
/* Handle messages of a peer: it has filled, or emptied, a buffer. */
void sm_push_take(struct sm *sm, struct sm_ep *ep, const void *data,
		  size_t len);
void sm_push_emptied(struct sm *sm, const struct sm_ep *ep, const void *data,
		     size_t len);

/* sm_offer.c */
/* Returns the registered memory that covers what a peer names, or NULL. */
struct fab_mem *sm_find_mem(struct sm *sm, uint64_t id, uint64_t addr,
			    uint64_t len);
/* Opens the owner's offer if it made one for exactly what this copy reads. */
void sm_offer_join(struct sm *sm, struct sm_copy *c);
/* Copies a chunk for one of this rank's reads, or for a peer's read from it.
 * Return whether something moved. */
int sm_offer_step(struct sm *sm, struct sm_copy *c);
int sm_offer_help(struct sm *sm);

/* sm_copy.c */
struct sm_way {
	const char *copies, *bytes; /* names of its counters */
	/* Moves a chunk of a copy; returns whether something moved. */
	int (*step)(struct sm *sm, struct sm_copy *c);
};
extern const struct sm_way sm_ways[HOWS];
/* Copies or unpacks the next bytes of a read. */
void sm_copy_in(struct sm_copy *c, const void *data, size_t len);
/* Ends a copy: frees it and calls its op's done. */
void sm_copy_finish(struct sm *sm, struct sm_copy *c, int status);
/* Makes a copy that is not begun, or that CMA cannot do, go through the rings.
 * Returns 1. */
int sm_copy_by_ring(struct sm *sm, struct sm_copy *c);
/* Tries CMA by reading the nonce of a rank, which also detects a foreign
 * process behind its PID. */
bool sm_copy_probe(const struct sm_card *c);

/* sm_choice.c */
/* Begins a copy that CMA can do, unless it has to wait for others. */
void sm_choice_begin(struct sm *sm, struct sm_copy *c);
/* Returns whether a copy by RING has waited for its peer for so long that it
 * had better go by CMA. */
bool sm_choice_regretted(struct sm *sm, struct sm_copy *c);
/* A peer has answered; NULL: no copy with a choice. */
void sm_choice_answered(struct sm_choice *r);
/* A copy that was begun with a choice has ended: begins those that waited. */
void sm_choice_ended(struct sm *sm, const struct sm_copy *c, int status);
/* The peer reads `len` bytes from this rank through the buffers. */
void sm_choice_joined(const struct sm_ep *ep, size_t len);
/* Whether the peer reads a message that must be packed sooner by CMA, packed
 * beforehand, than from the buffers. */
bool sm_choice_packed(const struct sm_ep *ep, size_t len);
/* Counts bytes of long messages that this rank has read, and offered. */
void sm_count_traffic(struct sm *sm, uint64_t took, uint64_t gave);
#endif
