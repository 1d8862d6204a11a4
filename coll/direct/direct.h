/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.h: collectives inside a node by flags and data in shared
 * memory, without messages. Written directly for speed; the protocol is in
 * direct.c. Same results on every rank, bit by bit.
 *
 * A communicator whose ranks are all on one node has a region of the fabric's
 * shared area, as long as there is room; without one (or above the limits
 * below) its collectives are plans.
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

enum {
	DIRECT_LINE = 48, /* bytes that travel in one line */
	/* epochs that may be under way at once, powers of two: so far a root
	 * may run ahead; of world, and of other communicators */
	DIRECT_WORLD_SLOTS = 64,
	DIRECT_SLOTS = 16,
	DIRECT_SLICE = 32768, /* bytes of one slice of a rank's buffer, */
	DIRECT_SLICES =
	    64, /* at most, where the region has buffers; of these */
	DIRECT_WIDE_SLICES = 2, /* hold a payload of up to */
	DIRECT_WIDE = DIRECT_WIDE_SLICES * DIRECT_SLICE / DIRECT_WORLD_SLOTS,
	/* for each epoch, and the others what is longer, this at once, of which
	 * two always fit */
	DIRECT_LONG = 8 * DIRECT_SLICE
};

struct line;

/* A communicator's end of it. */
struct direct {
	struct line *lines;    /* [slots][size]; NULL: no region */
	struct line *releases; /* [slots], from rank 0 to all */
	struct line *done;     /* [size] last epoch that each has finished */
	unsigned slots;
	char *buffers;	   /* [size][slices]; NULL: not yet mapped */
	unsigned slices;   /* of each rank; 0: no buffers */
	uint64_t epoch;	   /* of the last collective here */
	uint64_t all_done; /* everyone has finished this one, at least */
	uint64_t used[DIRECT_SLICES]; /* epoch that used each slice last */
	unsigned next_slice;
	int32_t region; /* where in the area; 0: none */
	bool several;	/* this call takes several epochs */
	bool broken;	/* ranks are in different epochs: direct_wrong.c */
	uint32_t
	    same_cpu; /* bit r: rank r may be on this one's CPU (flat form) */
	bool busy;    /* the ranks share CPUs */
	/* which sizes, by class, go the direct way, and up to how many bytes */
	uint64_t sizes[COLLECTIVES];
	size_t max[COLLECTIVES];
	size_t short_max[COLLECTIVES]; /* like max, for coll_short.h */
};

/* Does a call of so many bytes (barrier: 0) go the direct way? */
static inline bool is_direct(const struct direct *d, enum collective collective,
			     size_t bytes)
{
	return bytes <= d->max[collective] &&
	       d->sizes[collective] >> size_class(bytes) & 1;
}

/* How many slices the fabric has for each of world's ranks; 0: too few. */
unsigned direct_slices(const struct mrt_comm *world);
/* Prepares the node's area; world gets its region. */
void direct_init(struct mrt_comm *world, struct direct *d);

/*
 * Region for a new communicator: rank 0 takes one (0: there is none left, or
 * no direct path for this communicator), all ranks, having been told, attach.
 */
int32_t direct_take(const struct mrt_comm *comm);
void direct_attach(const struct mrt_comm *comm, struct direct *d,
		   int32_t region);
/* Rank 0 gives it back, when no rank uses it any more. */
void direct_give(const struct mrt_comm *comm, const struct direct *d);

/*
 * Up to how many bytes a collective goes this way; 0: never, not even a
 * barrier. Bytes of the vector, or of one block where there are blocks.
 */
size_t direct_max(const struct mrt_comm *comm, const struct direct *d,
		  enum collective collective);

/* Says why a broken one has no collectives any more: MRT_ERR_COLLECTIVE. */
int direct_is_broken(void);

/* A reduction's arguments. */
struct direct_reduce {
	const void *send;
	void *recv;
	size_t count;
	const struct mrt_op *op;
	const struct mrt_type *type;
};

/*
 * 0, a fault, or MRT_ERR_COLLECTIVE when it is seen that ranks call different
 * things; not if broken.
 * bytes (of the vector, or of a block) and count * size: at most direct_max.
 * In place: send is where shape.h says, never NULL; recv and send count at the
 * root alone where only it has them.
 */
int direct_barrier(struct mrt_comm *comm, struct direct *d);
int direct_bcast(struct mrt_comm *comm, struct direct *d, void *buf,
		 size_t bytes, int root);
int direct_gather(struct mrt_comm *comm, struct direct *d, const void *send,
		  size_t bytes, void *recv, int root);
int direct_scatter(struct mrt_comm *comm, struct direct *d, const void *send,
		   size_t bytes, void *recv, int root);
int direct_allgather(struct mrt_comm *comm, struct direct *d, const void *send,
		     size_t bytes, void *recv);
int direct_alltoall(struct mrt_comm *comm, struct direct *d, const void *send,
		    size_t bytes, void *recv);
int direct_reduce(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r, int root);
int direct_allreduce(struct mrt_comm *comm, struct direct *d,
		     const struct direct_reduce *r);
/* count: of a block. */
int direct_reduce_scatter(struct mrt_comm *comm, struct direct *d,
			  const struct direct_reduce *r);
int direct_scan(struct mrt_comm *comm, struct direct *d,
		const struct direct_reduce *r);
int direct_exscan(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r);
#endif
