/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floor.c: floor SECONDS [NAME...]: measures the best that the machine can do,
 * with processes that share memory and know nothing of MPI. Prints rows like
 * frame.c; a row with the name of a pattern is that pattern's lower bound:
 *
 *	latency 2 8		a cache line that two cores write in turn, one
 *				way
 *	rate 2 8		8-byte words through a ring between two cores
 *	bandwidth 2 SIZE	two cores copying half each, which may stay in
 *				their caches, as the buffers of the pattern may
 *	barrier, allreduce 8 B	a flag for each process that all read, with
 *				sched_yield between reads if CPUs are few
 *	readv SIZE		process_vm_readv by one core
 *	memcpy SIZE		one core, within its own memory
 *
 * Process i is bound to the i-th allowed CPU, like the ranks of the comparison.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 16, RING = 4096, LAG = RING / 4, MOST = 4 << 20, ALL = 8 };

struct line {
	_Alignas(128) _Atomic long n;
};

struct shared {
	struct line flag[LINES];
	struct line go,
	    end; /* iterations to do; processes that have finished */
	_Atomic uint64_t ring[RING];
	struct line taken;
	char from[MOST], to[MOST];
};

static struct shared *s;
static size_t bytes; /* size for the current pattern */
static pid_t first;  /* process 0 */
static int processes;
static cpu_set_t all; /* CPUs allowed at the start */

static long floor_seen(struct line *l)
{
	return atomic_load_explicit(&l->n, memory_order_acquire);
}

/* Release; pairs with floor_seen(). */
static void floor_set(struct line *l, long n)
{
	atomic_store_explicit(&l->n, n, memory_order_release);
}

static double floor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- The patterns: what process `me` does, n times ---- */

static void line_pingpong(int me, long n)
{
	for (long i = 1; i <= n; i++) {
		if (me == 0)
			floor_set(&s->flag[0], 2 * i - 1);
		while (floor_seen(&s->flag[0]) < 2 * i - 1 + (me == 0))
			;
		if (me == 1)
			floor_set(&s->flag[0], 2 * i);
	}
}

/* A word holds its number. The receiver publishes its position now and then. */
static void floor_ring(int me, long n)
{
	for (long i = 1; i <= n; i++) {
		_Atomic uint64_t *word = &s->ring[i % RING];

		if (me == 0) {
			while (i - floor_seen(&s->taken) >= RING - 1)
				;
			atomic_store_explicit(word, (uint64_t)i,
					      memory_order_release);
		} else {
			while (atomic_load_explicit(
				   word, memory_order_acquire) != (uint64_t)i)
				;
			if (i % LAG == 0)
				floor_set(&s->taken, i);
		}
	}
}

/* Each process sets its flag and waits for all. */
static void flat_barrier(int me, long n)
{
	for (long i = 1; i <= n; i++) {
		floor_set(&s->flag[me], i);
		for (int p = 0; p < processes; p++)
			while (floor_seen(&s->flag[p]) < i)
				if (processes > CPU_COUNT(&all))
					sched_yield();
	}
}

static void two_copy(int me, long n)
{
	size_t half = bytes / 2;

	for (long i = 0; i < n; i++)
		memcpy(s->to + (size_t)me * half, s->from + (size_t)me * half,
		       half);
}

static char own[MOST];

/* Process 1 reads from the memory of process 0. */
static void readv_peer(int me, long n)
{
	struct iovec to = {s->to, bytes}, from = {own, bytes};

	for (long i = 0; me == 1 && i < n; i++)
		if (process_vm_readv(first, &to, 1, &from, 1, 0) < 0)
			_exit(1);
}

static void floor_copy(int me, long n)
{
	for (long i = 0; i < n; i++) {
		memcpy(s->to, own, bytes);
		/* keeps the compiler from merging copies */
		__asm__ volatile("" ::: "memory");
	}
}

/* ---- The frame ---- */

