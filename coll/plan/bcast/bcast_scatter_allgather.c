/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_scatter_allgather.c: the vector is cut into n blocks, which are
 * scattered down a binomial tree and then passed around a ring. A rank that
 * forwarded blocks down the tree has them and does not receive them again.
 *
 * Source: M. Barnett, R. van de Geijn et al., "Building a high-performance
 * collective communication library", SC 1994; Thakur et al., IJHPCA 19 (2005),
 * section 4.3.
 * Cost: (log2 n + n - 1) latency + 2 (n - 1) / n bytes / bandwidth.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

/* One rank's view; ranks are counted from the root here. */
struct view {
	int n, root, v;
	size_t count;
};

enum { SCATTER_TAG = 0, RING_TAG = 1 };

/* Returns how many blocks, from its own on, rank v has after the scatter. */
static int bcast_scatter_allgather_owned(int n, int v)
{
	return knomial_size(n, 2, v);
}

static int bcast_scatter_allgather_peer(const struct view *w, int v)
{
	return (v + w->root) % w->n;
}

static struct part bcast_scatter_allgather_part(const struct view *w, int first,
						int n_of, int tag)
{
	struct block b = plan_blocks(w->count, w->n, first, n_of);

	return (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)tag};
}

/* Returns the step after which this rank's share has arrived. */
static uint32_t bcast_scatter_allgather_scatter(struct plan *plan,
						const struct view *w)
{
	int low = 1;
	uint32_t got = 0;

	while (low < w->n && !(w->v & low))
		low *= 2;
	if (w->v)
		got = plan_recv(
		    plan, bcast_scatter_allgather_peer(w, w->v - low),
		    bcast_scatter_allgather_part(
			w, w->v, bcast_scatter_allgather_owned(w->n, w->v),
			SCATTER_TAG),
		    0, 0);
	for (low /= 2; low; low /= 2) {
		int child = w->v + low;

		if (child < w->n)
			plan_send(
			    plan, bcast_scatter_allgather_peer(w, child),
			    bcast_scatter_allgather_part(
				w, child,
				bcast_scatter_allgather_owned(w->n, child),
				SCATTER_TAG),
			    got, 0);
	}
	return got;
}

/* Tells whether rank v gets block b by the ring, not by the tree. */
static bool by_ring(int n, int v, int b)
{
	return (b - v + n) % n >= bcast_scatter_allgather_owned(n, v);
}

static void bcast_scatter_allgather_build(struct plan *plan,
					  const struct shape *shape, int rank)
{
	int n = shape->size;
	struct view w = {n, shape->root, (rank - shape->root + n) % n,
			 shape->count};
	int right = (w.v + 1) % n, left = (w.v - 1 + n) % n;
	uint32_t share = bcast_scatter_allgather_scatter(plan, &w), got = share;

	for (int k = 0; k < n - 1; k++) {
		int out = (w.v - k + n) % n, in = (out - 1 + n) % n;

		/* `got` belongs to block out if that came by the ring */
		if (by_ring(n, right, out))
			plan_send(plan, bcast_scatter_allgather_peer(&w, right),
				  bcast_scatter_allgather_part(&w, out, 1,
							       RING_TAG + k),
				  by_ring(n, w.v, out) ? got : share, 0);
		if (by_ring(n, w.v, in))
			got = plan_recv(plan,
					bcast_scatter_allgather_peer(&w, left),
					bcast_scatter_allgather_part(
					    &w, in, 1, RING_TAG + k),
					0, 0);
	}
}

static void bcast_scatter_allgather_cost(const struct shape *shape,
					 struct cost *c)
{
	double n = shape->size, m = shape_bytes(shape);

	c->rounds = log2_ceil(shape->size) + n - 1;
	c->bytes = 2 * m * (n - 1) / n;
	c->sends = n - 1;
	for (int v = 0; v < shape->size; v++)
		c->sends += n - bcast_scatter_allgather_owned(shape->size, v);
	c->moved = (n - 1) * m;
}

const struct algorithm bcast_scatter_allgather = {
    .name = "scatter_allgather",
    .formula = "(ceil(log2 n) + n - 1) a + 2 m b (n - 1) / n",
    .build = bcast_scatter_allgather_build,
    .cost = bcast_scatter_allgather_cost,
};
