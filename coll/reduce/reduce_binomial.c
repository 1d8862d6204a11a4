/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_binomial.c: up a binomial tree. An operation that is not commutative
 * is reduced to rank 0, which keeps the order of ranks, and sent on.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.4.
 * Cost: ceil(log2 n) (latency + bytes / bandwidth + bytes of reduction);
 * n - 1 messages.
 */
#include "coll/algorithms.h"

enum { TREE_TAG, MOVE_TAG };

/* Reduces SEND and the children's results into acc (left empty by a leaf).
 * Returns the last step. */
static uint32_t collect(struct plan *plan, const struct shape *shape, int v,
			int rank, struct ref acc)
{
	struct operands o = {ref(BUF_SEND, 0), ref(0, 0), acc, shape->count};
	uint8_t stage[2] = {plan_tmp(plan, shape->count),
			    plan_tmp(plan, shape->count)};
	uint32_t reduced = 0, before = 0, got;
	int k = 0;

	for (int low = 1; low < shape->size && !(v & low); low *= 2) {
		if (v + low >= shape->size)
			break;
		o.right = ref(stage[k++ % 2], 0);
		got = plan_recv(plan, (rank + low) % shape->size,
				(struct part){o.right, o.count, TREE_TAG},
				before, 0);
		before = reduced;
		reduced = plan_reduce(plan, o, got, reduced);
		o.left = acc;
	}
	return reduced;
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	int n = shape->size, top = shape->commutative ? shape->root : 0;
	int v = (rank - top + n) % n, low = v & -v, to = (rank - low + n) % n;
	bool leaf = (v & 1) || v + 1 == n;
	struct part send = {ref(BUF_SEND, 0), shape->count, TREE_TAG};
	struct part move = {ref(BUF_RECV, 0), shape->count, MOVE_TAG};
	uint32_t done = 0;

	if (n == 1) {
		plan_copy(plan, send.ref, move.ref, shape->count, 0);
		return;
	}
	if (!leaf) {
		send.ref = rank == top && top == shape->root
			       ? move.ref
			       : ref(plan_tmp(plan, shape->count), 0);
		done = collect(plan, shape, v, rank, send.ref);
	}
	if (v)
		done = plan_send(plan, to, send, done, 0);
	if (top == shape->root)
		return;
	if (rank == shape->root) {
		plan_recv(plan, top, move, done, 0);
	} else if (rank == top) {
		send.tag = MOVE_TAG;
		plan_send(plan, shape->root, send, done, 0);
	}
}

static void cost(const struct shape *shape, struct cost *c)
{
	double m = shape_bytes(shape);
	bool moves = !shape->commutative && shape->root;

	c->reduced = log2_ceil(shape->size) * m;
	c->rounds = log2_ceil(shape->size) + moves;
	c->bytes = c->rounds * m;
	c->sends = shape->size - 1 + moves;
	c->moved = c->sends * m;
}

const struct algorithm reduce_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) (a + m b + m c)",
    .build = build,
    .cost = cost,
};
