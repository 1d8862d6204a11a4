/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_args.h: the arguments of the public collectives and their checks, which
 * follow the table of rules (rules.h). A check that fails says why (proc_fail)
 * with the name that the argument has in mrt.h.
 */
#ifndef COLL_COLL_ARGS_H
#define COLL_COLL_ARGS_H

#include "coll/args/coll_call.h"
#include "coll/plan/rules.h"

/* As the caller gave them; those that a collective does not have are 0. */
struct coll_args {
	const void *sendbuf;
	void *recvbuf;
	size_t sendcount, recvcount;
	struct mrt_type *sendtype, *recvtype;
	/* v-collectives, by rank; displacements are in elements, or in bytes
	 * where types are lists */
	const size_t *sendcounts, *recvcounts;
	const ptrdiff_t *sdispls, *rdispls;
	struct mrt_type *const *sendtypes, *const *recvtypes;
	struct mrt_op *op;
	int root;
	const struct mrt_neighbors *neighbors;
	bool lists; /* neighbours: the counts and displacements are lists */
};

/* The names of a side's arguments in mrt.h. */
struct side_names {
	const char *buf, *count, *type, *counts, *displs;
};

/* One of the two sides of a call, sent or received: n blocks, which have one
 * count and type and follow one another, or have lists. */
struct side {
	const struct side_names *names;
	const void *buf;
	int n;	    /* 0: the arguments do not matter at this rank */
	bool holes; /* set by the check: a type is not dense */
	bool lists; /* counts and displs, not count */
	size_t count;
	struct mrt_type *type;
	const size_t *counts;
	const ptrdiff_t *displs;
	struct mrt_type *const *types; /* NULL: all are `type` */
	const int *ranks; /* of the blocks, where these are neighbours */
};

/* Both sides of a call at this rank. */
struct sides {
	struct side send, recv;
	struct role_blocks blocks;
};

/*
 * Checks all arguments of a call, whose collective *call has, and sets the rest
 * of *call. *sides is what has been checked, for packing.h; the sides' `holes`
 * say whether that is needed. Returns 0 or MRT_ERR_*. An intercommunicator's
 * calls become calls of its hidden communicator of both groups (inter_args.c).
 */
int coll_args_check(const struct coll_args *a, struct mrt_comm *comm,
		    struct coll_call *call, struct sides *sides);

/* ---- Parts of the check -------------------------------------------------- */

/* Sets *bytes to the packed length of each block of a side without lists. */
int coll_check_side(struct side *side, size_t *bytes);
/* Sets blocks[side->n], in packed bytes, of a side with lists. */
int coll_check_lists(struct side *side, struct block *blocks);
/* A block that a rank sends to itself has one length on both sides. */
int coll_check_equal(size_t sent, size_t received);
int coll_check_overlap(const void *send, size_t sent, const void *recv,
		       size_t received);
/* Sets call->type and op. */
int coll_check_op(struct coll_call *call, struct mrt_type *type,
		  struct mrt_op *op);
/* Sets call->neighbors. */
int coll_check_neighbors(const struct mrt_neighbors *n,
			 const struct mrt_comm *comm, struct coll_call *call);
/* What a rank sends itself as its own neighbour has one length and, unless it
 * will be packed, lies apart. */
int coll_check_own(const struct mrt_comm *comm, const struct coll_call *call,
		   bool packed);

/* The communicator whose plans run a call. */
static inline struct mrt_comm *coll_runs_on(struct mrt_comm *comm)
{
	return comm->inter ? comm->inter->merged : comm;
}

/* The root of a rooted call on an intercommunicator, as call->root: its rank of
 * both groups, or -1 if it is another rank of the own group. */
int inter_check_root(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call);
/* Makes a checked call one of the hidden communicator: what only moves becomes
 * an exchange among neighbours. */
void inter_translate(const struct coll_args *a, const struct mrt_comm *comm,
		     const struct sides *sides, struct coll_call *call);

/* Where a block is; of a buffer without elements buf may be NULL. */
static inline const void *coll_place(const void *buf, const struct block *b)
{
	return (const void *)((uintptr_t)buf + b->at);
}
#endif
