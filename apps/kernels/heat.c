/* SPDX-License-Identifier: Apache-2.0 */
/* heat.c: the explicit heat equation (see heat.h). */
#include "apps/kernels/heat.h"

#include "apps/common/app.h"
#include "apps/common/exactsum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1 inside the letters "mrt" on a raster in the middle of the plate. */
static int in_letters(double x, double y)
{
	static const char *const raster[] = {
	    "............x....", "............x....", "xx.x..x.xx.xxxx..",
	    "x.x.x.xx..x.x....", "x.x.x.x.....x....", "x.x.x.x.....x..x.",
	    "x...x.x......xx..", "................."};
	int column = (int)floor((x - 0.18) / 0.64 * 17);
	int row = (int)floor((y - 0.34) / 0.32 * 8);

	if (column < 0 || column > 16 || row < 0 || row > 7)
		return 0;
	return raster[row][column] == 'x';
}

static int in_disc(double x, double y, double cx, double cy, double radius)
{
	return (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
}

/* Returns the initial temperature, 0 to 1, at a point of the unit square. */
static double heat_initial(double x, double y)
{
	if (in_letters(x, y))
		return 1;
	if (in_disc(x, y, 0.15, 0.16, 0.09))
		return 0.85;
	if (in_disc(x, y, 0.84, 0.84, 0.11))
		return in_disc(x, y, 0.84, 0.84, 0.07) ? 0 : 0.95;
	if (in_disc(x, y, 0.86, 0.15, 0.07) || in_disc(x, y, 0.14, 0.85, 0.1))
		return 0;
	return 0.3;
}

void heat_init(struct heat *h, struct grid2d *g, double dt)
{
	h->g = g;
	h->dt = dt;
	h->now = app_alloc(grid2d_field(g), sizeof(double));
	h->next = app_alloc(grid2d_field(g), sizeof(double));
	for (int y = 0; y < g->mine[1]; y++)
		for (int x = 0; x < g->mine[0]; x++)
			h->now[grid2d_at(g, x, y)] =
			    heat_initial((g->first[0] + x + 0.5) / g->cells[0],
					 (g->first[1] + y + 0.5) / g->cells[1]);
}

void heat_fini(struct heat *h)
{
	free(h->now);
	free(h->next);
}

/* Copies edges at walls into the halo, so that no heat crosses a wall. */
static void heat_insulate(struct heat *h)
{
	const struct grid2d *g = h->g;
	int nx = g->mine[0], ny = g->mine[1];
	size_t row = (size_t)nx * sizeof(double);
	double *u = h->now;

	if (g->neighbour[NORTH] == MRT_PROC_NULL)
		memcpy(u + grid2d_at(g, 0, -1), u + grid2d_at(g, 0, 0), row);
	if (g->neighbour[SOUTH] == MRT_PROC_NULL)
		memcpy(u + grid2d_at(g, 0, ny), u + grid2d_at(g, 0, ny - 1),
		       row);
	for (int y = 0; y < ny; y++) {
		if (g->neighbour[WEST] == MRT_PROC_NULL)
			u[grid2d_at(g, -1, y)] = u[grid2d_at(g, 0, y)];
		if (g->neighbour[EAST] == MRT_PROC_NULL)
			u[grid2d_at(g, nx, y)] = u[grid2d_at(g, nx - 1, y)];
	}
}

/*
 * Computes cells from..to-1 of row y. The sum is symmetric in the four
 * neighbours, and the new value is a convex combination of old ones, which
 * bounds it.
 */
static void heat_stencil(struct heat *h, int y, int from, int to)
{
	size_t at = grid2d_at(h->g, 0, y), stride = (size_t)h->g->stride;
	const double *mid = h->now + at, *up = mid - stride;
	const double *down = mid + stride;
	double *out = h->next + at, dt = h->dt, keep = 1 - 4 * dt;

	for (int x = from; x < to; x++)
		out[x] = keep * mid[x] +
			 dt * ((mid[x - 1] + mid[x + 1]) + (up[x] + down[x]));
}

void heat_step(struct heat *h, struct phases *watch)
{
	int nx = h->g->mine[0], ny = h->g->mine[1];
	double *swap;

	phases_switch(watch, HEAT_HALO);
	grid2d_start(h->g, h->now);
	phases_switch(watch, HEAT_STENCIL);
	for (int y = 1; y < ny - 1; y++)
		heat_stencil(h, y, 1, nx - 1);
	phases_switch(watch, HEAT_HALO);
	grid2d_finish(h->g, h->now);
	phases_switch(watch, HEAT_STENCIL);
	heat_insulate(h);
	heat_stencil(h, 0, 0, nx);
	if (ny > 1)
		heat_stencil(h, ny - 1, 0, nx);
	for (int y = 1; y < ny - 1; y++) {
		heat_stencil(h, y, 0, 1);
		if (nx > 1)
			heat_stencil(h, y, nx - 1, nx);
	}
	swap = h->now;
	h->now = h->next;
	h->next = swap;
}

static uint64_t heat_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Sums hashes of (place, bits), so that the order of cells does not matter. */
uint64_t heat_hash(const struct heat *h)
{
	const struct grid2d *g = h->g;
	uint64_t sum = 0, total, bits;

	for (int y = 0; y < g->mine[1]; y++)
		for (int x = 0; x < g->mine[0]; x++) {
			uint64_t cell = (uint64_t)(g->first[1] + y) *
					    (uint64_t)g->cells[0] +
					(uint64_t)(g->first[0] + x);

			memcpy(&bits, &h->now[grid2d_at(g, x, y)], 8);
			sum += heat_mix(heat_mix(cell + 1) ^ bits);
		}
	mrt_allreduce(&sum, &total, 1, MRT_UINT64, MRT_SUM, MRT_COMM_WORLD);
	return total;
}

void heat_state(const struct heat *h, struct heat_state *state)
{
	const struct grid2d *g = h->g;
	size_t nx = (size_t)g->mine[0];
	double low = INFINITY, high = -INFINITY;
	struct exactsum sum;

	exactsum_init(&sum, (size_t)g->cells[0] * (size_t)g->cells[1], 1);
	do {
		for (int y = 0; y < g->mine[1]; y++)
			exactsum_add(&sum, h->now + grid2d_at(g, 0, y), NULL,
				     nx);
	} while (exactsum_reduce(&sum, 1, &state->total));
	for (int y = 0; y < g->mine[1]; y++)
		for (size_t x = 0; x < nx; x++) {
			double u = h->now[grid2d_at(g, (int)x, y)];

			low = fmin(low, u);
			high = fmax(high, u);
		}
	mrt_allreduce(&low, &state->min, 1, MRT_DOUBLE, MRT_MIN,
		      MRT_COMM_WORLD);
	mrt_allreduce(&high, &state->max, 1, MRT_DOUBLE, MRT_MAX,
		      MRT_COMM_WORLD);
	state->hash = heat_hash(h);
}
