/* SPDX-License-Identifier: Apache-2.0 */
/* disagree.h declares calls that ranks may disagree on, and buffers whose
 * bounds no call may overrun. */
#ifndef TESTS_DISAGREE_H
#define TESTS_DISAGREE_H

#include "tests/system/api.h"

/* A struct wish describes the call that a rank makes. */
struct wish {
	int what;     /* index in calls[] */
	int form;     /* 0 blocking, 1 nonblocking, 2 persistent */
	size_t count; /* of a block or vector, in elements of 4 bytes */
	struct mrt_type *type;
	struct mrt_op *op;
	int root;
	int in_place;
	int other; /* irregular: another count; neighbours: none */
	struct mrt_comm *comm;
};

struct call {
	const char *name; /* mrt_<name> */
	unsigned has;	  /* HAS_*: what can be wrong with it */
	int (*call)(const struct wish *w);
};
enum {
	HAS_FORMS = 1,
	HAS_COUNT = 2,
	HAS_OP = 4,
	HAS_ROOT = 8,
	HAS_IN_PLACE = 16,
	HAS_LIST = 32,
	HAS_ALL = 64
};
extern const struct call calls[];
extern const int ncalls;

/* Makes buffers for calls of up to `count` elements; the contents of recv are
 * known before each call. */
void rooms_make(size_t count);
void rooms_fill(size_t count);
/* rooms_are_whole returns whether everything but recv is unchanged up to its
 * bounds; rooms_are_same asks for recv as well. */
bool rooms_are_whole(void);
bool rooms_are_same(void);
#endif
