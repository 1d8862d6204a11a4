/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c: what a rank needs of those that it uses: a hash table by rank with
 * linear probing, so that a window whose ranks reach few others stays small. */
#include <stdlib.h>

#include "rma/win.h"

bool win_is_near(const struct mrt_win *w, int rank)
{
	return rank == w->comm->rank || win_fab(w, rank)->ops->node_only;
}

void *win_map(const struct mrt_win *w, int rank, uint64_t remote, size_t bytes)
{
	struct fab_ep *ep = win_ep(w, rank);
	void *local;

	if (rank == w->comm->rank)
		return (void *)(uintptr_t)remote;
	return ep->ops->heap_map(ep, remote, bytes, &local) ? NULL : local;
}

char *win_map_part(const struct mrt_win *w, int rank)
{
	const struct win_card *c = &w->cards[rank];

	if (!c->bytes && !(w->one && c->addr))
		return NULL;
	return win_map(w, w->one ? 0 : rank, c->addr, c->bytes);
}

static void peer_insert(struct mrt_win *w, struct win_peer *p)
{
	uint32_t k = (uint32_t)p->rank & w->peers_mask;

	while (w->peers[k])
		k = (k + 1) & w->peers_mask;
	w->peers[k] = p;
}

/* Doubles the table, of which the caller fills up to three quarters, unless it
 * has room for all ranks: then a rank that is not found has its own place. */
static bool peer_grow(struct mrt_win *w)
{
	uint32_t size = w->peers_mask + 1;
	uint32_t more = w->peers == &w->no_peer ? 4 : 2 * size;
	struct win_peer **old = w->peers;
	struct win_peer **new = calloc(more, sizeof(struct win_peer *));

	if (!new)
		return false;
	w->peers = new;
	w->peers_mask = more - 1;
	for (uint32_t k = 0; k < size; k++)
		if (old[k])
			peer_insert(w, old[k]);
	if (old != &w->no_peer)
		free(old);
	return true;
}

struct win_peer *win_peer_add(struct mrt_win *w, int rank)
{
	struct win_peer *p = calloc(1, sizeof(*p));
	uint32_t size = w->peers_mask + 1;

	bool full =
	    size < (uint32_t)w->comm->size && 4 * (w->npeers + 1) > 3 * size;

	if (!p || (full && !peer_grow(w))) {
		free(p);
		proc_fail(MRT_ERR_NO_MEM, "rank %d of a window", rank);
		return NULL;
	}
	p->rank = rank;
	p->lock = win_map(w, rank, w->cards[rank].lock, sizeof(*p->lock));
	p->direct = win_map_part(w, rank);
	peer_insert(w, p);
	w->npeers++;
	return p;
}

void win_peers_free(struct mrt_win *w)
{
	for (uint32_t k = 0; k <= w->peers_mask; k++)
		free(w->peers[k]);
	if (w->peers != &w->no_peer)
		free(w->peers);
}
