/* SPDX-License-Identifier: Apache-2.0 */
/* number_list.c: parses lists of numbers (see number_list.h). */
#include "tools/scale/number_list.h"

#include "apps/common/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 };

/* Adds the numbers of "N", "A..B" or "A..B*F". */
static int add_range(int *list, int n, int max, char *word)
{
	char *dots = strstr(word, ".."), *times = strchr(word, '*');
	long from, to, factor = 1;

	if (times && (!dots || app_parse_long(times + 1, 2, 1024, &factor)))
		return -1;
	if (times)
		*times = '\0';
	if (dots)
		*dots = '\0';
	if (app_parse_long(word, 1, MOST, &from))
		return -1;
	to = from;
	if (dots && app_parse_long(dots + 2, from, MOST, &to))
		return -1;
	for (long k = from; k <= to; k = factor > 1 ? k * factor : k + 1) {
		if (n == max)
			return -1;
		list[n++] = (int)k;
	}
	return n;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int list_parse(int *list, int max, const char *text)
{
	char copy[512], *words = copy, *word;
	int n = 0;

	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return -1;
	while (n >= 0 && (word = strsep(&words, ",")) != NULL)
		n = add_range(list, n, max, word);
	if (n > 0)
		qsort(list, (size_t)n, sizeof(*list), by_number);
	return n;
}
