/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak.c runs rounds of random operations (soak.h) until the time is over, then
 * reports what was done, what each rank held of the system, and whether that
 * grew.
 *
 *   soak [--seconds T | --rounds N] [--seed S] [--from R] [--ops K]
 *        [--max BYTES] [--threads N] [--stall SECONDS] [--every SECONDS]
 *        [--json FILE] [--trace PREFIX] [--leak BYTES]
 *
 * --trace writes what each rank held at the end of each round to PREFIX.RANK.
 * --leak makes a leak on purpose, in each round. Exit code 0: all bytes were
 * right and nothing grew; 1: something grew, or a line of the rank that saw it
 * says what was wrong.
 */
#include "tests/soak/soak.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/soak/soak_count.h"
#include "tests/system/trial.h"

enum { THREADS = 16 };

struct soak_options soak_options = {.seed = 1,
				    .ops = 60,
				    .threads = 1,
				    .max = 1 << 20,
				    .seconds = 10,
				    .stall = 300,
				    .every = 60};
int me, np, api_failures; /* required by trial.h */

static struct soak parts[THREADS];

/* ---- Failures --------------------------------------------------------------
 */

void soak_fail(const struct soak *s, const char *what)
{
	fprintf(stderr,
		"soak: rank %d, round %d, thread %d, operation %d, %s: "
		"%s%s%s; repeat it with --seed %llu --from %d --rounds 1\n",
		me, s->round, s->thread, s->number, s->doing, what,
		*mrt_error_detail() ? ": " : "", mrt_error_detail(),
		(unsigned long long)soak_options.seed, s->round);
	mrt_abort(MRT_COMM_WORLD, 1);
}

/* Handles the alarm of a round that does not end: each rank says where it
 * is. */
static void stalled(int signal_number)
{
	char line[300];
	ssize_t done = 0;

	for (int t = 0; t < soak_options.threads; t++) {
		const struct soak *s = &parts[t];
		int n =
		    snprintf(line, sizeof(line),
			     "soak: rank %d hangs: "
			     "round %d, thread %d, operation %d, %s; "
			     "--seed %llu --from %d\n",
			     me, s->round, t, s->number, s->doing,
			     (unsigned long long)soak_options.seed, s->round);

		done += write(STDERR_FILENO, line, (size_t)n);
	}
	signal(signal_number, SIG_DFL);
	/* the other ranks must get here too */
	sleep(done > 0 ? 3 : 1);
	abort();
}

/* ---- Rounds ----------------------------------------------------------------
 */

static void *run_part(void *arg)
{
	run_round(arg);
	return NULL;
}

static void play_round(int round)
{
	pthread_t threads[THREADS];
	struct mrt_comm *worlds[THREADS];
	int n = soak_options.threads;

	for (int t = 0; t < n; t++) {
		struct soak *s = &parts[t];

		*s = (struct soak){
		    .thread = t, .round = round, .doing = "begin"};
		s->seed =
		    trial_hash(soak_options.seed, (uint64_t)round, (uint64_t)t);
		MUST_OK(s, mrt_comm_dup(MRT_COMM_WORLD, &worlds[t]));
		s->world = worlds[t];
	}
	for (int t = 1; t < n; t++)
		if (pthread_create(&threads[t], NULL, run_part, &parts[t]))
			soak_fail(&parts[t], "no thread");
	run_part(&parts[0]);
	for (int t = 1; t < n; t++)
		pthread_join(threads[t], NULL);
	for (int t = 0; t < n; t++) {
		parts[t].doing = "end";
		MUST_OK(&parts[t], mrt_comm_free(&worlds[t]));
		MUST(&parts[t], api_failures == 0);
	}
}

/* Makes some calls, whose progress completes what has been freed. */
static void settle(void)
{
	for (int k = 0; k < 20; k++)
		MUST_OK(&parts[0], mrt_barrier(MRT_COMM_WORLD));
}

/* ---- Progress --------------------------------------------------------------
 */

static void show(int round, double elapsed)
{
	static double last;
	double left = soak_options.seconds - elapsed;

	if (me || elapsed - last < soak_options.every)
		return;
	last = elapsed;
	fprintf(stderr,
		"round %d: %llu operations and %llu MiB of rank 0, "
		"which holds %ld KiB, %.0f s, %.0f s left\n",
		round, (unsigned long long)count_operations(),
		(unsigned long long)(count_bytes() >> 20),
		watch_last(WATCH_ANONYMOUS), elapsed, left > 0 ? left : 0);
}

/* Leaks memory on purpose. */
static void leak(void)
{
	static char
	    *volatile lost; /* the compiler must not optimize the leak away */

	lost = malloc(soak_options.leak);
	for (size_t i = 0; lost && i < soak_options.leak; i += 64)
		lost[i] = 1;
}

