/* SPDX-License-Identifier: Apache-2.0 */
/* study_read.c: reads and checks a study; see study.h. */
#include "tools/scale/study.h"

#include "apps/common/app.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 10, LINE_MAX_BYTES = 1024 };

static const char *const columns[FIELDS] = {
    "test",  "way",    "chosen",  "ranks", "bytes",
    "calls", "sample", "samples", "us",	   "job"};

const char study_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-";

/* A row of a file while it is read. */
struct row {
	const char *path;
	int line;
	char text[LINE_MAX_BYTES],
	    *field[FIELDS]; /* the current line and its fields */
};

static int bad_field(const struct row *r, int k, const char *want)
{
	return scale_error(APP_DATAERR, "%s:%d: %s: '%s' is not %s", r->path,
			   r->line, columns[k], r->field[k], want);
}

static int study_read_split(struct row *r, char *line)
{
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *word; (word = strsep(&line, ",")) != NULL; n++)
		if (n < FIELDS)
			r->field[n] = word;
	if (n == FIELDS)
		return 0;
	return scale_error(APP_DATAERR, "%s:%d: %d fields, not %d", r->path,
			   r->line, n, FIELDS);
}

static int get_name(const struct row *r, int k, char name[STUDY_NAME])
{
	size_t len = strlen(r->field[k]);

	/* names become file names and words in gnuplot scripts */
	if (!len || len >= STUDY_NAME ||
	    r->field[k][strspn(r->field[k], study_letters)] != '\0')
		return bad_field(r, k, "a name");
	memcpy(name, r->field[k], len + 1);
	return 0;
}

static int get_number(const struct row *r, int k, long max, long *value)
{
	if (app_parse_long(r->field[k], k == 4 ? 0 : 1, max, value))
		return bad_field(r, k, "a number that may be here");
	return 0;
}

/* Reads from the first row what all rows of a point have in common. */
static int get_point(const struct row *r, struct point *p)
{
	long ranks, bytes, calls, samples;
	int code = get_name(r, 0, p->test);

	code = code ? code : get_name(r, 1, p->way);
	code = code ? code : get_name(r, 2, p->chosen);
	code = code ? code : get_number(r, 3, INT_MAX, &ranks);
	code = code ? code : get_number(r, 4, LONG_MAX, &bytes);
	code = code ? code : get_number(r, 5, LONG_MAX, &calls);
	code = code ? code : get_number(r, 7, STUDY_SAMPLES_MAX, &samples);
	code = code ? code : get_name(r, 9, p->job);
	if (code)
		return code;
	p->ranks = (int)ranks;
	p->bytes = (size_t)bytes;
	p->calls = calls;
	p->us = scale_alloc((size_t)samples, sizeof(*p->us));
	p->n = (int)samples;
	return 0;
}

static int get_sample(const struct row *r, struct point *p)
{
	long number;

	if (get_number(r, 6, p->n, &number))
		return APP_DATAERR;
	if (number != r->line)
		return bad_field(r, 6, "the number of its line");
	if (app_parse_double(r->field[8], 0, 1e15, &p->us[r->line - 1]))
		return bad_field(r, 8, "a time");
	return 0;
}

/* Returns whether a row is of the same point as the first. */
static int study_read_same(const struct row *r, char first[FIELDS][STUDY_NAME])
{
	for (int k = 0; k < FIELDS; k++)
		if (k != 6 && k != 8 &&
		    strncmp(first[k], r->field[k], STUDY_NAME - 1))
			return bad_field(r, k, "what the first line says");
	return 0;
}

static int read_rows(FILE *f, struct row *r, struct point *p)
{
	char *line = r->text, first[FIELDS][STUDY_NAME];
	int code = 0;

	while (!code && fgets(line, sizeof(r->text), f)) {
		r->line++;
		if (!strchr(line, '\n'))
			return scale_error(APP_DATAERR,
					   "%s:%d: the line does not end",
					   r->path, r->line);
		code = study_read_split(r, line);
		if (code)
			return code;
		if (r->line == 1) {
			code = get_point(r, p);
			for (int k = 0; k < FIELDS; k++)
				snprintf(first[k], STUDY_NAME, "%s",
					 r->field[k]);
		}
		code = code ? code : study_read_same(r, first);
		code = code ? code : get_sample(r, p);
	}
	if (!code && ferror(f))
		return scale_error(APP_NOINPUT, "%s: %s", r->path,
				   strerror(errno));
	if (!code && (!r->line || r->line != p->n))
		return scale_error(APP_DATAERR,
				   "%s:%d: ends after %d of %d samples",
				   r->path, r->line, r->line, p->n);
	return code;
}

