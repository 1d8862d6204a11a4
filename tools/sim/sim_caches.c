/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_caches.c: the distance of two uses of the same bytes is what the rank has
 * used between them, and of the first use, all that the plan uses, as if a
 * call like this one came before. Of bytes at a distance d, room / d are in
 * the caches. Bytes used again soon do not count as used in between.
 */
#include "tools/sim/sim_caches.h"

#include <stdlib.h>
#include <string.h>

enum { GRAINS = 8192, SOON = 8 };

void sim_caches_init(struct sim_caches *c, double room, double vector)
{
	*c = (struct sim_caches){.room = room, .grain = 1};
	while ((double)c->grain * GRAINS < vector)
		c->grain *= 2;
}

void sim_caches_fini(struct sim_caches *c)
{
	for (int b = 0; b < BUFS; b++)
		free(c->used[b].last);
	*c = (struct sim_caches){0};
}

static bool has_grains(struct used *u, size_t n)
{
	double *last;

	if (n <= u->n)
		return true;
	n += n / 2;
	last = realloc(u->last, n * sizeof(*last));
	if (!last)
		return false;
	memset(last + u->n, 0, (n - u->n) * sizeof(*last));
	u->last = last;
	u->n = n;
	return true;
}

/* The bytes of a step that are not in the caches. */
struct use {
	double again; /* at their distance */
	double first; /* all that are used for the first time */
};

static void use_grain(struct sim_caches *c, double *last, double bytes,
		      struct use *use)
{
	double apart = c->now - *last;

	if (*last > 0 && apart < c->room / SOON)
		return;
	if (*last <= 0)
		use->first += bytes;
	else if (apart > c->room)
		use->again += bytes * (1 - c->room / apart);
	c->now += bytes;
	*last = c->now;
}

static bool sim_caches_use(struct sim_caches *c, const struct shape *shape,
			   struct ref ref, size_t count, struct use *use)
{
	size_t at = ref.at * shape->type_size;
	size_t end = at + count * shape->type_size;
	int buf = ref.buf == BUF_SEND && shape->in_place ? BUF_RECV : ref.buf;

	if (!has_grains(&c->used[buf], end / c->grain + 1))
		return false;
	while (at < end) {
		size_t k = at / c->grain, next = (k + 1) * c->grain;

		next = next < end ? next : end;
		use_grain(c, &c->used[buf].last[k], (double)(next - at), use);
		at = next;
	}
	return true;
}

static bool sim_caches_same(struct ref a, struct ref b)
{
	return a.buf == b.buf && a.at == b.at;
}

/* A received operand is reduced from where it comes, a cache. Which of two
 * operands is the left one makes no difference. */
static bool trace_sim_caches(struct sim_caches *c, const struct shape *shape,
			     const struct step *s, struct use *u)
{
	bool reads = s->kind == STEP_SEND || s->kind == STEP_COPY ||
		     s->kind == STEP_REDUCE || step_is_load(s->kind);
	bool writes = s->kind == STEP_RECV || s->kind == STEP_COPY ||
		      step_is_load(s->kind) || step_reduces(s->kind);
	struct ref first = s->src, then = s->with;

	if (s->kind == STEP_REDUCE && first.buf > then.buf) {
		first = s->with;
		then = s->src;
	}
	writes &= !(reads && sim_caches_same(s->dst, first)) &&
		  !(step_reduces(s->kind) && sim_caches_same(s->dst, then));
	return (!reads || sim_caches_use(c, shape, first, s->count, u)) &&
	       (!step_reduces(s->kind) ||
		sim_caches_use(c, shape, then, s->count, u)) &&
	       (!writes || sim_caches_use(c, shape, s->dst, s->count, u));
}

bool sim_caches_trace(struct sim_caches *c, const struct plan *plan,
		      const struct shape *shape, float *cold)
{
	double all = 0, far;
	struct use *uses = calloc(plan->nsteps + 1, sizeof(*uses));
	bool good = uses != NULL;

	c->now = 0;
	for (int b = 0; b < BUFS; b++)
		if (c->used[b].n)
			memset(c->used[b].last, 0,
			       c->used[b].n * sizeof(*c->used[b].last));
	for (uint32_t i = 0; i < plan->nsteps && good; i++) {
		good = trace_sim_caches(c, shape, &plan->steps[i], &uses[i]);
		all += uses[i].first;
	}
	far = all > c->room ? 1 - c->room / all : 0;
	for (uint32_t i = 0; i < plan->nsteps && good; i++)
		cold[i] = (float)(uses[i].again + uses[i].first * far);
	free(uses);
	return good;
}