/* A struct course says how far the run is: rounds played, and how many
 * distinct ones. */
struct course {
	int played, distinct; /* 0: the first half is not over */
};

/*
 * The second half plays the rounds of the first again. What libmrt keeps for
 * later has then grown to the most that they need, and only leaks continue to
 * grow.
 */
static int round_of(const struct course *c)
{
	int k = c->distinct ? c->played % c->distinct : c->played;

	return soak_options.first + k;
}

/* Decides by the clock of rank 0. */
static bool goes_on(struct course *c, double elapsed)
{
	const struct soak_options *o = &soak_options;
	double done =
	    o->rounds ? (double)c->played / o->rounds : elapsed / o->seconds;
	int now[2] = {done < 1, done >= 0.5};

	MUST_OK(&parts[0], mrt_bcast(now, 2, MRT_INT, 0, MRT_COMM_WORLD));
	if (now[1] && !c->distinct)
		c->distinct = c->played;
	return now[0];
}

static int run_all(void)
{
	struct watch_result watched[WATCH_ROWS];
	double begin = mrt_wtime(), elapsed;
	struct course course = {0, 0};
	struct soak_end end;
	FILE *trace = NULL;

	if (soak_options.trace)
		trace = watch_trace(soak_options.trace);
	do {
		alarm(soak_options.stall);
		play_round(round_of(&course));
		settle();
		if (soak_options.leak)
			leak();
		watch_read(trace);
		elapsed = mrt_wtime() - begin;
		show(course.played++, elapsed);
	} while (goes_on(&course, elapsed));
	end = (struct soak_end){course.played, elapsed,
				watch_judge((size_t)course.distinct, watched),
				watched};
	count_report(&end, soak_options.json);
	if (!me)
		printf("%s: %d rounds in %.0f s, %d ranks, %d threads, seed "
		       "%llu\n",
		       end.good ? "good" : "GROWS", end.rounds, elapsed, np,
		       soak_options.threads,
		       (unsigned long long)soak_options.seed);
	return end.good ? 0 : 1;
}

/* ---- Options ---------------------------------------------------------------
 */

static void read_option(const char *name, const char *value)
{
	struct soak_options *o = &soak_options;

	if (!strcmp(name, "--seconds"))
		o->seconds = atof(value);
	else if (!strcmp(name, "--rounds"))
		o->rounds = atoi(value);
	else if (!strcmp(name, "--seed"))
		o->seed = strtoull(value, NULL, 10);
	else if (!strcmp(name, "--from"))
		o->first = atoi(value);
	else if (!strcmp(name, "--ops"))
		o->ops = atoi(value);
	else if (!strcmp(name, "--max"))
		o->max = strtoul(value, NULL, 10);
	else if (!strcmp(name, "--threads"))
		o->threads = atoi(value);
	else if (!strcmp(name, "--stall"))
		o->stall = (unsigned)atoi(value);
	else if (!strcmp(name, "--every"))
		o->every = atof(value);
	else if (!strcmp(name, "--leak"))
		o->leak = strtoul(value, NULL, 10);
	else if (!strcmp(name, "--json"))
		o->json = value;
	else if (!strcmp(name, "--trace"))
		o->trace = value;
	else
		name = NULL;
	if (name && o->threads > 0 && o->threads <= THREADS)
		return;
	fprintf(stderr, "soak: bad option; see the head of soak.c\n");
	exit(64);
}

int main(int argc, char **argv)
{
	void *buffer;
	size_t bytes;
	int rc;

	for (int i = 1; i < argc; i += 2)
		read_option(argv[i], i + 1 < argc ? argv[i + 1] : "");
	mallopt(M_ARENA_MAX,
		1); /* otherwise threads keep what others have freed */
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init_thread(&argc, &argv,
			    soak_options.threads > 1 ? MRT_THREAD_MULTIPLE
						     : MRT_THREAD_SINGLE,
			    NULL))
		return 1;
	me = mrt_rank(MRT_COMM_WORLD);
	np = mrt_size(MRT_COMM_WORLD);
	parts[0].doing = "start";
	signal(SIGALRM, stalled);
	trial_ops_create();
	MUST_OK(&parts[0],
		mrt_buffer_attach(MRT_BUFFER_PROCESS, MRT_BUFFER_AUTOMATIC, 0));
	rc = run_all();
	MUST_OK(&parts[0],
		mrt_buffer_detach(MRT_BUFFER_PROCESS, &buffer, &bytes));
	trial_ops_free();
	return mrt_finalize() || rc;
}
