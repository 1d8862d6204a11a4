/* SPDX-License-Identifier: Apache-2.0 */
/* tune_write.c: writes the tuning file, which mrt-tune(1) describes. Lines of
 * an existing file for other ranks or collectives are kept. */
#include "tools/tune/tune.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char heading[] = "libmrt-tune 1";

/* Closes tmp and renames it to path if it was written without error; or else
 * removes it. */
static int tune_write_replace(FILE *f, const char *tmp, const char *path)
{
	int bad = ferror(f) != 0;

	bad |= fclose(f) != 0;
	if (!bad && !rename(tmp, path))
		return 0;
	fprintf(stderr, "mrt-tune: %s: %s\n", path, strerror(errno));
	unlink(tmp);
	return -1;
}

/* Returns the medium of the model's parameters that the times tell, or "" if
 * they tell none: times of ranks that share a CPU say nothing about messages.
 */
static const char *tune_write_medium(const struct tune *t,
				     const struct tune_times *times)
{
	const char *name = NULL;

	if (t->ranks == 2 && !strcmp(times->collective->name, "bcast"))
		name = mrt_medium(MRT_COMM_WORLD);
	return name && strcmp(name, "busy") != 0 ? name : "";
}

/* Returns whether this measurement replaces the line. */
static int is_replaced(const struct tune *t, const struct tune_times *all,
		       int n, const char *line)
{
	char name[64], word[64];
	int from, to;

	for (int i = 0; i < n; i++) {
		if (sscanf(line, "model %63s", word) == 1 &&
		    !strcmp(word, tune_write_medium(t, &all[i])))
			return 1;
		if (sscanf(line, "%63s %d %d", name, &from, &to) == 3 &&
		    from == t->ranks && to == t->ranks &&
		    !strcmp(name, all[i].collective->name))
			return 1;
	}
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

/* Writes one row for consecutive sizes with the same winner. */
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
		to = last + 1 == times->nsizes ? SIZE_MAX
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

/*
 * Returns the seconds of one message of at least `least` bytes, and its size in
 * *bytes; 0 if not measured. Between two ranks a binomial bcast is one message.
 */
static double tune_write_message(const struct tune_times *times, size_t least,
				 size_t *bytes)
{
	int way = 0;

	while (way < times->nways && strcmp(times->way[way], "binomial"))
		way++;
	for (int k = 0; way < times->nways && k < times->nsizes; k++)
		if (times->bytes[k] >= least) {
			*bytes = times->bytes[k];
			return times->least[k][way];
		}
	return 0;
}

/* Writes parameters of the model, from messages of three lengths. */
static void write_model(const char *medium, const struct tune_times *times,
			FILE *f)
{
	size_t few = 0, some = 0, many = 0;
	double latency = tune_write_message(times, 1, &few);
	double middle = tune_write_message(times, 65536, &some);
	double whole = tune_write_message(times, 1 << 20, &many);
	double byte, more;

	if (!*medium || !latency || !middle || !whole || few > 64 ||
	    some >= many)
		return;
	byte = (whole - middle) / (double)(many - some);
	more = middle - latency - byte * (double)some;
	if (byte <= 0) {
		fprintf(stderr,
			"mrt-tune: %zu bytes took no longer than %zu: no "
			"parameters of the model\n",
			many, some);
		return;
	}
	fprintf(f, "model %s latency %.4g\n", medium, latency * 1e9);
	fprintf(f, "model %s byte %.4g\n", medium, byte * 1e9);
	fprintf(f, "model %s rendezvous %.4g\n", medium,
		more > 0 ? more * 1e9 : 0);
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
			"algorithm[:argument]\n",
			heading, host);
		keep_lines(t, all, n, f);
		for (int i = 0; i < n; i++) {
			write_rows(t, &all[i], f);
			write_model(tune_write_medium(t, &all[i]), &all[i], f);
		}
		return tune_write_replace(f, tmp, t->file);
	}
	fprintf(stderr, "mrt-tune: %s: %s\n", t->file, strerror(errno));
	return -1;
}
