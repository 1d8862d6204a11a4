/* SPDX-License-Identifier: Apache-2.0 */
/* select.c: the tables of algorithms, their names, and the choice of one. */
#include "coll/plan/select.h"

#include <stdio.h>
#include <string.h>

#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/inter/inter.h"
#include "coll/plan/model.h"
#include "coll/plan/rules.h"
#include "coll/plan/tune_file.h"
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

/* The choices that MRT_BARRIER and the like force; an algorithm of NULL means
 * that none is forced. */
static struct choice forced[COLLECTIVES];
static unsigned generation;
static uint64_t checksum; /* of the values of these variables */

/* ---- Names -------------------------------------------------------------- */

static const struct algorithm *select_find(enum collective collective,
					   const char *name, size_t len)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++)
		if (strlen(t->rows[i]->name) == len &&
		    !memcmp(t->rows[i]->name, name, len))
			return t->rows[i];
	return NULL;
}

static void list_names(const struct coll_table *t, char *names, size_t len_max)
{
	size_t len = 0;

	names[0] = '\0';
	for (size_t i = 0; i < t->nrows && len < len_max; i++) {
		const struct algorithm *a = t->rows[i];

		len +=
		    (size_t)snprintf(names + len, len_max - len, "%s%s%s%s%s",
				     i ? ", " : "", a->name, a->arg ? "[:" : "",
				     a->arg ? a->arg : "", a->arg ? "]" : "");
	}
}

/* Parses the argument after the colon. Returns false if it is not valid. */
static bool parse_arg(enum collective collective, const struct algorithm *a,
		      const char *text, size_t *value)
{
	const struct coll_table *t = &coll_tables[collective];

	if (a->arg_is_algorithm) {
		const struct algorithm *inner =
		    select_find(collective, text, strlen(text));

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

	choice->algorithm = select_find(collective, text, len);
	choice->arg = 0;
	if (!choice->algorithm) {
		list_names(t, names, sizeof(names));
		snprintf(why, whyl, "no algorithm of %s: use one of %s",
			 t->name, names);
		return false;
	}
	if (!text[len] || parse_arg(collective, choice->algorithm,
				    text + len + 1, &choice->arg))
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

void select_print(enum collective collective, const struct choice *choice,
		  char *text, size_t len)
{
	const struct algorithm *a = choice->algorithm;
	const struct coll_table *t = &coll_tables[collective];

	if (!choice->arg)
		snprintf(text, len, "%s", a->name);
	else if (a->arg_is_algorithm)
		snprintf(text, len, "%s:%s", a->name,
			 t->rows[choice->arg - 1]->name);
	else
		snprintf(text, len, "%s:%zu", a->name, choice->arg);
}

int select_force(enum collective collective, const char *text, char *why,
		 size_t whyl)
{
	struct choice choice = {NULL, 0};

	if (text && *text &&
	    !select_parse(collective, text, &choice, why, whyl))
		return MRT_ERR_ARG;
	forced[collective] = choice;
	generation++;
	return MRT_SUCCESS;
}

unsigned select_generation(void)
{
	return generation;
}

int select_init(void)
{
#define NAMED(upper, lower) [COLL_##upper] = env.lower,
	const char *const names[COLLECTIVES] = {COLLECTIVE_LIST(NAMED)};
	char why[768], peers[48];

	snprintf(peers, sizeof(peers), "%ld %ld", (long)env.ib_peers,
		 (long)env.mesh_max);
	checksum = checksum_add(0, peers);
	for (int c = 0; c < COLLECTIVES; c++) {
		checksum = checksum_add(checksum, names[c]);
		if (select_force(c, names[c], why, sizeof(why)))
			return log_error(MRT_ERR_ENV, "%s=%.64s names %s",
					 coll_tables[c].variable, names[c],
					 why);
	}
	model_reset();
	if (env.ib_peers)
		model_keep((double)env.ib_peers);
	return tune_read(env.tune_file);
}

uint64_t select_checksum(void)
{
	return checksum;
}

bool select_forced(enum collective collective)
{
	return forced[collective].algorithm;
}

bool select_needs_cells(enum collective collective, const struct choice *choice)
{
	const struct algorithm *a = choice->algorithm;

	if (a && a->arg_is_algorithm && choice->arg)
		a = coll_tables[collective].rows[choice->arg - 1];
	return a && a->cells;
}

bool select_uses_cells(void)
{
	for (int c = 0; c < COLLECTIVES; c++)
		if (select_needs_cells(c, &forced[c]) ||
		    tune_any(c, select_needs_cells))
			return true;
	return false;
}

uint64_t select_free_sizes(enum collective collective, int ranks)
{
	return forced[collective].algorithm
		   ? 0
		   : tune_free_sizes(collective, ranks);
}

/* ---- The choice --------------------------------------------------------- */

bool select_fits(const struct algorithm *algorithm, const struct shape *shape)
{
	struct shape with_arg = *shape;

	if (!shape->arg)
		with_arg.arg = algorithm->arg_default;
	if (algorithm->cells && !shape_has_cells(shape))
		return false;
	return !algorithm->fits || algorithm->fits(&with_arg);
}

bool select_choice_fits(const struct choice *choice, const struct shape *shape)
{
	struct shape with_arg = *shape;

	with_arg.arg = choice->arg;
	return select_fits(choice->algorithm, &with_arg);
}

/* Returns the shape that all ranks know: a regular call whose blocks have the
 * mean length of the call's blocks. */
static struct shape select_known(enum collective collective,
				 const struct shape *shape)
{
	enum lengths lengths = rules[collective].lengths;
	struct shape s = *shape;

	s.send = s.recv = NULL;
	s.in_place = false;
	if (lengths == LENGTHS_SHARED)
		s.count =
		    blocks_count(shape, 0, shape->size) / (size_t)shape->size;
	if (lengths == LENGTHS_OWN && !rules[collective].neighbors) {
		s.type_size = 1;
		s.count = SELECT_UNKNOWN_BYTES;
	}
	return s;
}

/* The call for which an algorithm is chosen, and the fastest so far. */
struct contest {
	const struct shape *shape;
	const struct shape *regular; /* the shape that all ranks know */
	const struct machine *machine;
	struct choice best;
	double least;
};

/* Takes the algorithm with this argument if it fits and is faster. */
static void select_enter(struct contest *contest, const struct algorithm *a,
			 size_t arg)
{
	struct choice choice = {a, arg};
	struct shape regular = *contest->regular;
	double time;

	if (!select_choice_fits(&choice, contest->shape))
		return;
	regular.arg = arg;
	time = model_time(a, &regular, contest->machine);
	if (contest->best.algorithm && time >= contest->least)
		return;
	contest->best = choice;
	contest->least = time;
}

static void enter_all(struct contest *contest, const struct algorithm *a)
{
	select_enter(contest, a, 0);
	for (const size_t *arg = a->arg_tries; arg && *arg; arg++)
		select_enter(contest, a, *arg);
}

/* Chooses the algorithm that fits the shape and for which the model predicts
 * the least time with the shape that all ranks know. */
static struct choice by_model(enum collective collective,
			      struct contest *contest)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++) {
		const struct algorithm *a = t->rows[i];

		/* the neighbours, and so the time, differ between ranks */
		if (rules[collective].neighbors &&
		    select_fits(a, contest->shape))
			return (struct choice){a, 0};
		/* only MRT_<COLLECTIVE> and tuning files choose algorithms on
		 * cells; without them there are no cells */
		if (a->cells)
			continue;
		enter_all(contest, a);
	}
	return contest->best;
}

