/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closed.c: compares the simulator with closed forms in LogGP, to the
 * picosecond, for algorithms in which nothing waits for a NIC: each node has
 * one rank, and all nodes are alike.
 */
#include <math.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* Returns the ns from the send of a message of m bytes until it is received. */
static double one(const struct sim_fabric *f, double m)
{
	const struct sim_range *r = &f->levels[SIM_LEAF].ranges[0];

	return r->o_s + r->L + (m > 1 ? m - 1 : 0) * r->G + r->o_r;
}

/* Returns the ns of reducing m bytes. */
static double all(const struct sim_fabric *f, double m)
{
	return f->reduce * m;
}

/* Returns the ns of a collective of n ranks, a power of two, with blocks of m
 * bytes. */
typedef double closed_form(const struct sim_fabric *f, int n, double m);

static double rounds(const struct sim_fabric *f, int n, double m)
{
	return log2_ceil(n) * one(f, m);
}

static double up_and_down(const struct sim_fabric *f, int n, double m)
{
	return 2 * rounds(f, n, m);
}

static double reducing_rounds(const struct sim_fabric *f, int n, double m)
{
	return rounds(f, n, m) + log2_ceil(n) * all(f, m);
}

static double line(const struct sim_fabric *f, int n, double m)
{
	return (n - 1) * one(f, m);
}

static double two_rings(const struct sim_fabric *f, int n, double m)
{
	return 2 * line(f, n, m / n) + (n - 1) * all(f, m / n);
}

static double fan_out(const struct sim_fabric *f, int n, double m)
{
	return one(f, m) + (n - 2) * f->levels[SIM_LEAF].ranges[0].o_s;
}

static double fan_in(const struct sim_fabric *f, int n, double m)
{
	return one(f, m) + (n - 2) * f->levels[SIM_LEAF].ranges[0].o_r;
}

static double in_and_out(const struct sim_fabric *f, int n, double m)
{
	return fan_in(f, n, m) + fan_out(f, n, m);
}

static double doubling_blocks(const struct sim_fabric *f, int n, double m)
{
	double time = 0;

	for (int d = 1; d < n; d *= 2)
		time += one(f, d * m);
	return time;
}

static double halving_vector(const struct sim_fabric *f, int n, double m)
{
	double time = 0;

	for (int d = 2; d <= n; d *= 2)
		time += one(f, m / d) + all(f, m / d);
	return time;
}

static double there_and_back(const struct sim_fabric *f, int n, double m)
{
	return halving_vector(f, n, m) + doubling_blocks(f, n, m / n);
}

/* All ranks count at one word; rank 0 releases them and hears that they have
 * noticed. */
static double counters(const struct sim_fabric *f, int n, double m)
{
	const struct sim_link *l = &f->levels[SIM_LEAF];
	const struct sim_range *r = l->ranges;
	double way = r->L + 7 * r->G + l->atomic;

	(void)m;
	return r->o_s + way + (n - 2) * l->atomic +
	       fmax((n - 1) * r->o_s, r->o_s + way + r->L) + (n - 1) * r->o_r;
}

static const struct row {
	enum collective collective;
	const char *choice;
	closed_form *form;
	int block; /* bytes per block; if negative, bytes of n blocks; or 0 */
} rows[] = {
    {COLL_BARRIER, "dissemination", rounds, 0},
    {COLL_BARRIER, "recursive_doubling", rounds, 0},
    {COLL_BARRIER, "tree", up_and_down, 0},
    {COLL_BARRIER, "linear", in_and_out, 0},
    {COLL_BARRIER, "atomic:1024", counters, 0},
    {COLL_BCAST, "binomial", rounds, 1024},
    {COLL_BCAST, "linear", fan_out, 1024},
    {COLL_BCAST, "chain:1M", line, 1024},
    {COLL_REDUCE, "binomial", reducing_rounds, 1024},
    {COLL_ALLREDUCE, "recursive_doubling", reducing_rounds, 1024},
    {COLL_ALLREDUCE, "ring", two_rings, -64},
    {COLL_ALLREDUCE, "rabenseifner", there_and_back, -64},
    {COLL_ALLGATHER, "ring", line, 64},
    {COLL_ALLGATHER, "recursive_doubling", doubling_blocks, 64},
    {COLL_GATHER, "linear", fan_in, 1024},
    {COLL_REDUCE_SCATTER_BLOCK, "recursive_halving", halving_vector, -64},
};

