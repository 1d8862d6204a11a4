/* SPDX-License-Identifier: Apache-2.0 */
/* choice.c: the public calls that list algorithms and force one. */
#include <string.h>

#include "coll/algorithm.h"
#include "coll/coll.h"
#include "runtime/proc.h"

static const struct coll_table *find(const char *collective)
{
	for (int c = 0; collective && c < COLLECTIVES; c++)
		if (!strcmp(coll_tables[c].name, collective))
			return &coll_tables[c];
	return NULL;
}

static int set(const char *collective, const char *name)
{
	const struct coll_table *t = find(collective);

	if (!t)
		return proc_fail(MRT_ERR_ARG, "no collective is called %.64s",
				 collective ? collective : "NULL");
	return coll_force((enum collective)(t - coll_tables), name);
}

int mrt_set_algorithm(const char *collective, const char *name)
{
	int rc = proc_enter();

	if (!rc) {
		rc = set(collective, name);
		proc_leave();
	}
	return proc_result("mrt_set_algorithm", rc);
}

const char *mrt_algorithm_name(const char *collective, int k, size_t *argument)
{
	const struct coll_table *t = find(collective);

	if (!t || k < 0 || (size_t)k >= t->nrows)
		return NULL;
	if (argument)
		*argument = t->rows[k]->arg_default;
	return t->rows[k]->name;
}
