/* SPDX-License-Identifier: Apache-2.0 */
/*
 * million.c: a million ranks of logarithmic algorithms: in time and memory of a
 * few if all do the same, and else by all events in the order of time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "coll/plan/algorithm.h"
#include "mrt.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* Simulates a job in a process of its own, to measure its time and memory.
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

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The bounds of time are multiples of what a quiet machine takes: no second by
 * symmetry, 15 of them by all events. */
static void million(struct sim_job job, const char *name,
		    enum sim_engine engine, double want, long megabytes)
{
	struct sim_result result = {0};
	struct rusage use = {0};
	char why[512];
	double took;
	int rc;

	select_parse(job.collective, name, &job.choice, why, sizeof(why));
	rc = in_child(&job, &result, &use);
	took = seconds(use.ru_utime) + seconds(use.ru_stime);
	ok(!rc && result.engine == engine &&
	       llround(result.time * 1e3) == llround(want * 1e3),
	   "%s of %d ranks: %.3f ns", name, job.nodes, result.time);
	ok(took < (engine == SIM_SYMMETRY ? 20 : 200), "took %.2f s of a CPU",
	   took);
	ok(use.ru_maxrss < megabytes * 1024, "and %ld MB",
	   use.ru_maxrss / 1024);
}

int main(void)
{
	const char *tool = getenv("SANITIZER");
	struct sim_fabric fabric = bench_fabric(false);
	const struct sim_range *r = fabric.levels[SIM_LEAF].ranges;
	struct sim_job job = {
	    .fabric = &fabric, .nodes = 1000000, .ppn = 1, .type_size = 8};
	double notice = r->o_s + r->L + r->o_r, message = notice + 7 * r->G;

	if (tap_quick() || (tool && *tool))
		tap_skip_all("at TEST_LEVEL=full, no sanitizer");
	job.collective = COLL_BARRIER;
	million(job, "dissemination", SIM_SYMMETRY, 20 * notice, 100);
	job.collective = COLL_ALLREDUCE;
	job.count = 1;
	/* a message more before 19 rounds, and one after them */
	million(job, "recursive_doubling", SIM_HEAP,
		21 * message + 20 * 8 * fabric.reduce, 1000);
	job.nodes = 1 << 20;
	million(job, "recursive_doubling", SIM_SYMMETRY,
		20 * (message + 8 * fabric.reduce), 100);
	return tap_done();
}
