/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h: when each step of the plans of all ranks happens if every step
 * starts as soon as possible and takes the time that the caller says. If a
 * message takes 1 and ports are unlimited, `end` is the number of messages in
 * the longest chain of steps that wait for each other.
 */
#ifndef TOOLS_PLAN_TIMELINE_H
#define TOOLS_PLAN_TIMELINE_H

#include "coll/plan/plan.h"

struct timeline_rules {
	/* Returns the time of a step: for a send or a one-sided step its way to
	 * the peer, for a receive what follows the arrival, for the others
	 * everything. */
	double (*time)(const struct step *step, const void *with);
	const void *with;
	/* How many messages a rank can have on their way to others at once, and
	 * as many on their way to itself; 0: any number. */
	int ports;
};

struct interval {
	double begin, end;
	size_t
	    mate; /* the step at the other end of a message, or a load's post */
	size_t turn; /* its place in an order in which all steps may end; a
			message's are those of both ends, and it has moved at
			the first */
};

struct timeline {
	int ranks;
	size_t *first; /* [ranks + 1]: where a rank's steps begin in `of` */
	struct interval *of; /* step number k of rank r: of[first[r] + k - 1] */
	double end;	     /* when all steps have finished */
};

/* Computes the timeline; a message starts when both its ends may start.
 * MRT_ERR_NO_MEM, or MRT_ERR_INTERNAL for plans that do not fit each other,
 * leave nothing to free. */
int timeline_make(struct timeline *timeline, const struct plan *plans,
		  int ranks, const struct timeline_rules *rules);
void timeline_fini(struct timeline *timeline);
#endif
