/* SPDX-License-Identifier: Apache-2.0 */
/* two_groups.c: proves the plans between two groups (coll/plan/inter): every
 * division of up to RANKS ranks, every root. */
#include "coll/prove/prove.h"
#include "coll/plan/inter/inter.h"
#include "coll/plan/model.h"
#include "tests/tap.h"

enum { RANKS = 17, MANY = 65 };

static struct shape shapes[MANY];
static struct block blocks[2][MANY];
static struct prove_counts counts;

static bool prove(enum collective collective)
{
	const struct prove_case c = {collective, inter_algorithm(collective),
				     shapes};
	const char *wrong = prove_plans(&c, &counts);

	if (wrong)
		printf("# %s\n", wrong);
	return !wrong;
}

static void describe(int n, int low, size_t count, bool commutative)
{
	for (int r = 0; r < n; r++)
		shapes[r] = (struct shape){.size = n,
					   .low = low,
					   .count = count,
					   .type_size = 8,
					   .commutative = commutative,
					   .no_cells = true};
}

/* The other ranks of the root's group do not know which rank it is. */
static void set_root(int n, int low, int root)
{
	for (int r = 0; r < n; r++)
		shapes[r].root =
		    r == root || (r < low) != (root < low) ? root : -1;
}

static bool rooted(enum collective c, int n, int low, size_t count)
{
	bool good = true;

	describe(n, low, count, true);
	for (int root = 0; root < n; root++) {
		set_root(n, low, root);
		good &= prove(c);
	}
	describe(n, low, count, false);
	set_root(n, low, n - 1);
	return prove(c) && good;
}

/* Gives both groups as many elements; in the first group its first and last
 * rank get all of them. */
static bool lists(int n, int low, bool commutative)
{
	size_t total = (size_t)(low * (n - low)), each = (size_t)low;

	describe(n, low, 0, commutative);
	for (int r = 0; r < n; r++) {
		blocks[0][r] = (struct block){r ? total / 2 : 0, 0};
		blocks[1][r] = (struct block){
		    r > low ? (size_t)(r - low) * each : 0, r < low ? 0 : each};
	}
	blocks[0][0].count = total / 2;
	blocks[0][low - 1].count += total - total / 2;
	for (int r = 0; r < n; r++)
		shapes[r].recv = blocks[r >= low];
	return prove(COLL_REDUCE_SCATTER);
}

static bool divide(enum collective c, int n, int low)
{
	static const size_t some[] = {0, 1, 5};
	bool good = true;

	if (c == COLL_REDUCE_SCATTER) {
		good = lists(n, low, true);
		return lists(n, low, false) && good;
	}
	for (size_t k = 0; k < 3; k++) {
		if (c != COLL_ALLREDUCE) {
			good &= rooted(c, n, low, some[k]);
			continue;
		}
		for (int commutative = 0; commutative < 2; commutative++) {
			describe(n, low, some[k], commutative);
			good &= prove(c);
		}
	}
	return good;
}

static void prove_all(enum collective c, const char *name)
{
	bool good = true;

	for (int n = 2; n <= RANKS && good; n++)
		for (int low = 1; low < n && good; low++)
			good &= divide(c, n, low);
	good = good && divide(c, MANY, 1) && divide(c, MANY, MANY / 2) &&
	       divide(c, MANY, MANY - 1);
	ok(good, "%s between two groups", name);
}

int main(void)
{
	model_reset();
	prove_all(COLL_BCAST, "bcast");
	prove_all(COLL_REDUCE, "reduce");
	prove_all(COLL_ALLREDUCE, "allreduce");
	prove_all(COLL_REDUCE_SCATTER, "reduce_scatter");
	printf("# %zu sets of plans, %zu steps\n", counts.sets, counts.steps);
	return tap_done();
}
