/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.c: a choice for every shape, the same wherever it is made; forced
 * algorithms; unknown names.
 */
#include "coll/select.h"

#include <unistd.h>

#include "coll/plan.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "tests/tap.h"

/* What select_init says on stderr, its code in *rc. */
static const char *hear(int *rc)
{
	static char text[1024];
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	size_t n;

	dup2(fileno(f), STDERR_FILENO);
	*rc = select_init();
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void force(enum collective collective, const char *name)
{
	const char **const vars[COLLECTIVES] = {
	    [COLL_BARRIER] = &env.barrier,
	    [COLL_BCAST] = &env.bcast,
	    [COLL_REDUCE] = &env.reduce,
	    [COLL_ALLREDUCE] = &env.allreduce,
	};

	*vars[collective] = name;
}

static bool always_fits(enum collective collective)
{
	struct shape s = {.type_size = 8};
	bool good = true;

	for (s.size = 1; s.size < 300; s.size += 1 + s.size / 8)
		for (s.count = 0; s.count < 1 << 22; s.count = s.count * 3 + 1)
			for (int k = 0; k < 4; k++) {
				const struct algorithm *a;

				s.root = k & 1 ? s.size - 1 : 0;
				s.commutative = k & 2;
				a = select_algorithm(collective, &s, false);
				good &= a && a->fits(&s);
			}
	return good;
}

static void test_collective(enum collective collective)
{
	const struct coll_table *t = &coll_tables[collective];
	struct shape s = {.size = 5,
			  .count = 10,
			  .type_size = 8,
			  .commutative = true};
	const char *said;
	int rc;

	ok(!select_forced(collective) && always_fits(collective),
	   "%s: a choice that fits for every shape", t->name);
	for (size_t i = 0; i < t->nrows; i++) {
		force(collective, t->rows[i].name);
		is_int(select_init(), 0, "%s=%s", t->variable,
		       t->rows[i].name);
		ok(select_forced(collective) &&
		       select_algorithm(collective, &s, false) == &t->rows[i],
		   "forces it");
	}
	force(collective, "rign");
	said = hear(&rc);
	is_int(rc, MRT_ERR_ENV, "%s=rign is an error", t->variable);
	has_str(said, t->variable, "which names the variable");
	for (size_t i = 0; i < t->nrows; i++)
		has_str(said, t->rows[i].name, "and %s", t->rows[i].name);
	force(collective, "");
	is_int(select_init(), 0, "back to none");
}

static void test_unfit(void)
{
	struct shape s = {.size = 6, .count = 1 << 20, .type_size = 8};
	const struct algorithm *a;

	force(COLL_ALLREDUCE, "ring");
	select_init();
	a = select_algorithm(COLL_ALLREDUCE, &s, false);
	ok(a->fits(&s) && strcmp(a->name, "ring"),
	   "a forced ring gives way when the order matters");
	force(COLL_ALLREDUCE, "");
	select_init();
}

int main(void)
{
	char err[256];

	env_load(err, sizeof(err));
	is_int(select_init(), 0, "nothing forced");
	for (int c = 0; c < COLLECTIVES; c++)
		test_collective(c);
	test_unfit();
	return tap_done();
}
