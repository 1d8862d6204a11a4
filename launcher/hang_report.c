/* SPDX-License-Identifier: Apache-2.0 */
/* hang_report.c: reads the ranks' hang records. */

#include "launcher/hang_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launcher/job_end.h"
#include "launcher/loop.h"
#include "launcher/say.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/hang.h"
#include "runtime/base/hang_record.h"

_Static_assert((int)HANG_EVENTS >= (int)HANG_PAST, "they fit");
static const uint64_t SECOND = 1000000000;

static int fd = -1;
static uint64_t next_check, next_warning; /* clock; length of a wait, ns */

/* Returns the interval of checks in ns, a tenth of the shorter limit; 0 if both
 * are off. */
static uint64_t hang_report_period(void)
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
	next_check = clock_ns() + hang_report_period();
}

void hang_report_fini(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static bool read_record(int rank, struct hang_record *r)
{
	return hang_record_read(fd, rank * (off_t)sizeof(*r), r);
}

bool hang_report_left(int rank)
{
	struct hang_record r;

	return read_record(rank, &r) && r.left;
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
		e->ago = (double)(now - w->noted) / (double)SECOND;
		snprintf(e->text, sizeof(e->text), "%.90s, for %.1f s", w->text,
			 (double)(w->noted - w->began) / (double)SECOND);
		line->nevents++;
	}
}

static struct hang_line hang_report_describe(const struct rank *rank)
{
	struct hang_line line = {.rank = rank->rank,
				 .pid = (int)rank->pid,
				 .kind = HANG_ENDED,
				 .needs = -1,
				 .text = "X"};
	struct hang_record r;

	if (!rank->running)
		return line;
	hang_record_describe(read_record(rank->rank, &r) ? &r : NULL, line.pid,
			     &line);
	if (line.kind == HANG_RUNS && rank->finalized)
		line.kind = HANG_FINALIZED;
	else if (line.kind == HANG_RUNS && !rank->connected)
		line.kind = HANG_NEW;
	return line;
}

void hang_report_print(const struct job *job)
{
	struct hang_line *lines = malloc((size_t)job->nranks * sizeof(*lines));

	for (int r = 0; lines && r < job->nranks; r++) {
		lines[r] = hang_report_describe(&job->ranks[r]);
		hang_trace_read(job, r, &lines[r]);
		if (!lines[r].nevents)
			add_waits(r, &lines[r]);
	}
	if (lines) {
		hang_group_print(lines, job->nranks, say_error);
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
		uint64_t waited = job->ranks[k].running && read_record(k, &r)
				      ? hang_record_waited(&r, false)
				      : 0;

		if (waited <= *longest)
			continue;
		*longest = waited;
		*its = r;
		found = &job->ranks[k];
	}
	return found;
}

static void hang_report_warn(const struct job *job, const struct rank *rank,
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

	if (!hang_report_period() || now < next_check ||
	    job->ending != END_NOT_YET)
		return;
	next_check = now + hang_report_period();
	rank = find_longest(job, &waited, &its);
	if (waited < (uint64_t)env.hang_warn * SECOND)
		next_warning = (uint64_t)env.hang_warn * SECOND;
	if (rank && env.hang_timeout &&
	    waited >= (uint64_t)env.hang_timeout * SECOND)
		give_up(job, rank, &its);
	else if (rank && env.hang_warn && waited >= next_warning)
		hang_report_warn(job, rank, waited);
}

int hang_report_timeout_ms(void)
{
	return hang_report_period() && fd >= 0 ? loop_ms_until(next_check) : -1;
}
