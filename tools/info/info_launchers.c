/* SPDX-License-Identifier: Apache-2.0 */
/* info_launchers.c: the launchers that mrun runs where a job has several nodes.
 */

#include <stdlib.h>

#include "launcher/engine.h"
#include "tools/info/info_out.h"
#include "tools/info/info_parts.h"

static const struct engine *const engines[] = {&engine_slurm, &engine_prterun,
					       &engine_mpirun};
enum { ENGINES = sizeof(engines) / sizeof(*engines) };

void info_launchers(void)
{
	int found = 0;

	info_open("launchers", INFO_OBJECT);
	for (int k = 0; k < ENGINES; k++) {
		char *path = engines[k]->find();

		info_text(engines[k]->name, "%s", path ?: "not found");
		found += path != NULL;
		free(path);
	}
	if (!found)
		info_text("launchers hint",
			  "jobs of several nodes need one, for a PMIx server "
			  "on each: install %s, or %s",
			  engine_slurm.install, engine_prterun.install);
	info_close(INFO_OBJECT);
}
