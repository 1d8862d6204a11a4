/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_map.c: --map-by, --rank-by and --bind-to, in the words of Open MPI:
 *	--map-by [OBJECT][:pe=K][:oversubscribe]
 *	--map-by ppr:N:OBJECT[:pe=K]
 *	--map-by rankfile:file=FILE
 */

#include <string.h>

#include "launcher/option_table.h"
#include "runtime/base/env.h"

/* The order is that of enum map_by from MAP_CORE on. */
static const char objects[] = "core|slot|numa|l3|socket|hwthread|node";

/* Returns the object of these words, or -1. */
static int parse_object(const char *text, size_t len)
{
	static const char others[] = "package|l3cache";
	static const enum map_by same[] = {MAP_SOCKET, MAP_L3};
	int k = option_parse_word(text, len, objects);

	if (k >= 0)
		return MAP_CORE + k;
	k = option_parse_word(text, len, others);
	return k < 0 ? -1 : (int)same[k];
}

/* Applies what stands behind the object; "" if nothing does. */
static int apply_modifiers(const struct option_use *use, const char *text)
{
	for (size_t len; *text; text += len) {
		text++; /* the colon */
		len = strcspn(text, ":");
		if (!strncasecmp(text, "pe=", 3)) {
			char number[16] = "";

			if (len - 3 < sizeof(number))
				memcpy(number, text + 3, len - 3);
			if (!env_parse_int(number, 1, MAX_RANKS,
					   &use->options->cpus_per_rank))
				return option_bad_value(use, "pe=K, K >= 1");
		} else if (len == 7 && !strncasecmp(text, "hwtcpus", len)) {
			use->options->hwthreads = true;
		} else if (len != 13 ||
			   strncasecmp(text, "oversubscribe", len)) {
			return option_bad_value(
			    use, "pe=K, hwtcpus or oversubscribe behind it");
		}
	}
	return 0;
}

/* N ranks on each object; on each node that is --ppn. */
static int apply_per_object(const struct option_use *use, int n, int object)
{
	struct options *o = use->options;

	if (object == MAP_NODE) {
		o->ppn = n;
		o->map = MAP_AUTO;
		return 0;
	}
	if (object != MAP_NUMA && object != MAP_L3 && object != MAP_SOCKET)
		return option_bad_value(use, "ppr:N:node, socket, numa or l3");
	o->per_object = n;
	o->map = (enum map_by)object;
	return 0;
}

int option_map_by(const struct option_use *use)
{
	static const char file[] = "rankfile:file=";
	const char *text = use->value;
	bool ppr = !strncasecmp(text, "ppr:", 4);
	int n = 0, object;
	size_t len;

	if (!strncasecmp(text, file, strlen(file))) {
		use->options->rankfile = text + strlen(file);
		return 0;
	}
	if (ppr) {
		char number[16] = "";

		text += 4;
		len = strcspn(text, ":");
		if (len < sizeof(number))
			memcpy(number, text, len);
		if (!env_parse_int(number, 1, MAX_RANKS, &n) || !text[len])
			return option_bad_value(use, "ppr:N:OBJECT, N >= 1");
		text += len + 1;
	}
	len = strcspn(text, ":");
	if (!len && *text && !ppr) /* Open MPI's :OVERSUBSCRIBE */
		return apply_modifiers(use, text);
	object = parse_object(text, len);
	if (object < 0)
		return option_bad_value(use, objects);
	if (ppr) {
		int code = apply_per_object(use, n, object);

		return code ? code : apply_modifiers(use, text + len);
	}
	use->options->per_object = 0;
	use->options->map = (enum map_by)object;
	if (object == MAP_HWTHREAD)
		use->options->hwthreads = true;
	return apply_modifiers(use, text + len);
}

int option_per_socket(const struct option_use *use)
{
	int n;

	if (!env_parse_int(use->value, 1, MAX_RANKS, &n))
		return option_bad_value(use, "a number, at least 1");
	return apply_per_object(use, n, MAP_SOCKET);
}

int option_rank_by(const struct option_use *use)
{
	int object = parse_object(use->value, strlen(use->value));

	if (object == MAP_HWTHREAD || object == MAP_CORE || object < 0)
		return option_bad_value(use, "slot|node|numa|l3|socket");
	use->options->rank_by = (enum map_by)object;
	return 0;
}

int option_bind_to(const struct option_use *use)
{
	static const char words[] =
	    "auto|none|hwthread|core|numa|socket|l3|package|l3cache|rr";
	static const enum bind_to others[] = {BIND_SOCKET, BIND_L3, BIND_CORE};
	const char *value = use->value;
	size_t len = strcspn(value, ":");
	int k = option_parse_word(value, len, words);

	/* Both are what mrun does anyway. */
	if (k < 0 || (value[len] && strcmp(value + len, ":overload-allowed") &&
		      strcmp(value + len, ":if-supported")))
		return option_bad_value(use, "auto|none|hwthread|core|numa|"
					     "socket|l3");
	use->options->bind =
	    k > BIND_L3 ? others[k - BIND_L3 - 1] : (enum bind_to)k;
	return 0;
}
