/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.h: which algorithm a call uses. The choice depends on the shape
 * alone, never on the rank, so that all ranks choose the same.
 */
#ifndef COLL_SELECT_H
#define COLL_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/shape.h"

struct algorithm; /* algorithm.h */

struct coll_table {
	const char *name;     /* "allreduce" */
	const char *variable; /* "MRT_ALLREDUCE" */
	const struct algorithm *const *rows; /* algorithms.h, in its order */
	size_t nrows;
};
extern const struct coll_table coll_tables[COLLECTIVES];

/* An algorithm and its argument (0: the default). */
struct choice {
	const struct algorithm *algorithm;
	size_t arg;
};

/*
 * The choice that a text names: an algorithm of the collective, and, where it
 * takes an argument, perhaps a colon and a number (bytes with K, M or G).
 * False: there is none, and why (of whyl bytes) says so, with the valid names.
 */
bool select_parse(enum collective collective, const char *text,
		  struct choice *choice, char *why, size_t whyl);

/* Reads MRT_BARRIER and the like. MRT_ERR_ENV, with one line that lists the
 * valid names, when one names no algorithm. */
int select_init(void);

/* Has the user forced an algorithm for this collective? */
bool select_forced(enum collective collective);

/*
 * The algorithm for a call. A forced one that does not fit the call (a ring
 * for an operation that is not commutative) gives way to the default choice,
 * with one warning from the caller that passes warn.
 */
struct choice select_algorithm(enum collective collective,
			       const struct shape *shape, bool warn);

/* Nothing forced: what the sizes say. At least one row fits every shape. */
struct choice select_default(enum collective collective,
			     const struct shape *shape);

/* May this algorithm be used for this shape? */
bool select_fits(const struct algorithm *algorithm, const struct shape *shape);
#endif
