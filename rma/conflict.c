/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conflict.c: with MRT_CHECK=1, operations of this rank that meet in a target's
 * memory before either is complete, so that the outcome is undefined (MPI 4.1,
 * 12.7): a put and any other, a get and an accumulate, accumulates of different
 * types. What other ranks do there is not seen.
 */
#include "rma/conflict.h"

#include <stdlib.h>

#include "runtime/base/env.h"
#include "runtime/base/error.h"

enum { MOST = 1024 }; /* pieces that are remembered */

/* A piece of a target's memory, by offsets in its window or, in dynamic ones,
 * by addresses. */
struct access {
	int rank;
	enum access_kind kind;
	const struct mrt_type *type; /* of an accumulate */
	uint64_t low, high;
};

struct accesses {
	size_t n;
	struct access list[MOST];
};

static bool conflict(const struct access *a, const struct access *b)
{
	if (a->rank != b->rank || a->high <= b->low || b->high <= a->low)
		return false;
	return a->kind != b->kind || a->kind == ACCESS_PUT ||
	       a->type != b->type;
}

static int check(const struct accesses *all, size_t n, const struct access *new)
{
	static const char *const names[] = {[ACCESS_PUT] = "put",
					    [ACCESS_GET] = "get",
					    [ACCESS_UPDATE] = "accumulate"};

	for (const struct access *old = all->list; old < all->list + n; old++)
		if (conflict(old, new))
			return proc_fail(
			    MRT_ERR_CONFLICT,
			    "a %s on bytes %llu to %llu of rank %d meets a %s "
			    "on bytes %llu to %llu, which no flush and no end "
			    "of an epoch has completed",
			    names[new->kind], (unsigned long long)new->low,
			    (unsigned long long)new->high - 1, new->rank,
			    names[old->kind], (unsigned long long)old->low,
			    (unsigned long long)old->high - 1);
	return 0;
}

/* Remembers a piece, if there is room; pieces in a row become one. */
static void add(struct accesses *all, const struct access *new)
{
	struct access *last = all->list + all->n - 1;

	if (all->n && last->rank == new->rank && last->kind == new->kind &&
	    last->type == new->type && last->high == new->low)
		last->high = new->high;
	else if (all->n < MOST)
		all->list[all->n++] = *new;
}

static int check_runs(struct mrt_win *w, struct access *new,
		      const struct runs *r)
{
	size_t before = w->accesses->n;
	int rc = 0;

	/* those of one operation are the business of its datatype */
	for (size_t k = 0; k < r->n && !rc; k++) {
		new->low = (uintptr_t)r->list[k].iov_base;
		new->high = new->low + r->list[k].iov_len;
		rc = check(w->accesses, before, new);
	}
	for (size_t k = 0; k < r->n && !rc; k++) {
		new->low = (uintptr_t)r->list[k].iov_base;
		new->high = new->low + r->list[k].iov_len;
		add(w->accesses, new);
	}
	return rc;
}

int win_check_access(struct mrt_win *w, const struct target *t,
		     enum access_kind kind, const struct mrt_type *type)
{
	struct access new = {.rank = t->rank, .kind = kind, .type = type};
	uint64_t base = w->flavor == MRT_WIN_DYNAMIC ? 0 : t->peer->addr;
	struct runs r;
	int rc;

	if (!env.check)
		return 0;
	if (!w->accesses)
		w->accesses = calloc(1, sizeof(*w->accesses));
	if (!w->accesses)
		return proc_fail(MRT_ERR_NO_MEM, "the check of a window");
	rc = win_list_runs(t, (void *)(uintptr_t)(t->at - base), &r);
	if (rc)
		return rc;
	rc = check_runs(w, &new, &r);
	win_drop_runs(&r);
	return rc;
}

void win_forget_accesses(struct mrt_win *w, int rank)
{
	struct accesses *all = w->accesses;
	size_t kept = 0;

	for (size_t k = 0; all && k < all->n; k++)
		if (rank >= 0 && all->list[k].rank != rank)
			all->list[kept++] = all->list[k];
	if (all)
		all->n = kept;
}
