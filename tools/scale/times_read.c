/* SPDX-License-Identifier: Apache-2.0 */
/* times_read.c: reads tables of times (see times.h). */
#include "tools/scale/times.h"

#include "apps/common/app.h"
#include "tools/scale/scale.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE = 512, FIELDS = 7 };
static const char heading[] =
    "system,nodes,ranks_per_node,collective,algorithm,bytes,us";

int times_topology(struct sim_topology *topology)
{
	char why[256];

	if (sim_topology_parse(optarg, topology, why, sizeof(why)))
		return 0;
	return scale_error(-1, "%s", why);
}

int times_option(int option, struct times_run *run)
{
	long n;

	switch (option) {
	case 'T':
		return times_topology(&run->topology);
	case 's':
		run->system = optarg;
		return 0;
	case 'a':
		run->algorithm = optarg;
		return 0;
	default:
		if (app_parse_long(optarg, 1, 1 << 24, &n))
			return -1;
		*(option == 'N'	  ? &run->nodes
		  : option == 'P' ? &run->ppn
				  : &run->cpus) = (int)n;
		return 0;
	}
}

bool times_is_table(const char *path)
{
	struct stat file;

	return !stat(path, &file) && !S_ISDIR(file.st_mode);
}

struct times_row *times_add(struct times *t)
{
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 256;
		t->rows =
		    scale_grow(t->rows, (size_t)t->room, sizeof(*t->rows));
	}
	t->rows[t->n] = (struct times_row){.predicted = NAN};
	return &t->rows[t->n++];
}

void times_fini(struct times *t)
{
	free(t->rows);
	*t = (struct times){0};
}

int times_wrong(const char *path, int line, const char *what)
{
	return scale_error(APP_DATAERR, "%s:%d: %s", path, line, what);
}

/* Splits a line at commas. Returns how many fields it has. */
static int times_read_split(char *line, char *field[FIELDS])
{
	int n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (line && n < FIELDS)
		field[n++] = strsep(&line, ",");
	return line ? FIELDS + 1 : n;
}

/* Reads a row into *r. Returns the field that is wrong, or NULL. */
static const char *times_read_parse(char *field[FIELDS], struct times_row *r)
{
	long nodes, ppn;

	snprintf(r->system, sizeof(r->system), "%s", field[0]);
	snprintf(r->algorithm, sizeof(r->algorithm), "%s", field[4]);
	if (app_parse_long(field[1], 1, 1 << 24, &nodes))
		return "nodes";
	if (app_parse_long(field[2], 1, 1 << 24, &ppn))
		return "ranks_per_node";
	if (times_collective(field[3], &r->collective))
		return "collective: no such collective";
	if (app_parse_size(field[5], &r->bytes))
		return "bytes";
	if (app_parse_double(field[6], 0, 1e12, &r->us) || r->us <= 0)
		return "us";
	r->nodes = (int)nodes;
	r->ppn = (int)ppn;
	return NULL;
}

static int read_row(struct times *t, char *line, const char *path, int number,
		    const struct times_run *run)
{
	struct times_row *r, row = {.element = 4, .predicted = NAN};
	char *field[FIELDS];
	const char *bad;

	if (times_read_split(line, field) != FIELDS)
		return times_wrong(path, number, "want seven fields");
	row.cpus = run->cpus;
	bad = times_read_parse(field, &row);
	if (bad)
		return times_wrong(path, number, bad);
	if (run->system && strcmp(run->system, row.system) != 0)
		return 0;
	if (!times_algorithm(&row)) {
		t->unknown++;
	} else if (!times_has_elements(&row)) {
		t->empty++;
	} else {
		r = times_add(t);
		*r = row;
	}
	return 0;
}

static int read_csv(struct times *t, FILE *f, const char *path, int number,
		    const struct times_run *run)
{
	char line[LINE];
	int code = 0;

	while (!code && fgets(line, sizeof(line), f)) {
		number++;
		if (!strchr("#\r\n", *line))
			code = read_row(t, line, path, number, run);
	}
	return code;
}

int times_read(struct times *t, const char *path, const struct times_run *run)
{
	FILE *f = fopen(path, "re");
	char line[LINE] = "";
	int code, number = 0;

	if (!f)
		return scale_error(APP_NOINPUT, "%s: %s", path,
				   strerror(errno));
	do
		number++;
	while (fgets(line, sizeof(line), f) && strchr("#\r\n", *line) &&
	       strncmp(line, "# OSU", 5) != 0);
	line[strcspn(line, "\r\n")] = '\0';
	if (!strncmp(line, "# OSU", 5))
		code = times_read_osu(t, f, path, line, run);
	else if (!strcmp(line, heading))
		code = read_csv(t, f, path, number, run);
	else
		code = times_wrong(path, number,
				   "want a table of OSU, or a line of names: "
				   "system,nodes,ranks_per_node,collective,"
				   "algorithm,bytes,us");
	fclose(f);
	return code;
}
