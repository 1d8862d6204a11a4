/* SPDX-License-Identifier: Apache-2.0 */
/* fault_storm.h: between the storm of failures and its collectives. */
#ifndef TESTS_FAULT_STORM_H
#define TESTS_FAULT_STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mrt_lib.h>

enum { FS_GUARD = 64 }; /* bytes before and behind every buffer */

struct fault_storm {
	int rank, size;
	uint64_t seed;
	const char *phase;	 /* for whoever finds it stuck */
	bool deadly;		 /* a fault is to come: it ends this process */
	unsigned long good, bad; /* requests and collectives, how they ended */
};
extern struct fault_storm fs;

/* What must not be: says so with seed, rank and phase, and ends the job. */
void fs_wrong(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* A call has returned rc: counts it. An error must be a code of mrt.h and have
 * a detail that names a rank; a fault ends this process as it should. */
int fs_result(const char *call, int rc);

/* With guards, filled; fs_free looks whether the guards are as they were. */
void *fs_alloc(size_t len, int fill);
void fs_check(const void *buf, size_t len);
void fs_free(void *buf, size_t len);

/* Some collectives of this seed, the same on all ranks. */
void fs_collectives(uint64_t *random);
/* Communicators are made, used and freed. */
void fs_communicators(uint64_t *random);
#endif
