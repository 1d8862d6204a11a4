/* SPDX-License-Identifier: Apache-2.0 */
/* prove_buffers.c: the prover's reading of shape.h's list of what SEND and RECV
 * hold: each is a list of blocks, and each block of RECV has its origin. */
#include "coll/prove/prove_state.h"

enum content {
	NOTHING,
	ONE, /* count elements */
	OWN, /* the rank's own block */
	BLOCKS
};

static const struct contents {
	uint8_t send, recv;
	bool rooted_send, rooted_recv; /* at the root only */
} contents[COLLECTIVES] = {
    [COLL_BCAST] = {NOTHING, ONE, false, false},
    [COLL_REDUCE] = {ONE, ONE, false, true},
    [COLL_ALLREDUCE] = {ONE, ONE, false, false},
    [COLL_GATHER] = {ONE, BLOCKS, false, true},
    [COLL_GATHERV] = {ONE, BLOCKS, false, true},
    [COLL_SCATTER] = {BLOCKS, ONE, true, false},
    [COLL_SCATTERV] = {BLOCKS, ONE, true, false},
    [COLL_ALLGATHER] = {OWN, BLOCKS, false, false},
    [COLL_ALLGATHERV] = {OWN, BLOCKS, false, false},
    [COLL_ALLTOALL] = {BLOCKS, BLOCKS, false, false},
    [COLL_ALLTOALLV] = {BLOCKS, BLOCKS, false, false},
    [COLL_REDUCE_SCATTER_BLOCK] = {BLOCKS, OWN, false, false},
    [COLL_REDUCE_SCATTER] = {BLOCKS, OWN, false, false},
    [COLL_SCAN] = {ONE, ONE, false, false},
    [COLL_EXSCAN] = {ONE, ONE, false, false},
    [COLL_NEIGHBOR_ALLGATHER] = {ONE, BLOCKS, false, false},
    [COLL_NEIGHBOR_ALLTOALL] = {BLOCKS, BLOCKS, false, false},
};

/* Tells whether a rank of an intercommunicator has no such buffer: in a bcast
 * the ranks of the root's group do not take part, except the root; in a reduce
 * the root's group sends nothing. */
static bool takes_no_part(const struct proof *p, int rank, bool send)
{
	const struct shape *s = prove_shape(p, rank);
	enum collective c = p->c->collective;

	if (!s->low || (c != COLL_BCAST && (c != COLL_REDUCE || !send)))
		return false;
	return s->root < 0 || (c == COLL_REDUCE && s->root == rank);
}

static enum content prove_buffers_content(const struct proof *p, int rank,
					  int buf)
{
	const struct contents *c = &contents[p->c->collective];
	bool send = buf == BUF_SEND;

	if (takes_no_part(p, rank, send))
		return NOTHING;
	if ((send ? c->rooted_send : c->rooted_recv) &&
	    rank != prove_shape(p, rank)->root)
		return NOTHING;
	return send ? c->send : c->recv;
}

int prove_blocks(const struct proof *p, int rank, int buf)
{
	const struct neighbors *around = prove_shape(p, rank)->neighbors;
	enum content what = prove_buffers_content(p, rank, buf);

	if (what != BLOCKS)
		return what != NOTHING;
	if (!around)
		return p->n;
	return buf == BUF_SEND ? around->ndests : around->nsources;
}

static bool reduce_scatter(enum collective c)
{
	return c == COLL_REDUCE_SCATTER || c == COLL_REDUCE_SCATTER_BLOCK;
}

struct block prove_block(const struct proof *p, int rank, int buf, int i)
{
	const struct shape *s = prove_shape(p, rank);

	switch (prove_buffers_content(p, rank, buf)) {
	case ONE:
		return (struct block){0, s->count};
	case OWN:
		return (struct block){0, shape_own(s, rank)};
	case BLOCKS:
		return buf == BUF_SEND && !reduce_scatter(p->c->collective)
			   ? shape_send(s, i)
			   : shape_recv(s, i);
	default:
		return (struct block){0, 0};
	}
}

