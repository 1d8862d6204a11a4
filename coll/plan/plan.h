/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h: a collective as data: the steps of one rank, with symbolic buffers.
 *
 * An algorithm is a pure function of (shape, rank) that appends steps. It does
 * not communicate, and depends on nothing else, so that the same plan can be
 * executed (run.c), proved, drawn and simulated. A plan holds no pointer into
 * user memory: all offsets and lengths count elements.
 *
 * A plan keeps these rules, and its consumers rely on them:
 *  - A step may start when the steps that it names in `after` have finished;
 *    those stand earlier in the plan. Nothing else orders two steps.
 *  - A send matches the receive with the same tag between the same two ranks;
 *    a tag is used once per ordered pair of ranks, or again only PLAN_TAGS
 *    messages later. No send may rely on buffering: it finishes when its
 *    receive has started, or later.
 *  - A load waits until its peer has posted, once, with the load's tag.
 *  - No step writes what another step without an order to it reads or writes.
 *    With in_place, SEND and RECV are the same memory.
 *  - The sequence of sends and receives does not depend on in_place, which
 *    may differ between ranks (reduce).
 */
#ifndef COLL_PLAN_H
#define COLL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/plan/shape.h"

struct algorithm; /* algorithm.h */

enum step_kind {
	/* messages */
	STEP_SEND,	  /* src to peer */
	STEP_RECV,	  /* from peer to dst */
	STEP_RECV_REDUCE, /* from peer to src, then as STEP_REDUCE; what has
			   * come need not be in src afterwards */
	/* on the peer's cells, at dst; finished when done there */
	STEP_SIGNAL,	   /* adds 1 to a counter, by fetch-and-add */
	STEP_WRITE,	   /* src to buffer cells: `count` elements, packed */
	STEP_FETCH_ADD,	   /* adds each element of src to an accumulator */
	STEP_COMPARE_SWAP, /* combines each with an accumulator by any
			      operation: cell op element */
	/* from the peer's board, at src behind where it posted */
	STEP_LOAD,	  /* to dst; with count 0 it only waits */
	STEP_LOAD_REDUCE, /* then as STEP_REDUCE */
	/* local */
	STEP_POST,   /* lets peers load `count` elements of src, on the board */
	STEP_COPY,   /* src to dst. With count 0 it only joins two orders; where
			src is dst (in place) it does nothing */
	STEP_REDUCE, /* dst = src op with; flip: dst = with op src */
	STEP_WAIT_MEMORY, /* until `count` more signals came to own counter dst
			   */
	STEP_TAKE, /* moves what was combined in the own cells src to dst */
	STEP_KINDS
};

extern const char *const step_kind_names[STEP_KINDS]; /* "send", .. */

static inline bool step_has_peer(enum step_kind kind)
{
	return kind <= STEP_LOAD_REDUCE;
}

static inline bool step_is_message(enum step_kind kind)
{
	return kind <= STEP_RECV_REDUCE;
}

/* One-sided: acts on cells of the peer. */
static inline bool step_is_onesided(enum step_kind kind)
{
	return kind >= STEP_SIGNAL && kind <= STEP_COMPARE_SWAP;
}

static inline bool step_is_load(enum step_kind kind)
{
	return kind == STEP_LOAD || kind == STEP_LOAD_REDUCE;
}

static inline bool step_reduces(enum step_kind kind)
{
	return kind == STEP_REDUCE || kind == STEP_RECV_REDUCE ||
	       kind == STEP_LOAD_REDUCE;
}

/*
 * Buffers. A bcast has its one buffer as RECV.
 *
 * CELLS are 64-bit words of each rank for one-sided steps; `at` counts words
 * there, and a word is of one kind in all plans:
 *   counters     get signals. They are never reset: a wait counts from the last
 *                one, and a plan has at most one wait for each counter.
 *   accumulators combine what fetch_add and compare_swap bring, an element in
 *                each word, and are empty at first. A take, after a wait for
 *                signals that came after all of them, empties them again.
 *   buffers      hold what peers write, and anything at first. COPY, REDUCE,
 *                SEND and WRITE may read the own ones.
 * A rank acts only on the cells of others; on its own it waits, takes and
 * reads.
 *
 * A plan with cells (ncells, the same on all ranks) lets no rank finish before
 * all have begun. It need not care about the plans before and after it: a rank
 * executes one at a time per communicator, and consecutive plans use different
 * words.
 *
 * The BOARD is memory of a rank that the ranks of its node can read. A plan
 * uses at most shape->board bytes of each rank's. Local steps read and write
 * the own one; peers load what was posted. A rank executes one plan with a
 * board at a time per communicator, and gets the same memory again only when
 * all ranks of its node have left the plan that used it before.
 */
