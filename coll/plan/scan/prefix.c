/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix.c: scan and exscan by windows. A rank holds a window, the result over
 * some consecutive ranks that end with itself; other ranks' windows extend it
 * downwards until it reaches rank 0. Operands keep rank order. In an exscan a
 * rank also keeps the result without its own part.
 *
 * recursive_doubling: in round k a rank sends the result over the 2^k ranks
 * that end with itself to the rank 2^k above, and puts what it receives from
 * the rank 2^k below in front of its own.
 *
 * Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29
 * (1986).
 * Cost: ceil(log2 n) (latency + bytes / bandwidth + bytes of reduction), any n:
 * the fewest rounds, for short vectors.
 *
 * binomial: on the way up rank r, if r + 1 is an odd multiple of 2^k, collects
 * the result over the 2^k ranks that end with itself and sends it to the rank
 * 2^k above; on the way down the ranks that have the result over all before
 * them send it to those that need it.
 *
 * Source: G. Blelloch, "Scans as primitive parallel operations", IEEE Trans.
 * Computers 38 (1989); P. Sanders, J. L. Träff, "Parallel prefix (scan)
 * algorithms for MPI", EuroPVM/MPI 2006 (binomial tree).
 * Cost: about 2 log2 n (latency + bytes / bandwidth + bytes of reduction) but
 * less than 2 n messages, where recursive doubling has n log2 n: where ranks
 * share cores.
 */
#include "coll/plan/algorithms.h"

struct prefix {
	const struct shape *shape;
	bool exclusive;		/* RECV gets the window without the own part */
	struct ref window;	/* SEND at first */
	uint8_t sum;		/* where the window grows */
	uint8_t stage[2];	/* receive buffers that take turns */
	uint32_t free_after[2]; /* steps after which they are free */
	int taken;
	uint32_t ready;	 /* the step that made the window */
	uint32_t last;	 /* the step after which the window may change */
	uint32_t result; /* the step that made RECV */
};

static struct prefix prefix_begin(struct plan *plan, const struct shape *shape,
				  int rank, bool exclusive)
{
	struct prefix p = {.shape = shape,
			   .exclusive = exclusive,
			   .window = ref(BUF_SEND, 0),
			   .sum = BUF_RECV};

	if (!rank && !exclusive && !shape->in_place)
		plan_copy(plan, p.window, ref(BUF_RECV, 0), shape->count, 0);
	if (rank && exclusive)
		p.sum = plan_tmp(plan, shape->count);
	for (int i = 0; i < 2 && rank; i++)
		p.stage[i] = plan_tmp(plan, shape->count);
	return p;
}

/* Sends the window; at most once between two calls of take_window. */
static void send_window(struct plan *plan, struct prefix *p, int peer,
			unsigned tag)
{
	struct part out = {p->window, p->shape->count, tag};

	p->last = plan_send(plan, peer, out, p->ready, 0);
}

/* Extends RECV of an exscan, after all steps that use SEND, which may be the
 * same memory. */
static uint32_t put_before(struct plan *plan, const struct prefix *p,
			   struct ref stage)
{
	struct ref recv = ref(BUF_RECV, 0);
	struct operands o = {stage, recv, recv, p->shape->count};

	if (p->taken)
		return plan_reduce(plan, o, p->last, p->result);
	return plan_copy(plan, stage, recv, o.count, p->last);
}

/* Receives the window that ends where ours begins, and puts it in front. more:
 * our window will be sent again. */
static void take_window(struct plan *plan, struct prefix *p, int peer,
			unsigned tag, bool more)
{
	int turn = p->taken % 2;
	struct part in = {ref(p->stage[turn], 0), p->shape->count, tag};
	struct operands o = {in.ref, p->window, ref(p->sum, 0), in.count};
	uint32_t got = plan_recv(plan, peer, in, p->free_after[turn], 0);

	if (more || !p->exclusive) {
		p->last = p->ready = plan_reduce(plan, o, got, p->last);
		p->window = o.dst;
	} else {
		p->last = plan_join(plan, got, p->last);
	}
	p->result = p->exclusive ? put_before(plan, p, in.ref) : p->ready;
	p->free_after[turn] = p->result;
	p->taken++;
}

