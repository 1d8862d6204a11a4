/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_test.h is the frame of the tests of mpi/, which are written from the
 * standard against <mpi.h> alone, so that any other MPI can run them:
 *
 * mpicc -I . tests/mpi/p2p.c tests/mpi/mpi_test.c
 *
 * A program is a table of cases, which all ranks run in the same order; after
 * each case the ranks agree whether it passed, and rank 0 prints one line of
 * TAP. Errors return on the world, on self and on communicators made from them.
 *
 * static const struct mpi_case cases[] = {{"what", it}, {NULL, NULL}};
 * int main(int argc, char **argv)
 * {
 * 	return mpi_test_run(argc, argv, cases);
 * }
 */
#ifndef TESTS_MPI_TEST_H
#define TESTS_MPI_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

struct mpi_case {
	const char *name;
	void (*run)(void);
};

extern int me, np; /* rank and size of the world */

#define W MPI_COMM_WORLD

/*
 * Runs the cases of a table that ends with a NULL name, and returns the exit
 * code for main. Initializes MPI if the program has not, and finalizes it. With
 * an argument only the case of this name runs.
 */
int mpi_test_run(int argc, char **argv, const struct mpi_case *cases);

/* CHECK fails the case if the condition is false. Any thread may call it. */
#define CHECK(condition)                                                       \
	mpi_test_check(!!(condition), __FILE__, __LINE__, #condition)
/* CHECK_EQ compares two integers of any type. */
#define CHECK_EQ(got, want)                                                    \
	mpi_test_equal((long long)(got), (long long)(want), __FILE__,          \
		       __LINE__, #got)
/* OK expects a call to succeed, the next macros expect an error of a class. */
#define OK(call) mpi_test_error((call), MPI_SUCCESS, __FILE__, __LINE__, #call)
#define CHECK_ERROR(class, call)                                               \
	mpi_test_error((call), (class), __FILE__, __LINE__, #call)

/* Each returns whether the check passed, for checks that make sense only
 * then. */
bool mpi_test_check(bool good, const char *file, int line, const char *text);
bool mpi_test_equal(long long got, long long want, const char *file, int line,
		    const char *text);
bool mpi_test_error(int code, int class, const char *file, int line,
		    const char *text);

/* Marks the case as skipped if it passes; all ranks must call it. */
void mpi_test_skip(const char *reason);

/*
 * Random numbers. The state of a sequence is any number. For a sequence that is
 * equal on all ranks start with mpi_test_seed, which they share (the variable
 * MPI_TEST_SEED); otherwise add the rank.
 */
extern uint64_t mpi_test_seed;
uint64_t mpi_test_random(uint64_t *state);

static inline int random_below(uint64_t *state, int n)
{
	return (int)((mpi_test_random(state) >> 33) % (uint64_t)n);
}

static inline int right_of(int rank)
{
	return (rank + 1) % np;
}

static inline int left_of(int rank)
{
	return (rank + np - 1) % np;
}
#endif
