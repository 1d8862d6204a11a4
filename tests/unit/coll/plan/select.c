/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.c: tests that every shape has a choice, the same on all ranks; forced
 * algorithms; unknown names.
 */
#include "coll/plan/select.h"

#include <unistd.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/plan/topology.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "tests/tap.h"

/* Returns what select_init prints on stderr; *rc becomes its result. */
static const char *hear(int *rc)
{
	static char text[1024];
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	size_t n;

	dup2(fileno(f), STDERR_FILENO);
	*rc = select_init();
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void force(enum collective collective, const char *name)
{
#define VARIABLE(upper, lower) [COLL_##upper] = &env.lower,
	const char **const vars[COLLECTIVES] = {COLLECTIVE_LIST(VARIABLE)};

	*vars[collective] = name;
}

/* Returns the time that the model predicts for a choice. */
static double choice_time(struct choice choice, const struct shape *shape,
			  const struct machine *machine)
{
	struct shape s = *shape;

	s.arg = choice.arg;
	return model_time(choice.algorithm, &s, machine);
}

/* Tells whether an algorithm may be the default. */
static bool is_candidate(struct choice choice, const struct shape *shape)
{
	const struct algorithm *a = choice.algorithm;
	struct shape s = *shape;
	struct cost c = {0};

	s.arg = choice.arg ? choice.arg : a->arg_default;
	if (select_fits(a, &s))
		a->cost(&s, &c);
	return select_fits(a, &s) && !c.atomics;
}

/* Tells whether an algorithm with one of its arguments takes less time. */
static bool is_faster(const struct algorithm *a, double least,
		      const struct shape *s, const struct machine *machine)
{
	static const size_t by_default[] = {0};
	const size_t *arg = by_default;
	bool faster = false;

	do {
		struct choice choice = {a, *arg};

		faster |= is_candidate(choice, s) &&
			  choice_time(choice, s, machine) < least;
		arg = *arg ? arg + 1 : a->arg_tries;
	} while (arg && *arg);
	return faster;
}

/* Tells whether there is a choice that fits and no other that fits takes less
 * time. */
static bool is_best(enum collective collective, const struct shape *s,
		    const struct machine *machine)
{
	const struct coll_table *t = &coll_tables[collective];
	struct choice best = select_algorithm(collective, s, machine, false);
	bool good = best.algorithm && select_choice_fits(&best, s);
	double least;

	/* neighbours and lengths differ from rank to rank */
	switch (collective) {
	case COLL_NEIGHBOR_ALLGATHER:
	case COLL_NEIGHBOR_ALLTOALL:
	case COLL_GATHERV:
	case COLL_SCATTERV:
	case COLL_ALLTOALLV:
		return good;
	default:
		break;
	}
	least = choice_time(best, s, machine);
	for (size_t i = 0; i < t->nrows; i++)
		good &= !is_faster(t->rows[i], least, s, machine);
	return good;
}

static bool always_best(enum collective collective,
			const struct machine *machine)
{
	struct shape s = {.type_size = 8};
	bool good = true;

	for (s.size = 1; s.size < 300; s.size += 1 + s.size / 8)
		for (s.count = 0; s.count < 1 << 22; s.count = s.count * 3 + 1)
			for (int k = 0; k < 4; k++) {
				s.root = k & 1 ? s.size - 1 : 0;
				s.commutative = k & 2;
				good &= is_best(collective, &s, machine);
			}
	return good;
}

/* Tests that the choice does not depend on what ranks do not know alike:
 * whether they are in place, the lengths of irregular blocks. */
static bool same_on_all_ranks(enum collective collective)
{
	struct shape s = {.size = 7, .type_size = 8, .commutative = true};
	bool is_irregular = collective == COLL_GATHERV ||
			    collective == COLL_SCATTERV ||
			    collective == COLL_ALLTOALLV;
	bool good = true;

	for (size_t count = 0; count < 1 << 22; count = count * 3 + 1) {
		struct choice a, b;

		s.in_place = false;
		s.count = is_irregular ? 10 : count;
		a = select_algorithm(collective, &s, NULL, false);
		s.in_place = true;
		s.count = count;
		b = select_algorithm(collective, &s, NULL, false);
		good &= a.algorithm == b.algorithm && a.arg == b.arg;
	}
	return good;
}

/* Tests what may follow a name and what must not. */
static void test_arguments(enum collective collective)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++) {
		const struct algorithm *a = t->rows[i];
		struct choice choice;
		char text[128], why[256];
		bool parsed;

		snprintf(text, sizeof(text), "%s:64K", a->name);
		parsed =
		    select_parse(collective, text, &choice, why, sizeof(why));
		if (a->arg_is_algorithm)
			ok(!parsed && strstr(why, "no other algorithm"),
			   "%s is refused", text);
		else
			ok(a->arg ? parsed && choice.arg == 65536
				  : !parsed && strstr(why, "no argument"),
			   "%s %s", text, a->arg ? "is taken" : "is refused");
		snprintf(text, sizeof(text), "%s:x", a->name);
		ok(!select_parse(collective, text, &choice, why, sizeof(why)),
		   "%s is refused", text);
	}
}

