/* SPDX-License-Identifier: Apache-2.0 */
/*
 * times_osu.c: reads what the OSU micro-benchmarks print: a title, lines that
 * begin with #, and rows of a size and a number (a barrier has no size). The
 * sizes of gathers, scatters and alltoall are those of a block.
 */
#include "tools/scale/times.h"

#include "apps/common/app.h"
#include "coll/plan/rules.h"
#include "tools/scale/scale.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

/* The words of a title, in the order in which they are searched for. */
static const struct osu {
	const char *words, *collective;
	enum times_kind kind;
	bool bandwidth; /* MB/s, not us */
	bool block;
} titles[] = {
    {"Multiple Bandwidth", "", TIMES_GAP, true, false},
    {"Bi-Directional", NULL, TIMES_GAP, true, false},
    {"Bandwidth", "", TIMES_GAP, true, false},
    {"Allreduce", "allreduce", TIMES_COLLECTIVE, false, false},
    {"Allgatherv", NULL, TIMES_COLLECTIVE, false, true},
    {"Allgather", "allgather", TIMES_COLLECTIVE, false, true},
    {"All-to-Allv", NULL, TIMES_COLLECTIVE, false, true},
    {"All-to-All", "alltoall", TIMES_COLLECTIVE, false, true},
    {"Broadcast", "bcast", TIMES_COLLECTIVE, false, false},
    {"Reduce_scatter", "reduce_scatter", TIMES_COLLECTIVE, false, false},
    {"Reduce ", "reduce", TIMES_COLLECTIVE, false, false},
    {"Gatherv", NULL, TIMES_COLLECTIVE, false, true},
    {"Gather", "gather", TIMES_COLLECTIVE, false, true},
    {"Scatterv", NULL, TIMES_COLLECTIVE, false, true},
    {"Scatter", "scatter", TIMES_COLLECTIVE, false, true},
    {"Barrier", "barrier", TIMES_COLLECTIVE, false, false},
    {"Latency Test", "", TIMES_MESSAGE, false, false},
};

static const struct osu *times_osu_find(const char *title)
{
	size_t n = sizeof(titles) / sizeof(titles[0]);

	for (size_t k = 0; k < n; k++)
		if (strstr(title, titles[k].words))
			return titles[k].collective ? &titles[k] : NULL;
	return NULL;
}

/* Reads a row. Returns whether it is one. */
static bool times_osu_parse(const char *line, bool sized, size_t *bytes,
			    double *value)
{
	char *end;

	*bytes = sized ? strtoull(line, &end, 10) : 0;
	if (sized && end == line)
		return false;
	line = sized ? end : line;
	*value = strtod(line, &end);
	return end != line && *value > 0;
}

static void times_osu_complete(struct times_row *r, const struct osu *o,
			       double value)
{
	r->us = o->bandwidth ? (double)r->bytes / value : value;
	if (o->block)
		r->bytes *= (size_t)r->nodes * (size_t)r->ppn;
}

/* Returns the pairs that "# [ pairs: 4 ]" names, or 0. */
static int pairs_of(const char *line)
{
	const char *at = strstr(line, "pairs:");

	return at ? atoi(at + strlen("pairs:")) : 0;
}

int times_read_osu(struct times *t, FILE *f, const char *path,
		   const char *title, const struct times_run *run)
{
	const struct osu *o = times_osu_find(title);
	struct times_row row = {.system = TIMES_OSU,
				.nodes = run->nodes,
				.ppn = run->ppn,
				.cpus = run->cpus};
	char line[LINE];
	double value;
	bool sized;

	if (!o)
		return times_wrong(path, 1, "this test of OSU is not used");
	row.kind = o->kind;
	if (o->kind == TIMES_COLLECTIVE) {
		snprintf(row.algorithm, sizeof(row.algorithm), "%s",
			 run->algorithm ? run->algorithm : "default");
		if (!run->nodes)
			return scale_error(APP_USAGE,
					   "%s: a collective of OSU needs "
					   "--nodes",
					   path);
		if (times_collective(o->collective, &row.collective) ||
		    (run->algorithm && !times_algorithm(&row)))
			return times_wrong(path, 1, "no such algorithm");
		row.element = rules[row.collective].reduces ? 4 : 1;
	} else {
		row.nodes = 2;
		row.ppn = 1;
	}
	sized = row.kind || row.collective != COLL_BARRIER;
	while (fgets(line, sizeof(line), f)) {
		if (*line == '#' && pairs_of(line) > 0)
			row.ppn = pairs_of(line);
		if (*line == '#' ||
		    !times_osu_parse(line, sized, &row.bytes, &value))
			continue;
		times_osu_complete(&row, o, value);
		if (times_has_elements(&row))
			*times_add(t) = row;
		else
			t->empty++;
	}
	return 0;
}