/* Returns the end of the last block. */
static size_t prove_buffers_extent(const struct proof *p, int rank, int buf)
{
	size_t end = 0;

	for (int i = 0; i < prove_blocks(p, rank, buf); i++) {
		struct block b = prove_block(p, rank, buf, i);

		if (b.count && b.at + b.count > end)
			end = b.at + b.count;
	}
	return end;
}

static size_t prove_buffers_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void prove_layout(const struct proof *p, int rank)
{
	struct prove_rank *r = &p->ranks[rank];
	const struct shape *s = prove_shape(p, rank);
	ptrdiff_t after;

	r->len[BUF_SEND] = prove_buffers_extent(p, rank, BUF_SEND);
	r->len[BUF_RECV] = prove_buffers_extent(p, rank, BUF_RECV);
	after = s->in_place ? shape_offset(p->c->collective, s, rank)
			    : (ptrdiff_t)r->len[BUF_RECV];
	r->base[after < 0 ? BUF_RECV : BUF_SEND] =
	    (size_t)(after < 0 ? -after : after);
	r->size = prove_buffers_larger(r->base[BUF_SEND] + r->len[BUF_SEND],
				       r->base[BUF_RECV] + r->len[BUF_RECV]);
	r->len[BUF_CELLS] = r->plan.ncells;
	r->len[BUF_BOARD] = r->plan.board;
	r->base[BUF_BOARD] = r->size;
	r->size += r->plan.board;
	for (int t = 0; t < r->plan.ntmp; t++) {
		r->len[BUF_TMP + t] = r->plan.tmp[t];
		r->base[BUF_TMP + t] = r->size;
		r->size += r->plan.tmp[t];
	}
}

/* Returns the origin of block i of a neighbourhood collective's RECV. */
static struct origin from_neighbor(const struct proof *p, int rank, int i)
{
	const struct neighbors *mine = prove_shape(p, rank)->neighbors, *its;
	int from = mine->sources[i], nth = 0, j = 0;

	if (p->c->collective == COLL_NEIGHBOR_ALLGATHER)
		return (struct origin){from, 1, 0};
	for (int a = 0; a < i; a++)
		nth += mine->sources[a] == from;
	its = prove_shape(p, from)->neighbors;
	while (j < its->ndests && (its->dests[j] != rank || nth--))
		j++;
	return (struct origin){from, 1, prove_block(p, from, BUF_SEND, j).at};
}

/* Returns the origin of a result that the other group contributes. */
static struct origin from_others(const struct proof *p, int rank)
{
	const struct shape *s = prove_shape(p, rank);
	int first = rank < s->low ? s->low : 0;
	size_t at = reduce_scatter(p->c->collective)
			? prove_block(p, rank, BUF_SEND, rank).at
			: 0;

	return (struct origin){first, first ? p->n - s->low : s->low, at};
}

struct origin prove_origin(const struct proof *p, int rank, int i)
{
	int root = prove_shape(p, rank)->root;

	if (prove_shape(p, rank)->low && p->c->collective != COLL_BCAST)
		return from_others(p, rank);
	switch (p->c->collective) {
	case COLL_BCAST:
		return (struct origin){root, 1, 0};
	case COLL_SCATTER:
	case COLL_SCATTERV:
		return (struct origin){root, 1,
				       prove_block(p, root, BUF_SEND, rank).at};
	case COLL_GATHER:
	case COLL_GATHERV:
	case COLL_ALLGATHER:
	case COLL_ALLGATHERV:
		return (struct origin){i, 1, 0};
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		return (struct origin){i, 1,
				       prove_block(p, i, BUF_SEND, rank).at};
	case COLL_REDUCE_SCATTER:
	case COLL_REDUCE_SCATTER_BLOCK:
		return (struct origin){0, p->n,
				       prove_block(p, rank, BUF_SEND, rank).at};
	case COLL_SCAN:
		return (struct origin){0, rank + 1, 0};
	case COLL_EXSCAN:
		return (struct origin){0, rank, 0};
	case COLL_NEIGHBOR_ALLGATHER:
	case COLL_NEIGHBOR_ALLTOALL:
		return from_neighbor(p, rank, i);
	default:
		return (struct origin){0, p->n, 0};
	}
}
