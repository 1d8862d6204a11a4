/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_colour.c: an algorithm has the same colour and point type, measured or
 * predicted, in all pictures of a test, while there are colours enough. The
 * default is black.
 */
#include "tools/scale/plot.h"

#include <string.h>

/* Colours of Wong, "Points of view: color blindness", Nature Methods 2011, and
 * more. */
static const char *const palette[] = {
    "black",   "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#882255", "#999933", "#332288", "#661100", "#888888", "#44AA99"};
enum { COLOURS = sizeof(palette) / sizeof(palette[0]), FIRST_SIGN = 4 };

static int number_of(const struct plot *p, const char *way)
{
	int k = 0;

	while (k < p->nways && strcmp(p->ways[k], way) != 0)
		k++;
	return k;
}

/* Returns a colour that is not used in this picture and, if
 * possible, in none. */
static int free_colour(const struct plot *p, const int used[COLOURS])
{
	int uses[COLOURS] = {0}, best = 0;

	for (int k = 0; k < p->nways; k++)
		uses[p->colours[k]]++;
	for (int c = 1; c < COLOURS; c++)
		if (!used[c] && (!best || uses[c] < uses[best]))
			best = c;
	return best;
}

void plot_colours(struct plot *p, const struct figure *f,
		  const struct figure *g)
{
	const struct figure *figures[] = {f, g};
	int used[COLOURS] = {0};

	for (int i = 0; i < 2; i++)
		for (int c = 0; c < figures[i]->n; c++) {
			const char *way = figures[i]->curves[c].way;
			int k = number_of(p, way);

			if (!strcmp(way, "default") ||
			    (i && figure_curve(f, way) >= 0))
				continue;
			if (k == p->nways) { /* 8 pictures of 8 curves fit */
				p->ways[p->nways++] = way;
				p->colours[k] = 0;
			}
			if (!p->colours[k] || used[p->colours[k]])
				p->colours[k] = free_colour(p, used);
			used[p->colours[k]] = 1;
		}
}

static int colour_number(const struct plot *p, const char *way)
{
	int k = number_of(p, way);

	return k < p->nways ? p->colours[k] : 0;
}

const char *plot_colour(const struct plot *p, const char *way)
{
	return palette[colour_number(p, way)];
}

int plot_sign(const struct plot *p, const char *way)
{
	return FIRST_SIGN + colour_number(p, way) % 12;
}
