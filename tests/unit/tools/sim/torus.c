/* SPDX-License-Identifier: Apache-2.0 */
/*
 * torus.c: tests ways through a torus, and what waiting for its links takes,
 * against times computed by hand.
 */
#include <math.h>

#include "mrt.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* The parameters of bench_fabric.h, and an eager message. */
static const double L = 1000, os = 500, or = 700, G = 0.04;
enum { BYTES = 4096 };
static const double body = (BYTES - 1) * G;

static struct sim_topology torus(const char *text)
{
	struct sim_topology t = {0};
	char why[512];

	if (!sim_topology_parse(text, &t, why, sizeof(why)))
		printf("# %s\n", why);
	return t;
}

static void test_ways(void)
{
	struct sim_topology ring = torus("torus:8"), t = torus("torus:4x3x2");
	int way, most = 0;

	is_int(sim_torus_hops(&ring, 1, 4), 3, "a ring: three links");
	is_int(sim_torus_hops(&ring, 1, 7), 2, "... or two, the other way");
	is_int(sim_torus_step(&ring, 1, 7, &way), 0,
	       "... by the router before");
	is_int(way, 1, "... on the link back");
	is_int(sim_torus_step(&ring, 0, 4, &way), 1, "half way round: onwards");
	is_int(way, 0, "... on the link there");
	is_int(sim_torus_step(&t, 0, 23, &way), 3, "the first dimension first");
	is_int(sim_torus_step(&t, 3, 23, &way), 11, "then the second");
	is_int(way, 3, "... back round the end");
	is_int(sim_torus_step(&t, 11, 23, &way), 23, "then the third");
	is_int(way, 4, "... on its link");
	for (long a = 0; a < 24; a++)
		for (long b = 0; b < 24; b++)
			if (sim_torus_hops(&t, a, b) > most)
				most = sim_torus_hops(&t, a, b);
	is_int(most, 2 + 1 + 1, "no two routers are farther apart");
}

/* Runs a gather of blocks to the first of three nodes at these places. */
static struct sim_result gather(const char *topology, const long places[3])
{
	struct sim_fabric fabric = bench_fabric(true);
	struct sim_job job = {.fabric = &fabric,
			      .topology = torus(topology),
			      .places = places,
			      .nodes = 3,
			      .ppn = 1,
			      .collective = COLL_GATHER,
			      .count = BYTES,
			      .type_size = 1};
	struct sim_result result = {.time = -1};
	char why[512];

	if (!select_parse(COLL_GATHER, "linear", &job.choice, why,
			  sizeof(why)) ||
	    sim_run(&job, &result, why, sizeof(why)))
		printf("# %s\n", why);
	return result;
}

static void is_ns(double got, double want, const char *what)
{
	if (!ok(llround(got * 1e3) == llround(want * 1e3), "%s", what))
		printf("# got %.3f ns, want %.3f\n", got, want);
}

static void test_links(void)
{
	const long row[3] = {0, 1, 2}, sides[3] = {0, 1, 7};
	double apart = os + L + body + or, slow = 16 * BYTES * G;

	is_ns(gather("torus:8,hop=10,taper=16", sides).time, apart + 10 + or,
	      "two messages by two links wait for the receiver only");
	is_ns(gather("torus:8,taper=16", row).time, slow + apart,
	      "those by one slow link wait for it");
	is_ns(gather("torus:8,taper=8,load=0.5", row).time, slow + apart,
	      "... and for those of others");
	is_ns(gather("torus:8,hop=1000", row).time, apart + 2000 + BYTES * G,
	      "the farther one passes two links, and waits at the second");
	is_int((long)gather("torus:8", row).between, 3 * BYTES,
	       "bytes of all links");
}

static void test_wrong(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	const long outside[2] = {0, 6};
	struct sim_job job = {.fabric = &fabric,
			      .topology = torus("torus:3x2"),
			      .nodes = 7,
			      .ppn = 1,
			      .collective = COLL_BARRIER,
			      .type_size = 1};
	struct sim_result result;
	struct sim_topology t;
	char why[512];

	is_int(sim_run(&job, &result, why, sizeof(why)), MRT_ERR_ARG,
	       "more nodes than routers");
	ok(strstr(why, "torus") != NULL, "... says why");
	job.nodes = 2;
	job.places = outside;
	is_int(sim_run(&job, &result, why, sizeof(why)), MRT_ERR_ARG,
	       "a place outside");
	job.topology = torus("torus:1048576x1048576");
	is_int(sim_run(&job, &result, why, sizeof(why)), MRT_ERR_ARG,
	       "more routers than ranks may be");
	ok(!sim_topology_parse("torus", &t, why, sizeof(why)), "no size");
	ok(!sim_topology_parse("torus:2x2x2x2", &t, why, sizeof(why)),
	   "four dimensions");
	ok(!sim_topology_parse("fattree:2x2x2", &t, why, sizeof(why)),
	   "a tree of three");
}

int main(void)
{
	test_ways();
	test_links();
	test_wrong();
	return tap_done();
}
