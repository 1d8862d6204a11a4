/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_args.h: the arguments of the public collectives and their checks, which
 * follow the table of rules (rules.h). A check that fails reports why
 * (proc_fail) and names the argument as mrt.h does.
 */
#ifndef COLL_COLL_ARGS_H
#define COLL_COLL_ARGS_H

#include "coll/call/coll_call.h"
#include "coll/plan/rules.h"

/* The names that mrt.h gives to the arguments of a side. */
struct side_names {
	const char *buf, *count, *type, *counts, *displs;
};

/* A side of a call is what it sends or what it receives: blocks that either
 * share one count and type and lie one after the other, or have lists. */
struct side {
	/* These members are as the user gave them, or 0. Lists are indexed
	 * by rank; displacements count elements, or bytes if each block has its
	 * own type. */
	const void *buf;
	size_t count;
	struct mrt_type *type;
	const size_t *counts;
	const ptrdiff_t *displs;
	struct mrt_type *const *types; /* NULL if all blocks have `type` */
	/* set by the check */
	const struct side_names *names;
	int n;		  /* blocks; 0 if the side does not matter here */
	bool holes;	  /* a type is not dense */
	bool lists;	  /* counts and displs are valid, and count is not */
	const int *ranks; /* the neighbour of each block, or NULL */
};

/* The arguments of a call; those that the collective does not have are 0. */
struct coll_args {
	struct side send, recv; /* a reduction has one count and type in both */
	struct mrt_op *op;
	int root;
	bool lists; /* a neighbour collective has lists of counts */
	const struct mrt_neighbors *neighbors;
	struct role_blocks blocks; /* set by the check */
};

/*
 * Checks all arguments of a call of call->collective and sets the other members
 * of *call; a side with `holes` must be packed (packing.h). Returns 0 or
 * MRT_ERR_*. A call on an intercommunicator becomes a call on its hidden
 * communicator of both groups (inter_args.c).
 */
int coll_args_check(struct coll_args *a, struct mrt_comm *comm,
		    struct coll_call *call);

/* ---- Parts of the check -------------------------------------------------- */

/* These return 0, or MRT_ERR_* after a report (proc_fail). */

/* Checks a side without lists; sets *bytes to the packed length of a block. */
int coll_check_side(struct side *side, size_t *bytes);
/* Checks a side with lists; sets blocks[side->n], whose lengths are in packed
 * bytes. */
int coll_check_lists(struct side *side, struct block *blocks);
/* Checks that a block which a rank sends to itself is as long as the one that
 * it receives from itself. */
int coll_check_equal(size_t sent, size_t received);
/* Checks that the bytes sent and the bytes received do not overlap. */
int coll_check_overlap(const void *send, size_t sent, const void *recv,
		       size_t received);
/* Checks that the operation is defined for the type; sets call->type and
 * call->op. */
int coll_check_op(struct coll_call *call, struct mrt_type *type,
		  struct mrt_op *op);
/* Checks the lists of neighbours; sets call->shape.neighbors. */
int coll_check_neighbors(const struct mrt_neighbors *n,
			 const struct mrt_comm *comm, struct coll_call *call);
/* Checks the blocks that a rank exchanges with itself as its own neighbour:
 * they must be as long on both sides and, unless they will be packed, must not
 * overlap. */
int coll_check_own(const struct mrt_comm *comm, const struct coll_call *call,
		   bool packed);

/* Returns the communicator whose plans run a call on comm. */
static inline struct mrt_comm *coll_runs_on(struct mrt_comm *comm)
{
	return comm->inter ? comm->inter->merged : comm;
}

/* Checks the root of a call on an intercommunicator and sets the root of the
 * shape: its rank in the hidden communicator, or -1 if it is another rank of
 * the own group. */
int inter_check_root(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call);
/* Turns a checked call into a call on the hidden communicator. A collective
 * that only moves data becomes an exchange among neighbours. */
void inter_translate(const struct coll_args *a, const struct mrt_comm *comm,
		     struct coll_call *call);

/* Returns the address of a block. buf may be NULL if it has no elements. */
static inline const void *coll_place(const void *buf, const struct block *b)
{
	return (const void *)((uintptr_t)buf + b->at);
}
#endif
