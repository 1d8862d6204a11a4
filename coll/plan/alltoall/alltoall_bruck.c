/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alltoall_bruck.c: a rank numbers its blocks by how far they have to go; in
 * round k all blocks whose number has bit k move 2^k ranks up, in one message.
 * In the end every block has arrived, and its number tells where it came from.
 *
 * Source: J. Bruck et al., "Efficient algorithms for all-to-all communications
 * in multiport message-passing systems", IEEE TPDS 8 (1997), section 3.
 * Cost: ceil(log2 n) (latency + n / 2 blocks / bandwidth), and each block is
 * copied about log2 n times: for short blocks and many ranks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"

/* Returns how many of 0 .. n - 1 have bit d. */
static int numbers_with(int n, int d)
{
	int rest = n % (2 * d);

	return n / (2 * d) * d + (rest > d ? rest - d : 0);
}

struct bruck {
	int n;
	size_t count;
	struct ref all, out, in; /* blocks by number; packed messages */
};

/* Packs the blocks that have bit d into `out`, or unpacks them from `in`. */
static uint32_t alltoall_bruck_pack(struct plan *plan, const struct bruck *w,
				    int d, bool unpack, uint32_t after)
{
	struct ref all = w->all, packed = unpack ? w->in : w->out;

	for (int i = d; i < w->n; i += 2 * d) {
		int run = d < w->n - i ? d : w->n - i;
		size_t count = (size_t)run * w->count;

		all.at = (size_t)i * w->count;
		after = plan_copy(plan, unpack ? packed : all,
				  unpack ? all : packed, count, after);
		packed.at += count;
	}
	return after;
}

/* Returns the step after which all blocks have arrived. */
static uint32_t alltoall_bruck_rounds(struct plan *plan, const struct bruck *w,
				      int rank, uint32_t ready)
{
	unsigned round = 0;

	for (int d = 1; d < w->n; d *= 2, round++) {
		size_t count = (size_t)numbers_with(w->n, d) * w->count;
		struct part out = {w->out, count, round};
		struct part in = {w->in, count, round};
		uint32_t packed = alltoall_bruck_pack(plan, w, d, false, ready),
			 got, sent;

		got = plan_recv(plan, (rank - d + w->n) % w->n, in, ready, 0);
		sent = plan_send(plan, (rank + d) % w->n, out, packed, 0);
		got = alltoall_bruck_pack(plan, w, d, true,
					  plan_join(plan, packed, got));
		ready = plan_join(plan, got, sent);
	}
	return ready;
}

static void alltoall_bruck_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	int n = shape->size;
	struct bruck w = {.n = n, .count = shape->count};
	/* at most half of the blocks, rounded up, have the same bit */
	size_t half = (size_t)(n / 2 + 1) * shape->count;
	uint32_t ready;

	w.all = blocks_save(plan, shape, rank, &ready);
	w.out = ref(plan_tmp(plan, half), 0);
	w.in = ref(plan_tmp(plan, half), 0);
	ready = alltoall_bruck_rounds(plan, &w, rank, ready);
	for (int i = 0; i < n; i++) {
		int from = (rank - i + n) % n;

		plan_copy(plan, ref(w.all.buf, (size_t)i * w.count),
			  blocks_one(shape, BUF_RECV, from, 0).ref, w.count,
			  ready);
	}
}

static void alltoall_bruck_cost(const struct shape *shape, struct cost *c)
{
	double n = shape->size, all = n * shape_bytes(shape);

	c->rounds = log2_ceil(shape->size);
	for (int d = 1; d < shape->size; d *= 2)
		c->bytes += numbers_with(shape->size, d) * shape_bytes(shape);
	c->sends = n * c->rounds;
	c->moved = n * c->bytes;
	/* before a round and after it, before the first and after the last */
	c->packed = cost_packed(2 * c->bytes + 2 * all, all);
}

const struct algorithm alltoall_bruck = {
    .name = "bruck",
    .formula = "ceil(log2 n) (a + n / 2 m b)",
    .build = alltoall_bruck_build,
    .cost = alltoall_bruck_cost,
};
