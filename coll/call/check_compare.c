/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_compare.c: compares the statements of ranks and describes a mismatch.
 * The rank that most ranks agree with, the lowest one in a tie, is the
 * reference. All ranks compare the same statements, so they choose the same
 * reference and report the same text.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/call/check.h"

static bool check_compare_has(const struct statement *s, uint32_t flag)
{
	return s->flags & flag;
}

static bool same_root(const struct statement *const all[], int i, int j,
		      int low)
{
	const struct statement *a = all[i], *b = all[j];
	/* a rank that takes no part knows only that the root is in its group */
	bool none = check_compare_has(a, SAYS_NO_PART),
	     neither = check_compare_has(b, SAYS_NO_PART);
	int of_a = none ? i : a->root, of_b = neither ? j : b->root;

	/* the root itself must take part */
	if ((none && !neither && of_b == i) || (neither && !none && of_a == j))
		return false;
	return none || neither ? (of_a < low) == (of_b < low) : of_a == of_b;
}

static bool same_data(const struct statement *a, const struct statement *b)
{
	return a->bytes == b->bytes &&
	       (!a->signature || !b->signature || a->signature == b->signature);
}

/* Tells whether the statements of ranks i and j match. */
static bool check_compare_matches(const struct statement *const all[], int i,
				  int j, int low)
{
	const struct statement *a = all[i], *b = all[j];

	if (strcmp(a->name, b->name) || strcmp(a->outer, b->outer))
		return false;
	if (check_compare_has(a, SAYS_ROOT) && !same_root(all, i, j, low))
		return false;
	if (check_compare_has(a, SAYS_NO_PART) ||
	    check_compare_has(b, SAYS_NO_PART))
		return true;
	if (check_compare_has(a, SAYS_DATA) && !same_data(a, b))
		return false;
	if ((i < low) == (j < low) && a->list != b->list)
		return false;
	return !strcmp(a->op, b->op) && check_compare_has(a, SAYS_IN_PLACE) ==
					    check_compare_has(b, SAYS_IN_PLACE);
}

/* Returns how many ranks agree with rank i, including itself. */
static int check_compare_count(const struct statement *const all[], int i,
			       int n, int low)
{
	int others = 0;

	for (int j = 0; j < n; j++)
		others += check_compare_matches(all, i, j, low);
	/* a rank that takes no part says too little to be the reference */
	return check_compare_has(all[i], SAYS_NO_PART) ? 0 : others;
}

/* ---- The text of a mismatch ---------------------------------------------- */

/* A buffer that text is appended to. */
struct text {
	char *at;
	size_t left;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *t,
						      const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->at, t->left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= t->left)
		n = t->left ? (int)t->left - 1 : 0;
	t->at += n;
	t->left -= (size_t)n;
}

/* Appends the ranks with a mark, as in "ranks 0-4, 6, 7 call". */
static void add_ranks(struct text *t, const char *marks, int n, char with)
{
	const char *before = "";
	int total = 0;

	for (int r = 0; r < n; r++)
		total += marks[r] == with;
	add(t, total == 1 ? "rank " : "ranks ");
	for (int r = 0; r < n; r++) {
		int end = r;

		if (marks[r] != with)
			continue;
		while (end + 1 < n && marks[end + 1] == with)
			end++;
		/* two ranks in a row are not written as a range */
		if (end == r + 1)
			end = r;
		add(t, "%s%d", before, r);
		if (end > r)
			add(t, "-%d", end);
		before = ", ";
		r = end;
	}
	add(t, total == 1 ? " calls " : " call ");
}

static void add_call(struct text *t, const struct statement *s)
{
	add(t, "%s", s->name);
	if (*s->type)
		add(t, " of %llu %s", (unsigned long long)s->count, s->type);
	if (*s->op)
		add(t, ", %s", s->op);
	if (check_compare_has(s, SAYS_NO_PART))
		add(t, ", root in the own group");
	else if (check_compare_has(s, SAYS_ROOT))
		add(t, ", root %d", s->root);
	if (s->list)
		add(t, ", counts %04x", (unsigned)(s->list & 0xffff));
	if (check_compare_has(s, SAYS_IN_PLACE))
		add(t, ", in place");
	if (*s->outer)
		add(t, " (in %s)", s->outer);
}

/* Marks rank r and the unmarked ranks after it whose statement is equal. */
static void check_compare_mark(const struct statement *const all[], char *marks,
			       int r, int n, char with)
{
	for (int j = r; j < n; j++)
		if (!marks[j] && !memcmp(all[j], all[r], sizeof(*all[j])))
			marks[j] = with;
}

/* Writes the calls of the ranks that differ, then the call of the ranks that
 * agree with the speaker, which are marked 'a'. */
static void check_compare_word(const struct statement *const all[], int speaker,
			       char *marks, int n, struct text *t)
{
	for (int r = 0; r < n; r++) {
		if (marks[r])
			continue;
		check_compare_mark(all, marks, r, n, 'd');
		add_ranks(t, marks, n, 'd');
		add_call(t, all[r]);
		add(t, "; ");
		for (int j = 0; j < n; j++)
			if (marks[j] == 'd')
				marks[j] = 'x';
	}
	add_ranks(t, marks, n, 'a');
	add_call(t, all[speaker]);
}

bool check_match(const struct statement *const all[], int n, int low,
		 char *text, size_t len)
{
	struct text t = {text, len};
	int speaker = 0, most = -1;
	char *marks;

	if (n < 2)
		return true;
	for (int r = 0; r < n; r++) {
		int others = check_compare_count(all, r, n, low);

		if (others > most) {
			most = others;
			speaker = r;
		}
		if (others == n)
			return true;
	}
	marks = calloc(1, (size_t)n);
	if (!marks) {
		add(&t, "ranks disagree");
		return false;
	}
	for (int r = 0; r < n; r++)
		if (check_compare_matches(all, speaker, r, low))
			marks[r] = 'a';
	check_compare_word(all, speaker, marks, n, &t);
	free(marks);
	return false;
}
