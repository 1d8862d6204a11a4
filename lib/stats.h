/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h: the counters of all ranks at the end of the job (MRT_STATS). */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include "runtime/base/counters.h"

/* Fills *t with this rank's counters as they are. The rows are the same in
 * every call. */
void stats_collect(struct counters *t);

/* Is a barrier of all ranks, before anything is closed; if any rank wants
 * counters, rank 0 collects those of all and prints them. Returns 0 or
 * MRT_ERR_*. */
int stats_report(void);
#endif
