/* SPDX-License-Identifier: Apache-2.0 */
/* counts.h: what p2p counts for MRT_STATS; what went to each peer is in its
 * struct fab_ep. */
#ifndef P2P_COUNTS_H
#define P2P_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/fabric/fabric.h"

struct p2p_counts {
	uint64_t received, unexpected, held_back, received_bytes;
};
extern struct p2p_counts p2p_counts;

static inline void count_received(size_t bytes)
{
	p2p_counts.received++;
	p2p_counts.received_bytes += bytes;
}

static inline void uncount_received(size_t bytes)
{
	p2p_counts.received--;
	p2p_counts.received_bytes -= bytes;
}

/* Of enum fab_way: "eager". */
extern const char *const p2p_way_names[WAYS];

/* Adds what has been counted so far, over all peers. */
void p2p_stats(struct counters *t);
#endif