static int read_point(const char *folder, const char *name, struct point *p)
{
	char path[STUDY_PATH], want[4 * STUDY_NAME];
	struct row row = {.path = path};
	FILE *f;
	int code;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "re");
	if (!f)
		return scale_error(APP_NOINPUT, "%s: %s", path,
				   strerror(errno));
	code = read_rows(f, &row, p);
	fclose(f);
	if (code)
		return code;
	snprintf(want, sizeof(want), "%s,%s,%d,%zu.csv", p->test, p->way,
		 p->ranks, p->bytes);
	if (strcmp(name, want))
		return scale_error(APP_DATAERR,
				   "%s:1: the file of this point is %s", path,
				   want);
	quantile_sort(p->us, p->n);
	return 0;
}

static int by_point(const void *a, const void *b)
{
	const struct point *p = a, *q = b;
	int order = strcmp(p->test, q->test);

	order = order ? order : p->ranks - q->ranks;
	order = order ? order : strcmp(p->way, q->way);
	return order ? order : (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

const struct point *study_find(const struct study *s, const struct point *p)
{
	return s->n ? bsearch(p, s->points, (size_t)s->n, sizeof(*p), by_point)
		    : NULL;
}

int study_same_choice(const struct point *p, const struct point *q)
{
	return strcmp(p->way, "default") != 0 || !strcmp(p->chosen, q->chosen);
}

static int is_point(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 4 && !strcmp(e->d_name + len - 4, ".csv");
}

static int read_points(struct study *s)
{
	char folder[STUDY_FOLDER + 16];
	struct dirent **names;
	int n, code = 0;

	snprintf(folder, sizeof(folder), "%s/points", s->path);
	n = scandir(folder, &names, is_point, NULL);
	if (n < 0)
		return scale_error(APP_NOINPUT, "%s: %s", folder,
				   strerror(errno));
	s->points = scale_alloc((size_t)n, sizeof(*s->points));
	for (int i = 0; i < n; i++) {
		if (!code)
			code = read_point(folder, names[i]->d_name,
					  &s->points[s->n++]);
		free(names[i]);
	}
	free(names);
	qsort(s->points, (size_t)s->n, sizeof(*s->points), by_point);
	return code;
}

static int read_heading(struct study *s)
{
	char path[STUDY_PATH];
	const char *format = NULL;
	json_error_t error;
	json_t *root;
	int version, bad;

	snprintf(path, sizeof(path), "%s/study.json", s->path);
	root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!root && error.line < 0)
		return scale_error(APP_NOINPUT, "%s is no study: %s", s->path,
				   error.text);
	if (!root)
		return scale_error(APP_DATAERR, "%s:%d:%d: %s", path,
				   error.line, error.column, error.text);
	bad = json_unpack_ex(root, &error, 0, "{s:s, s:i, s:b}", "format",
			     &format, "version", &version, "simulated",
			     &s->simulated);
	if (bad)
		scale_error(0, "%s: %s", path, error.text);
	else if ((bad = strcmp(format, "libmrt-study") != 0))
		scale_error(0, "%s: format: '%s' is not 'libmrt-study'", path,
			    format);
	else if ((bad = version != 1))
		scale_error(0, "%s: version: %d is not 1", path, version);
	json_decref(root);
	return bad ? APP_DATAERR : 0;
}

int study_load(struct study *s, const char *path)
{
	int code;

	memset(s, 0, sizeof(*s));
	if (snprintf(s->path, STUDY_FOLDER, "%s", path) >= STUDY_FOLDER)
		return scale_error(APP_NOINPUT, "%s: %s", path,
				   strerror(ENAMETOOLONG));
	code = read_heading(s);
	code = code ? code : read_points(s);
	if (code)
		study_fini(s);
	return code;
}

void study_fini(struct study *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->points[i].us);
	free(s->points);
	s->points = NULL;
	s->n = 0;
}
