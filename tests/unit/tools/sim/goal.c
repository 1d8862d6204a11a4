/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal.c: tests that what mrt-plan exports as GOAL takes the time that the
 * simulator says, to the picosecond, where both can tell it: all messages are
 * eager, there is one switch, and, except for hierarchical algorithms, one rank
 * per node. goal_time.c times each exported text and knows nothing but the
 * text. The test covers all algorithms of the tables, except that GOAL has no
 * one-sided steps and the simulator no neighbours.
 */
#include <math.h>
#include <string.h>

#include "tools/sim/sim.h"
#include "coll/plan/algorithm.h"
#include "tools/plan/draw.h"
#include "mrt.h"
#include "tests/tap.h"
#include "tests/unit/tools/sim/goal_text.h"

/* CALC: the ns per byte of reductions and copies; an integer, because calc has
 * whole ns. */
enum { CALC = 2, BIG = 513, BIG_SENDS = 20000 };

/* In the first machine the CPU is slower than the NIC; in the others the NIC is
 * slower than the CPU, per message and per byte. */
/* clang-format off */
static const struct loggp machines[] = {
    {.L = 1000000, .o_s = 500000, .o_r = 700000, .g = 100000, .G = 40,
     .O_s = 20, .O_r = 30, .ppn = 1},
    {.L = 800000, .o_s = 70000, .o_r = 40000, .g = 613000, .G = 7, .O_s = 11,
     .O_r = 5, .ppn = 1},
    {.L = 300000, .o_s = 17000, .o_r = 29000, .g = 3000, .G = 901, .O_s = 3,
     .O_r = 13, .ppn = 1}};
enum { MACHINES = sizeof(machines) / sizeof(*machines) };

/* Returns the machine as a fabric. An empty message costs as much as one of a
 * byte, as in GOAL. */
static struct sim_fabric fabric_of(const struct loggp *p)
{
	struct sim_range any = {.max_bytes = SIM_NO_LIMIT,
				.L = (double)p->L / 1e3,
				.o_s = (double)p->o_s / 1e3,
				.o_r = (double)p->o_r / 1e3,
				.g = (double)p->g / 1e3,
				.G = (double)p->G / 1e3,
				.O_s = (double)p->O_s / 1e3,
				.O_r = (double)p->O_r / 1e3};
	struct sim_range none = any;
	struct sim_fabric f = {.name = "goal", .reduce = CALC, .copy = CALC};

	none.max_bytes = 0;
	none.o_s += any.O_s;
	none.o_r += any.O_r;
	for (int l = 0; l < SIM_LEVELS; l++)
		f.levels[l] =
		    (struct sim_link){.nranges = 2, .ranges = {none, any}};
	return f;
}
/* clang-format on */

struct tally {
	int same, wrong, onesided, algorithms;
};

/* ---- One job ------------------------------------------------------------ */

/* Returns the options with which mrt-plan draws the job's call. */
static struct draw_options options_of(const struct sim_job *job)
{
	struct draw_options o = {.collective = job->collective,
				 .choice = job->choice,
				 .rank = -1,
				 .calc_per_byte = CALC,
				 .shape = {.size = job->nodes * job->ppn,
					   .root = job->root,
					   .count = job->count,
					   .type_size = job->type_size,
					   .commutative = !job->in_order,
					   .combine = job->combine,
					   .arg = job->choice.arg}};
	char nodes[16];

	snprintf(nodes, sizeof(nodes), "%d", job->nodes);
	if (job->nodes > 1)
		o.shape.topo = o.topo =
		    draw_topology(o.shape.size, nodes, false, 1);
	return o;
}

/* Returns the GOAL text, to be freed; or NULL if GOAL cannot express the plan.
 */
static char *export(const struct draw_options *o)
{
	struct drawing d;
	char *text = NULL;
	size_t bytes;
	FILE *out;

	if (drawing_make(&d, o))
		abort();
	out = d.totals.onesided ? NULL : open_memstream(&text, &bytes);
	if (out) {
		draw_goal(&d, out);
		fclose(out);
	}
	drawing_fini(&d);
	return text;
}

