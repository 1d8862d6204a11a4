/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.h: which algorithm a call uses. The choice depends on the shape
 * alone, never on the rank, so that all ranks choose the same.
 */
#ifndef COLL_SELECT_H
#define COLL_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/plan/shape.h"

struct algorithm; /* algorithm.h */
struct machine;	  /* model.h */

struct coll_table {
	const char *name;		     /* "allreduce" */
	const char *variable;		     /* "MRT_ALLREDUCE" */
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

/* The other way. */
void select_print(enum collective collective, const struct choice *choice,
		  char *text, size_t len);

/* Reads MRT_BARRIER and the like, and MRT_TUNE_FILE. MRT_ERR_ENV, with one
 * line that lists the valid names, when one names no algorithm. */
int select_init(void);

/* A number that differs when those variables differ (see tune_checksum). */
uint64_t select_checksum(void);

/* As the variable; NULL or empty: none. MRT_ERR_ARG, and why, as
 * select_parse. */
int select_force(enum collective collective, const char *text, char *why,
		 size_t whyl);

/* Changes when select_force has changed a choice. */
unsigned select_generation(void);

/* Has the user forced an algorithm for this collective? */
bool select_forced(enum collective collective);

/* Sizes between powers of two, 0 by itself: 0, 1, 2..3, 4..7 and so on. */
enum { SIZE_CLASSES = 64 };
static inline int size_class(size_t bytes)
{
	int k = bytes ? 64 - __builtin_clzll(bytes) : 0;

	return k < SIZE_CLASSES ? k : SIZE_CLASSES - 1;
}

/* The classes, a bit each, in which the user leaves the way of a call to us:
 * by neither a forced algorithm nor one of the file. */
uint64_t select_free_sizes(enum collective collective, int ranks);

/* May any call get an algorithm that needs cells? The same on all ranks. */
bool select_uses_cells(void);

/*
 * The algorithm for a call: a forced one, else the file's, else that of the
 * least time by the model. One that does not fit the call (a ring for an
 * operation that is not commutative) gives way to the next; for a forced one
 * with one warning from the caller that passes warn. machine NULL: one node,
 * and a CPU for each rank. Between two groups there is one algorithm for each
 * collective.
 */
struct choice select_algorithm(enum collective collective,
			       const struct shape *shape,
			       const struct machine *machine, bool warn);

/* The same as if nothing were forced. At least one row fits every shape. */
struct choice select_default(enum collective collective,
			     const struct shape *shape,
			     const struct machine *machine);

/* May this algorithm, with this arg (0: its default), be used for this
 * shape? */
bool select_fits(const struct algorithm *algorithm, const struct shape *shape);
/* The same with the arg of the choice. */
bool select_choice_fits(const struct choice *choice, const struct shape *shape);
#endif