enum {
	BUF_SEND,
	BUF_RECV,
	BUF_CELLS,
	BUF_BOARD,
	BUF_TMP,
	PLAN_TMPS = 16, /* 4 on each level of a hierarchy, and 1 */
	BUFS = BUF_TMP + PLAN_TMPS
};

/* Element `at` of a buffer. */
struct ref {
	uint8_t buf;
	size_t at;
};

enum { PLAN_TAGS = 1 << 15 };

struct step {
	uint8_t kind; /* enum step_kind */
	bool flip;    /* reductions: `with` is the left operand */
	uint16_t tag; /* below PLAN_TAGS */
	int peer;     /* rank in the communicator */
	/* Up to two steps that must finish first, as plan_add returned them; 0
	 * stands for none. */
	uint32_t after[2];
	/* In a reduction dst may be exactly src or with, but must not overlap
	 * them otherwise. */
	struct ref src, with, dst;
	size_t count; /* elements */
};

/* The kinds of cells and their numbers; they lie in this order. */
enum cell_kind { CELL_COUNTER, CELL_ACCUMULATOR, CELL_BUFFER, CELL_KINDS };
enum {
	CELLS_COUNTERS = 32,
	CELLS_ACCUMULATORS = 128,
	CELLS_BUFFER = 1888,
	CELLS_MAX = CELLS_COUNTERS + CELLS_ACCUMULATORS + CELLS_BUFFER
};

struct plan {
	struct step *steps;
	uint32_t nsteps, capacity;
	size_t tmp[PLAN_TMPS];	/* elements of each temporary */
	uint8_t ntmp, next_tmp; /* next_tmp: what plan_tmp returns next */
	unsigned ncells; /* end of the cells that any rank uses; 0: none */
	unsigned cells[CELL_KINDS]; /* cells of each kind in use */
	size_t board, next_board;   /* elements of the board in use; what
				       plan_board returns next */
	void *scratch; /* memory of plan_scratch while the plan is built */
	bool no_mem;   /* a step could not be added */
	const struct embed *within; /* innermost one while it is built */
	const int *order; /* of the ranks whose parts it has; NULL: their own */
};

/* Builds a rank's plan into *plan, which the caller owns until plan_fini.
 * MRT_ERR_NO_MEM leaves nothing to free. */
int plan_build(const struct algorithm *algorithm, const struct shape *shape,
	       int rank, struct plan *plan);
/* Like plan_build, but reuses the memory of a plan that was built before or is
 * all zero. */
int plan_rebuild(const struct algorithm *algorithm, const struct shape *shape,
		 int rank, struct plan *plan);
void plan_fini(struct plan *plan);

/* ---- For algorithms ------------------------------------------------------
 *
 * Each returns the number of the new step, for `after` of later ones. When
 * memory runs out they return 0, and plan_build fails.
 */
uint32_t plan_add(struct plan *plan, struct step step);

/* Returns a new temporary of `count` elements. At most PLAN_TMPS per plan. */
uint8_t plan_tmp(struct plan *plan, size_t count);
/* Makes plan_tmp continue with temporary `next`, whether or not it was returned
 * before; it gets as many elements as any caller wants. The caller orders the
 * steps on temporaries that are returned again. */
void plan_tmp_from(struct plan *plan, unsigned next);

/* Takes n more cells of a kind, the same on all ranks, and returns the first.
 * `fits` makes sure that there are as many. */
unsigned plan_cells(struct plan *plan, enum cell_kind kind, unsigned n);

/* The bytes of a board, shape->board where there are boards. Pages that no plan
 * uses take no memory. */
enum { BOARD_BYTES = 4 << 20 };

/* Takes `count` elements more of the board and returns the first. `fits` makes
 * sure that there are as many. */
struct ref plan_board(struct plan *plan, size_t count);
/* Makes plan_board continue at element `next`, whether or not it is taken. The
 * caller orders the steps on what is taken again, those of all ranks. */
void plan_board_from(struct plan *plan, size_t next);

/* Declares that other ranks of this plan take cells, of a number unknown
 * here. */
