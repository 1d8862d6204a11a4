/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args_v.c: checks of collectives with a count for each rank, whose
 * blocks they make, in bytes. */
#include <stdlib.h>

#include "coll/args/coll_args.h"
#include "coll/args/coll_state.h"
#include "p2p/args.h"

struct block *coll_blocks(struct mrt_comm *comm, size_t n)
{
	struct coll_comm *c = comm->coll;

	if (c->blocks && c->nblocks >= n)
		return c->blocks;
	free(c->blocks);
	c->nblocks = n;
	c->blocks = malloc((n + 1) * sizeof(*c->blocks));
	return c->blocks;
}

struct lists coll_send_lists(const struct coll_args *a)
{
	return (struct lists){"sendbuf",  "sendcounts", "sdispls",
			      "sendtype", a->sendbuf,	a->sendcounts,
			      a->sdispls, a->sendtype,	a->sendtypes};
}

struct lists coll_recv_lists(const struct coll_args *a)
{
	return (struct lists){"recvbuf",  "recvcounts", "rdispls",
			      "recvtype", a->recvbuf,	a->recvcounts,
			      a->rdispls, a->recvtype,	a->recvtypes};
}

int coll_displace(const struct lists *l, int i, size_t unit, ptrdiff_t *at)
{
	uintptr_t begin;

	if (!__builtin_mul_overflow(l->displs[i], (ptrdiff_t)unit, at)) {
		/* of a sum that wraps, as below buf, too */
		begin = (uintptr_t)l->buf + (uintptr_t)*at;
		if (begin <= PTRDIFF_MAX)
			return 0;
	}
	return proc_fail(MRT_ERR_COUNT, "%s of block %d is %td", l->displs_name,
			 i, l->displs[i]);
}

/* Block i. With a list of types displacements are bytes. */
static int make_block(const struct lists *l, int i, struct block *b)
{
	struct mrt_type *handle = l->types ? l->types[i] : l->type;
	const struct mrt_type *type = type_get_dense(handle);
	ptrdiff_t at;
	int rc;

	if (!type)
		return coll_other_type(handle, l->type_name);
	if (l->counts[i] > TYPE_COUNT_MAX)
		return proc_fail(MRT_ERR_COUNT,
				 "%s of block %d is %zu (a "
				 "negative one?)",
				 l->counts_name, i, l->counts[i]);
	b->count = l->counts[i] * type->size;
	b->at = 0;
	if (!b->count)
		return 0;
	rc = coll_displace(l, i, l->types ? 1 : type->size, &at);
	if (rc)
		return rc;
	b->at = (size_t)at;
	if ((uintptr_t)l->buf + b->at < MRT_CONSTANTS_END)
		return proc_fail(MRT_ERR_BUFFER,
				 "%s is NULL, and block %d "
				 "there has %zu bytes",
				 l->buf_name, i, b->count);
	return 0;
}

int coll_make_blocks(const struct lists *l, int n, struct block *blocks)
{
	size_t total = 0;

	if (l->buf == MRT_IN_PLACE)
		return coll_check_buffer(
		    &(struct side){.buf_name = l->buf_name, .buf = l->buf}, 0);
	if (n && (!l->counts || !l->displs))
		return proc_fail(MRT_ERR_ARG, "%s is NULL",
				 l->counts ? l->displs_name : l->counts_name);
	for (int i = 0; i < n; i++) {
		int rc = make_block(l, i, &blocks[i]);

		if (rc)
			return rc;
		if (blocks[i].count > SIZE_MAX / 2 - total)
			return proc_fail(MRT_ERR_COUNT,
					 "%s add up to too "
					 "much",
					 l->counts_name);
		total += blocks[i].count;
	}
	return 0;
}

/* A rank's one block, and those of all. */
static int check_own(const void *one, size_t bytes, const void *all,
		     const struct block *blocks, const struct mrt_comm *comm)
{
	for (int i = 0; i < comm->size; i++) {
		int rc = coll_check_overlap(
		    one, bytes, coll_place(all, &blocks[i]), blocks[i].count);

		if (rc)
			return rc;
	}
	return 0;
}

/* gatherv's root, allgatherv's ranks: recv has blocks, send is one. */
static int gathers(const struct coll_args *a, const struct mrt_comm *comm,
		   struct coll_call *call, struct block *blocks)
{
	struct lists lists = coll_recv_lists(a);
	struct side send = coll_send_side(a, 1);
	int rc;

	lists.displs_name = "displs";
	rc = coll_make_blocks(&lists, comm->size, blocks);
	call->recv = a->recvbuf;
	call->recv_blocks = blocks;
	call->in_place = a->sendbuf == MRT_IN_PLACE;
	if (rc)
		return rc;
	if (call->in_place) {
		call->count = blocks[comm->rank].count;
		return 0;
	}
	call->send = a->sendbuf;
	rc = coll_check_side(&send, &call->count);
	if (!rc)
		rc = coll_check_equal(call->count, blocks[comm->rank].count);
	return rc ? rc
		  : check_own(a->sendbuf, call->count, a->recvbuf, blocks,
			      comm);
}

