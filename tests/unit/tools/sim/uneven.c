/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uneven.c: jobs whose nodes have different numbers of ranks: nodes that have
 * the same number all the same cost what alike nodes cost, and messages are
 * between nodes where the ranks are.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/tools/sim/against_heap.h"

/* Simulates 8 bytes by an algorithm, all events in the order of time. */
static int run_job(const struct sim_fabric *fabric, struct sim_job job,
		   const char *algorithm, struct sim_result *result)
{
	char why[512];

	job.fabric = fabric;
	job.type_size = 8;
	job.count = 1;
	job.engine = SIM_HEAP;
	if (!select_parse(job.collective, algorithm, &job.choice, why,
			  sizeof(why)))
		return MRT_ERR_ARG;
	return sim_run(&job, result, why, sizeof(why));
}

/* All algorithms of allreduce, on nodes of four ranks, said in two ways. */
static void test_even(void)
{
	static const int each[] = {4, 4, 4, 4, 4};
	const struct coll_table *t = &coll_tables[COLL_ALLREDUCE];
	struct sim_fabric fabric = uneven_fabric();
	struct sim_job job = {
	    .nodes = 5, .ppn = 4, .caches = 2, .collective = COLL_ALLREDUCE};
	int tried = 0, good = 0;

	for (size_t k = 0; k < t->nrows; k++) {
		struct sim_job listed = job;
		struct sim_result a, b;
		const char *name = t->rows[k]->name;
		int rc = run_job(&fabric, job, name, &a);

		listed.node_ranks = each;
		if (rc == MRT_ERR_ARG)
			continue;
		tried++;
		good +=
		    !rc && !run_job(&fabric, listed, name, &b) && same(&a, &b);
	}
	ok(tried > 8 && good == tried,
	   "five nodes of four ranks, listed: %d of %d the same", good, tried);
}

/* A linear bcast has a message for each rank but the root; a hierarchical
 * allreduce has two for each rank but the leaders inside nodes, and between
 * nodes those of the leaders. */
static void test_levels(void)
{
	static const int each[] = {3, 1, 4, 2};
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.nodes = 4,
			      .ppn = 4,
			      .node_ranks = each,
			      .root = 3,
			      .collective = COLL_BCAST};
	struct sim_job even = {
	    .nodes = 4, .ppn = 4, .collective = COLL_ALLREDUCE};
	struct sim_result r, all;

	ok(!run_job(&fabric, job, "linear", &r) && r.messages[SIM_LEAF] == 9 &&
	       r.messages[SIM_CACHE] == 0,
	   "a root alone on its node sends all between nodes");
	job.root = 6;
	ok(!run_job(&fabric, job, "linear", &r) && r.messages[SIM_LEAF] == 6 &&
	       r.messages[SIM_CACHE] == 3,
	   "one of a node of four sends three messages inside it");
	job.root = 0;
	job.collective = COLL_ALLREDUCE;
	ok(!run_job(&fabric, job, "hierarchical", &r) &&
	       !run_job(&fabric, even, "hierarchical", &all) &&
	       r.messages[SIM_LEAF] == all.messages[SIM_LEAF] &&
	       r.messages[SIM_CACHE] == 12 && all.messages[SIM_CACHE] == 24,
	   "leaders of such nodes send as many messages as of full ones");
}

static void test_refused(void)
{
	static const int none[] = {3, 0}, many[] = {3, 5}, good[] = {3, 4};
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job jobs[5];
	struct sim_result r;
	int refused = 0;

	for (int k = 0; k < 5; k++) {
		jobs[k] = (struct sim_job){.nodes = 2,
					   .ppn = 4,
					   .node_ranks = good,
					   .collective = COLL_ALLREDUCE};
		jobs[k].cyclic = k == 0;
		jobs[k].cpus = k == 1 ? 2 : 0;
	}
	jobs[2].node_ranks = none;
	jobs[3].node_ranks = many;
	for (int k = 0; k < 4; k++)
		refused +=
		    run_job(&fabric, jobs[k], "linear", &r) == MRT_ERR_ARG;
	ok(refused == 4 && !run_job(&fabric, jobs[4], "linear", &r),
	   "%d of 4 wrong jobs are refused", refused);
	jobs[4].root = 7;
	ok(run_job(&fabric, jobs[4], "linear", &r) == MRT_ERR_ARG,
	   "a root that no node has is refused");
}

int main(void)
{
	test_even();
	test_levels();
	test_refused();
	return tap_done();
}
