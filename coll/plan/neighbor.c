/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor.c: the k-th message to a peer has tag k, so that it matches the k-th
 * entry for this rank in the peer's list. A rank that is its own neighbour
 * copies.
 */
#include "coll/plan/neighbor.h"

#include "coll/plan/algorithms.h"
#include "mrt.h"

/* Returns the index of source or dest i among the messages with its rank, in
 * the order of the dests. In a grid, what comes from one side was sent to the
 * other side. */
static unsigned neighbor_occurrence(const int *list, int n, int i, int flip)
{
	unsigned k = 0;

	for (int j = 0; j < n; j++)
		k += list[j] == list[i] && (j ^ flip) < (i ^ flip);
	return k;
}

unsigned neighbor_source_tag(const struct neighbors *nb, int i)
{
	return neighbor_occurrence(nb->sources, nb->nsources, i, nb->grid);
}

unsigned neighbor_dest_tag(const struct neighbors *nb, int i)
{
	return neighbor_occurrence(nb->dests, nb->ndests, i, 0);
}

int neighbor_own_source(const struct neighbors *nb, int i)
{
	unsigned k = neighbor_dest_tag(nb, i);

	for (int j = 0; j < nb->nsources; j++)
		if (nb->sources[j] == nb->dests[i] &&
		    neighbor_source_tag(nb, j) == k)
			return j;
	return -1;
}

static void neighbor_receive(struct plan *plan, const struct shape *shape,
			     int rank)
{
	const struct neighbors *nb = shape->neighbors;

	for (int i = 0; i < nb->nsources; i++) {
		struct block b = shape_recv(shape, i);
		struct part in = {ref(BUF_RECV, b.at), b.count, 0};

		if (nb->sources[i] == rank || nb->sources[i] == MRT_PROC_NULL)
			continue;
		in.tag = neighbor_source_tag(nb, i);
		plan_recv(plan, nb->sources[i], in, 0, 0);
	}
}

/* Exchanges messages with all neighbours at once. If alike, all of them get
 * SEND[count] instead of a block each. */
static void neighbor_exchange(struct plan *plan, const struct shape *shape,
			      int rank, bool alike)
{
	const struct neighbors *nb = shape->neighbors;

	neighbor_receive(plan, shape, rank);
	for (int i = 0; i < nb->ndests; i++) {
		struct block own = {0, shape->count};
		struct block b = alike ? own : shape_send(shape, i);
		struct part out = {ref(BUF_SEND, b.at), b.count, 0};

		if (nb->dests[i] == MRT_PROC_NULL)
			continue;
		if (nb->dests[i] != rank) {
			out.tag = neighbor_dest_tag(nb, i);
			plan_send(plan, nb->dests[i], out, 0, 0);
			continue;
		}
		b = shape_recv(shape, neighbor_own_source(nb, i));
		plan_copy(plan, out.ref, ref(BUF_RECV, b.at), out.count, 0);
	}
}

/* The cost, assuming that all ranks have as many neighbours as this one and
 * none is its own. */
static void neighbor_cost(const struct shape *shape, struct cost *c)
{
	double degree = shape->neighbors ? shape->neighbors->ndests : 0;

	c->rounds = degree;
	c->together = degree > 0 ? degree - 1 : 0;
	c->bytes = degree * shape_bytes(shape);
	c->sends = shape->size * degree;
	c->moved = shape->size * c->bytes;
}

/*
 * A rank sends its vector to all its neighbours and receives theirs, all at
 * once.
 *
 * Source: the definition.
 * Cost: one latency, and a block for each neighbour.
 */
static void neighbor_allgather_linear_build(struct plan *plan,
					    const struct shape *shape, int rank)
{
	neighbor_exchange(plan, shape, rank, true);
}

const struct algorithm neighbor_allgather_linear = {
    .name = "linear",
    .formula = "a + k m b for k neighbours",
    .build = neighbor_allgather_linear_build,
    .cost = neighbor_cost,
};

/*
 * A rank sends each of its neighbours a block and receives one from each, all
 * at once.
 *
 * Source: the definition.
 * Cost: one latency, and a block for each neighbour.
 */
static void neighbor_alltoall_linear_build(struct plan *plan,
					   const struct shape *shape, int rank)
{
	neighbor_exchange(plan, shape, rank, false);
}

const struct algorithm neighbor_alltoall_linear = {
    .name = "linear",
    .formula = "a + k m b for k neighbours",
    .build = neighbor_alltoall_linear_build,
    .cost = neighbor_cost,
};
