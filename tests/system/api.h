/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api.h is the frame of the tests that run on every rank of a job. The cases
 * stand in tables; all ranks run all cases in the same order, and rank 0 prints
 * one line for each.
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

/* A table ends with an entry whose name is NULL. */
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
/* OK expects a call to succeed, FAILS expects it to return a given error
 * code. */
#define OK(call) CHECK((call) == MRT_SUCCESS)
#define FAILS(code, call) CHECK((call) == (code))

/* Runs the cases of a table; rank 0 prints the line of each. */
static inline void api_run(const struct api_case *cases)
{
	int mine, failures = 0;

	for (const struct api_case *c = cases; c->name; c++) {
		mine = api_failures;
		c->run();
		mine = api_failures - mine;
		OK(mrt_allreduce(&mine, &failures, 1, MRT_INT, MRT_SUM, W));
		if (me == 0)
			printf("%sok - %s\n", failures ? "not " : "", c->name);
	}
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
