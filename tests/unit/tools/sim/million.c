/* SPDX-License-Identifier: Apache-2.0 */
/*
 * million.c: jobs of a million ranks fit little memory, since one rank or node
 * stands for all; their time is that of the closed form, or of all events of
 * all ranks of a smaller job.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* Simulates a job in a process of its own, to measure its memory.
 * Returns the process's status, or -1. */
static int in_child(const struct sim_job *job, struct sim_result *result,
		    struct rusage *use)
{
	int pipe_of[2], status;
	char why[512];
	pid_t pid;

	fflush(stdout);
	if (pipe(pipe_of) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		status = sim_run(job, result, why, sizeof(why));
		_exit(status || write(pipe_of[1], result, sizeof(*result)) !=
				    sizeof(*result));
	}
	close(pipe_of[1]);
	if (read(pipe_of[0], result, sizeof(*result)) != sizeof(*result))
		memset(result, 0, sizeof(*result));
	close(pipe_of[0]);
	return wait4(pid, &status, 0, use) == pid ? status : -1;
}

static const struct sim_fabric *fabric;

/* Simulates an allreduce of 8 bytes within so much memory. Returns ns. */
static double million(const char *name, int nodes, int ppn,
		      enum sim_engine engine, long megabytes)
{
	struct sim_job job = {.fabric = fabric,
			      .nodes = nodes,
			      .ppn = ppn,
			      .collective = COLL_ALLREDUCE,
			      .count = 1,
			      .type_size = 8,
			      .engine = engine};
	struct sim_result result = {0};
	struct rusage use = {0};
	char why[512];
	int rc;

	select_parse(job.collective, name, &job.choice, why, sizeof(why));
	rc = in_child(&job, &result, &use);
	ok(!rc, "%s of %d x %d ranks: %.3f ns", name, nodes, ppn, result.time);
	ok(use.ru_maxrss < megabytes * 1024, "and %ld MB",
	   use.ru_maxrss / 1024);
	return result.time;
}

/* Recursive doubling exchanges in rounds. */
static void test_apart(void)
{
	const struct sim_range *r = fabric->levels[SIM_LEAF].ranges;
	double message = r->o_s + r->L + 7 * r->G + r->o_r;
	double want = 20 * (message + 8 * fabric->reduce);
	double time = million("recursive_doubling", 1 << 20, 1, SIM_AUTO, 20);

	ok(llround(time * 1e3) == llround(want * 1e3),
	   "rounds of messages: %.3f ns", want);
}

/* All events of all ranks, and one node for all. */
static void test_nodes(void)
{
	double all = million("hierarchical", 1 << 12, 64, SIM_HEAP, 200);
	double one = million("hierarchical", 1 << 12, 64, SIM_AUTO, 40);

	ok(llround(all * 1e3) == llround(one * 1e3),
	   "one node stands for all: %.3f ns", one);
	million("hierarchical", 1 << 14, 64, SIM_AUTO, 80);
}

int main(void)
{
	const struct sim_fabric bench = bench_fabric(false);
	const char *tool = getenv("SANITIZER");

	fabric = &bench;
	if (tap_quick() || (tool && *tool))
		ok(true, "# SKIP a million ranks: at TEST_LEVEL=full, no "
			 "sanitizer");
	else {
		test_apart();
		test_nodes();
	}
	return tap_done();
}
