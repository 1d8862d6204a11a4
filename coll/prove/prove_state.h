/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_state.h: the proof under way, which the parts of the prover share.
 * Their functions return false when something is wrong, after prove_wrong has
 * put it into p->complaint.
 *
 * The steps of all ranks are numbered consecutively: rank r's begin at
 * ranks[r].first.
 */
#ifndef COLL_PROVE_STATE_H
#define COLL_PROVE_STATE_H

#include "coll/prove/prove.h"
#include "coll/plan/plan.h"

enum { NO_STEP = UINT32_MAX };

struct prove_rank {
	struct plan plan;
	uint32_t first;
	/* All buffers but CELLS lie in one memory of `size` elements, each
	 * with len elements from base on. In place, SEND lies in RECV or
	 * around it. */
	size_t len[BUFS], base[BUFS], size;
	size_t board; /* where its board begins among all */
};

struct proof {
	const struct prove_case *c;
	int n; /* ranks */
	struct prove_rank *ranks;
	unsigned ncells;
	size_t nboard; /* elements of all boards together */

	uint32_t nsteps;
	const struct step **step; /* [nsteps] */
	int *rank_of;		  /* [nsteps] */
	/* [nsteps] the other end of a message; the wait of a signal; the post
	 * of a load */
	uint32_t *partner;
	/* A topological order of all steps but sends, which happen together
	 * with their receives. */
	uint32_t *order, norder;

	struct prove_memory *memory; /* freed at the end */
	char complaint[320];
};

/* Records what is wrong with a step, or, for NO_STEP, with the whole. Returns
 * false. */
bool prove_wrong(struct proof *p, uint32_t step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns n zeroed items, which last until the end of the proof, or NULL with a
 * complaint. */
void *prove_alloc(struct proof *p, size_t n, size_t size);

/* ---- prove_buffers.c: what SEND and RECV hold ---------------------------- */

static inline const struct shape *prove_shape(const struct proof *p, int rank)
{
	return &p->c->shapes[rank];
}

/* Return the number of blocks of `buf`, SEND or RECV, and block i of them. */
int prove_blocks(const struct proof *p, int rank, int buf);
struct block prove_block(const struct proof *p, int rank, int buf, int i);
/* Sets the rank's len, base and size. */
void prove_layout(const struct proof *p, int rank);

/* Block i of RECV must become the combined elements, from `at` of SEND (bcast:
 * RECV) on, of n ranks from `first` on; with n 0 it stays as it was. */
struct origin {
	int first, n;
	size_t at;
};
struct origin prove_origin(const struct proof *p, int rank, int i);

/* ---- prove_steps.c ------------------------------------------------------ */

bool prove_steps(struct proof *p);

enum use { READS, WRITES };

/* A range of the rank's memory, of its own cells, or (`remote`) of the peer's
 * memory or cells; cells in words. */
struct access {
	enum use use;
	bool cells, remote;
	size_t at, count;
};
enum { ACCESSES = 3 };

/* Lists what a valid step uses, without empty ranges. Returns how many there
 * are. */
int prove_accesses(const struct proof *p, uint32_t step,
		   struct access out[ACCESSES]);

/* ---- prove_race.c ------------------------------------------------------- */

/* Who used an element last; 0: nobody. */
struct place {
	uint32_t writer;  /* the step, plus 1 */
	uint32_t readers; /* the newest one's index in visits.readers, plus 1 */
};

/* Two steps, the earlier of which must have finished when the later starts. */
struct pair {
	uint32_t earlier, later;
};

/* Collects the pairs of steps that must be ordered because they use the same
 * places. All zero at first. */
struct visits {
	struct place *places; /* the caller's */
	struct reader {
		uint32_t step, next;
	} * readers;
	size_t nreaders, readers_capacity;
	struct pair *pairs;
	size_t npairs, pairs_capacity;
	bool no_mem;
};

/* Adds a step's use of a place. Steps come in an order in which they may
 * happen. */
void visits_add(struct visits *v, size_t place, uint32_t step, enum use use);
void visits_fini(struct visits *v);

/* Orders are looked up in rows of bits, for WINDOW steps at a time. */
enum { WINDOW_WORDS = 16, WINDOW = 64 * WINDOW_WORDS };

/* Proves that no two local steps of any rank race. */
bool prove_races(struct proof *p);
/* Sets *ordered to whether `earlier` has finished when `later` of the same rank
 * starts. False: no memory. */
bool prove_ordered(struct proof *p, uint32_t earlier, uint32_t later,
		   bool *ordered);

/* ---- prove_order.c ------------------------------------------------------ */

bool prove_match(struct proof *p);
/* Finds the post of each load. */
bool prove_posts(struct proof *p);
bool prove_deadlock(struct proof *p);

/* ---- prove_counters.c --------------------------------------------------- */

/* Proves that cells are used as their kind allows, and that each wait has its
 * signals. */
bool prove_counters(struct proof *p);
/* Returns the first cell that an access uses, numbered among all ranks'
 * cells. */
size_t prove_cell(const struct proof *p, uint32_t step, const struct access *a);

/* ---- prove_cells.c ------------------------------------------------------ */

/* Proves that uses of cells and boards are ordered across ranks. */

bool prove_cells(struct proof *p);
bool prove_begun(struct proof *p);

/* ---- prove_dataflow.c -------------------------------------------------------
 */

bool prove_dataflow(struct proof *p);
#endif
