/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cg.c: mrt-cg solves A x = b by preconditioned conjugate gradients, for a
 * matrix from a file or a Poisson problem, and reports the time of each phase.
 */
#include "apps/common/app.h"
#include "apps/common/phases.h"
#include "apps/kernels/dmat.h"
#include "apps/kernels/mm.h"
#include "apps/kernels/pcg.h"

#include <errno.h>
#include <limits.h>
#include <mrt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SOLUTION = 21 };

static const char usage[] =
    "Usage: mrun -n N mrt-cg [OPTIONS] FILE.mtx\n"
    "       mrun -n N mrt-cg [OPTIONS] --poisson NX NY NZ\n"
    "Solves A x = b by preconditioned conjugate gradients, with A symmetric\n"
    "and positive definite, from a Matrix Market file or the 7-point\n"
    "Laplacian.\n\n"
    "  -t, --tol TOL          relative residual to reach (1e-8)\n"
    "  -m, --max-iter N       give up after N iterations (10 per row)\n"
    "  -r, --rhs WHAT         b: ones, random, or row-sums (x = 1) (ones)\n"
    "  -p, --precond WHAT     jacobi or none (jacobi)\n"
    "  -s, --solution FILE    write x as a Matrix Market array\n"
    "      --poisson NX NY NZ\n"
    "                         A: the 7-point Laplacian of this grid\n"
    "  -q, --quiet            print the last line only\n"
    "  -h, --help             print this text\n"
    "  -V, --version          print the version\n\n"
    "Exit code: 0 converged, 1 not converged, 64 wrong usage, 65 the matrix\n"
    "is malformed or not positive definite, 66 the file cannot be read, 73\n"
    "the solution cannot be written.\n";

enum rhs { RHS_ONES, RHS_RANDOM, RHS_ROW_SUMS };

struct options {
	char **argv;
	const char *file;
	long dims[3]; /* of the Poisson problem; dims[0] is 0 for a file */
	enum rhs rhs;
	const char *solution;
	int quiet;
	struct pcg_options pcg;
};

/* Returns the index of `text` in the NULL-terminated list, or -1. */
static int cg_choice(const char *text, const char *const list[])
{
	for (int i = 0; list[i]; i++)
		if (!strcmp(text, list[i]))
			return i;
	return -1;
}

/* Parses NX, which is optarg, and the next two words, NY and NZ. */
static int parse_poisson(struct options *opt)
{
	long product = 1;

	for (int d = 0; d < 3; d++) {
		const char *word = d ? opt->argv[optind] : optarg;

		if (!word || app_parse_long(word, 1, INT_MAX, &opt->dims[d]))
			return -1;
		if (product > (INT_MAX - 1) / opt->dims[d])
			return -1;
		product *= opt->dims[d];
		optind += d > 0;
	}
	return 0;
}

static int cg_apply(int c, void *arg)
{
	static const char *const rhs[] = {"ones", "random", "row-sums", NULL};
	static const char *const precond[] = {"none", "jacobi", NULL};
	struct options *opt = arg;
	int which = 0;

	switch (c) {
	case 't':
		return app_parse_double(optarg, 1e-300, 1, &opt->pcg.tol);
	case 'm':
		return app_parse_long(optarg, 1, LONG_MAX, &opt->pcg.max_iter);
	case 'r':
		which = cg_choice(optarg, rhs);
		opt->rhs = (enum rhs)which;
		break;
	case 'p':
		which = cg_choice(optarg, precond);
		opt->pcg.precond = (enum pcg_precond)which;
		break;
	case 's':
		opt->solution = optarg;
		break;
	case 'q':
		opt->quiet = 1;
		break;
	case 'P':
		return parse_poisson(opt);
	}
	return which < 0 ? -1 : 0;
}

/* Returns -1 to go on, or the exit code. */
static int cg_parse(int argc, char **argv, struct options *opt)
{
	static const struct app_options options = {"mrt-cg", usage, "P",
						   cg_apply};
	int code;

	opt->argv = argv;
	code = app_parse_options(argc, argv, &options, opt,
				 mrt_rank(MRT_COMM_WORLD) == 0);
	if (code >= 0)
		return code;
	if (argc - optind != (opt->dims[0] ? 0 : 1))
		return app_error(APP_USAGE, "mrt-cg: expected FILE.mtx or "
					    "--poisson NX NY NZ");
	opt->file = argv[optind];
	return -1;
}

/* Reads the matrix on rank 0, and refuses it unless it is symmetric. */
static int read_matrix(const char *file, struct csr *a)
{
	int code = mm_read(file, a), row;

	if (code)
		return code;
	row = csr_asymmetric_row(a);
	if (row < 0)
		return 0;
	fprintf(stderr,
		"%s: row %d differs from column %d: the matrix is not "
		"symmetric\n",
		file, row + 1, row + 1);
	csr_fini(a);
	return APP_DATAERR;
}

/* Rank 0 reads the matrix; all ranks return the same code. */
static int cg_load(const struct options *opt, struct dmat *m)
{
	struct csr whole = {0};
	int code = 0;

	if (opt->dims[0]) {
		dmat_poisson(m, opt->dims);
		return 0;
	}
	if (mrt_rank(MRT_COMM_WORLD) == 0)
		code = read_matrix(opt->file, &whole);
	mrt_bcast(&code, 1, MRT_INT, 0, MRT_COMM_WORLD);
	if (code == 0)
		dmat_scatter(m, &whole);
	return code;
}