/* ---- Recursive doubling ------------------------------------------------- */

static void prefix_doubling(struct plan *plan, const struct shape *shape,
			    int rank, bool exclusive)
{
	struct prefix p = prefix_begin(plan, shape, rank, exclusive);
	int n = shape->size;
	unsigned round = 0;

	for (int d = 1; d < n; d *= 2, round++) {
		if (d < n - rank)
			send_window(plan, &p, rank + d, round);
		if (d <= rank)
			take_window(plan, &p, rank - d, round,
				    d < n - rank - d);
	}
}

static void prefix_doubling_cost(const struct shape *shape, struct cost *c)
{
	c->rounds = log2_ceil(shape->size);
	/* the ranks that receive from the first ranks last do not wait for
	 * them */
	c->together = shape->size & (shape->size - 1) ? 1 : 0;
	c->bytes = c->rounds * shape_bytes(shape);
	for (int d = 1; d < shape->size; d *= 2)
		c->sends += shape->size - d;
	c->moved = c->sends * shape_bytes(shape);
}

/* ---- Binomial ----------------------------------------------------------- */

enum { UP_TAG, DOWN_TAG };

static void prefix_binomial(struct plan *plan, const struct shape *shape,
			    int rank, bool exclusive)
{
	struct prefix p = prefix_begin(plan, shape, rank, exclusive);
	int n = shape->size, length = 1;
	bool more = rank + 1 < n;

	for (; !((rank + 1) & length); length *= 2)
		take_window(plan, &p, rank - length, UP_TAG, more);
	if (length < n - rank)
		send_window(plan, &p, rank + length, UP_TAG);
	if (length <= rank)
		take_window(plan, &p, rank - length, DOWN_TAG,
			    more && length > 1);
	for (length /= 2; length; length /= 2)
		if (length < n - rank)
			send_window(plan, &p, rank + length, DOWN_TAG);
}

static void prefix_binomial_cost(const struct shape *shape, struct cost *c)
{
	int n = shape->size, sends = n;

	c->rounds = n > 2 ? 2 * log2_ceil(n) - 2 : n - 1;
	c->bytes = c->rounds * shape_bytes(shape);
	/* up: all that have a rank above; down: all where up did not end */
	for (int d = 1; d <= n; d *= 2)
		sends += n / (2 * d) - 1;
	c->sends += sends;
	c->moved = c->sends * shape_bytes(shape);
}

/* ---- Both, for scan and exscan ------------------------------------------- */

#define PREFIX(collective, way, algorithm_name, exclusive, text)               \
	static void collective##_##way##_build(                                \
	    struct plan *plan, const struct shape *shape, int rank)            \
	{                                                                      \
		prefix_##way(plan, shape, rank, exclusive);                    \
	}                                                                      \
	static void collective##_##way##_cost(const struct shape *shape,       \
					      struct cost *c)                  \
	{                                                                      \
		prefix_##way##_cost(shape, c);                                 \
		c->reduced = (1 + (exclusive)) * c->bytes;                     \
	}                                                                      \
	const struct algorithm collective##_##algorithm_name = {               \
	    .name = #algorithm_name,                                           \
	    .formula = text,                                                   \
	    .build = collective##_##way##_build,                               \
	    .cost = collective##_##way##_cost,                                 \
	};
PREFIX(scan, doubling, recursive_doubling, false,
       "ceil(log2 n) (a + m b + m c)")
PREFIX(scan, binomial, binomial, false, "2 log2 n (a + m b + m c)")
PREFIX(exscan, doubling, recursive_doubling, true,
       "ceil(log2 n) (a + m b + 2 m c)")
PREFIX(exscan, binomial, binomial, true, "2 log2 n (a + m b + 2 m c)")
