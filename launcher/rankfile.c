/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rankfile.c: --rankfile, in the syntax of Open MPI: a line for each rank,
 *	rank 0=host slot=LIST		# a comment
 * LIST counts the usable cores of the node, or hardware threads if these count
 * as cores, from 0: "3", "0-1", "0,2-3", or those of a socket: "0:1-2", "1:*";
 * several sockets are separated by semicolons, "0:0;1:0".
 */

#include "launcher/rankfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/say.h"

/* ---- Reading ------------------------------------------------------------- */

/* Returns the description of a rank, for which it makes room, or NULL without
 * memory. */
static struct rankfile_rank *rank_at(struct rankfile *f, int rank)
{
	size_t n = (size_t)rank + 1;
	struct rankfile_rank *ranks = f->ranks;

	if (rank < f->n)
		return &f->ranks[rank];
	ranks = realloc(ranks, n * sizeof(*ranks));
	if (!ranks)
		return NULL;
	memset(ranks + f->n, 0, (n - (size_t)f->n) * sizeof(*ranks));
	f->ranks = ranks;
	f->n = (int)n;
	return &ranks[rank];
}

/* Returns the bytes of a line that is as it should be, else 0. */
static int rankfile_scan(const char *line, int *rank, char host[256],
			 char slots[256])
{
	int end = 0;

	if (sscanf(line, " rank %d = %255[^ \t=] slot = %255[0-9:;,*-] %n",
		   rank, host, slots, &end) < 3 &&
	    sscanf(line, " rank %d = %255[^ \t=] slots = %255[0-9:;,*-] %n",
		   rank, host, slots, &end) < 3)
		return 0;
	return end;
}

static int read_line(struct rankfile *f, const char *line, int at)
{
	struct rankfile_rank *r;
	char host[256], slots[256];
	int rank, end;

	if (!line[strspn(line, " \t\r\n")])
		return 0;
	end = rankfile_scan(line, &rank, host, slots);
	if (!end || line[end])
		return say_fail(EXIT_USAGE,
				"%s:%d: no \"rank N=HOST slot=LIST\", where "
				"LIST is like 3, 0-1 or 0:1-2",
				f->path, at);
	if (rank < 0 || rank >= MAX_RANKS)
		return say_fail(EXIT_USAGE, "%s:%d: rank %d: ranks are 0 to %d",
				f->path, at, rank, MAX_RANKS - 1);
	if (strcmp(host, "+n0") && !hosts_name_here(host))
		return say_fail(EXIT_USAGE,
				"%s:%d: %s is not this node, on which alone "
				"a rankfile places ranks",
				f->path, at, host);
	r = rank_at(f, rank);
	if (r && r->line)
		return say_fail(EXIT_USAGE,
				"%s:%d: rank %d is in line %d already", f->path,
				at, rank, r->line);
	if (!r || !(r->slots = strdup(slots)))
		return say_fail(EXIT_RESOURCE, "out of memory");
	r->line = at;
	return 0;
}

int rankfile_read(struct rankfile *f, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int code = 0;

	f->path = path;
	if (!file)
		return say_fail(EXIT_USAGE, "--rankfile %s: %s", path,
				strerror(errno));
	for (int at = 1; !code && getline(&line, &size, file) >= 0; at++) {
		line[strcspn(line, "#\n")] = '\0';
		code = read_line(f, line, at);
	}
	free(line);
	fclose(file);
	for (int r = 0; r < f->n && !code; r++)
		if (!f->ranks[r].line)
			code = say_fail(EXIT_USAGE,
					"%s: rank %d is missing, and rank %d "
					"is there",
					path, r, f->n - 1);
	return code || f->n ? code
			    : say_fail(EXIT_USAGE, "%s places no rank", path);
}

void rankfile_fini(struct rankfile *f)
{
	for (int r = 0; r < f->n; r++)
		free(f->ranks[r].slots);
	free(f->ranks);
}

/* ---- Placing ------------------------------------------------------------- */

/* The usable objects that a part of a list counts. */
struct scope {
	const struct map *map;
	hwloc_obj_type_t type;
	const char *word; /* for type */
	hwloc_const_bitmap_t inside;
	const char *where; /* "file:line: slot=list" */
};

/* Returns the k-th object. If there are only *n, returns NULL. */
static hwloc_obj_t rankfile_nth(const struct scope *s, long k, int *n)
{
	hwloc_obj_t obj = NULL;

	*n = 0;
	while ((obj = hwloc_get_next_obj_by_type(s->map->topo, s->type, obj)))
		if (hwloc_bitmap_intersects(obj->cpuset, s->map->usable) &&
		    hwloc_bitmap_isincluded(obj->cpuset, s->inside) &&
		    (*n)++ == k)
			break;
	return obj;
}

