/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans.c: proves every algorithm of the tables, and those that other tests of
 * the prover use: 1 to 33 ranks, 63 to 65 and some numbers up to 1024, every
 * root of few ranks and some of others, counts below and above the number of
 * ranks, both kinds of operation, arguments. What is not enumerated is drawn:
 * blocks, neighbours, topology, which ranks are in place, the type.
 *
 * `plans [SEED [COLLECTIVE [ALGORITHM]]]` draws differently, or proves only
 * some.
 */
#include <string.h>

#include "coll/plan/algorithm.h"
#include "tests/tap.h"
#include "tests/unit/coll/prove/cases.h"
#include "tests/unit/coll/prove/subjects.h"

enum { SMALL = 12, ARGS_ALL = 16, ARGS = 32, LARGEST = 1024 };

static int every_size = 65;
static size_t most_steps = 100000;
static unsigned seed = 1;
static struct prove_counts counts;

/* Draws what is not enumerated. */
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
	return deal_prove(d, &counts);
}

/* Draws several times for small groups. */
static const char *try_some(struct deal *d)
{
	int draws = d->shape.size <= SMALL ? 3 : 1;
	const char *bad = NULL;

	while (draws-- && !bad)
		bad = try_one(d);
	return bad;
}

/* Tells whether arg can be the argument; 0 stands for the default. */
static bool takes(const struct deal *d, size_t arg)
{
	const struct coll_table *t = &coll_tables[d->collective];
	const struct algorithm *a = d->algorithm;

	if (!arg || !a->arg)
		return !arg;
	if (a->arg_is_algorithm)
		return arg <= t->nrows && t->rows[arg - 1] != a;
	return arg >= a->arg_min;
}

/* Lists arguments: few, many, too many for all; or each algorithm that the
 * argument may name. */
static size_t list_args(const struct deal *d, size_t *args)
{
	size_t n = 0;

	for (size_t arg = 0; arg < ARGS; arg++)
		if (takes(d, arg) &&
		    (arg < 6 || d->algorithm->arg_is_algorithm))
			args[n++] = arg;
	for (size_t arg = 16; arg <= 1 << 20; arg *= 256)
		if (takes(d, arg) && !d->algorithm->arg_is_algorithm)
			args[n++] = arg;
	return n;
}

static const char *try_args(struct deal *d)
{
	size_t args[ARGS], n = list_args(d, args);
	const char *bad = NULL;

	if (d->shape.size > ARGS_ALL) {
		args[0] = args[draw(&seed, (unsigned)n)];
		n = 1;
	}
	for (size_t i = 0; i < n && !bad; i++) {
		d->shape.arg = args[i];
		bad = try_some(d);
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
	size_t end = blocks ? 4 : d->collective == COLL_BARRIER ? 1 : 7;
	const char *bad = NULL;

	for (size_t i = 0; i < end && !bad; i++) {
		d->shape.count = blocks ? block[i] : vector[i];
		bad = try_operations(d);
	}
	return bad;
}

static const char *try_size(struct deal *d)
{
	int n = d->shape.size;
	int some[] = {0, (int)draw(&seed, (unsigned)n), n - 1};
	int roots = !deal_rooted(d->collective) ? 1 : n <= SMALL ? n : 3;
	const char *bad = NULL;

	for (int i = 0; i < roots && !bad; i++) {
		d->shape.root = n <= SMALL ? i : some[i];
		bad = try_counts(d);
	}
	return bad;
}

/* Doubles the number of ranks, more or less, as long as plans are short. */
static const char *try_large(struct deal *d)
{
	const char *bad = NULL;
	size_t steps = 0;
	int n = every_size + 1;

	while (!bad && n < LARGEST && 4 * steps < most_steps) {
		size_t before = counts.steps;

		n += (int)draw(&seed, (unsigned)n);
		n = n > LARGEST ? LARGEST : n;
		d->shape.size = n;
		d->shape.root = deal_rooted(d->collective)
				    ? (int)draw(&seed, (unsigned)n)
				    : 0;
		d->shape.count = d->collective == COLL_BARRIER ? 0 : 3;
		d->shape.arg = 0;
		for (int c = 0; c < 2 && !bad; c++) {
			d->shape.commutative = c;
			bad = try_one(d);
		}
		steps = (counts.steps - before) / 2;
	}
	return bad;
}

static void test_algorithm(enum collective collective,
			   const struct algorithm *algorithm)
{
	struct deal d = {.collective = collective, .algorithm = algorithm};
	size_t plans = counts.plans;
	const char *bad = NULL;

	for (int n = 1; n <= every_size && !bad; n++) {
		d.shape = (struct shape){.size = n, .board = 1 << 20};
		if (deal_takes(n, every_size))
			bad = try_size(&d);
	}
	if (!bad)
		bad = try_large(&d);
	/* places that fit may not be drawn; nodes.c has some for sure */
	if (!bad && counts.plans == plans && !algorithm->by_node)
		bad = "it fits nothing";
	ok(!bad, "%s/%s, %zu plans%s%s", coll_tables[collective].name,
	   algorithm->name, counts.plans - plans, bad ? ": " : "",
	   bad ? bad : "");
}

static void test_named(enum collective c, const struct algorithm *algorithm,
		       char **names)
{
	if (!names[0] || (!strcmp(names[0], coll_tables[c].name) &&
			  (!names[1] || !strcmp(names[1], algorithm->name))))
		test_algorithm(c, algorithm);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = (unsigned)strtoul(argv[1], NULL, 0);
	if (tap_quick()) {
		every_size = 17;
		most_steps = 4000;
	}
	printf("# seed %u\n", seed);
	for (size_t i = 0; i < nsubjects; i++)
		test_named(subjects[i].collective, &subjects[i].algorithm,
			   argv + (argc > 1 ? 2 : 1));
	for (int c = 0; c < COLLECTIVES; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++)
			test_named(c, coll_tables[c].rows[i],
				   argv + (argc > 1 ? 2 : 1));
	printf("# %zu plan sets, %zu plans, %zu steps\n", counts.sets,
	       counts.plans, counts.steps);
	return tap_done();
}
