/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.c: tests what libraries and adapters do with several long messages of a
 * rank: a NIC takes turns among queue pairs, a rank that blocks ends one
 * message before the next; and the memory that a call allocates. Times are
 * computed by hand.
 */
#include <math.h>

#include "coll/plan/plan.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/against_heap.h"

/* The parameters of bench_fabric.h, but for g, and a long message. */
static const double L = 1000, os = 500, or = 700, G = 0.04;
enum { RANKS = 4, LONG = 1 << 20, TURN = 1 << 16 };
static const double body = (LONG - 1) * G;

/* The ends of the last receive of each rank, in ns. */
static double received[RANKS];

static void note_receive(void *to, const struct sim_seen *step)
{
	(void)to;
	if (step->kind == STEP_RECV)
		received[step->rank] = step->end;
}

static int rails = 1; /* of run_bcast */

static double run_bcast(const struct sim_fabric *fabric, int nodes,
			const char *algorithm, bool in_turn)
{
	struct sim_job job = {.fabric = fabric,
			      .topology.rails = rails,
			      .nodes = nodes,
			      .ppn = 1,
			      .collective = COLL_BCAST,
			      .count = LONG,
			      .type_size = 1,
			      .in_turn = in_turn,
			      .engine = SIM_HEAP,
			      .see = note_receive};
	struct sim_result result = {.time = -1};
	char why[512];

	if (!select_parse(COLL_BCAST, algorithm, &job.choice, why,
			  sizeof(why)) ||
	    sim_run(&job, &result, why, sizeof(why)))
		printf("# %s\n", why);
	return result.time;
}

/* Tests that `got` ns are what is wanted, but for the rounding of parts. */
static void is_about(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) <= 5, "%s", what))
		printf("# got %.1f ns, want %.1f\n", got, want);
}

/* The data of a rendezvous come this long after its send. */
static double data_after(double sent)
{
	return os + L + or +2 * L + sent + or ;
}

static void test_nic_turns(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	double one_after_another, by_turns;

	fabric.levels[SIM_LEAF].ranges[1].g = 0;
	one_after_another = run_bcast(&fabric, 3, "linear", false);
	is_about(received[1], data_after(body), "whole messages: the first");
	is_about(received[2], data_after(2 * body), "... and the second");
	fabric.nic_turn = TURN;
	by_turns = run_bcast(&fabric, 3, "linear", false);
	/* the last part of one is sent before the last part of the other */
	is_about(received[1], data_after(2 * body - body / 8),
		 "parts by turns: the first");
	is_about(received[2], data_after(2 * body), "... and the second");
	is_about(by_turns, one_after_another, "... and the call");
	run_bcast(&fabric, RANKS, "linear", false);
	ok(received[1] < received[2] && received[2] < received[3],
	   "three end in the order in which they began");
	fabric.nic_turn = LONG;
	run_bcast(&fabric, 3, "linear", false);
	is_about(received[1], data_after(body),
		 "messages no longer than a turn are sent whole");
}

/* Two NICs carry the parts of a long message; short messages of the ranks of a
 * node go through the nearest. */
static void test_rails(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 2,
			      .ppn = 2,
			      .collective = COLL_ALLTOALL,
			      .count = 4096,
			      .type_size = 1};
	struct sim_result one = {0}, two = {0};
	char why[512];

	fabric.levels[SIM_LEAF].ranges[1].g = 0;
	fabric.nic_turn = TURN;
	rails = 2;
	run_bcast(&fabric, 2, "linear", false);
	is_about(received[1], data_after(body / 2), "half by each of two NICs");
	rails = 64;
	run_bcast(&fabric, 2, "linear", false);
	is_about(received[1], data_after(body / 16),
		 "of 64 NICs as many as there are parts of a turn");
	rails = 1;
	/* each rank sends to the two of the other node */
	for (int l = 0; l < SIM_LEVELS; l++)
		fabric.levels[l].ranges[0] = (struct sim_range){
		    .max_bytes = 4096, .L = L, .g = 100, .G = 1};
	select_parse(COLL_ALLTOALL, "linear", &job.choice, why, sizeof(why));
	sim_run(&job, &one, why, sizeof(why));
	job.topology.rails = 2;
	sim_run(&job, &two, why, sizeof(why));
	is_about(one.time - two.time, 2 * (100 + 4095),
		 "a NIC for each rank of a node");
}

