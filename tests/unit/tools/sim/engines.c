/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engines.c: compares the engines that go rank by rank, all of them or some,
 * with the one that takes all events in the order of time: they give the
 * other's time, to the picosecond, or none. Also tests jobs of a million ranks.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/unit/tools/sim/against_heap.h"

/* ---- Rank by rank -------------------------------------------------------- */

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 33, 100};
static const size_t counts[] = {0, 1, 100, 1000};

static void flow_algorithm(enum collective c, const struct algorithm *a)
{
	struct sim_fabric fabrics[] = {bench_fabric(false), uneven_fabric()};
	struct tally t = {0};
	struct sim_job job = {
	    .ppn = 1, .collective = c, .choice.algorithm = a, .type_size = 8};

	fabrics[1].jitter = 83;
	fabrics[1].jitter_tail = 0.3;
	for (size_t f = 0; f < 3; f++)
		for (size_t n = 0; n < sizeof(sizes) / sizeof(*sizes); n++)
			for (size_t k = 0; k < sizeof(counts) / sizeof(*counts);
			     k++) {
				job.fabric = &fabrics[f % 2];
				job.noise = f / 2 * 400.;
				job.noise_chance = 0.2;
				job.seed = n;
				job.nodes = sizes[n];
				job.count = counts[k];
				job.topology = (struct sim_topology){
				    1, {{4, INFINITY, 2}}, 10};
				compare(job, SIM_FLOW, &t);
			}
	ok(!t.wrong && t.same, "%s %s: %d the same, %d not to be told",
	   coll_tables[c].name, a->name, t.same, t.untold);
}

static void test_flow(void)
{
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		for (size_t k = 0; k < coll_tables[c].nrows; k++) {
			const struct algorithm *a = coll_tables[c].rows[k];

			if (!a->cells && !a->by_node && !a->board)
				flow_algorithm((enum collective)c, a);
		}
}

/* Two messages reach rank 0 at one time: one from rank 1, sent by its second
 * step, and one from rank 2, sent by its first. Rank 0 answers that of rank 1.
 */
static void build_tie(struct plan *plan, const struct shape *shape, int rank)
{
	struct part part = {ref(BUF_RECV, 0), shape->count, 0};
	uint32_t after = 0;

	if (rank == 0) {
		plan_recv(plan, 2, part, 0, 0);
		after = plan_recv(plan, 1, part, 0, 0);
		plan_send(plan, 1, part, after, 0);
		return;
	}
	if (rank == 1)
		after = plan_join(plan, 0, 0);
	after = plan_send(plan, 0, part, after, 0);
	if (rank == 1)
		plan_recv(plan, 0, part, after, 0);
}

static void test_tie(void)
{
	static const struct algorithm tie = {.name = "tie", .build = build_tie};
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 3,
			      .ppn = 1,
			      .collective = COLL_BCAST,
			      .choice.algorithm = &tie,
			      .count = 1,
			      .type_size = 8};
	struct tally t = {0};

	compare(job, SIM_FLOW, &t);
	ok(t.same == 1, "what comes at one time is in one order");
}

/* ---- A million ----------------------------------------------------------- */

/* Tests the algorithms that are used for that many ranks. */
static void test_large(void)
{
	static const struct {
		enum collective collective;
		const char *name;
	} rows[] = {{COLL_BARRIER, "dissemination"},
		    {COLL_BARRIER, "tree"},
		    {COLL_BARRIER, "n_way_dissemination"},
		    {COLL_BCAST, "binomial"},
		    {COLL_REDUCE, "binomial"},
		    {COLL_ALLREDUCE, "recursive_doubling"},
		    {COLL_ALLREDUCE, "recursive_multiplying"},
		    {COLL_ALLGATHER, "bruck"}};
	static const int large[] = {4096, 4097, 6000};
	struct sim_fabric fabrics[] = {bench_fabric(false), uneven_fabric()};

	fabrics[1].jitter = 83;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct tally t = {0}, uneven = {0};
		struct sim_job job = {.ppn = 1,
				      .collective = rows[k].collective,
				      .count = 1,
				      .type_size = 8,
				      .noise_chance = 0.2};
		char why[512];

		select_parse(job.collective, rows[k].name, &job.choice, why,
			     sizeof(why));
		for (int n = 0; n < 3; n++) {
			job.nodes = large[n];
			job.fabric = &fabrics[0];
			job.noise = 0;
			compare(job, SIM_FLOW, &t);
			job.fabric = &fabrics[1];
			compare(job, SIM_FLOW, &uneven);
			job.noise = 400;
			compare(job, SIM_FLOW, &uneven);
		}
		ok(t.same == 3, "%s %s of 4096, 4097 and 6000 ranks",
		   coll_tables[job.collective].name, rows[k].name);
		ok(!uneven.wrong,
		   "%s %s, uneven: %d the same, %d not to be told",
		   coll_tables[job.collective].name, rows[k].name, uneven.same,
		   uneven.untold);
	}
}

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

/*
 * Recursive doubling exchanges in rounds. If the number of ranks is not a power
 * of two, there is one more round before them and a message after them.
 *
 * On a quiet machine five seconds of CPU are enough. Other programs, which
 * share caches and cores, slow the simulation down, so the bound is four times
 * that.
 */
static void million(int nodes, enum sim_engine engine, long megabytes)
{
	struct sim_fabric fabric = bench_fabric(false);
	const struct sim_range *r = fabric.levels[SIM_LEAF].ranges;
	struct sim_job job = {.fabric = &fabric,
			      .nodes = nodes,
			      .ppn = 1,
			      .collective = COLL_ALLREDUCE,
			      .count = 1,
			      .type_size = 8};
	double message = r->o_s + r->L + 7 * r->G + r->o_r;
	double want = 20 * (message + 8 * fabric.reduce);
	struct sim_result result = {0};
	struct rusage use = {0};
	char why[512];
	double took;
	int rc;

	select_parse(job.collective, "recursive_doubling", &job.choice, why,
		     sizeof(why));
	if (nodes & (nodes - 1))
		want += message;
	rc = in_child(&job, &result, &use);
	took = seconds(use.ru_utime) + seconds(use.ru_stime);
	ok(!rc && result.engine == engine &&
	       llround(result.time * 1e3) == llround(want * 1e3),
	   "recursive doubling of %d ranks: %.3f ns", nodes, result.time);
	ok(took < 20, "took %.2f s of a CPU", took);
	ok(use.ru_maxrss < megabytes * 1024, "and %ld MB",
	   use.ru_maxrss / 1024);
}

static void test_million(void)
{
	million(1 << 20, SIM_SYMMETRY, 20);
	million(1000000, SIM_FLOW, 200);
}

int main(void)
{
	const char *tool = getenv("SANITIZER");

	if (!tap_quick() && (!tool || !*tool))
		test_million();
	else
		printf("# a million ranks: at TEST_LEVEL=full, no sanitizer\n");
	test_flow();
	test_tie();
	test_large();
	return tap_done();
}
