/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbor.c: the k-th message to a peer has tag k, so that it meets the k-th
 * from this rank in the peer's list. What a rank has for itself is copied.
 */
#include "coll/neighbor.h"

/* How often list[i] stands in the list before i. */
static unsigned occurrence(const int *list, int i)
{
	unsigned k = 0;

	for (int j = 0; j < i; j++)
		k += list[j] == list[i];
	return k;
}

/* Where `rank` stands in the list for the k-th time; it does. */
static int find(const int *list, int rank, unsigned k)
{
	int i = 0;

	while (list[i] != rank || k--)
		i++;
	return i;
}

void neighbor_exchange(struct plan *plan, const struct shape *shape, int rank,
		       bool alike)
{
	const struct neighbors *nb = shape->neighbors;

	for (int i = 0; i < nb->nsources; i++) {
		struct block b = shape_recv(shape, i);
		unsigned k = occurrence(nb->sources, i);

		if (nb->sources[i] != rank)
			plan_recv(
			    plan, nb->sources[i],
			    (struct part){ref(BUF_RECV, b.at), b.count, k}, 0,
			    0);
	}
	for (int i = 0; i < nb->ndests; i++) {
		struct block own = {0, shape->count};
		struct block b = alike ? own : shape_send(shape, i);
		unsigned k = occurrence(nb->dests, i);
		struct part out = {ref(BUF_SEND, b.at), b.count, k};

		if (nb->dests[i] != rank) {
			plan_send(plan, nb->dests[i], out, 0, 0);
			continue;
		}
		b = shape_recv(shape, find(nb->sources, rank, k));
		plan_copy(plan, out.ref, ref(BUF_RECV, b.at), out.count, 0);
	}
}

void neighbor_cost(const struct shape *shape, struct cost *c)
{
	double degree = shape->neighbors ? shape->neighbors->ndests : 0;

	c->rounds = degree > 0;
	c->bytes = degree * shape_bytes(shape);
	c->sends = shape->size * degree;
	c->moved = shape->size * c->bytes;
}
