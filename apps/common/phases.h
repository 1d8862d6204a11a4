/* SPDX-License-Identifier: Apache-2.0 */
/* phases.h: a stopwatch that always runs for exactly one phase of the program,
 * and a table of the times. The list of names ends with NULL. */
#ifndef COMMON_PHASES_H
#define COMMON_PHASES_H

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

/* Counts the time for `phase` from now on, and returns the previous phase. */
int phases_switch(struct phases *ph, int phase);

/* Stops the watch. Rank 0 prints minimum, average and maximum over the ranks
 * and the share of each phase. Collective. */
void phases_print(struct phases *ph);

#endif
