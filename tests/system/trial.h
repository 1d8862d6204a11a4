/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.h: one collective call, drawn from a seed, with its buffers and the
 * contents that they must have afterwards, computed from the definition of the
 * collective. Ranks that draw with the same seed draw the same call. A trial
 * can be run in each of the three forms.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include <stdint.h>

#include "tests/system/api.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* The blocks in a buffer, by rank or neighbour. NULL means that there are
 * none. */
struct layout {
	size_t *counts;	   /* bytes */
	ptrdiff_t *displs; /* bytes */
	int n;
	size_t total;
};

struct trial {
	/* The members below are drawn. */
	uint64_t seed;
	struct mrt_comm *comm;
	int rank, size, root;
	bool in_place; /* at this rank */
	size_t count;  /* elements, of the type below */
	struct mrt_type *type;
	struct mrt_op *op;
	struct layout to,
	    from; /* as the arguments are: in elements; alltoallw: in bytes */
	struct mrt_type **types;
	struct mrt_neighbors near;
	int *lists;

	char *send, *recv; /* the arguments of the call */
	char *memory[2];   /* the allocations that contain send and recv */
	size_t bytes[2];
	char *before[2]; /* contents before the call */
	char *after[2];	 /* contents after the call; undefined bytes are not
			    compared */
	size_t compared; /* bytes of recv that are compared */
	struct mrt_request *request;
};

struct trial_kind {
	const char *name;
	/* Draws everything else: the buffers and their contents before and
	 * after. */
	void (*draw)(struct trial *t);
	int (*call)(struct trial *t, enum form form);
};
/* Both tables end with an entry whose name is NULL. */
extern const struct trial_kind trial_moves[], trial_reductions[];

/* Makes a trial over comm; in_place is followed as far as the collective
 * allows it. */
void trial_make(struct trial *t, const struct trial_kind *kind, uint64_t seed,
		struct mrt_comm *comm);
/* Restores the contents that the buffers have before the call. */
void trial_fill(struct trial *t);
/* Makes the call in one form and requires that it is accepted. What the
 * library may use only during the call is overwritten after it. */
void trial_call(struct trial *t, const struct trial_kind *kind, enum form form);
/* Returns whether every buffer has the contents that it must have. */
bool trial_right(const struct trial *t);
/* Counts and reports a trial whose buffers are wrong. */
void trial_check(const struct trial *t, const struct trial_kind *kind,
		 const char *when);
void trial_free(struct trial *t);

/* Returns a pseudo-random number that depends on the arguments alone; for
 * draw. */
uint64_t trial_hash(uint64_t seed, uint64_t a, uint64_t b);
/* Fills `bytes` bytes at `at` with values that depend on their source and
 * destination. */
void trial_bytes(char *at, size_t bytes, const struct trial *t, int from,
		 int to);
/* Allocates the buffers and sets before and after to a pattern. A buffer of 0
 * bytes is sometimes NULL. */
void trial_room(struct trial *t, size_t send_bytes, size_t recv_bytes);

/* The length of the longest block in bytes, in all trials of this thread. */
extern _Thread_local size_t trial_max;
/* If not 0, the length of every block in bytes, a multiple of 8; the longest
 * block of irregular collectives. */
extern size_t trial_exact;

/* An operation that does not commute, and another operation of the user's. */
extern struct mrt_op *trial_affine, *trial_user_xor;
void trial_ops_create(void);
void trial_ops_free(void);

#define TRIAL_CALL(t, form, name, ...)                                         \
	((form) == BLOCKING ? mrt_##name(__VA_ARGS__)                          \
	 : (form) == NONBLOCKING                                               \
	     ? mrt_i##name(__VA_ARGS__, &(t)->request)                         \
	     : mrt_##name##_init(__VA_ARGS__, &(t)->request))
#endif
