/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_state.h: what the parts of the prover have in common. Its functions
 * return false when something is wrong, and have said what in p->complaint.
 *
 * Steps of all ranks are numbered through: rank r's from ranks[r].first on.
 */
#ifndef COLL_PROVE_STATE_H
#define COLL_PROVE_STATE_H

#include "coll/prove/prove.h"
#include "coll/plan/plan.h"

enum { NO_STEP = UINT32_MAX };

struct prove_rank {
	struct plan plan;
	uint32_t first;
	/* One memory holds all its buffers but CELLS, which have their own. In
	 * place, SEND lies in RECV or around it. All in elements. */
	size_t len[BUFS], base[BUFS], size;
};

struct proof {
	const struct prove_case *c;
	int n; /* ranks */
	struct prove_rank *ranks;
	unsigned ncells;

	uint32_t nsteps;
	const struct step **step; /* [nsteps] */
	int *rank_of;		  /* [nsteps] */
	/* [nsteps] of a message: its other side; of a signal: its wait */
	uint32_t *partner;
	/* All steps but sends, which happen with their receives, each after
	 * all it waits for. */
	uint32_t *order, norder;

	struct prove_memory *memory; /* freed at the end */
	char complaint[320];
};

/* Says what is wrong with a step, or, NO_STEP, with the whole. False. */
bool prove_wrong(struct proof *p, uint32_t step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* n zeroed items until the end of the check, or NULL and a complaint. */
void *prove_alloc(struct proof *p, size_t n, size_t size);

/* ---- prove_buffers.c: what SEND and RECV hold ---------------------------- */

static inline const struct shape *prove_shape(const struct proof *p, int rank)
{
	return &p->c->shapes[rank];
}

/* SEND and RECV (`buf`) are lists of blocks. */
int prove_blocks(const struct proof *p, int rank, int buf);
struct block prove_block(const struct proof *p, int rank, int buf, int i);
/* Fills len, base and room. */
void prove_layout(const struct proof *p, int rank);

/* Whose elements, from `at` of their SEND (bcast: RECV) on, belong into block i
 * of RECV: those of n ranks from `first` on; of none: it is left as it was. */
struct origin {
	int first, n;
	size_t at;
};
struct origin prove_origin(const struct proof *p, int rank, int i);

/* ---- prove_steps.c ------------------------------------------------------ */

bool prove_steps(struct proof *p);

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
int prove_accesses(const struct proof *p, uint32_t step,
		   struct access out[ACCESSES]);

/* ---- prove_race.c ------------------------------------------------------- */

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
	} * readers;
	size_t nreaders, readers_capacity;
	struct pair *pairs;
	size_t npairs, pairs_capacity;
	bool no_mem;
};

/* Steps come in an order in which they may happen. */
void visits_add(struct visits *v, size_t place, uint32_t step, enum use use);
void visits_fini(struct visits *v);

/* Words of rows of bits, by which orders are looked up piece by piece. */
enum { WINDOW_WORDS = 16, WINDOW = 64 * WINDOW_WORDS };

/* No local step races another; all ranks. */
bool prove_races(struct proof *p);
/* Has step `earlier` finished when `later` of the same rank starts? */
bool prove_ordered(struct proof *p, uint32_t earlier, uint32_t later,
		   bool *ordered);

/* ---- prove_order.c ------------------------------------------------------ */

bool prove_match(struct proof *p);
bool prove_deadlock(struct proof *p);

/* ---- prove_counters.c --------------------------------------------------- */

/* Cells are used for what they are; each wait has its signals. */
bool prove_counters(struct proof *p);
/* The number among all ranks' cells of the first that an access uses. */
size_t prove_cell(const struct proof *p, uint32_t step, const struct access *a);

/* ---- prove_cells.c ------------------------------------------------------ */

bool prove_cells(struct proof *p);
bool prove_begun(struct proof *p);

/* ---- prove_dataflow.c -------------------------------------------------------
 */

bool prove_dataflow(struct proof *p);
#endif
