/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c: mrt-tune measures every algorithm of every collective on this
 * machine, and writes the file that MRT_TUNE_FILE names. */
#include "tools/tune/tune.h"

#include "apps/common/app.h"

#include <stdlib.h>
#include <string.h>

#define COLLECTIVES_MAX 32

static const char usage[] =
    "Usage: mrun -n N mrt-tune [OPTIONS] [COLLECTIVE]...\n"
    "Times all algorithms of the collectives named, or of all: barrier bcast\n"
    "reduce allreduce gather scatter allgather allgatherv alltoall\n"
    "reduce_scatter_block reduce_scatter scan exscan.\n\n"
    "  -o, --output FILE     write a tuning file, for MRT_TUNE_FILE\n"
    "  -m, --sizes SIZES     MIN:MAX by powers of two, or a list 8,1K (8:4M)\n"
    "  -r, --rounds N        number of rounds; the median counts (7)\n"
    "  -t, --time SECONDS    time per algorithm and size (0.02)\n"
    "      --margin PERCENT  by how much an algorithm must be faster than the\n"
    "                        default to replace it (5)\n"
    "      --csv, --json     print all times as CSV or JSON\n"
    "  -h, --help            print this text\n"
    "  -V, --version         print the version\n";

struct list {
	const struct tune_collective *item[COLLECTIVES_MAX];
	int n;
};

static int tune_apply(int c, void *arg)
{
	struct tune *t = arg;
	double percent;
	long n;

	switch (c) {
	case 'o':
		t->file = optarg;
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

static int tune_choose(struct list *list, const char *name)
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
		tune_choose(list, NULL);
	for (; optind < argc; optind++)
		if (tune_choose(list, argv[optind]))
			return app_error(
			    APP_USAGE,
			    "mrt-tune: %s is not timed; see mrt-tune "
			    "--help",
			    argv[optind]);
	return -1;
}

/* Returns -1 to go on, or the exit code. */
static int tune_parse(int argc, char **argv, struct tune *t, struct list *list)
{
	static const struct app_options options = {"mrt-tune", usage, "MCJ",
						   tune_apply};
	int code = app_parse_options(argc, argv, &options, t, t->me == 0);

	return code < 0 ? parse_names(argc, argv, list) : code;
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

static void measure_tune(struct tune *t, struct tune_times *times)
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
static int tune_finish(const struct tune *t, const struct tune_times *all,
		       int n)
{
	tune_out_end(t);
	return t->file && tune_write(t, all, n) ? APP_CANTCREAT : APP_OK;
}

static int run_tune(struct tune *t, const struct list *list)
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
		measure_tune(t, &all[i]);
	if (t->me == 0)
		code = tune_finish(t, all, list->n);
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

	sizes_parse(&t.sizes, "8:4M");
	mrt_init(&argc, &argv);
	t.me = mrt_rank(MRT_COMM_WORLD);
	t.ranks = mrt_size(MRT_COMM_WORLD);
	code = tune_parse(argc, argv, &t, &list);
	if (code < 0)
		code = run_tune(&t, &list);
	mrt_finalize();
	return code;
}