static void test_collective(enum collective collective)
{
	const struct coll_table *t = &coll_tables[collective];
	struct shape s = {
	    .size = 5, .count = 10, .type_size = 8, .commutative = true};
	static const struct machine machines[] = {
	    {.medium = MEDIUM_SM},
	    {.medium = MEDIUM_BUSY, .cpus = 2},
	    {.medium = MEDIUM_NET},
	    {.medium = MEDIUM_SOFT, .cpus = 2}};
	const char *said;
	int rc;

	for (int m = 0; m < MEDIA; m++)
		ok(!select_forced(collective) &&
		       always_best(collective, &machines[m]),
		   "%s, %s: a choice that fits for every shape, the fastest",
		   t->name, medium_names[m]);
	ok(same_on_all_ranks(collective), "whatever only this rank knows");
	for (size_t i = 0; i < t->nrows; i++) {
		force(collective, t->rows[i]->name);
		is_int(select_init(), 0, "%s=%s", t->variable,
		       t->rows[i]->name);
		ok(select_forced(collective) &&
		       (select_algorithm(collective, &s, NULL, false)
			    .algorithm == t->rows[i]) ==
			   select_fits(t->rows[i], &s),
		   "forces it where it fits");
	}
	force(collective, "rign");
	said = hear(&rc);
	is_int(rc, MRT_ERR_ENV, "%s=rign is an error", t->variable);
	has_str(said, t->variable, "which names the variable");
	for (size_t i = 0; i < t->nrows; i++)
		has_str(said, t->rows[i]->name, "and %s", t->rows[i]->name);
	test_arguments(collective);
	force(collective, "");
	is_int(select_init(), 0, "back to none");
}

static void test_unfit(void)
{
	struct shape s = {.size = 6, .count = 1 << 20, .type_size = 8};
	struct choice a;

	force(COLL_ALLREDUCE, "ring");
	select_init();
	a = select_algorithm(COLL_ALLREDUCE, &s, NULL, false);
	ok(select_fits(a.algorithm, &s) && strcmp(a.algorithm->name, "ring"),
	   "a forced ring gives way when the order matters");
	force(COLL_ALLREDUCE, "");
	select_init();
}

/* The model and the environment say once each from which length on messages go
 * by rendezvous. */
static void test_eager(void)
{
	is_int((long)models[MEDIUM_SM].eager, (long)env.sm_eager_max,
	       "the model's eager messages, shared memory");
	is_int((long)models[MEDIUM_BUSY].eager, (long)env.sm_eager_max,
	       "the same, more ranks than CPUs");
	is_int((long)models[MEDIUM_NET].eager, (long)env.ib_eager_max,
	       "network");
}

/* ---- Connections --------------------------------------------------------- */

/* Returns by how many ns the price of connections makes a call of 64 B slower
 * between nodes, on each of which are `ppn` ranks. */
