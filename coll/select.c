/* SPDX-License-Identifier: Apache-2.0 */
/* select.c: tables of algorithms, and the thresholds between them. */
#include "coll/select.h"

#include <stdio.h>
#include <string.h>

#include "coll/algorithms.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

bool fits_commutative(const struct shape *shape)
{
	return shape->commutative;
}

#define ROW(object) &object,
#define ROWS(upper, lower)                                                     \
	static const struct algorithm *const lower##_rows[] = {                \
	    ALGORITHMS_##lower(ROW) NULL};
COLLECTIVE_LIST(ROWS)

#define TABLE(upper, lower)                                                    \
	[COLL_##upper] = {#lower, "MRT_" #upper, lower##_rows,                 \
			  sizeof(lower##_rows) / sizeof(lower##_rows[0]) - 1},
const struct coll_table coll_tables[COLLECTIVES] = {COLLECTIVE_LIST(TABLE)};

/* What MRT_BARRIER and the like name; algorithm NULL: nothing. */
static struct choice forced[COLLECTIVES];

/* ---- Names -------------------------------------------------------------- */

static const struct algorithm *find(enum collective collective,
				    const char *name, size_t len)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++)
		if (strlen(t->rows[i]->name) == len &&
		    !memcmp(t->rows[i]->name, name, len))
			return t->rows[i];
	return NULL;
}

static void list_names(const struct coll_table *t, char *names, size_t room)
{
	size_t len = 0;

	names[0] = '\0';
	for (size_t i = 0; i < t->nrows && len < room; i++) {
		const struct algorithm *a = t->rows[i];

		len += (size_t)snprintf(names + len, room - len, "%s%s%s%s%s",
					i ? ", " : "", a->name,
					a->arg ? "[:" : "", a->arg ? a->arg : "",
					a->arg ? "]" : "");
	}
}

/* What stands after the colon. */
static bool parse_arg(enum collective collective, const struct algorithm *a,
		      const char *text, size_t *value)
{
	const struct coll_table *t = &coll_tables[collective];

	if (a->arg_is_algorithm) {
		const struct algorithm *inner =
		    find(collective, text, strlen(text));

		for (*value = 0; inner && t->rows[(*value)++] != inner;)
			;
		return inner && inner != a;
	}
	return a->arg && env_parse_bytes(text, value) && *value >= a->arg_min;
}

bool select_parse(enum collective collective, const char *text,
		  struct choice *choice, char *why, size_t whyl)
{
	const struct coll_table *t = &coll_tables[collective];
	size_t len = strcspn(text, ":");
	char names[512];

	choice->algorithm = find(collective, text, len);
	choice->arg = 0;
	if (!choice->algorithm) {
		list_names(t, names, sizeof(names));
		snprintf(why, whyl, "no algorithm of %s: use one of %s",
			 t->name, names);
		return false;
	}
	if (!text[len] ||
	    parse_arg(collective, choice->algorithm, text + len + 1, &choice->arg))
		return true;
	if (choice->algorithm->arg_is_algorithm)
		snprintf(why, whyl, "no other algorithm of %s after the colon",
			 t->name);
	else if (choice->algorithm->arg)
		snprintf(why, whyl, "no %s of %s: use %s:%s, %zu or more",
			 choice->algorithm->arg, choice->algorithm->name,
			 choice->algorithm->name, choice->algorithm->arg,
			 choice->algorithm->arg_min);
	else
		snprintf(why, whyl, "too much: %s takes no argument",
			 choice->algorithm->name);
	return false;
}

int select_init(void)
{
#define NAMED(upper, lower) [COLL_##upper] = env.lower,
	const char *const names[COLLECTIVES] = {COLLECTIVE_LIST(NAMED)};
	char why[768];

	for (int c = 0; c < COLLECTIVES; c++) {
		forced[c].algorithm = NULL;
		if (*names[c] &&
		    !select_parse(c, names[c], &forced[c], why, sizeof(why)))
			return log_error(MRT_ERR_ENV, "%s=%.64s names %s",
					 coll_tables[c].variable, names[c],
					 why);
	}
	return MRT_SUCCESS;
}

bool select_forced(enum collective collective)
{
	return forced[collective].algorithm;
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
		return "";
	}
}

bool select_fits(const struct algorithm *algorithm, const struct shape *shape)
{
	return !algorithm->fits || algorithm->fits(shape);
}

struct choice select_default(enum collective collective,
			     const struct shape *shape)
{
	const struct coll_table *t = &coll_tables[collective];
	const char *name = choose(collective, shape);
	struct choice choice = {find(collective, name, strlen(name)), 0};

	for (size_t i = 0; i < t->nrows && !choice.algorithm; i++)
		if (select_fits(t->rows[i], shape))
			choice.algorithm = t->rows[i];
	return choice;
}

static void warn_unfit(enum collective collective)
{
	static bool warned[COLLECTIVES];

	if (warned[collective])
		return;
	warned[collective] = true;
	log_warn("%s=%s does not fit some calls (operation, root or ranks): "
		 "these use the default choice",
		 coll_tables[collective].variable,
		 forced[collective].algorithm->name);
}

struct choice select_algorithm(enum collective collective,
			       const struct shape *shape, bool warn)
{
	struct choice choice = forced[collective];

	if (choice.algorithm) {
		if (select_fits(choice.algorithm, shape))
			return choice;
		if (warn)
			warn_unfit(collective);
	}
	return select_default(collective, shape);
}
