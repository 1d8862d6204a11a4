/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.h: the choice of an algorithm for a call. It depends on the shape
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
	const struct algorithm *const *rows; /* in the order of algorithms.h */
	size_t nrows;
};
extern const struct coll_table coll_tables[COLLECTIVES];

/* An algorithm and its argument; 0 stands for the default one. */
struct choice {
	const struct algorithm *algorithm;
	size_t arg;
};

/*
 * Parses a choice: the name of an algorithm of the collective and, if it takes
 * an argument, optionally a colon and a number (bytes with K, M or G). Returns
 * false, with the reason and the valid names in why[whyl], if the text names
 * none.
 */
bool select_parse(enum collective collective, const char *text,
		  struct choice *choice, char *why, size_t whyl);

/* Writes a choice as select_parse reads it. */
void select_print(enum collective collective, const struct choice *choice,
		  char *text, size_t len);

/* Reads MRT_BARRIER and the like, and MRT_TUNE_FILE. Returns MRT_ERR_ENV, after
 * one line that lists the valid names, if a variable names no algorithm. */
int select_init(void);

/* Returns a number that differs when those variables differ (see
 * tune_checksum). */
uint64_t select_checksum(void);

/* Forces a choice as the variable would; NULL or an empty text forces none.
 * Returns MRT_ERR_ARG, and why as select_parse does, for an unknown name. */
int select_force(enum collective collective, const char *text, char *why,
		 size_t whyl);

/* Returns a number that changes whenever select_force has changed a choice. */
unsigned select_generation(void);

/* Tells whether the user has forced an algorithm for this collective. */
bool select_forced(enum collective collective);

/* Classes of sizes between powers of two: 0, 1, 2..3, 4..7 and so on. */
enum { SIZE_CLASSES = 64 };
/* The length of a block, in bytes, that a choice assumes if the ranks do not
 * know each other's lengths. */
enum { SELECT_UNKNOWN_BYTES = 4096 };
static inline int size_class(size_t bytes)
{
	int k = bytes ? 64 - __builtin_clzll(bytes) : 0;

	return k < SIZE_CLASSES ? k : SIZE_CLASSES - 1;
}

/* Returns the size classes, a bit each, for which neither a forced algorithm
 * nor the tuning file decides. */
uint64_t select_free_sizes(enum collective collective, int ranks);

/* Tells whether the chosen algorithm, or the one it is built from, needs
 * cells. */
bool select_needs_cells(enum collective collective,
			const struct choice *choice);
/* Tells whether any call may get an algorithm that needs cells. The same on all
 * ranks. */
bool select_uses_cells(void);

/*
 * Returns the algorithm for a call: the forced one, else the tuning file's,
 * else the one with the least time by the model. An algorithm that does not fit
 * the call (a ring for an operation that is not commutative) gives way to the
 * next; for a forced one the caller that passes warn prints one warning.
 * machine NULL stands for one node with a CPU for each rank. Between two groups
 * each collective has only one algorithm.
 */
struct choice select_algorithm(enum collective collective,
			       const struct shape *shape,
			       const struct machine *machine, bool warn);

/* Like select_algorithm, as if nothing were forced. At least one row fits every
 * shape. */
struct choice select_default(enum collective collective,
			     const struct shape *shape,
			     const struct machine *machine);

/* Returns the algorithm with the argument, its default or one that the default
 * choice tries, by which it is fastest. It must fit with the default. */
struct choice select_argument(const struct algorithm *algorithm,
			      enum collective collective,
			      const struct shape *shape,
			      const struct machine *machine);

/* Tells whether this algorithm, with shape->arg (0: its default), can serve
 * this shape. */
bool select_fits(const struct algorithm *algorithm, const struct shape *shape);
/* Like select_fits, with the argument of the choice. */
bool select_choice_fits(const struct choice *choice, const struct shape *shape);
#endif
