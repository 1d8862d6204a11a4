/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c: mrt-tune measures every algorithm of every collective on this
 * machine, and writes the file that MRT_TUNE_FILE names. */
#include "tools/tune/tune.h"

#include "apps/common/app.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define COLLECTIVES_MAX 32

static const char usage[] =
    "Usage: mrun -n N mrt-tune [OPTIONS] [COLLECTIVE]...\n"
    "Times all algorithms of the collectives named, or of all: barrier bcast\n"
    "reduce allreduce gather scatter allgather allgatherv alltoall\n"
    "reduce_scatter_block reduce_scatter scan exscan.\n\n"
    "  -o, --output FILE     write a tuning file, for MRT_TUNE_FILE\n"
    "      --svg DIR         draw DIR/COLLECTIVE.svg, time over size\n"
    "  -m, --sizes SIZES     MIN:MAX by powers of two, or a list 8,1K (8:4M)\n"
    "  -r, --rounds N        rounds; the median counts (7)\n"
    "  -t, --time SECONDS    time for an algorithm and a size (0.02)\n"
    "      --margin PERCENT  by which an algorithm must be faster than the\n"
    "                        default choice to replace it (5)\n"
    "      --csv, --json     all times, for programs\n"
    "  -h, --help            this text\n"
    "  -V, --version         the version\n";

struct list {
	const struct tune_collective *item[COLLECTIVES_MAX];
	int n;
};

static int parse_option(int c, struct tune *t)
{
	double percent;
	long n;

	switch (c) {
	case 'o':
		t->file = optarg;
		return 0;
	case 'S':
		t->svg = optarg;
		return 0;
	case 'm':
		return sizes_parse(&t->sizes, optarg);
	case 'r':
		if (app_parse_long(optarg, 1, TUNE_ROUNDS_MAX, &n))
			return -1;
		t->rounds = (int)n;
		return 0;
	case 't':
		return app_parse_double(optarg, 1e-6, 3600, &t->budget);
	case 'M':
		if (app_parse_double(optarg, 0, 1000, &percent))
			return -1;
		t->margin = percent / 100;
		return 0;
	default:
		t->format = c == 'C' ? TUNE_CSV : TUNE_JSON;
		return 0;
	}
}

static int choose(struct list *list, const char *name)
{
	int found = 0;

	for (const struct tune_collective *c = tune_collectives; c->name; c++)
		if ((!name || !strcmp(c->name, name)) &&
		    list->n < COLLECTIVES_MAX) {
			list->item[list->n++] = c;
			found = 1;
		}
	return found ? 0 : -1;
}

static int parse_names(int argc, char **argv, struct list *list)
{
	if (optind == argc)
		choose(list, NULL);
	for (; optind < argc; optind++)
		if (choose(list, argv[optind])) {
			app_error("mrt-tune: %s is not timed; see mrt-tune "
				  "--help",
				  argv[optind]);
			return APP_USAGE;
		}
	return -1;
}

/* Returns -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct tune *t, struct list *list)
{
	static const struct option longs[] = {
	    {"output", required_argument, NULL, 'o'},
	    {"svg", required_argument, NULL, 'S'},
	    {"sizes", required_argument, NULL, 'm'},
	    {"rounds", required_argument, NULL, 'r'},
	    {"time", required_argument, NULL, 't'},
	    {"margin", required_argument, NULL, 'M'},
	    {"csv", no_argument, NULL, 'C'},
	    {"json", no_argument, NULL, 'J'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'},
	    {NULL, 0, NULL, 0}};
	int c;

	opterr = t->me == 0;
	while ((c = getopt_long(argc, argv, "o:m:r:t:hV", longs, NULL)) != -1) {
		if (c == 'h')
			return app_print("%s", usage);
		if (c == 'V')
			return app_print("mrt-tune: %s\n", mrt_version());
		if (c == '?')
			return APP_USAGE;
		if (parse_option(c, t)) {
			app_error("mrt-tune: bad value %s", optarg);
			return APP_USAGE;
		}
	}
	return parse_names(argc, argv, list);
}

/* Allocates buffers for the largest size of each collective. */
static void get_buffers(struct tune *t, const struct tune_times *all, int n)
{
	size_t most = 1;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < all[i].nsizes; k++) {
			size_t bytes = all[i].bytes[k];

			if (all[i].collective->blocks)
				bytes *= (size_t)t->ranks;
			most = bytes > most ? bytes : most;
		}
	t->send = app_alloc(most, 1);
	t->recv = app_alloc(most, 1);
	t->counts = app_alloc((size_t)t->ranks, sizeof(*t->counts));
	t->displs = app_alloc((size_t)t->ranks, sizeof(*t->displs));
}

static void measure(struct tune *t, struct tune_times *times)
{
	if (t->me == 0)
		tune_out_collective(t, times);
	for (int k = 0; k < times->nsizes; k++) {
		tune_measure(t, times, k);
		if (t->me == 0)
			tune_out_size(t, times, k);
	}
}

/* Rank 0 only. */
static int finish(const struct tune *t, const struct tune_times *all, int n)
{
	int bad = 0;

	tune_out_end(t);
	if (t->file)
		bad |= tune_write(t, all, n);
	for (int i = 0; t->svg && i < n && !bad; i++)
		bad |= tune_plot(t, &all[i]);
	return bad ? APP_CANTCREAT : APP_OK;
}

static int run(struct tune *t, const struct list *list)
{
	struct tune_times *all = app_alloc((size_t)list->n, sizeof(*all));
	int code = APP_OK;

	for (int i = 0; i < list->n; i++)
		tune_prepare(t, list->item[i], &all[i]);
	get_buffers(t, all, list->n);
	t->progress = app_progress_wanted();
	if (t->me == 0)
		tune_out_begin(t);
	for (int i = 0; i < list->n; i++)
		measure(t, &all[i]);
	if (t->me == 0)
		code = finish(t, all, list->n);
	free(t->send);
	free(t->recv);
	free(t->counts);
	free(t->displs);
	free(all);
	return code;
}

int main(int argc, char **argv)
{
	static struct tune t = {.rounds = 7, .budget = 0.02, .margin = 0.05};
	static struct list list;
	int code;

	signal(SIGPIPE, SIG_IGN); /* gnuplot may end early */
	sizes_parse(&t.sizes, "8:4M");
	mrt_init(&argc, &argv);
	t.me = mrt_rank(MRT_COMM_WORLD);
	t.ranks = mrt_size(MRT_COMM_WORLD);
	code = parse(argc, argv, &t, &list);
	if (code < 0)
		code = run(&t, &list);
	mrt_finalize();
	return code;
}
