/* SPDX-License-Identifier: Apache-2.0 */
/* tune_out.c: prints times as a table, CSV or JSON. */
#include "tools/tune/tune.h"

#include <math.h>

void tune_out_begin(const struct tune *t)
{
	char host[MRT_PROCESSOR_NAME_MAX];

	mrt_processor_name(host, sizeof(host));
	if (t->format == TUNE_CSV)
		puts("collective,ranks,bytes,algorithm,us,least");
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
	if (t->format == TUNE_TABLE)
		printf("\n# %s\n#%9s %9s  %-20s %9s  %-20s %s\n",
		       times->collective->name, "bytes", "default", "which is",
		       "fastest", "which is", "ratio");
}

static void print_row(const struct tune_times *times, int k)
{
	const double *seconds = times->seconds[k];
	int best = tune_fastest(times, k);

	printf("%10zu %9.2f  %-20s %9.2f  %-20s %.2f\n", times->bytes[k],
	       seconds[0] * 1e6, times->chosen[k], seconds[best] * 1e6,
	       best ? times->way[best] : "default", seconds[0] / seconds[best]);
}

/* Prints all ways of size k, for programs. */
static void print_ways(const struct tune *t, const struct tune_times *times,
		       int k)
{
	const char *name = times->collective->name;
	static int rows;

	for (int w = 0; w < times->nways; w++) {
		double us = times->seconds[k][w] * 1e6;
		double least = times->least[k][w] * 1e6;

		if (isinf(us))
			continue;
		if (t->format == TUNE_CSV)
			printf("%s,%d,%zu,%s,%.6g,%.6g\n", name, t->ranks,
			       times->bytes[k], times->way[w], us, least);
		else
			printf("%s\n  {\"collective\": \"%s\", \"bytes\": %zu, "
			       "\"algorithm\": \"%s\", \"us\": %.6g, "
			       "\"least\": %.6g}",
			       rows++ ? "," : "", name, times->bytes[k],
			       times->way[w], us, least);
	}
}

void tune_out_size(const struct tune *t, const struct tune_times *times, int k)
{
	if (t->format == TUNE_TABLE)
		print_row(times, k);
	else
		print_ways(t, times, k);
	fflush(stdout);
}

void tune_out_end(const struct tune *t)
{
	if (t->format == TUNE_JSON)
		puts("\n]}");
}
