/* SPDX-License-Identifier: Apache-2.0 */
/* packing.c: packing before collectives and unpacking after them (packing.h).
 */
#include "coll/run/packing.h"

#include <string.h>

#include "coll/run/packing_sides.h"
#include "coll/run/scratch.h"
#include "p2p/args.h"

/* Elements that are packed in one go; those of one block, or of several that
 * lie one after the other. */
struct packed_part {
	const struct mrt_type *type;
	char *buf;
	size_t bytes; /* packed */
	bool still;   /* nothing moves */
};

/* One of both sides of a call. */
struct packed_side {
	struct packed_part *pieces; /* [n] */
	size_t *counts;		    /* [n] bytes */
	ptrdiff_t *displs;	    /* [n] bytes in room */
	int n;
	size_t total;
	char *room;
	bool in, out; /* packed at the beginning; unpacked at the end */
	bool as_is;   /* nothing has holes: the user's buffer is the room */
};

struct packing {
	struct coll_args args;
	struct packed_side send, recv;
	char *room;
};

/* ---- Pieces ------------------------------------------------------------- */

/* Adds count elements at buf; `number` is for messages. */
static int add_piece(struct packed_side *f, struct mrt_type *handle,
		     const void *buf, size_t count, const char *name)
{
	const struct mrt_type *type = type_get(handle);
	struct packed_part *p = &f->pieces[f->n];

	if (!type || !type->committed)
		return coll_other_type(handle, name);
	if (count > type->count_max)
		return proc_fail(MRT_ERR_COUNT,
				 "%zu elements (a negative "
				 "count?)",
				 count);
	p->type = type;
	p->buf = (char *)(uintptr_t)buf;
	p->bytes = count * type->size;
	p->still = false;
	if (p->bytes &&
	    (uintptr_t)buf + (size_t)type->true_lb < MRT_CONSTANTS_END)
		return proc_fail(MRT_ERR_BUFFER, "elements of %s at %p",
				 type->name ? type->name : "a type", buf);
	if (p->bytes > SIZE_MAX / 2 - f->total)
		return proc_fail(MRT_ERR_COUNT, "the counts add up to too "
						"much");
	f->counts[f->n] = p->bytes;
	f->displs[f->n] = (ptrdiff_t)f->total;
	f->total += p->bytes;
	f->n++;
	type_hold(type);
	return 0;
}

static int add_list(struct packed_side *f, const struct lists *l, int n)
{
	int rc = 0;

	if (n && (!l->counts || !l->displs))
		return proc_fail(MRT_ERR_ARG, "%s is NULL",
				 l->counts ? l->displs_name : l->counts_name);
	for (int i = 0; i < n && !rc; i++) {
		struct mrt_type *handle = l->types ? l->types[i] : l->type;
		const struct mrt_type *type = type_get(handle);
		size_t step = l->types || !type ? 1 : (size_t)type->extent;
		ptrdiff_t at = 0;

		if (l->counts[i])
			rc = coll_displace(l, i, step, &at);
		if (!rc)
			rc = add_piece(
			    f, handle,
			    (const void *)((uintptr_t)l->buf + (uintptr_t)at),
			    l->counts[i], l->type_name);
	}
	return rc;
}

/* Blocks one after the other: as one piece, or of neighbours one by one. */
static int add_blocks(struct packed_side *f, const struct side *s, bool apart)
{
	const struct mrt_type *type = type_get(s->type);
	size_t n = (size_t)s->n, at, rc = 0;

	if (s->count > TYPE_COUNT_MAX / (n ? n : 1))
		return proc_fail(MRT_ERR_COUNT,
				 "%s of %zu elements (a negative one?)",
				 s->count_name, s->count);
	if (!apart || !type)
		return add_piece(f, s->type, s->buf, s->count * n,
				 s->type_name);
	for (size_t i = 0; i < n && !rc; i++) {
		at = i * s->count * (size_t)type->extent;
		rc = (size_t)add_piece(f, s->type,
				       (const void *)((uintptr_t)s->buf + at),
				       s->count, s->type_name);
	}
	return (int)rc;
}