/* Adds objects first..last to cpus; last < 0: all from first on. */
static int rankfile_add(const struct scope *s, long first, long last,
			hwloc_bitmap_t cpus)
{
	hwloc_obj_t obj;
	int n;

	for (long k = first; last < 0 || k <= last; k++) {
		obj = rankfile_nth(s, k, &n);
		if (!obj && last < 0)
			break;
		if (!obj)
			return say_fail(EXIT_USAGE,
					"%s: there is no %s %ld: %d %s usable, "
					"counted from 0",
					s->where, s->word, k, n,
					n == 1 ? "is" : "are");
		hwloc_bitmap_or(cpus, cpus, obj->cpuset);
	}
	return 0;
}

/* Reads a number at *text and advances beyond it. */
static int rankfile_number(const char *where, const char **text, long *k)
{
	char *end;

	if (**text < '0' || **text > '9')
		return say_fail(EXIT_USAGE,
				"%s: no number at \"%s\": LIST is like 3, 0-1 "
				"or 0:1-2",
				where, *text);
	*k = strtol(*text, &end, 10);
	*text = end;
	return 0;
}

/* Adds what "2", "0-1" or "*" at *text says, and advances beyond it. */
static int add_range(const struct scope *s, const char **text,
		     hwloc_bitmap_t cpus)
{
	long first = 0, last;
	int code;

	if (**text == '*') {
		++*text;
		return rankfile_add(s, 0, -1, cpus);
	}
	code = rankfile_number(s->where, text, &first);
	last = first;
	if (!code && **text == '-') {
		++*text;
		code = rankfile_number(s->where, text, &last);
	}
	if (!code && last < first)
		code = say_fail(EXIT_USAGE, "%s: %ld-%ld is no range", s->where,
				first, last);
	return code ? code : rankfile_add(s, first, last, cpus);
}

/* Makes s count inside of the socket that the part at *text begins with, if it
 * does. A machine without sockets is one. */
static int enter_socket(struct scope *s, const char **text)
{
	struct scope sockets = *s;
	const char *colon = *text + strcspn(*text, ":;");
	hwloc_obj_t socket;
	long k = 0;
	int code, n;

	s->inside = hwloc_topology_get_complete_cpuset(s->map->topo);
	if (*colon != ':')
		return 0;
	sockets.type = HWLOC_OBJ_PACKAGE;
	sockets.word = "socket";
	sockets.inside = s->inside;
	code = rankfile_number(s->where, text, &k);
	if (code)
		return code;
	if (**text == ':')
		++*text;
	if (hwloc_get_nbobjs_by_type(s->map->topo, HWLOC_OBJ_PACKAGE) <= 0 &&
	    !k)
		return 0;
	socket = rankfile_nth(&sockets, k, &n);
	if (!socket)
		return rankfile_add(&sockets, k, k,
				    NULL); /* it prints the error */
	s->inside = socket->cpuset;
	return 0;
}

/* Adds the CPUs of a whole list. */
static int add_list(struct scope *s, const char *text, hwloc_bitmap_t cpus)
{
	int code;

	for (;; text++) {
		code = enter_socket(s, &text) ?: add_range(s, &text, cpus);
		while (!code && *text == ',') {
			text++;
			code = add_range(s, &text, cpus);
		}
		if (code || !*text)
			return code;
		if (*text != ';')
			return say_fail(EXIT_USAGE,
					"%s: \"%s\" behind a number", s->where,
					text);
	}
}

static int rankfile_place(const struct rankfile *f, const struct map *map,
			  struct job *job, int rank)
{
	const struct options *opt = job->opt;
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	struct scope s = {.map = map, .type = HWLOC_OBJ_CORE, .word = "core"};
	char where[512];
	int code;

	if (!cpus)
		return say_fail(EXIT_RESOURCE, "out of memory");
	snprintf(where, sizeof(where), "%s:%d: slot=%s", f->path,
		 f->ranks[rank].line, f->ranks[rank].slots);
	s.where = where;
	if (opt->hwthreads || opt->bind == BIND_HWTHREAD ||
	    hwloc_get_nbobjs_by_type(map->topo, HWLOC_OBJ_CORE) <= 0) {
		s.type = HWLOC_OBJ_PU;
		s.word = "hardware thread";
	}
	code = add_list(&s, f->ranks[rank].slots, cpus)
		   ?: map_place(map, job, cpus, &job->ranks[rank]);
	hwloc_bitmap_free(cpus);
	return code;
}

int rankfile_map(const struct rankfile *f, const struct map *map,
		 struct job *job)
{
	int code = 0;

	if (f->n != job->nranks)
		return say_fail(
		    EXIT_USAGE, "%s places %d rank%s, and the job has %d",
		    f->path, f->n, f->n > 1 ? "s" : "", job->nranks);
	for (int r = 0; r < f->n && !code; r++)
		code = rankfile_place(f, map, job, r);
	return code;
}
