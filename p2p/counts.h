/* SPDX-License-Identifier: Apache-2.0 */
/* counts.h: p2p's counters for MRT_STATS. What was sent is counted per peer, in
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

/* Names of enum fab_way, such as "eager". */
extern const char *const p2p_way_names[WAYS];

/* Adds p2p's counters, summed over all peers, to t. */
void p2p_stats(struct counters *t);
#endif
