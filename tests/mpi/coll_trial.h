/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_trial.h: one collective that moves blocks, drawn from a seed which all
 * ranks share: types with holes, bounds below the data, any displacements. What
 * must be in the buffers afterwards is computed by the map of each type, which
 * is written down here once more, byte by byte.
 */
#ifndef TESTS_COLL_TRIAL_H
#define TESTS_COLL_TRIAL_H

#include "tests/mpi/mpi_test.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* Types of ints alone, so that a block may be sent as one and received as
 * another: where the ints of an element are. */
struct shape {
	int n;
	int at[4]; /* [n] bytes */
	int extent;
	MPI_Datatype type;
};
enum { SHAPES = 8, UNIT = 12 }; /* ints that any number of elements makes */
extern struct shape shapes[SHAPES];
void shapes_make(void);
void shapes_free(void);

/* The blocks that a rank sends or receives, and where they are. */
struct blocks {
	int n;
	int *peer;  /* [n] rank; MPI_PROC_NULL: nothing moves */
	int *key;   /* [n] what makes its contents its own, with the sender */
	int *given; /* [n] key of what the own rank has there before; -1 */
	int *ints;  /* [n] how long */
	const struct shape **shape; /* [n] */
	int *counts;		    /* [n] elements */
	long *at;		    /* [n] bytes */
	int *displs;		    /* [n] elements, or (w) bytes */
	MPI_Aint *far;		    /* [n] the same bytes */
	MPI_Datatype *types;	    /* [n] */
	char *memory, *buf;
	long bytes;
};

struct trial {
	uint64_t seed;
	int rank, size, root, round;
	MPI_Comm comm;
	bool in_place, derived;
	struct blocks send, recv;
	char *expected;	     /* of recv.memory */
	const void *sendbuf; /* what the call gets: buf, or in place */
	void *recvbuf;
	MPI_Request request;
};

/* Draws a number below n: the same on all ranks for the same arguments. */
int draw(const struct trial *t, int what, int a, int b, int n);

enum lie {
	REGULAR,  /* one after the other, of one type and count */
	ELEMENTS, /* of one type, where displs say */
	BYTES	  /* each of its own type */
};
/* n blocks without peers; blocks_place draws the rest and takes memory. */
void blocks_make(struct blocks *b, int n);
void blocks_place(struct trial *t, struct blocks *b, enum lie lie, int side);
void blocks_free(struct blocks *b);

/* Contents before the call, and after it: recv's block i gets what its peer
 * sends under its key. */
void trial_fill(struct trial *t);
bool trial_check(const struct trial *t, const char *name, const char *when);
void trial_free(struct trial *t);
#endif