static double connecting(enum collective collective, const char *name,
			 int nodes, int ppn)
{
	const struct machine machine = {.medium = MEDIUM_NET};
	struct shape s = {.size = nodes * ppn, .count = 64, .type_size = 1};
	int *node = calloc((size_t)s.size, 2 * sizeof(*node));
	struct topology *topo;
	struct choice choice;
	char why[512];
	double time;

	for (int r = 0; r < s.size; r++)
		node[r] = node[s.size + r] = r / ppn;
	topo = topology_of_lists(s.size, node, node + s.size);
	s.topo = topo;
	select_parse(collective, name, &choice, why, sizeof(why));
	time = model_time(choice.algorithm, &s, &machine);
	models[MEDIUM_NET].connected = 0;
	time -= model_time(choice.algorithm, &s, &machine);
	model_reset();
	topology_destroy(topo);
	free(node);
	return time;
}

/* Returns the name of the choice for an alltoall between 1,024 nodes. */
static const char *between_1024(size_t bytes)
{
	const struct machine machine = {.medium = MEDIUM_NET};
	struct topology topo = {
	    .size = 1024, .nodes = 1024, .caches = 1024, .ordered = true};
	struct shape s = {
	    .size = 1024, .count = bytes, .type_size = 1, .topo = &topo};

	return select_default(COLL_ALLTOALL, &s, &machine).algorithm->name;
}

static void test_connecting(void)
{
	static const struct {
		enum collective collective;
		const char *name;
		int nodes, ppn, messages; /* that open a connection */
	} rows[] = {
	    {COLL_ALLTOALL, "pairwise", 257, 1, 0},
	    {COLL_ALLTOALL, "pairwise", 258, 1, 258},
	    {COLL_ALLTOALL, "linear", 258, 1, 257},
	    {COLL_ALLTOALLV, "linear", 258, 1, 257},
	    /* 256 and 257 other ranks, and those of the own node */
	    {COLL_ALLTOALL, "linear", 3, 128, 0},
	    {COLL_ALLTOALL, "linear", 3, 129, 386},
	    {COLL_ALLTOALL, "node_aware", 4, 64, 0},
	    {COLL_ALLTOALL, "node_aware", 4, 300, 0},
	    {COLL_ALLTOALL, "bruck", 1024, 1, 0},
	    {COLL_GATHER, "linear", 257, 1, 0},
	    {COLL_GATHER, "linear", 258, 1, 257},
	    {COLL_SCATTERV, "linear", 258, 1, 257},
	    {COLL_ALLGATHER, "ring", 1024, 1, 0},
	    {COLL_REDUCE_SCATTER, "pairwise", 258, 1, 257},
	    {COLL_BARRIER, "linear", 258, 1, 514},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		double ns = connecting(rows[k].collective, rows[k].name,
				       rows[k].nodes, rows[k].ppn);
		double want = rows[k].messages * models[MEDIUM_NET].connect;

		/* links may take longer than the rest of the chain */
		ok(ns <= want && ns >= want * 0.99,
		   "%s %s, %d nodes of %d: connections cost %.0f ns",
		   coll_tables[rows[k].collective].name, rows[k].name,
		   rows[k].nodes, rows[k].ppn, ns);
	}
	is_str(between_1024(65536), "bruck", "1,024 nodes, 64 KiB");
	is_str(between_1024(1 << 18), "bruck", "256 KiB");
	is_str(between_1024(1 << 20), "linear",
	       "1 MiB: copies take longer than connections");
	*model_parameter(MEDIUM_NET, "connected") = 0;
	is_str(between_1024(65536), "linear", "if all stay connected");
	model_reset();
}

int main(void)
{
	char err[256];

	env_load(err, sizeof(err));
	is_int(select_init(), 0, "nothing forced");
	for (int c = 0; c < COLLECTIVES; c++)
		if (coll_tables[c].nrows)
			test_collective(c);
	test_unfit();
	test_eager();
	test_connecting();
	return tap_done();
}
