/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_bits.c runs the plans of all allreduce algorithms that send messages,
 * with sums of numbers that are rounded, and compares the bits of all ranks:
 * all must have added in the same order. The prover does not look at the order
 * in which sums that commute are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "coll/plan/select.h"
#include "tests/tap.h"

enum { RANKS = 33, COUNT = 70 };

/* `struct rank` is a rank that executes its plan: its buffers, what each step
 * has sent and nobody has received yet, and the steps that are done. */
struct rank {
	struct plan plan;
	double *buf[BUFS];
	double **sent; /* [nsteps] */
	bool *done;    /* [nsteps] */
};

static struct rank ranks[RANKS];
static int nranks;
static unsigned seed = 3;

static double draw(void)
{
	seed = seed * 1664525u + 1013904223u;
	return (double)(seed >> 8) / 7 / (1 << (seed >> 28));
}

static bool is_ready(const struct rank *r, const struct step *s)
{
	for (int k = 0; k < 2; k++)
		if (s->after[k] && !r->done[s->after[k] - 1])
			return false;
	return true;
}

static double *place(const struct rank *r, struct ref ref)
{
	return r->buf[ref.buf] + ref.at;
}

/* Takes the message that a step of `rank` receives to `to`. */
static bool receive(int rank, const struct step *s, double *to)
{
	struct rank *from = &ranks[s->peer];

	for (uint32_t i = 0; i < from->plan.nsteps; i++) {
		const struct step *t = &from->plan.steps[i];

		if (t->kind != STEP_SEND || t->peer != rank ||
		    t->tag != s->tag || !from->sent[i])
			continue;
		memcpy(to, from->sent[i], s->count * sizeof(double));
		free(from->sent[i]);
		from->sent[i] = NULL;
		return true;
	}
	return false;
}

static void combine(const struct rank *r, const struct step *s)
{
	const double *left = place(r, s->flip ? s->with : s->src);
	const double *right = place(r, s->flip ? s->src : s->with);
	double *dst = place(r, s->dst);

	for (size_t i = 0; i < s->count; i++)
		dst[i] = left[i] * 0.75 + right[i];
}

static double *copy_of(const double *from, size_t n)
{
	double *copy = malloc((n + 1) * sizeof(*copy));

	return copy ? memcpy(copy, from, n * sizeof(*copy)) : NULL;
}

/* Does a step if it can be done now. */
static bool try_step(int rank, uint32_t i)
{
	struct rank *r = &ranks[rank];
	const struct step *s = &r->plan.steps[i];

	if (r->done[i] || !is_ready(r, s))
		return false;
	if (s->kind == STEP_SEND)
		r->sent[i] = copy_of(place(r, s->src), s->count);
	else if (s->kind == STEP_RECV && !receive(rank, s, place(r, s->dst)))
		return false;
	else if (s->kind == STEP_RECV_REDUCE &&
		 !receive(rank, s, place(r, s->src)))
		return false;
	else if (s->kind == STEP_COPY && s->count)
		memmove(place(r, s->dst), place(r, s->src),
			s->count * sizeof(double));
	if (step_reduces(s->kind))
		combine(r, s);
	r->done[i] = true;
	return true;
}

static void run_all(void)
{
	bool more = true;

	while (more) {
		more = false;
		for (int r = 0; r < nranks; r++)
			for (uint32_t i = 0; i < ranks[r].plan.nsteps; i++)
				more |= try_step(r, i);
	}
}

/* Tells whether all steps were done, and all ranks have the bits of rank 0. */
static bool all_alike(size_t count)
{
	bool good = true;

	for (int r = 0; r < nranks; r++) {
		for (uint32_t i = 0; i < ranks[r].plan.nsteps; i++)
			good &= ranks[r].done[i];
		good &= !memcmp(ranks[r].buf[BUF_RECV], ranks[0].buf[BUF_RECV],
				count * sizeof(double));
	}
	return good;
}

static void rank_begin(struct rank *r, const struct algorithm *a,
		       const struct shape *s, int rank)
{
	if (plan_build(a, s, rank, &r->plan))
		abort();
	for (int b = 0; b < BUFS; b++) {
		size_t n = b < BUF_TMP ? s->count : r->plan.tmp[b - BUF_TMP];

		r->buf[b] = calloc(n + 1, sizeof(double));
	}
	for (size_t i = 0; i < s->count; i++)
		r->buf[BUF_SEND][i] = draw();
	r->sent = calloc(r->plan.nsteps + 1, sizeof(*r->sent));
	r->done = calloc(r->plan.nsteps + 1, sizeof(*r->done));
}

static void rank_end(struct rank *r)
{
	for (int b = 0; b < BUFS; b++)
		free(r->buf[b]);
	free(r->sent);
	free(r->done);
	plan_fini(&r->plan);
}

static bool try_shape(const struct algorithm *a, struct shape s)
{
	bool good;

	s.arg = a->arg_default;
	nranks = s.size;
	if (!select_fits(a, &s))
		return true;
	for (int r = 0; r < nranks; r++)
		rank_begin(&ranks[r], a, &s, r);
	run_all();
	good = all_alike(s.count);
	for (int r = 0; r < nranks; r++)
		rank_end(&ranks[r]);
	return good;
}

static void test_algorithm(const struct algorithm *a)
{
	bool good = true;

	for (int n = 1; n <= RANKS && good; n++)
		for (int c = 0; c < 2 && good; c++)
			good = try_shape(a, (struct shape){.size = n,
							   .count = COUNT,
							   .type_size = 8,
							   .commutative = c});
	ok(good, "allreduce/%s: all ranks have the same bits", a->name);
}

int main(void)
{
	const struct coll_table *t = &coll_tables[COLL_ALLREDUCE];

	for (size_t i = 0; i < t->nrows; i++)
		if (!t->rows[i]->cells && !t->rows[i]->by_node)
			test_algorithm(t->rows[i]);
	return tap_done();
}
