/* SPDX-License-Identifier: Apache-2.0 */
/*
 * streams.c: tests under mrun that a rank really does the steps that the
 * simulator walks: after a call with each algorithm of each collective it
 * compares the hash of its steps with that of the simulated rank.
 */
#include <mrt_lib.h>

#include "coll/plan/algorithm.h"
#include "coll/run/run.h"
#include "tests/system/api.h"
#include "tests/unit/tools/sim/bench_fabric.h"

int me, np;
int api_failures;

enum { COUNT_MAX = 5000, CASES = 3 };

static const size_t some[CASES] = {1, 50, COUNT_MAX};
static int *from, *to;
static size_t *counts;
static ptrdiff_t *displs;

/* Calls a collective with n ints, or with n ints per block if it has blocks. */
static void call(enum collective c, size_t n, int root)
{
	struct mrt_type *t = MRT_INT;
	struct mrt_op *op = MRT_SUM;

	switch (c) {
#define CALL(upper, name, ...)                                                 \
	case COLL_##upper:                                                     \
		OK(mrt_##name(__VA_ARGS__, W));                                \
		break;
		CALL(BCAST, bcast, to, n, t, root)
		CALL(REDUCE, reduce, from, to, n, t, op, root)
		CALL(ALLREDUCE, allreduce, from, to, n, t, op)
		CALL(GATHER, gather, from, n, t, to, n, t, root)
		CALL(GATHERV, gatherv, from, n, t, to, counts, displs, t, root)
		CALL(SCATTER, scatter, from, n, t, to, n, t, root)
		CALL(SCATTERV, scatterv, from, counts, displs, t, to, n, t,
		     root)
		CALL(ALLGATHER, allgather, from, n, t, to, n, t)
		CALL(ALLGATHERV, allgatherv, from, n, t, to, counts, displs, t)
		CALL(ALLTOALL, alltoall, from, n, t, to, n, t)
		CALL(ALLTOALLV, alltoallv, from, counts, displs, t, to, counts,
		     displs, t)
		CALL(REDUCE_SCATTER_BLOCK, reduce_scatter_block, from, to, n, t,
		     op)
		CALL(REDUCE_SCATTER, reduce_scatter, from, to, counts, t, op)
		CALL(SCAN, scan, from, to, n, t, op)
		CALL(EXSCAN, exscan, from, to, n, t, op)
#undef CALL
	default:
		OK(mrt_barrier(W));
		break;
	}
}

static bool reduces(enum collective c)
{
	return c == COLL_REDUCE || c == COLL_ALLREDUCE || c == COLL_SCAN ||
	       c == COLL_EXSCAN || c == COLL_REDUCE_SCATTER ||
	       c == COLL_REDUCE_SCATTER_BLOCK;
}

static bool rooted(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE || c == COLL_GATHER ||
	       c == COLL_GATHERV || c == COLL_SCATTER || c == COLL_SCATTERV;
}

/* Returns the job of such a call. Data that only move are counted in bytes.
 * MRT_COLL_GROUP gives the number of ranks per cache. */
static struct sim_job job_of(enum collective c, size_t n,
			     const struct sim_fabric *fabric)
{
	const char *group = getenv("MRT_COLL_GROUP");

	return (struct sim_job){.fabric = fabric,
				.nodes = 1,
				.ppn = np,
				.caches = group ? np / atoi(group) : 1,
				.collective = c,
				.root = rooted(c) ? np - 1 : 0,
				.count = c == COLL_BARRIER ? 0
					 : reduces(c)	   ? n
							   : n * sizeof(int),
				.type_size = reduces(c) ? sizeof(int) : 1,
				.combine =
				    reduces(c) ? COMBINE_ADD : COMBINE_NONE,
				.hashes = true};
}

/* Returns, on all ranks, whether `good` is true on all of them. The caller has
 * reset its choice of an algorithm. */
static bool all_good(bool good)
{
	int sum = 0, mine = !good;

	OK(mrt_allreduce(&mine, &sum, 1, MRT_INT, MRT_SUM, W));
	return !sum;
}

/* Compares one call. Returns false if the algorithm does not fit it. */
static bool try_count(struct sim_job *job, const char *name, size_t n)
{
	struct sim_result result;
	char why[256];
	uint64_t hash;
	bool good;

	if (sim_run(job, &result, why, sizeof(why)))
		return false;
	for (int r = 0; r < np; r++) {
		counts[r] = n;
		displs[r] = (ptrdiff_t)n * r;
	}
	OK(mrt_set_algorithm(coll_tables[job->collective].name, name));
	call(job->collective, n, job->root);
	hash = run_hash();
	OK(mrt_set_algorithm(coll_tables[job->collective].name, NULL));
	good = all_good(hash == result.hashes[me] && hash);
	api_failures += !good;
	if (me == 0)
		printf("%sok - %s %s of %zu ints, %.0f messages\n",
		       good ? "" : "not ", coll_tables[job->collective].name,
		       name, n,
		       result.messages[SIM_CACHE] + result.messages[SIM_NODE]);
	sim_result_fini(&result);
	return true;
}

static int try_collective(enum collective c)
{
	struct sim_fabric fabric = bench_fabric(true);
	const struct coll_table *t = &coll_tables[c];
	int fits = 0;

	for (size_t a = 0; a < t->nrows; a++)
		for (int k = 0; k < (c == COLL_BARRIER ? 1 : CASES); k++) {
			struct sim_job job = job_of(c, some[k], &fabric);

			job.choice.algorithm = t->rows[a];
			fits += try_count(&job, t->rows[a]->name, some[k]);
		}
	return fits;
}

int main(int argc, char **argv)
{
	size_t room;

	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	room = COUNT_MAX * (size_t)np;
	from = calloc(room, sizeof(*from));
	to = calloc(room, sizeof(*to));
	counts = calloc((size_t)np, sizeof(*counts));
	displs = calloc((size_t)np, sizeof(*displs));
	run_hash();
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		if (!try_collective((enum collective)c)) {
			api_failures++;
			printf("not ok - %s has algorithms\n",
			       coll_tables[c].name);
		}
	free(from);
	free(to);
	free(counts);
	free(displs);
	OK(mrt_finalize());
	return api_failures ? 1 : 0;
}
