/* SPDX-License-Identifier: Apache-2.0 */
/* choice.c: the public calls that list algorithms and force one. */
#include <stdio.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/call/coll_state.h"
#include "coll/comm/coll_comm.h"
#include "coll/run/coll.h"
#include "runtime/engine/proc.h"

static const struct coll_table *choice_find(const char *collective)
{
	for (int c = 0; collective && c < COLLECTIVES; c++)
		if (!strcmp(coll_tables[c].name, collective))
			return &coll_tables[c];
	return NULL;
}

static int no_collective(const char *name)
{
	return proc_fail(MRT_ERR_ARG, "no collective is called %.64s",
			 name ? name : "NULL");
}

static int choice_set(const char *collective, const char *name)
{
	const struct coll_table *t = choice_find(collective);

	if (!t)
		return no_collective(collective);
	return coll_force((enum collective)(t - coll_tables), name);
}

int mrt_set_algorithm(const char *collective, const char *name)
{
	int rc = proc_enter("mrt_set_algorithm");

	if (!rc) {
		rc = choice_set(collective, name);
		proc_leave();
	}
	return proc_result("mrt_set_algorithm", rc);
}

static int choice_chosen(const struct coll_table *t, size_t bytes,
			 struct mrt_comm *comm, char name[128])
{
	enum collective collective = (enum collective)(t - coll_tables);
	struct choice choice;
	int rc = coll_choice(comm, collective, bytes, &choice);

	if (rc)
		return rc;
	if (!choice.algorithm)
		snprintf(name, 128, "direct");
	else
		select_print(collective, &choice, name, 128);
	return 0;
}

int mrt_chosen_algorithm(const char *collective, size_t bytes,
			 struct mrt_comm *comm, char *name, size_t len)
{
	const struct coll_table *t = choice_find(collective);
	struct mrt_comm *c = comm_get(comm);
	char text[128] = "";
	int rc = proc_enter("mrt_chosen_algorithm");

	if (!rc) {
		if (!c)
			rc = comm_unknown(comm);
		else if (!t || !t->nrows)
			rc = no_collective(collective);
		else
			rc = choice_chosen(t, bytes, c, text);
		if (!rc && !name)
			rc = proc_fail(MRT_ERR_ARG, "name is NULL");
		if (!rc && strlen(text) >= len)
			rc = proc_fail(MRT_ERR_ARG,
				       "no room for \"%s\" in "
				       "%zu bytes",
				       text, len);
		if (!rc)
			strcpy(name, text);
		proc_leave();
	}
	return proc_result("mrt_chosen_algorithm", rc);
}

const char *mrt_medium(struct mrt_comm *comm)
{
	const char *name = NULL;
	struct mrt_comm *c = comm_get(comm);
	int rc = proc_enter("mrt_medium");

	if (!rc) {
		rc = c ? coll_find_topology(c) : comm_unknown(comm);
		if (!rc)
			name = medium_names[c->coll->machine.medium];
		proc_leave();
	}
	proc_result("mrt_medium", rc);
	return name;
}

const char *mrt_algorithm_name(const char *collective, int k, size_t *argument)
{
	const struct coll_table *t = choice_find(collective);

	if (!t || k < 0 || (size_t)k >= t->nrows)
		return NULL;
	if (argument)
		*argument = t->rows[k]->arg_default;
	return t->rows[k]->name;
}
