/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat2d.c: mrt-heat2d simulates heat on a plate distributed over a grid of
 * ranks, writes a picture of the end, and checks two physical laws: the total
 * heat is constant, and no cell leaves the initial range of temperatures. It
 * saves its state now and then, and begins there again.
 */
#include "apps/common/app.h"
#include "apps/common/phases.h"
#include "apps/kernels/checkpoint.h"
#include "apps/kernels/grid2d.h"
#include "apps/kernels/heat.h"
#include "apps/kernels/image.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <mrt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_LEVELS = 31 };

/* Seconds between progress lines; steps between readings of the clock. */
#define PROGRESS_EVERY 0.4
#define PROGRESS_STEPS 16

static const char usage[] =
    "Usage: mrun -n N mrt-heat2d [OPTIONS]\n"
    "Solves the heat equation explicitly on a plate with insulated walls.\n\n"
    "  -x, --nx CELLS    cells from west to east (512)\n"
    "  -y, --ny CELLS    cells from north to south (512)\n"
    "  -s, --steps N     time steps (500)\n"
    "  -d, --dt DT       time step, at most 0.25; auto: 0.225 (auto)\n"
    "  -o, --out FILE    picture of the final state, .png or .ppm\n"
    "  -c, --checkpoint FILE  save the state now and then, by way of FILE.new\n"
    "  -e, --every N     save it every N steps (100)\n"
    "  -r, --restart     begin with the state that FILE has, if there is FILE\n"
    "  -q, --quiet       print the last line only\n"
    "  -h, --help        print this text\n"
    "  -V, --version     print the version\n\n"
    "Exit code: 0 success, 1 a check failed, 64 wrong usage, 65 FILE is not\n"
    "whole or of something else, 66 it cannot be read, 73 the picture or FILE\n"
    "cannot be written.\n";

struct options {
	long nx;
	long ny;
	long steps;
	double dt;
	const char *out;
	const char *checkpoint;
	long every;
	int restart;
	int quiet;
};

static int heat2d_apply(int c, void *arg)
{
	struct options *opt = arg;

	switch (c) {
	case 'x':
		return app_parse_long(optarg, 1, 1 << 20, &opt->nx);
	case 'y':
		return app_parse_long(optarg, 1, 1 << 20, &opt->ny);
	case 's':
		return app_parse_long(optarg, 0, LONG_MAX, &opt->steps);
	case 'd':
		if (!strcmp(optarg, "auto"))
			return 0;
		return app_parse_double(optarg, 1e-300, HEAT_DT_MAX, &opt->dt);
	case 'o':
		opt->out = optarg;
		return image_supported(optarg) ? 0 : -1;
	case 'c':
		opt->checkpoint = optarg;
		return strlen(optarg) < PATH_MAX - sizeof(".new") ? 0 : -1;
	case 'e':
		return app_parse_long(optarg, 1, LONG_MAX, &opt->every);
	case 'r':
		opt->restart = 1;
		return 0;
	default:
		opt->quiet = 1;
		return 0;
	}
}

/* Returns -1 to go on, or the exit code. */
static int heat2d_parse(int argc, char **argv, struct options *opt)
{
	static const struct app_options options = {"mrt-heat2d", usage, "",
						   heat2d_apply};
	int code = app_parse_options(argc, argv, &options, opt,
				     mrt_rank(MRT_COMM_WORLD) == 0);

	if (code < 0 && optind < argc)
		return app_error(APP_USAGE,
				 "mrt-heat2d: unexpected argument %s",
				 argv[optind]);
	if (code < 0 && opt->restart && !opt->checkpoint)
		return app_error(APP_USAGE,
				 "mrt-heat2d: --restart needs --checkpoint");
	return code;
}

/* Converts temperatures 0..1 of the block to levels 0..255, without
 * the halo. */
