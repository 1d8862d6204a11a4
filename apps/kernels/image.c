/* SPDX-License-Identifier: Apache-2.0 */
/* image.c: writes pictures (see image.h). */
#include "apps/kernels/image.h"

#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef HAVE_PNG
#include <png.h>
#endif

#define LEVELS 256

static int ends_with(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n > m && !strcasecmp(path + n - m, suffix);
}

int image_supported(const char *path)
{
#ifdef HAVE_PNG
	if (ends_with(path, ".png"))
		return 1;
#endif
	return ends_with(path, ".ppm");
}

/* Maps levels from near black through violet, red and orange to pale yellow.
 * Brightness rises all the way, so the picture also reads in grey. */
static void image_colour(int level, unsigned char rgb[3])
{
	static const unsigned char stops[][3] = {
	    {4, 5, 22},	   {42, 11, 90},   {101, 21, 110}, {159, 42, 99},
	    {212, 72, 66}, {245, 125, 21}, {250, 193, 39}, {252, 255, 164}};
	const int intervals = (int)(sizeof(stops) / sizeof(stops[0])) - 1;
	int scaled = level * intervals;
	int k = scaled / (LEVELS - 1), part = scaled % (LEVELS - 1);

	if (k == intervals) {
		k--;
		part = LEVELS - 1;
	}
	for (int c = 0; c < 3; c++)
		rgb[c] = (unsigned char)((stops[k][c] * (LEVELS - 1 - part) +
					  stops[k + 1][c] * part) /
					 (LEVELS - 1));
}

static int write_ppm(FILE *file, const unsigned char *levels, int nx, int ny)
{
	unsigned char rgb[3];

	fprintf(file, "P6\n%d %d\n255\n", nx, ny);
	for (size_t i = 0; i < (size_t)nx * (size_t)ny; i++) {
		image_colour(levels[i], rgb);
		fwrite(rgb, 1, 3, file);
	}
	return ferror(file) ? -1 : 0;
}

#ifdef HAVE_PNG
/* Uses libpng's simplified interface, which needs no setjmp. */
static int write_png(FILE *file, const unsigned char *levels, int nx, int ny)
{
	unsigned char map[LEVELS * 3];
	png_image image = {.version = PNG_IMAGE_VERSION,
			   .width = (png_uint_32)nx,
			   .height = (png_uint_32)ny,
			   .format = PNG_FORMAT_RGB_COLORMAP,
			   .colormap_entries = LEVELS};

	for (int i = 0; i < LEVELS; i++)
		image_colour(i, map + 3 * i);
	if (png_image_write_to_stdio(&image, file, 0, levels, 0, map))
		return 0;
	errno = EIO;
	return -1;
}
#endif

int image_write(const char *path, const unsigned char *levels, int nx, int ny)
{
	FILE *file = fopen(path, "wb");
	int bad;

	if (!file)
		return -1;
#ifdef HAVE_PNG
	if (ends_with(path, ".png"))
		bad = write_png(file, levels, nx, ny);
	else
#endif
		bad = write_ppm(file, levels, nx, ny);
	return fclose(file) || bad ? -1 : 0;
}
