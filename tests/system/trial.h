/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.h: one collective call, drawn from a seed, with its buffers and what
 * must be in them afterwards, computed from the definition. Ranks that draw
 * with the same seed draw the same call. Used in any of the three forms.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include <stdint.h>

#include "tests/system/api.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* Blocks in a buffer, by rank or neighbour; NULL: none. */
struct layout {
	size_t *counts;	   /* bytes */
	ptrdiff_t *displs; /* bytes */
	int n;
	size_t total;
};

struct trial {
	/* drawn */
	uint64_t seed;
	struct mrt_comm *comm;
	int rank, size, root;
	bool in_place; /* at this rank */
	size_t count;  /* elements, of the type below */
	struct mrt_type *type;
	struct mrt_op *op;
	struct layout to, from; /* as the arguments are: elements; w: bytes */
	struct mrt_type **types;
	struct mrt_neighbors near;
	int *lists;

	char *send, *recv; /* arguments */
	char *memory[2];   /* what they are or lie in */
	size_t bytes[2];
	char *before[2]; /* contents before the call */
	char *after[2];	 /* and after it; what is not defined is not compared */
	size_t compared; /* bytes of recv */
	struct mrt_request *request;
};

struct trial_kind {
	const char *name;
	/* Draws the rest: buffers and their contents before and after. */
	void (*draw)(struct trial *t);
	int (*call)(struct trial *t, enum form form);
};
/* End with a NULL name. */
extern const struct trial_kind trial_moves[], trial_reductions[];

/* A trial over comm; in_place as far as the collective allows it. */
void trial_make(struct trial *t, const struct trial_kind *kind, uint64_t seed,
		struct mrt_comm *comm);
/* Buffers as before the call. */
void trial_fill(struct trial *t);
/* The call in one form, which must be accepted; what it borrows during the
 * call only is overwritten after it. */
void trial_call(struct trial *t, const struct trial_kind *kind, enum form form);
/* Is everything as it must be? */
bool trial_right(const struct trial *t);
/* Counts and tells it, if not. */
void trial_check(const struct trial *t, const struct trial_kind *kind,
		 const char *when);
void trial_free(struct trial *t);

/* For draw: pseudo random, a function of its arguments. */
uint64_t trial_hash(uint64_t seed, uint64_t a, uint64_t b);
/* Bytes that are known from where they come and go. */
void trial_bytes(char *at, size_t bytes, const struct trial *t, int from,
		 int to);
/* Buffers; before = after = a pattern. NULL for 0 bytes, sometimes. */
void trial_room(struct trial *t, size_t send_bytes, size_t recv_bytes);

/* Longest block in bytes, in all trials of this thread. */
extern _Thread_local size_t trial_max;

/* What is not commutative, and another user's operation. */
extern struct mrt_op *trial_affine, *trial_user_xor;
void trial_ops_create(void);
void trial_ops_free(void);

#define TRIAL_CALL(t, form, name, ...)                                         \
	((form) == BLOCKING ? mrt_##name(__VA_ARGS__)                          \
	 : (form) == NONBLOCKING                                               \
	     ? mrt_i##name(__VA_ARGS__, &(t)->request)                         \
	     : mrt_##name##_init(__VA_ARGS__, &(t)->request))
#endif
