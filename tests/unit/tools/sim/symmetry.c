/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symmetry.c: simulates one rank or node for all and compares with all events
 * of all ranks: the times are the same to the picosecond, and the short cut is
 * taken only where all ranks do the same.
 *
 *	symmetry --rings FROM TO	only rings, of all these numbers of
 *					ranks; 2 512 takes ten minutes of CPU
 */
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/tools/sim/against_heap.h"
#include "tools/sim/symmetry.h"

/* ---- All ranks alike ----------------------------------------------------- */

struct alike {
	enum collective collective;
	const char *name;
};

static const struct alike rings[] = {
    {COLL_ALLREDUCE, "ring"},	     {COLL_ALLREDUCE, "segmented_ring:2K"},
    {COLL_ALLGATHER, "ring"},	     {COLL_REDUCE_SCATTER_BLOCK, "ring"},
    {COLL_BARRIER, "dissemination"},
};
/* every other rank does the same */
static const struct alike neighbors[] = {{COLL_ALLGATHER, "neighbor_exchange"}};
static const struct alike pairs[] = {
    {COLL_BARRIER, "recursive_doubling"},
    {COLL_ALLREDUCE, "recursive_doubling"},
    {COLL_ALLREDUCE, "rabenseifner"},
    {COLL_ALLGATHER, "recursive_doubling"},
    {COLL_REDUCE_SCATTER_BLOCK, "recursive_halving"},
    {COLL_ALLTOALL, "pairwise"},
};
enum {
	RINGS = sizeof(rings) / sizeof(rings[0]),
	PAIRS = sizeof(pairs) / sizeof(pairs[0]),
	WAYS = 4
};

/* Compares an algorithm with n ranks in WAYS ways: one rank or `ppn` ranks per
 * node, flat or on two levels, all eager or not. */
static void alike_of(const struct alike *a, int n, int ppn, struct tally *t)
{
	struct sim_fabric fabrics[] = {uneven_fabric(), bench_fabric(true)};
	bool vector = a->collective == COLL_ALLREDUCE;
	char why[512];

	/* an exclusive or with any number changes distances */
	if (a->collective == COLL_ALLTOALL)
		fabrics[0].spread = 0;
	for (int k = 0; k < WAYS; k++) {
		struct sim_job job = {.fabric = &fabrics[k % 2],
				      .ppn = k < 2 || n % ppn ? 1 : ppn,
				      .collective = a->collective,
				      .type_size = 8};

		job.nodes = n / job.ppn;
		job.count = k == 3 ? 700 : 24;
		if (vector)
			job.count *= (size_t)n;
		if (k == 3 && job.nodes % 4 == 0)
			sim_topology_parse("fattree:4,taper=2,hop=90",
					   &job.topology, why, sizeof(why));
		select_parse(job.collective, a->name, &job.choice, why,
			     sizeof(why));
		compare(job, SIM_SYMMETRY, t);
	}
}

/* Tests all numbers of ranks if step is 1; else all small ones and ever fewer
 * of the larger ones. */
static void test_rings(int from, int to, int step)
{
	for (int ring = 0; ring < RINGS; ring++) {
		struct tally t = {0};
		int tried = 0;

		for (int n = from; n <= to;
		     n += step == 1 || n < 13 ? 1 : n / 2 + step) {
			alike_of(&rings[ring], n, 3, &t);
			tried += WAYS;
		}
		ok(!t.wrong && t.same == tried,
		   "%s %s of %d to %d: %d of %d the same as by all their ranks",
		   coll_tables[rings[ring].collective].name, rings[ring].name,
		   from, to, t.same, tried);
	}
}

/* Algorithms that find partners by exclusive or are symmetric for powers of two
 * and for no other number of ranks. */
static void test_pairs(void)
{
	static const int others[] = {3, 6, 12, 28, 96, 511};

	for (int k = 0; k < PAIRS; k++) {
		const char *name = coll_tables[pairs[k].collective].name;
		struct tally t = {0};

		for (int n = 2; n <= 512; n *= 2)
			alike_of(&pairs[k], n, 4, &t);
		ok(!t.wrong && t.same == 9 * WAYS,
		   "%s %s of 2 to 512: %d of %d the same as by all their ranks",
		   name, pairs[k].name, t.same, 9 * WAYS);
		for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
			alike_of(&pairs[k], others[i], 4, &t);
		ok(!t.wrong && t.same == 9 * WAYS,
		   "%s %s of other numbers is not symmetric", name,
		   pairs[k].name);
	}
}

