/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.h: the collectives, and the shape of a call: everything but the rank on
 * which an algorithm may depend.
 */
#ifndef COLL_SHAPE_H
#define COLL_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The collectives: X(UPPER, lower). COLL_UPPER, MRT_UPPER (the variable) and
 * ALGORITHMS_lower (algorithms.h) come from these names.
 *
 * SEND and RECV hold these elements; blocks are those of shape_send and
 * shape_recv. After the semicolon stands where in_place puts SEND:
 *
 *   bcast                  RECV[count], the root's too
 *   reduce, allreduce,     SEND[count], RECV[count]; SEND is RECV
 *     scan, exscan           (rank 0's RECV of an exscan stays as it is)
 *   gather, gatherv        SEND[count], RECV blocks by rank, at root only;
 *                            root's SEND is its block of RECV
 *   scatter, scatterv      SEND blocks by rank at root only, RECV[count];
 *                            root's RECV is its block of SEND
 *   allgather, allgatherv  SEND[own block], RECV blocks by rank;
 *                            SEND is the own block of RECV
 *   alltoall, alltoallv    SEND blocks to, RECV blocks from each rank; SEND is
 *                            RECV, with the blocks of RECV
 *   reduce_scatter(_block) SEND blocks by rank, RECV[own block]; SEND is RECV
 *   neighbor_allgather     SEND[count], RECV blocks by source; not in place
 *   neighbor_alltoall      SEND blocks by destination, RECV blocks by source;
 *                            not in place
 */
#define COLLECTIVE_LIST(X)                                                     \
	X(BARRIER, barrier)                                                    \
	X(BCAST, bcast)                                                        \
	X(REDUCE, reduce)                                                      \
	X(ALLREDUCE, allreduce)                                                \
	X(GATHER, gather)                                                      \
	X(GATHERV, gatherv)                                                    \
	X(SCATTER, scatter)                                                    \
	X(SCATTERV, scatterv)                                                  \
	X(ALLGATHER, allgather)                                                \
	X(ALLGATHERV, allgatherv)                                              \
	X(ALLTOALL, alltoall)                                                  \
	X(ALLTOALLV, alltoallv)                                                \
	X(REDUCE_SCATTER_BLOCK, reduce_scatter_block)                          \
	X(REDUCE_SCATTER, reduce_scatter)                                      \
	X(SCAN, scan)                                                          \
	X(EXSCAN, exscan)                                                      \
	X(NEIGHBOR_ALLGATHER, neighbor_allgather)                              \
	X(NEIGHBOR_ALLTOALL, neighbor_alltoall)

enum collective {
#define COLLECTIVE_ENUM(upper, lower) COLL_##upper,
	COLLECTIVE_LIST(COLLECTIVE_ENUM)
#undef COLLECTIVE_ENUM
	    COLLECTIVES
};

/* A range of elements. */
struct block {
	size_t at, count;
};

/* The ranks that this one receives from and sends to, as in struct
 * mrt_neighbors. */
struct neighbors {
	int nsources, ndests;
	const int *sources, *dests;
	bool grid;
};

struct topology; /* topology.h */

/* Operations that atomics on 64-bit words can compute. */
enum combine {
	COMBINE_NONE, /* not by atomics */
	COMBINE_ADD,  /* sums of integers: fetch-and-add */
	COMBINE_SWAP  /* other operations of up to 8 bytes: compare-and-swap */
};

struct shape {
	int size, root; /* ranks; the root, 0 where there is none */
	int low; /* between two groups (inter/inter.h): ranks of the first; 0:
		    one group */
	size_t count;	  /* elements of one block; 0 for barrier */
	size_t type_size; /* bytes of an element, at least 1 */
	bool commutative; /* operands may change places */
	bool in_place;	  /* on this rank; see the list above */
	bool no_cells;	  /* steps on cells (plan.h) cannot be used */
	uint8_t combine;  /* enum combine */
	/* bytes of a rank's board (plan.h), where ranks of a node share memory;
	 * 0: none. Of a shape without a topology all ranks are on one node. */
	size_t board;
	size_t arg; /* the algorithm's argument; 0: its default */
	/* v-collectives: the blocks, by rank (or neighbour); NULL: blocks of
	 * `count` elements, one after the other. `at` is modulo SIZE_MAX + 1,
	 * so a block may lie before its buffer. For gatherv and scatterv only
	 * the root has them, and count is that of the own block; for alltoallv
	 * they are this rank's own; allgatherv and reduce_scatter have recv,
	 * the same on all ranks. */
	const struct block *send, *recv;
	const struct neighbors *neighbors;
	const struct topology *topo; /* NULL: nothing is known */
	/* [size] part k of the plan is that of rank order[k] (shape_order);
	 * NULL: of rank k. It belongs to the topology. */
	const int *order;
};

/* Returns `order` if the ranks of the collective with this shape may take each
 * other's parts, since they have no blocks of their own and operands may change
 * places; else NULL. */
const int *shape_order(enum collective collective, const struct shape *s,
		       const int *order);
/* Sets the topology, and the order that it gives to such a collective. The
 * other members that shape_order reads are set. */
void shape_place(struct shape *s, enum collective collective,
		 const struct topology *topo);
/* Returns which part is that of a rank. */
int shape_part(const struct shape *s, int rank);

/* Return block i of SEND, and of RECV. For reduce_scatter, recv has the blocks
 * of SEND. */
static inline struct block shape_send(const struct shape *s, int i)
{
	return s->send ? s->send[i]
		       : (struct block){(size_t)i * s->count, s->count};
}

static inline struct block shape_recv(const struct shape *s, int i)
{
	return s->recv ? s->recv[i]
		       : (struct block){(size_t)i * s->count, s->count};
}

/* Returns the elements of a rank's own block where all ranks know all
 * blocks. */
static inline size_t shape_own(const struct shape *s, int rank)
{
	return shape_recv(s, rank).count;
}

/* Tells whether a plan of all these ranks can use cells. NICs and CPUs are
 * atomic among themselves only, so the ranks that act on one word must all be
 * on its owner's node, or all on others. */
bool shape_has_cells(const struct shape *s);

/* Returns the elements by which SEND lies after RECV on a rank that is in
 * place. */
ptrdiff_t shape_offset(enum collective collective, const struct shape *s,
		       int rank);

/* Tells whether both shapes lead to the same plan. */
bool shape_equal(const struct shape *a, const struct shape *b);

/* Returns a hash that is alike for equal shapes, and mostly differs for
 * others. */
uint64_t shape_hash(const struct shape *s);

/* Copies a shape with its blocks and neighbours. MRT_ERR_NO_MEM leaves nothing
 * to free. The topology stays shared: it belongs to the communicator. */
int shape_copy(struct shape *copy, const struct shape *s);
void shape_fini(struct shape *copy);
/* Returns the bytes of a copy's lists of blocks. */
size_t shape_lists_bytes(const struct shape *copy);
#endif
