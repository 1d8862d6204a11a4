/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.c: tests when steps happen, with chains, ports, counters and plans
 * that do not match each other; and tests for every algorithm that all its
 * steps happen, in order, and not sooner with one port than with any number.
 */
#include "tools/plan/timeline.h"

#include "coll/plan/algorithms.h"
#include "coll/plan/select.h"
#include "coll/plan/topology.h"
#include "mrt.h"
#include "tests/tap.h"

/* Returns the time of a step: *with for messages and one-sided steps, half of
 * it for reductions, and 0 for the others. */
static double by_kind(const struct step *s, const void *with)
{
	double unit = *(const double *)with;

	if (s->kind == STEP_RECV_REDUCE || s->kind == STEP_REDUCE)
		return unit / 2;
	return step_has_peer(s->kind) && s->kind != STEP_RECV ? unit : 0;
}

static const double unit = 1;

static bool is(double a, double b)
{
	return a <= b && a >= b;
}

static bool ends(const struct plan *plans, int ranks, int ports, double end)
{
	struct timeline_rules rules = {by_kind, &unit, ports};
	struct timeline t;

	if (timeline_make(&t, plans, ranks, &rules))
		return false;
	if (!is(t.end, end))
		printf("# ends at %g, not %g\n", t.end, end);
	end = is(t.end, end);
	timeline_fini(&t);
	return end > 0;
}

static int fails(const struct plan *plans, int ranks)
{
	struct timeline_rules rules = {by_kind, &unit, 0};
	struct timeline t;
	int rc = timeline_make(&t, plans, ranks, &rules);

	if (!rc)
		timeline_fini(&t);
	return rc;
}

static void finish(struct plan *plans, int ranks)
{
	for (int r = 0; r < ranks; r++)
		plan_fini(&plans[r]);
}

static void test_chain(void)
{
	struct plan p[3] = {0};
	struct part part = {.ref = ref(BUF_RECV, 0), .count = 1};
	uint32_t got;

	plan_send(&p[0], 1, part, 0, 0);
	got = plan_add(
	    &p[1],
	    (struct step){.kind = STEP_RECV_REDUCE, .peer = 0, .count = 1});
	plan_send(&p[1], 2, part, got, 0);
	plan_recv(&p[2], 1, part, 0, 0);
	ok(ends(p, 3, 0, 2.5), "a chain of two messages and a reduction");
	plan_recv(&p[2], 0, part, 0, 0);
	is_int(fails(p, 3), MRT_ERR_INTERNAL, "a receive without its send");
	finish(p, 3);
}

/* Two messages are sent in one order and received in the other, both at
 * once. */
static void test_tags(void)
{
	struct plan p[2] = {0};

	for (unsigned tag = 0; tag < 2; tag++) {
		plan_send(&p[0], 1, (struct part){.tag = tag}, 0, 0);
		plan_recv(&p[1], 0, (struct part){.tag = !tag}, 0, 0);
	}
	ok(ends(p, 2, 1, 2), "messages are known by their tags");
	p[1].steps[0].tag = 2;
	is_int(fails(p, 2), MRT_ERR_INTERNAL, "a receive of another tag");
	finish(p, 2);
}

/* Rank 0 sends to all others, and they send to rank 0. */
static void test_ports(void)
{
	struct plan p[4] = {0};

	for (int r = 1; r < 4; r++) {
		plan_send(&p[0], r, (struct part){.tag = 0}, 0, 0);
		plan_recv(&p[r], 0, (struct part){.tag = 0}, 0, 0);
	}
	ok(ends(p, 4, 0, 1), "three messages of a rank with ports enough");
	ok(ends(p, 4, 2, 2), "with two ports");
	ok(ends(p, 4, 1, 3), "with one port");
	for (int r = 1; r < 4; r++) {
		plan_send(&p[r], 0, (struct part){.tag = 1}, 0, 0);
		plan_recv(&p[0], r, (struct part){.tag = 1}, 0, 0);
	}
	ok(ends(p, 4, 1, 3), "both ways at once: ports are for each direction");
	finish(p, 4);
}

static uint32_t signal_to(struct plan *plan, int peer, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_SIGNAL,
					    .peer = peer,
					    .dst = ref(BUF_CELLS, 1),
					    .after = {after, 0}});
}