/* Returns a number in -1..1 that depends on the row number only (SplitMix64,
 * Steele et al. 2014). */
static double random_value(uint64_t row)
{
	uint64_t z = (row + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (double)(z >> 11) * 0x1p-52 - 1;
}

static void fill_rhs(struct dmat *m, enum rhs rhs, double *b)
{
	const struct csr *a = &m->rows;

	for (int i = 0; i < a->rows; i++) {
		b[i] = rhs == RHS_RANDOM
			   ? random_value((uint64_t)m->first + (uint64_t)i)
			   : 1;
		if (rhs != RHS_ROW_SUMS)
			continue;
		b[i] = 0;
		for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
			b[i] += a->val[k];
	}
}

/* Writes the parts of all ranks in order, on rank 0. Returns 0 or an
 * exit code. */
static int write_parts(const struct dmat *m, const double *x, FILE *file)
{
	int ranks = mrt_size(MRT_COMM_WORLD), bad;

	fprintf(file, "%%%%MatrixMarket matrix array real general\n%d 1\n",
		m->n);
	for (int r = 0; r < ranks; r++) {
		size_t n = (size_t)(m->bounds[r + 1] - m->bounds[r]);
		double *part = app_alloc(n, sizeof(*part));

		if (r == 0)
			memcpy(part, x, n * sizeof(*part));
		else
			mrt_recv(part, n, MRT_DOUBLE, r, TAG_SOLUTION,
				 MRT_COMM_WORLD, MRT_STATUS_IGNORE);
		for (size_t i = 0; i < n; i++)
			fprintf(file, "%.17g\n", part[i]);
		free(part);
	}
	bad = ferror(file);
	return fclose(file) || bad ? APP_CANTCREAT : 0;
}

static int write_solution(const struct dmat *m, const double *x,
			  const char *path)
{
	int code = 0, me = mrt_rank(MRT_COMM_WORLD);
	FILE *file = NULL;

	if (me == 0) {
		file = fopen(path, "w");
		code = file ? 0 : APP_CANTCREAT;
	}
	mrt_bcast(&code, 1, MRT_INT, 0, MRT_COMM_WORLD);
	if (code == 0 && me == 0)
		code = write_parts(m, x, file);
	else if (code == 0)
		mrt_send(x, (size_t)m->rows.rows, MRT_DOUBLE, 0, TAG_SOLUTION,
			 MRT_COMM_WORLD);
	mrt_bcast(&code, 1, MRT_INT, 0, MRT_COMM_WORLD);
	return code ? app_error(code, "%s: %s", path, strerror(errno)) : 0;
}

static int cg_report(const struct options *opt, const struct pcg_result *res)
{
	static const char *const outcome[] = {
	    "converged", "not converged: the limit of iterations is reached",
	    "not converged: the residual does not get smaller",
	    "not converged: the matrix is not positive definite"};

	if (!opt->quiet) {
		app_print("%s after %ld iterations", outcome[res->outcome],
			  res->iterations);
		app_print(res->restarts ? ", %ld restarts\n" : "\n",
			  res->restarts);
		phases_print(opt->pcg.watch);
	} else if (res->outcome != PCG_CONVERGED) {
		app_error(0, "mrt-cg: %s", outcome[res->outcome]);
	}
	app_print("relative residual %.1e\n", res->residual);
	if (res->outcome == PCG_INDEFINITE)
		return APP_DATAERR;
	return res->outcome == PCG_CONVERGED ? APP_OK : APP_FAILED;
}

static int cg_run(struct options *opt)
{
	static const char *const names[] = {
	    "reading, distributing", "matrix product", "halo exchange",
	    "dot products",	     "allreduce",      "preconditioner",
	    "vector updates",	     "other",	       NULL};
	struct pcg_result result;
	struct dmat m;
	double *b, *x;
	int code, wrote = 0;

	phases_init(opt->pcg.watch, names, PCG_INPUT);
	code = cg_load(opt, &m);
	if (code)
		return code;
	if (opt->pcg.max_iter == 0)
		opt->pcg.max_iter = 10L * m.n + 100;
	if (!opt->quiet)
		app_print("%d x %d, %zu entries, on %d ranks\n", m.n, m.n,
			  m.nnz, mrt_size(MRT_COMM_WORLD));
	b = dmat_vector(&m);
	x = dmat_vector(&m);
	fill_rhs(&m, opt->rhs, b);
	opt->pcg.progress = !opt->quiet && app_progress_wanted();
	pcg_solve(&m, b, x, &opt->pcg, &result);
	if (opt->solution)
		wrote = write_solution(&m, x, opt->solution);
	code = cg_report(opt, &result);
	free(x);
	free(b);
	dmat_fini(&m);
	return code ? code : wrote;
}

int main(int argc, char **argv)
{
	struct phases watch;
	struct options opt = {
	    .pcg = {.tol = 1e-8, .precond = PCG_JACOBI, .watch = &watch}};
	int code;

	mrt_init(&argc, &argv);
	code = cg_parse(argc, argv, &opt);
	if (code < 0)
		code = cg_run(&opt);
	mrt_finalize();
	return code;
}
