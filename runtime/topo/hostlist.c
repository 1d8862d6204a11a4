/* SPDX-License-Identifier: Apache-2.0 */
/* hostlist.c: compares a name with a list, without making a list of names. */
#include "runtime/topo/hostlist.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool has_first(const char *pattern, const char *name);

static bool is_end(char c)
{
	return !c || c == ',' || isspace((unsigned char)c);
}

/* Tells whether the n digits at `name` are a number of the range at `range`:
 * with as many digits as its first number if that begins with a 0. */
static bool in_range(const char *range, const char *name, size_t n)
{
	char *end;
	unsigned long low = strtoul(range, &end, 10), high = low, number = 0;
	size_t width = (size_t)(end - range);

	if (*end == '-')
		high = strtoul(end + 1, NULL, 10);
	if (*range == '0' ? n != width : n > 1 && *name == '0')
		return false;
	for (size_t k = 0; k < n; k++)
		number = 10 * number + (unsigned long)(name[k] - '0');
	return number >= low && number <= high;
}

static bool in_ranges(const char *range, const char *close, const char *name,
		      size_t n)
{
	while (!in_range(range, name, n)) {
		range = memchr(range, ',', (size_t)(close - range));
		if (!range++)
			return false;
	}
	return true;
}

/* Tells whether the name begins with a number of the ranges, up to a bracket,
 * and goes on as what follows that. */
static bool matches_ranges(const char *ranges, const char *name)
{
	const char *close = strchr(ranges, ']');
	size_t digits = close ? strspn(name, "0123456789") : 0;

	while (digits && !(in_ranges(ranges, close, name, digits) &&
			   has_first(close + 1, name + digits)))
		digits--;
	return digits;
}

/* Tells whether the name is the first of a list. */
static bool has_first(const char *pattern, const char *name)
{
	while (*pattern && *pattern == *name && *pattern != '[') {
		pattern++;
		name++;
	}
	if (*pattern == '[')
		return matches_ranges(pattern + 1, name);
	return is_end(*pattern) && !*name;
}

/* Returns what follows the first name of a list: a comma, or its end. */
static const char *name_end(const char *list)
{
	bool inside = false;

	for (; *list && (inside || !is_end(*list)); list++)
		inside = *list == '[' || (inside && *list != ']');
	return list;
}

bool hostlist_has(const char *list, const char *name)
{
	while (!has_first(list, name)) {
		list = name_end(list);
		if (*list++ != ',')
			return false;
	}
	return true;
}
