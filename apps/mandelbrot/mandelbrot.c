/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mandelbrot.c draws the Mandelbrot set by one-sided communication alone, with
 * mpi.h only. The rows of the picture take very different times, so ranks draw
 * the number of their next rows from a counter in a window of rank 0
 * (MPI_Fetch_and_op), and put what they have computed into the picture, another
 * window of rank 0. No rank serves others. With --static each rank computes an
 * equal share of consecutive rows instead.
 */
#include <getopt.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W MPI_COMM_WORLD
enum { USAGE = 64, CANTCREAT = 73 };

static const char usage[] =
    "Usage: mrun -n N mrt-mandelbrot [OPTIONS]\n"
    "Draws the Mandelbrot set; ranks share the rows by a counter in a "
    "window.\n\n"
    "  -s, --size WxH       points (900x600)\n"
    "  -i, --iterations N   of a point, at most (1000)\n"
    "  -r, --rows N         of a task (4)\n"
    "  -S, --static         equal shares instead of tasks\n"
    "  -o, --output FILE    a picture (PGM)\n"
    "  -h, --help           print this text\n";

static struct {
	int width, height, iterations, rows;
	bool equal_shares;
	const char *output;
} options = {900, 600, 1000, 4, false, NULL};

static int me, ranks;

/* ---- The set ---- */

/* Returns the iterations after which a point has left the circle of radius 2.
 */
static int mandelbrot_escape(double re, double im)
{
	double x = 0, y = 0;
	int n = 0;

	while (n < options.iterations && x * x + y * y <= 4) {
		double next = x * x - y * y + re;

		y = 2 * x * y + im;
		x = next;
		n++;
	}
	return n;
}

/* Points that never leave are black. */
static void mandelbrot_compute(int row, int rows, uint8_t *pixel)
{
	for (int y = row; y < row + rows; y++)
		for (int x = 0; x < options.width; x++) {
			int n =
			    mandelbrot_escape(-2.2 + 3.2 * x / options.width,
					      -1.2 + 2.4 * y / options.height);

			*pixel++ = n == options.iterations
				       ? 0
				       : (uint8_t)(255 - n * 8 % 224);
		}
}

/* ---- Sharing ---- */

static MPI_Win counter, picture;

static int next_task(void)
{
	const int64_t one = 1;
	int64_t task;

	MPI_Fetch_and_op(&one, &task, MPI_INT64_T, 0, 0, MPI_SUM, counter);
	MPI_Win_flush(0, counter);
	return (int)task;
}

static void mandelbrot_draw(int row, int rows, uint8_t *pixels)
{
	int bytes;

	if (row + rows > options.height)
		rows = options.height - row;
	bytes = rows * options.width;
	mandelbrot_compute(row, rows, pixels);
	MPI_Put(pixels, bytes, MPI_BYTE, 0, (MPI_Aint)row * options.width,
		bytes, MPI_BYTE, picture);
	MPI_Win_flush(0, picture);
}

/* Returns the tasks that this rank has done. */
static int draw_all(uint8_t *pixels)
{
	int tasks = (options.height + options.rows - 1) / options.rows;
	int first = (int)((long)tasks * me / ranks);
	int end = (int)((long)tasks * (me + 1) / ranks), done = 0;

	if (options.equal_shares)
		for (int t = first; t < end; t++, done++)
			mandelbrot_draw(t * options.rows, options.rows, pixels);
	else
		for (int t = next_task(); t < tasks; t = next_task(), done++)
			mandelbrot_draw(t * options.rows, options.rows, pixels);
	return done;
}

static void mandelbrot_report(const uint8_t *image, double seconds,
			      const int done[])
{
	size_t points = (size_t)options.width * (size_t)options.height;
	uint32_t sum = 1;

	for (size_t k = 0; k < points; k++)
		sum = sum * 31 + image[k];
	printf("%dx%d points, %d ranks, %s: %.3f s, checksum %08x\ntasks:",
	       options.width, options.height, ranks,
	       options.equal_shares ? "equal shares" : "shared counter",
	       seconds, sum);
	for (int r = 0; r < ranks; r++)
		printf(" %d", done[r]);
	puts("");
}

