/* SPDX-License-Identifier: Apache-2.0 */
/* inspect.c: what tools ask: the MRT_ variables and the counters. */
#include <string.h>

#include "lib/stats.h"
#include "mrt_lib.h"
#include "runtime/base/env.h"
#include "runtime/engine/proc.h"

int mrt_variable(int k, struct mrt_variable *variable)
{
	struct env_row row;
	char err[256];

	/* a value that is not valid is an error of mrt_init */
	if (proc.state == PROC_NEW)
		env_load(err, sizeof(err));
	if (!env_row(k, &row))
		return 0;
	if (!variable)
		return 1;
	variable->name = row.name;
	variable->help = row.help;
	strcpy(variable->value, row.value);
	strcpy(variable->range, row.range);
	return 1;
}

int mrt_counters(struct mrt_counter counters[], int room)
{
	struct counters t;

	if (proc_enter_local("mrt_counters"))
		return 0;
	stats_collect(&t);
	proc_leave();
	for (int k = 0; counters && k < room && k < (int)t.n; k++) {
		const struct counter *row = &t.row[k];

		counters[k] = (struct mrt_counter){.value = row->value,
						   .level = row->level};
		strcpy(counters[k].group, row->group);
		strcpy(counters[k].name, row->name);
	}
	return (int)t.n;
}
