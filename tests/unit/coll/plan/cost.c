/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.c: compares the cost that algorithms state with their plans. The
 * messages and bytes of all ranks must be exact. Rounds are compared with two
 * machines on which a message takes 1: on one a rank sends one message at a
 * time and receives one at a time, on the other any number. An algorithm may
 * mean either: where messages leave one rank while the others wait they follow
 * each other; where all ranks are equally busy they may count as one. Without
 * the messages that go together, the rounds are the longest chain of messages
 * of which each waits for the one before, but none for its receiver.
 */
#include <stdio.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "coll/plan/algorithm.h"
#include "coll/plan/select.h"
#include "tools/plan/timeline.h"
#include "coll/plan/topology.h"
#include "tests/tap.h"

enum { RANKS = 33 };

static int most_ranks = RANKS; /* 17 at TEST_LEVEL=quick */

/* The cost of the plans of all ranks together. */
struct taken {
	double one_port, any_ports; /* rounds */
	double chain;
	double sends, moved;
	bool one_sided;
};

static double message(const struct step *s, const void *with)
{
	return s->kind == STEP_SEND;
}

static void count(const struct plan *p, const struct shape *s,
		  struct taken *taken)
{
	for (uint32_t i = 0; i < p->nsteps; i++) {
		const struct step *t = &p->steps[i];

		taken->one_sided |=
		    step_has_peer(t->kind) && !step_is_message(t->kind);
		if (t->kind != STEP_SEND)
			continue;
		taken->sends++;
		taken->moved += (double)(t->count * s->type_size);
	}
}