static void test_neighbors(void)
{
	static const int even[] = {6, 8, 20, 64, 96, 250};
	struct tally t = {0};

	for (size_t k = 0; k < sizeof(even) / sizeof(*even); k++)
		alike_of(neighbors, even[k], 2, &t);
	ok(!t.wrong && t.same == 6 * WAYS,
	   "allgather neighbor_exchange: %d of %d the same as by all their "
	   "ranks",
	   t.same, 6 * WAYS);
}

/* ---- Jitter -------------------------------------------------------------- */

/* Simulates an algorithm on n nodes by an engine. Returns ns. */
static double jittered(const struct alike *a, int n, int ppn,
		       enum sim_engine engine)
{
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = n,
			      .ppn = ppn,
			      .collective = a->collective,
			      .type_size = 8,
			      .count = 10 * (size_t)n * (size_t)ppn,
			      .engine = engine};
	struct sim_result result = {0};
	char why[256];

	fabric.jitter = 83;
	fabric.jitter_tail = 0.3;
	select_parse(job.collective, a->name, &job.choice, why, sizeof(why));
	return sim_run(&job, &result, why, sizeof(why)) ? -1 : result.time;
}

/* Where nothing waits, the latest rank delays all by as much as it is late;
 * where ranks of a node do, by about as much. */
static void test_jitter(const struct alike *a)
{
	for (int ppn = 1; ppn <= 4; ppn += 3) {
		double one = jittered(a, 64, ppn, SIM_SYMMETRY);
		double all = jittered(a, 64, ppn, SIM_HEAP);

		ok(fabs(one - all) <= (ppn > 1 ? all * 0.03 : 1e-3),
		   "%s %s, 64 nodes of %d, with jitter: %.3f ns, %.3f",
		   coll_tables[a->collective].name, a->name, ppn, one, all);
	}
}

/* ---- Nodes that are alike after a rotation ------------------------------- */

/* Compares vectors of which halving leaves less than an element. */
static void test_rotated(const char *name, int ppn)
{
	struct sim_fabric fabrics[] = {uneven_fabric(), bench_fabric(true)};
	struct tally t = {0};
	char why[512];

	for (int k = 0; k < 8; k++) {
		struct sim_job job = {.fabric = &fabrics[k % 2],
				      .nodes = k < 4 ? 32 : 64,
				      .ppn = ppn,
				      .collective = COLL_ALLREDUCE,
				      .type_size = 8,
				      .count = (size_t)(ppn << k / 2 % 2) * 8};

		select_parse(job.collective, name, &job.choice, why,
			     sizeof(why));
		compare(job, SIM_SYMMETRY, &t);
	}
	ok(t.same == 8, "%s, nodes of %d, uneven blocks: %d of 8 the same",
	   name, ppn, t.same);
}

/* Rotating moves the low bits of a node's number to the front. */
static void test_rotate(void)
{
	const struct rotation t = {.ppn = 3, .bits = 4, .low = 1};
	int wrong = 0;

	for (int ppn = 1; ppn < 4; ppn++)
		for (int low = 0; low < 5; low++) {
			const struct rotation any = {ppn, 5, low};

			for (int rank = 0; rank < 32 * ppn; rank++)
				wrong += rotate_back(
					     &any, rotate(&any, rank)) != rank;
		}
	ok(rotate(&t, 3 * 3 + 2) == 9 * 3 + 2 &&
	       rotate_back(&t, 3 * 3 + 2) == 6 * 3 + 2 && !wrong,
	   "rank 2 of node 0011 is rotated to 1001, and back to 0110");
}

/* Near ranks exchange; then those of the upper half copy more. */
static void build_halves(struct plan *plan, const struct shape *shape, int rank)
{
	struct part part = {ref(BUF_RECV, 0), 1, 0};
	uint32_t sent = plan_send(plan, rank ^ 2, part, 0, 0);
	uint32_t got = plan_recv(plan, rank ^ 2, part, sent, 0);

	plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, 0),
		  rank < shape->size / 2 ? 1 : 1000, got);
}

