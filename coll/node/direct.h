/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.h: collectives inside a node through flags and data in shared memory,
 * without messages. They are written directly, for speed; direct.c describes
 * the protocol. All ranks get the same bits.
 *
 * The data of a call inside a node goes one of these ways:
 *   a line     up to DIRECT_LINE bytes of each rank, with its flag
 *   an exchange (direct_exchange.c) a longer payload of each rank, through its
 *		buffer: up to DIRECT_WIDE bytes beside its line, else slices,
 *		and above them one piece after another (direct_long.c)
 *   lines in which nobody waits (direct_started.h): a nonblocking or persistent
 *		call of up to DIRECT_WIDE bytes
 *   a board (node_board.h): a plan, in the part that runs inside a node, of a
 *		communicator of several nodes; of one node where a person has
 *		chosen the algorithm
 *
 * A communicator whose ranks are all on one node has a region of the fabric's
 * shared area, and buffers from its first call that needs them, as long as
 * there is space. Without a region, and above the limits below, its collectives
 * are plans.
 */
#ifndef COLL_DIRECT_H
#define COLL_DIRECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/op/op.h"
#include "coll/plan/select.h"
#include "p2p/comm.h"
#include "runtime/base/list.h"

enum {
	DIRECT_LINE = 48, /* bytes of data in one line */
	DIRECT_FLAT = 16, /* up to so many ranks everybody reads all lines */
	/* Epochs that may be under way at once, which is how far a root may run
	 * ahead: powers of two, while there is space and when it gets scarce.
	 */
	DIRECT_SLOTS = 64,
	DIRECT_FEW_SLOTS = 16,
	/* The buffers hold a payload of up to DIRECT_WIDE bytes of each rank
	 * for each epoch, of both regions, and slices for longer payloads,
	 * DIRECT_LONG bytes at once, of which two always fit. */
	DIRECT_WIDE = 1024,
	DIRECT_SLICE = 32768, /* bytes of one slice of a rank */
	DIRECT_SLICES = 64,   /* slices of a rank at most */
	DIRECT_LONG = 8 * DIRECT_SLICE
};

struct line;

/* A run of units of the node's spare memory. */
struct direct_place {
	int32_t at, units; /* units: 0 for none */
};

/* A rank's view of a communicator's region. */
struct direct {
	struct line *lines;    /* [slots][size]; NULL: no region */
	struct line *releases; /* [slots], from rank 0 to all */
	struct line *done;     /* [size] last epoch that each rank finished */
	unsigned slots;	       /* epochs that may be under way at once */
	char *wide;	       /* [slots][size]; NULL: not yet mapped */
	char *started_wide;    /* likewise, for the second region */
	char *buffers;	       /* slices of all ranks, behind them */
	unsigned slices;       /* of each rank; 0: no buffers */
	/* bytes from a slice of a rank to its next, and to the same of the next
	 * rank, in those taken last */
	size_t slice_step, rank_step;
	uint64_t epoch;	   /* of this rank's last collective */
	uint64_t all_done; /* an epoch that all ranks have finished */
	uint64_t used[DIRECT_SLICES]; /* the last epoch that used each slice */
	unsigned next_slice;
	unsigned open_slices;	   /* those in use, from the first on */
	unsigned rounds;	   /* through them */
	int32_t region;		   /* its unit in the area; 0: none */
	struct direct_place place; /* of its buffers; of none for world */
	bool may_widen; /* direct_widen has not been called, and may help */
	bool several;	/* the call under way takes several epochs */
	bool broken;	/* ranks are in different epochs: direct_mismatch.c */
	uint32_t same_cpu; /* bit r: rank r may share this rank's CPU (up to
			      DIRECT_FLAT ranks) */
	bool busy;	   /* the ranks share CPUs */
	/* the size classes that go the direct way, and up to how many bytes */
	uint64_t sizes[COLLECTIVES];
	size_t max[COLLECTIVES];
	size_t short_max[COLLECTIVES]; /* like max, for coll_short.h */
	const struct mrt_comm *comm;
	struct list link; /* in a list of all regions (direct_describe.c) */
};

/* Tells whether calls of so many bytes (0 for barrier) go the direct way; the
 * same on all ranks. */
static inline bool fits_direct(const struct direct *d,
			       enum collective collective, size_t bytes)
{
	return bytes <= d->max[collective] &&
	       d->sizes[collective] >> size_class(bytes) & 1;
}

/* Tells whether such a blocking call does so at this rank. */
static inline bool is_direct(const struct direct *d, enum collective collective,
			     size_t bytes)
{
	return !d->broken && fits_direct(d, collective, bytes);
}

/* Returns the slices that the fabric has for each rank of world; 0 if there are
 * too few. */
unsigned direct_slices(const struct mrt_comm *world);
/* Prepares the node's area and gives world its region. */
void direct_init(struct mrt_comm *world, struct direct *d);

