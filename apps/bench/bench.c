/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c: mrt-bench measures latency, bandwidth, message rate and collectives
 * over sizes. The number of iterations is chosen by time, so that a run ends
 * within seconds on a fast fabric and on an oversubscribed machine alike.
 */
#include "apps/bench/bench.h"

#include "apps/common/app.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TESTS_MAX 32
#define ITERATIONS_MAX 10000000L
enum { TURNS = 5 }; /* of the ways that bench_by_turns compares */

static const char usage[] =
    "Usage: mrun -n N mrt-bench [OPTIONS] TEST[:SIZES]...\n"
    "Measures communication. Tests of ranks 0 and 1: latency bw bibw, and of\n"
    "one's window: put get lock_put put_bw get_bw accumulate fetch_add\n"
    "compare_swap; of pairs of ranks: rate; of all ranks: barrier bcast\n"
    "reduce allreduce gather scatter allgather alltoall\n"
    "reduce_scatter_block scan exscan (sizes are of one rank's block); all:\n"
    "all of these; sendv: blocks with gaps, between ranks 0 and 1 (sizes are\n"
    "of a block); pack: derived types, rank 0 alone.\n\n"
    "  -m, --sizes SIZES     MIN:MAX by powers of two, or a list 8,1K,4K\n"
    "  -i, --iterations N    timed iterations (as many as fit in -t)\n"
    "  -x, --warmup N        untimed iterations before (chosen)\n"
    "  -t, --time SECONDS    time for each size (0.1)\n"
    "  -w, --window N        messages in flight in bw, bibw, rate, *_bw (64)\n"
    "  -k, --counts LIST     sendv: blocks per message (16,256)\n"
    "  -g, --strides LIST    sendv: from block to block, in blocks (2,16)\n"
    "  -r, --ranks K         measure a communicator of the first K ranks\n"
    "  -o, --offset BYTES    begin buffers so far behind a page (0; large ones "
    "of\n"
    "                        malloc: 16)\n"
    "  -y, --sync            follow each collective by an untimed barrier\n"
    "  -n, --integers        reduce 64-bit integers instead of doubles\n"
    "  -c, --validate        verify the data; exit 1 if it is wrong\n"
    "      --csv, --json     print CSV or JSON\n"
    "  -h, --help            print this text\n"
    "  -V, --version         print the version\n";

/* A test that was asked for, and its sizes. */
struct chosen {
	const struct bench_test *test;
	struct sizes sizes;
};

struct plan {
	struct bench *bench;
	struct chosen list[TESTS_MAX];
	int n;
	const char *sizes; /* -m, or NULL */
};

/* Returns rank 0's value on all ranks. Collective. */
static long from_root(const struct bench *b, long value)
{
	mrt_bcast(&value, 1, MRT_LONG, 0, b->comm);
	return value;
}

/*
 * Returns the iterations that fill the time allowed. Raises them until they
 * take a measurable part of the time allowed, which also warms up; then
 * computes how many fill it. Each trial is the fastest of three rounds, so that
 * a disturbed one does not decide.
 */
static long choose_iterations(struct bench *b, const struct bench_test *test,
			      size_t bytes)
{
	double each = INFINITY;
	long n = 1, next = 1;

	for (int round = 1; next > 0; round++) {
		double seconds = test->run(b, bytes, n);

		each = fmin(each, seconds / (double)n);
		next = each * (double)n * 8 > b->budget ? n : n * 8;
		if ((round > 2 && each * (double)n > b->budget / 16) ||
		    next > ITERATIONS_MAX)
			next = 0;
		next = from_root(b, next);
		n = next ? next : n;
	}
	n = (long)fmin(ceil(b->budget / each), (double)ITERATIONS_MAX);
	return from_root(b, n);
}

void bench_by_turns(struct bench *b, struct bench_row *rows, int n,
		    double best[])
{
	for (int i = 0; i < n; i++) {
		const struct bench_test *test = rows[i].test;

		best[i] = INFINITY;
		if (b->warmup)
			test->run(b, rows[i].bytes, b->warmup);
		rows[i].iterations = b->iterations;
		if (!b->iterations)
			rows[i].iterations =
			    choose_iterations(b, test, rows[i].bytes) / TURNS +
			    1;
	}
	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < n; i++)
			best[i] = fmin(best[i],
				       rows[i].test->run(b, rows[i].bytes,
							 rows[i].iterations));
}

static double bench_figure(const struct bench *b, const struct bench_row *row,
			   double seconds)
{
	double each = seconds / (double)row->iterations;
	int ways = strcmp(row->test->name, "bibw") ? 1 : 2;
	int pairs = b->ranks / 2;

	switch (row->test->kind) {
	case BENCH_LATENCY:
		return each / 2 * 1e6;
	case BENCH_BANDWIDTH:
		return ways * (double)row->bytes * b->window / each / 1e6;
	case BENCH_RATE:
		return (double)b->window * pairs / each;
	default:
		return each * 1e6;
	}
}

/* Computes average, minimum and maximum over the ranks; for the tests of pairs,
 * the figure of the slowest rank. */