/* scatterv's root. */
static int scatters(const struct coll_args *a, const struct mrt_comm *comm,
		    struct coll_call *call, struct block *blocks)
{
	struct lists lists = coll_send_lists(a);
	struct side recv = coll_recv_side(a, 1);
	int rc;

	lists.displs_name = "displs";
	rc = coll_make_blocks(&lists, comm->size, blocks);
	call->send = a->sendbuf;
	call->send_blocks = blocks;
	call->in_place = a->recvbuf == MRT_IN_PLACE;
	if (rc)
		return rc;
	if (call->in_place) {
		call->count = blocks[comm->rank].count;
		return 0;
	}
	call->recv = a->recvbuf;
	rc = coll_check_side(&recv, &call->count);
	if (!rc)
		rc = coll_check_equal(blocks[comm->rank].count, call->count);
	return rc ? rc
		  : check_own(a->recvbuf, call->count, a->sendbuf, blocks,
			      comm);
}

static int alltoallv(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call, struct block *blocks)
{
	struct lists send = coll_send_lists(a), recv = coll_recv_lists(a);
	struct block *to = blocks + comm->size;
	const struct block *out = &to[comm->rank], *in = &blocks[comm->rank];
	int rc = coll_make_blocks(&recv, comm->size, blocks);

	call->recv = a->recvbuf;
	call->recv_blocks = call->send_blocks = blocks;
	call->in_place = a->sendbuf == MRT_IN_PLACE;
	if (rc || call->in_place)
		return rc;
	call->send = a->sendbuf;
	call->send_blocks = to;
	rc = coll_make_blocks(&send, comm->size, to);
	if (!rc)
		rc = coll_check_equal(out->count, in->count);
	return rc ? rc
		  : coll_check_overlap(coll_place(a->sendbuf, out), out->count,
				       coll_place(a->recvbuf, in), in->count);
}

/* Blocks one after the other, in elements. */
static int reduce_scatter(const struct coll_args *a,
			  const struct mrt_comm *comm, struct coll_call *call,
			  struct block *blocks)
{
	struct side send = {"sendbuf", "recvcounts", "type", a->sendbuf,
			    0,	       a->recvtype,  1,	     a->packed};
	struct side recv = {"recvbuf", "recvcounts", "type", a->recvbuf,
			    0,	       a->recvtype,  1,	     a->packed};
	int rc = coll_check_op(call, a->recvtype, a->op);
	size_t all, own;

	if (rc)
		return rc;
	call->in_place = a->sendbuf == MRT_IN_PLACE;
	if (!a->recvcounts)
		return proc_fail(MRT_ERR_ARG, "recvcounts is NULL");
	for (int i = 0; i < comm->size; i++) {
		size_t most = TYPE_COUNT_MAX - send.count;

		blocks[i] = (struct block){send.count, a->recvcounts[i]};
		if (blocks[i].count > most)
			return proc_fail(MRT_ERR_COUNT,
					 "recvcounts of rank "
					 "%d is %zu (a negative one?)",
					 i, blocks[i].count);
		send.count += blocks[i].count;
	}
	recv.count = call->in_place ? send.count : blocks[comm->rank].count;
	rc = coll_check_side(&recv, &own);
	if (!rc && !call->in_place)
		rc = coll_check_side(&send, &all);
	if (!rc && !call->in_place)
		rc = coll_check_overlap(a->sendbuf, all, a->recvbuf, own);
	call->send = call->in_place ? NULL : a->sendbuf;
	call->recv = a->recvbuf;
	call->recv_blocks = blocks;
	return rc;
}

int coll_args_v(const struct coll_args *a, struct mrt_comm *comm,
		struct coll_call *call)
{
	struct side send = coll_send_side(a, 1), recv = coll_recv_side(a, 1);
	struct block *blocks = coll_blocks(comm, 2 * (size_t)comm->size);

	if (!blocks)
		return proc_fail(MRT_ERR_NO_MEM, "blocks of %d ranks",
				 comm->size);
	switch (call->collective) {
	case COLL_GATHERV:
		if (comm->rank == a->root)
			return gathers(a, comm, call, blocks);
		call->send = a->sendbuf;
		return coll_check_side(&send, &call->count);
	case COLL_ALLGATHERV:
		return gathers(a, comm, call, blocks);
	case COLL_SCATTERV:
		if (comm->rank == a->root)
			return scatters(a, comm, call, blocks);
		call->recv = a->recvbuf;
		return coll_check_side(&recv, &call->count);
	case COLL_ALLTOALLV:
		return alltoallv(a, comm, call, blocks);
	default:
		return reduce_scatter(a, comm, call, blocks);
	}
}
