/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_cycle.c: finds ranks that wait for each other in a circle. Each rank
 * waits for one other at most, so circles have no rank in common, and a walk
 * from each rank, to where an earlier one has been, finds all in linear time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/hang_group.h"

static int by_rank(const void *rank, const void *line)
{
	int r = *(const int *)rank, l = ((const struct hang_line *)line)->rank;

	return (r > l) - (r < l);
}

/* Returns the line of the rank that this one waits for, or NULL. */
static struct hang_line *line_next(const struct hang_line *line,
				   struct hang_line *lines, int n)
{
	if (line->needs < 0)
		return NULL;
	return bsearch(&line->needs, lines, (size_t)n, sizeof(*lines), by_rank);
}

/* Says the circle through this line. */
static void cycle_say(const struct hang_line *first, struct hang_line *lines,
		      int n, hang_say *say)
{
	const struct hang_line *line = first;
	char text[HANG_CYCLE * 16] = "";
	size_t used = 0;
	int ranks = 0;

	do {
		if (ranks++ < HANG_CYCLE)
			used +=
			    (size_t)snprintf(text + used, sizeof(text) - used,
					     "%d -> ", line->rank);
		line = line_next(line, lines, n);
	} while (line != first);
	if (ranks > HANG_CYCLE)
		say("deadlock: %s... -> %d (%d ranks)", text, first->rank,
		    ranks);
	else
		say("deadlock: %s%d", text, first->rank);
}

void hang_cycle_print(struct hang_line *lines, int n, hang_say *say)
{
	int found = 0;

	for (int i = 0; i < n; i++)
		lines[i].group = -1;
	for (int i = 0; i < n; i++) {
		struct hang_line *line = &lines[i];

		while (line && line->group < 0) {
			line->group = i; /* the number of this walk */
			line = line_next(line, lines, n);
		}
		if (line && line->group == i && found++ < HANG_CYCLES)
			cycle_say(line, lines, n, say);
	}
	if (found > HANG_CYCLES)
		say("deadlock: %d more", found - HANG_CYCLES);
}