/* Segments to one peer keep their order, and take no longer. */
static void test_queue_pair(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	double whole, parts;

	fabric.levels[SIM_LEAF].ranges[1].g = 0;
	whole = run_bcast(&fabric, RANKS, "chain:262144", false);
	fabric.nic_turn = 4096;
	parts = run_bcast(&fabric, RANKS, "chain:262144", false);
	is_about(parts, whole, "messages of one queue pair");
}

/* One rank that stands for all takes the turns that all take. */
static void test_symmetry(void)
{
	static const struct {
		enum collective collective;
		size_t count;
	} calls[] = {{COLL_ALLTOALL, 40000},
		     {COLL_ALLGATHER, 40000},
		     {COLL_ALLREDUCE, 1 << 20},
		     {COLL_REDUCE_SCATTER_BLOCK, 40000}};
	struct sim_fabric fabric = uneven_fabric();
	struct tally tally = {0};

	fabric.spread = 0;
	/* whose turn it is at a node's memory may depend on the engine */
	fabric.memory = 0;
	for (int l = 0; l < SIM_LEVELS; l++) {
		struct sim_link *link = &fabric.levels[l];

		link->ranges[link->nranges] = link->ranges[0];
		link->ranges[link->nranges++].rendezvous = true;
		link->ranges[0].max_bytes = 4096;
	}
	fabric.nic_turn = 10000;
	for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]); c++)
		for (int ppn = 1; ppn <= 2; ppn++) {
			const struct coll_table *t =
			    &coll_tables[calls[c].collective];
			struct sim_job job = {.fabric = &fabric,
					      .topology.rails = ppn,
					      .nodes = 16,
					      .ppn = ppn,
					      .collective = calls[c].collective,
					      .count = calls[c].count,
					      .type_size = 1};

			for (size_t k = 0; k < t->nrows; k++) {
				job.choice.algorithm = t->rows[k];
				compare(job, SIM_SYMMETRY, &tally);
			}
		}
	ok(tally.same > 20 && !tally.wrong,
	   "one rank for all: %d the same, %d untold, %d wrong", tally.same,
	   tally.untold, tally.wrong);
}

static void test_in_turn(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	/* the sender hears of the end L after the receiver has the data */
	double one = os + L + or +2 * L + body + L + or ;

	is_about(run_bcast(&fabric, RANKS, "linear", true), (RANKS - 1) * one,
		 "a rank that ends each message before the next");
}

static void test_allocated(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 2,
			      .ppn = 1,
			      .collective = COLL_BARRIER,
			      .type_size = 1};
	struct sim_result before = {0}, after = {0};
	char why[512];

	sim_run(&job, &before, why, sizeof(why));
	fabric.fresh = 0.5;
	fabric.fresh_huge = 0.25;
	job.allocated = 1000;
	job.allocated_huge = 2000;
	sim_run(&job, &after, why, sizeof(why));
	is_about(after.time - before.time, 1000, "memory that is made anew");
}

static void test_wrong(void)
{
	struct sim_fabric fabric = bench_fabric(true);
	char why[512];

	fabric.nic_turn = -1;
	ok(!sim_fabric_check(&fabric, why, sizeof(why)), "nic_turn below 0");
	is_str(why, "nic_turn", "... is named");
	fabric.nic_turn = 0;
	fabric.fresh = -1;
	ok(!sim_fabric_check(&fabric, why, sizeof(why)), "fresh below 0");
	is_str(why, "fresh", "... is named");
}

int main(void)
{
	test_nic_turns();
	test_rails();
	test_queue_pair();
	test_symmetry();
	test_in_turn();
	test_allocated();
	test_wrong();
	return tap_done();
}
