/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sharing.c: tests waiting for shared resources against times computed by hand:
 * NICs and memory shared by the ranks of a node, pools of links, words; also
 * rendezvous, noise and mistakes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "mrt.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* The parameters of bench_fabric.h. */
static const double L = 1000, os = 500, or = 700, g = 100, G = 0.04, C = 0.03,
		    word = 250;

static struct sim_result run(struct sim_job job, const char *algorithm,
			     const char *topology)
{
	struct sim_fabric fabric = bench_fabric(true);
	struct sim_result result = {.time = -1};
	char why[512] = "";

	if (!job.fabric)
		job.fabric = &fabric;
	if (select_parse(job.collective, algorithm, &job.choice, why,
			 sizeof(why)) &&
	    sim_topology_parse(topology, &job.topology, why, sizeof(why)) &&
	    !sim_run(&job, &result, why, sizeof(why)))
		return result;
	printf("# %s\n", why);
	return result;
}

static struct sim_job job(enum collective collective, int nodes, int ppn,
			  size_t bytes)
{
	return (struct sim_job){.collective = collective,
				.nodes = nodes,
				.ppn = ppn,
				.count = bytes / 8,
				.type_size = 8,
				.combine = COMBINE_ADD};
}

static void is_ns(double got, double want, const char *what)
{
	if (!ok(llround(got * 1e3) == llround(want * 1e3), "%s", what))
		printf("# got %.3f ns, want %.3f\n", got, want);
}

/* ---- NICs ---------------------------------------------------------------- */

static void test_nic(void)
{
	double m = 4096, body = (m - 1) * G, gap = g + body;
	struct sim_result r;

	/* eight ranks of one node send to one rank of the other node, where the
	 * messages of its own node's seven other ranks arrive meanwhile */
	r = run(job(COLL_GATHER, 2, 8, 4096), "linear", "flat");
	is_ns(r.time,
	      fmax(os + 7 * gap + L + body + or, os + L + body + 15 * or),
	      "ranks share their node's NIC, and rank 0 takes its time");
	is_ns(r.messages[SIM_LEAF], 8, "eight messages between the nodes");
	is_ns(r.messages[SIM_CACHE], 7, "seven inside");
	is_ns(r.bytes[SIM_LEAF], 8 * m, "and their bytes");
	/* each rank of node 0 exchanges with a rank of node 1 */
	r = run(job(COLL_ALLREDUCE, 2, 8, 4096), "recursive_doubling", "flat");
	is_ns(r.time, 4 * (os + L + body + or +C * m) + 7 * gap,
	      "eight messages each way at once, one after the other");
	is_ns(r.part[SIM_QUEUEING], 7 * gap, "the last has waited for seven");
}

static void test_cyclic(void)
{
	struct sim_job j = job(COLL_ALLREDUCE, 2, 8, 4096);
	double m = 4096, body = (m - 1) * G;
	struct sim_result r;

	j.cyclic = true;
	r = run(j, "recursive_doubling", "flat");
	is_ns(r.messages[SIM_LEAF], 16,
	      "dealt in turn, the first round is far");
	is_ns(r.time, 4 * (os + L + body + or +C * m) + 7 * (g + body),
	      "and waits as much");
}

/* ---- Links --------------------------------------------------------------- */

static void test_links(void)
{
	double m = 4096, body = (m - 1) * G;
	double free = 3 * (os + L + body + or +C * m);
	struct sim_job j = job(COLL_ALLREDUCE, 8, 1, 4096);
	struct sim_result r;

	r = run(j, "recursive_doubling", "flat");
	is_ns(r.time, free, "one switch: nothing waits");
	is_ns(r.messages[SIM_OTHER], 0, "nothing is far");
	r = run(j, "recursive_doubling", "fattree:4");
	is_ns(r.time, free, "a link for each node: nothing waits");
	is_ns(r.messages[SIM_OTHER], 8, "the last round is far");
	r = run(j, "recursive_doubling", "fattree:4,taper=2");
	is_ns(r.time, free + m * G, "two links for four: two wait for two");
	r = run(j, "recursive_doubling", "fattree:4,taper=4,hop=100");
	is_ns(r.time, free + 3 * m * G + 200, "one link for four, two hops");
	/* messages of ranks that waited in the second round are served after
	 * the others in the third */
	r = run(j, "recursive_doubling", "fattree:2x2,taper=2,hop=100");
	is_ns(r.time, free + m * G + 200 + 400, "two stages");
	/* each router has a quarter of a link, and the group has one */
	r = run(j, "recursive_doubling", "dragonfly:1x4,taper=4,hop=100");
	is_ns(r.time, free + 3 * m * G + 100 + 100 + 300, "a dragonfly");
}

