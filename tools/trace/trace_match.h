/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_match.h: brings together the calls of a collective by its ranks: those
 * of the same name with the same number on the same communicator.
 */
#ifndef TOOLS_TRACE_MATCH_H
#define TOOLS_TRACE_MATCH_H

#include "tools/trace/trace_walk.h"

/* A collective of which ranks have called. Ranks are indices in the set. */
struct instance {
	const char *name;
	int32_t first; /* the world rank of the communicator's first rank */
	uint32_t number;
	uint32_t repeat; /* communicators before it have had the id */
	uint16_t comm;
	unsigned arrived; /* ranks */
	int last;	  /* the last of these, and when it came; */
	int64_t first_at, before_last_at, last_at, left_at;
};

/* Zeroed: empty. */
struct matches {
	void *instances, *numberings; /* tsearch */
	bool failed;		      /* out of memory */
};

/* Adds a call of a collective by rank k. The calls of a rank come in their
 * order. */
void match_add(struct matches *m, int k, const struct span *call);
/* Calls see(to, instance) for each. */
void match_each(const struct matches *m,
		void (*see)(void *to, const struct instance *i), void *to);
/* Returns the instance to which a call that began then belongs, or NULL. */
const struct instance *match_find(const struct matches *m, const char *name,
				  const struct trace_event *call, int64_t at);
void match_free(struct matches *m);
#endif