/* Blocks without holes stay where they are. */
static void leave(struct packed_side *f, const struct side *side)
{
	for (int i = 0; i < f->n; i++)
		if (!f->pieces[i].type->dense)
			return;
	f->as_is = true;
	f->in = f->out = false;
	for (int i = 0; i < f->n; i++)
		f->displs[i] = f->pieces[i].buf - (char *)(uintptr_t)side->buf;
}

static int fill(struct packed_side *f, const struct plain *plain,
		const struct side *side, const struct lists *lists)
{
	int rc;

	f->in = plain->in;
	f->out = plain->out;
	if (!plain->blocks || side->buf == MRT_IN_PLACE)
		return 0;
	rc = plain->lists ? add_list(f, lists, plain->blocks)
			  : add_blocks(f, side, plain->ranks != NULL);
	for (int i = 0; plain->ranks && i < f->n; i++)
		f->pieces[i].still = plain->ranks[i] == MRT_PROC_NULL;
	if (!rc)
		leave(f, side);
	return rc;
}

/* ---- The same call, packed ---------------------------------------------- */

static bool is_reduction(const struct coll_args *a)
{
	return a->op != NULL;
}

static size_t room_of(size_t bytes)
{
	return (bytes + SCRATCH_ALIGN) & ~(size_t)(SCRATCH_ALIGN - 1);
}

/* Room for what is packed, instead of the user's buffers. */
static int take_room(struct packing *e)
{
	size_t send = e->send.as_is ? 0 : room_of(e->send.total);
	size_t recv = e->recv.as_is ? 0 : room_of(e->recv.total);

	if (!(send + recv))
		return 0;
	e->room = scratch_take(send + recv);
	if (!e->room)
		return proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack",
				 send + recv);
	e->send.room = e->room;
	e->recv.room = e->room + send;
	if (e->send.n && !e->send.as_is)
		e->args.sendbuf = e->send.room;
	if (e->recv.n && !e->recv.as_is)
		e->args.recvbuf = e->recv.room;
	return 0;
}

/* Counts in bytes. Of blocks that are as one, of each. */
static void rewrite_moves(struct packing *e, const struct plain *send,
			  const struct plain *recv)
{
	struct coll_args *a = &e->args;
	size_t unit[2] = {1, 1};

	a->sendtype = a->recvtype = MRT_BYTE;
	a->sendtypes = a->recvtypes = NULL;
	if (e->send.n && !send->lists)
		unit[0] = e->send.total / (size_t)send->blocks;
	if (e->recv.n && !recv->lists)
		unit[1] = e->recv.total / (size_t)recv->blocks;
	a->sendcount = e->send.n ? unit[0] : 0;
	a->recvcount = e->recv.n ? unit[1] : 0;
	a->sendcounts = e->send.counts;
	a->sdispls = e->send.displs;
	a->recvcounts = e->recv.counts;
	a->rdispls = e->recv.displs;
}

/* ---- Making one --------------------------------------------------------- */

static void give_lists(struct packed_side *f, char **at, size_t n)
{
	f->pieces = (struct packed_part *)*at;
	*at += n * sizeof(*f->pieces);
	f->counts = (size_t *)*at;
	*at += n * sizeof(*f->counts);
	f->displs = (ptrdiff_t *)*at;
	*at += n * sizeof(*f->displs);
}

static struct packing *make(size_t nsend, size_t nrecv)
{
	size_t each =
	    sizeof(struct packed_part) + sizeof(size_t) + sizeof(ptrdiff_t);
	size_t bytes = sizeof(struct packing) + (nsend + nrecv) * each;
	struct packing *e;
	char *at;

	e = (struct packing *)scratch_take(room_of(bytes));
	if (!e)
		return NULL;
	memset(e, 0, sizeof(*e));
	at = (char *)(e + 1);
	give_lists(&e->send, &at, nsend);
	give_lists(&e->recv, &at, nrecv);
	return e;
}