/* Every other node of the second half is among those of the first half. */
static void test_places(void)
{
	static const long places[8] = {0, 2, 4, 6, 1, 3, 5, 7},
			  far[8] = {0, 2, 40, 43, 1, 3, 41, 42};
	double m = 4096, body = (m - 1) * G;
	double free = 3 * (os + L + body + or +C * m);
	struct sim_job j = job(COLL_ALLREDUCE, 8, 1, 4096);
	struct sim_result r;

	r = run(j, "recursive_doubling", "fattree:4,load=0.5");
	is_ns(r.time, free + m * G, "half of the links are others'");
	is_ns(r.between, 8 * m, "the bytes of a round leave a group");
	r = run(j, "ring", "fattree:2x2");
	is_ns(r.between, r.bytes[SIM_OTHER] / 2,
	      "half of what leaves the leaves leaves the pods");
	j.places = places;
	r = run(j, "recursive_doubling", "fattree:4,taper=2,hop=100");
	is_ns(r.time, free + m * G + 200, "one round is far");
	is_ns(r.messages[SIM_OTHER], 8, "the second");
	j.places = far;
	r = run(j, "recursive_doubling", "fattree:4,taper=2,hop=100");
	is_ns(r.time, free + m * G + 200, "also if groups are left out");
	r = run(j, "recursive_doubling", "dragonfly+:4x5,taper=4,hop=100");
	is_ns(r.time, free + 3 * m * G + 300, "a dragonfly+");
	r = run(j, "recursive_doubling", "dragonfly+:4x50,taper=4,hop=100");
	is_ns(r.time, free + 3 * m * G + 200, "and inside one of its groups");
	is_ns(r.between, 0, "which nothing leaves");
}

static void test_scatter(void)
{
	long places[64], again[64], all[8], sum = 0;
	bool good = true;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		sim_scatter(places, 64, 640, seed);
		for (int k = 0; k < 64; k++) {
			good &= places[k] < 640 && places[k] >= 0 &&
				(!k || places[k] > places[k - 1]);
			sum += places[k];
		}
	}
	ok(good, "places ascend");
	ok(labs(sum / 200 / 64 - 319) < 20, "and are anywhere");
	sim_scatter(again, 64, 640, 200);
	ok(!memcmp(places, again, sizeof(again)), "by the seed alone");
	sim_scatter(all, 8, 8, 1);
	ok(all[0] == 0 && all[7] == 7, "all that there are");
}

/* ---- Rendezvous ---------------------------------------------------------- */

static void test_rendezvous(void)
{
	double m = 8192, body = (m - 1) * G;
	struct sim_result r =
	    run(job(COLL_BCAST, 2, 1, 8192), "linear", "flat");

	/* FIN reaches the root L after the data has reached the receiver */
	is_ns(r.time, os + L + or +L + L + body + L + or, "a rendezvous");
	is_int(r.last_rank, 0, "ends at the sender");
	is_ns(r.part[SIM_LATENCY], 4 * L, "after four ways");
}

/* Rank 0 has both requests before it has the data of the first. The second
 * sender hears of its data last. */
static void test_fetches(void)
{
	double body = 8191 * G, fetch = or +2 * L + body;
	struct sim_result r =
	    run(job(COLL_GATHER, 1, 3, 8192), "linear", "flat");

	is_ns(r.time, os + L + 2 * fetch + L + or,
	      "inside a node a rank fetches one message after the other");
}

/* ---- Memory -------------------------------------------------------------- */

/* In each of two rounds the memory serves four messages, which it reads and
 * writes, and four reductions, of two operands, in the second round to the
 * place of one of them. It never waits for a rank. */
