/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_gatherv.c: a gatherv in one epoch. Only the root and the rank that has
 * a block know its length, so the line says it, and with it where the block is:
 * in the line, in the buffer of the line, in a slice, which all ranks take in
 * any case, or, if it is longer, still in the memory of its rank, which stays
 * until the root has done the epoch. The protocol is in direct.c.
 */
#include <string.h>

#include "coll/node/direct_read.h"
#include "runtime/base/copy.h"

/* The content of a line; above DIRECT_SLICE bytes it holds a notice. */
struct short_block {
	uint64_t bytes;
	char data[DIRECT_LINE - sizeof(uint64_t)];
};

union content {
	uint64_t bytes;
	struct short_block block;
	struct notice notice;
};
_Static_assert(sizeof(union content) <= DIRECT_LINE, "fits a line");

/* Returns where a block is that fits no line, but slice k. */
static char *buffer_of(const struct mrt_comm *comm, const struct direct *d,
		       unsigned k, int rank, size_t bytes)
{
	return bytes <= DIRECT_WIDE ? wide_at(comm, d, DIRECT_WIDE, rank)
				    : direct_buffer(d, k, rank);
}

/* A call, and the slice that it takes. */
struct gatherv {
	uint32_t call;
	int root;
	unsigned slice;
};

static int direct_gatherv_give(struct mrt_comm *comm, struct direct *d,
			       const struct gatherv *g, const void *send,
			       size_t bytes)
{
	WAIT(w, wait_text, "mrt_gatherv: the root to read this rank's block");
	struct line *mine;
	union content c = {.bytes = bytes};
	struct fab_mem *mem = NULL;
	int rc = line_enter(comm, d);

	if (rc)
		return rc;
	if (bytes > DIRECT_SLICE)
		rc = direct_offer(send, bytes, &c.notice, &mem);
	else if (bytes > sizeof(c.block.data))
		copy_out(buffer_of(comm, d, g->slice, comm->rank, bytes), send,
			 bytes);
	else if (bytes)
		memcpy(c.block.data, send, bytes);
	mine = line_at(comm, d, comm->rank);
	memcpy(mine->data, &c, sizeof(c));
	/* the root waits in any case */
	line_publish(d, mine, d->epoch, rc ? DIRECT_NO_CALL : g->call);
	if (mem) {
		rc = direct_wait_done(d, g->root, &w);
		proc.fab->ops->mem_deregister(proc.fab, mem);
	}
	return rc;
}

/* Takes the block of a rank whose line has come, or begins to read it. */
static int direct_gatherv_take(struct mrt_comm *comm, const struct direct *d,
			       const struct gatherv *g, int rank,
			       const struct read *read, struct reading **list,
			       struct wait *w)
{
	union content c;

	memcpy(&c, line_at(comm, d, rank)->data, sizeof(c));
	if (c.bytes != read->bytes)
		return direct_wrong_length(rank, c.bytes, read->bytes);
	if (c.bytes > DIRECT_SLICE)
		return direct_read_begin(proc_ep(comm_world_rank(comm, rank)),
					 &c.notice, read, list, w);
	if (c.bytes > sizeof(c.block.data))
		copy_bytes(read->to,
			   buffer_of(comm, d, g->slice, rank, c.bytes),
			   c.bytes);
	else if (c.bytes)
		memcpy(read->to, c.block.data, c.bytes);
	return 0;
}

/* A wrong length is an error of this rank alone, which takes the other blocks
 * all the same. */
static int take_all(struct mrt_comm *comm, struct direct *d,
		    const struct gatherv *g, char *recv,
		    const struct block *blocks)
{
	WAIT(w, wait_text, "mrt_gatherv: the blocks of other ranks");
	struct reading *list = NULL;
	int rc = 0, error = 0;

	d->epoch++;
	for (int i = 1; i < comm->size && !rc; i++) {
		int q = (comm->rank + i) % comm->size;
		struct read read = {recv + blocks[q].at, 0, blocks[q].count};

		rc = wait_for_rank(comm, d, q, g->call);
		if (!rc) {
			int wrong = direct_gatherv_take(comm, d, g, q, &read,
							&list, &w);

			error = wrong ? wrong : error;
		}
	}
	if (rc)
		error = direct_refuse(comm, d, NULL, rc);
	else
		d->all_done = d->epoch - 1;
	rc = direct_read_end(list, &w);
	return rc ? rc : error;
}

int direct_gatherv(struct mrt_comm *comm, struct direct *d, const void *send,
		   size_t bytes, void *recv, const struct block *blocks,
		   int root)
{
	struct gatherv g = {call_id(COLL_GATHERV, 0, root, NULL), root, 0};
	bool writes = comm->rank != root && bytes > DIRECT_WIDE;
	int rc = direct_take_slices(comm, d, DIRECT_SLICE, writes, &g.slice);

	if (rc)
		return rc;
	if (comm->rank != root) {
		rc = direct_gatherv_give(comm, d, &g, send, bytes);
	} else {
		if (send && bytes)
			copy_bytes((char *)recv + blocks[root].at, send, bytes);
		rc = take_all(comm, d, &g, recv, blocks);
	}
	direct_mark_slices(d, g.slice);
	line_leave(comm, d);
	/* ranks with long blocks may sleep */
	if (comm->rank == root)
		line_notify(d->lines);
	return rc;
}
