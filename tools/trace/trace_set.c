/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_set.c: maps the traces of a job and checks them. Ranks of a node share
 * a clock. Those of several nodes are compared by the time of day here, and by
 * the calls that ranks make together in trace_align.c.
 */
#include "tools/trace/trace_set.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coll/plan/plan.h"
#include "runtime/base/error.h"

static int trace_set_bad(const char *path, const char *why)
{
	fprintf(stderr, "mrt-trace: %s: %s\n", path, why);
	return EXIT_PROTOCOL;
}

/* ---- one file ------------------------------------------------------------ */

/* Returns what is wrong with the head, or NULL. */
static const char *check_head(const struct trace_head *h, size_t bytes)
{
	if (bytes < TRACE_HEAD_BYTES)
		return "the file is shorter than the head of a trace";
	if (memcmp(h->magic, TRACE_MAGIC, sizeof(h->magic)))
		return "no trace, or one of another version of libmrt";
	if (h->head_bytes != TRACE_HEAD_BYTES ||
	    h->event_bytes != sizeof(struct trace_event) || !h->room ||
	    h->room & (h->room - 1) || h->rank < 0 || h->rank >= h->size ||
	    h->names > TRACE_NAMES || !memchr(h->host, 0, sizeof(h->host)) ||
	    !memchr(h->job, 0, sizeof(h->job)))
		return "the head is damaged";
	if (bytes - TRACE_HEAD_BYTES != h->room * sizeof(struct trace_event))
		return "the file is cut off, or longer than a trace";
	for (uint32_t k = 0; k < h->names; k++)
		if (!memchr(h->name[k], 0, TRACE_NAME_LENGTH))
			return "a name is damaged";
	return NULL;
}

static bool is_event(const struct trace_head *h, const struct trace_event *e)
{
	if (e->kind < TRACE_ENTER || e->kind > TRACE_END)
		return false;
	if (e->kind == TRACE_BEGIN || e->kind == TRACE_STEP)
		return e->step < STEP_KINDS;
	if (e->kind == TRACE_PLAN && e->collective >= COLLECTIVES)
		return false;
	return (e->kind != TRACE_ENTER && e->kind != TRACE_PLAN) ||
	       e->name < h->names;
}

static int check_events(const char *path, const struct rank_trace *r)
{
	char text[80];

	for (uint64_t k = r->first; k < r->end; k++)
		if (!is_event(r->head, trace_at(r, k))) {
			snprintf(text, sizeof(text), "event %llu is damaged",
				 (unsigned long long)k);
			return trace_set_bad(path, text);
		}
	return 0;
}

static int trace_set_check(const char *path, struct rank_trace *r, size_t bytes)
{
	const struct trace_head *h = r->head;
	const char *why = check_head(h, bytes);

	if (why)
		return trace_set_bad(path, why);
	r->ring = (const void *)((const char *)h + TRACE_HEAD_BYTES);
	/* acquire: pairs with the release of a rank that is still at work */
	r->end =
	    atomic_load_explicit(&((struct trace_head *)(uintptr_t)h)->written,
				 memory_order_acquire);
	r->first = r->end > h->room ? r->end - h->room : 0;
	return check_events(path, r);
}

static int read_file(const char *path, struct rank_trace *r)
{
	int rc, fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st))
		return trace_set_bad(path, strerror(errno));
	if (!st.st_size) {
		close(fd);
		return trace_set_bad(path, "the file is empty");
	}
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return trace_set_bad(path, strerror(errno));
	r->head = at;
	rc = trace_set_check(path, r, (size_t)st.st_size);
	if (rc)
		munmap(at, (size_t)st.st_size);
	return rc;
}

/* ---- all files ----------------------------------------------------------- */

static int trace_set_add(const char *folder, int rank, struct trace_set *set)
{
	const struct trace_head *first, *own;
	struct rank_trace *r;
	char path[4096];
	int rc;

	r = realloc(set->rank, (size_t)(set->n + 1) * sizeof(*r));
	if (!r)
		return trace_set_bad(folder, "out of memory");
	set->rank = r;
	snprintf(path, sizeof(path), "%s/" TRACE_FILE, folder, rank);
	memset(&r[set->n], 0, sizeof(*r));
	rc = read_file(path, &r[set->n]);
	if (rc)
		return rc;
	first = r[0].head;
	own = r[set->n++].head;
	if (own->rank != rank)
		return trace_set_bad(path, "the trace of another rank");
	if (own->size != first->size || strcmp(own->job, first->job))
		return trace_set_bad(
		    path, "the trace of another job than that of the "
			  "first file: remove what is older");
	set->size = own->size;
	return 0;
}

static int is_trace(const struct dirent *d)
{
	char name[sizeof(d->d_name) + 16];
	int rank;

	if (sscanf(d->d_name, TRACE_FILE, &rank) != 1)
		return 0;
	snprintf(name, sizeof(name), TRACE_FILE, rank);
	return !strcmp(name, d->d_name);
}