static int fill_both(struct packing *e, const struct plain *send,
		     const struct plain *recv)
{
	const struct coll_args *a = &e->args;
	struct side from = coll_send_side(a, send->blocks);
	struct side to = coll_recv_side(a, recv->blocks);
	struct lists out = coll_send_lists(a), in = coll_recv_lists(a);
	int rc;

	if (is_reduction(a)) {
		from.count = to.count = a->recvcount;
		from.type = to.type = a->recvtype;
	}
	rc = fill(&e->send, send, &from, &out);
	return rc ? rc : fill(&e->recv, recv, &to, &in);
}

/* reduce_scatter's vector: as one block of all counts. */
static int add_counts(struct coll_args *a, const struct mrt_comm *comm,
		      struct plain *recv, size_t *own)
{
	size_t total = 0;

	if (!a->recvcounts)
		return proc_fail(MRT_ERR_ARG, "recvcounts is NULL");
	for (int i = 0; i < comm->own_size; i++) {
		if (a->recvcounts[i] > TYPE_COUNT_MAX - total)
			return proc_fail(MRT_ERR_COUNT,
					 "recvcounts of rank %d "
					 "is %zu (a negative one?)",
					 i, a->recvcounts[i]);
		total += a->recvcounts[i];
	}
	*own = recv->in ? total : a->recvcounts[comm->rank];
	a->recvcount = total;
	return 0;
}

static int prepare(struct packing *e, const struct mrt_comm *comm,
		   enum collective collective, struct plain *send,
		   struct plain *recv)
{
	size_t own = 0;
	int rc = 0;

	if (collective == COLL_REDUCE_SCATTER)
		rc = add_counts(&e->args, comm, recv, &own);
	if (!rc)
		rc = fill_both(e, send, recv);
	if (rc)
		return rc;
	if (collective == COLL_REDUCE_SCATTER && e->recv.n) {
		/* the result, of which fill_both knows the sum alone */
		size_t bytes = own * e->recv.pieces[0].type->size;

		e->recv.pieces[0].bytes = e->recv.total = bytes;
	}
	rc = take_room(e);
	if (is_reduction(&e->args))
		e->args.packed = true;
	else
		rewrite_moves(e, send, recv);
	return rc;
}

int packing_create(const struct coll_args *args, const struct mrt_comm *comm,
		   enum collective collective, struct packing **packing)
{
	struct plain send, recv;
	struct packing *e;
	int rc;

	packing_describe(args, comm, collective, &send, &recv);
	e = make((size_t)send.blocks, (size_t)recv.blocks);
	if (!e)
		return proc_fail(MRT_ERR_NO_MEM, "room to pack");
	e->args = *args;
	rc = prepare(e, comm, collective, &send, &recv);
	if (rc) {
		packing_destroy(e);
		return rc;
	}
	*packing = e;
	return 0;
}

static void release(const struct packed_side *f)
{
	for (int i = 0; i < f->n; i++)
		type_release(f->pieces[i].type);
}

void packing_destroy(struct packing *packing)
{
	if (!packing)
		return;
	release(&packing->send);
	release(&packing->recv);
	scratch_give(packing->room);
	scratch_give((char *)packing);
}

const struct coll_args *packing_args(const struct packing *packing)
{
	return &packing->args;
}

/* ---- Using it ----------------------------------------------------------- */

static void pack(const struct packed_side *f)
{
	for (int i = 0; f->in && i < f->n; i++) {
		const struct packed_part *p = &f->pieces[i];

		if (!p->still)
			type_pack(p->type, p->buf, 0, p->bytes,
				  f->room + f->displs[i]);
	}
}

void packing_pack(struct packing *packing)
{
	pack(&packing->send);
	pack(&packing->recv);
}

void packing_unpack(struct packing *packing)
{
	const struct packed_side *f = &packing->recv;

	for (int i = 0; f->out && i < f->n; i++) {
		const struct packed_part *p = &f->pieces[i];

		if (!p->still)
			type_unpack(p->type, p->buf, 0, p->bytes,
				    f->room + f->displs[i]);
	}
}
