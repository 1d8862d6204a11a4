/* SPDX-License-Identifier: Apache-2.0 */
/* hang_group.c: tests runtime/base/hang_group.c with what ranks of large jobs
 * do. */
#include "runtime/base/hang_group.h"

#include "launcher/say.h"
#include "tests/tap.h"

enum { RANKS = 1024 };

static struct hang_line lines[RANKS];
static char said[1 << 16];
static int count;

static void keep(void *arg, const char *line, size_t len)
{
	size_t used = strlen(said);

	snprintf(said + used, sizeof(said) - used, "%.*s", (int)len, line);
	count++;
}

static void __attribute__((format(printf, 3, 4)))
set(int rank, enum hang_kind kind, const char *format, ...)
{
	struct hang_line *line = &lines[rank];
	va_list args;

	line->rank = rank;
	line->pid = 5000 + rank;
	line->kind = kind;
	line->needs = -1;
	line->seconds = 60 + rank % 4 * 0.1;
	va_start(args, format);
	vsnprintf(line->text, sizeof(line->text), format, args);
	va_end(args);
}

static void print(int n)
{
	said[0] = '\0';
	count = 0;
	hang_group_print(lines, n, say_error);
}

static void test_odd_ones(void)
{
	for (int r = 0; r < RANKS; r++)
		set(r, HANG_WAITS, "mrt_barrier of 1024 ranks: rank %d", r / 2);
	set(7, HANG_WAITS, "mrt_recv: a message from rank 513 with tag 5");
	set(513, HANG_RUNS, "S");
	set(600, HANG_STOPPED_WAITS, "mrt_barrier of 1024 ranks: rank 300");
	print(RANKS);
	is_int(count, 4, "a barrier and three odd ones: four lines");
	has_str(said,
		"mrun: 1021 ranks (0-6,8-512,514-599,601-1023) have waited for "
		"60.0 to 60.3 s in mrt_barrier of 1024 ranks: rank 0-511\n",
		"those that wait alike");
	has_str(said,
		"mrun: rank 7 (pid 5007) has waited for 60.3 s in mrt_recv: a "
		"message from rank 513 with tag 5\n",
		"one that waits in another call");
	has_str(said,
		"mrun: rank 513 (pid 5513) does not wait in libmrt (state S, "
		"60.1 s of CPU time)\n",
		"one that does not wait");
	has_str(said,
		"mrun: rank 600 (pid 5600) is stopped, while it waited in "
		"mrt_barrier of 1024 ranks: rank 300\n",
		"one that is stopped");
}

static void test_events(void)
{
	for (int r = 0; r < 3; r++)
		set(r, HANG_WAITS, "mrt_barrier of 3 ranks: rank 2");
	lines[0].nevents = 2;
	lines[0].event[0] = (struct hang_event){2, "mrt_send"};
	lines[0].event[1] = (struct hang_event){-1, "mrt_barrier"};
	print(3);
	lines[0].nevents = 0;
	is_int(count, 2, "what the first of a group did before");
	has_str(said,
		"mrun: rank 0 before: mrt_send (2.0 s ago); mrt_barrier\n",
		"in a line of its own");
}

static void test_few(void)
{
	for (int r = 0; r < HANG_GROUPS; r++)
		set(r, HANG_WAITS, "mrt_barrier of 20 ranks: rank %d", r);
	print(HANG_GROUPS);
	is_int(count, HANG_GROUPS, "few ranks: a line each, if they differ");
	has_str(said, "rank 19 (pid 5019) has waited for 60.3 s in mrt_barrier",
		"with all that is known");
	for (int r = 0; r < 3; r++)
		set(r, HANG_ENDED, "X");
	print(3);
	is_str(said, "mrun: 3 ranks (0-2) have ended\n", "several have ended");
}

static void test_lists(void)
{
	for (int r = 0; r < RANKS; r++)
		set(r, HANG_WAITS,
		    r % 2 ? "mrt_alltoall of 9 ranks: messages from rank %d, "
			    "%d, 3, 4 and 7 more"
			  : "mrt_alltoall of 9 ranks: messages from rank %d",
		    r, r + 1);
	print(RANKS);
	is_int(count, 1, "lists of ranks are alike, whatever their length");
	has_str(said, "messages from rank 0-1024\n", "and are joined");
}

static void test_numbers(void)
{
	for (int r = 0; r < RANKS; r++)
		set(r, HANG_WAITS,
		    "mrt_recv: a message from rank %d with tag %d", r / 100,
		    2 * r);
	print(RANKS);
	is_int(count, 1, "tags of each rank's own: one line");
	has_str(said, "rank 0-10 with tag 0,2,4,6,8,10,12,...,2046\n",
		"with the first and the last of them");
	for (int r = 0; r < RANKS; r++)
		set(r, HANG_WAITS, "%c%c%c: x", 'a' + r / 26 / 26,
		    'a' + r / 26 % 26, 'a' + r % 26);
	print(RANKS);
	is_int(count, HANG_GROUPS + 1, "nothing alike: a limit of lines");
	has_str(said, "mrun: 1004 ranks (20-1023) each do something else\n",
		"and the others are counted");
	for (int r = 0; r < HANG_GROUPS + 1; r++)
		set(r, HANG_WAITS, "x 1 2 3 4 5 6 7 %d", r);
	print(HANG_GROUPS + 1);
	has_str(said, "in x 1 2 3 4 5 6 ? ?\n", "more numbers than are kept");
}

static void test_ranges(void)
{
	static const long many[] = {1, 1, 2, 4, 6, 7, 8, 9, 20};
	char text[64];

	hang_group_ranges(many, 9, text, sizeof(text));
	is_str(text, "1-2,4,6-9,20", "ranges of numbers");
	hang_group_ranges(many, 0, text, sizeof(text));
	is_str(text, "", "no numbers");
}

static void test_cycles(void)
{
	for (int r = 0; r < RANKS; r++)
		set(r, HANG_WAITS, "mrt_recv");
	lines[3].needs = 5;
	lines[5].needs = 4;
	lines[4].needs = 3;
	lines[0].needs = 1; /* leads into the circle */
	lines[1].needs = 4;
	lines[6].needs = 7; /* waits for one that does not */
	lines[8].needs = 8;
	lines[9].needs = RANKS; /* not of this node */
	print(RANKS);
	is_int(count, 3, "two circles: a line each");
	has_str(said, "mrun: deadlock: 4 -> 3 -> 5 -> 4\n",
		"of three ranks, but not who waits for them");
	has_str(said, "mrun: deadlock: 8 -> 8\n", "of one rank");
	for (int r = 0; r < RANKS; r++)
		lines[r].needs = r ^ 1;
	print(RANKS);
	is_int(count, 1 + HANG_CYCLES + 1, "many circles: a limit of lines");
	has_str(said, "mrun: deadlock: 6 -> 7 -> 6\nmrun: deadlock: 508 more\n",
		"and the others are counted");
	for (int r = 0; r < RANKS; r++)
		lines[r].needs = (r + 1) % RANKS;
	print(RANKS);
	has_str(said,
		"mrun: deadlock: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> "
		"9 -> 10 -> 11 -> 12 -> 13 -> 14 -> 15 -> ... -> 0 (1024 "
		"ranks)\n",
		"a long circle is cut");
}

int main(void)
{
	say_set_writer(keep, NULL);
	test_odd_ones();
	test_events();
	test_few();
	test_lists();
	test_numbers();
	test_ranges();
	test_cycles();
	return tap_done();
}
