/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.c: patterns SECONDS NAME[:SIZE,...] ...: times patterns (see frame.h).
 *
 * A pattern runs for about SECONDS: rank 0 raises the number of iterations
 * until a run is long enough. The figure is the mean of that run on the slowest
 * rank, so that nothing is hidden (a median would hide rare events); the
 * comparison repeats runs and takes their median.
 */
#include "apps/bench/compare/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W MPI_COMM_WORLD
#define MEGA 1e6

static double *frame_buffer(size_t bytes)
{
	void *p = NULL;

	if (posix_memalign(&p, 4096, bytes + sizeof(double))) {
		fprintf(stderr, "no memory for %zu bytes\n", bytes);
		MPI_Abort(W, 71);
	}
	memset(p, 0, bytes + sizeof(double));
	return p;
}

static void frame_fill(struct frame *f, size_t count)
{
	for (size_t i = 0; i < count; i++)
		f->send[i] = frame_value(f->me, i);
}

/* Returns the seconds on the slowest rank, to all ranks. */
static double frame_timed(struct frame *f, const struct pattern *p,
			  size_t bytes, long iterations)
{
	double mine, longest;

	MPI_Barrier(W);
	mine = MPI_Wtime();
	p->run(f, bytes, iterations);
	mine = MPI_Wtime() - mine;
	MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, W);
	return longest;
}

/* Runs once with a buffer of garbage; returns 1 on all ranks if any received
 * wrong data. */
static int frame_wrong(struct frame *f, const struct pattern *p, size_t bytes)
{
	size_t count = bytes / sizeof(double);
	size_t all = p->wide ? count * (size_t)f->ranks : count;
	int bad = 0, any;

	for (size_t i = 0; i < all; i++)
		f->recv[i] = -1;
	/* a window's memory is written to without its owner */
	MPI_Barrier(W);
	p->run(f, bytes, 1);
	if (p->expected && (f->me == 0 || !p->root_only))
		for (size_t i = 0; i < all; i++)
			bad |= f->recv[i] != p->expected(f, count, i);
	MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, W);
	return any;
}

static double frame_figure(const struct frame *f, const struct pattern *p,
			   size_t bytes, double seconds)
{
	double messages = WINDOW * (p->streams ? p->streams(f) : 1);

	switch (p->unit) {
	case US_ONE_WAY:
		return seconds / 2 * MEGA;
	case MB_S:
		return messages * (double)bytes / seconds / MEGA;
	case MSG_S:
		return messages / seconds;
	case MB_S_ALL:
		return f->ranks * (double)bytes / seconds / MEGA;
	default:
		return seconds * MEGA;
	}
}

/* Returns the seconds per iteration. */
static double frame_measure(struct frame *f, const struct pattern *p,
			    size_t bytes, double budget)
{
	long n = 2;

	frame_timed(f, p, bytes,
		    n); /* connects, touches memory, caches plans */
	for (;;) {
		double t = frame_timed(f, p, bytes, n);
		double more = t > 0 ? budget / t : 16;

		if (t >= budget / 2 || n > 100000000)
			return t / (double)n;
		n = (long)((double)n * (more < 2 ? 2 : more > 16 ? 16 : more));
	}
}

static void one_size(struct frame *f, const struct pattern *p, size_t bytes,
		     double budget)
{
	static const char *const units[] = {"us", "us", "MB/s", "msg/s",
					    "MB/s"};
	size_t room = bytes * (size_t)f->ranks;
	double seconds;

	f->send = frame_buffer(room);
	f->recv = frame_buffer(room);
	frame_fill(f, room / sizeof(double));
	if (p->begin)
		p->begin(f, bytes);
	if (frame_wrong(f, p, bytes)) {
		if (f->me == 0)
			printf("%s,%d,%zu,%s,wrong\n", p->name, f->ranks, bytes,
			       units[p->unit]);
	} else {
		seconds = frame_measure(f, p, bytes, budget);
		if (f->me == 0)
			printf("%s,%d,%zu,%s,%.6g\n", p->name, f->ranks, bytes,
			       units[p->unit],
			       frame_figure(f, p, bytes, seconds));
	}
	fflush(stdout);
	if (p->end)
		p->end(f);
	free(f->send);
	free(f->recv);
}

static const struct pattern *frame_find(const char *name, size_t len)
{
	static const struct pattern *const lists[] = {
	    pairs_patterns, colls_patterns, windows_patterns, threads_patterns,
	    files_patterns};

	for (int l = 0; l < 5; l++)
		for (const struct pattern *p = lists[l]; p->name; p++)
			if (strlen(p->name) == len &&
			    !strncmp(p->name, name, len))
				return p;
	return NULL;
}

/* Returns 0, or -1 if there is no such pattern. */
static int one_row(struct frame *f, const char *row, double budget)
{
	size_t len = strcspn(row, ":");
	const struct pattern *p = frame_find(row, len);
	const char *at = row + len;

	if (!p || (p->pair && f->ranks != 2) || (!*at && !p->no_size))
		return -1;
	if (p->no_size)
		one_size(f, p, 0, budget);
	while (*at) {
		char *end;
		size_t bytes = strtoul(at + 1, &end, 10);

		one_size(f, p, bytes, budget);
		if (end == at + 1)
			return -1;
		at = end;
	}
	return 0;
}

/* Returns the level of threads that the rows need. */
static int thread_level(int n, char **rows)
{
	for (int i = 0; i < n; i++) {
		const struct pattern *p =
		    frame_find(rows[i], strcspn(rows[i], ":"));

		if (p && p->threads)
			return MPI_THREAD_MULTIPLE;
	}
	return MPI_THREAD_SINGLE;
}

int main(int argc, char **argv)
{
	struct frame f = {0};
	int bad = argc < 3, level;

	MPI_Init_thread(
	    &argc, &argv,
	    bad ? MPI_THREAD_SINGLE : thread_level(argc - 2, argv + 2), &level);
	MPI_Comm_rank(W, &f.me);
	MPI_Comm_size(W, &f.ranks);
	for (int i = 2; !bad && i < argc; i++)
		bad = one_row(&f, argv[i], atof(argv[1]));
	if (bad && f.me == 0)
		fprintf(stderr, "usage: patterns SECONDS NAME[:BYTES,...] ..."
				" (pairs: on 2 ranks)\n");
	MPI_Finalize();
	return bad ? 64 : 0;
}
