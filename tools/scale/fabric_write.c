/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_write.c: writes a fabric (see fabric_file.h). */
#include "tools/scale/fabric_file.h"

#include "tools/scale/study.h"

#include <jansson.h>

static json_t *range_json(const struct sim_range *r)
{
	json_t *o =
	    json_pack("{s:b, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "rendezvous",
		      r->rendezvous, "L", r->L, "o_s", r->o_s, "o_r", r->o_r,
		      "g", r->g, "G", r->G, "O_s", r->O_s, "O_r", r->O_r);

	if (r->max_bytes != SIM_NO_LIMIT)
		json_object_set_new(o, "max_bytes",
				    json_integer((json_int_t)r->max_bytes));
	return o;
}

static json_t *link_json(const struct sim_link *link)
{
	json_t *ranges = json_array();

	for (int k = 0; k < link->nranges; k++)
		json_array_append_new(ranges, range_json(&link->ranges[k]));
	return json_pack("{s:f, s:[I,I], s:o}", "atomic", link->atomic,
			 "measured", (json_int_t)link->measured_min,
			 (json_int_t)link->measured_max, "ranges", ranges);
}

static json_t *residuals_json(const struct fabric_residual *r, int n)
{
	json_t *list = json_array();

	for (int k = 0; k < n; k++)
		json_array_append_new(
		    list, json_pack("{s:s, s:I, s:f, s:f}", "level",
				    sim_level_names[r[k].level], "bytes",
				    (json_int_t)r[k].bytes, "us", r[k].us,
				    "model_us", r[k].model));
	return list;
}

int fabric_write(const struct sim_fabric *f, const char *path,
		 const char *sources, const struct fabric_residual *residuals,
		 int n)
{
	json_t *levels = json_object(), *o;

	for (int l = 0; l < SIM_LEVELS; l++)
		json_object_set_new(levels, sim_level_names[l],
				    link_json(&f->levels[l]));
	o = json_pack(
	    "{s:s, s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f,"
	    " s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
	    "s:i, s:o, s:o}",
	    "format", "libmrt-fabric", "version", 1, "name", f->name, "sources",
	    sources, "reduce", f->reduce, "reduce_far", f->reduce_far, "copy",
	    f->copy, "copy_far", f->copy_far, "cache", f->cache, "memory",
	    f->memory, "node_cache", f->node_cache, "call", f->call, "spread",
	    f->spread, "exchange", f->exchange, "nic_turn", f->nic_turn,
	    "fresh", f->fresh, "fresh_huge", f->fresh_huge, "jitter", f->jitter,
	    "jitter_tail", f->jitter_tail, "p10", f->p10, "p90", f->p90,
	    "connect", f->connect, "connected", f->connected, "turn", f->turn,
	    "measured_nodes", f->measured_nodes, "levels", levels, "residuals",
	    residuals_json(residuals, n));
	return study_write_json(path, o);
}

double fabric_message(const struct sim_link *link, size_t n)
{
	const struct sim_range *r = link->ranges;
	double bytes = n ? (double)n : 1, first;

	while (r->max_bytes != SIM_NO_LIMIT && n > r->max_bytes)
		r++;
	first = r->rendezvous ? 2 * r->L + r->o_r : 0;
	return first + r->o_s + bytes * r->O_s + r->L + (bytes - 1) * r->G +
	       r->o_r + bytes * r->O_r;
}
