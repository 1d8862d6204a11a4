/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alltoall_node_aware.c: each rank exchanges, with the rank of the same place
 * in every other node, the blocks for all ranks of that node in one message;
 * then the ranks of each node exchange the blocks that they have received for
 * each other. All nodes must have as many ranks.
 *
 * Source: on a virtual mesh, L. Kale, S. Kumar, K. Varadarajan, "A framework
 * for collective personalized communication", IPDPS 2003; with nodes as rows,
 * A. Bienz, W. Gropp, L. Olson, "Node aware sparse matrix-vector
 * multiplication", JPDC 130 (2019). Cost: that of an alltoall between as many
 * ranks as there are nodes, with the blocks of a node, and of one inside a
 * node, with a block for each node; a rank needs no more connections than there
 * are other nodes. Each block is copied twice more: for short blocks.
 */
#include "coll/plan/hierarchy.h"

/* Returns the ranks of each node. */
static int alltoall_node_aware_places(const struct shape *shape)
{
	return shape->size / shape->topo->nodes;
}

static bool alltoall_node_aware_fits(const struct shape *shape)
{
	return shape->topo && topology_is_mesh(shape->topo);
}

/* Returns the blocks of SEND by node and place, from `after` on. */
static struct ref by_node(struct hierarchy *h)
{
	const struct shape *s = h->shape;
	struct ref vector;

	if (s->topo->ordered)
		return ref(BUF_SEND, 0);
	vector = ref(plan_tmp(h->plan, (size_t)s->size * s->count), 0);
	for (int i = 0; i < s->size; i++)
		h->after = plan_copy(
		    h->plan,
		    ref(BUF_SEND,
			(size_t)topology_member(s->topo, i) * s->count),
		    ref(vector.buf, (size_t)i * s->count), s->count, h->after);
	return vector;
}

/* Exchanges blocks of `of` blocks in a group. Returns where they arrive. */
static struct ref alltoall_node_aware_exchange(struct hierarchy *h,
					       const struct group *g, int of,
					       unsigned number)
{
	struct shape s = hierarchy_shape(h->shape, g->size, 0);

	s.count = (size_t)of * h->shape->count;
	h->acc =
	    ref(plan_tmp(h->plan, (size_t)h->shape->size * h->shape->count), 0);
	hierarchy_embed(h, g, COLL_ALLTOALL, s, number);
	return h->acc;
}

/* Copies blocks from rows x columns to columns x rows. */
static struct ref alltoall_node_aware_transpose(struct hierarchy *h,
						struct ref from, int rows,
						int columns)
{
	size_t m = h->shape->count;
	struct ref to =
	    ref(plan_tmp(h->plan, (size_t)rows * (size_t)columns * m), 0);

	for (int c = 0; c < columns; c++)
		for (int r = 0; r < rows; r++, to.at += m)
			h->after = plan_copy(
			    h->plan,
			    ref(from.buf, (size_t)(r * columns + c) * m), to, m,
			    h->after);
	return ref(to.buf, 0);
}

/* Copies blocks from places x nodes to where they belong. */
static void alltoall_node_aware_place(struct hierarchy *h, struct ref from)
{
	const struct topology *t = h->shape->topo;
	int n = alltoall_node_aware_places(h->shape);
	size_t m = h->shape->count;

	for (int p = 0; p < n; p++)
		for (int k = 0; k < t->nodes; k++, from.at += m)
			h->after = plan_copy(
			    h->plan, from,
			    ref(BUF_RECV,
				(size_t)topology_member(t, k * n + p) * m),
			    m, h->after);
}

static void alltoall_node_aware_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	const struct topology *t = shape->topo;
	int n = alltoall_node_aware_places(shape);
	struct hierarchy h =
	    hierarchy_make(plan, COLL_ALLTOALL, shape, rank, -1);
	struct group node = topology_node(t, rank), column;

	if (!h.ranks)
		return;
	column = topology_column(t, rank, h.ranks);
	h.leaders = n;
	h.own = by_node(&h);
	h.own = alltoall_node_aware_transpose(
	    &h, alltoall_node_aware_exchange(&h, &column, n, OVER), t->nodes,
	    n);
	alltoall_node_aware_place(
	    &h, alltoall_node_aware_exchange(&h, &node, t->nodes, DOWN));
}

static void alltoall_node_aware_cost(const struct shape *shape, struct cost *c)
{
	int nodes = shape->topo->nodes, n = alltoall_node_aware_places(shape);
	struct shape column = hierarchy_shape(shape, nodes, 0);
	struct shape node = hierarchy_shape(shape, n, 0);

	column.count *= (size_t)n;
	node.count *= (size_t)nodes;
	*c = hierarchy_cost_of(COLL_ALLTOALL, &column, n, NULL);
	c->sends *= n;
	c->moved *= n;
	c->leaders = n;
	hierarchy_cost_inside(COLL_ALLTOALL, &node, nodes, c);
}

const struct algorithm alltoall_node_aware = {
    .name = "node_aware",
    .formula = "the sum of its levels",
    .by_node = true,
    .fits = alltoall_node_aware_fits,
    .build = alltoall_node_aware_build,
    .cost = alltoall_node_aware_cost,
};
