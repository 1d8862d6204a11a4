/* SPDX-License-Identifier: Apache-2.0 */
/* sm.c: the shared-memory provider; see sm.h for its parts. */
#include "runtime/fabric/sm/sm_copy.h"

#include <stdlib.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/base/counters.h"
#include "runtime/boot/boot.h"

static const char *sm_unfit(const struct boot_job *job)
{
	return job->node_size > 64 * 64 ? "more than 4096 ranks on a node"
					: NULL;
}

static int alloc_tables(struct sm *sm)
{
	size_t n = (size_t)sm->slots;

	sm->rings.rx = calloc(n, sizeof(*sm->rings.rx));
	sm->eps = calloc(n, sizeof(*sm->eps));
	sm->rings.pending = calloc(n / 64 + 1, sizeof(*sm->rings.pending));
	if (!sm->rings.rx || !sm->eps || !sm->rings.pending)
		return log_error(MRT_ERR_NO_MEM, "tables for %d peers",
				 sm->slots);
	return 0;
}

static void cpus_add(uint64_t *cpus, const uint64_t *more)
{
	for (int w = 0; w < TOPO_MASK_WORDS; w++)
		cpus[w] |= more[w];
}

static const struct fab_home *sm_home_of(const struct fab_node *node, int rank)
{
	const struct sm *sm = sm_of_node(node);

	return &sm->homes[boot_local_index(sm->job, rank)];
}

/* Adds to a home the CPUs of all ranks that may run on one of them; returns how
 * many ranks. */
static int home_join(const struct sm *sm, struct fab_home *home)
{
	int ranks = 0;

	for (int s = 0; s < sm->slots; s++)
		if (fab_share_cpu(home, &sm->homes[s])) {
			cpus_add(home->cpus, sm->homes[s].cpus);
			ranks++;
		}
	return ranks;
}

/* Whether there are more ranks than CPUs among those that share CPUs with this
 * one, directly or through others. */
static bool is_crowded(const struct sm *sm)
{
	struct fab_home joined = sm->homes[sm->slot];
	int before, ranks = 0;

	do {
		before = ranks;
		ranks = home_join(sm, &joined);
	} while (ranks > before);
	return ranks > topo_usable_cpus(joined.cpus, 0);
}

/* Counts CPUs from all homes; all ranks get the same node_cpus and metered. */
static void count_cpus(struct sm *sm)
{
	uint64_t all[TOPO_MASK_WORDS] = {0};
	int quota = 0, cpus;

	for (int s = 0; s < sm->slots; s++) {
		const struct fab_home *home = &sm->homes[s];

		cpus_add(all, home->cpus);
		if (home->quota && (!quota || home->quota < quota))
			quota = home->quota;
	}
	cpus = topo_usable_cpus(all, 0);
	sm->base.node_cpus = topo_usable_cpus(all, quota);
	sm->base.crowded = is_crowded(sm);
	sm->base.metered =
	    quota && quota < 100 * (sm->slots < cpus ? sm->slots : cpus);
}

static void attach_rings(struct sm *sm)
{
	for (int s = 0; s < sm->slots; s++) {
		struct sm_ep *ep = &sm->eps[s];

		ep->base.ops = &sm_ops;
		ep->base.fab = &sm->base;
		ep->base.peer = sm->job->node_ranks[s];
		ep->base.send_max = ring_max(sm->rings.data_size);
		ep->base.eager_max = env.sm_eager_max < ep->base.send_max
					 ? env.sm_eager_max
					 : ep->base.send_max;
		ep->slot = s;
		ep->card = &sm->cards[s];
		sm_ring_attach(sm, &ep->tx, sm->slot, s);
		ep->rx = &sm->rings.rx[s];
		sm_ring_attach(sm, ep->rx, s, sm->slot);
	}
}

static void sm_close(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	if (!sm)
		return;
	if (sm->eps && sm->seg)
		sm_heap_fini(sm);
	sm_copy_fini(sm);
	sm_liveness_fini(sm);
	sm_grow_fini(sm);
	sm_segment_close(sm);
	free(sm->rings.rx);
	free(sm->eps);
	free(sm->rings.pending);
	free(sm);
}

