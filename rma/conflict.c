/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conflict.c: with MRT_CHECK=1, operations that meet in a target's memory
 * before either is complete, so that the outcome is undefined (MPI 4.1, 12.7):
 * a put and any other, a get and an accumulate, accumulates of different types.
 * Those of one rank are compared when it calls them. A fence sends each target
 * the accesses that it ends, which are compared there by sorting. Other epochs
 * of different ranks are not compared, nor loads and stores.
 */
#include "rma/conflict.h"

#include <stdlib.h>

#include "coll/call/coll_state.h"
#include "coll/comm/comm_create.h"
#include "coll/run/coll.h"
#include "runtime/base/env.h"

enum { MOST = 1024 }; /* pieces that are remembered */

/* A piece of a target's memory, by offsets in its window or, in dynamic ones,
 * by addresses. A fence sends it as it is. */
struct access {
	int32_t rank;  /* the target; there, the origin */
	uint16_t kind; /* enum access_kind */
	uint16_t type; /* class and size of an accumulate's elements */
	uint64_t low, high;
};

struct accesses {
	size_t n;
	struct access list[MOST];
};

static bool conflict(const struct access *a, const struct access *b)
{
	return a->low < b->high && b->low < a->high &&
	       (a->kind != b->kind || a->kind == ACCESS_PUT ||
		a->type != b->type);
}

static const char *const names[] = {
    [ACCESS_PUT] = "put", [ACCESS_GET] = "get", [ACCESS_UPDATE] = "accumulate"};

static int conflict_check(const struct accesses *all, size_t n,
			  const struct access *new)
{
	for (const struct access *old = all->list; old < all->list + n; old++)
		if (old->rank == new->rank && conflict(old, new))
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
static void conflict_add(struct accesses *all, const struct access *new)
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
		rc = conflict_check(w->accesses, before, new);
	}
	for (size_t k = 0; k < r->n && !rc; k++) {
		new->low = (uintptr_t)r->list[k].iov_base;
		new->high = new->low + r->list[k].iov_len;
		conflict_add(w->accesses, new);
	}
	return rc;
}

static int conflict_remember(struct mrt_win *w)
{
	if (!w->accesses)
		w->accesses = calloc(1, sizeof(*w->accesses));
	return w->accesses ? 0
			   : proc_fail(MRT_ERR_NO_MEM, "the check of a window");
}

int win_remember_access(struct mrt_win *w, const struct target *t,
			enum access_kind kind, const struct mrt_type *type)
{
	struct access new = {
	    .rank = t->rank,
	    .kind = (uint16_t)kind,
	    .type = (uint16_t)(type ? type->kind << 8 | type->size : 0)};
	uint64_t base =
	    w->flavor == MRT_WIN_DYNAMIC ? 0 : w->cards[t->rank].addr;
	struct runs r;
	int rc;

	rc = conflict_remember(w);
	if (rc)
		return rc;
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

/* ---- At a fence ---------------------------------------------------------- */

static int by_rank(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_place(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	return (a->low > b->low) - (a->low < b->low);
}

static int conflict_exchange(struct mrt_win *w, struct coll_call call,
			     const void *send, void *recv)
{
	call.type = type_get(MRT_BYTE);
	call.send = send;
	call.recv = recv;
	return coll_run(w->comm, &call);
}

/* Lays out blocks of counts[n] bytes in a row; returns the sum. */
static size_t lay_out(struct block *blocks, const uint64_t *counts, size_t n)
{
	size_t at = 0;

	for (size_t r = 0; r < n; r++) {
		blocks[r] = (struct block){.at = at, .count = counts[r]};
		at += counts[r];
	}
	return at;
}

/* Gathers in *all the accesses of all ranks to this one's memory, which the
 * caller frees, with their origins. counts: room for 2 numbers a rank. */
static int conflict_gather(struct mrt_win *w, uint64_t *counts,
			   struct access **all, size_t *n)
{
	size_t size = (size_t)w->comm->size;
	struct accesses *own = w->accesses;
	struct block *blocks;
	int rc;

	qsort(own->list, own->n, sizeof(*own->list), by_rank);
	for (size_t k = 0; k < own->n; k++)
		counts[own->list[k].rank] += sizeof(*own->list);
	rc = conflict_exchange(
	    w,
	    (struct coll_call){.collective = COLL_ALLTOALL,
			       .shape.count = sizeof(*counts)},
	    counts, counts + size);
	blocks = rc ? NULL : coll_blocks(w->comm, 2 * size);
	if (!blocks)
		return rc ?: MRT_ERR_NO_MEM;
	lay_out(blocks, counts, size);
	*n = lay_out(blocks + size, counts + size, size) / sizeof(**all);
	*all = malloc((*n + 1) * sizeof(**all));
	if (!*all)
		return proc_fail(MRT_ERR_NO_MEM, "%zu accesses", *n);
	rc = conflict_exchange(
	    w,
	    (struct coll_call){
		.collective = COLL_ALLTOALLV,
		.shape = {.send = blocks, .recv = blocks + size}},
	    own->list, *all);
	for (size_t r = 0, k = 0; r < size; r++)
		for (uint64_t last = counts[size + r]; last;
		     last -= sizeof(**all))
			(*all)[k++].rank = (int32_t)r;
	return rc;
}

/* Returns MRT_ERR_CONFLICT if accesses of two ranks to this one's memory
 * meet. */
static int conflict_compare(const struct mrt_win *w, struct access *all,
			    size_t n)
{
	qsort(all, n, sizeof(*all), by_place);
	for (const struct access *a = all; a < all + n; a++)
		for (const struct access *b = a + 1;
		     b < all + n && b->low < a->high; b++)
			if (a->rank != b->rank && conflict(a, b))
				return proc_fail(
				    MRT_ERR_CONFLICT,
				    "a %s of rank %d on bytes %llu to %llu of "
				    "rank %d meets a %s of rank %d on bytes "
				    "%llu to %llu between two fences",
				    names[a->kind], a->rank,
				    (unsigned long long)a->low,
				    (unsigned long long)a->high - 1,
				    w->comm->rank, names[b->kind], b->rank,
				    (unsigned long long)b->low,
				    (unsigned long long)b->high - 1);
	return 0;
}

int win_check_epoch(struct mrt_win *w)
{
	size_t n = 0, size = (size_t)w->comm->size;
	struct access *all = NULL;
	uint64_t *counts, where;
	int rc, failed;

	if (!env.check || size == 1)
		return 0;
	counts = calloc(2 * size, sizeof(*counts));
	rc = counts ? conflict_remember(w)
		    : proc_fail(MRT_ERR_NO_MEM, "%zu ranks", size);
	if (!rc)
		rc = conflict_gather(w, counts, &all, &n);
	free(counts);
	if (rc) {
		free(all);
		return comm_broken(w->comm->size, rc);
	}
	rc = conflict_compare(w, all, n);
	free(all);
	where = rc ? (uint64_t)w->comm->rank + 1 : 0;
	failed = coll_allreduce_words(w->comm, &where, 1, MRT_MAX);
	if (failed || rc || !where)
		return failed ?: rc;
	return proc_fail(MRT_ERR_CONFLICT,
			 "operations of two ranks meet in the memory of rank "
			 "%d between two fences",
			 (int)where - 1);
}
