/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.h: what steps on cells (plan.h) act on: memory of each rank of a
 * communicator, which the others reach one-sided, and the steps themselves.
 *
 * Inside a node the atomics are the CPU's, between nodes the NIC's, and they
 * are never mixed on one word: select.c sees to it that all who act on a word
 * do so through one fabric. The owner only loads from its words, and stores
 * where no other can act.
 *
 * A rank asleep is woken by a signal inside its node. A NIC's signal wakes
 * nobody: there the nap has to end, which adds at most an eighth to the time
 * waited so far, and 10 ms (wait.c).
 */
#ifndef COLL_CELLS_H
#define COLL_CELLS_H

#include "coll/op/op.h"
#include "coll/plan/plan.h"
#include "p2p/comm.h"
#include "runtime/fabric/fabric.h"

struct cells;

/* Collective over the communicator, by messages. MRT_ERR_*: on all ranks. */
int cells_create(struct mrt_comm *comm, struct cells **cells);
/* No rank acts on them any more (coll_quiesce). NULL is fine. */
void cells_destroy(struct cells *cells);

/* Waits until all turns taken so far are over. 0 or a fault. NULL is fine. */
int cells_drain(struct cells *cells);
/* The same, but no longer than limit lasts. */
struct idle_timeout;
int cells_drain_until(struct cells *cells, struct idle_timeout *limit);

/*
 * A run's turn: from cells_enter to cells_leave it has the cells to itself on
 * this rank. Turns come in the order of entering, which must be the same on
 * all ranks. False: not yet; begin is called, inside progress, when it comes.
 */
struct turn {
	struct list link;
	void (*begin)(struct turn *turn);
};
bool cells_enter(struct cells *cells, struct turn *turn);
/* At the end, or after a fault, whether its turn had come or not; all steps
 * under way are forgotten. */
void cells_leave(struct cells *cells, struct turn *turn);

/* This rank's cells, for the one whose turn it is: BUF_CELLS. */
uint64_t *cells_words(const struct cells *cells);

/* One operation of the fabric. Private to cells.c. */
struct cell_op {
	struct fab_op op; /* first: done gets its address */
	struct act *act;
	uint64_t operand[2], result;
	uint8_t state;
};

/* A step under way. The caller fills in what stands above the line. */
struct act {
	struct cells *cells;
	const struct step *step; /* SIGNAL .. COMPARE_SWAP, or WAIT_MEMORY */
	struct cell_op *ops;	 /* [cells_ops(step)] */
	const char *src;	 /* the first element */
	const struct mrt_op *op; /* of COMPARE_SWAP */
	const struct mrt_type *type;
	size_t type_size;
	void *owner;
	/* once, from cells_start or inside progress; 0 or MRT_ERR_* */
	void (*done)(struct act *act, int error);
	/* ---- */
	struct list link; /* in todo */
	size_t left;	  /* operations that are not over */
	uint64_t target;  /* value of the counter to wait for */
	bool listed, pushing;
	int error;
};

/* Is the step for cells_start? And how many operations does it take? */
bool cells_acts_on(const struct step *step);
size_t cells_ops(const struct step *step);
void cells_start(struct act *act);

/* Room for all such steps of a plan. All zero: of none. */
struct acts {
	struct act *acts;
	uint32_t *of; /* [nsteps] where in acts */
	struct cell_op *ops;
};
/* Each is as `like` but for its step and operations. The plan stays. */
int acts_make(struct acts *acts, const struct plan *plan,
	      const struct act *like);
void acts_free(struct acts *acts);
static inline struct act *acts_of(const struct acts *acts, uint32_t step)
{
	return &acts->acts[acts->of[step]];
}

/* STEP_TAKE: count elements from own accumulators at `at` to dst. */
void cells_take(struct cells *cells, const struct step *step,
		const struct mrt_op *op, const struct mrt_type *type,
		char *dst);
#endif
