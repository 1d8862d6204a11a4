/* SPDX-License-Identifier: Apache-2.0 */
/* select.c: tables of algorithms, and the thresholds between them. */
#include "coll/select.h"

#include <stdio.h>
#include <string.h>

#include "coll/algorithms.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

static bool fits_any(const struct shape *shape)
{
	return true;
}

static bool fits_commutative(const struct shape *shape)
{
	return shape->commutative;
}

/* A chain starts at the root: only from rank 0 is that the order of ranks. */
static bool fits_chain(const struct shape *shape)
{
	return shape->commutative || shape->root == 0;
}

#define ROW(collective, name, fits) {#name, fits, collective##_##name},
static const struct algorithm barrier_rows[] = {BARRIER_ALGORITHMS(ROW)};
static const struct algorithm bcast_rows[] = {BCAST_ALGORITHMS(ROW)};
static const struct algorithm reduce_rows[] = {REDUCE_ALGORITHMS(ROW)};
static const struct algorithm allreduce_rows[] = {ALLREDUCE_ALGORITHMS(ROW)};

#define TABLE(name, variable)                                                  \
	{#name, variable, name##_rows,                                         \
	 sizeof(name##_rows) / sizeof(name##_rows[0])}
const struct coll_table coll_tables[COLLECTIVES] = {
    [COLL_BARRIER] = TABLE(barrier, "MRT_BARRIER"),
    [COLL_BCAST] = TABLE(bcast, "MRT_BCAST"),
    [COLL_REDUCE] = TABLE(reduce, "MRT_REDUCE"),
    [COLL_ALLREDUCE] = TABLE(allreduce, "MRT_ALLREDUCE"),
};

/* What MRT_BARRIER and the like name, or NULL. */
static const struct algorithm *forced[COLLECTIVES];

static const struct algorithm *find(enum collective collective,
				    const char *name)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++)
		if (!strcmp(t->rows[i].name, name))
			return &t->rows[i];
	return NULL;
}

static int unknown(const struct coll_table *t, const char *name)
{
	char names[256];
	size_t len = 0;

	names[0] = '\0';
	for (size_t i = 0; i < t->nrows && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len,
					"%s%s", i ? ", " : "",
					t->rows[i].name);
	return log_error(MRT_ERR_ENV,
			 "%s=%.64s names no algorithm of %s: use one of %s",
			 t->variable, name, t->name, names);
}

int select_init(void)
{
	const char *const names[COLLECTIVES] = {
	    [COLL_BARRIER] = env.barrier,
	    [COLL_BCAST] = env.bcast,
	    [COLL_REDUCE] = env.reduce,
	    [COLL_ALLREDUCE] = env.allreduce,
	};

	for (int c = 0; c < COLLECTIVES; c++) {
		forced[c] = NULL;
		if (!*names[c])
			continue;
		forced[c] = find(c, names[c]);
		if (!forced[c])
			return unknown(&coll_tables[c], names[c]);
	}
	return MRT_SUCCESS;
}

bool select_forced(enum collective collective)
{
	return forced[collective];
}

static bool power_of_two(int n)
{
	return !(n & (n - 1));
}

/* Thresholds in bytes, from measurements on shared memory (docs). */
enum {
	BCAST_SHORT = 32768,
	REDUCE_SHORT = 262144,
	ALLREDUCE_SHORT = 32768,
};

/* Up to 16 ranks, most often of one node, whole vectors: each message costs
 * a change of processes when ranks share cores. */
static const char *choose_bcast(const struct shape *shape, size_t bytes)
{
	if (shape->size <= 16 || bytes <= BCAST_SHORT)
		return "binomial";
	return "scatter_allgather";
}

static const char *choose_reduce(const struct shape *shape, size_t bytes)
{
	if (shape->size <= 2 || bytes <= REDUCE_SHORT ||
	    shape->count < (size_t)shape->size)
		return "binomial";
	return "rabenseifner";
}

static const char *choose_allreduce(const struct shape *shape, size_t bytes)
{
	if (bytes <= ALLREDUCE_SHORT || shape->count < (size_t)shape->size)
		return "recursive_doubling";
	if (power_of_two(shape->size) || !shape->commutative)
		return "rabenseifner";
	return "ring";
}

static const char *choose(enum collective collective,
			  const struct shape *shape)
{
	size_t bytes = shape->count * shape->type_size;

	switch (collective) {
	case COLL_BCAST:
		return choose_bcast(shape, bytes);
	case COLL_REDUCE:
		return choose_reduce(shape, bytes);
	case COLL_ALLREDUCE:
		return choose_allreduce(shape, bytes);
	default:
		return "dissemination";
	}
}

static void warn_unfit(enum collective collective)
{
	static bool warned[COLLECTIVES];

	if (warned[collective])
		return;
	warned[collective] = true;
	log_warn("%s=%s does not fit some calls (operation or root): these "
		 "use the default choice",
		 coll_tables[collective].variable, forced[collective]->name);
}

const struct algorithm *select_algorithm(enum collective collective,
					 const struct shape *shape, bool warn)
{
	if (forced[collective]) {
		if (forced[collective]->fits(shape))
			return forced[collective];
		if (warn)
			warn_unfit(collective);
	}
	return find(collective, choose(collective, shape));
}