static const struct node_ops sm_node_ops = {
    .pack_register = sm_pack_register,
    .read_unpack = sm_read_unpack,
    .copy_pieces = sm_copy_pieces,
    .bulk = sm_bulk,
    .spare = sm_spare,
    .notify = sm_notify_flags,
    .check_peers = sm_check_peers,
    .home_of = sm_home_of,
    .put_far = sm_put_far,
    .card_of = sm_card_of,
};

static const struct sm_upcalls sm_upcalls = {sm_copy_progress,
					     sm_relay_message};

static int sm_open(const struct boot_job *job, const struct fab_sink *sink,
		   struct fab **fab)
{
	struct sm *sm = calloc(1, sizeof(*sm));
	int rc;

	if (!sm)
		return log_error(MRT_ERR_NO_MEM, "shared-memory fabric");
	sm->base.ops = &sm_ops;
	sm->base.node = &sm->node;
	sm->base.sink = *sink;
	sm->node.ops = &sm_node_ops;
	sm->up = &sm_upcalls;
	sm->job = job;
	sm->fd = sm->listener = -1;
	sm->slot = job->node_rank;
	sm->slots = job->node_size;
	list_init(&sm->heap.arenas);
	/* before the segment, so that every rank of the node is registered with
	 * membarrier by the time that all have attached */
	sm_wait_init(sm);
	rc = alloc_tables(sm) ?: sm_segment_open(sm);
	if (rc)
		sm_close(&sm->base);
	else
		*fab = &sm->base;
	return rc;
}

static int sm_wire(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;
	int rc = sm_segment_attach(sm);

	if (rc)
		return rc;
	count_cpus(sm);
	attach_rings(sm);
	sm_copy_init(sm);
	sm->node.shared = sm_coll_area(sm, &sm->node.shared_len);
	sm->node.bulk_len = sm_bulk_size(sm);
	sm->node.spare_len = sm_spare_size(sm);
	return 0;
}

static int sm_connect(struct fab *fab, int peer, struct fab_ep **ep)
{
	struct sm *sm = (struct sm *)fab;
	int slot = boot_local_index(sm->job, peer);

	if (slot < 0)
		return MRT_ERR_NO_FABRIC;
	*ep = &sm->eps[slot].base;
	return 0;
}

static void sm_stats(struct fab *fab, struct counters *t)
{
	const struct sm *sm = (const struct sm *)fab;

	for (int how = 0; how < HOWS; how++) {
		counters_add(t, "sm", sm_ways[how].copies,
			     sm->copies.count[how]);
		counters_add(t, "sm", sm_ways[how].bytes,
			     sm->copies.bytes[how]);
	}
	counters_add(t, "sm", "CMA bytes for a reader", sm->copies.helped);
	counters_add(t, "sm", "copies not relayed in time", sm->copies.left);
	counters_add(t, "sm", "bytes put into bounce buffers",
		     sm->buffers.bounced);
	counters_add(t, "sm", "rings enlarged", sm->rings.enlarged);
	counters_add(t, "sm", "marked rings looked at", sm->rings.looked);
	counters_add_level(t, "sm", "bytes of rings mapped",
			   sm_rings_mapped(sm));
	counters_add_level(t, "sm", "bytes of rings used", sm_rings_used(sm));
}

const struct fab_ops sm_ops = {
    .name = "sm",
    .node_only = true,
    .prepare = sm_wait_prepare,
    .unfit = sm_unfit,
    .open = sm_open,
    .wire = sm_wire,
    .close = sm_close,
    .connect = sm_connect,
    .send = sm_send,
    .take = sm_take,
    .mem_register = sm_mem_register,
    .mem_deregister = sm_mem_deregister,
    .read = sm_read,
    .write = sm_write,
    .writev = sm_writev,
    .fetch_add = sm_fetch_add,
    .compare_swap = sm_compare_swap,
    .progress = sm_progress,
    .arm = sm_arm,
    .disarm = sm_disarm,
    .wait = sm_wait,
    .wake = sm_wake,
    .stats = sm_stats,
    .heap_alloc = sm_heap_alloc,
    .heap_free = sm_heap_free,
    .heap_map = sm_heap_map,
};
