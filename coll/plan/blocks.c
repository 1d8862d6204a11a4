/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.c: finds blocks that lie next to each other and moves them as one. */
#include "coll/plan/blocks.h"

size_t blocks_count(const struct shape *shape, int first, int n_of)
{
	size_t count = 0;

	if (!shape->recv)
		return (size_t)n_of * shape->count;
	for (int i = 0; i < n_of; i++)
		count += shape->recv[(first + i) % shape->size].count;
	return count;
}

size_t blocks_longest(const struct shape *shape)
{
	size_t longest = 0;

	if (!shape->recv)
		return shape->count;
	for (int i = 0; i < shape->size; i++) {
		struct block b = shape_recv(shape, i);

		longest = b.count > longest ? b.count : longest;
	}
	return longest;
}

struct part blocks_part(const struct shape *shape, struct ref vector, int first,
			int n_of, unsigned tag)
{
	vector.at += blocks_count(shape, 0, first);
	return (struct part){vector, blocks_count(shape, first, n_of), tag};
}

struct part blocks_one(const struct shape *shape, uint8_t buf, int i,
		       unsigned tag)
{
	struct block b = shape_recv(shape, i);

	return (struct part){ref(buf, b.at), b.count, tag};
}

/* Returns the longest run of adjacent blocks among the *n_of blocks from
 * `first` on; *n_of becomes the number of blocks in it. */
static struct block take_run(const struct shape *shape, int first, int *n_of)
{
	struct block run = shape_recv(shape, first % shape->size);
	int n = 1, left = shape->size - first % shape->size;

	if (!shape->recv) {
		*n_of = *n_of < left ? *n_of : left;
		run.count *= (size_t)*n_of;
		return run;
	}
	for (; n < *n_of; n++) {
		struct block b = shape_recv(shape, (first + n) % shape->size);

		if (b.count && run.count && b.at != run.at + run.count)
			break;
		if (!run.count)
			run.at = b.at;
		run.count += b.count;
	}
	*n_of = n;
	return run;
}

bool blocks_in_order(const struct shape *shape)
{
	int n = shape->size;
	struct block all = take_run(shape, 0, &n);

	return n == shape->size && (!all.at || !all.count);
}

struct ref blocks_vector(struct plan *plan, const struct shape *shape)
{
	if (blocks_in_order(shape))
		return ref(BUF_RECV, 0);
	return ref(plan_tmp(plan, blocks_count(shape, 0, shape->size)), 0);
}

/* Copies all blocks between `buf` and a vector that begins with block `first`:
 * from SEND to the vector, or from the vector to RECV. */
static uint32_t copy_all(struct plan *plan, const struct shape *shape,
			 uint8_t buf, struct ref vector, int first,
			 uint32_t after)
{
	bool out = buf == BUF_RECV;
	int n_of;

	for (int i = 0; i < shape->size; i += n_of) {
		struct block run;
		struct ref place;

		n_of = shape->size - i;
		run = take_run(shape, first + i, &n_of);
		place = ref(buf, run.at);
		after = plan_copy(plan, out ? vector : place,
				  out ? place : vector, run.count, after);
		vector.at += run.count;
	}
	return after;
}

uint32_t blocks_spread(struct plan *plan, const struct shape *shape,
		       struct ref vector, int first, uint32_t after)
{
	if (vector.buf == BUF_RECV)
		return after;
	return copy_all(plan, shape, BUF_RECV, vector, first, after);
}

uint32_t blocks_collect(struct plan *plan, const struct shape *shape,
			struct ref vector, int first)
{
	return copy_all(plan, shape, BUF_SEND, vector, first, 0);
}

struct ref blocks_save(struct plan *plan, const struct shape *shape, int first,
		       uint32_t *ready)
{
	size_t total = blocks_count(shape, 0, shape->size);
	struct ref vector = ref(plan_tmp(plan, total), 0);

	*ready = blocks_collect(plan, shape, vector, first);
	return vector;
}

uint32_t blocks_own(struct plan *plan, const struct shape *shape, int rank,
		    struct ref dst)
{
	if (shape->in_place && dst.buf == BUF_RECV)
		return 0;
	return plan_copy(plan, ref(BUF_SEND, 0), dst, shape_own(shape, rank),
			 0);
}

double blocks_mean(const struct shape *shape)
{
	return (double)blocks_count(shape, 0, shape->size) *
	       (double)shape->type_size / shape->size;
}

double blocks_by_tree(int n)
{
	double moves = 0;

	for (int v = 1; v < n; v++)
		for (int rest = v; rest; rest &= rest - 1)
			moves++;
	return moves;
}
