/* SPDX-License-Identifier: Apache-2.0 */
/* sim_fabric.c: names of levels and parts; checks fabrics; bands of
 * predictions. */
#include <math.h>
#include <stdio.h>

#include "tools/sim/sim.h"

const char *const sim_level_names[SIM_LEVELS] = {"cache", "node", "leaf",
						 "other"};
const char *const sim_part_names[SIM_PARTS] = {
    "overhead", "latency", "bandwidth", "queueing", "reduction"};

enum { LONGEST = 1000000000 }; /* ns; more is a mistake in units */

static bool is_time(double ns)
{
	return isfinite(ns) && ns >= 0 && ns <= LONGEST;
}

/* Returns the field that is wrong, or NULL. */
static const char *wrong_in_range(const struct sim_range *r)
{
	const struct {
		const char *name;
		double value;
	} fields[] = {{"L", r->L},    {"o_s", r->o_s}, {"o_r", r->o_r},
		      {"g", r->g},    {"G", r->G},     {"O_s", r->O_s},
		      {"O_r", r->O_r}};

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
		if (!is_time(fields[k].value))
			return fields[k].name;
	return NULL;
}

static const char *wrong_in_link(const struct sim_link *link, int *range)
{
	const char *field;

	*range = -1;
	if (link->nranges < 1 || link->nranges > SIM_RANGES)
		return "ranges";
	if (!is_time(link->atomic))
		return "atomic";
	for (*range = 0; *range < link->nranges; ++*range) {
		const struct sim_range *r = &link->ranges[*range];
		bool last = *range == link->nranges - 1;

		if ((*range && r->max_bytes <= r[-1].max_bytes) ||
		    last != (r->max_bytes == SIM_NO_LIMIT))
			return "max_bytes";
		field = wrong_in_range(r);
		if (field)
			return field;
	}
	return NULL;
}

static const char *wrong_in_node(const struct sim_fabric *f)
{
	const struct {
		const char *name;
		double value;
	} fields[] = {
	    {"reduce", f->reduce},	   {"copy", f->copy},
	    {"reduce_far", f->reduce_far}, {"copy_far", f->copy_far},
	    {"memory", f->memory},	   {"call", f->call},
	    {"spread", f->spread},	   {"turn", f->turn},
	    {"jitter", f->jitter},	   {"connect", f->connect},
	    {"fresh", f->fresh},	   {"fresh_huge", f->fresh_huge}};

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
		if (!is_time(fields[k].value))
			return fields[k].name;
	if (!(f->exchange >= 0 && f->exchange <= 1000))
		return "exchange";
	if (!(f->jitter_tail >= 0 && f->jitter_tail <= 0.95))
		return "jitter_tail";
	for (int k = 0; k < SIM_PARTS; k++)
		if (!(f->low[k] >= 0 && f->low[k] <= f->high[k] &&
		      isfinite(f->high[k])))
			return "bands";
	if (!(isfinite(f->node_cache) && f->node_cache >= 0))
		return "node_cache";
	if (!(isfinite(f->nic_turn) && f->nic_turn >= 0))
		return "nic_turn";
	if (!(f->connected >= 0 && f->connected <= UINT32_MAX))
		return "connected";
	return isfinite(f->cache) && f->cache >= 0 ? NULL : "cache";
}

bool sim_fabric_check(const struct sim_fabric *fabric, char *why, size_t whyl)
{
	const char *field;
	int range;

	for (int l = 0; l < SIM_LEVELS; l++) {
		field = wrong_in_link(&fabric->levels[l], &range);
		if (!field)
			continue;
		if (range < 0)
			snprintf(why, whyl, "level %s: %s", sim_level_names[l],
				 field);
		else
			snprintf(why, whyl, "level %s, range %d: %s",
				 sim_level_names[l], range + 1, field);
		return false;
	}
	field = wrong_in_node(fabric);
	if (field)
		snprintf(why, whyl, "%s", field);
	return !field;
}

bool sim_band(const struct sim_fabric *f, const struct sim_result *r,
	      double *low, double *high)
{
	*low = r->time * f->p10;
	*high = r->time * f->p90;
	for (int k = 0; k < SIM_PARTS && f->p10 <= 0; k++) {
		*low += r->part[k] * f->low[k];
		*high += r->part[k] * f->high[k];
	}
	return *high > 0;
}