/* Give a new communicator regions: rank 0 takes one with so many slots, or two
 * with as many as there is space for, and tells all ranks the name of the
 * first, with which they attach. 0: none is left, or the communicator has no
 * direct path. Every rank detaches before the communicator goes. */
int32_t direct_take(const struct mrt_comm *comm, unsigned slots);
int32_t direct_take_some(const struct mrt_comm *comm);
/* Like direct_take, with memory for a payload of DIRECT_WIDE bytes beside each
 * line, which direct_give gives back if d->place is set. */
int32_t direct_take_wide(const struct mrt_comm *comm, unsigned slots,
			 struct direct_place *place);
/* Returns that memory, which is at d->place; NULL, a fault: there is none. */
char *direct_wide(const struct mrt_comm *comm, const struct direct *d);
void direct_attach(const struct mrt_comm *comm, struct direct *d,
		   int32_t region);
/* Returns the name of the second region, of nonblocking calls; 0: none. */
int32_t direct_started_region(const struct mrt_comm *comm,
			      const struct direct *d);
/* Does nothing without a region. */
void direct_detach(struct direct *d);
/* Gives a communicator that may widen its buffers: rank 0 takes them and tells
 * all ranks, which call this at the same place among their collectives. It has
 * none after it if none are left. Returns like a collective. */
int direct_widen(struct mrt_comm *comm, struct direct *d);
/* Gives the region and the buffers of `size` ranks back; for rank 0, when no
 * rank uses them any more. */
void direct_give(const struct direct *d, int size);
/* Gives a second region back that no rank has used. */
void direct_give_started(const struct mrt_comm *comm, const struct direct *d);

/* Returns up to how many bytes a collective goes the direct way: bytes of
 * the vector, or of one block where there are blocks. 0: never, not even a
 * barrier. */
size_t direct_max(const struct mrt_comm *comm, const struct direct *d,
		  enum collective collective);
/* Returns what direct_max returns once the communicator has buffers. */
size_t direct_widest(const struct mrt_comm *comm, enum collective collective);

/* Sets sizes, max and short_max. */
void direct_set_limits(const struct mrt_comm *comm, struct direct *d);

/* Reports that a rank sent a block of another length than this one expected.
 * Returns the error. */
int direct_wrong_length(int rank, size_t sent, size_t expected);
/* Reports why a broken communicator has no collectives any more:
 * MRT_ERR_COLLECTIVE. */
int direct_is_broken(void);

/* The arguments of a reduction. */
struct direct_reduce {
	const void *send;
	void *recv;
	size_t count;
	const struct mrt_op *op;
	const struct mrt_type *type;
};

/*
 * The collectives block. They return 0, a fault, or MRT_ERR_COLLECTIVE when
 * they see that ranks call different things; they must not be called on a
 * broken communicator. bytes (of the vector, or of a block) and count * size
 * are at most direct_max. In place, send is where shape.h says, never NULL;
 * recv and send count at the root alone where only the root has them.
 */
int direct_barrier(struct mrt_comm *comm, struct direct *d);
int direct_bcast(struct mrt_comm *comm, struct direct *d, void *buf,
		 size_t bytes, int root);
int direct_gather(struct mrt_comm *comm, struct direct *d, const void *send,
		  size_t bytes, void *recv, int root);
/* blocks, in bytes, count at the root; bytes are those of this rank's block,
 * which is nowhere else (send is NULL) if the root has it in place. For a
 * communicator with buffers, whatever the lengths. */
int direct_gatherv(struct mrt_comm *comm, struct direct *d, const void *send,
		   size_t bytes, void *recv, const struct block *blocks,
		   int root);
int direct_scatter(struct mrt_comm *comm, struct direct *d, const void *send,
		   size_t bytes, void *recv, int root);
int direct_allgather(struct mrt_comm *comm, struct direct *d, const void *send,
		     size_t bytes, void *recv);
/* Blocks, in bytes, are the same on all ranks; the longest has at most
 * direct_max, and more than nothing. */
int direct_allgatherv(struct mrt_comm *comm, struct direct *d, const void *send,
		      void *recv, const struct block *blocks);
/* Returns the bytes of the longest block. */
size_t direct_longest(const struct mrt_comm *comm, const struct block *blocks);
int direct_alltoall(struct mrt_comm *comm, struct direct *d, const void *send,
		    size_t bytes, void *recv);
int direct_reduce(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r, int root);
int direct_allreduce(struct mrt_comm *comm, struct direct *d,
		     const struct direct_reduce *r);
/* r->count is that of a block. */
int direct_reduce_scatter(struct mrt_comm *comm, struct direct *d,
			  const struct direct_reduce *r);
/* Like direct_reduce_scatter with blocks of any lengths: r->count elements are
 * this rank's, from element `at` on of the `total` that each rank sends. */
int direct_reduce_scatter_list(struct mrt_comm *comm, struct direct *d,
			       const struct direct_reduce *r, size_t at,
			       size_t total);
int direct_scan(struct mrt_comm *comm, struct direct *d,
		const struct direct_reduce *r);
int direct_exscan(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r);
#endif