static unsigned char *levels_of(const struct heat *h)
{
	const struct grid2d *g = h->g;
	size_t n = (size_t)g->mine[0] * (size_t)g->mine[1];
	unsigned char *levels = app_alloc(n, 1), *to = levels;

	for (int y = 0; y < g->mine[1]; y++)
		for (int x = 0; x < g->mine[0]; x++) {
			double u = h->now[grid2d_at(g, x, y)];

			*to++ = (unsigned char)lrint(255 * fmin(fmax(u, 0), 1));
		}
	return levels;
}

/* Copies the block of `rank` into the whole picture. */
static void place_block(const struct grid2d *g, int rank,
			const unsigned char *block, unsigned char *whole)
{
	int first[2], n[2], place[2];

	place[0] = rank % g->ranks[0];
	place[1] = rank / g->ranks[0];
	for (int d = 0; d < 2; d++)
		n[d] =
		    grid2d_share(g->cells[d], g->ranks[d], place[d], &first[d]);
	for (int y = 0; y < n[1]; y++)
		memcpy(whole + (size_t)(first[1] + y) * (size_t)g->cells[0] +
			   first[0],
		       block + (size_t)y * (size_t)n[0], (size_t)n[0]);
}

/* Collects the blocks on rank 0 and writes the picture. */
static int heat2d_collect(const struct grid2d *g, const unsigned char *mine,
			  const char *path)
{
	size_t cells = (size_t)g->cells[0] * (size_t)g->cells[1];
	unsigned char *whole = app_alloc(cells, 1);
	unsigned char *block = app_alloc(cells, 1);
	int code;

	place_block(g, 0, mine, whole);
	for (int r = 1; r < mrt_size(MRT_COMM_WORLD); r++) {
		mrt_recv(block, cells, MRT_UINT8, r, TAG_LEVELS, MRT_COMM_WORLD,
			 MRT_STATUS_IGNORE);
		place_block(g, r, block, whole);
	}
	code = image_write(path, whole, g->cells[0], g->cells[1]);
	if (code)
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	free(block);
	free(whole);
	return code ? APP_CANTCREAT : APP_OK;
}

static int heat2d_draw(const struct heat *h, const char *path)
{
	const struct grid2d *g = h->g;
	unsigned char *levels = levels_of(h);
	int code = APP_OK;

	if (mrt_rank(MRT_COMM_WORLD) == 0)
		code = heat2d_collect(g, levels, path);
	else
		mrt_send(levels, (size_t)g->mine[0] * (size_t)g->mine[1],
			 MRT_UINT8, 0, TAG_LEVELS, MRT_COMM_WORLD);
	mrt_bcast(&code, 1, MRT_INT, 0, MRT_COMM_WORLD);
	free(levels);
	return code;
}

/* Sets the step to begin at. */
static int heat2d_restart(struct heat *h, const struct options *opt,
			  long *begin)
{
	int code = checkpoint_load(opt->checkpoint, h, begin);

	if (code)
		return code;
	if (*begin > opt->steps)
		return app_error(APP_DATAERR,
				 "mrt-heat2d: %s is of step %ld, after the "
				 "last",
				 opt->checkpoint, *begin);
	if (!opt->quiet)
		app_print("begins at step %ld\n", *begin);
	return APP_OK;
}

static int save_at(long step, struct heat *h, const struct options *opt,
		   struct phases *watch)
{
	int code;

	if (!opt->checkpoint || step % opt->every)
		return APP_OK;
	phases_switch(watch, HEAT_SAVE);
	code = checkpoint_save(opt->checkpoint, h, step);
	phases_switch(watch, HEAT_STENCIL);
	return code;
}

static int take_steps(struct heat *h, const struct options *opt, long begin,
		      struct phases *watch)
{
	int progress = !opt->quiet && app_progress_wanted(), code = APP_OK;
	double shown = 0;

	for (long i = begin; !code && i < opt->steps; i++) {
		heat_step(h, watch);
		code = save_at(i + 1, h, opt, watch);
		if (!progress || i % PROGRESS_STEPS ||
		    mrt_wtime() - shown < PROGRESS_EVERY)
			continue;
		shown = mrt_wtime();
		fprintf(stderr, "\rstep %ld of %ld ", i, opt->steps);
		fflush(stderr);
	}
	if (progress)
		fputs("\r\033[K", stderr);
	return code;
}

