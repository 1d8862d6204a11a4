/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_shares.c: scan and exscan with several leaders in each node: as many
 * ranks of each node as the smallest has, each for a share of the vector. The
 * ranks of a node give each leader its share of their vectors, a leader has the
 * result over one, two and so on of them, an exscan among those that lead one
 * share in all nodes tells what comes before the node, and each rank gets its
 * result from the leaders of its node. Each node must be a range of ranks.
 *
 * Source: the shares as in leaders.h.
 * Cost: two exchanges inside nodes, in which each rank sends and receives its
 * vector once, and an exscan of a share between nodes; all ranks reduce.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/leaders.h"

static bool prefix_shares_fit(const struct shape *shape)
{
	return leaders_fit(shape) && shape->topo->ordered;
}

/* A leader's shares of what comes before the node, at 0, and of the result over
 * the first k ranks of the node, at k. */
struct shares {
	struct leaders l;
	uint8_t buf;
	size_t count; /* of each */
	struct block *blocks;
};

static struct ref prefix_shares_share(const struct shares *s, int k)
{
	return ref(s->buf, (size_t)k * s->count);
}

/* Appends an exchange inside the node from h.own to h.acc. */
static void prefix_shares_exchange(struct shares *s, const struct block *send,
				   const struct block *recv, unsigned number)
{
	struct shape all = hierarchy_shape(s->l.h.shape, s->l.node.size, 0);

	s->l.h.inside = &alltoall_linear;
	all.send = send;
	all.recv = recv;
	hierarchy_embed(&s->l.h, &s->l.node, COLL_ALLTOALLV, all, number);
}

/* Makes the list of shares first .. first + n - 1. */
static void prefix_shares_list(struct shares *s, int first)
{
	for (int i = 0; i < s->l.node.size; i++)
		s->blocks[i] = (struct block){
		    prefix_shares_share(s, first + i).at, s->count};
}

/* Appends share k = share `left` op share k. */
static void put_before(struct shares *s, int left, int k)
{
	struct operands o = {prefix_shares_share(s, left),
			     prefix_shares_share(s, k),
			     prefix_shares_share(s, k), s->count};

	if (s->count)
		s->l.h.after = plan_reduce(s->l.h.plan, o, s->l.h.after, 0);
}

static void prefix_shares(struct plan *plan, const struct shape *shape,
			  int rank, enum collective collective)
{
	bool first_node = !topology_node_of(shape->topo, rank);
	bool exclusive = collective == COLL_EXSCAN;
	struct shares s = {0};
	struct hierarchy *h = &s.l.h;
	int n;

	if (!leaders_make(&s.l, plan, collective, shape, rank))
		return;
	n = s.l.node.size;
	s.count = s.l.share.count;
	s.blocks = plan_scratch(plan, (size_t)n * sizeof(*s.blocks));
	if (!s.blocks)
		return;
	s.buf = plan_tmp(plan, (size_t)(n + 1) * s.count);
	h->acc = prefix_shares_share(&s, 0);
	prefix_shares_list(&s, 1);
	prefix_shares_exchange(&s, s.l.shares, s.blocks, UP);
	for (int k = 2; k <= n; k++)
		put_before(&s, k - 1, k);

	h->own = prefix_shares_share(&s, n);
	leaders_over(&s.l, COLL_EXSCAN);
	for (int k = 1; k <= n - exclusive && !first_node; k++)
		put_before(&s, 0, k);

	prefix_shares_list(&s, exclusive ? 0 : 1);
	if (first_node && exclusive) {
		s.blocks[0].count = 0; /* nothing comes before rank 0 */
		for (int k = 0; k < n && !rank; k++)
			s.l.shares[k].count = 0;
	}
	h->own = prefix_shares_share(&s, 0);
	h->acc = ref(BUF_RECV, 0);
	prefix_shares_exchange(&s, s.blocks, s.l.shares, DOWN);
}

static void prefix_shares_cost(const struct shape *shape,
			       enum collective collective, struct cost *cost)
{
	const struct topology *t = shape->topo;
	struct shape all = leaders_all(shape), part = all;
	int lead = leaders_count(&all), n = t->size / t->nodes;
	double m;

	part.count /= (size_t)lead;
	m = shape_bytes(&part);
	hierarchy_cost_branches(&part, 0, COLL_ALLTOALLV, &alltoall_linear,
				cost);
	leaders_cost_over(&all, COLL_EXSCAN, false, cost);
	hierarchy_cost_branches(&part, 0, COLL_ALLTOALLV, &alltoall_linear,
				cost);
	cost->reduced += (2 * n - 1) * m;
	if (collective == COLL_EXSCAN) {
		cost->moved -= (topology_node_size(t, 0) - 1) * m;
		cost->intra_moved -= (topology_node_size(t, 0) - 1) * m;
	}
}

#define PREFIX_SHARES(upper, lower)                                            \
	static void lower##_build(struct plan *plan,                           \
				  const struct shape *shape, int rank)         \
	{                                                                      \
		prefix_shares(plan, shape, rank, COLL_##upper);                \
	}                                                                      \
	static void lower##_cost(const struct shape *shape, struct cost *c)    \
	{                                                                      \
		prefix_shares_cost(shape, COLL_##upper, c);                    \
	}                                                                      \
	const struct algorithm lower##_multi_leader = {                        \
	    .name = "multi_leader",                                            \
	    .by_node = true,                                                   \
	    .formula = "the sum of its levels",                                \
	    .fits = prefix_shares_fit,                                         \
	    .build = lower##_build,                                            \
	    .cost = lower##_cost};
PREFIX_SHARES(SCAN, scan)
PREFIX_SHARES(EXSCAN, exscan)
