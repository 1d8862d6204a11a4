/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_node.c: the hierarchies of gather and scatter. The blocks of each node are
 * gathered by its leader, which sends them to the root in one message; a
 * scatter goes the same way down. The root leads its node. The ranks of each
 * node must be a range.
 *
 * Source: see hierarchy.h.
 * Cost: that of the collective inside the largest node, and of one between as
 * many ranks as there are nodes, of the blocks of a node.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/hierarchy.h"

/* The two steps: inside a node, and between the leaders, each of whom speaks
 * for the blocks of its node. */
struct by_node {
	struct group node, leaders; /* leaders: only where the rank is one */
	bool leads;
	struct block own;	      /* the blocks of the node together */
	struct block *blocks;	      /* of all nodes; NULL if they are alike */
	struct shape inside, between; /* between: in place at the root */
};

/* There are several nodes, of which each is a range of ranks, and some have
 * several. */
static bool fits_by_node(const struct shape *shape)
{
	return shape->topo && shape->topo->nodes > 1 &&
	       topology_is_deep(shape->topo) && shape->topo->ordered;
}

static struct block *blocks_of_nodes(const struct hierarchy *h)
{
	const struct topology *t = h->shape->topo;
	struct block *b = plan_scratch(h->plan, (size_t)t->nodes * sizeof(*b));

	for (int k = 0; k < t->nodes && b; k++)
		b[k] = (struct block){
		    (size_t)t->first[t->first_cache[k]] * h->shape->count,
		    (size_t)topology_node_size(t, k) * h->shape->count};
	return b;
}

/* Returns false if there is no memory. */
static bool by_node_make(struct hierarchy *h, struct by_node *n)
{
	const struct topology *t = h->shape->topo;
	struct block *blocks = blocks_of_nodes(h);

	if (!h->ranks || !blocks)
		return false;
	*n = (struct by_node){
	    .node = topology_node(t, h->rank),
	    .leaders = topology_group(t, LEVEL_ALL, h->rank, h->root, h->ranks),
	    .own = blocks[topology_node_of(t, h->rank)],
	    .blocks = topology_is_mesh(t) ? NULL : blocks};
	if (topology_node_of(t, h->rank) == topology_node_of(t, h->root))
		n->node.root = h->root - n->node.first;
	n->leads = n->node.me == n->node.root;
	n->inside = hierarchy_shape(h->shape, n->node.size, n->node.root);
	n->between = hierarchy_shape(h->shape, t->nodes, n->leaders.root);
	n->between.count = n->own.count;
	n->between.in_place = h->rank == h->root;
	return true;
}

/* Adds the cost of `collective` inside all nodes and between them, where it is
 * `irregular` if nodes differ. */
static void by_node_cost(const struct shape *shape, enum collective collective,
			 enum collective irregular, struct cost *cost)
{
	const struct topology *t = shape->topo;
	bool alike = topology_is_mesh(t);
	struct shape between = *shape;

	hierarchy_cost_branches(shape, 0, collective, NULL, cost);
	between.count *= (size_t)(t->size / t->nodes);
	if (!alike) /* it names an algorithm of the other table */
		between.arg = 0;
	hierarchy_cost_level(&between, LEVEL_ALL,
			     alike ? collective : irregular, cost);
}

static void gather_hierarchical_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_GATHER, shape, rank, shape->root);
	struct by_node n;

	if (!by_node_make(&h, &n))
		return;
	if (rank == shape->root)
		h.acc.at = n.own.at;
	else if (n.leads)
		h.acc = ref(plan_tmp(plan, n.own.count), 0);
	hierarchy_embed(&h, &n.node, COLL_GATHER, n.inside, UP);
	if (!n.leads)
		return;
	h.own = h.acc;
	h.acc = ref(BUF_RECV, 0);
	if (rank == shape->root)
		n.between.recv = n.blocks;
	hierarchy_embed(&h, &n.leaders, n.blocks ? COLL_GATHERV : COLL_GATHER,
			n.between, OVER);
}

static void gather_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	by_node_cost(shape, COLL_GATHER, COLL_GATHERV, c);
}

const struct algorithm gather_hierarchical = {
    HIERARCHICAL_MEMBERS,
    .fits = fits_by_node,
    .build = gather_hierarchical_build,
    .cost = gather_hierarchical_cost,
};

static void scatter_hierarchical_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_SCATTER, shape, rank, shape->root);
	struct by_node n;

	if (!by_node_make(&h, &n))
		return;
	if (rank == shape->root)
		h.acc = ref(BUF_SEND, n.own.at);
	else if (n.leads)
		h.acc = ref(plan_tmp(plan, n.own.count), 0);
	if (rank == shape->root)
		n.between.send = n.blocks;
	if (n.leads)
		hierarchy_embed(&h, &n.leaders,
				n.blocks ? COLL_SCATTERV : COLL_SCATTER,
				n.between, OVER);
	h.own = h.acc;
	h.acc = ref(BUF_RECV, 0);
	hierarchy_embed(&h, &n.node, COLL_SCATTER, n.inside, DOWN);
}

static void scatter_hierarchical_cost(const struct shape *shape, struct cost *c)
{
	by_node_cost(shape, COLL_SCATTER, COLL_SCATTERV, c);
}

const struct algorithm scatter_hierarchical = {
    HIERARCHICAL_MEMBERS,
    .fits = fits_by_node,
    .build = scatter_hierarchical_build,
    .cost = scatter_hierarchical_cost,
};
