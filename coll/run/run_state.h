/* SPDX-License-Identifier: Apache-2.0 */
/* run_state.h: a run; for run*.c alone. */
#ifndef COLL_RUN_STATE_H
#define COLL_RUN_STATE_H

#include "coll/run/cells.h"
#include "coll/run/run.h"
#include "coll/run/scratch.h"
#include "runtime/engine/wait.h"

/* A send or receive under way. */
struct message {
	struct mrt_request req; /* first: done() gets its address */
	struct run *run;
	uint32_t step;
};

struct run {
	struct mrt_request req;
	struct mrt_comm *comm;
	enum collective collective;
	unsigned generation; /* select_generation() when it was made */
	struct shape shape;
	struct plan plan;
	size_t tmp_bytes;
	bool persistent;
	uint32_t seq;		   /* persistent: its number */
	const struct check *check; /* it has not begun; NULL: it has */
	bool advancing;
	int error; /* the first of this use */

	/* of this use */
	const struct mrt_op *op;
	const struct mrt_type *type;
	struct packing *packing;
	char *base[BUFS];
	char *tmp;
	int tag; /* of step tag 0 */
	uint32_t left, head, tail;

	uint8_t *waits;		 /* [nsteps] how many steps to wait for */
	uint32_t *ready;	 /* [nsteps] queue: each enters once */
	uint32_t *followers;	 /* [2 nsteps] steps after each step, ... */
	uint32_t *first;	 /* [nsteps + 1] ... beginning here */
	struct message *message; /* [number of sends and receives] */
	uint32_t *message_of;	 /* [nsteps] */

	/* with cells */
	struct cells *cells; /* NULL: without */
	struct turn turn;
	struct acts acts;
};

/* For WAIT_FOR. */
void run_describe_wait(const struct wait *w, char *text, size_t len);

/* Room for a temporary. */
static inline size_t run_aligned(size_t bytes)
{
	return (bytes + SCRATCH_ALIGN - 1) & ~(size_t)(SCRATCH_ALIGN - 1);
}

/* Its turn on the cells has come; a step on them is done. */
void run_begin_turn(struct turn *turn);
void run_act_done(struct act *act, int error);
#endif
