/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang.h: what a rank waits for, for people who wonder why their job does not
 * get on. Each rank of mrun writes it into a file of the job's directory, one
 * record a rank, once it has waited for a while; mrun reads them whenever it
 * likes, those of ranks that are stopped or stuck as well (hang_report.h).
 * Under other launchers the rank itself warns and gives up.
 */
#ifndef BASE_HANG_H
#define BASE_HANG_H

#include <stdbool.h>
#include <stdint.h>

#define HANG_FILE "waits" /* in the job's directory */
enum {
	HANG_NOTE_MS = 100,   /* a wait that is shorter is not written */
	HANG_STALE_MS = 10000 /* an older record is of a wait that is over */
};

/* times: ns of CLOCK_MONOTONIC. Written by one write(2): a reader that finds
 * two different turns has caught it half-way, and reads again. */
struct hang_record {
	uint64_t seq;
	uint64_t began; /* of the wait; 0: it is over */
	uint64_t noted; /* when it still lasted */
	uint64_t left; /* 1: the rank has done all of mrt_finalize but PMIx's */
	char text[216]; /* "mrt_recv: a message from rank 3 with tag 7" */
	uint64_t seq_end;
};
_Static_assert(sizeof(struct hang_record) == 256, "no padding");

/* Opens the file of the job, if this launcher has made one. */
void hang_open(const char *dir, int rank);
/*
 * For good, not after a start that has failed: says that the rank leaves.
 * PMIx_Finalize gives up after two seconds in which the process may have been
 * stopped: then the launcher only knows by this.
 */
void hang_close(bool for_good);

/*
 * The wait that began then still lasts: to be said again every HANG_NOTE_MS. Of
 * several threads the one that has waited longest is heard.
 * Without a file: warns after MRT_HANG_WARN seconds, and raises a fault after
 * MRT_HANG_TIMEOUT.
 */
void hang_note(const char *text, uint64_t began, uint64_t now);
/* It is over. */
void hang_clear(uint64_t began);
#endif
