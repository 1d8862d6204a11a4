/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_args.h: the arguments of the public collectives, and their checks. An
 * error is said (proc_fail) with the name that the argument has in mrt.h.
 */
#ifndef COLL_COLL_ARGS_H
#define COLL_COLL_ARGS_H

#include "coll/args/coll_call.h"

/* As the caller gave them; those that a collective does not have are 0. */
struct coll_args {
	const void *sendbuf;
	void *recvbuf;
	size_t sendcount, recvcount;
	struct mrt_type *sendtype, *recvtype;
	/* v-collectives, by rank; in elements, or bytes where types are lists
	 */
	const size_t *sendcounts, *recvcounts;
	const ptrdiff_t *sdispls, *rdispls;
	struct mrt_type *const *sendtypes, *const *recvtypes;
	struct mrt_op *op;
	int root;
	const struct mrt_neighbors *neighbors;
	bool lists;  /* neighbours: the counts and displacements are lists */
	bool packed; /* a reduction's elements have no holes, if the type has */
};

/* Sets what *call needs, which has its collective and is zero but for that.
 * 0 or MRT_ERR_*; COLL_PACK if a type has holes, so that packing.h must be
 * used; then more may be wrong. */
enum { COLL_PACK = 1 };
int coll_args_check(const struct coll_args *a, struct mrt_comm *comm,
		    struct coll_call *call);

/* ---- Parts -------------------------------------------------------------- */

/* One of the two sides of a call: n blocks of `count` elements, and what its
 * arguments are called. n 0: it does not count at this rank. */
struct side {
	const char *buf_name, *count_name, *type_name;
	const void *buf;
	size_t count;
	struct mrt_type *type;
	int n;
	bool packed; /* see above */
};
struct side coll_send_side(const struct coll_args *a, int n);
struct side coll_recv_side(const struct coll_args *a, int n);

/* Of what is no dense type: COLL_PACK, or that it is no type. */
int coll_other_type(struct mrt_type *type, const char *name);
/* *bytes: of each block. */
int coll_check_side(const struct side *side, size_t *bytes);
/* The buffer alone, of so many bytes. */
int coll_check_buffer(const struct side *side, size_t bytes);
/* Do both sides have blocks of the same length? */
int coll_check_equal(size_t sent, size_t received);
int coll_check_overlap(const void *send, size_t sent, const void *recv,
		       size_t received);
/* Sets call->type and op. */
int coll_check_op(struct coll_call *call, struct mrt_type *type,
		  struct mrt_op *op);

/* Those whose blocks are not of one length (coll_args_v.c). */
int coll_args_v(const struct coll_args *a, struct mrt_comm *comm,
		struct coll_call *call);

/* Those among neighbours (coll_args_neighbor.c). */
int coll_args_neighbor(const struct coll_args *a, struct mrt_comm *comm,
		       struct coll_call *call);

/* ---- Lists by rank ------------------------------------------------------ */

struct lists {
	const char *buf_name, *counts_name, *displs_name, *type_name;
	const void *buf;
	const size_t *counts;
	const ptrdiff_t *displs;
	struct mrt_type *type;
	struct mrt_type *const *types; /* NULL: all are type */
};
struct lists coll_send_lists(const struct coll_args *a);
struct lists coll_recv_lists(const struct coll_args *a);

/* Where a block is. */
static inline const void *coll_place(const void *buf, const struct block *b)
{
	/* of a buffer without elements buf may be NULL */
	return (const void *)((uintptr_t)buf + b->at);
}

/* *at: the displacement of block i, in bytes; MRT_ERR_COUNT: it leaves the
 * address space. */
int coll_displace(const struct lists *l, int i, size_t unit, ptrdiff_t *at);

/* blocks[n] in bytes. */
int coll_make_blocks(const struct lists *lists, int n, struct block *blocks);
#endif
