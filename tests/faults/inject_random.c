/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_random.c makes faults at steps drawn from a recorded run with the same
 * number of ranks. Every other draw is uniform over the steps by number, which
 * mostly hits waiting ranks; the others draw a function first and then one of
 * its entries, so that what happens once in a run is hit as often as what
 * happens a thousand times. Fault K of a seed does not depend on the faults
 * before it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/inject.h"

enum { LEAST = 2, MOST = 8, FUNCTIONS = 4096 };

/* The steps of one rank in a recorded run. */
struct record {
	unsigned long steps;
	int n;
	struct {
		unsigned long offset, count;
	} functions[FUNCTIONS];
};

static struct record *records[MOST + 1][MOST];

static struct record *read_record(int rank)
{
	struct record *r = calloc(1, sizeof(*r));
	char path[500];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%d", room_log(), rank);
	f = fopen(path, "r");
	if (r && f && fscanf(f, "%*x %lu", &r->steps) == 1)
		while (r->n < FUNCTIONS &&
		       fscanf(f, "%lx %lu", &r->functions[r->n].offset,
			      &r->functions[r->n].count) == 2)
			r->n++;
	if (f)
		fclose(f);
	remove(path);
	if (!r || !r->n) {
		printf("Bail out! no steps were recorded\n");
		exit(99);
	}
	return r;
}

static void record_ranks(const struct launcher *l, int ranks)
{
	const struct fault f = {.name = "record",
				.ranks = ranks,
				.rank = -1,
				.args = "all",
				.at = "record"};
	struct outcome o;

	inject_run(l, &f, &o);
	outcome_free(&o);
	for (int r = 0; r < ranks; r++)
		records[ranks][r] = read_record(r);
}

/* Returns the next number of a splitmix64 sequence; each fault has its own. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static unsigned long below(uint64_t *state, unsigned long n)
{
	return (unsigned long)(draw(state) % n);
}

static void draw_step(const struct launcher *l, uint64_t *state,
		      const struct record *r, char *at, size_t len)
{
	unsigned long k = below(state, (unsigned long)r->n);

	if (below(state, 2))
		snprintf(at, len, "number:%lu", 1 + below(state, r->steps));
	else
		snprintf(at, len, "step:%s:%lu",
			 name_of(l->victim, r->functions[k].offset),
			 1 + below(state, r->functions[k].count));
}

/* A drawn fault, and the texts that it points to. */
struct drawn {
	struct fault f;
	char name[64], at[128], says[128];
};

static void expect_launcher_gone(struct drawn *d)
{
	d->f.kind = "launcher killed (random)";
	d->f.code = 137;
	d->f.others = END_69 | END_0 | END_STARTING | END_LEAVING;
	d->f.rank = -1;
}

static void expect_killed(struct drawn *d)
{
	d->f.kind = "rank killed (random)";
	d->f.code = 137;
	d->f.others = END_75 | END_0 | END_STARTING;
	d->f.named = true;
	snprintf(d->says, sizeof(d->says),
		 "^mrun: rank %d .*was killed by signal 9", d->f.rank);
	d->f.says = d->says;
}

static void draw_fault(const struct launcher *l, unsigned seed, int k,
		       struct drawn *d)
{
	static const char *const environments[] = {
	    "MRT_LOG=error", "MRT_LOG=error", "MRT_SM_CMA=no",
	    "MRT_SM_BACKING=shm", "MRT_COLL_DIRECT=no"};
	uint64_t state = ((uint64_t)seed << 32) + (uint64_t)k;
	int ranks = LEAST + (int)below(&state, MOST - LEAST + 1);

	memset(d, 0, sizeof(*d));
	if (!records[ranks][0])
		record_ranks(l, ranks);
	snprintf(d->name, sizeof(d->name), "random %d", k);
	d->f = (struct fault){.name = d->name,
			      .ranks = ranks,
			      .args = "all",
			      .rank = (int)below(&state, (unsigned long)ranks)};
	d->f.env = environments[below(&state, 5)];
	d->f.at = d->at;
	draw_step(l, &state, records[ranks][d->f.rank], d->at, sizeof(d->at));
	/* between steps too: in the kernel, in PMIx */
	d->f.after_us = below(&state, 4) ? 0 : (int)below(&state, 3000);
	if (below(&state, 8)) {
		d->f.what = "kill";
		expect_killed(d);
	} else {
		d->f.what = "launcher:kill";
	}
}

/* Returns whether the fault was not reached because the rank passed fewer
 * steps than in the recorded run; the job must then have ended well. */
static bool missed(struct drawn *d, const struct outcome *o)
{
	if (o->injected)
		return false;
	d->f.code = 0;
	d->f.others = END_0;
	d->f.says = NULL;
	return true;
}

/* Makes one fault and returns the number of checks that failed. */
static int try_one(const struct launcher *l, struct drawn *d, bool *hit)
{
	struct outcome o;
	struct verdict v;
	int bad = 0;

	inject_run(l, &d->f, &o);
	if (!strcmp(d->f.what, "launcher:kill"))
		expect_launcher_gone(d);
	*hit = !missed(d, &o);
	judge(l, &d->f, &o, &v);
	if (!*hit && !strcmp(v.why[0], "no fault happened"))
		v.why[0][0] = '\0';
	for (int k = 0; k < CHECKS; k++) {
		if (!*v.why[k])
			continue;
		printf("# BROKEN %s: %s: %s\n", d->name, check_names[k],
		       v.why[k]);
		bad++;
	}
	if (bad)
		show_outcome(l, &d->f, &o);
	times_add(l->name, &d->f, &o);
	outcome_free(&o);
	return bad;
}

int random_faults(const struct launcher *l, int n, unsigned seed, int first)
{
	int broken = 0, hits = 0;

	printf("# seed %u, faults %d to %d\n", seed, first, first + n - 1);
	for (int k = first; k < first + n; k++) {
		struct drawn d;
		bool hit;

		draw_fault(l, seed, k, &d);
		broken += try_one(l, &d, &hit) > 0;
		hits += hit;
	}
	printf("# %d runs, %d with a fault (in the others the step was not "
	       "reached), %d broke a promise\n",
	       n, hits, broken);
	return broken;
}