static void bind_to(int me)
{
	cpu_set_t one;
	int wanted = me % CPU_COUNT(&all);
	for (int c = 0; c < CPU_SETSIZE; c++)
		if (CPU_ISSET(c, &all) && wanted-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(c, &one);
		}
	sched_setaffinity(0, sizeof(one), &one);
}

typedef void pattern(int me, long n);

static void floor_peer(pattern *run, int me, long n)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bind_to(me);
	atomic_fetch_add(&s->end.n, 1);
	while (!floor_seen(&s->go))
		sched_yield();
	run(me, n);
	_exit(0);
}

/* Returns the seconds of n iterations with `processes` processes; negative if
 * one failed. */
static double run_once(pattern *run, long n)
{
	double start;
	int status, bad = 0;

	memset(s->flag, 0, sizeof(s->flag));
	memset((void *)s->ring, 0, sizeof(s->ring));
	floor_set(&s->taken, 0);
	floor_set(&s->go, 0);
	floor_set(&s->end, 0);
	fflush(stdout);
	for (int p = 1; p < processes; p++)
		if (fork() == 0)
			floor_peer(run, p, n);
	while (floor_seen(&s->end) < processes - 1)
		sched_yield();
	start = floor_now();
	floor_set(&s->go, 1);
	run(0, n);
	while (processes > 1 && wait(&status) > 0)
		bad |= status;
	return bad ? -1 : floor_now() - start;
}

static double floor_seconds(pattern *run, int n_processes, double budget)
{
	long n = 16;

	processes = n_processes;
	for (;;) {
		double t = run_once(run, n);

		if (t < 0 || t >= budget / 2)
			return t < 0 ? t : t / (double)n;
		n *= t > 0 && budget / t < 8 ? 2 : 8;
	}
}

static char **names; /* names asked for; none: all */

static int floor_asked(const char *name)
{
	for (char **n = names; *n; n++)
		if (!strcmp(*n, name))
			return 1;
	return !*names;
}

static void floor_row(const char *name, int ranks, const char *unit,
		      double figure)
{
	if (figure > 0)
		printf("%s,%d,%zu,%s,%.6g\n", name, ranks, bytes, unit, figure);
	else
		printf("%s,%d,%zu,%s,failed\n", name, ranks, bytes, unit);
}

static void floor_pairs(double budget)
{
	bytes = 8;
	if (floor_asked("latency"))
		floor_row("latency", 2, "us",
			  floor_seconds(line_pingpong, 2, budget) / 2 * 1e6);
	if (floor_asked("rate"))
		floor_row("rate", 2, "msg/s",
			  1 / floor_seconds(floor_ring, 2, budget));
}

static void floor_barriers(int n, double budget)
{
	double us;

	if (!floor_asked("barrier") && !floor_asked("allreduce"))
		return;
	us = floor_seconds(flat_barrier, n, budget) * 1e6;
	bytes = 0;
	floor_row("barrier", n, "us", us);
	bytes = 8;
	floor_row("allreduce", n, "us", us);
}

static void floor_copies(const char *name, int n, pattern *run, double budget)
{
	for (bytes = 64 << 10; floor_asked(name) && bytes <= MOST; bytes *= 4)
		floor_row(name, n, "MB/s",
			  (double)bytes / 1e6 / floor_seconds(run, n, budget));
}

int main(int argc, char **argv)
{
	double budget = argc > 1 ? atof(argv[1]) : 0.05;

	names = argv + (argc > 1 ? 2 : 1);
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s == MAP_FAILED)
		return 71;
	memset(s->from, 1, sizeof(s->from));
	memset(own, 1, sizeof(own));
	first = getpid();
	if (sched_getaffinity(0, sizeof(all), &all))
		return 71;
	bind_to(0);
	if (CPU_COUNT(&all) > 1) /* these processes spin for each other */
		floor_pairs(budget);
	floor_barriers(2, budget);
	floor_barriers(ALL, budget);
	floor_copies("bandwidth", 2, two_copy, budget);
	floor_copies("readv", 2, readv_peer, budget);
	floor_copies("memcpy", 1, floor_copy, budget);
	return 0;
}
