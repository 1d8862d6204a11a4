/* SPDX-License-Identifier: Apache-2.0 */
/* mm.c: reads Matrix Market files (see mm.h). The whole file is read into
 * memory and scanned once. */
#include "apps/kernels/mm.h"

#include "apps/common/app.h"
#include "apps/kernels/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct reader {
	const char *path;
	char *text; /* [length + 1], NUL-terminated */
	size_t length;
	const char *p; /* start of the current line */
	long line;
	int pattern;   /* entries have no values: all are 1 */
	int symmetric; /* only one triangle is stored */
	int n;
	size_t entries;
	struct triplet *t;
};

static int mm_fail(const struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int mm_fail(const struct reader *r, const char *format, ...)
{
	char what[160];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	/* a single write, so that no other output comes between */
	fprintf(stderr, "%s:%ld: %s\n", r->path, r->line, what);
	return APP_DATAERR;
}

static int fail_errno(const struct reader *r)
{
	fprintf(stderr, "%s: %s\n", r->path, strerror(errno));
	return APP_NOINPUT;
}

/* Reads until the end, not by size: the file may be a pipe. */
static int slurp_fd(struct reader *r, int fd)
{
	size_t room = 1 << 20;
	ssize_t got = 1;

	while (got > 0) {
		if (!r->text || r->length + 1 >= room) {
			char *more = realloc(r->text, room *= 2);

			if (!more)
				return fail_errno(r), APP_RESOURCE;
			r->text = more;
		}
		got = read(fd, r->text + r->length, room - r->length - 1);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0)
			return fail_errno(r);
		else
			r->length += (size_t)got;
	}
	r->text[r->length] = '\0';
	return 0;
}

/* Refuses NUL bytes, which would end the text early. */
static int check_text(struct reader *r)
{
	const char *nul = memchr(r->text, '\0', r->length);

	if (!nul)
		return 0;
	for (const char *p = r->text; p < nul; p++)
		r->line += *p == '\n';
	return mm_fail(r, "unexpected NUL byte: not a text file");
}

static int mm_slurp(struct reader *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC);
	int code;

	if (fd < 0)
		return fail_errno(r);
	code = slurp_fd(r, fd);
	close(fd);
	r->p = r->text;
	r->line = 1;
	return code ? code : check_text(r);
}

static void next_line(struct reader *r)
{
	r->p = scan_next_line(r->p);
	r->line++;
}

static int at_end(const struct reader *r)
{
	return r->p >= r->text + r->length;
}

/* Skips comments and empty lines. */
static void skip_comments(struct reader *r)
{
	while (!at_end(r) && (*r->p == '%' || scan_at_line_end(r->p)))
		next_line(r);
}

/* Parses the four words after %%MatrixMarket, ignoring case. */
static int read_banner(struct reader *r)
{
	char object[16], format[16], field[16], symmetry[20];
	int words;

	if (r->length == 0)
		return mm_fail(r, "the file is empty");
	words = sscanf(r->p, "%%%%MatrixMarket %15s %15s %15s %19s", object,
		       format, field, symmetry);
	if (words != 4)
		return mm_fail(r,
			       "expected \"%%%%MatrixMarket matrix coordinate"
			       " FIELD SYMMETRY\"");
	if (strcasecmp(object, "matrix") || strcasecmp(format, "coordinate"))
		return mm_fail(r,
			       "%s %s is not supported, only matrix "
			       "coordinate",
			       object, format);
	r->pattern = !strcasecmp(field, "pattern");
	if (!r->pattern && strcasecmp(field, "real") &&
	    strcasecmp(field, "integer"))
		return mm_fail(r,
			       "field %s is not supported, only real, "
			       "integer and pattern",
			       field);
	r->symmetric = !strcasecmp(symmetry, "symmetric");
	if (!r->symmetric && strcasecmp(symmetry, "general"))
		return mm_fail(r,
			       "symmetry %s is not supported, only general "
			       "and symmetric",
			       symmetry);
	next_line(r);
	return 0;
}

