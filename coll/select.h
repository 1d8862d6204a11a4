/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.h: which algorithm a call uses. The choice depends on the shape
 * alone, never on the rank, so that all ranks choose the same.
 */
#ifndef COLL_SELECT_H
#define COLL_SELECT_H

#include <stdbool.h>
#include <stddef.h>

struct algorithm; /* plan.h */
struct shape;

enum collective {
	COLL_BARRIER,
	COLL_BCAST,
	COLL_REDUCE,
	COLL_ALLREDUCE,
	COLLECTIVES
};

struct coll_table {
	const char *name;     /* "allreduce" */
	const char *variable; /* "MRT_ALLREDUCE" */
	const struct algorithm *rows;
	size_t nrows;
};
extern const struct coll_table coll_tables[COLLECTIVES];

/* Reads MRT_BARRIER and the like. MRT_ERR_ENV, with one line that lists the
 * valid names, when a name is unknown. */
int select_init(void);

/* Has the user forced an algorithm for this collective? */
bool select_forced(enum collective collective);

/*
 * The algorithm for a call. A forced one that does not fit the call (a ring
 * for an operation that is not commutative) gives way to the default choice,
 * with one warning from the caller that passes warn.
 */
const struct algorithm *select_algorithm(enum collective collective,
					 const struct shape *shape, bool warn);
#endif
