/* SPDX-License-Identifier: Apache-2.0 */
/* packing.c: packs before collectives and unpacks after them. */
#include "coll/call/packing.h"

#include "coll/call/scratch.h"
#include "runtime/engine/proc.h"

/* Elements that are packed at once: those of one block, or of several blocks
 * that follow one another. */
struct packed_part {
	const struct mrt_type *type;
	char *buf, *packed;
	size_t bytes; /* of the packed elements; 0: nothing moves */
};

/* The parts of one side of a call; n is 0 for a side without holes. */
struct packed_side {
	struct packed_part *parts; /* [n] */
	int n;
	size_t bytes; /* of all packed parts */
};

struct packing {
	struct packed_side send, recv;
	bool reads_recv, writes_recv;
	char *scratch;
	struct packed_part parts[]; /* of both sides */
};

/* Returns the number of parts of a side. Each block is a part of its own if the
 * blocks have lists, or if they belong to neighbours, some of which may be
 * MRT_PROC_NULL, whose blocks do not move. */
static int count_parts(const struct side *side)
{
	if (!side->holes)
		return 0;
	return side->lists || side->ranks ? side->n : 1;
}

static size_t packing_aligned(size_t bytes)
{
	return (bytes + SCRATCH_ALIGN) & ~(size_t)(SCRATCH_ALIGN - 1);
}

/* Returns part i, without its packed address. `blocks` says where the lists
 * have it, in bytes. */
static struct packed_part part_of(const struct side *side, int i,
				  const struct block *blocks)
{
	struct mrt_type *handle =
	    side->lists && side->types ? side->types[i] : side->type;
	const struct mrt_type *type = type_get(handle);
	size_t n = side->lists || side->ranks ? 1 : (size_t)side->n;
	size_t at = side->lists
			? blocks[i].at
			: (size_t)i * side->count * (size_t)type->extent;

	return (struct packed_part){.type = type,
				    .buf = (char *)((uintptr_t)side->buf + at),
				    .bytes = side->lists ? blocks[i].count
							 : n * side->count *
							       type->size};
}

/* Makes the parts of a side, packed one after the other, and moves the blocks
 * of lists, which are those of coll_blocks, to their packed places. `packed` is
 * an offset until place makes it an address. */
static void packed_side_fill(struct packed_side *f, const struct side *side,
			     const struct block *lists)
{
	struct block *blocks = (struct block *)(uintptr_t)lists;

	for (int i = 0; i < f->n; i++) {
		struct packed_part *p = &f->parts[i];

		*p = part_of(side, i, blocks);
		type_hold(p->type);
		p->packed = (char *)(uintptr_t)f->bytes;
		if (side->lists)
			blocks[i].at = f->bytes;
		f->bytes += p->bytes;
		if (side->ranks && side->ranks[i] == MRT_PROC_NULL)
			p->bytes = 0;
	}
}

/* Turns the offsets of the packed parts into addresses in `scratch`. */
static void packing_place(struct packed_side *f, char *scratch)
{
	for (int i = 0; i < f->n; i++)
		f->parts[i].packed = scratch + (uintptr_t)f->parts[i].packed;
}

/* Takes memory for the packed elements and puts it in place of the user's
 * buffers in *call. */
static int take_scratch(struct packing *p, struct coll_call *call)
{
	size_t send = p->send.n ? packing_aligned(p->send.bytes) : 0;
	size_t recv = p->recv.n ? packing_aligned(p->recv.bytes) : 0;

	p->scratch = scratch_take(send + recv);
	if (!p->scratch)
		return proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack",
				 send + recv);
	packing_place(&p->send, p->scratch);
	packing_place(&p->recv, p->scratch + send);
	if (p->send.n)
		call->send = p->scratch;
	if (p->recv.n)
		call->recv = p->scratch + send;
	return 0;
}

int packing_create(const struct coll_args *a, struct coll_call *call,
		   struct packing **packing)
{
	int nsend = count_parts(&a->send), nrecv = count_parts(&a->recv), rc;
	size_t parts = (size_t)nsend + (size_t)nrecv;
	struct packing *p = (struct packing *)scratch_take(
	    packing_aligned(sizeof(*p) + parts * sizeof(p->parts[0])));

	if (!p)
		return proc_fail(MRT_ERR_NO_MEM, "memory to pack");
	*p = (struct packing){.send = {p->parts, nsend, 0},
			      .recv = {p->parts + nsend, nrecv, 0},
			      .reads_recv = a->blocks.reads_recv,
			      .writes_recv = a->blocks.writes_recv};
	packed_side_fill(&p->send, &a->send, call->shape.send);
	packed_side_fill(&p->recv, &a->recv, call->shape.recv);
	rc = take_scratch(p, call);
	if (rc) {
		packing_destroy(p);
		return rc;
	}
	*packing = p;
	return 0;
}

void packing_destroy(struct packing *packing)
{
	if (!packing)
		return;
	for (int i = 0; i < packing->send.n + packing->recv.n; i++)
		type_release(packing->parts[i].type);
	scratch_give(packing->scratch);
	scratch_give((char *)packing);
}

static void pack_packing(const struct packed_side *f)
{
	for (int i = 0; i < f->n; i++) {
		const struct packed_part *p = &f->parts[i];

		type_pack(p->type, p->buf, 0, p->bytes, p->packed);
	}
}

void packing_pack(struct packing *packing)
{
	pack_packing(&packing->send);
	if (packing->reads_recv)
		pack_packing(&packing->recv);
}

void packing_unpack(struct packing *packing)
{
	const struct packed_side *f = &packing->recv;

	for (int i = 0; packing->writes_recv && i < f->n; i++) {
		const struct packed_part *p = &f->parts[i];

		type_unpack(p->type, p->buf, 0, p->bytes, p->packed);
	}
}