/* The last rank is a rotated one that is rotated back, and so are ranks whose
 * distance counts. */
static void test_last(void)
{
	static const struct algorithm halves = {.name = "halves",
						.build = build_halves};
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 32,
			      .ppn = 1,
			      .collective = COLL_BCAST,
			      .choice.algorithm = &halves,
			      .count = 1,
			      .type_size = 8};
	struct tally t = {0};

	fabric.copy = 0.1;
	fabric.spread = 59;
	compare(job, SIM_SYMMETRY, &t);
	ok(t.same == 1, "the first of 16 late ranks is the last rank, and "
			"near ranks are near");
}

/* ---- Only nodes that are alike count as alike ---------------------------- */

/* Returns a fabric whose CPUs take no time to send, so that many events
 * coincide, and whose nodes have a slow memory. */
static struct sim_fabric quick_fabric(void)
{
	struct sim_fabric f = bench_fabric(true);

	f.memory = 0.5;
	for (int l = 0; l < SIM_LEVELS; l++)
		for (int k = 0; k < f.levels[l].nranges; k++)
			f.levels[l].ranges[k].o_s = 0;
	return f;
}

static const struct layout {
	int nodes, ppn, caches;
	const char *topology;
} layouts[] = {{16, 1, 0, "flat"},
	       {8, 4, 2, "flat"},
	       {16, 2, 0, "fattree:4,taper=2,hop=90"},
	       {32, 1, 0, "fattree:2x4,taper=4,hop=50"},
	       {16, 4, 2, "dragonfly:2x4,taper=3,hop=70"},
	       {7, 3, 0, "flat"},
	       {12, 4, 0, "fattree:4,hop=90"}};

static int claims_step(void)
{
	return tap_quick() ? 4 : 1;
}

/* Takes each length on each fabric; at TEST_LEVEL=quick each once. */
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
		for (int f = 0; f < 9; f += claims_step()) {
			job.fabric = &fabrics[f % 3];
			job.count = lengths[f / 3];
			compare(job, SIM_SYMMETRY, t);
		}
	}
}

/* Tells whether a collective has a root or an order of ranks, and so is never
 * symmetric. */
static bool never_symmetric(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE || c == COLL_GATHER ||
	       c == COLL_GATHERV || c == COLL_SCATTER || c == COLL_SCATTERV ||
	       c == COLL_SCAN || c == COLL_EXSCAN;
}

