/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.h: the engine for very many ranks: one rank after the other, each as far
 * as the messages go that have been sent to it. Nothing is in the order of time
 * but what a rank does itself; so it is for jobs in which ranks share nothing:
 * one on each node, as many links as they want, short messages.
 *
 * It takes for granted that a message of a rank not yet looked at comes later
 * than those that are there. If one turns out to have come before, all is done
 * again in the order of time (timed.h); so what it says is exact.
 *
 * Plans are built when a rank is looked at, unless they are among the last few
 * thousand. Who has been sent what it waited for is next, if its plan is there;
 * the others are left until all have begun, and then follow those that wait for
 * them. So ranks that talk to each other come one after the other, and in a
 * recursive doubling among a million of ranks a plan is built twice. A rank
 * takes 64 bytes, and a message that has not been received 32.
 */
#ifndef APPS_SIM_FLOW_H
#define APPS_SIM_FLOW_H

#include "tools/sim/sim_machine.h"

/* Can it be tried? */
bool flow_fits(const struct sim_machine *m, const struct algorithm *algorithm);

/* Where one cannot tell, another may. */
enum flow_way {
	FLOW_PATIENT, /* a rank waits until all messages of a tag are here: for
		       * groups in which some are late */
	FLOW_UP,      /* ranks begin with the first */
	FLOW_DOWN,    /* with the last: for what goes to lower ranks */
	FLOW_WAYS
};

/* As timed_run. MRT_ERR_UNSUPPORTED: it cannot tell; nothing is set but counts
 * and hashes. */
int flow_run(const struct sim_machine *m, const struct algorithm *algorithm,
	     const struct shape *shape, enum flow_way way,
	     struct sim_result *result);

/* ---- Plans (flow_steps.c) -------------------------------------------------
 */

enum { FLOW_SLOTS = 2048, FLOW_STEPS = 4096, FLOW_FOLLOWERS = 3 };

struct flow_step {
	uint8_t kind;
	uint8_t nfollowers; /* above FLOW_FOLLOWERS: look for them */
	uint16_t tag;
	int peer;
	uint16_t after[2], followers[FLOW_FOLLOWERS]; /* from 1, from 0 */
	bool in_place;
	uint32_t count;
};

struct flow_plan {
	int rank; /* whose it is, -1: nobody's */
	uint32_t nsteps, room;
	struct flow_step *steps;
};

struct flow_plans {
	const struct algorithm *algorithm;
	const struct shape *shape;
	struct flow_plan *slots; /* [FLOW_SLOTS] */
	uint16_t *slot_of;	 /* [ranks] where it was last */
	unsigned next;		 /* slot to be used again */
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
/* Until FLOW_SLOTS - 1 others have been got. MRT_ERR_NO_MEM, or
 * MRT_ERR_UNSUPPORTED: it is too long. */
int flow_plans_get(struct flow_plans *p, int rank,
		   const struct flow_plan **plan);
#endif
