/* SPDX-License-Identifier: Apache-2.0 */
/* tune_file.c: reads MRT_TUNE_FILE line by line. */
#include "coll/plan/tune_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/model.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

static const char heading[] = "libmrt-tune 1";

enum { FIELDS = 6 };

struct row {
	enum collective collective;
	size_t ranks_min, ranks_max, bytes_min, bytes_max;
	struct choice choice; /* algorithm NULL: default */
};

static struct {
	struct row *rows;
	size_t n, capacity;
	uint64_t checksum;
} file;

/* A file being read. */
struct reader {
	const char *path;
	int line;
	char text[512];		 /* the current line */
	char *field[FIELDS + 1]; /* one more, to detect too many */
	int nfields;
};

uint64_t checksum_add(uint64_t sum, const char *text)
{
	sum = sum ? sum : 0xcbf29ce484222325ull;
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3ull;
	/* the end counts, so that "a", "b" and "ab", "" differ */
	return (sum ^ 0xff) * 0x100000001b3ull;
}

/* ---- Lines -------------------------------------------------------------- */

static __attribute__((format(printf, 3, 4))) int
bad(const struct reader *r, int field, const char *format, ...)
{
	char what[900];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (field >= r->nfields)
		return log_error(MRT_ERR_ENV, "MRT_TUNE_FILE: %s:%d: %s",
				 r->path, r->line, what);
	return log_error(MRT_ERR_ENV, "MRT_TUNE_FILE: %s:%d: %s: %s", r->path,
			 r->line, r->field[field], what);
}

/* Parses ranks or bytes of at least `least`; "max" means no limit. */
static int parse_bound(const struct reader *r, int field, size_t least,
		       size_t *value)
{
	if (!strcmp(r->field[field], "max"))
		*value = SIZE_MAX;
	else if (!env_parse_bytes(r->field[field], value))
		return bad(r, field, "not a number, nor max");
	if (*value < least)
		return bad(r, field, "less than %zu", least);
	return 0;
}

static int parse_collective(const struct reader *r, enum collective *collective)
{
	for (int c = 0; c < COLLECTIVES; c++)
		if (!strcmp(r->field[0], coll_tables[c].name)) {
			*collective = c;
			return 0;
		}
	return bad(r, 0, "no collective, nor \"model\"");
}

static int parse_choice(const struct reader *r, struct row *row)
{
	char why[768];

	if (!strcmp(r->field[5], "default"))
		return 0;
	if (select_parse(row->collective, r->field[5], &row->choice, why,
			 sizeof(why)))
		return 0;
	return bad(r, 5, "%s", why);
}

static int tune_file_keep(const struct row *row)
{
	if (file.n == file.capacity) {
		size_t capacity = file.capacity ? 2 * file.capacity : 64;
		struct row *rows = realloc(file.rows, capacity * sizeof(*rows));

		if (!rows)
			return log_error(MRT_ERR_NO_MEM, "MRT_TUNE_FILE");
		file.rows = rows;
		file.capacity = capacity;
	}
	file.rows[file.n++] = *row;
	return 0;
}

/* COLLECTIVE RANKS_MIN RANKS_MAX BYTES_MIN BYTES_MAX ALGORITHM[:ARG] */
static int parse_row(const struct reader *r)
{
	struct row row = {.choice = {NULL, 0}};
	int rc = parse_collective(r, &row.collective);

	if (!rc && r->nfields != 6)
		rc = bad(r, 0, "%d fields, not 6", r->nfields);
	if (rc || (rc = parse_bound(r, 1, 1, &row.ranks_min)) ||
	    (rc = parse_bound(r, 2, row.ranks_min, &row.ranks_max)) ||
	    (rc = parse_bound(r, 3, 0, &row.bytes_min)) ||
	    (rc = parse_bound(r, 4, row.bytes_min, &row.bytes_max)) ||
	    (rc = parse_choice(r, &row)))
		return rc;
	return tune_file_keep(&row);
}

/* model MEDIUM PARAMETER NANOSECONDS */
static int parse_parameter(const struct reader *r)
{
	double *parameter, value;
	char *end;
	int medium = 0;

	if (r->nfields != 4)
		return bad(r, 0, "%d fields, not 4", r->nfields);
	while (medium < MEDIA && strcmp(medium_names[medium], r->field[1]))
		medium++;
	if (medium == MEDIA)
		return bad(r, 1, "no medium: use one of sm, busy, net, soft");
	parameter = model_parameter(medium, r->field[2]);
	if (!parameter)
		return bad(r, 2,
			   "no parameter: use one of latency, byte, reduced, "
			   "atomic, overhead, copied, rendezvous, memory, "
			   "connect, connected");
	value = strtod(r->field[3], &end);
	if (*end || !(value >= 0 && value <= 1e12))
		return bad(r, 3, "not 0..1e12 nanoseconds");
	*parameter = value;
	return 0;
}

