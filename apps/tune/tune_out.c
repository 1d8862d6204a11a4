/* SPDX-License-Identifier: Apache-2.0 */
/* tune_out.c: times as a table for people, CSV or JSON. */
#include "apps/tune/tune.h"

#include <math.h>
#include <string.h>

void tune_out_begin(const struct tune *t)
{
	char host[MRT_PROCESSOR_NAME_MAX];

	mrt_processor_name(host, sizeof(host));
	if (t->format == TUNE_CSV)
		puts("collective,ranks,bytes,algorithm,us");
	else if (t->format == TUNE_JSON)
		printf("{\"library\": \"%s\", \"host\": \"%s\", "
		       "\"ranks\": %d,\n \"results\": [",
		       mrt_version(), host, t->ranks);
	else
		printf("# %s on %s, %d ranks; microseconds\n", mrt_version(),
		       host, t->ranks);
}

void tune_out_collective(const struct tune *t, const struct tune_times *times)
{
	if (t->format != TUNE_TABLE)
		return;
	printf("\n# %s\n# %8s", times->collective->name, "bytes");
	for (int w = 0; w < times->nways; w++)
		printf(" %*s", (int)strlen(times->way[w]) + 2, times->way[w]);
	printf("  %-20s %-20s %s\n", "default is", "fastest",
	       "default/fastest");
}

static void print_row(const struct tune_times *times, int k)
{
	const double *us = times->seconds[k];
	int best = tune_fastest(times, k);

	printf("%10zu", times->bytes[k]);
	for (int w = 0; w < times->nways; w++) {
		int width = (int)strlen(times->way[w]) + 2;

		if (isinf(us[w]))
			printf(" %*s", width, "-");
		else
			printf(" %*.2f", width, us[w] * 1e6);
	}
	printf("  %-20s %-20s %.2f\n", times->chosen[k],
	       best ? times->way[best] : "default", us[0] / us[best]);
}

void tune_out_size(const struct tune *t, const struct tune_times *times, int k)
{
	static int rows;

	if (t->format == TUNE_TABLE)
		print_row(times, k);
	for (int w = 0; t->format != TUNE_TABLE && w < times->nways; w++) {
		double us = times->seconds[k][w] * 1e6;

		if (isinf(us))
			continue;
		if (t->format == TUNE_CSV)
			printf("%s,%d,%zu,%s,%.6g\n", times->collective->name,
			       t->ranks, times->bytes[k], times->way[w], us);
		else
			printf("%s\n  {\"collective\": \"%s\", \"bytes\": %zu, "
			       "\"algorithm\": \"%s\", \"us\": %.6g}",
			       rows++ ? "," : "", times->collective->name,
			       times->bytes[k], times->way[w], us);
	}
	fflush(stdout);
}

void tune_out_end(const struct tune *t)
{
	if (t->format == TUNE_JSON)
		puts("\n]}");
}
