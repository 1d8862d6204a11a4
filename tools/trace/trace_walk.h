/* SPDX-License-Identifier: Apache-2.0 */
/* trace_walk.h: goes through the events of a rank and makes spans of them. */
#ifndef TOOLS_TRACE_WALK_H
#define TOOLS_TRACE_WALK_H

#include "tools/trace/trace_set.h"

enum span_kind {
	SPAN_CALL,
	SPAN_WAIT,
	SPAN_MOVE,
	SPAN_PLAN,
	SPAN_STEP,
	SPAN_FAIL
};
enum { SPAN_TEXT = 256 };

/* Something that a rank did, from begin to end in ns on the clock of the set. A
 * failure has no length. */
struct span {
	enum span_kind kind;
	int64_t begin, end;
	bool open;	/* there is no end: end is the rank's last event */
	int64_t waited; /* a call: ns that it waited */
	int depth;	/* a call: inside how many others */
	/* a call: its name; a wait: what it was for, or ""; a plan: its
	 * algorithm */
	const char *name;
	const struct trace_event *event; /* with which it began; */
	const struct trace_event *shape; /* a plan: its TRACE_SHAPE, or NULL */
};

/* Calls see(to, span) for each span at its end; those that are open come last:
 * waits and calls, the innermost first, then all others as they began. */
void trace_walk(const struct rank_trace *r,
		void (*see)(void *to, const struct span *span), void *to);

/* Brings the clocks of several nodes together (trace_align.c). */
void trace_align(struct trace_set *set);
#endif
