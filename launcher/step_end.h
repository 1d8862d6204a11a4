/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_end.h: which rank made a Slurm step fail. srun kills the others and
 * exits with the greatest code of all, which is mostly that of a rank it has
 * killed; but its messages tell the story in order.
 */
#ifndef LAUNCHER_STEP_END_H
#define LAUNCHER_STEP_END_H

#include <stdbool.h>

struct step_end {
	int rank, code; /* of the one that failed first; see weight */
	int weight;	/* how sure that is; 0: none yet */
	char node[64];
	bool ending; /* the step is being killed */
	bool left;   /* a rank has left without finalizing: */
	int left_rank;
};

/* Takes one line of srun's stderr, without its newline. False: not a message
 * about the end of a rank. */
bool step_end_line(struct step_end *end, const char *line);

/* The exit code of the job, given srun's; names the failed rank with say(). */
int step_end_code(const struct step_end *end, int srun_code);
#endif