static void try_row(const struct row *row, int n, enum sim_engine engine)
{
	struct sim_fabric fabric = bench_fabric(false);
	int vector = row->block < 0 ? -row->block * n : row->block;
	struct sim_job job = {.fabric = &fabric,
			      .nodes = n,
			      .ppn = 1,
			      .collective = row->collective,
			      .count = (size_t)vector / 8,
			      .type_size = 8,
			      .combine = COMBINE_ADD,
			      .engine = engine};
	struct sim_result result = {0};
	char why[512] = "";
	double want = row->form(&fabric, n, vector), parts = 0;
	int rc;

	if (row->collective == COLL_REDUCE_SCATTER_BLOCK)
		job.count /= (size_t)n;
	if (!select_parse(row->collective, row->choice, &job.choice, why,
			  sizeof(why)))
		tap_skip_all(why);
	rc = sim_run(&job, &result, why, sizeof(why));
	for (int k = 0; k < SIM_PARTS; k++)
		parts += result.part[k];
	ok(!rc && llround(result.time * 1e3) == llround(want * 1e3) &&
	       fabs(parts - want) < want * 1e-4,
	   "%s %s of %d ranks: %.3f ns, by the form %.3f %s",
	   coll_tables[row->collective].name, row->choice, n, result.time, want,
	   why);
	sim_result_fini(&result);
}

/* Algorithms on words only signal if there are no elements, as a barrier does.
 */
static void test_nothing(const char *name)
{
	struct sim_fabric fabric = bench_fabric(false);
	struct sim_job job = {
	    .fabric = &fabric,
	    .nodes = 40,
	    .ppn = 1,
	    .collective = COLL_ALLREDUCE,
	    .type_size = 8,
	    .combine = strcmp(name, "fetch_add") ? COMBINE_SWAP : COMBINE_ADD};
	struct sim_result result = {0}, barrier = {0};
	char why[512];
	int rc;

	select_parse(job.collective, name, &job.choice, why, sizeof(why));
	rc = sim_run(&job, &result, why, sizeof(why));
	job.collective = COLL_BARRIER;
	select_parse(job.collective, "atomic:8", &job.choice, why, sizeof(why));
	rc += sim_run(&job, &barrier, why, sizeof(why));
	ok(!rc && result.time > 0 && result.time == barrier.time,
	   "allreduce %s of nothing: %.3f ns, a barrier %.3f", name,
	   result.time, barrier.time);
}

/* ---- Costs that few fabrics have ---- */

/* Returns the ns of recursive doubling of m bytes among 64 nodes. */
static double doubling(const struct sim_fabric *fabric, size_t m)
{
	struct sim_job job = {.fabric = fabric,
			      .nodes = 64,
			      .ppn = 1,
			      .collective = COLL_ALLREDUCE,
			      .count = m / 8,
			      .type_size = 8,
			      .combine = COMBINE_ADD};
	struct sim_result result = {0};
	char why[512];

	select_parse(job.collective, "recursive_doubling", &job.choice, why,
		     sizeof(why));
	if (sim_run(&job, &result, why, sizeof(why)))
		return NAN;
	sim_result_fini(&result);
	return result.time;
}

static void test_cost(double ns, double want, const char *what)
{
	ok(fabs(ns - want) < 0.01, "%s: %.3f ns, by the form %.3f", what, ns,
	   want);
}

/* Returns by how many ns connections make a call of 16 ranks slower that keep
 * so many; each takes 5000 ns. */
static double opening(enum collective collective, const char *name, int ppn,
		      double connected, bool rendezvous)
{
	struct sim_fabric f = bench_fabric(rendezvous);
	struct sim_job job = {.fabric = &f,
			      .nodes = 16 / ppn,
			      .ppn = ppn,
			      .collective = collective,
			      .count = 8192,
			      .type_size = 1};
	struct sim_result with = {0}, without = {0};
	char why[512];
	int rc;

	select_parse(job.collective, name, &job.choice, why, sizeof(why));
	rc = sim_run(&job, &without, why, sizeof(why));
	f.connect = 5000;
	f.connected = connected;
	rc += sim_run(&job, &with, why, sizeof(why));
	return rc ? NAN : with.time - without.time;
}

/* A rank with more peers on other nodes than stay connected opens a connection
 * for each message to or from them. */
