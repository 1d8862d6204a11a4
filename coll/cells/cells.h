/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.h: the memory of each rank of a communicator on which steps on cells
 * (plan.h) act, and those steps. The other ranks reach it one-sided.
 *
 * Inside a node the atomics are the CPU's, between nodes the NIC's, and they
 * are never mixed on one word: select.c ensures that all ranks that act on a
 * word do so through one fabric. The owner only loads from its words, and
 * stores where no other rank can act.
 *
 * Inside a node a signal wakes a rank that sleeps. A signal through a NIC wakes
 * nobody: the sleep has to end by itself, which takes at most an eighth of the
 * time waited so far, and at most 10 ms (wait.c).
 */
#ifndef COLL_CELLS_H
#define COLL_CELLS_H

#include "coll/op/op.h"
#include "coll/plan/plan.h"
#include "coll/cells/turns.h"
#include "p2p/comm.h"
#include "runtime/fabric/fabric.h"

struct cells;

/* Creates the cells of a communicator; collective over it and blocking. Returns
 * 0, or MRT_ERR_* on all ranks. */
int cells_create(struct mrt_comm *comm, coll_combine *combine,
		 struct cells **cells);
/* Frees the cells, on which no rank must act any more (coll_quiesce). Does
 * nothing for NULL. */
void cells_destroy(struct cells *cells);

/* Waits until all turns taken so far are over. Returns 0 or the error of a
 * fault. Does nothing for NULL. */
int cells_drain(struct cells *cells);
struct idle_timeout;
/* Like cells_drain, but stops waiting, and returns 0, when limit is over; NULL
 * means no limit. */
int cells_drain_until(struct cells *cells, struct idle_timeout *limit);

/* A run's turn on the cells of this rank (turns.h). cells_enter returns whether
 * it has come; if not, the turn's begin is called inside progress. */
bool cells_enter(struct cells *cells, struct turn *turn);
/* Ends a turn, or after a fault cancels it, whether it had come or not. Forgets
 * all steps under way if it had come. */
void cells_leave(struct cells *cells, struct turn *turn);

/* Returns this rank's cells as BUF_CELLS of the run whose turn it is. */
uint64_t *cells_words(const struct cells *cells);

/* One operation of the fabric; private to cells.c. */
struct cell_op {
	struct fab_op op; /* first, as done gets its address */
	struct act *act;
	uint64_t operand[2], result;
	uint8_t state;
};

/* A step under way. The caller of cells_start sets the members above the
 * line. */
struct act {
	struct cells *cells;
	const struct step *step; /* SIGNAL .. COMPARE_SWAP, or WAIT_MEMORY */
	struct cell_op *ops;	 /* [cells_ops(step)] */
	const char *src;	 /* the first element */
	const struct mrt_op *op; /* for COMPARE_SWAP */
	const struct mrt_type *type;
	size_t type_size;
	void *owner;
	/* Called once, by cells_start or inside progress, with 0 or
	 * MRT_ERR_*. */
	void (*done)(struct act *act, int error);
	/* ---- */
	struct list link; /* in todo (cells.c) */
	size_t left;	  /* operations that are not over */
	uint64_t target;  /* value of the counter to wait for */
	bool listed, pushing;
	int error;
};

/* Tells whether cells_start executes this step. */
bool cells_acts_on(const struct step *step);
/* Returns how many operations of the fabric the step takes. */
size_t cells_ops(const struct step *step);
/* Starts a step, whose done is called when it is over. */
void cells_start(struct act *act);

/* Memory for all steps on cells of a plan; all zero for none. */
struct acts {
	struct act *acts;
	uint32_t *of; /* [nsteps] index of each step in acts */
	struct cell_op *ops;
};
/* Allocates the acts of a plan, which must outlive them, as copies of `like`
 * with their own steps and operations. Returns 0 or MRT_ERR_NO_MEM, which
 * leaves the rest to acts_free. */
int acts_make(struct acts *acts, const struct plan *plan,
	      const struct act *like);
/* Frees the acts, also those of a failed acts_make. */
void acts_free(struct acts *acts);
/* Returns the act of a step on cells. */
static inline struct act *acts_of(const struct acts *acts, uint32_t step)
{
	return &acts->acts[acts->of[step]];
}

/* Executes STEP_TAKE: moves step->count elements from this rank's accumulators
 * at step->src to dst and empties them. */
void cells_take(struct cells *cells, const struct step *step,
		const struct mrt_op *op, const struct mrt_type *type,
		char *dst);
#endif
