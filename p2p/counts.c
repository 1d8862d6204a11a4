/* SPDX-License-Identifier: Apache-2.0 */
/* counts.c: reports p2p's counters. */
#include "p2p/counts.h"

#include "runtime/base/counters.h"
#include "runtime/engine/proc.h"

struct p2p_counts p2p_counts;
const char *const p2p_way_names[WAYS] = {"eager", "synchronous eager",
					 "rendezvous", "gathered"};

static void add_way(struct counters *t, enum fab_way way)
{
	uint64_t messages = 0, bytes = 0;
	char name[40];

	for (int r = 0; r < proc.job.size; r++) {
		messages += proc.eps[r]->sent.messages[way];
		bytes += proc.eps[r]->sent.bytes[way];
	}
	snprintf(name, sizeof(name), "%s messages", p2p_way_names[way]);
	counters_add(t, "p2p", name, messages);
	snprintf(name, sizeof(name), "%s bytes", p2p_way_names[way]);
	counters_add(t, "p2p", name, bytes);
}

void p2p_stats(struct counters *t)
{
	for (int way = 0; way < WAYS; way++)
		add_way(t, way);
	counters_add(t, "p2p", "received messages", p2p_counts.received);
	counters_add(t, "p2p", "received bytes", p2p_counts.received_bytes);
	counters_add(t, "p2p", "unexpected messages", p2p_counts.unexpected);
	counters_add(t, "p2p", "messages held back", p2p_counts.held_back);
}
