/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_trial.h: one collective that moves blocks, drawn from a seed that all
 * ranks share: types with holes, bounds below the data, any displacements. The
 * contents that the buffers must have afterwards are computed from the map of
 * each type, which is written down here a second time, byte by byte.
 */
#ifndef TESTS_COLL_TRIAL_H
#define TESTS_COLL_TRIAL_H

#include "tests/mpi/mpi_test.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* A struct shape says where the ints of an element are. All types consist of
 * ints, so that a block may be sent as one type and received as another. */
struct shape {
	int n;
	int at[4]; /* [n] bytes */
	int extent;
	MPI_Datatype type;
};
enum {
	SHAPES = 8,
	UNIT = 12
}; /* UNIT ints are a whole number of elements of every shape */
extern struct shape shapes[SHAPES];
void shapes_make(void);
void shapes_free(void);

/* A struct blocks holds the blocks that a rank sends or receives, and their
 * places. */
struct blocks {
	int n;
	int *peer;  /* [n] rank; MPI_PROC_NULL: no data move */
	int *key;   /* [n] with the sender it determines the contents */
	int *given; /* [n] key of the contents at the own rank before the call,
		       or -1 */
	int *ints;  /* [n] length in ints */
	const struct shape **shape; /* [n] */
	int *counts;		    /* [n] elements */
	long *at;		    /* [n] bytes */
	int *displs;		    /* [n] elements, or (w) bytes */
	MPI_Aint *far;		    /* [n] displs in bytes as MPI_Aint */
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
	const void *sendbuf; /* the argument of the call: buf, or in place */
	void *recvbuf;
	MPI_Request request;
};

/* Draws a number below n, which depends on the arguments alone. */
int draw(const struct trial *t, int what, int a, int b, int n);

enum lie {
	REGULAR,  /* contiguous, of one type and count */
	ELEMENTS, /* of one type, at displs */
	BYTES	  /* each block of its own type */
};
/* Makes n blocks without peers; blocks_place draws everything else and
 * allocates memory. */
void blocks_make(struct blocks *b, int n);
void blocks_place(struct trial *t, struct blocks *b, enum lie lie, int side);
void blocks_free(struct blocks *b);

/* Sets the contents before and after the call: block i of recv gets what its
 * peer sends under its key. */
void trial_fill(struct trial *t);
bool trial_check(const struct trial *t, const char *name, const char *when);
void trial_free(struct trial *t);
#endif
