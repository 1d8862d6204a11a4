/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engines.c: the fast engines against the one that takes all events in the order
 * of time: the same time to the picosecond, or none; and a million ranks.
 */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "coll/algorithm.h"
#include "mrt.h"
#include "tests/tap.h"
#include "tests/unit/sim/bench_fabric.h"

/* Levels that differ, and a NIC that is slower than a CPU. */
static struct sim_fabric uneven_fabric(void)
{
	struct sim_fabric f = bench_fabric(false);

	for (int l = 0; l < SIM_LEVELS; l++) {
		f.levels[l].ranges[0].L += 137 * l;
		f.levels[l].ranges[0].g = 613;
	}
	return f;
}

static bool same(const struct sim_result *a, const struct sim_result *b)
{
	bool good = llround(a->time * 1e3) == llround(b->time * 1e3) &&
		    a->hash == b->hash;

	for (int l = 0; l < SIM_LEVELS; l++)
		good &= llround(a->messages[l] - b->messages[l]) == 0 &&
			llround(a->bytes[l] - b->bytes[l]) == 0;
	return good;
}

/* How many of each kind have been compared. */
struct tally {
	int same, untold, wrong;
};

static void compare(struct sim_job job, enum sim_engine engine,
		    struct tally *tally)
{
	struct sim_result fast = {0}, exact = {0};
	char why[256];
	int rc;

	job.hashes = engine == SIM_FLOW;
	job.engine = SIM_HEAP;
	if (sim_run(&job, &exact, why, sizeof(why)))
		return;
	job.engine = engine;
	rc = sim_run(&job, &fast, why, sizeof(why));
	tally->untold += rc == MRT_ERR_UNSUPPORTED;
	tally->same += !rc && same(&fast, &exact);
	if (rc != MRT_ERR_UNSUPPORTED && (rc || !same(&fast, &exact))) {
		tally->wrong++;
		printf("# %s %s, %d nodes of %d, %zu: %s; %.3f ns, not %.3f\n",
		       coll_tables[job.collective].name,
		       exact.choice.algorithm->name, job.nodes, job.ppn,
		       job.count, mrt_error_string(rc), fast.time, exact.time);
	}
	sim_result_fini(&fast);
	sim_result_fini(&exact);
}

/* ---- Rank by rank -------------------------------------------------------- */

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 33, 100};
static const size_t counts[] = {0, 1, 100, 1000};

static void flow_algorithm(enum collective c, const struct algorithm *a)
{
	struct sim_fabric fabrics[] = {bench_fabric(false), uneven_fabric()};
	struct tally t = {0};
	struct sim_job job = {.ppn = 1,
			      .collective = c,
			      .choice.algorithm = a,
			      .type_size = 8};

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

			if (!a->cells && !a->arg_is_algorithm)
				flow_algorithm((enum collective)c, a);
		}
}

/* ---- A million ----------------------------------------------------------- */

/* Those that are used for that many. */
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
		    {COLL_ALLGATHER, "bruck"}};
	static const int large[] = {4096, 4097, 6000};
	struct sim_fabric fabric = bench_fabric(false);

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct tally t = {0};
		struct sim_job job = {.fabric = &fabric,
				      .ppn = 1,
				      .collective = rows[k].collective,
				      .count = 1,
				      .type_size = 8};
		char why[512];

		select_parse(job.collective, rows[k].name, &job.choice, why,
			     sizeof(why));
		for (int n = 0; n < 3; n++) {
			job.nodes = large[n];
			compare(job, SIM_FLOW, &t);
		}
		ok(t.same == 3, "%s %s of 4096, 4097 and 6000 ranks",
		   coll_tables[job.collective].name, rows[k].name);
	}
}

/* CPU time, since other programs may run; they slow it down all the same, so that
 * the bound is generous. */
static void test_million(void)
{
	struct sim_fabric fabric = bench_fabric(false);
	const struct sim_range *r = fabric.levels[SIM_LEAF].ranges;
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 1 << 20,
			      .ppn = 1,
			      .collective = COLL_ALLREDUCE,
			      .count = 1,
			      .type_size = 8};
	double want = 20 * (r->o_s + r->L + 7 * r->G + r->o_r + 8 * fabric.reduce);
	clock_t begin = clock();
	struct sim_result result = {0};
	struct rusage use;
	char why[512];
	double took;
	int rc;

	select_parse(COLL_ALLREDUCE, "recursive_doubling", &job.choice, why,
		     sizeof(why));
	rc = sim_run(&job, &result, why, sizeof(why));
	ok(!rc && llround(result.time * 1e3) == llround(want * 1e3),
	   "recursive doubling of %d ranks: %.3f ns", job.nodes, result.time);
	took = (double)(clock() - begin) / CLOCKS_PER_SEC;
	getrusage(RUSAGE_SELF, &use);
	ok(took < 30, "took %.1f s of a CPU", took);
	ok(use.ru_maxrss < 100 * 1024, "and %ld MB", use.ru_maxrss / 1024);
}

/* ---- All ranks alike ------------------------------------------------------ */

static const struct {
	enum collective collective;
	const char *name;
} rings[] = {{COLL_ALLREDUCE, "ring"},
	     {COLL_ALLREDUCE, "segmented_ring:2K"},
	     {COLL_ALLGATHER, "ring"},
	     {COLL_REDUCE_SCATTER_BLOCK, "ring"},
	     {COLL_BARRIER, "dissemination"}};
enum { RINGS = sizeof(rings) / sizeof(rings[0]) };

