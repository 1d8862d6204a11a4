/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h: when each step of the plans of all ranks happens, as soon as
 * possible, if each takes the time that the caller says. With time 1 for a
 * message and no limit of ports, `end` is the number of messages in the longest
 * chain of steps that wait for each other.
 */
#ifndef COLL_TIMELINE_H
#define COLL_TIMELINE_H

#include "coll/plan/plan.h"

struct timeline_rules {
	/*
	 * What a step takes: of a send or a one-sided step the way to the
	 * peer, of a receive what follows on arrival, of the others all.
	 */
	double (*time)(const struct step *step, const void *with);
	const void *with;
	/* A rank has so many messages on the way to others at once, and as
	 * many on the way to itself; 0: any number. */
	int ports;
};

struct interval {
	double begin, end;
	size_t mate; /* of a message: the step at its other end */
};

struct timeline {
	int ranks;
	size_t *first; /* [ranks + 1]: where a rank's steps begin in `of` */
	struct interval *of; /* step number k of rank r: of[first[r] + k - 1] */
	double end;	     /* when all have finished */
};

/* A message is on its way from when both its ends may start. MRT_ERR_NO_MEM,
 * or MRT_ERR_INTERNAL for plans that do not fit each other; then nothing is
 * left to free. */
int timeline_make(struct timeline *timeline, const struct plan *plans,
		  int ranks, const struct timeline_rules *rules);
void timeline_fini(struct timeline *timeline);
#endif
