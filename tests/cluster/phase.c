/* SPDX-License-Identifier: Apache-2.0 */
/*
 * phase.c: two or more ranks stay in one phase of a job while a test breaks
 * something, and check every payload.
 *
 *   phase NAME FOLDER
 *
 * Each rank makes FOLDER/rankR.in once it is in the phase; FOLDER/stop ends it.
 * The ranks of "init" and "finalize" make rankR.in and wait for FOLDER/go
 * outside of the library, right before the call. The folder is shared without
 * use of the network. A wrong payload exits with 3.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mrt.h"

enum { WORDS = 64, LONG_WORDS = 1 << 16, PER_LOOK = 16 };

static const char *folder;
static int me, np;
static uint64_t *out, *in;

static __attribute__((format(printf, 3, 4))) void
path_of(char *path, size_t len, const char *format, ...)
{
	va_list args;
	size_t used = (size_t)snprintf(path, len, "%s/", folder);

	va_start(args, format);
	vsnprintf(path + used, len - used, format, args);
	va_end(args);
}

static bool is_there(const char *name)
{
	char path[512];

	path_of(path, sizeof(path), "%s", name);
	return access(path, F_OK) == 0;
}

static void nap(void)
{
	const struct timespec t = {0, 20000000};

	nanosleep(&t, NULL);
}

/* Before mrt_init the rank is unknown to the library: R is what the launcher
 * says. */
static void announce(void)
{
	const char *rank = getenv("PMIX_RANK");
	char path[512];
	FILE *f;

	path_of(path, sizeof(path), "rank%s.in", rank ? rank : "0");
	f = fopen(path, "w");
	if (f)
		fclose(f);
}

static void gate(void)
{
	announce();
	while (!is_there("go"))
		nap();
}

/* Word 0 says whether this round is the last. */
static void fill(int n, uint64_t round, bool last)
{
	out[0] = last;
	for (int i = 1; i < n; i++)
		out[i] = round * 1000003 + (uint64_t)(me * 17 + i);
}

static void verify(int n, uint64_t round, int from)
{
	for (int i = 1; i < n; i++) {
		if (in[i] == round * 1000003 + (uint64_t)(from * 17 + i))
			continue;
		fprintf(stderr,
			"phase: rank %d, round %llu, word %d from %d "
			"is wrong\n",
			me, (unsigned long long)round, i, from);
		_exit(3);
	}
}

/* Rank 0 checks the folder now and then and tells its neighbour. */
static bool is_last(uint64_t round)
{
	return me == 0 && round % PER_LOOK == 0 && is_there("stop");
}

/* Ranks 0 and 1 exchange n words. */
static bool exchange(int n, uint64_t round)
{
	bool last = is_last(round);

	fill(n, round, last);
	mrt_sendrecv(out, (size_t)n, MRT_UINT64, !me, 7, in, (size_t)n,
		     MRT_UINT64, !me, 7, MRT_COMM_WORLD, MRT_STATUS_IGNORE);
	verify(n, round, !me);
	return last || in[0];
}

static bool eager(uint64_t round)
{
	return exchange(WORDS, round);
}

static bool rendezvous(uint64_t round)
{
	return exchange(LONG_WORDS, round);
}

static bool barrier(uint64_t round)
{
	int last = is_last(round);

	mrt_barrier(MRT_COMM_WORLD);
	if (round % PER_LOOK == 0)
		mrt_bcast(&last, 1, MRT_INT, 0, MRT_COMM_WORLD);
	return last;
}

/* With MRT_ALLREDUCE=fetch_add this uses the device's atomics. */
static bool cells(uint64_t round)
{
	uint64_t mine = (round << 8) + (uint64_t)me + 1, sum;
	uint64_t want =
	    (round << 8) * (uint64_t)np + (uint64_t)(np * (np + 1) / 2);

	mine += is_last(round) ? 1ull << 60 : 0;
	mrt_allreduce(&mine, &sum, 1, MRT_UINT64, MRT_SUM, MRT_COMM_WORLD);
	if ((sum & ~(1ull << 60)) != want) {
		fprintf(stderr,
			"phase: rank %d, round %llu: sum %llu, not "
			"%llu\n",
			me, (unsigned long long)round, (unsigned long long)sum,
			(unsigned long long)want);
		_exit(3);
	}
	return sum >> 60;
}

/* Rank 0 is outside of the library, and the others wait for it. */
static bool idle(uint64_t round)
{
	int word = 42;

	if (round < 2)
		return false; /* main announces the ranks after two */
	while (me == 0 && !is_there("stop"))
		nap();
	mrt_bcast(&word, 1, MRT_INT, 0, MRT_COMM_WORLD);
	return true;
}

static bool once(uint64_t round)
{
	return eager(round) || round == 3;
}

/* Makes a send that is complete for its caller, but not for the fabric. */
static void last_words(void)
{
	uint64_t word = 99;

	if (me == 0)
		mrt_send(&word, 1, MRT_UINT64, 1, 8, MRT_COMM_WORLD);
	else if (me == 1)
		mrt_recv(&word, 1, MRT_UINT64, 0, 8, MRT_COMM_WORLD, NULL);
}

static const struct phase {
	const char *name;
	bool (*round)(uint64_t);
} phases[] = {
    {"eager", eager},	{"read", rendezvous}, {"barrier", barrier},
    {"cells", cells},	{"idle", idle},	      {"init", once},
    {"finalize", once},
};

static const struct phase *find(const char *name)
{
	for (size_t k = 0; k < sizeof(phases) / sizeof(*phases); k++)
		if (!strcmp(phases[k].name, name))
			return &phases[k];
	return NULL;
}

static void start(int *argc, char ***argv, const struct phase *phase)
{
	if (phase->round == once && phase->name[0] == 'i')
		gate();
	mrt_init(argc, argv);
	me = mrt_rank(MRT_COMM_WORLD);
	np = mrt_size(MRT_COMM_WORLD);
	out = calloc(LONG_WORDS, sizeof(*out));
	in = calloc(LONG_WORDS, sizeof(*in));
	if (!out || !in)
		_exit(4);
}

int main(int argc, char **argv)
{
	const struct phase *phase = argc == 3 ? find(argv[1]) : NULL;
	uint64_t round = 0;
	int rc;

	if (!phase) {
		fprintf(stderr, "usage: phase NAME FOLDER\n");
		return 64;
	}
	folder = argv[2];
	start(&argc, &argv, phase);
	while (!phase->round(round++))
		if (round == 2 && phase->round != once)
			announce();
	if (!strcmp(phase->name, "finalize")) {
		gate();
		last_words();
	}
	rc = mrt_finalize();
	printf("rank %d: %llu rounds\n", me, (unsigned long long)round);
	free(out);
	free(in);
	return rc ? 5 : 0;
}
