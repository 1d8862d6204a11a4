/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_group.h: prints what ranks do, as many in one line as do alike, so that
 * the report of a job of any size fits a screen and the odd ones stand out:
 *
 *	1022 ranks (0-6,8-512,514-1023) have waited for 61.2 to 61.5 s in
 *		mrt_barrier of 1024 ranks: rank 0-511
 *	rank 7 (pid 4867) has waited for 61.3 s in mrt_recv: a message from
 *		rank 513 with tag 5
 *	rank 513 (pid 5373) does not wait in libmrt (state S, 0.1 s of CPU time)
 *
 * Beneath the line of a rank or group stands what it, or the first of the
 * group, did before, as far as that is known:
 *
 *	rank 7 before: mrt_barrier of 1024 ranks: rank 3, for 2.1 s (70.0 s ago)
 *
 * Ranks that wait for each other in a circle are a deadlock, which the last
 * line shows:
 *
 *	deadlock: 7 -> 513 -> 7
 *
 * Pure: it only calls `say`, once per line.
 */
#ifndef BASE_HANG_GROUP_H
#define BASE_HANG_GROUP_H

enum {
	HANG_TEXT = 216,  /* bytes of a text, as in struct hang_record */
	HANG_GROUPS = 20, /* lines of a report, but for one about the rest */
	HANG_RANGES = 8,  /* ranges of numbers of which a list consists */
	HANG_EVENTS = 6,  /* of a rank */
	HANG_EVENT = 112, /* bytes of the text of an event */
	HANG_CYCLES = 4,  /* deadlocks that a report shows */
	HANG_CYCLE = 16	  /* ranks that it names of each */
};

enum hang_kind {
	HANG_WAITS,	    /* for `seconds`, in the call `text` */
	HANG_STOPPED_WAITS, /* is stopped, in the call `text` */
	HANG_STOPPED,
	HANG_ENDED,
	HANG_RUNS,	/* outside of libmrt */
	HANG_FINALIZED, /* runs after mrt_finalize */
	HANG_NEW	/* has not called mrt_init */
};

/* Something that a rank did before. */
struct hang_event {
	double ago; /* seconds; -1: not known */
	char text[HANG_EVENT];
};

/* The state of one rank. If it does not wait, `text` is the letter of its
 * state, and `seconds` its CPU time. */
struct hang_line {
	int rank, pid;
	enum hang_kind kind;
	double seconds;
	char text[HANG_TEXT];
	int needs; /* the rank that alone can end the wait; -1: none */
	int group; /* of hang_group_print */
	int nevents;
	struct hang_event event[HANG_EVENTS]; /* the newest last */
};

/* Says a line, which has no newline. */
typedef void hang_say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Says n lines or fewer, at most HANG_GROUPS + 1; and then the deadlocks. The
 * lines are sorted by rank. */
void hang_group_print(struct hang_line *lines, int n, hang_say *say);
/* Says the deadlocks alone (hang_cycle.c). Changes `group` of the lines. */
void hang_cycle_print(struct hang_line *lines, int n, hang_say *say);

/* Writes sorted numbers as in "0-6,8,11-12"; of more than HANG_RANGES ranges
 * only the first ones and the last number: "0,2,4,6,8,10,12,...,1022". */
void hang_group_ranges(const long *numbers, int n, char *text, int len);
#endif
