/* SPDX-License-Identifier: Apache-2.0 */
/* slopes.h: what the files of slopes.c share. */
#ifndef MPI_SLOPES_H
#define MPI_SLOPES_H

#include <stddef.h>

#include <mpi.h>

enum { MOST = 3000 };

/* A kind of live objects, and an operation beside them. */
struct kind {
	const char *name;
	int most;
	void (*begin)(void);	  /* or NULL */
	void (*make)(int k);	  /* the k-th object */
	void (*operation)(int k); /* one that is for the k-th, or for none */
	void (*destroy)(int k);	  /* the k-th object, the oldest first */
	void (*end)(void);	  /* or NULL */
};

/* They end with a name that is NULL. */
extern const struct kind slopes_messages[], slopes_objects[];

extern int live; /* objects */
extern MPI_Request requests[MOST];
extern MPI_Comm other; /* a copy of the world */
extern char *room;
#endif
