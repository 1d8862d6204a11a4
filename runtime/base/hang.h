/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang.h: reports what a rank waits for, to explain a job that makes no
 * progress. Each rank under mrun writes one record into a file of the job's
 * directory once it has waited for a while; mrun reads the records at any time,
 * also those of ranks that are stopped or stuck (hang_report.h). Under other
 * launchers the rank itself warns and gives up.
 */
#ifndef BASE_HANG_H
#define BASE_HANG_H

#include <stdbool.h>
#include <stdint.h>

#define HANG_FILE "waits" /* in the job's directory */
enum {
	HANG_NOTE_MS = 100, /* shorter waits are not recorded */
	HANG_STALE_MS =
	    10000 /* an older record tells of a wait that has ended */
};

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
	uint64_t began; /* start of the wait; 0: none */
	uint64_t noted; /* last time it was still going on */
	uint64_t left;	/* 1: all of mrt_finalize but PMIx_Finalize is done */
	uint64_t waits; /* how many have ended; the last ones are in `wait` */
	struct hang_wait wait[HANG_PAST]; /* a ring */
	char text[216]; /* "mrt_recv: a message from rank 3 with tag 7" */
	uint64_t seq_end;
};
_Static_assert(sizeof(struct hang_record) == 776, "no padding");

/* Opens the job's file if the launcher has made one. */
void hang_open(const char *dir, int rank);
/* Closes the file. for_good (not after a failed start) records that the rank
 * leaves: PMIx_Finalize gives up after two seconds, in which the process may
 * have been stopped, and then this is how the launcher knows. */
void hang_close(bool for_good);

/* Records that the wait that began then still lasts; to be called every
 * HANG_NOTE_MS. With several threads the longest wait is recorded. Without a
 * file it warns after MRT_HANG_WARN seconds and raises a fault after
 * MRT_HANG_TIMEOUT. */
void hang_note(const char *text, uint64_t began, uint64_t now);
/* Records that the wait that began then has ended; with `keep` it stays as one
 * of the last. */
void hang_clear(uint64_t began, bool keep);
#endif