static int64_t time_of(char *text, const struct loggp *p)
{
	const char *line;
	struct goal goal;
	int64_t time = -1;

	if (goal_read(&goal, text, &line))
		time = goal_time(&goal, p);
	else
		printf("# not understood: %s\n", line);
	goal_free(&goal);
	return time;
}

static bool simulated(struct sim_job job, enum sim_engine engine, int64_t want)
{
	struct sim_result result = {0};
	char name[64], why[256];
	int rc;

	job.engine = engine;
	rc = sim_run(&job, &result, why, sizeof(why));
	if (!rc && llround(result.time * 1e3) == want)
		return true;
	select_print(job.collective, &job.choice, name, sizeof(name));
	printf("# %s %s, %d nodes of %d, %zu of %zu bytes, root %d: simulated "
	       "%.3f ns, GOAL takes %.3f %s\n",
	       coll_tables[job.collective].name, name, job.nodes, job.ppn,
	       job.count, job.type_size, job.root, result.time,
	       (double)want / 1e3, why);
	return false;
}

/* Compares both times of a job. Returns false if the algorithm does not fit the
 * call. */
static bool compare(struct sim_job job, struct loggp p, struct tally *t)
{
	struct sim_fabric fabric = fabric_of(&p);
	struct draw_options o = options_of(&job);
	bool fits = select_choice_fits(&job.choice, &o.shape);
	char *text = fits ? export(&o) : NULL;
	int64_t want;

	topology_destroy(o.topo);
	t->onesided += fits && !text;
	if (!text)
		return fits;
	p.ppn = job.ppn;
	want = time_of(text, &p);
	free(text);
	job.fabric = &fabric;
	if (simulated(job, SIM_HEAP, want) && simulated(job, SIM_AUTO, want))
		t->same++;
	else
		t->wrong++;
	return true;
}

/* ---- All jobs of an algorithm ------------------------------------------- */

static const struct call {
	size_t count, type_size;
	bool in_order;
	int root; /* counted from the end, 1 is the last rank; 0 is rank 0 */
} calls[] = {{0, 8, false, 0},	 {1, 8, false, 0}, {1, 1, true, 1},
	     {100, 8, false, 3}, {37, 3, true, 0}, {700, 8, true, 0}};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

static bool try_call(struct sim_job job, const struct call *call, int machine,
		     struct tally *t)
{
	int n = job.nodes * job.ppn;

	job.count = call->count;
	job.type_size = call->type_size;
	job.in_order = call->in_order;
	job.root = call->root && call->root < n ? n - call->root : 0;
	if (!job.in_order)
		job.combine = COMBINE_ADD;
	return compare(job, machines[machine], t);
}

/* Tells whether an algorithm has few enough messages to be tried with BIG
 * ranks, for which the simulator uses another engine than for the other sizes.
 */
static bool is_light(enum collective c, const struct algorithm *a, size_t arg)
{
	struct shape shape = {.size = BIG,
			      .count = 1,
			      .type_size = 8,
			      .commutative = true,
			      .arg = arg ? arg : a->arg_default};
	struct cost cost = {0};

	if (c > COLL_ALLREDUCE || a->by_node || !select_fits(a, &shape))
		return false;
	a->cost(&shape, &cost);
	return cost.sends <= BIG_SENDS;
}

/* Tries each call on one of the machines, and the fourth, which is neither
 * short nor odd, on all. */
static bool try_size(const struct sim_job *job, struct tally *t)
{
	bool any = false;

	for (int k = 0; k < CALLS; k++)
		for (int m = 0; m < MACHINES; m++)
			if (m == k % MACHINES || k == 3)
				any |= try_call(*job, &calls[k], m, t);
	return any;
}