/* Alone on a node or three, flat or on two levels, eager or not. */
static void ring_of(int ring, int n, struct tally *t)
{
	struct sim_fabric fabrics[] = {uneven_fabric(), bench_fabric(true)};
	bool vector = rings[ring].collective == COLL_ALLREDUCE;
	char why[512];

	for (int k = 0; k < 4; k++) {
		struct sim_job job = {.fabric = &fabrics[k % 2],
				      .ppn = k < 2 || n % 3 ? 1 : 3,
				      .collective = rings[ring].collective,
				      .type_size = 8};

		job.nodes = n / job.ppn;
		job.count = k == 3 ? 700 : 24;
		if (vector)
			job.count *= (size_t)n;
		if (k == 3 && job.nodes % 4 == 0)
			sim_topology_parse("fattree:4,taper=2,hop=90",
					   &job.topology, why, sizeof(why));
		select_parse(job.collective, rings[ring].name, &job.choice,
			     why, sizeof(why));
		compare(job, SIM_SYMMETRY, t);
	}
}

/* step 1: all up to 512. */
static void test_rings(int step)
{
	for (int ring = 0; ring < RINGS; ring++) {
		struct tally t = {0};
		int tried = 0;

		for (int n = 2; n <= 512;
		     n += step == 1 || n < 13 ? 1 : n / 2 + step) {
			ring_of(ring, n, &t);
			tried += 4;
		}
		ok(!t.wrong && t.same == tried,
		   "%s %s: %d of %d the same as by all their ranks",
		   coll_tables[rings[ring].collective].name, rings[ring].name,
		   t.same, tried);
	}
}

/* ---- Ranks alike by exclusive or, nodes alike ------------------------------- */

/* All at once: CPUs and NICs are as quick as can be, so that much happens at one
 * time, and its order matters. */
static struct sim_fabric quick_fabric(void)
{
	struct sim_fabric f = bench_fabric(true);

	for (int l = 0; l < SIM_LEVELS; l++)
		for (int r = 0; r < f.levels[l].nranges; r++) {
			f.levels[l].ranges[r].o_s = 0;
			f.levels[l].ranges[r].g = 100;
		}
	return f;
}

static const struct layout {
	int nodes, ppn, caches;
	const char *topology;
} layouts[] = {{16, 1, 0, "flat"},
	       {8, 4, 0, "flat"},
	       {8, 8, 2, "flat"},
	       {16, 2, 0, "fattree:4,taper=2,hop=90"},
	       {32, 1, 0, "fattree:2x4,taper=4,hop=50"},
	       {16, 4, 2, "dragonfly:2x4,taper=3,hop=70"},
	       {7, 3, 0, "flat"},
	       {12, 4, 0, "fattree:4,hop=90"}};

static void compare_layouts(struct sim_job job, struct tally *t)
{
	static const size_t lengths[] = {1, 64, 4096};
	struct sim_fabric fabrics[] = {uneven_fabric(), bench_fabric(true),
				       quick_fabric()};
	char why[256];

	for (size_t k = 0; k < sizeof(layouts) / sizeof(*layouts); k++) {
		job.nodes = layouts[k].nodes;
		job.ppn = layouts[k].ppn;
		job.caches = layouts[k].caches;
		sim_topology_parse(layouts[k].topology, &job.topology, why,
				   sizeof(why));
		for (int f = 0; f < 9; f++) {
			job.fabric = &fabrics[f % 3];
			job.count = lengths[f / 3];
			compare(job, SIM_SYMMETRY, t);
		}
	}
}

/* No algorithm is taken for what it is not. */
static void test_claims(void)
{
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		for (size_t k = 0; k < coll_tables[c].nrows; k++) {
			const struct algorithm *a = coll_tables[c].rows[k];
			struct sim_job job = {.collective = (enum collective)c,
					      .choice.algorithm = a,
					      .combine = COMBINE_ADD,
					      .type_size = 8};
			struct tally t = {0};

			compare_layouts(job, &t);
			ok(!t.wrong, "%s %s: %d symmetric, %d not",
			   coll_tables[c].name, a->name, t.same, t.untold);
		}
}

static void test_long_ring(void)
{
	struct sim_fabric fabric = bench_fabric(false);
	const struct sim_range *r = fabric.levels[SIM_LEAF].ranges;
	enum { N = 100000 };
	struct sim_job job = {.fabric = &fabric,
			      .nodes = N,
			      .ppn = 1,
			      .collective = COLL_ALLREDUCE,
			      .count = N,
			      .type_size = 8};
	double one = r->o_s + r->L + 7 * r->G + r->o_r;
	double want = (N - 1) * (2 * one + 8 * fabric.reduce);
	struct sim_result result = {0};
	char why[512];
	int rc;

	select_parse(COLL_ALLREDUCE, "ring", &job.choice, why, sizeof(why));
	rc = sim_run(&job, &result, why, sizeof(why));
	ok(!rc && llround(result.time * 1e3) == llround(want * 1e3),
	   "a ring of %d ranks: %.0f ns %s", N, result.time, why);
	job.count++;
	rc = sim_run(&job, &result, why, sizeof(why));
	ok(rc == MRT_ERR_UNSUPPORTED && strstr(why, "same length"),
	   "one that is uneven is refused: %s", why);
}

int main(int argc, char **argv)
{
	const char *level = getenv("TEST_LEVEL"), *tool = getenv("SANITIZER");

	/* first, since it measures the most memory that was used */
	if ((!level || strcmp(level, "quick")) && (!tool || !*tool))
		test_million();
	else
		printf("# a million ranks: at TEST_LEVEL=full, no sanitizer\n");
	test_long_ring();
	test_rings(argc > 1 && !strcmp(argv[1], "--all-rings") ? 1 : 40);
	if (argc > 1)
		return tap_done();
	test_claims();
	test_flow();
	test_large();
	return tap_done();
}
