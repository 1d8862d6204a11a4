/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_test.c runs the cases of a program (mpi_test.h). */
#include "tests/mpi/mpi_test.h"

int me, np;
uint64_t mpi_test_seed;

enum { SHOWN = 10 }; /* printed failures of a case at a rank */

static int failures; /* of the running case */
static const char *skipped;
static MPI_Comm frame; /* no wildcard of a case matches its messages */

bool mpi_test_check(bool good, const char *file, int line, const char *text)
{
	if (!good &&
	    __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) <= SHOWN)
		fprintf(stderr, "rank %d: %s:%d: %s\n", me, file, line, text);
	return good;
}

bool mpi_test_equal(long long got, long long want, const char *file, int line,
		    const char *text)
{
	char both[300];

	if (got == want)
		return true;
	snprintf(both, sizeof(both), "%s is %lld, not %lld", text, got, want);
	return mpi_test_check(false, file, line, both);
}

bool mpi_test_error(int code, int class, const char *file, int line,
		    const char *text)
{
	char name[MPI_MAX_ERROR_STRING] = "", both[300];
	int got = code, length;

	if (code != MPI_SUCCESS)
		MPI_Error_class(code, &got);
	if (got == class)
		return true;
	if (code != MPI_SUCCESS)
		MPI_Error_string(code, name, &length);
	snprintf(both, sizeof(both), "%s: class %d, not %d: %.150s", text, got,
		 class, name);
	return mpi_test_check(false, file, line, both);
}

void mpi_test_skip(const char *reason)
{
	skipped = reason;
}

/* Returns the next number of a splitmix64 sequence. */
uint64_t mpi_test_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Adds up the failures of all ranks by messages to rank 0 and back, so that it
 * depends on little of what is tested. No rank begins the next case before. */
static int agree(void)
{
	int sum = failures, one;

	if (me != 0) {
		MPI_Send(&sum, 1, MPI_INT, 0, 0, frame);
		MPI_Recv(&sum, 1, MPI_INT, 0, 0, frame, MPI_STATUS_IGNORE);
		return sum;
	}
	for (int r = 1; r < np; r++) {
		MPI_Recv(&one, 1, MPI_INT, r, 0, frame, MPI_STATUS_IGNORE);
		sum += one;
	}
	for (int r = 1; r < np; r++)
		MPI_Send(&sum, 1, MPI_INT, r, 0, frame);
	return sum;
}

static int run_case(const struct mpi_case *c)
{
	int sum;

	failures = 0;
	skipped = NULL;
	c->run();
	sum = agree();
	if (me == 0) {
		printf("%sok - %s", sum ? "not " : "", c->name);
		printf(skipped && !sum ? " # SKIP %s\n" : "\n", skipped);
		fflush(stdout);
	}
	return sum;
}

static void begin(int *argc, char ***argv)
{
	const char *seed = getenv("MPI_TEST_SEED");
	int initialized;

	mpi_test_seed = seed ? strtoull(seed, NULL, 0) : 1;
	MPI_Initialized(&initialized);
	if (!initialized && MPI_Init(argc, argv))
		exit(1);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &np);
	if (MPI_Comm_dup(MPI_COMM_WORLD, &frame))
		frame = MPI_COMM_WORLD;
	else
		MPI_Comm_set_errhandler(frame, MPI_ERRORS_ARE_FATAL);
}

int mpi_test_run(int argc, char **argv, const struct mpi_case *cases)
{
	int failed = 0;

	begin(&argc, &argv);
	for (const struct mpi_case *c = cases; c->name; c++)
		if (argc < 2 || !strcmp(argv[1], c->name))
			failed += run_case(c);
	if (frame != MPI_COMM_WORLD)
		MPI_Comm_free(&frame);
	if (MPI_Finalize())
		failed++;
	return failed ? 1 : 0;
}
