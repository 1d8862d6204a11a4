/* SPDX-License-Identifier: Apache-2.0 */
/* sim_topology.c: parses topologies, draws places in them, and finds ways
 * through a torus. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/step_hash.h"
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
    {"dragonfly+", 2, 2, {2, 3}},
    {"torus", 1, SIM_DIMENSIONS, {0}},
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

	for (; n < SIM_DIMENSIONS; text = next + 1) {
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

struct options {
	double taper, hop, load, rails;
};

/* Parses ",taper=2,hop=100". */
static bool parse_options(const char *text, struct options *o)
{
	double *value;
	char *end;

	for (; *text == ','; text = end) {
		if (!strncmp(text, ",taper=", 7))
			value = &o->taper;
		else if (!strncmp(text, ",hop=", 5))
			value = &o->hop;
		else if (!strncmp(text, ",load=", 6))
			value = &o->load;
		else if (!strncmp(text, ",rails=", 7))
			value = &o->rails;
		else
			return false;
		text = strchr(text, '=') + 1;
		*value = strtod(text, &end);
		if (end == text || !(*value >= 0 && *value < 1e6))
			return false;
	}
	return !*text && o->load < 1 && o->rails >= 1 &&
	       o->rails <= SIM_RAILS && o->rails == floor(o->rails);
}

static void set_groups(struct sim_topology *topology, const struct kind *kind,
		       const long *sizes, int n, const struct options *o)
{
	long nodes = 1;

	topology->tiers = n;
	for (int k = 0; k < n; k++) {
		nodes *= sizes[k];
		topology->tier[k] = (struct sim_tier){
		    nodes, (double)nodes * o->rails / o->taper * (1 - o->load),
		    kind->hops[k]};
	}
}

static void set_torus(struct sim_topology *topology, const long *sizes, int n,
		      const struct options *o)
{
	topology->dimensions = n;
	memcpy(topology->size, sizes, (size_t)n * sizeof(*sizes));
	topology->link = o->rails * (1 - o->load) / o->taper;
}

bool sim_topology_parse(const char *text, struct sim_topology *topology,
			char *why, size_t whyl)
{
	size_t len = strcspn(text, ":,");
	const struct kind *kind = find_kind(text, len);
	const char *rest = text + len;
	struct options o = {.taper = 1, .rails = 1};
	long sizes[SIM_DIMENSIONS];
	int n = 0;

	if (kind && *rest == ':')
		n = parse_sizes(rest + 1, sizes, &rest);
	if (!kind || n < kind->least || n > kind->most) {
		snprintf(why, whyl,
			 "topology '%s': use flat, fattree:NODES[xLEAVES], "
			 "dragonfly:NODESxROUTERS, dragonfly+:NODESxLEAVES or "
			 "torus:A[xB[xC]]",
			 text);
		return false;
	}
	if (!parse_options(rest, &o)) {
		snprintf(why, whyl,
			 "topology '%s': '%s' is not ,taper=T, ,hop=NS, "
			 ",load=F below 1 or ,rails=R up to %d",
			 text, rest, SIM_RAILS);
		return false;
	}
	*topology = (struct sim_topology){.hop = o.hop, .rails = (int)o.rails};
	if (!strcmp(kind->name, "torus"))
		set_torus(topology, sizes, n, &o);
	else
		set_groups(topology, kind, sizes, n, &o);
	return true;
}

long sim_torus_step(const struct sim_topology *t, long at, long to, int *way)
{
	long stride = 1, size = 1, here = 0, ahead = 0, next;
	int k;

	for (k = 0; k < t->dimensions && !ahead; k++) {
		stride *= size;
		size = t->size[k];
		here = at / stride % size;
		ahead = (to / stride % size - here + size) % size;
	}
	*way = 2 * (k - 1) + (2 * ahead > size);
	next = (2 * ahead > size ? here + size - 1 : here + 1) % size;
	return at + (next - here) * stride;
}

long sim_torus_routers(const struct sim_topology *t)
{
	long routers = 1;

	for (int k = 0; k < t->dimensions; k++)
		routers *= t->size[k];
	return routers;
}

int sim_torus_hops(const struct sim_topology *t, long a, long b)
{
	int hops = 0, way;

	for (; a != b; hops++)
		a = sim_torus_step(t, a, b, &way);
	return hops;
}

/* Source: D. E. Knuth, "The Art of Computer Programming", volume 2, section
 * 3.4.2, algorithm S. */
void sim_scatter(long *places, int nodes, long of, uint64_t seed)
{
	int n = 0;

	for (long k = 0; k < of && n < nodes; k++) {
		seed = step_hash_mix(seed + 0x9e3779b97f4a7c15);
		if (seed % (uint64_t)(of - k) < (uint64_t)(nodes - n))
			places[n++] = k;
	}
}
