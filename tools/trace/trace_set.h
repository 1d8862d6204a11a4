/* SPDX-License-Identifier: Apache-2.0 */
/* trace_set.h: the traces of the ranks of one job, mapped from the files of
 * their folder, on one clock. */
#ifndef TOOLS_TRACE_SET_H
#define TOOLS_TRACE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/trace_file.h"

struct rank_trace {
	const struct trace_head *head;
	const struct trace_event *ring;
	uint64_t first, end; /* events, counted from the rank's start */
	double ns_per_tick;
	int64_t offset; /* ns, from the clock of its node to that of the set */
};

struct trace_set {
	int n;			 /* ranks of which there is a trace, */
	struct rank_trace *rank; /* ascending */
	int size;		 /* ranks of the job */
	int64_t begin, end;	 /* ns */
	uint64_t events, lost;
};

/* Maps the files of a folder. Returns 0, or an exit code after a message. */
int trace_set_read(const char *folder, struct trace_set *set);
/* Sets begin, end and the numbers of events. */
void trace_set_measure(struct trace_set *set);
/* Keeps the ranks of a list like "0,8..15". Returns false if it is no list, or
 * there is none of them; the set may be empty then. */
bool trace_set_only(struct trace_set *set, const char *list);
void trace_set_free(struct trace_set *set);

static inline const struct trace_event *trace_at(const struct rank_trace *r,
						 uint64_t k)
{
	return &r->ring[k & (r->head->room - 1)];
}

/* The time of an event on the clock of the set, in ns. */
int64_t trace_time(const struct rank_trace *r, const struct trace_event *e);
#endif
