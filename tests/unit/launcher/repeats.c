/* SPDX-License-Identifier: Apache-2.0 */
/* repeats.c: tests launcher/repeats.c with lines of ranks, and what is told in
 * their place. */
#include "launcher/repeats.h"

#include "tests/tap.h"

enum { RANKS = 64 };

static struct repeats r;
static char told[4096];

static void keep(void *arg, const char *line, size_t len)
{
	(void)arg;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%.*s",
		 (int)len, line);
}

static void again(void)
{
	repeats_fini(&r);
	repeats_init(&r, RANKS, keep, NULL);
	told[0] = '\0';
}

/* A rank prints a line; returns whether it is held back. */
static bool says(int rank, const char *text)
{
	char line[2048];
	int n = snprintf(line, sizeof(line), "libmrt[%d/64 node7 %d] %s\n",
			 rank, 4711 + rank, text);

	return repeats_hold(&r, rank, line, (size_t)n);
}

static bool prints(int rank, const char *line)
{
	return repeats_hold(&r, rank, line, strlen(line));
}

static int all_say(int from, int to, const char *text)
{
	int held = 0;

	for (int rank = from; rank < to; rank++)
		held += says(rank, text);
	return held;
}

static void test_counts(void)
{
	again();
	is_int(all_say(0, RANKS, "warning: X"), RANKS - 1,
	       "the first is shown");
	is_str(told, "", "nothing is told at once");
	ok(repeats_timeout_ms(&r) >= 0, "there is something to wait for");
	repeats_tell(&r);
	is_str(told, "mrun: the same from 63 more ranks (1-63): warning: X\n",
	       "the count is told");
	is_int(repeats_timeout_ms(&r), -1, "there is nothing to wait for");
	repeats_tell(&r);
	ok(strchr(told, '\n')[1] == '\0', "it is told once");

	again();
	all_say(5, 6, "warning: X");
	all_say(9, 12, "warning: X");
	says(3, "warning: X");
	repeats_tell(&r);
	is_str(told, "mrun: the same from 4 more ranks (3,9-11): warning: X\n",
	       "any rank may be the first");
	told[0] = '\0';
	ok(says(4, "warning: X"), "a late one is held back, too");
	repeats_tell(&r);
	is_str(told, "mrun: the same from 1 more rank (4): warning: X\n",
	       "and told");
}

static void test_same_rank(void)
{
	again();
	all_say(0, 4, "warning: X");
	ok(!says(2, "warning: X"), "a rank that says it twice is shown");
	is_str(told, "mrun: the same from 3 more ranks (1-3): warning: X\n",
	       "behind the count of the first time");
	told[0] = '\0';
	ok(says(0, "warning: X"), "others follow");
	repeats_tell(&r);
	is_str(told, "mrun: the same from 1 more rank (0): warning: X\n",
	       "and are counted anew");
}

static void test_others(void)
{
	again();
	all_say(0, 3, "warning: X");
	ok(!prints(1, "hello\n"), "a line of the program is shown");
	is_str(told, "", "and tells nothing");
	ok(!says(0, "warning: Y"), "another of the first rank is shown");
	is_str(told, "", "of which nothing is held back");
	ok(!says(2, "info: Z"), "one of a rank that was counted is shown");
	is_str(told, "mrun: the same from 2 more ranks (1-2): warning: X\n",
	       "behind the count");
	ok(!says(0, "info: Z") && !says(1, "debug: Z") && !says(2, "debug: Z"),
	   "what MRT_LOG asks for is never held back");
	ok(!says(0, "signal 11:") && !says(1, "signal 11:"),
	   "nor is a heading of lines");
	ok(!prints(0, "libmrt[1/4 n 5] error: A") &&
	       !prints(1, "libmrt[1/4 n 5] error: A"),
	   "nor a part of a line");
	ok(!prints(0, "libmrt[1/4\n") && !prints(1, "libmrt[1/4\n") &&
	       !prints(0, "libmrt\n") && !prints(1, "libmrt\n") &&
	       !prints(0, "libmrt[]\n") && !prints(1, "libmrt[]\n"),
	   "nor what only begins like one");
	ok(!prints(0, "libmrt[77] error: A\n") &&
	       prints(1, "libmrt[78] error: A\n") &&
	       !prints(0, "libmrt: B\n") && prints(1, "libmrt: B\n"),
	   "a rank without a number is one, too");
}

static void test_bounds(void)
{
	static char text[REPEATS_TEXT + 2];

	again();
	for (int k = 0; k < REPEATS_ROWS; k++) {
		snprintf(text, sizeof(text), "warning: %d", k);
		all_say(0, 2, text);
	}
	is_str(told, "", "so many texts are remembered");
	ok(!says(2, "warning: more"), "one more is shown");
	is_str(told, "mrun: the same from 1 more rank (1): warning: 0\n",
	       "and the oldest is told");
	ok(!says(3, "warning: 0"), "and forgotten");
	ok(says(3, "warning: 2"), "others are not");

	again();
	memset(text, 'x', REPEATS_TEXT);
	ok(!says(0, text) && says(1, text), "a long text");
	repeats_tell(&r);
	ok(strlen(told) < 200 && strstr(told, "xxx...\n"), "is shortened");
	text[REPEATS_TEXT] = 'x';
	ok(!says(0, text) && !says(1, text), "a longer one is shown by each");
}

int main(void)
{
	test_counts();
	test_same_rank();
	test_others();
	test_bounds();
	repeats_fini(&r);
	return tap_done();
}