static void test_memory(void)
{
	struct sim_job j = job(COLL_ALLREDUCE, 1, 4, 8192);
	double m = 8192, free = run(j, "recursive_doubling", "flat").time;
	struct sim_fabric fabric = bench_fabric(true);

	j.fabric = &fabric;
	fabric.memory = 1;
	is_ns(run(j, "recursive_doubling", "flat").time, os + L + 18 * m,
	      "ranks share their node's memory");
	j.collective = COLL_REDUCE_SCATTER_BLOCK;
	j.ppn = 2;
	is_ns(run(j, "ring", "flat").time, os + L + 3 * m,
	      "as does the reduction of what arrives");
	j.collective = COLL_ALLREDUCE;
	j.ppn = 4;
	fabric.node_cache = 16 * m;
	is_ns(run(j, "recursive_doubling", "flat").time, free,
	      "four ranks' vectors, and what they receive, stay in the caches");
	fabric.node_cache = 0;
	j.nodes = 4;
	j.ppn = 1;
	is_ns(run(j, "recursive_doubling", "flat").time, free,
	      "a rank alone has all of it");
}

/* ---- Words --------------------------------------------------------------- */

static void test_words(void)
{
	struct sim_result r = run(job(COLL_BARRIER, 1, 2, 0), "atomic", "flat");
	double way = os + L + 7 * G + word;

	is_ns(r.time, 2 * way + L + or,
	      "two ranks on one node: signal, release, and hear of it");
	r = run(job(COLL_ALLREDUCE, 2, 1, 80), "fetch_add", "flat");
	is_ns(r.time,
	      9 * (os + g + 7 * G) + way + L + or
		  +way + 80 * C + os + L + 79 * G + L + or +way + L + or
	      , "ten sums to as many words, a signal, and back");
}

/* ---- Noise --------------------------------------------------------------- */

static void test_noise(void)
{
	struct sim_job j = job(COLL_BARRIER, 64, 1, 0);
	double quiet = run(j, "dissemination", "flat").time, one, two;

	j.noise = 5000;
	j.noise_chance = 0.1;
	j.seed = 1;
	one = run(j, "dissemination", "flat").time;
	is_ns(run(j, "dissemination", "flat").time, one,
	      "noise is the same again");
	ok(one > quiet + 1000, "and costs: %.0f ns instead of %.0f", one,
	   quiet);
	j.seed = 2;
	two = run(j, "dissemination", "flat").time;
	ok(fabs(two - one) > 1, "another seed, other noise");
	j.noise_chance = 0;
	is_ns(run(j, "dissemination", "flat").time, quiet, "no chance, none");
}

/* ---- Mistakes ------------------------------------------------------------ */

static void test_topologies(void)
{
	static const char *const bad[] = {"",
					  "flat:3",
					  "fattree",
					  "fattree:0",
					  "fattree:x",
					  "fattree:4x",
					  "fattree:4x2x2",
					  "dragonfly:4",
					  "mesh:4",
					  "flat,rails=0",
					  "flat,rails=1.5",
					  "fattree:4,taper=",
					  "flat,taper=x",
					  "flat,slow=1"};
	struct sim_topology t;
	char why[256];

	for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++)
		ok(!sim_topology_parse(bad[k], &t, why, sizeof(why)) &&
		       strstr(why, bad[k]),
		   "'%s' is none: %s", bad[k], why);
}

static void is_refused(const struct sim_job *j, const char *part)
{
	struct sim_result result;
	char why[256] = "";

	ok(sim_run(j, &result, why, sizeof(why)) == MRT_ERR_ARG &&
	       strstr(why, part),
	   "refused: %s", why);
}

static void test_jobs(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	struct sim_job good = job(COLL_ALLREDUCE, 4, 2, 64), j;

	good.fabric = &fabric;
	j = good;
	j.nodes = 1 << 24;
	is_refused(&j, "ranks");
	j = good;
	j.caches = 3;
	is_refused(&j, "caches");
	j = good;
	j.root = 8;
	is_refused(&j, "root");
	j = good;
	j.in_order = true;
	j.choice.algorithm = &allreduce_ring;
	is_refused(&j, "does not fit");
	fabric.levels[SIM_LEAF].ranges[1].G = -1;
	is_refused(&good, "level leaf, range 2: G");
	fabric = bench_fabric(true);
	fabric.levels[SIM_OTHER].ranges[0].max_bytes = SIM_NO_LIMIT;
	is_refused(&good, "level other, range 1: max_bytes");
}

int main(void)
{
	test_nic();
	test_cyclic();
	test_links();
	test_places();
	test_scatter();
	test_rendezvous();
	test_fetches();
	test_memory();
	test_words();
	test_noise();
	test_topologies();
	test_jobs();
	return tap_done();
}