static void test_claims(void)
{
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		for (size_t k = 0; k < coll_tables[c].nrows; k++) {
			const struct algorithm *a = coll_tables[c].rows[k];
			struct sim_job job = {.collective = (enum collective)c,
					      .choice.algorithm = a,
					      .type_size = 8};
			struct tally t = {0};

			compare_layouts(job, &t);
			/* bruck, a level of alltoall, rotates its blocks */
			if (a->by_node && c != COLL_ALLTOALL &&
			    !never_symmetric(job.collective))
				ok(!t.wrong && t.same >= 27 / claims_step(),
				   "%s %s: nodes are alike, %d times",
				   coll_tables[c].name, a->name, t.same);
			else
				ok(!t.wrong && !(t.same && never_symmetric(
							       job.collective)),
				   "%s %s: symmetric %d times, and not %d",
				   coll_tables[c].name, a->name, t.same,
				   t.untold);
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

/* ---- One rank that differs ----------------------------------------------- */

enum { NOTHING, PARTS, PEER, COUNT, TAG, AFTER, COPIES, LENGTH, MORE, ODDS };
static const char *const differs[] = {
    "nothing", "parts of the last copy", "peer", "count", "tag", "after",
    "copy",    "length of a copy",	 "steps"};
static struct odd {
	int way, rank;
} odd;

/* Each rank sends to the next one and copies, except that one rank differs. */
static void build_odd(struct plan *plan, const struct shape *shape, int rank)
{
	int n = shape->size, way = rank == odd.rank ? odd.way : NOTHING;
	struct part part = {ref(BUF_SEND, 0), 1 + (way == COUNT), way == TAG};
	uint32_t sent =
	    plan_send(plan, (rank + 1 + (way == PEER)) % n, part, 0, 0);
	uint32_t got = plan_recv(plan, (rank + n - 1) % n,
				 (struct part){ref(BUF_RECV, 0), 1, 0}, 0, 0);

	struct ref to = ref(way == COPIES ? BUF_SEND : BUF_RECV, 0);
	uint32_t copied = plan_copy(plan, ref(BUF_SEND, 0), to,
				    way == PARTS || way == LENGTH ? 1 : 2,
				    way == AFTER ? sent : got);

	if (way == PARTS)
		plan_copy(plan, ref(BUF_SEND, 1), ref(BUF_RECV, 1), 1, copied);
	if (way == MORE)
		plan_join(plan, sent, got);
}

static const struct algorithm odd_one = {.name = "odd", .build = build_odd};

static void odd_of(int nodes, int root, int rank, int way)
{
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = nodes,
			      .ppn = 1,
			      .collective = COLL_BCAST,
			      .choice.algorithm = &odd_one,
			      .root = root,
			      .count = 1,
			      .type_size = 8,
			      .engine = SIM_SYMMETRY};
	struct sim_result result;
	char why[256];
	int rc;

	odd = (struct odd){way, rank};
	rc = sim_run(&job, &result, why, sizeof(why));
	ok(rc == (way <= PARTS ? MRT_SUCCESS : MRT_ERR_UNSUPPORTED),
	   "of %d ranks %d differs in: %s", nodes, rank, differs[way]);
}

/* Among few ranks any rank that differs is found; among many, one of those that
 * are compared. */
static void test_odd(void)
{
	for (int way = 0; way < ODDS; way++)
		odd_of(100, 0, 77, way);
	odd_of(1 << 20, 777, 1 << 19, NOTHING);
	odd_of(1 << 20, 777, 1 << 7, COUNT);
	odd_of(1 << 20, 777, (1 << 20) - 1, COUNT);
	odd_of(1 << 20, 777, 777, COUNT);
}

/* ---- Many ranks, of which some are compared ------------------------------ */

static void test_many(void)
{
	static const struct {
		int nodes;
		size_t count;
		const char *name;
		bool symmetric;
	} rows[] = {{1 << 18, 1, "recursive_doubling", true},
		    {(1 << 18) - 2, 1, "recursive_doubling", false},
		    {1 << 18, 3 << 18, "rabenseifner", true},
		    {1 << 18, (3 << 18) + 1, "rabenseifner", false},
		    {1 << 18, 1 << 17, "rabenseifner", true},
		    {1 << 18, 1, "rabenseifner", false}};
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {.fabric = &fabric,
			      .ppn = 1,
			      .collective = COLL_ALLREDUCE,
			      .type_size = 8};
	char why[512];

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct sim_result result = {0};
		int rc;

		job.nodes = rows[k].nodes;
		job.count = rows[k].count;
		select_parse(job.collective, rows[k].name, &job.choice, why,
			     sizeof(why));
		job.engine = SIM_SYMMETRY;
		rc = sim_run(&job, &result, why, sizeof(why));
		ok(rc ==
		       (rows[k].symmetric ? MRT_SUCCESS : MRT_ERR_UNSUPPORTED),
		   "%s of %d, %zu: %ssymmetric", rows[k].name, job.nodes,
		   job.count, rows[k].symmetric ? "" : "not ");
	}
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--rings")) {
		test_rings(atoi(argv[2]), atoi(argv[3]), 1);
		return tap_done();
	}
	test_long_ring();
	test_rings(2, 512, tap_quick() ? 200 : 40);
	test_pairs();
	test_neighbors();
	for (int k = 0; k < RINGS; k++)
		test_jitter(&rings[k]);
	for (int k = 0; k < PAIRS; k++)
		test_jitter(&pairs[k]);
	test_rotate();
	test_last();
	test_rotated("rabenseifner", 1);
	test_rotated("rabenseifner", 4);
	test_rotated("multi_leader", 4);
	test_claims();
	test_odd();
	test_many();
	return tap_done();
}
