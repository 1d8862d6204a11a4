/* SPDX-License-Identifier: Apache-2.0 */
/* soak_typed.h: one collective that moves elements of random types. */
#ifndef TESTS_SOAK_TYPED_H
#define TESTS_SOAK_TYPED_H

#include "tests/soak/soak.h"
#include "tests/soak/soak_place.h"
#include "tests/system/trial.h"

/* A struct end holds what a rank sends or receives in one call: blocks of one
 * buffer. */
struct end {
	int n;		   /* blocks; 0: the arguments do not count */
	size_t *units;	   /* lengths, agreed with the other end */
	uint64_t *keys;	   /* contents */
	size_t *counts;	   /* arguments: elements */
	ptrdiff_t *displs; /* elements or (w) bytes */
	struct mrt_type **types;
	ptrdiff_t *at;	      /* bytes from the buffer */
	struct shape *shapes; /* one, or (w) one for each block */
	struct place place;
	void *buffer;
	size_t bytes;
};

struct typed;

enum {
	TO_ROOT = 1,
	FROM_ROOT = 2,
	SAME = 4, /* one block for all receivers */
	IRREGULAR = 8,
	TYPES = 16, /* alltoallw */
	NEAR = 32
};

struct typed_kind {
	const char *name;
	int how;
	int (*call)(struct typed *t, enum form form);
};
extern const struct typed_kind typed_kinds[]; /* ends with a NULL name */

struct typed {
	const struct typed_kind *kind;
	uint64_t seed; /* equal on all ranks */
	enum form form;
	struct mrt_comm *comm;
	int rank, side, peers; /* side is 0 in one group */
	bool inter;
	int root; /* as the argument at this rank */
	size_t unit;
	struct end out, in;
	struct mrt_neighbors near;
	int *lists;
	struct mrt_request *request;
};

/* Makes blocks, types and memory, and the contents of what is sent. */
void typed_make(struct typed *t, const struct slot *slot,
		const struct typed_kind *kind, uint64_t seed, size_t max);
void typed_fill(struct typed *t);
void typed_fini(struct typed *t);
#endif