static inline void plan_cells_of_others(struct plan *plan)
{
	plan->ncells = CELLS_MAX;
}

/* Returns memory for lists of ranks or blocks, which lasts until the plan is
 * built. NULL: no memory. */
void *plan_scratch(struct plan *plan, size_t bytes);

/* A message: where it lies, its length, and its tag. */
struct part {
	struct ref ref;
	size_t count;
	unsigned tag;
};

uint32_t plan_send(struct plan *plan, int peer, struct part part,
		   uint32_t after, uint32_t after2);
uint32_t plan_recv(struct plan *plan, int peer, struct part part,
		   uint32_t after, uint32_t after2);
uint32_t plan_copy(struct plan *plan, struct ref src, struct ref dst,
		   size_t count, uint32_t after);
/* Copies SEND to RECV if the call has a single rank. Returns whether it has. */
bool plan_alone(struct plan *plan, const struct shape *shape);
/* Appends an empty step that finishes when both have. */
uint32_t plan_join(struct plan *plan, uint32_t after, uint32_t after2);

/* dst = left op right. */
struct operands {
	struct ref left, right, dst;
	size_t count;
};
uint32_t plan_reduce(struct plan *plan, struct operands operands,
		     uint32_t after, uint32_t after2);

/* Lets the ranks of the node load what `part` names; a tag, below BOARD_TAGS,
 * is posted once. plan_load copies part.count elements from behind part.ref.at
 * of what the peer has posted with the part's tag to dst; plan_load_reduce
 * takes them as the left operand instead of operands.left. */
uint32_t plan_post(struct plan *plan, struct part part, uint32_t after);
uint32_t plan_load(struct plan *plan, int peer, struct part part,
		   struct ref dst, uint32_t after);
uint32_t plan_load_reduce(struct plan *plan, int peer, struct part part,
			  struct operands operands, bool flip, uint32_t after);

/* Receives into left, then dst = left op right or, with flip, right op left. */
uint32_t plan_recv_reduce(struct plan *plan, int peer, unsigned tag,
			  struct operands operands, bool flip, uint32_t after);

static inline struct ref ref(uint8_t buf, size_t at)
{
	return (struct ref){buf, at};
}

/* Returns block i of a vector that is cut into n blocks of nearly equal
 * length. */
struct block plan_block(size_t count, int n, int i);
/* Returns blocks first .. first + n_of - 1 of such a vector as one block. */
struct block plan_blocks(size_t count, int n, int first, int n_of);

/* Returns into how many segments of about `bytes` to cut a vector of count
 * elements: 1 .. 64, so that a plan stays small; none is empty unless count is
 * 0. */
int plan_segments(const struct shape *shape, size_t count, size_t bytes);

/* Returns the number that the next step will get. */
static inline uint32_t plan_next(const struct plan *plan)
{
	return plan->nsteps + 1;
}

/* ---- Plans made of plans ------------------------------------------------ */

/* Each embedded plan has EMBED_TAGS tags of its own; EMBEDS of them fit. */
enum { EMBEDS = 8, EMBED_TAGS = PLAN_TAGS / EMBEDS };
/* So has each segment of one; for posts there are fewer. */
enum {
	EMBED_SEGMENTS = 16,
	BOARD_TAGS = 4,
	BOARD_POSTS = EMBEDS * EMBED_SEGMENTS * BOARD_TAGS
};

/* Segment `me` of the n into which a vector is cut, if each gets plans of its
 * own; n 0: it is not cut. They share the tags of a number. */
struct embed_segment {
	int me, n;
};

/* A collective of some ranks as a part of another one. */
struct embed {
	const struct algorithm *algorithm;
	struct shape shape; /* size: of the group; in_place: as send and recv */
	int rank;	    /* in the group */
	/* [shape.size] their ranks; NULL: those from `first` on */
	const int *members;
	int first;
	struct ref send, recv; /* where its SEND and RECV begin */
	/* 0 .. EMBEDS - 1, selects its tags; used twice in one plan only for
	 * groups without a pair of ranks in common */
	unsigned number;
	struct embed_segment segment;
	uint32_t after; /* its first steps start after this one */
	/* private to plan.c */
	const int *order;
	const struct embed *outer;
};

/* Appends the embedded plan's steps. Returns a step that finishes when all of
 * them have. */
uint32_t plan_embed(struct plan *plan, struct embed embed);
#endif
