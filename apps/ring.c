/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c: mrt-ring sends a token round the ring of ranks. Each rank increments
 * it, so that the number of hops proves that it has visited all. */
#include "apps/common/app.h"

#include <mrt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_TOKEN = 1 };

static const char usage[] =
    "Usage: mrun -n N mrt-ring [-l LAPS] [-b BYTES]\n"
    "Sends a token round the ring of ranks and measures the time per hop.\n\n"
    "  -l, --laps LAPS    laps round the ring (1000)\n"
    "  -b, --bytes BYTES  length of the token, at least 8 (8)\n"
    "  -h, --help         print this text\n"
    "  -V, --version      print the version\n";

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

static void ring_lap(uint64_t *token, uint64_t *copy, size_t bytes)
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

static int ring_report(const struct options *opt, double seconds,
		       uint64_t counted)
{
	uint64_t hops =
	    (uint64_t)mrt_size(MRT_COMM_WORLD) * (uint64_t)opt->laps;

	printf("%d ranks, %ld laps of %zu bytes: %.6f s, %.3f us a hop\n",
	       mrt_size(MRT_COMM_WORLD), opt->laps, opt->bytes, seconds,
	       seconds * 1e6 / (double)hops);
	if (counted == hops)
		return APP_OK;
	return app_error(
	    APP_FAILED, "mrt-ring: the token counted %llu hops instead of %llu",
	    (unsigned long long)counted, (unsigned long long)hops);
}

static int ring_run(const struct options *opt)
{
	uint64_t *token = app_alloc(opt->bytes, 1);
	uint64_t *copy = app_alloc(opt->bytes, 1);
	double start, seconds;
	int code = APP_OK;

	mrt_barrier(MRT_COMM_WORLD);
	start = mrt_wtime();
	for (long i = 0; i < opt->laps; i++)
		ring_lap(token, copy, opt->bytes);
	seconds = mrt_wtime() - start;
	if (mrt_rank(MRT_COMM_WORLD) == 0)
		code = ring_report(opt, seconds, token[0]);
	free(copy);
	free(token);
	return code;
}

static int ring_apply(int c, void *arg)
{
	struct options *opt = arg;

	if (c == 'l')
		return app_parse_long(optarg, 1, 1L << 40, &opt->laps);
	return app_parse_size(optarg, &opt->bytes) || opt->bytes < 8 ? -1 : 0;
}

/* Returns -1 to go on, or the exit code. */
static int ring_parse(int argc, char **argv, struct options *opt)
{
	static const struct app_options options = {"mrt-ring", usage, "",
						   ring_apply};
	int code = app_parse_options(argc, argv, &options, opt,
				     mrt_rank(MRT_COMM_WORLD) == 0);

	if (code < 0 && optind < argc)
		return app_error(APP_USAGE, "mrt-ring: unexpected argument %s",
				 argv[optind]);
	return code;
}

int main(int argc, char **argv)
{
	struct options opt = {.laps = 1000, .bytes = 8};
	int code;

	mrt_init(&argc, &argv);
	code = ring_parse(argc, argv, &opt);
	if (code < 0)
		code = ring_run(&opt);
	mrt_finalize();
	return code;
}
