/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo.c: exchanges vector entries that other ranks need (see halo.h). A rank
 * knows what it needs, but not who needs its own entries: one allreduce tells
 * how many ranks ask, and their requests tell which entries.
 */
#include "apps/kernels/halo.h"

#include "apps/common/app.h"

#include <mrt.h>
#include <stdlib.h>

enum { TAG_WANT = 11, TAG_VALUES = 12 };

static int compare_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Returns the foreign columns of the rows, ascending, each once; *count is
 * their number. */
static int *foreign_columns(const struct csr *a, int first, int *count)
{
	size_t entries = a->start[a->rows], n = 0, kept = 0;
	int *list = app_alloc(entries, sizeof(*list));

	for (size_t k = 0; k < entries; k++)
		if (a->col[k] < first || a->col[k] >= first + a->rows)
			list[n++] = a->col[k];
	qsort(list, n, sizeof(*list), compare_int);
	for (size_t k = 0; k < n; k++)
		if (kept == 0 || list[kept - 1] != list[k])
			list[kept++] = list[k];
	*count = (int)kept;
	return list;
}

static void halo_renumber(struct csr *a, int first, const int *foreign,
			  int count)
{
	for (size_t k = 0; k < a->start[a->rows]; k++) {
		int *col = &a->col[k];
		const int *at;

		if (*col >= first && *col < first + a->rows) {
			*col -= first;
			continue;
		}
		at = bsearch(col, foreign, (size_t)count, sizeof(*foreign),
			     compare_int);
		*col = a->rows + (int)(at - foreign);
	}
	a->cols = a->rows + count;
}

/* Groups the foreign columns by owner; each owner has consecutive columns. */
static void find_owners(struct halo *h, const int *foreign, const int *bounds)
{
	int size = mrt_size(MRT_COMM_WORLD), owner = 0;

	h->recv = app_alloc((size_t)size, sizeof(*h->recv));
	for (int k = 0; k < h->foreign; k++) {
		while (foreign[k] >= bounds[owner + 1])
			owner++;
		if (h->nrecv == 0 || h->recv[h->nrecv - 1].rank != owner) {
			h->recv[h->nrecv].rank = owner;
			h->recv[h->nrecv++].offset = k;
		}
		h->recv[h->nrecv - 1].count++;
	}
}

/* Returns how many ranks need entries of this one. */
static int count_askers(const struct halo *h)
{
	size_t size = (size_t)mrt_size(MRT_COMM_WORLD);
	int *asked = app_alloc(size, sizeof(*asked));
	int *total = app_alloc(size, sizeof(*total));
	int askers;

	for (int i = 0; i < h->nrecv; i++)
		asked[h->recv[i].rank] = 1;
	mrt_allreduce(asked, total, size, MRT_INT, MRT_SUM, MRT_COMM_WORLD);
	askers = total[mrt_rank(MRT_COMM_WORLD)];
	free(asked);
	free(total);
	return askers;
}

/* Receives a peer's list of wanted columns, and appends it to index[]. */
static void receive_want(struct halo *h, int first, int *filled)
{
	struct halo_peer *peer = &h->send[h->nsend];
	struct mrt_status status;
	size_t count;

	mrt_probe(MRT_ANY_SOURCE, TAG_WANT, MRT_COMM_WORLD, &status);
	mrt_get_count(&status, MRT_INT, &count);
	peer->rank = status.source;
	peer->offset = *filled;
	peer->count = (int)count;
	h->index =
	    realloc(h->index, ((size_t)*filled + count) * sizeof(*h->index));
	if (!h->index)
		mrt_abort(MRT_COMM_WORLD, APP_RESOURCE);
	mrt_recv(h->index + *filled, count, MRT_INT, status.source, TAG_WANT,
		 MRT_COMM_WORLD, MRT_STATUS_IGNORE);
	for (size_t k = 0; k < count; k++)
		h->index[(size_t)*filled + k] -= first;
	*filled += (int)count;
	h->nsend++;
}

static void exchange_wants(struct halo *h, int *foreign, int first)
{
	int askers = count_askers(h), filled = 0;

	h->send = app_alloc((size_t)askers, sizeof(*h->send));
	h->requests = app_alloc((size_t)(h->nrecv + askers),
				sizeof(struct mrt_request *));
	for (int i = 0; i < h->nrecv; i++)
		mrt_isend(foreign + h->recv[i].offset, (size_t)h->recv[i].count,
			  MRT_INT, h->recv[i].rank, TAG_WANT, MRT_COMM_WORLD,
			  &h->requests[i]);
	while (h->nsend < askers)
		receive_want(h, first, &filled);
	mrt_waitall((size_t)h->nrecv, h->requests, MRT_STATUSES_IGNORE);
	h->packed = app_alloc((size_t)filled, sizeof(*h->packed));
}

void halo_build(struct halo *h, struct csr *rows, const int *bounds)
{
	int first = bounds[mrt_rank(MRT_COMM_WORLD)];
	int *foreign;

	*h = (struct halo){.own = rows->rows};
	foreign = foreign_columns(rows, first, &h->foreign);
	find_owners(h, foreign, bounds);
	exchange_wants(h, foreign, first);
	halo_renumber(rows, first, foreign, h->foreign);
	free(foreign);
}

void halo_fini(struct halo *h)
{
	free(h->recv);
	free(h->send);
	free(h->index);
	free(h->packed);
	free(h->requests);
}

void halo_start(struct halo *h, double *x)
{
	struct mrt_request **request = h->requests;

	for (int i = 0; i < h->nrecv; i++)
		mrt_irecv(x + h->own + h->recv[i].offset,
			  (size_t)h->recv[i].count, MRT_DOUBLE, h->recv[i].rank,
			  TAG_VALUES, MRT_COMM_WORLD, request++);
	for (int i = 0; i < h->nsend; i++) {
		const struct halo_peer *peer = &h->send[i];
		double *to = h->packed + peer->offset;

		for (int k = 0; k < peer->count; k++)
			to[k] = x[h->index[peer->offset + k]];
		mrt_isend(to, (size_t)peer->count, MRT_DOUBLE, peer->rank,
			  TAG_VALUES, MRT_COMM_WORLD, request++);
	}
}

void halo_finish(struct halo *h)
{
	mrt_waitall((size_t)(h->nrecv + h->nsend), h->requests,
		    MRT_STATUSES_IGNORE);
}
