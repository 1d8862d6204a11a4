/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus.c: tests ranks of a node that share CPUs against times computed by hand.
 * With as many CPUs as ranks the times are those of a job without the option.
 */
#include <math.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "mrt.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/bench_fabric.h"

/* The parameters of bench_fabric.h, except L, which is chosen so that no two
 * events coincide; and the time of a turn. */
static const double L = 900, os = 500, or = 700, G = 0.04, T = 2000;

static struct sim_fabric turning_fabric(double latency, double turn)
{
	struct sim_fabric f = bench_fabric(true);

	f.turn = turn;
	for (int l = 0; l < SIM_LEVELS; l++)
		for (int k = 0; k < f.levels[l].nranges; k++)
			f.levels[l].ranges[k].L = latency;
	return f;
}

static struct sim_result run(struct sim_job job, const char *algorithm)
{
	struct sim_result result = {.time = -1};
	char why[512] = "";

	if (select_parse(job.collective, algorithm, &job.choice, why,
			 sizeof(why)) &&
	    !sim_run(&job, &result, why, sizeof(why)))
		return result;
	printf("# %s\n", why);
	return result;
}

static struct sim_job job(const struct sim_fabric *f, enum collective c,
			  int ranks, int cpus, size_t bytes)
{
	return (struct sim_job){.fabric = f,
				.collective = c,
				.nodes = 1,
				.ppn = ranks,
				.cpus = cpus,
				.count = bytes / 8,
				.type_size = 8,
				.combine = COMBINE_ADD};
}

static void is_ns(double got, double want, const char *what)
{
	if (!ok(llround(got * 1e3) == llround(want * 1e3), "%s", what))
		printf("# got %.3f ns, want %.3f\n", got, want);
}

/* ---- One CPU ------------------------------------------------------------- */

static void test_message(void)
{
	struct sim_fabric slow = turning_fabric(L, T);
	struct sim_fabric fast = turning_fabric(L, 100);
	double body = 7 * G, come = os + L + body;
	struct sim_result r = run(job(&slow, COLL_BCAST, 2, 1, 8), "binomial");

	is_ns(r.time, os + T + or, "a message, and one turn to its receiver");
	is_ns(r.part[SIM_QUEUEING], os + T - come, "which waited for the CPU");
	is_ns(r.part[SIM_OVERHEAD], os + or, "and has worked");
	r = run(job(&fast, COLL_BCAST, 2, 1, 8), "binomial");
	is_ns(r.time, come + or, "who is left alone polls all the time");
	r = run(job(&slow, COLL_BCAST, 2, 2, 8), "binomial");
	is_ns(r.time, come + or, "two CPUs: no turn");
}

static void test_exchange(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	/* rank 0 sends; rank 1 sends and takes the message of rank 0; rank 0
	 * takes the message of rank 1 */
	double want = os + T + os + or +T + or ;
	struct sim_result r =
	    run(job(&f, COLL_BARRIER, 2, 1, 0), "recursive_doubling");

	is_ns(r.time, want, "an exchange: two turns");
	is_int(r.last_rank, 0, "who began is the last");
}

/* In a rendezvous the receiver's CPU fetches the data itself, at once. */
static void test_rendezvous(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	double fetched = os + T + or +2 * L + 8191 * G;
	struct sim_result r = run(job(&f, COLL_BCAST, 2, 1, 8192), "binomial");

	is_ns(r.time, fetched + or +T + or,
	      "a rendezvous: all in one visit, and the sender hears of it");
}

/* Returns the time of a chain that begins at root, visit by visit. */
static double chain(int n, int root, double turn)
{
	double come[8] = {0}, t = 0;
	bool has[8] = {0}, done[8] = {0};
	int k = 0, left = n;

	has[root] = true;
	for (;;) {
		if (has[k] && come[k] <= t) {
			t += (k != root ? or : 0) + (left > 1 ? os : 0);
			done[k] = true;
			if (!--left)
				return t;
			has[(k + 1) % n] = true;
			come[(k + 1) % n] = t + L + 7 * G;
		}
		do
			k = (k + 1) % n;
		while (done[k]);
		t += turn;
		if (left == 1)
			t = fmax(t, come[k]);
	}
}