static bool rounds(const struct plan *p, int ranks, int ports, double *end)
{
	struct timeline_rules rules = {message, NULL, ports};
	struct timeline t;

	if (timeline_make(&t, p, ranks, &rules))
		return false;
	*end = t.end;
	timeline_fini(&t);
	return true;
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

/* Returns when a step finishes if a message takes 1 and is sent at once. */
static double finished(const struct timeline *t, const struct plan *p, int rank,
		       uint32_t step)
{
	const struct step *s = &p[rank].steps[step];
	size_t mate = t->of[t->first[rank] + step].mate;
	double end = 0;

	for (int k = 0; k < 2; k++)
		if (s->after[k])
			end = most(end,
				   t->of[t->first[rank] + s->after[k] - 1].end);
	if (step_is_message(s->kind) && s->kind != STEP_SEND)
		end = most(end, t->of[mate].end + 1);
	return end;
}

/* Finds the longest chain by repeating until no step finishes later. */
static bool chain(const struct plan *p, int ranks, double *longest)
{
	struct timeline_rules rules = {message, NULL, 0};
	struct timeline t;
	bool later = true;

	if (timeline_make(&t, p, ranks, &rules))
		return false;
	*longest = 0;
	for (size_t i = 0; i < t.first[ranks]; i++)
		t.of[i].end = 0;
	while (later) {
		later = false;
		for (int r = 0; r < ranks; r++)
			for (uint32_t i = 0; i < p[r].nsteps; i++) {
				double *end = &t.of[t.first[r] + i].end;
				double now = finished(&t, p, r, i);

				later |= now > *end;
				*end = now;
				*longest = most(*longest, now);
			}
	}
	timeline_fini(&t);
	return true;
}

static bool take(const struct algorithm *a, const struct shape *s,
		 struct taken *taken)
{
	struct plan p[RANKS] = {0};
	bool good = true;

	*taken = (struct taken){0};
	for (int r = 0; r < s->size; r++) {
		good &= !plan_build(a, s, r, &p[r]);
		count(&p[r], s, taken);
	}
	good = good && rounds(p, s->size, 1, &taken->one_port) &&
	       rounds(p, s->size, 0, &taken->any_ports) &&
	       chain(p, s->size, &taken->chain);
	for (int r = 0; r < s->size; r++)
		plan_fini(&p[r]);
	return good;
}
/* ---- Against what is said ----------------------------------------------- */

static bool differ(double a, double b)
{
	return a < b || a > b;
}

/* These costs are right to a factor, because no short formula tells how ports
 * fill and empty (or ranks that do not make a full tree meet). So are those of
 * pipelines and hierarchies. */
static const struct {
	enum collective collective;
	const char *name;
} about_right[] = {
    {COLL_BCAST, "scatter_allgather"},
    {COLL_SCAN, "binomial"},
    {COLL_EXSCAN, "binomial"},
};

static bool has_exact_rounds(enum collective c, const struct algorithm *a)
{
	for (size_t i = 0; i < sizeof(about_right) / sizeof(*about_right); i++)
		if (about_right[i].collective == c &&
		    !strcmp(about_right[i].name, a->name))
			return false;
	return !a->by_node && !(a->arg && !strcmp(a->arg, "segment"));
}

/* In a pipeline of levels that overlap, which level is the longest depends on
 * the media, and a rank has several messages under way. */
static bool levels_overlap(const struct algorithm *a)
{
	return a == &allgather_multi_leader ||
	       (a->by_node && a->arg && !strcmp(a->arg, "segment"));
}

static bool rounds_hold(enum collective c, const struct algorithm *a,
			double said, const struct taken *seen)
{
	if (has_exact_rounds(c, a))
		return !differ(said, seen->one_port) ||
		       !differ(said, seen->any_ports);
	if (levels_overlap(a))
		return said <= 2 * seen->one_port;
	return seen->one_port <= 1.5 * said && said <= 2 * seen->one_port;
}

/* Tells whether ranks that are no power of two are folded. */
static bool is_folded(const struct algorithm *a)
{
	return !strncmp(a->name, "recursive_", 10) ||
	       !strcmp(a->name, "rabenseifner") || a == &allreduce_bine ||
	       a == &allgather_bine || a == &reduce_scatter_bine;
}

/* Extra ranks meet the others a message earlier than the cost says; in a prefix
 * the first ranks have nothing to wait for. */
static bool chain_holds(enum collective c, const struct algorithm *a,
			const struct cost *said, const struct taken *seen)
{
	double more = said->rounds - said->together - seen->chain;

	if (levels_overlap(a))
		return true;
	/* hierarchies: only messages between nodes are counted */
	if (!has_exact_rounds(c, a))
		return more >= 0;
	if (is_folded(a))
		return more >= 0 && more <= 1;
	return !differ(more, 0);
}

/* Ranks of a cache and caches of a node in the topology of place(). */
enum { PER_CACHE = 3, CACHES = 2 };

/* Tells whether all blocks, halves and quarters are whole elements, all groups
 * of ranks alike, and all ranks of a node leaders. */
static bool is_even(const struct shape *s)
{
	return s->count % (32 * (size_t)s->size) == 0 &&
	       (!s->topo || (s->size % (PER_CACHE * CACHES) == 0 &&
			     (!s->arg || s->arg >= PER_CACHE * CACHES)));
}

static bool try_shape(enum collective c, const struct algorithm *a,
		      const struct shape *s)
{
	struct cost said = {0};
	struct taken seen;

	/* the sum over the levels does not know the root's place in its groups,
	 * from which results move on when rank order counts */
	if (a->by_node && s->root && !s->commutative)
		return true;
	if (!select_fits(a, s))
		return true;
	if (!take(a, s, &seen))
		return false;
	a->cost(s, &said);
	if (seen.one_sided ||
	    (!differ(said.sends, seen.sends) &&
	     (!is_even(s) || !differ(said.moved, seen.moved)) &&
	     rounds_hold(c, a, said.rounds, &seen) &&
	     chain_holds(c, a, &said, &seen)))
		return true;
	printf("# %s/%s:%zu of %d ranks, root %d, count %zu%s: %g sends of %g "
	       "bytes in %g or %g rounds (a chain of %g), not %g of %g in %g "
	       "(%g together)\n",
	       coll_tables[c].name, a->name, s->arg, s->size, s->root, s->count,
	       s->commutative ? "" : " in order", seen.sends, seen.moved,
	       seen.one_port, seen.any_ports, seen.chain, said.sends,
	       said.moved, said.rounds, said.together);
	return false;
}

static bool try_args(enum collective c, const struct algorithm *a,
		     struct shape s)
{
	const size_t args[] = {a->arg_default, a->arg_min, 5, 48};
	bool good = true;

	for (size_t i = 0; i < (a->arg ? 4 : 1) && good; i++) {
		s.arg = a->arg_is_algorithm ? 0 : args[i];
		if (s.arg >= a->arg_min)
			good = try_shape(c, a, &s);
	}
	return good;
}

static bool try_counts(enum collective c, const struct algorithm *a,
		       struct shape s)
{
	size_t n = (size_t)s.size, counts[] = {0, 3 * n + 2, 32 * n};
	bool good = true;

	for (int i = 0; i < (c == COLL_BARRIER ? 1 : 3) && good; i++) {
		s.count = counts[i];
		for (int k = 0; k < 2 && good; k++) {
			s.commutative = k;
			good = try_args(c, a, s);
		}
	}
	return good;
}

static bool rooted(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE || c == COLL_GATHER ||
	       c == COLL_GATHERV || c == COLL_SCATTER || c == COLL_SCATTERV;
}

/* Makes a topology for hierarchies. */
static struct topology *place(int n)
{
	int node[RANKS], cache[RANKS];

	for (int r = 0; r < n; r++) {
		node[r] = r / (PER_CACHE * CACHES);
		cache[r] = r / PER_CACHE;
	}
	return topology_of_lists(n, node, cache);
}

static void test_algorithm(enum collective c, const struct algorithm *a)
{
	bool good = true;

	for (int n = 1; n <= most_ranks && good; n++) {
		struct shape s = {.size = n, .type_size = 8};
		struct topology *topo = place(n);

		s.topo = a->by_node ? topo : NULL;
		good = try_counts(c, a, s);
		s.root = n - 1;
		if (rooted(c))
			good = good && try_counts(c, a, s);
		topology_destroy(topo);
	}
	ok(good, "%s/%s", coll_tables[c].name, a->name);
}

/* ---- Broken on purpose -------------------------------------------------- */

static const struct algorithm *victim;
static void (*damage)(struct cost *c);

static void build(struct plan *plan, const struct shape *s, int rank)
{
	victim->build(plan, s, rank);
}

static void cost(const struct shape *s, struct cost *c)
{
	victim->cost(s, c);
	damage(c);
}

static void one_round_more(struct cost *c)
{
	c->rounds++;
}

static void one_together(struct cost *c)
{
	c->together++;
}

static void one_message_less(struct cost *c)
{
	c->sends--;
}

static void one_byte_more(struct cost *c)
{
	c->moved++;
}

static void expect_wrong(const char *what, void (*how)(struct cost *c))
{
	static const struct algorithm wrong = {
	    .name = "wrong", .build = build, .cost = cost};
	struct shape s = {.size = 4, .count = 128, .type_size = 8};

	victim = coll_tables[COLL_ALLREDUCE].rows[0];
	damage = how;
	ok(!try_shape(COLL_ALLREDUCE, &wrong, &s), "seen: %s", what);
}

int main(void)
{
	if (tap_quick())
		most_ranks = 17;
	/* neighbours, and so the cost, differ from rank to rank */
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++)
			test_algorithm((enum collective)c,
				       coll_tables[c].rows[i]);
	expect_wrong("a round too many", one_round_more);
	expect_wrong("a message that waits for none", one_together);
	expect_wrong("a message forgotten", one_message_less);
	expect_wrong("a byte too many", one_byte_more);
	return tap_done();
}
