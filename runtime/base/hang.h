/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang.h: reports what a rank waits for, to explain a job that makes no
 * progress. Each rank under mrun writes one record into a file of the job's
 * directory once it has waited for a while; mrun reads the records at any time,
 * also those of ranks that are stopped or stuck (hang_report.h). Under other
 * launchers the rank itself gives up, and the records lie in the memory of the
 * node, where one of its ranks reads them to warn for all.
 */
#ifndef BASE_HANG_H
#define BASE_HANG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define HANG_FILE "waits"    /* in the job's directory */
enum { HANG_NOTE_MS = 100 }; /* shorter waits are not recorded */

/* Opens the job's file if the launcher has made one. */
void hang_open(const char *dir, int rank);
/* Closes the file. for_good (not after a failed start) records that the rank
 * leaves: PMIx_Finalize gives up after two seconds, in which the process may
 * have been stopped, and then this is how the launcher knows. */
void hang_close(bool for_good);

/* Records whether the rank rests, so that its end is as good as one after
 * hang_close. */
void hang_rest(bool rests);

/* Keeps the records of a node's `ranks` ranks at this place of a file of
 * theirs, until hang_unshare, if the launcher has made no file; that of this
 * process, a rank of the job, is number `mine` there. */
void hang_share(int file, off_t at, int ranks, int rank, int mine);
void hang_unshare(void);

/* Records that the wait that began then still lasts, and which rank alone can
 * end it (-1: none, or not known); to be called every HANG_NOTE_MS. With
 * several threads the longest wait is recorded. Where the launcher has made no
 * file, it warns after MRT_HANG_WARN seconds and raises a fault after
 * MRT_HANG_TIMEOUT. */
void hang_note(const char *text, int needs, uint64_t began, uint64_t now);
/* Records that the wait that began then has ended; with `keep` it stays as one
 * of the last. */
void hang_clear(uint64_t began, bool keep);
#endif
