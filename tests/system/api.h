/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api.h: the frame of tests that run on every rank of a job: cases in tables,
 * all of which all ranks run in the same order; rank 0 prints one line each.
 */
#ifndef TESTS_API_H
#define TESTS_API_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mrt_lib.h>

struct api_case {
	const char *name;
	void (*run)(void);
};

/* Tables end with a NULL name. */
extern const struct api_case api_misc[], api_p2p[], api_request[], api_comm[],
    api_error[];

extern int me, np; /* rank and size of the world */
extern int api_failures;

#define W MRT_COMM_WORLD
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			api_failures++;                                        \
			fprintf(stderr, "rank %d: %s:%d: %s\n", me, __FILE__,  \
				__LINE__, #condition);                         \
		}                                                              \
	} while (0)
/* A call that must succeed, or fail with a code. */
#define OK(call) CHECK((call) == MRT_SUCCESS)
#define FAILS(code, call) CHECK((call) == (code))

static inline int right_of(int rank)
{
	return (rank + 1) % np;
}

static inline int left_of(int rank)
{
	return (rank + np - 1) % np;
}
#endif
