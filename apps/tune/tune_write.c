/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_write.c: the tuning file (mrt-tune(1) describes it). Lines of an
 * existing one for other ranks or collectives stay.
 */
#include "apps/tune/tune.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char heading[] = "libmrt-tune 1";

int tune_replace(FILE *f, const char *tmp, const char *path)
{
	int bad = ferror(f) != 0;

	bad |= fclose(f) != 0;
	if (!bad && !rename(tmp, path))
		return 0;
	fprintf(stderr, "mrt-tune: %s: %s\n", path, strerror(errno));
	unlink(tmp);
	return -1;
}

/* Does this line hold what was measured now? */
static int is_replaced(const struct tune *t, const struct tune_times *all,
		       int n, const char *line)
{
	char name[64];
	int from, to;

	if (sscanf(line, "%63s %d %d", name, &from, &to) != 3 ||
	    from != t->ranks || to != t->ranks)
		return 0;
	for (int i = 0; i < n; i++)
		if (!strcmp(name, all[i].collective->name))
			return 1;
	return 0;
}

/* Copies the other lines of an existing file. */
static void keep_lines(const struct tune *t, const struct tune_times *all,
		       int n, FILE *to)
{
	FILE *f = fopen(t->file, "re");
	char *line = NULL;
	size_t room = 0;

	if (f && getline(&line, &room, f) > 0 &&
	    !strncmp(line, heading, strlen(heading)))
		while (getline(&line, &room, f) > 0)
			if (*line != '#' && !is_replaced(t, all, n, line))
				fputs(line, to);
	free(line);
	if (f)
		fclose(f);
}

static void print_bound(FILE *f, size_t bytes)
{
	if (bytes == SIZE_MAX)
		fprintf(f, " %10s", "max");
	else
		fprintf(f, " %10zu", bytes);
}

/* Sizes of the same winner make one row, up to the next size. */
static void write_rows(const struct tune *t, const struct tune_times *times,
		       FILE *f)
{
	size_t from = 0, to;
	int k = 0;

	while (k < times->nsizes) {
		int winner = tune_winner(t, times, k), last = k;

		while (last + 1 < times->nsizes &&
		       tune_winner(t, times, last + 1) == winner)
			last++;
		to = last + 1 == times->nsizes
			 ? SIZE_MAX
			 : times->bytes[last + 1] - 1;
		fprintf(f, "%-20s %6d %6d", times->collective->name, t->ranks,
			t->ranks);
		print_bound(f, from);
		print_bound(f, to);
		fprintf(f, " %s\n", times->way[winner]);
		from = to + 1;
		k = last + 1;
	}
}

int tune_write(const struct tune *t, const struct tune_times *all, int n)
{
	char tmp[4096], host[MRT_PROCESSOR_NAME_MAX];
	FILE *f;

	if (snprintf(tmp, sizeof(tmp), "%s.tmp", t->file) >= (int)sizeof(tmp))
		errno = ENAMETOOLONG;
	else if ((f = fopen(tmp, "we")) != NULL) {
		mrt_processor_name(host, sizeof(host));
		fprintf(f,
			"%s\n# by mrt-tune on %s; MRT_TUNE_FILE reads it\n"
			"# collective, ranks from, to, bytes from, to, "
			"algorithm[:argument]\n", heading, host);
		keep_lines(t, all, n, f);
		for (int i = 0; i < n; i++)
			write_rows(t, &all[i], f);
		return tune_replace(f, tmp, t->file);
	}
	fprintf(stderr, "mrt-tune: %s: %s\n", t->file, strerror(errno));
	return -1;
}
