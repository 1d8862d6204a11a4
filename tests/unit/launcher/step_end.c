/* SPDX-License-Identifier: Apache-2.0 */
/* step_end.c: tests launcher/step_end.c with what srun prints when steps end.
 */
#include "launcher/step_end.h"

#include "launcher/say.h"
#include "tests/tap.h"

#define CANCELLED "slurmstepd-n1: error: *** STEP 1.0 ON n1 CANCELLED AT x ***"
#define LEFT                                                                   \
	"slurmstepd-n2: error:  mpi/pmix_v4: _errhandler: n2 [1]: "            \
	"pmixp_client_v2.c:211: Error handler invoked: status = -61, "         \
	"source = [slurm.pmix.8.0:2]"

static const struct {
	const char *name;
	const char *lines[6];
	int srun_code, code;
	const char *said; /* part of the message; "" if there is none */
} cases[] = {
    {"a good end", {NULL}, 0, 0, ""},
    {"a rank's code",
     {"srun: error: n2: task 2: Exited with exit code 3", CANCELLED,
      "srun: error: n1: tasks 0-1: Terminated"},
     143,
     3,
     "rank 2 on n2 exited with code 3"},
    {"a signal",
     {"srun: error: n1: task 1: Segmentation fault (core dumped)", CANCELLED,
      "srun: error: n1: task 0: Terminated"},
     143,
     139,
     "rank 1 on n1 was killed by signal 11"},
    {"killed before the step is",
     {"srun: error: n1: task 1: Killed", CANCELLED,
      "srun: error: n1: task 0: Terminated"},
     143,
     137,
     "rank 1 on n1 was killed by signal 9"},
    {"the killed are told before the failed",
     {CANCELLED, "srun: error: n1: tasks 0,3: Killed",
      "srun: error: n2: task 2: Exited with exit code 71"},
     137,
     71,
     "rank 2 on n2"},
    {"the killed are told before the failed and before the step's end",
     {"srun: error: n2: task 2: Killed",
      "srun: error: n2: task 3: Exited with exit code 69", CANCELLED,
      "srun: error: n1: tasks 0-1: Killed"},
     137,
     69,
     "rank 3 on n2"},
    {"a shell that was killed along",
     {CANCELLED, "srun: error: n1: task 0: Exited with exit code 143",
      "srun: error: n1: task 1: Exited with exit code 5"},
     143,
     5,
     "rank 1"},
    {"ranks that saw a peer die are not to blame",
     {"srun: error: n1: task 0: Exited with exit code 75",
      "srun: error: n2: task 2: Aborted"},
     137,
     134,
     "rank 2"},
    {"killed along without a message about the step",
     {"srun: error: n1: task 0: Exited with exit code 75",
      "srun: error: n3: task 2: Terminated"},
     143,
     75,
     "rank 0 on n1 exited with code 75"},
    {"only these are known",
     {"srun: error: n1: task 0: Exited with exit code 75"},
     75,
     75,
     "rank 0"},
    {"left without finalizing",
     {LEFT, CANCELLED, "srun: error: n2: task 3: Killed"},
     137,
     75,
     "rank 2 exited without finalizing"},
    {"left because it was killed",
     {LEFT, CANCELLED, "srun: error: n1: tasks 0-1: Killed",
      "srun: error: n2: tasks 2-3: Killed"},
     137,
     137,
     "rank 2 on n2 was killed by signal 9"},
    {"nothing known",
     {"srun: error: Unable to create step for job 37: x"},
     1,
     1,
     ""},
    {"a program that talks like srun",
     {"srun: error: no task here", "task 1: Killed", "srun: error: : task"},
     9,
     9,
     ""},
    {"only those killed along",
     {CANCELLED, "srun: error: n1: task 0: Killed"},
     137,
     137,
     ""},
};

static char said[256];

static void keep(void *arg, const char *line, size_t len)
{
	snprintf(said, sizeof(said), "%.*s", (int)len, line);
}

int main(void)
{
	say_set_writer(keep, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct step_end end = {0};

		said[0] = '\0';
		for (const char *const *line = cases[i].lines; *line; line++)
			step_end_line(&end, *line);
		is_int(step_end_code(&end, cases[i].srun_code), cases[i].code,
		       "%s: code", cases[i].name);
		if (*cases[i].said)
			has_str(said, cases[i].said, "%s: said", cases[i].name);
		else
			is_str(said, "", "%s: nothing said", cases[i].name);
	}
	return tap_done();
}
