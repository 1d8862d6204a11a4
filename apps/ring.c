/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c: mrt-ring sends a token round the ring of ranks. Each rank increments
 * it, so that the number of hops proves that it has visited all. */
#include "apps/common/app.h"

#include <getopt.h>
#include <mrt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_TOKEN = 1 };

static const char usage[] =
    "Usage: mrun -n N mrt-ring [-l LAPS] [-b BYTES]\n"
    "Sends a token round the ring of ranks and times it.\n\n"
    "  -l, --laps LAPS    times round the ring (1000)\n"
    "  -b, --bytes BYTES  length of the token, at least 8 (8)\n"
    "  -h, --help         this text\n"
    "  -V, --version      the version\n";

struct options {
	long laps;
	size_t bytes;
};

/* hop_recv gets the token from the left, hop_send passes it to the right. */
static void hop_recv(uint64_t *token, size_t bytes)
{
	int n = mrt_size(MRT_COMM_WORLD), me = mrt_rank(MRT_COMM_WORLD);

	mrt_recv(token, bytes, MRT_BYTE, (me + n - 1) % n, TAG_TOKEN,
		 MRT_COMM_WORLD, MRT_STATUS_IGNORE);
	token[0]++;
}

static void hop_send(const uint64_t *token, size_t bytes)
{
	int n = mrt_size(MRT_COMM_WORLD), me = mrt_rank(MRT_COMM_WORLD);

	mrt_send(token, bytes, MRT_BYTE, (me + 1) % n, TAG_TOKEN,
		 MRT_COMM_WORLD);
}

/* A single rank must not rely on a blocking send to itself. */
static void lap_alone(uint64_t *token, uint64_t *copy, size_t bytes)
{
	struct mrt_request *request;

	mrt_irecv(copy, bytes, MRT_BYTE, 0, TAG_TOKEN, MRT_COMM_WORLD,
		  &request);
	hop_send(token, bytes);
	mrt_wait(&request, MRT_STATUS_IGNORE);
	token[0] = copy[0] + 1;
}

static void lap(uint64_t *token, uint64_t *copy, size_t bytes)
{
	if (mrt_size(MRT_COMM_WORLD) == 1) {
		lap_alone(token, copy, bytes);
	} else if (mrt_rank(MRT_COMM_WORLD) == 0) {
		hop_send(token, bytes);
		hop_recv(token, bytes);
	} else {
		hop_recv(token, bytes);
		hop_send(token, bytes);
	}
}

static int report(const struct options *opt, double seconds, uint64_t counted)
{
	uint64_t hops =
	    (uint64_t)mrt_size(MRT_COMM_WORLD) * (uint64_t)opt->laps;

	printf("%d ranks, %ld laps of %zu bytes: %.6f s, %.3f us a hop\n",
	       mrt_size(MRT_COMM_WORLD), opt->laps, opt->bytes, seconds,
	       seconds * 1e6 / (double)hops);
	if (counted == hops)
		return APP_OK;
	app_error("mrt-ring: the token counted %llu hops instead of %llu",
		  (unsigned long long)counted, (unsigned long long)hops);
	return APP_FAILED;
}

static int run(const struct options *opt)
{
	uint64_t *token = app_alloc(opt->bytes, 1);
	uint64_t *copy = app_alloc(opt->bytes, 1);
	double start, seconds;
	int code = APP_OK;

	mrt_barrier(MRT_COMM_WORLD);
	start = mrt_wtime();
	for (long i = 0; i < opt->laps; i++)
		lap(token, copy, opt->bytes);
	seconds = mrt_wtime() - start;
	if (mrt_rank(MRT_COMM_WORLD) == 0)
		code = report(opt, seconds, token[0]);
	free(copy);
	free(token);
	return code;
}

/* Returns -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct options *opt)
{
	static const struct option longs[] = {
	    {"laps", required_argument, NULL, 'l'},
	    {"bytes", required_argument, NULL, 'b'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'},
	    {NULL, 0, NULL, 0}};
	int c, bad = 0;

	opterr = mrt_rank(MRT_COMM_WORLD) == 0;
	while ((c = getopt_long(argc, argv, "l:b:hV", longs, NULL)) != -1) {
		if (c == 'l')
			bad |= app_parse_long(optarg, 1, 1L << 40, &opt->laps);
		else if (c == 'b')
			bad |= app_parse_size(optarg, &opt->bytes) ||
			       opt->bytes < 8;
		else if (c == 'h')
			return app_print("%s", usage);
		else if (c == 'V')
			return app_print("mrt-ring: %s\n", mrt_version());
		else
			return APP_USAGE;
	}
	if (bad || optind < argc) {
		app_error("mrt-ring: bad argument; see mrt-ring --help");
		return APP_USAGE;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct options opt = {.laps = 1000, .bytes = 8};
	int code;

	mrt_init(&argc, &argv);
	code = parse(argc, argv, &opt);
	if (code < 0)
		code = run(&opt);
	mrt_finalize();
	return code;
}