static int read_sizes(struct reader *r)
{
	int64_t rows, cols, entries;
	const char *p;

	skip_comments(r);
	p = r->p;
	if (scan_int(&p, &rows) || scan_int(&p, &cols) ||
	    scan_int(&p, &entries) || !scan_at_line_end(p))
		return mm_fail(r, "expected the numbers of rows, columns and "
				  "entries");
	if (rows != cols)
		return mm_fail(r, "the matrix is %lld x %lld, not square",
			       (long long)rows, (long long)cols);
	if (rows < 1 || rows >= INT_MAX)
		return mm_fail(r, "%lld rows are not in 1..%d", (long long)rows,
			       INT_MAX - 1);
	if (entries < 0 || entries / rows > rows)
		return mm_fail(r, "%lld entries do not fit in %lld x %lld",
			       (long long)entries, (long long)rows,
			       (long long)cols);
	r->n = (int)rows;
	r->entries = (size_t)entries;
	next_line(r);
	return 0;
}

static int read_entry(struct reader *r, struct triplet *e)
{
	const char *p = r->p;
	int64_t row, col;

	if (scan_int(&p, &row) || scan_int(&p, &col))
		return mm_fail(r, "expected a row and a column number");
	if (row < 1 || row > r->n)
		return mm_fail(r, "row %lld is not in 1..%d", (long long)row,
			       r->n);
	if (col < 1 || col > r->n)
		return mm_fail(r, "column %lld is not in 1..%d", (long long)col,
			       r->n);
	e->row = (int)row - 1;
	e->col = (int)col - 1;
	e->val = 1;
	if (!r->pattern && scan_at_line_end(p))
		return mm_fail(r, "the value is missing");
	if (!r->pattern && scan_double(&p, &e->val))
		return mm_fail(r, "the value is not a finite number");
	if (!scan_at_line_end(p))
		return mm_fail(r, "unexpected text after the entry");
	return 0;
}

static int read_entries(struct reader *r)
{
	/* the header may lie: an entry has at least 4 bytes */
	size_t room = r->length / 4 + 1;
	int code;

	r->t = app_alloc(r->entries < room ? r->entries : room, sizeof(*r->t));
	for (size_t k = 0; k < r->entries; k++) {
		skip_comments(r);
		if (at_end(r) || k >= room)
			return mm_fail(r,
				       "the file ends after %zu of %zu "
				       "entries",
				       k, r->entries);
		code = read_entry(r, &r->t[k]);
		if (code)
			return code;
		next_line(r);
	}
	skip_comments(r);
	if (!at_end(r))
		return mm_fail(r, "more than the %zu entries announced",
			       r->entries);
	return 0;
}

/* Makes entry k's line the current one, for messages. */
static void seek_entry(struct reader *r, size_t k)
{
	r->p = r->text;
	r->line = 1;
	skip_comments(r);
	next_line(r);
	skip_comments(r);
	for (size_t i = 0; i < k; i++) {
		next_line(r);
		skip_comments(r);
	}
}

static int mm_build(struct reader *r, struct csr *a)
{
	size_t bad =
	    csr_from_triplets(a, r->n, r->n, r->t, r->entries, r->symmetric);

	if (bad == r->entries)
		return 0;
	seek_entry(r, bad);
	return mm_fail(r, "entry %d %d is there twice%s", r->t[bad].row + 1,
		       r->t[bad].col + 1,
		       r->symmetric ? " (symmetric: store one triangle)" : "");
}

int mm_read(const char *path, struct csr *a)
{
	struct reader r = {.path = path};
	int code = mm_slurp(&r);

	if (!code)
		code = read_banner(&r);
	if (!code)
		code = read_sizes(&r);
	if (!code)
		code = read_entries(&r);
	if (!code)
		code = mm_build(&r, a);
	free(r.t);
	free(r.text);
	return code;
}
