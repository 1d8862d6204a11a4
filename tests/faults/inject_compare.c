/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_compare.c makes the same faults under several launchers and prints a
 * Markdown table: time until the last process has ended, exit code, what is
 * left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/inject.h"

enum { ROUNDS = 64 };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void print_cell(const struct launcher *l, const struct fault *f,
		       int rounds)
{
	double ms[ROUNDS];
	char left[512] = "nothing";
	int code = -1, hangs = 0, codes = 0;

	for (int k = 0; k < rounds; k++) {
		struct outcome o;

		inject_run(l, f, &o);
		ms[k] = o.injected ? o.last_ms : o.total_ms;
		hangs += o.hang;
		codes += o.code != code;
		code = o.code;
		if (*o.left)
			snprintf(left, sizeof(left), "%.500s", o.left + 1);
		times_add(l->name, f, &o);
		outcome_free(&o);
	}
	qsort(ms, (size_t)rounds, sizeof(*ms), by_value);
	if (hangs)
		printf(" hangs (%d of %d) | - | %.60s |", hangs, rounds, left);
	else
		printf(" %.0f ms | %d%s | %.60s |", ms[rounds / 2], code,
		       codes > 1 ? " (varies)" : "", left);
}

void compare_print(const struct launcher *launchers, int n, int rounds)
{
	if (rounds > ROUNDS)
		rounds = ROUNDS;
	printf("| fault |");
	for (int k = 0; k < n; k++)
		printf(" %s: end | exit | left |", launchers[k].name);
	printf("\n|---|");
	for (int k = 0; k < n; k++)
		printf("---|---|---|");
	printf("\n");
	for (int r = 0; r < fault_table_size; r++) {
		if (!fault_table[r].peers)
			continue;
		printf("| %s |", fault_table[r].name);
		for (int k = 0; k < n; k++) {
			print_cell(&launchers[k], &fault_table[r], rounds);
			fflush(stdout);
		}
		printf("\n");
	}
}
