/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.h: the engine for very many ranks. It simulates one rank after the
 * other, each as far as the messages allow that have been sent to it. Only
 * events within a rank are in the order of time; so it is for jobs whose ranks
 * share nothing: one rank on each node, unlimited links, short messages.
 *
 * It assumes that a message from a rank that has not been visited yet comes
 * later than those that are there. If one turns out to have come earlier, it
 * gives up and the job is simulated again in the order of time (timed.h); so
 * its results are exact.
 *
 * Plans are built when a rank is visited, unless they are among the last few
 * thousand. A rank that gets the message it waited for is visited next, if its
 * plan is in memory; the others are left until all have begun, and then follow
 * those that wait for them. So ranks that talk to each other are visited close
 * together, and in a recursive doubling among a million ranks each plan is
 * built twice. A rank takes 72 bytes, and a message that has not been received
 * 32. What ranks would send far is not sent before all have begun, so there is
 * never a message for each rank in such exchanges.
 */
#ifndef TOOLS_SIM_FLOW_H
#define TOOLS_SIM_FLOW_H

#include "tools/sim/sim_machine.h"

/* Returns whether this engine can try the job. */
bool flow_fits(const struct sim_machine *m, const struct algorithm *algorithm);

/* Assumptions; where one fails, another may succeed. */
enum flow_way {
	FLOW_LATER,   /* like FLOW_PATIENT, and no rank sends to one that is far
			 before all have begun: for many ranks, as few messages
			 are under way then */
	FLOW_PATIENT, /* a rank waits until all messages of a tag are here: for
			 algorithms in which some ranks are late */
	FLOW_UP,      /* ranks begin in ascending order */
	FLOW_DOWN,    /* in descending order: for messages to lower ranks */
	FLOW_WAYS
};

/*
 * Like timed_run. Returns MRT_ERR_UNSUPPORTED if an
 * assumption failed; then only counts and hashes have been changed.
 */
int flow_run(const struct sim_machine *m, const struct algorithm *algorithm,
	     const struct shape *shape, enum flow_way way,
	     struct sim_result *result);

/* ---- Plans (flow_steps.c) ---- */

enum { FLOW_SLOTS = 2048, FLOW_STEPS = 4096, FLOW_FOLLOWERS = 3 };

struct flow_step {
	uint8_t kind;
	uint8_t nfollowers; /* if above FLOW_FOLLOWERS, search for them */
	uint16_t tag;
	int peer;
	uint16_t after[2],
	    followers[FLOW_FOLLOWERS]; /* step numbers: after from 1, followers
					  from 0 */
	bool in_place;
	uint16_t receive; /* the first one after this step, or nsteps */
	uint32_t count;
};

struct flow_plan {
	int rank; /* its rank; -1: free */
	uint32_t nsteps, room;
	struct flow_step *steps;
};

static inline bool flow_receives(const struct flow_step *s)
{
	return s->kind == STEP_RECV || s->kind == STEP_RECV_REDUCE;
}

/* Returns the first step from `i` on that receives, or nsteps. */
static inline uint32_t flow_next_receive(const struct flow_plan *p, uint32_t i)
{
	if (i >= p->nsteps)
		return p->nsteps;
	return flow_receives(&p->steps[i]) ? i : p->steps[i].receive;
}

struct flow_plans {
	const struct algorithm *algorithm;
	const struct shape *shape;
	struct flow_plan *slots; /* [FLOW_SLOTS] */
	uint16_t *slot_of; /* [ranks] slot that last held the rank's plan */
	unsigned next;	   /* slot to be reused next */
	struct plan room;
	uint64_t built;
};

int flow_plans_init(struct flow_plans *p, const struct algorithm *algorithm,
		    const struct shape *shape);
void flow_plans_fini(struct flow_plans *p);
static inline bool flow_plans_has(const struct flow_plans *p, int rank)
{
	return p->slots[p->slot_of[rank]].rank == rank;
}
/* Returns whether plans of all ranks between the two fit the slots. */
static inline bool flow_near(int a, int b)
{
	return a - b < FLOW_SLOTS / 2 && b - a < FLOW_SLOTS / 2;
}
/*
 * Returns a rank's plan in *plan, valid until FLOW_SLOTS - 1 others have been
 * got. Returns MRT_ERR_NO_MEM, or MRT_ERR_UNSUPPORTED if the plan is too long.
 */
int flow_plans_get(struct flow_plans *p, int rank,
		   const struct flow_plan **plan);
#endif
