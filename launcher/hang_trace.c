/* SPDX-License-Identifier: Apache-2.0 */
/* hang_trace.c: the last events of a rank, from the file that it traces into
 * (runtime/base/trace_file.h). The rank may be at work, or have written or
 * truncated anything, so the file is read and not mapped. */

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/hang_report.h"
#include "runtime/base/hang_group.h"
#include "runtime/base/clock.h"
#include "runtime/base/trace_file.h"

enum { LOOK = 256 }; /* events that are read at most */

/* Returns the rank's MRT_TRACE, or NULL. */
static const char *folder_of(const struct rank *rank)
{
	static const char name[] = "MRT_TRACE=";

	for (int k = 0; k < rank->app->nenv; k++)
		if (!strncmp(rank->app->env[k], name, sizeof(name) - 1))
			return rank->app->env[k] + sizeof(name) - 1;
	return getenv("MRT_TRACE");
}

/* Reads the head of the file. Returns whether it is a trace of this job. */
static bool read_head(int fd, const struct job *job, struct trace_head *h)
{
	return pread(fd, h, sizeof(*h), 0) == (ssize_t)sizeof(*h) &&
	       !memcmp(h->magic, TRACE_MAGIC, sizeof(h->magic)) &&
	       !strncmp(h->job, job->name, sizeof(h->job)) && h->room &&
	       !(h->room & (h->room - 1));
}

/* Returns how long ago that was, in seconds; -1 if the clock is not known. */
static double hang_trace_ago(const struct trace_head *h, uint64_t ticks)
{
	double span = (double)(h->last.ticks - h->first.ticks);
	double ns = (double)(h->last.monotonic_ns - h->first.monotonic_ns);
	double at = (double)(int64_t)(ticks - h->first.ticks);

	if (span <= 0)
		return -1;
	ns = (double)(int64_t)(clock_ns() - h->first.monotonic_ns) -
	     at * ns / span;
	return ns > 0 ? ns * 1e-9 : 0;
}

/* Describes an event if it is the beginning of a call or step. */
static bool hang_trace_describe(const struct trace_head *h,
				const struct trace_event *e,
				struct hang_event *event)
{
	char *text = event->text;
	const size_t len = sizeof(event->text);
	int n = 0;

	if (e->kind == TRACE_BEGIN)
		n = snprintf(text, len, "step %u", e->number + 1);
	else if (e->kind == TRACE_ENTER && e->name < TRACE_NAMES)
		n = snprintf(text, len, "%.*s", TRACE_NAME_LENGTH - 1,
			     h->name[e->name]);
	else
		return false;
	if (e->kind == TRACE_ENTER && e->collective)
		snprintf(text + n, len - (size_t)n, " %u of %llu bytes",
			 e->number, (unsigned long long)e->bytes);
	else if (e->peer >= 0)
		snprintf(text + n, len - (size_t)n, " of %llu bytes, peer %d",
			 (unsigned long long)e->bytes, e->peer);
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	event->ago = hang_trace_ago(h, e->ticks);
	return true;
}

/* Adds the last events, the oldest first. */
static void hang_trace_add(int fd, const struct trace_head *h,
			   struct hang_line *line)
{
	struct hang_event found[HANG_EVENTS];
	uint64_t end = h->written;
	uint64_t first = end > LOOK ? end - LOOK : 0;
	int n = 0;

	while (end-- > first && n < HANG_EVENTS) {
		uint64_t place = end & (h->room - 1);
		struct trace_event e;

		if (pread(fd, &e, sizeof(e),
			  (off_t)(TRACE_HEAD_BYTES + place * sizeof(e))) !=
		    (ssize_t)sizeof(e))
			break;
		n += hang_trace_describe(h, &e, &found[n]);
	}
	while (n)
		line->event[line->nevents++] = found[--n];
}

void hang_trace_read(const struct job *job, int rank, struct hang_line *line)
{
	const char *folder = folder_of(&job->ranks[rank]);
	static struct trace_head head;
	char path[4096];
	int fd;

	if (!folder || !*folder)
		return;
	snprintf(path, sizeof(path), "%s/" TRACE_FILE, folder, rank);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	if (read_head(fd, job, &head))
		hang_trace_add(fd, &head, line);
	close(fd);
}
