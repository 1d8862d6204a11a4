/* SPDX-License-Identifier: Apache-2.0 */
/* trace_no_model.c takes the place of trace_model.c without jansson. */
#include "runtime/base/error.h"
#include "tools/trace/trace_scene.h"

int scene_simulate(const struct scene *s, const struct scene_options *options,
		   struct scene *model)
{
	(void)s;
	(void)options;
	(void)model;
	fputs("mrt-trace: built without jansson, which reads fabrics\n",
	      stderr);
	return EXIT_USAGE;
}
