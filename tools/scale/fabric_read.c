/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_read.c: reads and checks a fabric (see fabric_file.h). */
#include "tools/scale/fabric_file.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"
#include "tools/scale/study.h"

#include <jansson.h>
#include <string.h>

/* A field: its file and its path, such as "levels.node.ranges.1.G". */
struct field {
	const char *path;
	char field[256];
};

static int fabric_read_wrong(const struct field *at, const char *what)
{
	return scale_error(APP_DATAERR, "%s: %s: %s", at->path,
			   *at->field ? at->field : "file", what);
}

/* Returns the path of a member of `at`. */
static struct field fabric_read_inside(const struct field *at, const char *name)
{
	struct field in = {.path = at->path};

	if (snprintf(in.field, sizeof(in.field), "%s%s%s", at->field,
		     *at->field ? "." : "", name) >= (int)sizeof(in.field))
		in.field[0] = '\0';
	return in;
}

/* Refuses members whose names are not in the list, which ends with NULL. */
static int fabric_read_only(const struct field *at, json_t *o,
			    const char *const *names)
{
	const char *key;
	json_t *value;

	if (!json_is_object(o))
		return fabric_read_wrong(at, "want an object");
	json_object_foreach(o, key, value)
	{
		const char *const *n = names;
		struct field in = fabric_read_inside(at, key);

		while (*n && strcmp(*n, key) != 0)
			n++;
		if (!*n)
			return fabric_read_wrong(&in, "no such field");
	}
	return 0;
}

static int fabric_read_number(const struct field *at, json_t *o,
			      const char *name, double *value)
{
	struct field in = fabric_read_inside(at, name);
	json_t *v = json_object_get(o, name);

	if (!v)
		return fabric_read_wrong(&in, "missing");
	if (!json_is_number(v) || json_number_value(v) < 0)
		return fabric_read_wrong(&in,
					 "want a number that is not negative");
	*value = json_number_value(v);
	return 0;
}

static int get_range(const struct field *at, json_t *o, struct sim_range *r)
{
	static const char *const names[] = {
	    "max_bytes", "rendezvous", "L",   "o_s", "o_r",
	    "g",	 "G",	       "O_s", "O_r", NULL};
	double *const values[] = {&r->L, &r->o_s, &r->o_r, &r->g,
				  &r->G, &r->O_s, &r->O_r};
	double max = 0;
	int code = fabric_read_only(at, o, names);

	for (int k = 0; k < 7 && !code; k++)
		code = fabric_read_number(at, o, names[k + 2], values[k]);
	r->rendezvous = json_is_true(json_object_get(o, "rendezvous"));
	r->max_bytes = SIM_NO_LIMIT;
	if (!code && json_object_get(o, "max_bytes")) {
		code = fabric_read_number(at, o, "max_bytes", &max);
		r->max_bytes = (uint64_t)max;
	}
	return code;
}

static int get_link(const struct field *at, json_t *o, struct sim_link *link)
{
	static const char *const names[] = {"ranges", "atomic", "measured",
					    NULL};
	struct field in = fabric_read_inside(at, "ranges");
	json_t *ranges, *measured;
	int code = fabric_read_only(at, o, names);

	ranges = json_object_get(o, "ranges");
	if (!code && (!json_is_array(ranges) || !json_array_size(ranges) ||
		      json_array_size(ranges) > SIM_RANGES))
		return fabric_read_wrong(&in, "want a list of 1 to 8 ranges");
	code = code ? code : fabric_read_number(at, o, "atomic", &link->atomic);
	link->nranges = (int)json_array_size(ranges);
	for (int k = 0; k < link->nranges && !code; k++) {
		char index[16];
		struct field range;

		snprintf(index, sizeof(index), "%d", k);
		range = fabric_read_inside(&in, index);
		code = get_range(&range, json_array_get(ranges, (size_t)k),
				 &link->ranges[k]);
	}
	measured = json_object_get(o, "measured");
	link->measured_min =
	    (uint64_t)json_number_value(json_array_get(measured, 0));
	link->measured_max =
	    (uint64_t)json_number_value(json_array_get(measured, 1));
	return code;
}

/* Reads the levels; each is an object, or the name of an earlier level that it
 * equals. */
static int get_levels(const struct field *at, json_t *o, struct sim_fabric *f)
{
	static const char *const names[] = {"cache", "node", "leaf", "other",
					    NULL};
	int code = fabric_read_only(at, o, names);

	for (int l = 0; l < SIM_LEVELS && !code; l++) {
		struct field in = fabric_read_inside(at, names[l]);
		json_t *level = json_object_get(o, names[l]);
		const char *like = json_string_value(level);
		int k = 0;

		if (!level)
			return fabric_read_wrong(&in, "missing");
		if (!like) {
			code = get_link(&in, level, &f->levels[l]);
			continue;
		}
		while (k < l && strcmp(names[k], like) != 0)
			k++;
		if (k == l)
			return fabric_read_wrong(
			    &in, "no level before it has this name");
		f->levels[l] = f->levels[k];
		f->levels[l].measured_min = f->levels[l].measured_max = 0;
	}
	return code;
}

