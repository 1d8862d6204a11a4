/* SPDX-License-Identifier: Apache-2.0 */
/* against_heap.h: compares an engine with SIM_HEAP, which takes all events in
 * the order of time. */
#ifndef TESTS_SIM_AGAINST_HEAP_H
#define TESTS_SIM_AGAINST_HEAP_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "mrt.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* Returns a fabric whose levels differ and whose NIC is slower than its CPU,
 * with the costs of calls, distance, large vectors, a node's memory and
 * connections. */
static inline struct sim_fabric uneven_fabric(void)
{
	struct sim_fabric f = bench_fabric(false);

	for (int l = 0; l < SIM_LEVELS; l++) {
		f.levels[l].ranges[0].L += 137 * l;
		f.levels[l].ranges[0].g = 613;
	}
	f.call = 317;
	f.spread = 59;
	f.cache = 500;
	f.reduce_far = 0.07;
	f.copy_far = 0.05;
	f.memory = 0.11;
	f.connect = 1231;
	f.connected = 40;
	return f;
}

/* Returns whether two results are equal, but for so many ps. */
static inline bool close_to(const struct sim_result *a,
			    const struct sim_result *b, long long ps)
{
	long long apart = llround(a->time * 1e3) - llround(b->time * 1e3);
	bool good = llabs(apart) <= ps && a->hash == b->hash &&
		    (apart || a->last_rank == b->last_rank);

	for (int l = 0; l < SIM_LEVELS; l++)
		good &= llround(a->messages[l] - b->messages[l]) == 0 &&
			llround(a->bytes[l] - b->bytes[l]) == 0;
	return good;
}

static inline bool same(const struct sim_result *a, const struct sim_result *b)
{
	return close_to(a, b, 0);
}

/* The numbers of jobs with each outcome. */
struct tally {
	int same, untold, wrong; /* untold: the engine cannot tell the time */
};

static inline void compare(struct sim_job job, enum sim_engine engine,
			   struct tally *tally)
{
	struct sim_result fast = {0}, exact = {0};
	/* two copies for one: each is rounded */
	bool parts = engine == SIM_SYMMETRY &&
		     !strcmp(job.choice.algorithm->name, "bruck");
	char why[256];
	int rc;

	job.engine = engine;
	rc = sim_run(&job, &fast, why, sizeof(why));
	if (rc == MRT_ERR_ARG) /* the algorithm does not fit */
		return;
	if (rc == MRT_ERR_UNSUPPORTED) {
		tally->untold++;
		return;
	}
	job.engine = SIM_HEAP;
	rc |= sim_run(&job, &exact, why, sizeof(why));
	if (!rc && close_to(&fast, &exact, parts)) {
		tally->same++;
	} else {
		tally->wrong++;
		printf("# %s %s, %d nodes of %d, %zu: %s; %.3f ns, not %.3f\n",
		       coll_tables[job.collective].name,
		       job.choice.algorithm->name, job.nodes, job.ppn,
		       job.count, mrt_error_string(rc), fast.time, exact.time);
	}
	sim_result_fini(&fast);
	sim_result_fini(&exact);
}
#endif