static int rank_of(const struct dirent *d)
{
	int rank = 0;

	sscanf(d->d_name, TRACE_FILE, &rank);
	return rank;
}

static int by_rank(const struct dirent **a, const struct dirent **b)
{
	return rank_of(*a) - rank_of(*b);
}

/* ---- the clock ----------------------------------------------------------- */

static uint64_t trace_set_span(const struct trace_head *h)
{
	return h->last.ticks - h->first.ticks;
}

/* Returns the rank of the same node that saw its clocks for the longest. */
static const struct trace_head *trace_set_longest(const struct trace_set *set,
						  const struct trace_head *h)
{
	for (int k = 0; k < set->n; k++) {
		const struct trace_head *other = set->rank[k].head;

		if (!strcmp(other->host, h->host) &&
		    trace_set_span(other) > trace_set_span(h))
			h = other;
	}
	return h;
}

/* Returns the lowest rank of the same node. */
static const struct trace_head *trace_set_lowest(const struct trace_set *set,
						 const struct trace_head *h)
{
	int k = 0;

	while (strcmp(set->rank[k].head->host, h->host))
		k++;
	return set->rank[k].head;
}

static int64_t real_minus_monotonic(const struct trace_head *h)
{
	return (int64_t)(h->first.real_ns - h->first.monotonic_ns);
}

static void set_clock(const struct trace_set *set, struct rank_trace *r)
{
	const struct trace_head *pace = trace_set_longest(set, r->head);

	r->ns_per_tick =
	    trace_set_span(pace)
		? (double)(pace->last.monotonic_ns - pace->first.monotonic_ns) /
		      (double)trace_set_span(pace)
		: 1;
	r->offset = real_minus_monotonic(trace_set_lowest(set, r->head)) -
		    real_minus_monotonic(set->rank[0].head);
}

int64_t trace_time(const struct rank_trace *r, const struct trace_event *e)
{
	const struct trace_clock *c = &r->head->first;
	double ns = (double)(int64_t)(e->ticks - c->ticks) * r->ns_per_tick;

	return (int64_t)c->monotonic_ns + (int64_t)ns + r->offset;
}

void trace_set_measure(struct trace_set *set)
{
	set->events = set->lost = 0;
	set->begin = INT64_MAX;
	set->end = INT64_MIN;
	for (int k = 0; k < set->n; k++) {
		struct rank_trace *r = &set->rank[k];
		int64_t begin, end;

		set->events += r->end - r->first;
		set->lost += r->first;
		if (r->end == r->first)
			continue;
		begin = trace_time(r, trace_at(r, r->first));
		end = trace_time(r, trace_at(r, r->end - 1));
		set->begin = begin < set->begin ? begin : set->begin;
		set->end = end > set->end ? end : set->end;
	}
}

int trace_set_read(const char *folder, struct trace_set *set)
{
	struct dirent **list;
	int rc = 0, n = scandir(folder, &list, is_trace, by_rank);

	*set = (struct trace_set){0};
	if (n < 0)
		return trace_set_bad(folder, strerror(errno));
	for (int k = 0; k < n; k++) {
		rc = rc ? rc : trace_set_add(folder, rank_of(list[k]), set);
		free(list[k]);
	}
	free(list);
	if (!rc && !n)
		rc =
		    trace_set_bad(folder, "no traces: files like rank.0.trace");
	for (int k = 0; !rc && k < set->n; k++)
		set_clock(set, &set->rank[k]);
	if (!rc)
		trace_set_measure(set);
	else
		trace_set_free(set);
	return rc;
}

static void trace_set_unmap(const struct rank_trace *r)
{
	munmap((void *)(uintptr_t)r->head,
	       TRACE_HEAD_BYTES + r->head->room * sizeof(struct trace_event));
}

/* Returns whether the rank is in the list; *valid becomes false if that is no
 * list. */
static bool is_in(const char *list, int rank, bool *valid)
{
	bool in = false;

	for (;; list++) {
		char *end;
		long last, first = strtol(list, &end, 10);

		*valid &= end != list && first >= 0;
		last = first;
		if (!strncmp(end, "..", 2)) {
			list = end + 2;
			last = strtol(list, &end, 10);
			*valid &= end != list && last >= first;
		}
		in |= first <= rank && rank <= last;
		list = end;
		if (*list != ',')
			break;
	}
	*valid &= !*list;
	return in;
}

bool trace_set_only(struct trace_set *set, const char *list)
{
	bool valid = true;
	int n = 0;

	for (int k = 0; k < set->n; k++)
		if (is_in(list, set->rank[k].head->rank, &valid))
			set->rank[n++] = set->rank[k];
		else
			trace_set_unmap(&set->rank[k]);
	set->n = n;
	return valid && n > 0;
}

void trace_set_free(struct trace_set *set)
{
	for (int k = 0; k < set->n; k++)
		trace_set_unmap(&set->rank[k]);
	free(set->rank);
	*set = (struct trace_set){0};
}