static uint32_t wait_for(struct plan *plan, size_t count, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_WAIT_MEMORY,
					    .dst = ref(BUF_CELLS, 1),
					    .count = count,
					    .after = {after, 0}});
}

/* Rank 0 signals twice, then sends; rank 1 waits for one signal, then for the
 * other, and answers each: at once, or late, when both have arrived. */
static void test_counters(bool late)
{
	struct plan p[2] = {0};
	struct part nothing = {.tag = 0};
	uint32_t k;

	k = signal_to(&p[0], 1, 0);
	k = signal_to(&p[0], 1, k);
	plan_send(&p[0], 1, nothing, k, 0);
	k = plan_recv(&p[1], 0, nothing, 0, 0);
	k = wait_for(&p[1], 1, late ? k : 0);
	k = signal_to(&p[1], 0, k);
	k = wait_for(&p[1], 1, k);
	signal_to(&p[1], 0, k);
	wait_for(&p[0], 2, 0);
	ok(ends(p, 2, 0, late ? 5 : 3), "waits take signals in turn%s",
	   late ? ", late" : "");
	wait_for(&p[1], 1, k);
	is_int(fails(p, 2), MRT_ERR_INTERNAL, "a wait for a signal too many");
	finish(p, 2);
}

static void test_deadlock(void)
{
	struct plan p[2] = {0};

	for (int r = 0; r < 2; r++) {
		uint32_t got =
		    plan_recv(&p[r], !r, (struct part){.tag = 0}, 0, 0);

		plan_send(&p[r], !r, (struct part){.tag = 0}, got, 0);
	}
	is_int(fails(p, 2), MRT_ERR_INTERNAL, "both wait for the other first");
	finish(p, 2);
}

/* ---- All algorithms ----------------------------------------------------- */

static bool in_order(const struct timeline *t, const struct plan *plans)
{
	bool good = true;

	for (int r = 0; r < t->ranks; r++)
		for (uint32_t i = 0; i < plans[r].nsteps; i++) {
			const struct interval *all = &t->of[t->first[r]];

			good &= all[i].end >= all[i].begin;
			for (int k = 0; k < 2; k++) {
				uint32_t a = plans[r].steps[i].after[k];

				good &= !a || all[a - 1].end <= all[i].begin;
			}
		}
	return good;
}

static bool try_algorithm(const struct algorithm *a, struct shape shape)
{
	struct timeline_rules rules = {by_kind, &unit, 0};
	struct timeline all, one;
	struct plan p[13] = {0};
	bool good = true;

	if (!shape.arg)
		shape.arg = a->arg_default;
	for (int r = 0; r < shape.size; r++)
		good &= !plan_build(a, &shape, r, &p[r]);
	good = good && !timeline_make(&all, p, shape.size, &rules);
	if (good) {
		rules.ports = 1;
		good = in_order(&all, p) &&
		       !timeline_make(&one, p, shape.size, &rules);
		if (good) {
			good = in_order(&one, p) && one.end >= all.end;
			timeline_fini(&one);
		}
		timeline_fini(&all);
	}
	finish(p, shape.size);
	return good;
}

/* Tests an algorithm; if it needs a topology, with nodes of three ranks. */
static bool try_size(const struct algorithm *a, struct shape shape)
{
	int node[13], cache[13] = {0};
	struct topology *topo;
	bool good = true;

	for (int r = 0; r < shape.size; r++)
		node[r] = r / 3;
	topo = topology_of_lists(shape.size, node, cache);
	if (!select_fits(a, &shape))
		shape.topo = topo;
	if (select_fits(a, &shape))
		good = try_algorithm(a, shape);
	topology_destroy(topo);
	return good;
}

static void test_algorithms(void)
{
	for (int c = 0; c < COLL_NEIGHBOR_ALLGATHER; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++) {
			const struct algorithm *a = coll_tables[c].rows[i];
			bool good = true;

			for (int n = 1; n <= 13; n++) {
				struct shape s = {.size = n,
						  .count = 29 * (c > 0),
						  .type_size = 8,
						  .commutative = true,
						  .combine = COMBINE_ADD};

				good &= try_size(a, s);
			}
			ok(good, "%s/%s", coll_tables[c].name, a->name);
		}
}

int main(void)
{
	test_chain();
	test_tags();
	test_ports();
	test_counters(false);
	test_counters(true);
	test_deadlock();
	test_algorithms();
	return tap_done();
}
