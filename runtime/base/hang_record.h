/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_record.h: the record of what a rank waits for, and how another process
 * of the node reads it, at any time, also that of a rank that is stopped or
 * stuck.
 */
#ifndef BASE_HANG_RECORD_H
#define BASE_HANG_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/hang_group.h"

/* an older record tells of a wait that has ended */
enum { HANG_STALE_MS = 10000 };

/* A long wait that has ended. */
struct hang_wait {
	uint64_t began, noted; /* as in the record */
	char text[112];
};
enum { HANG_PAST = 4 };

/* A rank's record. Times are ns of CLOCK_MONOTONIC. It is written by one
 * write(2); a reader that finds seq and seq_end different has caught a write
 * half-way and reads again. */
struct hang_record {
	uint64_t seq;
	int32_t rank, pid;
	uint64_t began; /* start of the wait; 0: none */
	uint64_t noted; /* last time it was still going on */
	int64_t needs;	/* the rank that alone can end it; -1: none */
	uint64_t left;	/* 1: all of mrt_finalize but PMIx_Finalize is done */
	uint64_t waits; /* how many have ended; the last ones are in `wait` */
	struct hang_wait wait[HANG_PAST]; /* a ring */
	char text[HANG_TEXT]; /* "mrt_recv: a message from rank 3 with tag 7" */
	uint64_t seq_end;
};
_Static_assert(sizeof(struct hang_record) == 792, "no padding");

/* Reads the record at this place of a file, and makes its texts printable: the
 * rank may have written anything. Returns false if there is none. */
bool hang_record_read(int fd, off_t at, struct hang_record *r);

/* Returns how long the rank has been in its current wait, or had been when it
 * was stopped, in ns; 0 if it does not wait. */
uint64_t hang_record_waited(const struct hang_record *r, bool stopped);

/* Returns the state letter of /proc/PID/stat, and sets the CPU time used and
 * the number of threads; '?' if there is none. */
char hang_read_stat(int pid, double *cpu_s, int *threads);

/* Sets kind, seconds and text of a running rank's line; r is NULL if it has no
 * record. */
void hang_record_describe(const struct hang_record *r, int pid,
			  struct hang_line *line);
#endif
