/* SPDX-License-Identifier: Apache-2.0 */
/*
 * phases.h: a stopwatch that is always running for exactly one phase of the
 * program, and the table of where the time went. The names end with NULL.
 */
#ifndef APP_PHASES_H
#define APP_PHASES_H

#define PHASES_MAX 12

struct phases {
	const char *const *names;
	int n;
	int current;
	double since;
	double seconds[PHASES_MAX];
};

/* Starts the watch in phase `first`. */
void phases_init(struct phases *ph, const char *const *names, int first);

/* From here on time counts for `phase`; returns the phase before. */
int phases_switch(struct phases *ph, int phase);

/*
 * Stops the watch and prints on rank 0 the minimum, average and maximum over
 * the ranks, and each phase's part of the whole. Collective.
 */
void phases_print(struct phases *ph);

#endif
