/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_state.h: what the parts of the prover have in common. Its functions
 * return false when something is wrong, and have said what in k->complaint.
 *
 * Steps of all ranks are numbered through: rank r's from ranks[r].first on.
 */
#ifndef COLL_CHECK_STATE_H
#define COLL_CHECK_STATE_H

#include "coll/prove/prove.h"
#include "coll/plan/plan.h"

enum { NO_STEP = UINT32_MAX };

struct check_rank {
	struct plan plan;
	uint32_t first;
	/* One memory holds all its buffers but CELLS, which have their own. In
	 * place, SEND lies in RECV or around it. All in elements. */
	size_t len[BUFS], base[BUFS], room;
};

struct check {
	const struct check_case *c;
	int n; /* ranks */
	struct check_rank *ranks;
	unsigned ncells;

	uint32_t nsteps;
	const struct step **step; /* [nsteps] */
	int *rank_of;		  /* [nsteps] */
	/* [nsteps] of a message: its other side; of a signal: its wait */
	uint32_t *partner;
	/* All steps but sends, which happen with their receives, each after
	 * all it waits for. */
	uint32_t *order, norder;

	struct check_room *rooms; /* freed at the end */
	char complaint[320];
};

/* Says what is wrong with a step, or, NO_STEP, with the whole. False. */
bool check_wrong(struct check *k, uint32_t step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* n zeroed items until the end of the check, or NULL and a complaint. */
void *check_room(struct check *k, size_t n, size_t size);

/* ---- check_buffers.c: what SEND and RECV hold ---------------------------- */

static inline const struct shape *check_shape(const struct check *k, int rank)
{
	return &k->c->shapes[rank];
}

/* SEND and RECV (`buf`) are lists of blocks. */
int check_blocks(const struct check *k, int rank, int buf);
struct block check_block(const struct check *k, int rank, int buf, int i);
/* Fills len, base and room. */
void check_layout(const struct check *k, int rank);

/* Whose elements, from `at` of their SEND (bcast: RECV) on, belong into block i
 * of RECV: those of n ranks from `first` on; of none: it is left as it was. */
struct origin {
	int first, n;
	size_t at;
};
struct origin check_origin(const struct check *k, int rank, int i);

/* ---- check_steps.c ------------------------------------------------------ */

bool check_steps(struct check *k);

enum use { READS, WRITES };

/* A range: of the memory, of own cells, or (`remote`) of the peer's cells, in
 * words. */
struct access {
	enum use use;
	bool cells, remote;
	size_t at, count;
};
enum { ACCESSES = 3 };

/* Returns how many; none of 0 elements. Of valid steps. */
int check_accesses(const struct check *k, uint32_t step,
		   struct access out[ACCESSES]);

/* ---- check_race.c ------------------------------------------------------- */

struct place {
	uint32_t writer, readers; /* step + 1; reader + 1 */
};

/* Two steps, the earlier of which must have finished when the other starts. */
struct pair {
	uint32_t earlier, later;
};

/* The pairs that visits to places call for. All zero at first. */
struct visits {
	struct place *places; /* of the caller */
	struct reader {
		uint32_t step, next;
	} *readers;
	size_t nreaders, readers_room;
	struct pair *pairs;
	size_t npairs, pairs_room;
	bool no_mem;
};

/* Steps come in an order in which they may happen. */
void visits_add(struct visits *v, size_t place, uint32_t step, enum use use);
void visits_fini(struct visits *v);

/* Words of rows of bits, by which orders are looked up piece by piece. */
enum { WINDOW_WORDS = 16, WINDOW = 64 * WINDOW_WORDS };

/* No local step races another; all ranks. */
bool check_races(struct check *k);
/* Has step `earlier` finished when `later` of the same rank starts? */
bool check_ordered(struct check *k, uint32_t earlier, uint32_t later,
		   bool *ordered);

/* ---- check_order.c ------------------------------------------------------ */

bool check_match(struct check *k);
bool check_deadlock(struct check *k);

/* ---- check_counters.c --------------------------------------------------- */

/* Cells are used for what they are; each wait has its signals. */
bool check_counters(struct check *k);
/* The number among all ranks' cells of the first that an access uses. */
size_t check_cell(const struct check *k, uint32_t step, const struct access *a);

/* ---- check_cells.c ------------------------------------------------------ */

bool check_cells(struct check *k);
bool check_begun(struct check *k);

/* ---- check_flow.c ------------------------------------------------------- */

bool check_flow(struct check *k);
#endif
