/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans.c: proves every algorithm of the tables: 1 to 65 ranks, every root of few ranks and a sample of others, counts below and
 * above the number of ranks, arguments, irregular blocks, topologies. What is
 * not walked through is drawn: plans [SEED] draws otherwise.
 */
#include <time.h>

#include "coll/algorithm.h"
#include "tests/tap.h"
#include "tests/unit/coll/cases.h"
#include "tests/unit/coll/subjects.h"

static int ranks_most = 65;
static unsigned seed = 1;
static struct check_counts counts;

static const struct algorithm *algorithm_of(const struct deal *d)
{
	return d->algorithm;
}

/* Draws what was not walked through. */
static const char *try_one(struct deal *d)
{
	static const size_t sizes[] = {1, 4, 8, 16, 8192};

	d->seed = seed = seed * 1664525u + 1013904223u;
	d->in_place = draw(&seed, 2);
	d->irregular = draw(&seed, 2);
	d->placed = draw(&seed, 2);
	d->shape.type_size = sizes[draw(&seed, 5)];
	d->shape.combine = COMBINE_NONE;
	if (d->shape.commutative && d->shape.type_size <= 8)
		d->shape.combine = (uint8_t)draw(&seed, COMBINE_SWAP + 1);
	return deal_check(d, &counts);
}

/* 0 is the default; a hierarchy takes the places of the other algorithms. */
static bool takes(const struct deal *d, size_t arg)
{
	const struct coll_table *t = &coll_tables[d->collective];
	const struct algorithm *a = algorithm_of(d);

	if (!arg || !a->arg_is_algorithm)
		return !arg || arg >= a->arg_min;
	return arg <= t->nrows && t->rows[arg - 1] != a;
}

/* Arguments around the least, some, and one that is too much for all. */
static const char *try_args(struct deal *d)
{
	const struct algorithm *a = algorithm_of(d);
	size_t args[] = {0, a->arg_min, 2, 3, 5, 16, 40, 1 << 20};
	size_t n = a->arg ? sizeof(args) / sizeof(args[0]) : 1;
	size_t only = d->shape.size > 16 ? draw(&seed, (unsigned)n) : n;
	const char *bad = NULL;

	for (size_t i = 0; i < n && !bad; i++) {
		d->shape.arg = args[i];
		if ((i == only || only == n) && takes(d, args[i]))
			bad = try_one(d);
	}
	return bad;
}

static const char *try_operations(struct deal *d)
{
	const char *bad = NULL;

	for (int c = !deal_reduces(d->collective); c < 2 && !bad; c++) {
		d->shape.commutative = c;
		bad = try_args(d);
	}
	return bad;
}

static const char *try_counts(struct deal *d)
{
	size_t n = (size_t)d->shape.size;
	size_t vector[] = {0, 1, n - 1, n, n + 1, 3 * n + 2, 117};
	size_t block[] = {0, 1, 2, 5};
	bool blocks = deal_blocks(d->collective);
	const char *bad = NULL;
	size_t end = blocks ? 4 : d->collective == COLL_BARRIER ? 1 : 7;

	for (size_t i = 0; i < end && !bad; i++) {
		d->shape.count = blocks ? block[i] : vector[i];
		bad = try_operations(d);
	}
	return bad;
}

static const char *try_size(struct deal *d)
{
	int n = d->shape.size, roots = deal_rooted(d->collective) ? n : 1;
	int step = n <= 9 ? 1 : n / 2 - 1;
	const char *bad = NULL;

	for (int root = 0; root < roots && !bad; root += step) {
		d->shape.root = root;
		bad = try_counts(d);
	}
	return bad;
}

static double now(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void test_algorithm(enum collective collective,
			   const struct algorithm *algorithm)
{
	struct deal d = {.collective = collective, .algorithm = algorithm};
	size_t plans = counts.plans;
	const char *bad = NULL;
	double begin = now();

	for (int n = 1; n <= ranks_most && !bad; n++) {
		d.shape = (struct shape){.size = n};
		bad = try_size(&d);
	}
	ok(!bad, "%s/%s, %zu plans, %.1fs%s%s", coll_tables[collective].name,
	   algorithm->name, counts.plans - plans, now() - begin, bad ? ": " : "", bad ? bad : "");
}

int main(int argc, char **argv)
{
	const char *level = getenv("TEST_LEVEL");

	if (argc > 1)
		seed = (unsigned)strtoul(argv[1], NULL, 0);
	if (level && !strcmp(level, "quick"))
		ranks_most = 17;
	printf("# seed %u\n", seed);
	for (size_t i = 0; i < nsubjects; i++)
		test_algorithm(subjects[i].collective, &subjects[i].algorithm);
	for (int c = 0; c < COLLECTIVES; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++)
			test_algorithm(c, coll_tables[c].rows[i]);
	printf("# %zu plan sets, %zu plans, %zu steps\n", counts.sets,
	       counts.plans, counts.steps);
	return tap_done();
}
