/* SPDX-License-Identifier: Apache-2.0 */
/* places.c draws the places of nodes, or reads them. */
#include "tools/scale/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/common/app.h"
#include "tools/scale/scale.h"
#include "tools/sim/sim.h"

enum { PLACES_MAX = 1 << 24 };

static int places_read(const char *file, long *places, int nodes)
{
	FILE *f = fopen(file, "r");
	int n = 0;

	if (!f)
		return scale_error(APP_NOINPUT, "simulate: %s: %m", file);
	while (n < nodes && fscanf(f, "%ld", &places[n]) == 1 &&
	       places[n] >= 0 && places[n] < PLACES_MAX)
		n++;
	fclose(f);
	return n == nodes ? 0
			  : scale_error(APP_DATAERR,
					"simulate: %s has %d places of nodes "
					"at its beginning, of %d",
					file, n, nodes);
}

int scale_place(const char *text, int nodes, uint64_t seed, long **places)
{
	static const char scattered[] = "scattered:";
	size_t len = sizeof(scattered) - 1;
	long *more = realloc(*places, (size_t)nodes * sizeof(*more)), of;

	if (!more)
		return scale_error(APP_RESOURCE, "simulate: out of memory");
	*places = more;
	if (strncmp(text, scattered, len) != 0)
		return places_read(text, more, nodes);
	if (app_parse_long(text + len, nodes, PLACES_MAX, &of))
		return scale_error(APP_USAGE,
				   "simulate: %s: no number from %d to %d",
				   text, nodes, PLACES_MAX);
	sim_scatter(more, nodes, of, seed);
	return 0;
}