/* Reads members that a file need not have. */
static int get_optional(const struct field *at, json_t *o, struct sim_fabric *f)
{
	const struct {
		const char *name;
		double *value, without;
	} fields[] = {{"turn", &f->turn, TURN_DEFAULT},
		      {"reduce_far", &f->reduce_far, f->reduce},
		      {"copy_far", &f->copy_far, f->copy},
		      {"cache", &f->cache, 0},
		      {"memory", &f->memory, 0},
		      {"node_cache", &f->node_cache, 0},
		      {"call", &f->call, 0},
		      {"spread", &f->spread, 0},
		      {"exchange", &f->exchange, 1},
		      {"nic_turn", &f->nic_turn, 0},
		      {"fresh", &f->fresh, 0},
		      {"fresh_huge", &f->fresh_huge, 0},
		      {"jitter", &f->jitter, 0},
		      {"jitter_tail", &f->jitter_tail, 0},
		      {"connect", &f->connect, 0},
		      {"connected", &f->connected, 0},
		      {"p10", &f->p10, 0},
		      {"p90", &f->p90, 0}};
	int code = 0;

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]) && !code;
	     k++) {
		*fields[k].value = fields[k].without;
		if (json_object_get(o, fields[k].name))
			code = fabric_read_number(at, o, fields[k].name,
						  fields[k].value);
	}
	return code;
}

/* Reads the factors of the bands: two for each part of a prediction. */
static int get_bands(const struct field *at, json_t *o, struct sim_fabric *f)
{
	const struct field in = fabric_read_inside(at, "bands");
	json_t *bands = json_object_get(o, "bands");
	const char *names[SIM_PARTS + 1] = {NULL};
	int code = 0;

	for (int k = 0; k < SIM_PARTS; k++)
		names[k] = sim_part_names[k];
	code = bands ? fabric_read_only(&in, bands, names) : 0;
	for (int k = 0; bands && k < SIM_PARTS && !code; k++) {
		const struct field part = fabric_read_inside(&in, names[k]);
		json_t *pair = json_object_get(bands, names[k]);

		f->low[k] = json_number_value(json_array_get(pair, 0));
		f->high[k] = json_number_value(json_array_get(pair, 1));
		if (json_array_size(pair) != 2 || f->low[k] < 0 ||
		    f->low[k] > f->high[k])
			code = fabric_read_wrong(&part,
						 "want two factors in order");
	}
	return code;
}

/* Replaces members of a fabric, and levels, by those of a profile. */
static int use_profile(const struct field *at, json_t *o, const char *name)
{
	struct field in = fabric_read_inside(at, "profiles");
	json_t *profile = json_object_get(json_object_get(o, "profiles"), name);
	const char *key;
	json_t *value;

	if (!*name)
		return 0;
	if (!json_is_object(profile))
		return scale_error(APP_NOINPUT, "%s: no profile '%s'", in.path,
				   name);
	json_object_foreach(profile, key, value)
	{
		if (!strcmp(key, "levels"))
			json_object_update(json_object_get(o, key), value);
		else
			json_object_set(o, key, value);
	}
	return 0;
}

static int get_fabric(const struct field *at, json_t *o, struct sim_fabric *f)
{
	static const char *const names[] = {
	    "format",	  "version",   "name",	     "sources",
	    "reduce",	  "copy",      "turn",	     "measured_nodes",
	    "levels",	  "residuals", "reduce_far", "copy_far",
	    "cache",	  "call",      "spread",     "p10",
	    "p90",	  "exchange",  "profiles",   "memory",
	    "node_cache", "bands",     "jitter",     "jitter_tail",
	    "connect",	  "connected", "nic_turn",   "fresh",
	    "fresh_huge", NULL};
	struct field in = fabric_read_inside(at, "format");
	const char *format = json_string_value(json_object_get(o, "format"));
	double version = 0, nodes = 0;
	int code = fabric_read_only(at, o, names);

	if (!code && (!format || strcmp(format, "libmrt-fabric") != 0))
		code = fabric_read_wrong(&in, "want \"libmrt-fabric\"");
	code = code ? code : fabric_read_number(at, o, "version", &version);
	in = fabric_read_inside(at, "version");
	if (!code && version != 1)
		code = fabric_read_wrong(&in, "want 1");
	code = code ? code : fabric_read_number(at, o, "reduce", &f->reduce);
	code = code ? code : fabric_read_number(at, o, "copy", &f->copy);
	code = code ? code : get_optional(at, o, f);
	code = code ? code : get_bands(at, o, f);
	code =
	    code ? code : fabric_read_number(at, o, "measured_nodes", &nodes);
	in = fabric_read_inside(at, "levels");
	code = code ? code : get_levels(&in, json_object_get(o, "levels"), f);
	f->measured_nodes = (int)nodes;
	snprintf(f->name, sizeof(f->name), "%s",
		 format && json_string_value(json_object_get(o, "name"))
		     ? json_string_value(json_object_get(o, "name"))
		     : "unnamed");
	return code;
}

int fabric_read(struct sim_fabric *fabric, const char *name)
{
	char path[STUDY_PATH], why[256], profile[STUDY_NAME];
	struct field at = {.path = path};
	json_error_t error;
	json_t *root;
	int code;

	memset(fabric, 0, sizeof(*fabric));
	code = fabric_find(path, name, profile);
	if (code)
		return code;
	root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!root && error.line < 0)
		return scale_error(APP_NOINPUT, "%s", error.text);
	if (!root)
		return scale_error(APP_DATAERR, "%s:%d:%d: %s", path,
				   error.line, error.column, error.text);
	code = use_profile(&at, root, profile);
	code = code ? code : get_fabric(&at, root, fabric);
	json_decref(root);
	if (!code && !sim_fabric_check(fabric, why, sizeof(why)))
		code = fabric_read_wrong(&at, why);
	return code;
}
