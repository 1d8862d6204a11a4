/* SPDX-License-Identifier: Apache-2.0 */
/* run_state.h: the inside of a run; for run*.c alone. */
#ifndef COLL_RUN_STATE_H
#define COLL_RUN_STATE_H

#include "coll/node/direct_started.h"
#include "coll/cells/cells.h"
#include "coll/node/node_board.h"
#include "coll/run/run.h"
#include "coll/call/scratch.h"
#include "runtime/base/trace_file.h"
#include "runtime/engine/wait.h"

/* A send or receive under way. */
struct message {
	struct mrt_request req; /* first, as done() gets its address */
	struct run *run;
	uint32_t step;
};

/* A load under way. */
struct run_load {
	struct load load; /* first, as ready() gets its address */
	struct run *run;
	uint32_t step;
};

struct run {
	struct mrt_request req;
	struct mrt_comm *comm;
	enum collective collective;
	unsigned generation; /* select_generation() when the run was made */
	struct choice choice;
	struct shape shape;
	struct plan plan;
	size_t tmp_bytes; /* bytes of all temporaries */
	size_t bytes;	  /* about, of what the run keeps */
	unsigned binds;	  /* calls served */
	bool persistent;
	uint32_t seq;			/* the number of a persistent run */
	struct direct_started *started; /* which it uses; NULL: its plan */
	const struct check *check;	/* the run waits for it; NULL: none */
	bool advancing;
	int error; /* the first error of the current use */

	/* the current use */
	const struct mrt_op *op;
	const struct mrt_type *type;
	struct packing *packing;
	char *base[BUFS];
	char *tmp;
	int tag; /* the message tag of step tag 0 */
	/* steps that have not finished; begin and end of the queue `ready` */
	uint32_t left, head, tail;
	uint8_t *waits;	     /* [nsteps] how many steps each waits for */
	uint32_t *ready;     /* [nsteps] a queue, which each step enters once */
	uint32_t *followers; /* [2 nsteps] the steps after each step; */
	uint32_t *first;     /* [nsteps + 1] where those of a step begin */
	struct message *message; /* [number of sends and receives] */
	struct run_load *loads;	 /* [number of loads] */
	uint32_t *index;	 /* [nsteps] in message or loads */

	/* cells, or boards */
	struct cells *cells;	  /* NULL: the plan uses none */
	struct node_board *board; /* NULL: the plan uses none */
	struct turn turn;
	struct acts acts;
};

/* Describes the run w->what, for WAIT. */
int run_describe_wait(const struct wait *w, char *text, size_t len);

/* Starts the steps that wait for nothing. */
extern void (*run_first)(struct run *run);
/* Ends the turn of a run, if it has one. */
void run_leave(struct run *run);
/* Completes a run. */
void run_finish(struct run *run);
/* Gives the memory of temporaries back. */
void run_drop_tmp(struct run *run);

/* Returns the bytes that a temporary of `bytes` bytes takes up. */
static inline size_t run_aligned(size_t bytes)
{
	return (bytes + SCRATCH_ALIGN - 1) & ~(size_t)(SCRATCH_ALIGN - 1);
}

/* run_begin_turn is called when the run's turn on the cells or boards has come,
 * run_act_done when a step on cells is done, run_load_ready when a load may
 * read what it waited for. */
void run_begin_turn(struct turn *turn);
extern void (*run_act_done)(struct act *act, int error);
extern void (*run_load_ready)(struct load *load, struct posted posted);

/* Trace that a run or a step, numbered from 0, begins (TRACE_BEGIN) and has
 * ended (TRACE_STEP). */
void run_trace_begin(const struct run *run);
void run_trace_step(const struct run *run, uint32_t step, enum trace_kind kind);
void run_trace_end(const struct run *run);
#endif