/* Rounding changes the total by a few units in its last place per step. */
static int heat2d_report(const struct options *opt, const struct heat_state *a,
			 const struct heat_state *b)
{
	double drift = fabs(b->total - a->total) / a->total;
	int kept = drift <= 1e-13 * sqrt((double)opt->steps + 1);
	int bounded = b->min >= a->min && b->max <= a->max * (1 + 1e-12);

	if (!opt->quiet) {
		app_print("total heat %.12g -> %.12g, drift %.1e: %s\n",
			  a->total, b->total, drift, kept ? "kept" : "LOST");
		app_print("range %.6g..%.6g -> %.6g..%.6g: %s\n", a->min,
			  a->max, b->min, b->max,
			  bounded ? "within" : "EXCEEDED");
	}
	app_print("field hash %016llx\n", (unsigned long long)b->hash);
	if (kept && bounded)
		return APP_OK;
	return app_error(APP_FAILED, "mrt-heat2d: a check failed");
}

/* Draws, prints and checks the end. */
static int heat2d_end(const struct options *opt, const struct heat *h,
		      const struct heat_state *before, struct phases *watch)
{
	struct heat_state after;
	int code = APP_OK, checked;

	phases_switch(watch, HEAT_CHECK);
	heat_state(h, &after);
	phases_switch(watch, HEAT_OUT);
	if (opt->out)
		code = heat2d_draw(h, opt->out);
	if (!opt->quiet)
		phases_print(watch);
	checked = heat2d_report(opt, before, &after);
	return code ? code : checked;
}

static int heat2d_simulate(const struct options *opt, struct grid2d *g)
{
	static const char *const names[] = {
	    "set-up",  "stencil", "halo exchange", "checks", "checkpoints",
	    "picture", NULL};
	struct heat_state before;
	struct phases watch;
	struct heat h;
	long begin = 0;
	int code = APP_OK;

	phases_init(&watch, names, HEAT_SET_UP);
	heat_init(&h, g, opt->dt);
	phases_switch(&watch, HEAT_CHECK);
	heat_state(&h, &before);
	phases_switch(&watch, HEAT_SAVE);
	if (opt->restart)
		code = heat2d_restart(&h, opt, &begin);
	if (!code)
		code = take_steps(&h, opt, begin, &watch);
	if (!code)
		code = heat2d_end(opt, &h, &before, &watch);
	heat_fini(&h);
	return code;
}

static int heat2d_run(const struct options *opt)
{
	struct grid2d g;
	int code;

	if (grid2d_init(&g, (int)opt->nx, (int)opt->ny))
		return app_error(
		    APP_USAGE,
		    "mrt-heat2d: %ld x %ld cells are too few for %d "
		    "ranks",
		    opt->nx, opt->ny, mrt_size(MRT_COMM_WORLD));
	if (!opt->quiet)
		app_print("%ld x %ld cells on %d x %d ranks, %ld steps of "
			  "%.4g\n",
			  opt->nx, opt->ny, g.ranks[0], g.ranks[1], opt->steps,
			  opt->dt);
	code = heat2d_simulate(opt, &g);
	grid2d_fini(&g);
	return code;
}

int main(int argc, char **argv)
{
	struct options opt = {.nx = 512,
			      .ny = 512,
			      .steps = 500,
			      .dt = 0.9 * HEAT_DT_MAX,
			      .every = 100};
	int code;

	/* libmpi_abi, which checkpoints need, has made errors return */
	mrt_set_error_mode(MRT_ERRORS_FATAL);
	mrt_init(&argc, &argv);
	code = heat2d_parse(argc, argv, &opt);
	if (code < 0)
		code = heat2d_run(&opt);
	MPI_Finalize(); /* ends mrt_init, and files */
	return code;
}
