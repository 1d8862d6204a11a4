/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_watch.c reads /proc and, where there is a device, what the kernel says
 * of its objects. The second half of the rounds repeats the first. The rule is:
 * the least value of the last quarter is not above the least of the quarter
 * before by more than a share and a slack of the row; for descriptors, threads
 * and queue pairs the largest value counts.
 *
 * The least counts because what a round has freed may be given back only in the
 * next one: single readings lie above the others, by what is under way. What is
 * kept for later (pools, buffers, plans) grows to the most that was ever needed
 * at once, which is reached in the first half, except for what depends on time.
 * A leak raises the least value in the last quarter as in all others.
 */
#include "tests/soak/soak_watch.h"

#include <dirent.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mrt.h>

enum { ROUNDS_TO_JUDGE = 6 }; /* rounds needed in each quarter */

/* ---- Readings --------------------------------------------------------------
 */

/* Returns the number behind a word at the beginning of a line of a file of
 * /proc, -1 if there is none. */
static long number_in(const char *path, const char *word)
{
	char line[256];
	FILE *f = fopen(path, "re");
	long n = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, word, strlen(word)))
			n = atol(line + strlen(word));
	if (f)
		fclose(f);
	return n;
}

/* Returns the resident KiB that no other process shares. Shared memory is
 * counted when it is mapped, as its pages become resident one by one when a
 * buffer is used for the first time. */
static long read_anonymous(void)
{
	return number_in("/proc/self/status", "RssAnon:");
}

static long read_pss(void)
{
	return number_in("/proc/self/smaps_rollup", "Pss:");
}

/* Returns the KiB of blocks in use, small and large. */
static long read_heap(void)
{
	struct mallinfo2 m = mallinfo2();

	return (long)((m.uordblks + m.hblkhd) / 1024);
}

static long entries(const char *path)
{
	DIR *dir = opendir(path);
	long n = 0;

	if (!dir)
		return -1;
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static long read_fds(void)
{
	return entries("/proc/self/fd") -
	       1; /* without the descriptor of this scan */
}

static long read_threads(void)
{
	return entries("/proc/self/task");
}

/* Returns the number of regions, or the KiB of those that other processes may
 * share. */
static long scan_maps(bool shared)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long from, to;
	char line[512], how[8];
	long n = 0, kib = 0;

	while (f && fgets(line, sizeof(line), f)) {
		n++;
		if (sscanf(line, "%lx-%lx %7s", &from, &to, how) == 3 &&
		    how[3] == 's')
			kib += (long)((to - from) / 1024);
	}
	if (f)
		fclose(f);
	return shared ? kib : n;
}

static long read_maps(void)
{
	return scan_maps(false);
}

static long read_shared(void)
{
	return scan_maps(true);
}

/* Returns the number behind a word in a line such as "0: rxe0: pd 1 cq 2 qp 3
 * cm_id 0 mr 4". */
static long rdma_count(const char *word)
{
	static int there = -1;
	char line[512], *at;
	long n = 0;
	FILE *f;

	if (there < 0)
		there = entries("/sys/class/infiniband") > 0;
	if (!there || mrt_node_rank() != 0)
		return -1;
	f = popen("rdma resource show 2>/dev/null", "re");
	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, word);
		n += at ? atol(at + strlen(word)) : 0;
	}
	return f && pclose(f) == 0 ? n : -1;
}

static long read_qps(void)
{
	return rdma_count(" qp ");
}

static long read_mrs(void)
{
	return rdma_count(" mr ");
}

/* ---- Rows ------------------------------------------------------------------
 */

/* The allowed growth is a percentage and a number; `least` compares the least
 * values, otherwise the largest are compared. */
