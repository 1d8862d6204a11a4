/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_end.c: reads the messages of srun and slurmstepd, as Slurm 22.05 words
 * them:
 *	srun: error: NODE: task[s] 0-1,3: Exited with exit code 3
 *	srun: error: NODE: task 2: Segmentation fault (core dumped)
 *	slurmstepd-NODE: error: *** STEP 5.0 ON NODE CANCELLED AT ...
 *	slurmstepd-NODE: error:  mpi/pmix_v4: _errhandler: ...
 *	[NAMESPACE:RANK]
 * A message with other words does no harm: srun's own exit code counts then.
 */

#include "launcher/step_end.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/options.h"
#include "launcher/say.h"

/* Ends of ranks are ordered by how likely they are the cause of the step's: the
 * rank was killed with the step, gave up because a peer was gone, was killed by
 * somebody (by Slurm, if the message about the step comes later), or failed by
 * itself. */
enum { KILLED_ALONG = 1, GAVE_UP, KILLED, FAILED };

/* Returns the exit code for "Exited with exit code N" or the name of a signal;
 * -1 for other words. */
static int code_of(const char *cause)
{
	int code;

	if (sscanf(cause, "Exited with exit code %d", &code) == 1)
		return code;
	for (int sig = 1; sig < NSIG; sig++) {
		const char *name = strsignal(sig);
		size_t len = strlen(name);

		if (!strncmp(cause, name, len) &&
		    (!cause[len] || !strncmp(cause + len, " (core", 6)))
			return EXIT_SIGNAL + sig;
	}
	return -1;
}

/* Returns whether a list such as "0-1,3" contains the rank. */
static bool has_rank(const char *list, int rank)
{
	while (*list && *list != ':') {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (rank >= first && rank <= last)
			return true;
		list = *end == ',' ? end + 1 : end;
	}
	return false;
}

static void step_end_consider(struct step_end *end, const char *node,
			      const char *list, int code)
{
	bool killed =
	    code == EXIT_SIGNAL + SIGKILL || code == EXIT_SIGNAL + SIGTERM;
	bool left = end->left && has_rank(list, end->left_rank);
	int weight = FAILED;

	if (code == EXIT_PEER)
		weight = GAVE_UP;
	else if (killed && !left)
		/* Slurm terminates the others, mostly with a message before */
		weight = end->ending ||
				 (end->weight && code == EXIT_SIGNAL + SIGTERM)
			     ? KILLED_ALONG
			     : KILLED;
	if (weight <= end->weight)
		return;
	end->weight = weight;
	end->code = code;
	end->rank = left ? end->left_rank : atoi(list);
	snprintf(end->node, sizeof(end->node), "%s", node);
}

static bool read_task(struct step_end *end, const char *line)
{
	char node[64], list[256];
	int at = 0, code;

	if (sscanf(line, "srun: error: %63[^: ]: task%*1[s ]%n", node, &at) <
		1 ||
	    !at)
		return false;
	line += at;
	line += strspn(line, " ");
	if (sscanf(line, "%255[0-9,-]: %n", list, &at) < 1)
		return false;
	code = code_of(line + at);
	if (code > 0)
		step_end_consider(end, node, list, code);
	return code > 0;
}

bool step_end_line(struct step_end *end, const char *line)
{
	const char *colon = strrchr(line, ':');

	if (read_task(end, line))
		return true;
	if (strncmp(line, "srun: ", 6) && strncmp(line, "slurmstepd", 10))
		return false;
	if (strstr(line, "_errhandler: ") && !end->left && colon &&
	    sscanf(colon, ":%d]", &end->left_rank) == 1)
		return end->left = true;
	if (!strstr(line, " CANCELLED ") && !strstr(line, "Terminating ") &&
	    !strstr(line, "Job step aborted"))
		return false;
	return end->ending = true;
}

int step_end_code(const struct step_end *end, int srun_code)
{
	if (srun_code == 0)
		return 0;
	if (end->left && end->weight <= KILLED_ALONG) {
		say("rank %d exited without finalizing", end->left_rank);
		return EXIT_PEER;
	}
	if (end->weight <= KILLED_ALONG)
		return srun_code;
	if (end->code > EXIT_SIGNAL)
		say("rank %d on %s was killed by signal %d (%s)", end->rank,
		    end->node, end->code - EXIT_SIGNAL,
		    strsignal(end->code - EXIT_SIGNAL));
	else
		say("rank %d on %s exited with code %d", end->rank, end->node,
		    end->code);
	return end->code;
}