static int write_picture(const uint8_t *image)
{
	size_t points = (size_t)options.width * (size_t)options.height;
	FILE *f = fopen(options.output, "wb");
	bool good = f;

	if (good)
		good = fprintf(f, "P5\n%d %d\n255\n", options.width,
			       options.height) > 0 &&
		       fwrite(image, 1, points, f) == points;
	if (f)
		good = !fclose(f) && good;
	if (!good) {
		fprintf(stderr, "mrt-mandelbrot: cannot write %s\n",
			options.output);
		return CANTCREAT;
	}
	return 0;
}

static int mandelbrot_run(void)
{
	size_t points = (size_t)options.width * (size_t)options.height;
	uint8_t *image, *pixels;
	int64_t *count;
	int *done, mine, code = 0;
	double seconds;

	MPI_Win_allocate(me ? 0 : sizeof(*count), sizeof(*count), MPI_INFO_NULL,
			 W, &count, &counter);
	MPI_Win_allocate(me ? 0 : (MPI_Aint)points, 1, MPI_INFO_NULL, W, &image,
			 &picture);
	pixels = malloc((size_t)options.rows * (size_t)options.width);
	done = calloc((size_t)ranks, sizeof(*done));
	if (!pixels || !done) {
		fputs("mrt-mandelbrot: no memory\n", stderr);
		MPI_Abort(W, 71);
	}
	if (me == 0)
		*count = 0;
	MPI_Win_lock_all(0, counter);
	MPI_Win_lock_all(0, picture);
	MPI_Win_sync(counter);
	MPI_Barrier(W);
	seconds = MPI_Wtime();
	mine = draw_all(pixels);
	MPI_Win_unlock_all(picture);
	MPI_Win_unlock_all(counter);
	MPI_Gather(&mine, 1, MPI_INT, done, 1, MPI_INT, 0, W);
	seconds = MPI_Wtime() - seconds;
	if (me == 0) {
		mandelbrot_report(image, seconds, done);
		if (options.output)
			code = write_picture(image);
	}
	MPI_Bcast(&code, 1, MPI_INT, 0, W);
	free(pixels);
	free(done);
	MPI_Win_free(&picture);
	MPI_Win_free(&counter);
	return code;
}

/* ---- The command line ---- */

static bool mandelbrot_number(const char *text, int *value)
{
	char *end;
	long n = strtol(text, &end, 10);

	*value = (int)n;
	return end != text && !*end && n > 0 && n <= 100000;
}

static bool mandelbrot_size(char *text)
{
	char *x = strchr(text, 'x');

	if (!x)
		return false;
	*x = '\0';
	return mandelbrot_number(text, &options.width) &&
	       mandelbrot_number(x + 1, &options.height);
}

/* Returns -1 to go on, or the exit code. */
static int mandelbrot_parse(int argc, char **argv)
{
	static const struct option longs[] = {
	    {"size", required_argument, NULL, 's'},
	    {"iterations", required_argument, NULL, 'i'},
	    {"rows", required_argument, NULL, 'r'},
	    {"static", no_argument, NULL, 'S'},
	    {"output", required_argument, NULL, 'o'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0}};
	bool good = true;
	int c;

	opterr = me == 0;
	while (good &&
	       (c = getopt_long(argc, argv, "s:i:r:So:h", longs, NULL)) != -1)
		switch (c) {
		case 's':
			good = mandelbrot_size(optarg);
			break;
		case 'i':
			good = mandelbrot_number(optarg, &options.iterations);
			break;
		case 'r':
			good = mandelbrot_number(optarg, &options.rows);
			break;
		case 'S':
			options.equal_shares = true;
			break;
		case 'o':
			options.output = optarg;
			break;
		case 'h':
			if (me == 0)
				fputs(usage, stdout);
			return 0;
		default:
			good = false;
		}
	if (good && optind == argc)
		return -1;
	if (me == 0)
		fputs(usage, stderr);
	return USAGE;
}

int main(int argc, char **argv)
{
	int code;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &me);
	MPI_Comm_size(W, &ranks);
	code = mandelbrot_parse(argc, argv);
	if (code < 0)
		code = mandelbrot_run();
	MPI_Finalize();
	return code;
}