static void bench_summarise(const struct bench *b, struct bench_row *row,
			    double seconds)
{
	double min = 0, sum = 0, max = 0;

	mrt_reduce(&seconds, &min, 1, MRT_DOUBLE, MRT_MIN, 0, b->comm);
	mrt_reduce(&seconds, &sum, 1, MRT_DOUBLE, MRT_SUM, 0, b->comm);
	mrt_reduce(&seconds, &max, 1, MRT_DOUBLE, MRT_MAX, 0, b->comm);
	row->avg = row->min = row->max = bench_figure(b, row, max);
	if (row->test->kind < BENCH_COLLECTIVE)
		return;
	row->avg = bench_figure(b, row, sum / b->ranks);
	row->min = bench_figure(b, row, min);
}

/* Returns the size of each buffer for blocks of `bytes`. */
static size_t buffer_size(const struct bench *b, const struct bench_test *test,
			  size_t bytes)
{
	return test->wide ? bytes * (size_t)b->ranks : bytes;
}

static void bench_fill(const struct bench *b, const struct bench_test *test,
		       size_t bytes)
{
	double *value = (double *)(void *)b->send;
	int64_t *integer = (int64_t *)(void *)b->send;

	memset(b->recv, 0xee, bytes);
	if (test->doubles && b->integers)
		for (size_t i = 0; i < bytes / sizeof(*integer); i++)
			integer[i] = (int64_t)(i % 1000) + b->me;
	else if (test->doubles)
		for (size_t i = 0; i < bytes / sizeof(*value); i++)
			value[i] = (double)(i % 1000) + b->me;
	else
		for (size_t i = 0; i < bytes; i++)
			b->send[i] = bench_pattern(b->me, i);
}

/* Runs one iteration with known data; returns 1 if any rank received other
 * data. */
static int bench_check(struct bench *b, const struct bench_test *test,
		       size_t bytes)
{
	int mine, any = 0;

	bench_fill(b, test, buffer_size(b, test, bytes));
	test->run(b, bytes, 1);
	mine = test->verify(b, bytes) != 0;
	mrt_allreduce(&mine, &any, 1, MRT_INT, MRT_MAX, b->comm);
	return any;
}

static int bench_measure(struct bench *b, const struct bench_test *test,
			 size_t bytes)
{
	struct bench_row row = {.test = test, .bytes = bytes};

	if (b->progress)
		fprintf(stderr, "\r%s %zu bytes \033[K", test->name, bytes);
	if (test->sweep)
		return test->sweep(b, bytes);
	memset(b->send, 0, buffer_size(b, test, bytes));
	memset(b->recv, 0, buffer_size(b, test, bytes));
	if (b->warmup)
		test->run(b, bytes, b->warmup);
	row.iterations = b->iterations;
	if (!row.iterations)
		row.iterations = choose_iterations(b, test, bytes);
	bench_summarise(b, &row, test->run(b, bytes, row.iterations));
	if (b->check)
		row.bad = bench_check(b, test, bytes);
	if (b->progress)
		fputs("\r\033[K", stderr);
	bench_out_row(b, &row);
	return row.bad;
}

static int measure_all(struct bench *b, const struct plan *plan)
{
	int bad = 0;

	bench_out_begin(b);
	for (int i = 0; i < plan->n; i++) {
		const struct chosen *c = &plan->list[i];

		bench_out_test(b, c->test);
		for (int k = 0; k < c->sizes.n; k++)
			bad |= bench_measure(b, c->test, c->sizes.bytes[k]);
	}
	bench_out_end(b);
	return bad ? APP_FAILED : APP_OK;
}

static char *bench_buffer(const struct bench *b, size_t bytes)
{
	void *p;

	if (posix_memalign(&p, 4096, (size_t)b->offset + bytes + 1)) {
		fprintf(stderr, "mrt-bench: no memory for %zu bytes\n", bytes);
		mrt_abort(MRT_COMM_WORLD, APP_RESOURCE);
	}
	return (char *)p + b->offset;
}

static int bench_run(struct bench *b, const struct plan *plan)
{
	size_t largest = 0;
	int code;

	for (int i = 0; i < plan->n; i++) {
		const struct chosen *c = &plan->list[i];

		for (int k = 0; k < c->sizes.n; k++) {
			size_t bytes =
			    buffer_size(b, c->test, c->sizes.bytes[k]);

			largest = bytes > largest ? bytes : largest;
		}
	}
	b->send = bench_buffer(b, largest);
	b->recv = bench_buffer(b, largest);
	b->progress = app_progress_wanted() && !isatty(STDOUT_FILENO);
	code = measure_all(b, plan);
	free(b->send - b->offset);
	free(b->recv - b->offset);
	return code;
}

/* Adds the test to the plan; -1 if it needs more ranks than there are. */
static int bench_choose(struct plan *plan, const struct bench_test *test,
			const char *sizes, int ranks)
{
	struct chosen *c = &plan->list[plan->n];

	if (plan->n == TESTS_MAX ||
	    (test->kind < BENCH_COLLECTIVE && ranks < 2))
		return -1;
	c->test = test;
	if (test->min == test->max) /* it has one size */
		sizes = NULL;
	if (sizes ? sizes_parse(&c->sizes, sizes)
		  : sizes_range(&c->sizes, test->min, test->max))
		return -1;
	sizes_at_least(&c->sizes, test->min);
	plan->n++;
	return 0;
}

