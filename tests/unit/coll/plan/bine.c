/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bine.c compares Bine trees with the formula of the paper where there
 * is one, and counts in the plans of all ranks what leaves groups of
 * neighbouring ranks: less than with the algorithm that has the same messages
 * between other partners.
 */
#include "coll/plan/bine.h"

#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "tests/tap.h"

enum { MOST = 1024, LEVELS = 10 };

/* ---- The tree ----------------------------------------------------------- */

/* Returns (1 - (-2)^n) / 3. */
static int distance(int n)
{
	int power = 1;

	while (n-- > 0)
		power *= -2;
	return (1 - power) / 3;
}

static bool has_child(const struct subtree *t, int i, int rank)
{
	return i < t->nchildren && t->children[i].rank == rank;
}

/* In step i each of 2^s ranks that has the data sends it to the rank at this
 * distance, counted from the root: upwards if it is even, else downwards. */
static bool tree_is_papers(int s, int root)
{
	int p = 1 << s, step[MOST] = {0};
	struct shape shape = {.size = p, .root = root};
	bool good = bine_subtree(&shape, root).parent < 0;

	for (int i = 0; i < s; i++)
		for (int v = 0; v < p; v++) {
			int d = distance(s - i);
			int to = (v + (v % 2 ? -d : d) + p) % p;
			int from = tree_rank(&shape, v), rank;
			struct subtree t = bine_subtree(&shape, from);

			if (v && (!step[v] || step[v] > i))
				continue;
			rank = tree_rank(&shape, to);
			step[to] = i + 1;
			good &= bine_subtree(&shape, rank).parent == from;
			good &= has_child(&t, i - step[v], rank);
		}
	return good;
}

static void test_tree(void)
{
	bool good = true;

	for (int s = 0; s <= LEVELS; s++)
		good = good && tree_is_papers(s, 0) &&
		       tree_is_papers(s, (1 << s) - 1);
	ok(good, "trees of powers of two are those of the paper");
}

/* ---- The butterfly ------------------------------------------------------ */

/* Tells whether step k has the paper's pairs, whose labels are equal below bit
 * k and differ there. */
static bool step_is_papers(int p, int k)
{
	int d = distance(k + 1), below = (2 << k) - 1;
	bool good = true;

	for (int r = 0; r < p; r++) {
		int to = bine_partner(p, r, k);
		int labels = bine_label(p, r) ^ bine_label(p, to);

		good &= to == ((r + (r % 2 ? -d : d)) % p + p) % p;
		good &= (labels & below) == 1 << k;
	}
	return good;
}

static void test_butterfly(void)
{
	bool good = true;

	for (int s = 0; s <= LEVELS; s++) {
		for (int k = 0; k < s; k++)
			good &= step_is_papers(1 << s, k);
		for (int r = 0; r < 1 << s; r++)
			good &= bine_number(1 << s, bine_label(1 << s, r)) == r;
	}
	ok(good, "butterflies are those of the paper; labels tell groups");
}

/* ---- What leaves groups ------------------------------------------------- */

struct traffic {
	double around; /* bytes times distance around the ring of ranks */
	/* bytes that leave a group of some consecutive ranks, in the mean over
	 * all places where the first group may end */
	double between;
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

static struct traffic count(const struct algorithm *a, int ranks, int group)
{
	size_t n = (size_t)ranks;
	struct shape shape = {
	    .size = ranks, .count = n, .type_size = 1, .commutative = true};
	struct plan plan = {0};
	struct traffic sum = {0};

	for (int r = 0; r < ranks; r++) {
		if (plan_rebuild(a, &shape, r, &plan))
			abort();
		for (uint32_t i = 0; i < plan.nsteps; i++) {
			const struct step *s = &plan.steps[i];
			double bytes = (double)s->count, far = abs(s->peer - r);

			if (s->kind != STEP_SEND)
				continue;
			sum.around += bytes * least(far, ranks - far);
			sum.between += bytes * least(1, far / group);
		}
	}
	plan_fini(&plan);
	sum.around /= (double)n;
	sum.between /= (double)n;
	return sum;
}

static const struct pair {
	const char *name;
	const struct algorithm *bine, *other;
	double around; /* at most so much of what the other has */
	double between;
} pairs[] = {
    {"bcast", &bcast_bine, &bcast_binomial, 0.74, 0.9},
    {"reduce", &reduce_bine, &reduce_binomial, 0.74, 0.9},
    {"gather", &gather_bine, &gather_binomial, 0.85, 0.97},
    {"scatter", &scatter_bine, &scatter_binomial, 0.85, 0.97},
    {"allreduce", &allreduce_bine, &allreduce_recursive_doubling, 0.75, 0.93},
    {"allreduce", &allreduce_bine_halving, &allreduce_rabenseifner, 0.77, 0.87},
    {"allgather", &allgather_bine, &allgather_recursive_doubling, 0.15, 0.4},
    {"reduce_scatter", &reduce_scatter_bine, &reduce_scatter_recursive_halving,
     0.15, 0.4},
};

static void test_pair(const struct pair *p)
{
	static const int sizes[] = {64, 100, 256, 600, 1024};
	bool good = true;

	for (int i = 0; i < 5; i++)
		for (int group = 8; group <= sizes[i] / 8; group *= 2) {
			struct traffic a = count(p->bine, sizes[i], group);
			struct traffic b = count(p->other, sizes[i], group);

			printf("# %s, %d ranks: %.1f vectors leave groups of "
			       "%d ranks, %.1f with %s; distances %.2f\n",
			       p->name, sizes[i], a.between, group, b.between,
			       p->other->name, a.around / b.around);
			good &= a.around <= p->around * b.around &&
				a.between <= p->between * b.between;
		}
	ok(good, "%s/%s leaves groups less often than %s", p->name,
	   p->bine->name, p->other->name);
}

int main(void)
{
	test_tree();
	test_butterfly();
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		test_pair(&pairs[i]);
	return tap_done();
}
