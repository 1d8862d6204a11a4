/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_damage.c: `scale_damage SEED FILE` damages a file in one of many ways,
 * which depends on the seed alone, and says how in one line.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

static char text[MOST + 64];
static size_t n;
static uint64_t state;

/* Returns the next number of a splitmix64 sequence below limit. */
static size_t below(size_t limit)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return limit ? (size_t)((z ^ z >> 31) % limit) : 0;
}

/* Replaces the `old` bytes at `at` by `with`. */
static void replace(size_t at, size_t old, const char *with)
{
	size_t len = strlen(with);

	if (n - old + len > MOST)
		return;
	memmove(text + at + len, text + at + old, n - at - old);
	for (size_t k = 0; k < len; k++)
		text[at + k] = with[k];
	n = n - old + len;
}

/* Finds the bytes around `at` up to one of `ends`, which is excluded. */
static size_t around(size_t at, const char *ends, size_t *from)
{
	size_t to = at;

	*from = at;
	while (*from > 0 && !strchr(ends, text[*from - 1]))
		--*from;
	while (to < n && !strchr(ends, text[to]))
		to++;
	return to - *from;
}

static void swap_fields(size_t at, size_t other)
{
	char a[256], b[256];
	size_t from[2], len[2];

	len[0] = around(at < other ? at : other, ",:\n", &from[0]);
	len[1] = around(at < other ? other : at, ",:\n", &from[1]);
	if (from[0] == from[1] || len[0] >= sizeof(a) || len[1] >= sizeof(b))
		return;
	snprintf(a, sizeof(a), "%.*s", (int)len[0], text + from[0]);
	snprintf(b, sizeof(b), "%.*s", (int)len[1], text + from[1]);
	replace(from[1], len[1], a);
	replace(from[0], len[0], b);
}

/* Replaces the next number by another number, or by no number. */
static void renumber(size_t at)
{
	/* clang-format off */
	static const char *const values[] = {
	    "0", "-1", "1e999", "99999999999999999999", "9223372036854775807",
	    "2147483648", "1e300", "nan", "inf", "0x10", "", "1.5", "1e-320",
	    "null", "true", "[]", "{}", "\"\"", "100000", "-0"};
	size_t from, len;

	for (size_t k = 0; k < n && !(text[at] >= '0' && text[at] <= '9'); k++)
		at = (at + 1) % n;
	len = around(at, " ,:\n[]{}\"", &from);
	replace(from, len, values[below(sizeof(values) / sizeof(values[0]))]);
}

/* Drops the line at `at`, or doubles it. */
static void drop_line(size_t at, int twice)
{
	static char line[MOST];
	size_t from, len = around(at, "\n", &from);

	len += from + len < n;
	if (twice) {
		snprintf(line, sizeof(line), "%.*s", (int)len, text + from);
		replace(from, 0, line);
	} else {
		/* clang-format on */
		replace(from, len, "");
	}
}

static const char *damage(const char *file)
{
	size_t at = below(n), kind = below(14);

	switch (n ? kind : 0) {
	case 0:
		unlink(file);
		return mkdir(file, 0777) ? NULL : "a folder in its place";
	case 1:
		unlink(file);
		return symlink(file, file) ? NULL : "a link to itself";
	case 2:
		unlink(file);
		return "removed";
	case 3:
		n = 0;
		return "empty";
	case 4:
		n = at;
		return "cut off";
	case 5:
		text[at] = (char)(text[at] ^ 1 << below(8));
		return "a bit";
	case 6:
		text[at] = (char)below(256);
		return "a byte";
	case 7:
		replace(at, 1, "");
		return "a byte less";
	case 8:
		drop_line(at, 0);
		return "a line less";
	case 9:
		drop_line(at, 1);
		return "a line twice";
	case 10:
		swap_fields(at, below(n));
		return "fields swapped";
	case 11:
		memset(text + at, (int)below(256), below(n - at));
		return "a block";
	default:
		renumber(at);
		return "another number";
	}
}

int main(int argc, char **argv)
{
	const char *what;
	struct stat st;
	FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;

	if (!f)
		return 64;
	state = strtoull(argv[1], NULL, 10);
	n = fread(text, 1, MOST, f);
	fclose(f);
	what = damage(argv[2]);
	if (!what)
		return 1;
	puts(what);
	if (lstat(argv[2], &st) || !S_ISREG(st.st_mode))
		return 0;
	f = fopen(argv[2], "w");
	return !f || fwrite(text, 1, n, f) != n || fclose(f);
}
