/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nodes.c: proves the algorithms that depend on places, for 1 to 33 and 63 to
 * 65 ranks (17 and 31 to 33 at TEST_LEVEL=quick) on 1 to 9 nodes, in ranges and
 * round robin, with equal numbers of ranks or one more, and in ranges of 3, 5
 * and 4 ranks; and for 384 ranks on as many nodes as the plans of a hierarchy
 * have tags for (not at quick). Roots, lengths, arguments and operations are
 * drawn.
 *
 * `nodes [SEED [ALGORITHM]]` draws differently, or proves only some.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "tests/tap.h"
#include "tests/unit/coll/prove/cases.h"

enum { NODES = 9, MANY_NODES = 128, MANY_RANKS = 384 };

static int most_ranks = 65;
static unsigned seed = 3;
static struct prove_counts counts;

static const char *try_places(enum collective c, const struct algorithm *a,
			      int ranks, int nodes)
{
	static const size_t args[] = {0, 2, 3, 5};
	struct deal d = {.collective = c,
			 .algorithm = a,
			 .placed = true,
			 .nodes = nodes,
			 .shape = {.size = ranks, .type_size = 8}};
	const char *bad = NULL;

	for (int k = 0; k < 5 && !bad; k++) {
		d.cyclic = k % 2;
		d.odd = k == 4;
		d.shape.commutative = !deal_reduces(c) || k < 3;
		d.shape.count = c == COLL_BARRIER ? 0 : draw(&seed, 3) * 7 + k;
		d.shape.type_size = draw(&seed, 2) ? 8 : 8192;
		if (deal_rooted(c))
			d.shape.root = (int)draw(&seed, (unsigned)ranks);
		if (a->arg && !a->arg_is_algorithm)
			d.shape.arg = args[draw(&seed, 4)];
		d.shape.board = draw(&seed, 2) ? 1 << 20 : 0;
		d.in_place = draw(&seed, 2);
		d.irregular = draw(&seed, 2);
		d.seed = draw(&seed, 1u << 30);
		bad = deal_prove(&d, &counts);
	}
	return bad;
}

static void test(enum collective c, const struct algorithm *a)
{
	size_t before = counts.plans;
	const char *bad = NULL;

	for (int ranks = 1; ranks <= most_ranks; ranks++)
		for (int nodes = 1; nodes <= NODES && !bad; nodes++)
			bad = nodes <= ranks && deal_takes(ranks, most_ranks)
				  ? try_places(c, a, ranks, nodes)
				  : NULL;
	if (!bad && most_ranks > 33)
		bad = try_places(c, a, MANY_RANKS, MANY_NODES);
	ok(!bad && counts.plans > before, "%s/%s, %zu plans%s%s",
	   coll_tables[c].name, a->name, counts.plans - before, bad ? ": " : "",
	   bad ? bad : "");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = (unsigned)strtoul(argv[1], NULL, 0);
	if (tap_quick())
		most_ranks = 33;
	model_reset();
	for (int c = 0; c < COLLECTIVES; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++) {
			const struct algorithm *a = coll_tables[c].rows[i];

			if (a->by_node &&
			    (argc < 3 || !strcmp(argv[2], a->name)))
				test((enum collective)c, a);
		}
	return tap_done();
}
