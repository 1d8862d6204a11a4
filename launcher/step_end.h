/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_end.h: finds out which rank made a Slurm step fail. srun kills the other
 * ranks and exits with the greatest code of all, which is mostly that of a rank
 * it has killed; but its messages come in the order of events.
 */
#ifndef LAUNCHER_STEP_END_H
#define LAUNCHER_STEP_END_H

#include <stdbool.h>

struct step_end {
	int rank, code; /* of the likeliest cause; see weight */
	int weight;	/* how likely it is the cause; 0: no rank yet */
	char node[64];
	bool ending; /* the step is being killed */
	bool left;   /* left_rank has left without finalizing */
	int left_rank;
};

/* Takes a line of srun's stderr, without its newline. Returns false if it is
 * not about the end of a rank. */
bool step_end_line(struct step_end *end, const char *line);

/* Returns the exit code of the job, given srun's, and names the failed rank
 * with say(). */
int step_end_code(const struct step_end *end, int srun_code);
#endif
