/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.c: parses message sizes (see sizes.h). */
#include "apps/common/sizes.h"

#include "apps/common/app.h"

#include <stdio.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30)

static int sizes_append(struct sizes *s, size_t bytes)
{
	if (s->n == SIZES_MAX || bytes > BYTES_MAX)
		return -1;
	s->bytes[s->n++] = bytes;
	return 0;
}

int sizes_range(struct sizes *s, size_t min, size_t max)
{
	size_t power = 1;

	s->n = 0;
	if (min > max || sizes_append(s, min))
		return -1;
	while (power <= min)
		power *= 2;
	for (; power <= max; power *= 2)
		if (sizes_append(s, power))
			return -1;
	return 0;
}

int sizes_parse(struct sizes *s, const char *text)
{
	char copy[512], *words, *word, *colon;
	size_t a, b;

	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return -1;
	colon = strchr(copy, ':');
	if (colon) {
		*colon = '\0';
		if (app_parse_size(copy, &a) || app_parse_size(colon + 1, &b))
			return -1;
		return sizes_range(s, a, b);
	}
	s->n = 0;
	words = copy;
	while ((word = strsep(&words, ",")) != NULL)
		if (app_parse_size(word, &a) || sizes_append(s, a))
			return -1;
	return 0;
}

int sizes_at_least(struct sizes *s, size_t min)
{
	int kept = 0;

	for (int i = 0; i < s->n; i++)
		if (s->bytes[i] >= min)
			s->bytes[kept++] =
			    min > 1 ? s->bytes[i] / min * min : s->bytes[i];
	s->n = kept;
	return kept;
}
