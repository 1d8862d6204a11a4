/* SPDX-License-Identifier: Apache-2.0 */
/* sim_topology.c: parses topologies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sim/sim.h"

/* hops: links between switches on the way between groups of each tier. */
static const struct kind {
	const char *name;
	int least, most; /* number of sizes after the colon */
	int hops[SIM_TIERS];
} kinds[] = {
    {"flat", 0, 0, {0}},
    {"fattree", 1, 2, {2, 4}},
    {"dragonfly", 2, 2, {1, 3}},
};

static const struct kind *find_kind(const char *text, size_t len)
{
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (strlen(kinds[k].name) == len &&
		    !memcmp(kinds[k].name, text, len))
			return &kinds[k];
	return NULL;
}

/* Parses "32x16" into sizes. Returns how many there are, and where they end. */
static int parse_sizes(const char *text, long *sizes, const char **end)
{
	char *next;
	int n = 0;

	for (; n < SIM_TIERS; text = next + 1) {
		sizes[n] = strtol(text, &next, 10);
		if (next == text || sizes[n] < 1 || sizes[n] > 1 << 20)
			return -1;
		n++;
		if (*next != 'x')
			break;
	}
	*end = next;
	return n;
}

/* Parses ",taper=2,hop=100". */
static bool parse_options(const char *text, double *taper, double *hop)
{
	double *value;
	char *end;

	for (; *text == ','; text = end) {
		if (!strncmp(text, ",taper=", 7))
			value = taper;
		else if (!strncmp(text, ",hop=", 5))
			value = hop;
		else
			return false;
		text = strchr(text, '=') + 1;
		*value = strtod(text, &end);
		if (end == text || !(*value >= 0 && *value < 1e6))
			return false;
	}
	return !*text;
}

bool sim_topology_parse(const char *text, struct sim_topology *topology,
			char *why, size_t whyl)
{
	size_t len = strcspn(text, ":,");
	const struct kind *kind = find_kind(text, len);
	const char *rest = text + len;
	double taper = 1, hop = 0;
	long sizes[SIM_TIERS], nodes = 1;
	int n = 0;

	if (kind && *rest == ':')
		n = parse_sizes(rest + 1, sizes, &rest);
	if (!kind || n < kind->least || n > kind->most) {
		snprintf(why, whyl,
			 "topology '%s': use flat, "
			 "fattree:NODES[xLEAVES] or dragonfly:NODESxROUTERS",
			 text);
		return false;
	}
	if (!parse_options(rest, &taper, &hop)) {
		snprintf(why, whyl,
			 "topology '%s': '%s' is not ,taper=T or "
			 ",hop=NS",
			 text, rest);
		return false;
	}
	*topology = (struct sim_topology){.tiers = n, .hop = hop};
	for (int k = 0; k < n; k++) {
		nodes *= sizes[k];
		topology->tier[k] = (struct sim_tier){
		    nodes, (double)nodes / taper, kind->hops[k]};
	}
	return true;
}