static void test_idle_rounds(void)
{
	static const double turns[] = {100, 333, 2000};
	struct sim_result r;

	for (int i = 0; i < 3; i++) {
		struct sim_fabric f = turning_fabric(L, turns[i]);
		double off = 0;

		for (int n = 2; n <= 8; n++)
			for (int root = 0; root < n; root++) {
				struct sim_job j = job(&f, COLL_BCAST, n, 1, 8);

				j.root = root;
				r = run(j, "chain:1M");
				off = fmax(off, fabs(r.time -
						     chain(n, root, turns[i])));
			}
		ok(off < 1e-3, "chains: visits in vain, fewer as ranks leave");
	}
}

/* Without latency and turns a CPU that all ranks share is never idle. */
static void test_work(enum collective c)
{
	struct sim_fabric f = turning_fabric(0, 0);
	const struct coll_table *t = &coll_tables[c];

	f.reduce = 0;
	for (int l = 0; l < SIM_LEVELS; l++)
		f.levels[l].ranges[0].G = 0;
	for (size_t k = 0; k < t->nrows; k++) {
		const struct algorithm *a = t->rows[k];
		double off = 0;
		int fit = 0;

		if (a->cells || a->by_node || a->board)
			continue;
		for (int n = 2; n <= 17; n++) {
			struct sim_job j = job(&f, c, n, 1, 64);
			struct sim_result r = run(j, a->name);
			double work = r.messages[SIM_CACHE] * (os + or);

			if (r.time < 0)
				continue;
			fit++;
			off = fmax(off, fabs(r.time - work));
		}
		ok(fit && off < 1e-3,
		   "%s %s: all its work, one after the other", t->name,
		   a->name);
	}
}

/* ---- Two CPUs ------------------------------------------------------------ */

/* Ranks 0 and 2 share one CPU, ranks 1 and 3 the other, which begins half a
 * turn later. */
static void test_two_cpus(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	struct sim_result r =
	    run(job(&f, COLL_BARRIER, 4, 2, 0), "recursive_doubling");
	/* rank 1 gets to send while the message of rank 0 is in flight, takes
	 * that message and sends again; rank 3 can take the message of rank 2
	 * at once, and finishes with that of rank 1 */
	double one = T / 2 + os + or +os;
	double three = one + T + os + or +os + or ;
	/* after rank 2 has sent, rank 0 takes the message of rank 1 and sends
	 * again; rank 2 takes those of ranks 3 and 0; and rank 0 takes that of
	 * rank 2 */
	double two = os + T + os, zero = two + T + or +os;
	double both = zero + T + or +os + or, end = both + T + or ;

	is_ns(r.time, end, "four ranks on two CPUs");
	ok(one + T + os + L < zero + T && three + T + or < end,
	   "the other CPU is in time");
	is_int(r.last_rank, 0, "the first is the last");
}

/* Rank 3 finds its message half a turn later than it would if the CPUs took
 * their turns in step, and before rank 1 finds its own. */
static void test_not_in_step(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	struct sim_result r = run(job(&f, COLL_BCAST, 4, 2, 8), "linear");

	is_ns(r.time, T / 2 + T + or +T + or, "CPUs do not go in step");
}

/* ---- Two nodes of one CPU ------------------------------------------------ */

/* Rank 3, on the other node, sends to rank 0, which the CPU has just visited,
 * to rank 1, which it visits next, and to rank 2. */
static void test_sooner(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	struct sim_job j = job(&f, COLL_BCAST, 3, 1, 8);

	j.nodes = 2;
	j.root = 3;
	is_ns(run(j, "linear").time, 3 * (T + or),
	      "who is visited sooner is served sooner");
}

/* Rank 0 has the messages of ranks 1 and 2 and, alone on its CPU, polls for the
 * last one all the time. */
static void test_alone(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	struct sim_job j = job(&f, COLL_GATHER, 2, 1, 8);
	double far = 3500;

	f.levels[SIM_LEAF].ranges[0].L = far;
	j.nodes = 2;
	is_ns(run(j, "linear").time, os + T + os + far + 7 * G + or,
	      "alone, after it has found something");
}

