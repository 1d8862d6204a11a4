/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_gather.c: registers the pieces of a gathered write. One registration
 * covers pieces that lie close together, with the gaps between them:
 * registrations are of whole pages, so small gaps cost nothing while each
 * registration costs a system call. Where the gaps are too large, or hold no
 * memory, there are several.
 */
#include <stdlib.h>

#include "runtime/base/page.h"
#include "runtime/fabric/verbs/vb_rma.h"

enum { SPREAD = 8 }; /* most pages of a run per page needed */

struct range {
	uintptr_t start, end;
	size_t needed;
};

static struct range range_of(const struct iovec *piece)
{
	uintptr_t start = (uintptr_t)piece->iov_base;

	return (struct range){start, start + piece->iov_len,
			      piece->iov_len + page_size()};
}

/* Extends a range by one more piece if it is close enough. */
static bool gather_extend(struct range *range, const struct iovec *piece)
{
	struct range more = range_of(piece);

	if (range->start < more.start)
		more.start = range->start;
	if (range->end > more.end)
		more.end = range->end;
	more.needed += range->needed;
	if ((more.end - more.start) / SPREAD > more.needed)
		return false;
	*range = more;
	return true;
}

/* Registers the run that begins with *piece, and moves *piece behind it. */
static struct mr_entry *register_run(struct vb *vb, const struct iovec **piece,
				     const struct iovec *end, bool *together)
{
	struct range range = range_of(*piece);
	const struct iovec *next = *piece + 1;
	struct mr_entry *entry;

	while (*together && next < end && gather_extend(&range, next))
		next++;
	if (next > *piece + 1) {
		if (!mr_cache_get(&vb->rma.cache, (void *)range.start,
				  range.end - range.start, false, &entry)) {
			*piece = next;
			return entry;
		}
		*together =
		    false; /* a hole, or too much: register single pieces */
		range = range_of(*piece);
	}
	++*piece;
	return vb_mr_get(vb, (void *)range.start, range.end - range.start,
			 false);
}

bool vb_gather_register(struct vb_op *op)
{
	const struct iovec *piece = op->from.next, *end = piece + op->pieces;
	bool together = true;

	op->nruns = 0;
	op->runs = malloc((size_t)op->pieces * sizeof(*op->runs));
	while (op->runs && piece < end) {
		struct mr_entry *entry =
		    register_run(vb_of(op->ep), &piece, end, &together);

		if (!entry) {
			vb_op_release(op);
			return false;
		}
		op->runs[op->nruns++] = (struct vb_run){entry, piece};
	}
	return op->runs;
}

void vb_op_release(struct vb_op *op)
{
	struct mr_cache *cache = &vb_of(op->ep)->rma.cache;

	if (op->entry)
		mr_cache_put(cache, op->entry);
	op->entry = NULL;
	while (op->nruns)
		mr_cache_put(cache, op->runs[--op->nruns].entry);
	free(op->runs);
	op->runs = NULL;
}

static uint32_t key_of(struct vb_op *op, const struct iovec *piece)
{
	if (!op->runs)
		return op->lkey;
	while (piece >= op->runs[op->run].end)
		op->run++;
	return vb_lkey(op->runs[op->run].entry, 0);
}

int vb_gather_take(struct vb_op *op, struct ibv_sge *sge, size_t *len)
{
	const struct iovec *first = op->from.next;
	struct iovec iov[VB_SGE];
	int n = pieces_take(&op->from, iov, vb_sge_max(vb_of(op->ep)), len);

	for (int i = 0; i < n; i++)
		sge[i] = (struct ibv_sge){(uintptr_t)iov[i].iov_base,
					  (uint32_t)iov[i].iov_len,
					  key_of(op, first + i)};
	return n;
}
