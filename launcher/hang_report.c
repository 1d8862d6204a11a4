/* SPDX-License-Identifier: Apache-2.0 */
/* hang_report.c: reads the ranks' hang records and their state in /proc. */
#include "config.h"

#include "launcher/hang_report.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/hang_group.h"
#include "launcher/job_end.h"
#include "launcher/loop.h"
#include "launcher/say.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/hang.h"

_Static_assert((int)HANG_EVENTS >= (int)HANG_PAST, "they fit");
_Static_assert(sizeof(((struct hang_record *)0)->text) == HANG_TEXT,
	       "a line holds the text of a record");

enum { TORN = 100 }; /* attempts to read a record that is being written */
static const uint64_t SECOND = 1000000000;

static int fd = -1;
static uint64_t next_check, next_warning; /* clock; length of a wait, ns */

/* Returns the interval of checks in ns, a tenth of the shorter limit; 0 if both
 * are off. */
static uint64_t period(void)
{
	uint64_t limit = (uint64_t)env.hang_warn,
		 t = (uint64_t)env.hang_timeout;

	if (t && (!limit || t < limit))
		limit = t;
	return limit * SECOND / 10;
}

void hang_report_init(const struct job *job)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/" HANG_FILE, job->dir);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		say_verbose("no hang report: cannot make %s", path);
	next_warning = (uint64_t)env.hang_warn * SECOND;
	next_check = clock_ns() + period();
}