/* Adds the tests of "latency", "latency:8,1K" or "all". */
static int choose_by_name(struct plan *plan, const char *word, int ranks)
{
	const struct bench_test *lists[] = {bench_p2p_tests,
					    bench_coll_tests,
#ifndef BENCH_MPI_SHIM_H
					    bench_win_tests,
					    bench_sendv_tests,
					    bench_pack_tests,
#endif
					    NULL};
	size_t length = strcspn(word, ":");
	const char *sizes = word[length] ? word + length + 1 : plan->sizes;
	int all = length == 3 && !strncmp(word, "all", 3), found = 0;

	for (int l = 0; lists[l]; l++)
		for (const struct bench_test *t = lists[l]; t->name; t++) {
			if (all && ((t->kind < BENCH_COLLECTIVE && ranks < 2) ||
				    t->sweep))
				continue;
			if (!all && (strlen(t->name) != length ||
				     strncmp(word, t->name, length)))
				continue;
			if (bench_choose(plan, t, sizes, ranks))
				return -1;
			found = 1;
		}
	return found ? 0 : -1;
}

static int bench_apply(int c, void *arg)
{
	struct plan *plan = arg;
	struct bench *b = plan->bench;
	long window, ranks;

	switch (c) {
	case 'm':
		plan->sizes = optarg;
		return 0;
	case 'i':
		return app_parse_long(optarg, 1, 1L << 40, &b->iterations);
	case 'x':
		return app_parse_long(optarg, 0, 1L << 40, &b->warmup);
	case 't':
		return app_parse_double(optarg, 1e-6, 3600, &b->budget);
	case 'w':
		if (app_parse_long(optarg, 1, BENCH_WINDOW_MAX, &window))
			return -1;
		b->window = (int)window;
		return 0;
	case 'k':
		return sizes_parse(&b->counts, optarg) ||
		       !sizes_at_least(&b->counts, 1);
	case 'g':
		return sizes_parse(&b->gaps, optarg) ||
		       !sizes_at_least(&b->gaps, 1);
	case 'r':
		if (app_parse_long(optarg, 1, b->ranks, &ranks))
			return -1;
		b->ranks = (int)ranks;
		return 0;
	case 'o':
		return app_parse_long(optarg, 0, 1L << 20, &b->offset);
	case 'n':
		b->integers = 1;
		return 0;
	case 'y':
		b->sync = 1;
		return 0;
	case 'c':
		b->check = 1;
		return 0;
	default:
		b->format = c == 'C' ? BENCH_CSV : BENCH_JSON;
		return 0;
	}
}

static int parse_tests(int argc, char **argv, struct bench *b,
		       struct plan *plan)
{
	if (optind == argc)
		return app_error(
		    APP_USAGE,
		    "mrt-bench: no test named; see mrt-bench --help");
	for (; optind < argc; optind++)
		if (choose_by_name(plan, argv[optind], b->ranks))
			return app_error(
			    APP_USAGE,
			    "mrt-bench: %s: no such test, bad sizes, or "
			    "too few ranks (%d)",
			    argv[optind], b->ranks);
	return -1;
}

/* Returns -1 to go on, or the exit code. */
static int bench_parse(int argc, char **argv, struct bench *b,
		       struct plan *plan)
{
	static const struct app_options options = {"mrt-bench", usage, "CJ",
						   bench_apply};
	int code;

	plan->bench = b;
	code = app_parse_options(argc, argv, &options, plan, b->me == 0);
	return code < 0 ? parse_tests(argc, argv, b, plan) : code;
}

/* Runs the plan in a communicator of the first b->ranks ranks. */
static int run_among(struct bench *b, const struct plan *plan)
{
	int part = b->ranks < mrt_size(MRT_COMM_WORLD);
	int code;

	b->comm = MRT_COMM_WORLD;
	if (part)
		mrt_comm_split(MRT_COMM_WORLD,
			       b->me < b->ranks ? 0 : MRT_UNDEFINED, 0,
			       &b->comm);
	if (b->comm == MRT_COMM_NULL)
		return 0;
	code = bench_run(b, plan);
	if (part)
		mrt_comm_free(&b->comm);
	return code;
}

int main(int argc, char **argv)
{
	static struct bench b = {.window = 64,
				 .budget = 0.1,
				 .counts = {2, {16, 256}},
				 .gaps = {2, {2, 16}}};
	static struct plan plan;
	int code;

	mrt_init(&argc, &argv);
	b.me = mrt_rank(MRT_COMM_WORLD);
	b.ranks = mrt_size(MRT_COMM_WORLD);
	code = bench_parse(argc, argv, &b, &plan);
	if (code < 0)
		code = run_among(&b, &plan);
	mrt_finalize();
	return code;
}
