/* SPDX-License-Identifier: Apache-2.0 */
/* fault_storm.h connects the storm of failures with its collectives. */
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
	const char *phase;	 /* reported if the program hangs */
	bool deadly;		 /* a fault is to come and ends this process */
	unsigned long good, bad; /* requests and collectives, by their result */
};
extern struct fault_storm fs;

/* Reports a broken promise with seed, rank and phase, and ends the job. */
void fs_wrong(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/* Counts the result rc of a call. An error must be a code of mrt.h and have a
 * detail that names a rank; a fault ends this process as it should. */
int fs_result(const char *call, int rc);

/* fs_alloc returns memory between guards, filled with a byte; fs_free checks
 * the guards. */
void *fs_alloc(size_t len, int fill);
void fs_check(const void *buf, size_t len);
void fs_free(void *buf, size_t len);

/* Runs some collectives drawn from this seed, which are equal on all ranks. */
void fs_collectives(uint64_t *random);
/* Makes, uses and frees communicators. */
void fs_communicators(uint64_t *random);
#endif
