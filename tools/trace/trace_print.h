/* SPDX-License-Identifier: Apache-2.0 */
/* trace_print.h: what mrt-trace prints of a set. */
#ifndef TOOLS_TRACE_PRINT_H
#define TOOLS_TRACE_PRINT_H

#include "tools/trace/trace_set.h"

/* Prints tables: calls, collectives and their late ranks, the critical path,
 * ranks without an end.
 * by_rank: the late arrivals at each rank, too. Returns 0 or an exit code. */
int trace_summary(const struct trace_set *set, bool by_rank);

struct matches; /* trace_match.h */
/* Prints the critical path. Returns false without memory. */
bool trace_path(const struct trace_set *set, const struct matches *matches);

/* Prints the spans as JSON in the format of Chrome's trace viewer, which
 * Perfetto reads. */
void trace_json(const struct trace_set *set);
#endif