static const struct {
	const char *name;
	long (*read)(void);
	bool least;
	long percent, slack;
} rows[WATCH_ROWS] = {
    [WATCH_ANONYMOUS] = {"anonymous KiB", read_anonymous, true, 3, 1024},
    [WATCH_PSS] = {"proportional KiB", read_pss, true, 3, 2048},
    [WATCH_HEAP] = {"heap in use KiB", read_heap, true, 2, 512},
    [WATCH_SHARED] = {"mapped shared KiB", read_shared, true, 0, 2048},
    [WATCH_MAPS] = {"mapped regions", read_maps, true, 3, 3},
    [WATCH_FDS] = {"descriptors", read_fds, false, 0, 2},
    [WATCH_THREADS] = {"threads", read_threads, false, 0, 0},
    [WATCH_QPS] = {"queue pairs", read_qps, false, 0, 0},
    [WATCH_MRS] = {"memory regions", read_mrs, true, 10, 16},
};

static long *history[WATCH_ROWS];
static size_t readings;

const char *watch_name(enum watch_row row)
{
	return rows[row].name;
}

long watch_last(enum watch_row row)
{
	return readings ? history[row][readings - 1] : -1;
}

/* Writes the last readings as a line of the trace. */
static void trace(FILE *f)
{
	for (int row = 0; row < WATCH_ROWS; row++)
		fprintf(f, "%ld%c", history[row][readings - 1],
			row + 1 < WATCH_ROWS ? ' ' : '\n');
	fflush(f);
}

FILE *watch_trace(const char *prefix)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%d", prefix, mrt_rank(MRT_COMM_WORLD));
	f = fopen(path, "we");
	if (!f)
		perror(path);
	for (int row = 0; f && row < WATCH_ROWS; row++)
		fprintf(f, "%s%s", row ? ", " : "# ", rows[row].name);
	if (f)
		fprintf(f, "\n");
	return f;
}

/* Memory that the allocator keeps though nobody uses it is given back first,
 * as it means nothing. */
void watch_read(FILE *to)
{
	malloc_trim(0);
	for (int row = 0; row < WATCH_ROWS; row++) {
		long *more =
		    realloc(history[row], (readings + 1) * sizeof(*more));

		if (!more)
			abort();
		history[row] = more;
		more[readings] = rows[row].read();
	}
	readings++;
	if (to)
		trace(to);
}

/* ---- Judgement -------------------------------------------------------------
 */

static long least(const long *values, size_t n)
{
	long min = values[0];

	for (size_t i = 1; i < n; i++)
		min = values[i] < min ? values[i] : min;
	return min;
}

static long largest(const long *values, size_t n)
{
	long max = values[0];

	for (size_t i = 1; i < n; i++)
		max = values[i] > max ? values[i] : max;
	return max;
}

static struct watch_result judge(enum watch_row row, size_t again)
{
	long (*of)(const long *values, size_t n) =
	    rows[row].least ? least : largest;
	size_t part = (readings - again) / 2;
	long *end = history[row] + readings;
	struct watch_result r = {history[row][0], history[row][readings - 1],
				 largest(history[row], readings), 0, 0};
	long before;

	if (part < ROUNDS_TO_JUDGE || r.last < 0)
		return r;
	before = of(end - 2 * part, part);
	r.growth = of(end - part, part) - before;
	r.allowed = before * rows[row].percent / 100 + rows[row].slack;
	return r;
}

bool watch_judge(size_t again, struct watch_result results[WATCH_ROWS])
{
	int grown = 0, any = 0;

	for (int row = 0; row < WATCH_ROWS; row++) {
		struct watch_result own = judge((enum watch_row)row, again);
		long in[5], out[5] = {0};

		grown |= own.growth > own.allowed;
		memcpy(in, &own, sizeof(in));
		in[3] -= in[4]; /* the rank with the least margin */
		if (mrt_reduce(in, out, 5, MRT_LONG, MRT_MAX, 0,
			       MRT_COMM_WORLD))
			return false;
		out[3] += out[4];
		memcpy(&results[row], out, sizeof(out));
	}
	if (mrt_allreduce(&grown, &any, 1, MRT_INT, MRT_MAX, MRT_COMM_WORLD))
		return false;
	return !any;
}