/* Splits the line at blanks. Returns the number of fields. */
static int tune_file_split(struct reader *r, char *line)
{
	char *word, *rest = line;

	r->nfields = 0;
	while (r->nfields <= FIELDS && (word = strsep(&rest, " \t\r\n")))
		if (*word)
			r->field[r->nfields++] = word;
	return r->nfields;
}

static int parse_line(struct reader *r, char *line)
{
	line[strcspn(line, "#\r\n")] = '\0';
	if (!tune_file_split(r, line))
		return 0;
	return strcmp(r->field[0], "model") ? parse_row(r) : parse_parameter(r);
}

/* ---- The file ----------------------------------------------------------- */

static int tune_file_parse(FILE *f, struct reader *r)
{
	char *line = r->text;
	int rc = 0;

	while (!rc && fgets(line, sizeof(r->text), f)) {
		r->line++;
		file.checksum = checksum_add(file.checksum, line);
		r->nfields = 0;
		if (!strchr(line, '\n') && !feof(f))
			rc = bad(r, 0, "longer than %zu characters",
				 sizeof(r->text) - 2);
		else if (r->line == 1 &&
			 (strncmp(line, heading, strlen(heading)) ||
			  line[strlen(heading)] != '\n'))
			rc = bad(r, 0, "does not begin with \"%s\"", heading);
		else if (r->line > 1)
			rc = parse_line(r, line);
	}
	if (!rc && !r->line)
		rc = bad(r, 0, "is empty");
	return rc;
}

static void tune_file_forget(void)
{
	free(file.rows);
	memset(&file, 0, sizeof(file));
}

int tune_read(const char *path)
{
	struct reader r = {.path = path};
	FILE *f;
	int rc;

	tune_file_forget();
	if (!*path)
		return 0;
	f = fopen(path, "re");
	if (!f)
		return log_error(MRT_ERR_ENV, "MRT_TUNE_FILE=%s: %s", path,
				 strerror(errno));
	errno = 0;
	rc = tune_file_parse(f, &r);
	if (ferror(f))
		rc = log_error(MRT_ERR_ENV, "MRT_TUNE_FILE=%s: %s", path,
			       strerror(errno));
	fclose(f);
	if (rc)
		tune_file_forget();
	return rc;
}

/* ---- What it says ------------------------------------------------------- */

static bool is_for(const struct row *row, enum collective collective, int ranks)
{
	return row->collective == collective &&
	       row->ranks_min <= (size_t)ranks &&
	       (size_t)ranks <= row->ranks_max;
}

bool tune_find(enum collective collective, const struct shape *shape,
	       size_t bytes, struct choice *choice)
{
	for (size_t i = 0; i < file.n; i++) {
		const struct row *row = &file.rows[i];

		if (!is_for(row, collective, shape->size) ||
		    bytes < row->bytes_min || bytes > row->bytes_max)
			continue;
		if (!row->choice.algorithm)
			return false;
		if (!select_choice_fits(&row->choice, shape))
			continue;
		*choice = row->choice;
		return true;
	}
	return false;
}

static bool is_free(enum collective collective, int ranks, int size_class)
{
	size_t low = size_class ? (size_t)1 << (size_class - 1) : 0;
	size_t high = size_class ? low + (low - 1) : 0;

	if (size_class == SIZE_CLASSES - 1)
		high = SIZE_MAX;
	for (size_t i = 0; i < file.n; i++) {
		const struct row *row = &file.rows[i];

		if (!is_for(row, collective, ranks) || row->bytes_max < low ||
		    row->bytes_min > high)
			continue;
		if (row->choice.algorithm)
			return false;
		if (row->bytes_min <= low && row->bytes_max >= high)
			return true;
	}
	return true;
}

uint64_t tune_free_sizes(enum collective collective, int ranks)
{
	uint64_t classes = 0;

	for (int k = 0; k < SIZE_CLASSES; k++)
		if (is_free(collective, ranks, k))
			classes |= 1ull << k;
	return classes;
}

bool tune_any(enum collective collective, tune_test *test)
{
	for (size_t i = 0; i < file.n; i++)
		if (file.rows[i].collective == collective &&
		    test(collective, &file.rows[i].choice))
			return true;
	return false;
}

uint64_t tune_checksum(void)
{
	return file.checksum;
}
