/* SPDX-License-Identifier: Apache-2.0 */
/* phases.c: measures the time of a program's phases (see phases.h). */
#include "apps/common/phases.h"

#include <mrt.h>
#include <stdio.h>
#include <string.h>

void phases_init(struct phases *ph, const char *const *names, int first)
{
	memset(ph, 0, sizeof(*ph));
	ph->names = names;
	while (names[ph->n])
		ph->n++;
	ph->current = first;
	ph->since = mrt_wtime();
}

int phases_switch(struct phases *ph, int phase)
{
	double now = mrt_wtime();
	int before = ph->current;

	ph->seconds[before] += now - ph->since;
	ph->since = now;
	ph->current = phase;
	return before;
}

static void print_row(const char *name, double min, double sum, double max,
		      double total)
{
	int n = mrt_size(MRT_COMM_WORLD);

	printf("  %-22s %10.4f %10.4f %10.4f %6.1f %%\n", name, min, sum / n,
	       max, total > 0 ? 100 * sum / total : 0.0);
}

void phases_print(struct phases *ph)
{
	double mine[PHASES_MAX + 1], min[PHASES_MAX + 1];
	double sum[PHASES_MAX + 1], max[PHASES_MAX + 1];
	size_t rows = (size_t)ph->n + 1;

	phases_switch(ph, ph->current);
	memcpy(mine, ph->seconds, sizeof(ph->seconds));
	mine[ph->n] = 0;
	for (int i = 0; i < ph->n; i++)
		mine[ph->n] += mine[i];
	mrt_reduce(mine, min, rows, MRT_DOUBLE, MRT_MIN, 0, MRT_COMM_WORLD);
	mrt_reduce(mine, sum, rows, MRT_DOUBLE, MRT_SUM, 0, MRT_COMM_WORLD);
	mrt_reduce(mine, max, rows, MRT_DOUBLE, MRT_MAX, 0, MRT_COMM_WORLD);
	if (mrt_rank(MRT_COMM_WORLD) != 0)
		return;
	printf("  %-22s %10s %10s %10s\n", "seconds over the ranks", "min",
	       "avg", "max");
	for (int i = 0; i < ph->n; i++)
		print_row(ph->names[i], min[i], sum[i], max[i], sum[ph->n]);
	print_row("total", min[ph->n], sum[ph->n], max[ph->n], sum[ph->n]);
}