static bool try_choice(enum collective c, struct choice choice, struct tally *t)
{
	static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 33};
	struct sim_job job = {
	    .collective = c, .choice = choice, .ppn = 1, .no_boards = true};
	bool any = false;

	if (choice.algorithm->by_node)
		job.ppn = 4;
	for (int k = 0; k < (int)(sizeof(sizes) / sizeof(*sizes));
	     k += tap_quick() ? 2 : 1) {
		job.nodes = sizes[k] / job.ppn;
		if (job.nodes)
			any |= try_size(&job, t);
	}
	job.nodes = BIG;
	if (is_light(c, choice.algorithm, choice.arg))
		any |= try_call(job, &calls[1], 1, t);
	return any;
}

/* Tries an algorithm with its default argument and the least one; or, if it is
 * built from another algorithm, with each of them. */
static void try_algorithm(enum collective c, const struct algorithm *a,
			  struct tally *t)
{
	struct choice choice = {.algorithm = a};
	bool any = try_choice(c, choice, t);
	size_t last = coll_tables[c].nrows;

	if (a->arg && !a->arg_is_algorithm && a->arg_min != a->arg_default) {
		choice.arg = a->arg_min;
		any |= try_choice(c, choice, t);
	}
	for (size_t k = 1; a->arg_is_algorithm && k <= last; k++) {
		choice.arg = k;
		any |= try_choice(c, choice, t);
	}
	t->algorithms += any;
}

static void test_collective(enum collective c, struct tally *all)
{
	struct tally t = {0};

	for (size_t k = 0; k < coll_tables[c].nrows; k++)
		try_algorithm(c, coll_tables[c].rows[k], &t);
	ok(t.same && !t.wrong,
	   "%s: %d of %d jobs of %d algorithms take the same time; %d more "
	   "have one-sided steps",
	   coll_tables[c].name, t.same, t.same + t.wrong, t.algorithms,
	   t.onesided);
	all->same += t.same;
	all->algorithms += t.algorithms;
	all->onesided += t.onesided;
}

/* ---- The reference itself ----------------------------------------------- */

static void test_text(const char *what, const char *text, int64_t want)
{
	char *copy = strdup(text);

	is_int(time_of(copy, &machines[1]), want, "by hand: %s", what);
	free(copy);
}

static void test_measure(void)
{
	const struct loggp *p = &machines[1];
	int64_t cpus = p->o_s + p->o_r + 9 * (p->O_s + p->O_r);
	int64_t one = cpus + p->L + 8 * p->G;

	test_text("a message",
		  "num_ranks 2\nrank 0 {\ns1: send 9b to 1 tag 3\n}\n"
		  "rank 1 {\ns1: recv 9b from 0 tag 3\ns2: calc 5\n"
		  "s2 requires s1\n}\n",
		  one + 5000);
	/* the second message waits for the sender's NIC */
	test_text("two messages",
		  "num_ranks 2\nrank 0 {\ns1: send 9b to 1 tag 3\n"
		  "s2: send 9b to 1 tag 4\n}\nrank 1 {\n"
		  "s1: recv 9b from 0 tag 3\ns2: recv 9b from 0 tag 4\n}\n",
		  one + p->g + 8 * p->G);
	test_text("one that nobody sends",
		  "num_ranks 2\nrank 0 {\n}\nrank 1 {\n"
		  "s1: recv 9b from 0 tag 3\n}\n",
		  -1);
	test_text("one of another length",
		  "num_ranks 2\nrank 0 {\ns1: send 8b to 1 tag 3\n}\n"
		  "rank 1 {\ns1: recv 9b from 0 tag 3\n}\n",
		  -1);
	test_text("what is not GOAL",
		  "num_ranks 1\nrank 0 {\ns1: calc 1\ns1 requires s2\n}\n", -1);
}

int main(void)
{
	struct tally all = {0};

	test_measure();
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		test_collective((enum collective)c, &all);
	printf(
	    "# %d jobs of %d algorithms; %d jobs with one-sided steps, which "
	    "GOAL cannot express\n",
	    all.same, all.algorithms, all.onesided);
	return tap_done();
}