/* One node is simulated for all nodes. */
static void test_nodes(void)
{
	struct sim_fabric f = turning_fabric(L, T);
	struct sim_job j = job(&f, COLL_ALLREDUCE, 5, 2, 40 * 8 * 8);
	double exact;

	j.nodes = 8;
	j.engine = SIM_HEAP;
	exact = run(j, "ring").time;
	j.engine = SIM_SYMMETRY;
	is_ns(run(j, "ring").time, exact, "eight nodes as one");
	j.cpus = 0;
	ok(run(j, "ring").time < exact, "faster with a CPU each");
}

/* ---- Enough CPUs --------------------------------------------------------- */

static bool same(struct sim_job j, int cpus)
{
	struct sim_result a = {0}, b = {0};
	char why[512];
	bool good;
	int rc;

	j.hashes = true;
	rc = sim_run(&j, &a, why, sizeof(why));
	if (rc)
		return rc == MRT_ERR_ARG; /* the algorithm does not fit */
	j.cpus = cpus;
	rc = sim_run(&j, &b, why, sizeof(why));
	good = !rc && llround(a.time * 1e3) == llround(b.time * 1e3) &&
	       a.hash == b.hash && !memcmp(a.part, b.part, sizeof(a.part));
	sim_result_fini(&a);
	sim_result_fini(&b);
	return good;
}

static void test_enough(enum collective c)
{
	struct sim_fabric f = turning_fabric(L, T);
	const struct coll_table *t = &coll_tables[c];
	int wrong = 0;

	for (size_t k = 0; k < t->nrows; k++)
		for (int n = 1; n <= 9; n++) {
			struct sim_job j = job(&f, c, n, 0, 640);

			j.nodes = n % 3 + 1;
			j.cyclic = n % 2;
			j.choice.algorithm = t->rows[k];
			wrong += !same(j, n) + !same(j, n + 1);
		}
	is_int(wrong, 0, "%s: CPUs for all", t->name);
}

/* ---- The choice, mistakes ------------------------------------------------ */

static const struct algorithm *chosen(const struct sim_fabric *f,
				      enum collective c, int cpus, size_t bytes)
{
	struct sim_job j = job(f, c, 8, cpus, bytes);
	struct sim_result result = {0};
	char why[512];

	return sim_run(&j, &result, why, sizeof(why)) ? NULL
						      : result.choice.algorithm;
}

static void test_choice(enum collective c)
{
	const struct machine busy = {.medium = MEDIUM_BUSY, .cpus = 2};
	struct sim_fabric f = turning_fabric(L, T);
	struct shape shape = {.size = 8,
			      .type_size = 8,
			      .commutative = true,
			      .combine = COMBINE_ADD};
	int wrong = 0, differ = 0;

	for (size_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
		const struct algorithm *want;

		shape.count = bytes / 8;
		want = select_default(c, &shape, &busy).algorithm;
		wrong += chosen(&f, c, 2, bytes) != want;
		differ += chosen(&f, c, 8, bytes) != want;
	}
	is_int(wrong, 0, "%s: the choice of a job with two CPUs",
	       coll_tables[c].name);
	ok(differ, "another one than with eight, for some lengths");
}

static void is_refused(const struct sim_job *j, const char *part)
{
	struct sim_result result;
	char why[256] = "";

	ok(sim_run(j, &result, why, sizeof(why)) == MRT_ERR_ARG &&
	       strstr(why, part),
	   "refused: %s", why);
}

static void test_mistakes(void)
{
	struct sim_fabric f = turning_fabric(L, -1);
	struct sim_job j = job(&f, COLL_BARRIER, 4, 2, 0);

	is_refused(&j, "turn");
	f.turn = T;
	j.cpus = -1;
	is_refused(&j, "cpus");
}

int main(void)
{
	test_message();
	test_exchange();
	test_rendezvous();
	test_idle_rounds();
	test_work(COLL_BARRIER);
	test_work(COLL_BCAST);
	test_two_cpus();
	test_not_in_step();
	test_sooner();
	test_alone();
	test_nodes();
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		test_enough((enum collective)c);
	model_reset();
	test_choice(COLL_ALLGATHER);
	test_choice(COLL_BCAST);
	test_mistakes();
	return tap_done();
}