static void test_opening(bool rendezvous)
{
	const char *way = rendezvous ? "rendezvous" : "eager";
	const struct {
		enum collective collective;
		const char *name;
		int ppn, connected, opened;
	} cases[] = {{COLL_ALLTOALL, "pairwise", 1, 15, 0},
		     {COLL_ALLTOALL, "pairwise", 1, 14, 15},
		     {COLL_ALLTOALL, "pairwise", 1, 0, 0},
		     {COLL_ALLTOALL, "pairwise", 2, 14, 0},
		     {COLL_ALLTOALL, "pairwise", 2, 13, 14},
		     {COLL_ALLTOALL, "bruck", 1, 14, 0},
		     {COLL_GATHER, "linear", 1, 15, 0},
		     {COLL_GATHER, "linear", 1, 14, 15},
		     {COLL_SCATTER, "linear", 1, 14, 15}};

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		double ns =
		    opening(cases[k].collective, cases[k].name, cases[k].ppn,
			    cases[k].connected, rendezvous);

		ok(fabs(ns - cases[k].opened * 5000) < 0.01,
		   "%s %s, %s, nodes of %d, %d connected: %.3f ns, by the form "
		   "%d",
		   coll_tables[cases[k].collective].name, cases[k].name, way,
		   cases[k].ppn, cases[k].connected, ns,
		   cases[k].opened * 5000);
	}
}

static void test_costs(void)
{
	enum { N = 8192 };
	struct sim_fabric f = bench_fabric(true);
	double before = doubling(&f, N);

	f.call = 300;
	test_cost(doubling(&f, N) - before, 300, "call");
	f.call = 0;
	/* the rounds are 1, 2, 4, 8, 16 and 32 nodes apart; a rendezvous has
	 * four messages, with the notice to the sender */
	f.spread = 10;
	test_cost(doubling(&f, N) - before, 10 * 4 * (1 + 1 + 2 + 2), "spread");
	f.spread = 0;
	f.exchange = 2;
	test_cost(doubling(&f, N) - before, 6 * (N - 1) * 0.04, "exchange");
	test_cost(doubling(&f, 64), 6 * (one(&f, 64) + all(&f, 64)),
		  "exchange of eager messages");
	f.exchange = 0;
	/* a quarter of the vector stays in the cache */
	f.cache = N / 4;
	f.reduce_far = 2 * f.reduce;
	test_cost(doubling(&f, N) - before, 6 * N * 0.75 * f.reduce, "cache");
	test_cost(doubling(&f, N / 4), 6 * (one(&f, N / 4) + all(&f, N / 4)),
		  "a vector that stays in the cache");
}

/* Notes what the steps of a message from rank 0 to rank 1 took. */
static void see_message(void *to, const struct sim_seen *s)
{
	((struct sim_seen *)to)[s->rank] = *s;
}

/* Ranks that begin at these times, of which the first sends to the second. */
static void test_begins(double sender, double receiver)
{
	struct sim_fabric fabric = bench_fabric(false);
	const double begins[] = {sender, receiver};
	const double sent = sender + fabric.levels[SIM_LEAF].ranges[0].o_s;
	const double came = sender + one(&fabric, 8);
	/* one that comes late finds the message there */
	const double end =
	    fmax(came, receiver + fabric.levels[SIM_LEAF].ranges[0].o_r);
	struct sim_seen seen[2] = {0};
	struct sim_job job = {.fabric = &fabric,
			      .nodes = 2,
			      .ppn = 1,
			      .collective = COLL_BCAST,
			      .count = 1,
			      .type_size = 8,
			      .engine = SIM_HEAP,
			      .begins = begins,
			      .see = see_message,
			      .to = seen};
	struct sim_result result;
	char why[256];

	if (!select_parse(job.collective, "linear", &job.choice, why,
			  sizeof(why)) ||
	    sim_run(&job, &result, why, sizeof(why)))
		tap_skip_all(why);
	ok(fabs(result.time - end) < 1e-3, "begins %g, %g: ends at %g", sender,
	   receiver, result.time);
	ok(seen[0].kind == STEP_SEND && seen[0].peer == 1 &&
	       fabs(seen[0].begin - sender) < 1e-3 &&
	       fabs(seen[0].end - sent) < 1e-3,
	   "its send");
	ok(seen[1].kind == STEP_RECV && seen[1].peer == 0 &&
	       seen[1].bytes == 8 && fabs(seen[1].begin - receiver) < 1e-3 &&
	       fabs(seen[1].end - end) < 1e-3,
	   "its receive: %g to %g", seen[1].begin, seen[1].end);
	sim_result_fini(&result);
}

int main(void)
{
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
		for (int n = 2; n <= 128; n *= 2)
			try_row(&rows[k], n, SIM_AUTO);
	test_nothing("fetch_add");
	test_nothing("compare_swap");
	test_nothing("slots");
	test_costs();
	test_opening(false);
	test_opening(true);
	test_begins(0, 0);
	test_begins(5000, 0);
	test_begins(0, 5000);
	return tap_done();
}