void hang_report_fini(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static bool read_record(int rank, struct hang_record *r)
{
	off_t at = (off_t)rank * (off_t)sizeof(*r);

	for (int tries = 0; fd >= 0 && tries < TORN; tries++) {
		if (pread(fd, r, sizeof(*r), at) != (ssize_t)sizeof(*r))
			return false;
		if (r->seq == r->seq_end)
			return true;
	}
	return false;
}

bool hang_report_left(int rank)
{
	struct hang_record r;

	return read_record(rank, &r) && r.left;
}

/* The rank may have written anything. */
static void clean(char *text, size_t len)
{
	text[len - 1] = '\0';
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
}

/* Adds the long waits of a rank that have ended, the oldest first. */
static void add_waits(int rank, struct hang_line *line)
{
	const uint64_t now = clock_ns();
	struct hang_record r;
	uint64_t k;

	if (!read_record(rank, &r))
		return;
	for (k = r.waits > HANG_PAST ? r.waits - HANG_PAST : 0; k < r.waits;
	     k++) {
		struct hang_wait *w = &r.wait[k % HANG_PAST];
		struct hang_event *e = &line->event[line->nevents];

		if (w->noted < w->began || w->noted > now)
			continue;
		clean(w->text, sizeof(w->text));
		e->ago = (double)(now - w->noted) / (double)SECOND;
		snprintf(e->text, sizeof(e->text), "%.90s, for %.1f s", w->text,
			 (double)(w->noted - w->began) / (double)SECOND);
		line->nevents++;
	}
}

/* Returns how long the rank has been in its current wait, or had been when it
 * was stopped, in ns; 0 if it does not wait. */
static uint64_t read_wait(int rank, bool stopped, struct hang_record *r)
{
	uint64_t now = clock_ns();

	if (!read_record(rank, r))
		return 0;
	if (!r->began || r->began > now || r->noted < r->began ||
	    (!stopped && r->noted + HANG_STALE_MS * 1000000ull < now))
		return 0;
	clean(r->text, sizeof(r->text));
	return r->noted -
	       r->began; /* noted: last time the rank was seen waiting */
}

/* Returns the state letter of /proc/PID/stat and the CPU time used; '?' if
 * there is none. */
static char read_state(pid_t pid, double *cpu_s)
{
	unsigned long user = 0, system = 0;
	char path[64], line[1024] = "", state = '?';
	const char *after;
	FILE *f;

	*cpu_s = 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return state;
	after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	if (after &&
	    sscanf(after + 1,
		   " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &state, &user, &system) == 3)
		*cpu_s = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	return state;
}

static struct hang_line describe(const struct rank *rank)
{
	struct hang_line line = {.rank = rank->rank, .pid = (int)rank->pid};
	struct hang_record r;
	double cpu_s = 0;
	char state = 'X';
	uint64_t waited;
	bool stopped;

	if (rank->running)
		state = read_state(rank->pid, &cpu_s);
	stopped = state == 'T' || state == 't';
	waited = read_wait(rank->rank, stopped, &r);
	line.seconds = cpu_s;
	snprintf(line.text, sizeof(line.text), "%c", state);
	if (!rank->running) {
		line.kind = HANG_ENDED;
	} else if (waited) {
		line.kind = stopped ? HANG_STOPPED_WAITS : HANG_WAITS;
		line.seconds = (double)waited / (double)SECOND;
		memcpy(line.text, r.text, sizeof(line.text));
	} else if (stopped) {
		line.kind = HANG_STOPPED;
	} else {
		line.kind = rank->finalized   ? HANG_FINALIZED
			    : rank->connected ? HANG_RUNS
					      : HANG_NEW;
	}
	return line;
}

void hang_report_print(const struct job *job)
{
	struct hang_line *lines = malloc((size_t)job->nranks * sizeof(*lines));

	for (int r = 0; lines && r < job->nranks; r++) {
		lines[r] = describe(&job->ranks[r]);
		hang_trace_read(job, r, &lines[r]);
		if (!lines[r].nevents)
			add_waits(r, &lines[r]);
	}
	if (lines) {
		hang_group_print(lines, job->nranks);
		hang_json_write(job, lines);
	} else {
		say_error("no memory to report what the ranks wait for");
	}
	free(lines);
}

/* Returns the running rank that has waited longest, or NULL if none waits. */
static const struct rank *find_longest(const struct job *job, uint64_t *longest,
				       struct hang_record *its)
{
	const struct rank *found = NULL;
	struct hang_record r;

	*longest = 0;
	for (int k = 0; k < job->nranks; k++) {
		uint64_t waited =
		    job->ranks[k].running ? read_wait(k, false, &r) : 0;

		if (waited <= *longest)
			continue;
		*longest = waited;
		*its = r;
		found = &job->ranks[k];
	}
	return found;
}

static void warn(const struct job *job, const struct rank *rank,
		 uint64_t waited)
{
	say_error("rank %d has waited for %llu s (MRT_HANG_WARN); all ranks:",
		  rank->rank, (unsigned long long)(waited / SECOND));
	hang_report_print(job);
	next_warning = 2 * waited;
}

static void give_up(struct job *job, const struct rank *rank,
		    const struct hang_record *its)
{
	char text[400];

	hang_report_print(job);
	snprintf(
	    text, sizeof(text),
	    "rank %d has waited longer than MRT_HANG_TIMEOUT (%ld s) in %s",
	    rank->rank, env.hang_timeout, its->text);
	job_end_hang(job, text);
}

void hang_report_check(struct job *job)
{
	const uint64_t now = clock_ns();
	const struct rank *rank;
	struct hang_record its;
	uint64_t waited;

	if (!period() || now < next_check || job->ending != END_NOT_YET)
		return;
	next_check = now + period();
	rank = find_longest(job, &waited, &its);
	if (waited < (uint64_t)env.hang_warn * SECOND)
		next_warning = (uint64_t)env.hang_warn * SECOND;
	if (rank && env.hang_timeout &&
	    waited >= (uint64_t)env.hang_timeout * SECOND)
		give_up(job, rank, &its);
	else if (rank && env.hang_warn && waited >= next_warning)
		warn(job, rank, waited);
}

int hang_report_timeout_ms(void)
{
	return period() && fd >= 0 ? loop_ms_until(next_check) : -1;
}