static const struct machine plain = {.medium = MEDIUM_SM};

struct choice select_argument(const struct algorithm *algorithm,
			      enum collective collective,
			      const struct shape *shape,
			      const struct machine *machine)
{
	struct shape regular = select_known(collective, shape);
	struct contest contest = {.shape = shape,
				  .regular = &regular,
				  .machine = machine ? machine : &plain};

	if (!algorithm->arg_tries)
		return (struct choice){algorithm, 0};
	enter_all(&contest, algorithm);
	return contest.best;
}

struct choice select_default(enum collective collective,
			     const struct shape *shape,
			     const struct machine *machine)
{
	struct shape regular = select_known(collective, shape);
	struct contest contest;
	struct choice choice;

	if (tune_find(collective, shape, regular.count * regular.type_size,
		      &choice))
		return choice;
	contest = (struct contest){.shape = shape,
				   .regular = &regular,
				   .machine = machine ? machine : &plain};
	return by_model(collective, &contest);
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
			       const struct shape *shape,
			       const struct machine *machine, bool warn)
{
	struct choice choice = forced[collective];

	if (shape->low)
		return (struct choice){inter_algorithm(collective), 0};
	if (choice.algorithm) {
		if (select_choice_fits(&choice, shape))
			return choice;
		/* with no_cells the library itself excludes the algorithm */
		if (warn && !shape->no_cells)
			warn_unfit(collective);
	}
	return select_default(collective, shape, machine);
}
