/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_area.c: the division of the node's shared area.
 *
 * The area is 4 x 64 units. World has its lines at the beginning; what is left
 * goes to other communicators, in runs of units that do not cross a word of the
 * map, so that one compare-and-swap takes a run and no rank can die holding a
 * lock. World's buffers are the fabric's bulk area.
 *
 *   map | world's lines | other communicators
 */
#include "coll/direct/direct.h"
#include "coll/direct/direct_line.h"

#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

enum {
	WORDS = 4,
	UNITS = 64, /* per word */
	UNIT_MIN = 64
};

static struct {
	char *base;	       /* NULL: no area */
	size_t unit;	       /* bytes */
	_Atomic uint64_t *map; /* [WORDS] a bit per unit, set: taken */
} area;

static unsigned slots_of(const struct mrt_comm *comm)
{
	return comm == &comm_world ? DIRECT_WORLD_SLOTS : DIRECT_SLOTS;
}

static size_t region_bytes(const struct mrt_comm *comm)
{
	size_t n = (size_t)comm->size, slots = slots_of(comm);

	return ((n + 1) * slots + n) * sizeof(struct line);
}

static size_t units_for(size_t bytes)
{
	return (bytes + area.unit - 1) / area.unit;
}

static uint64_t run_of(size_t units, int at)
{
	return (units >= UNITS ? ~0ull : (1ull << units) - 1) << at;
}

static void open_area(const struct mrt_comm *world)
{
	size_t len;

	area.base = NULL;
	if (!env.coll_direct || !proc.fab->ops->shared ||
	    proc.job.node_size < 2)
		return;
	area.base = proc.fab->ops->shared(proc.fab, &len);
	area.unit = len / (WORDS * UNITS) / UNIT_MIN * UNIT_MIN;
	area.map = (_Atomic uint64_t *)(void *)area.base;
	if (area.unit == 0 ||
	    (world->one_node && 1 + units_for(region_bytes(world)) > UNITS))
		area.base = NULL;
}

static uint32_t same_cpu_ranks(const struct mrt_comm *comm)
{
	const struct fab *fab = proc.fab;
	uint32_t same_cpu = 0;

	for (int r = 0; r < comm->size && r < DIRECT_FLAT; r++)
		if (r != comm->rank &&
		    (!fab->ops->shares_cpu ||
		     fab->ops->shares_cpu(fab, comm_world_rank(comm, r))))
			same_cpu |= 1u << r;
	return same_cpu;
}

/* Tells whether direct_take can have returned this region. */
static bool is_region(const struct mrt_comm *comm, int32_t region)
{
	return area.base && region > 0 && region < WORDS * UNITS &&
	       region % UNITS + (int32_t)units_for(region_bytes(comm)) <= UNITS;
}

void direct_attach(const struct mrt_comm *comm, struct direct *d,
		   int32_t region)
{
	size_t n = (size_t)comm->size;

	memset(d, 0, sizeof(*d));
	if (!region)
		return;
	if (!is_region(comm, region)) {
		fault_raise_text(
		    MRT_ERR_PROTOCOL,
		    "rank %d names an impossible place in shared memory",
		    comm_world_rank(comm, 0));
		return;
	}
	d->region = region;
	d->lines =
	    (struct line *)(void *)(area.base + (size_t)region * area.unit);
	d->slots = slots_of(comm);
	d->releases = d->lines + n * d->slots;
	d->done = d->releases + d->slots;
	d->same_cpu = same_cpu_ranks(comm);
}

unsigned direct_slices(const struct mrt_comm *world)
{
	const size_t wide = DIRECT_WORLD_SLOTS * DIRECT_WIDE;
	size_t each = proc.fab->ops->shared_bulk
			  ? proc.fab->bulk_len / (size_t)world->size
			  : 0;

	if (each < wide + 2 * DIRECT_LONG)
		return 0;
	each = (each - wide) / DIRECT_SLICE;
	return each < DIRECT_SLICES ? (unsigned)each : DIRECT_SLICES;
}

void direct_init(struct mrt_comm *world, struct direct *d)
{
	size_t units;

	memset(d, 0, sizeof(*d));
	open_area(world);
	if (!area.base)
		return;
	/* the map; and world, if it has a region */
	units = 1;
	if (world->one_node)
		units += units_for(region_bytes(world));
	/* every rank marks them; the bits are all that is shared */
	atomic_fetch_or_explicit(&area.map[0], run_of(units, 0),
				 memory_order_relaxed);
	if (!world->one_node)
		return;
	direct_attach(world, d, 1);
	d->slices = direct_slices(world);
}

/* Takes a free run in one word of the map. Returns its first bit, or -1. */
static int take_run(_Atomic uint64_t *word, size_t units)
{
	/* relaxed: the message that tells the other ranks about a region orders
	 * what is in it */
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
	int at = 0;

	while (at + (int)units <= UNITS) {
		uint64_t run = run_of(units, at);

		if (old & run)
			at++;
		else if (atomic_compare_exchange_weak_explicit(
			     word, &old, old | run, memory_order_acquire,
			     memory_order_relaxed))
			return at;
		else
			at = 0;
	}
	return -1;
}

int32_t direct_take(const struct mrt_comm *comm)
{
	size_t units;

	if (!area.base || !comm->one_node || comm->size < 2)
		return 0;
	units = units_for(region_bytes(comm));
	for (int w = 0; w < WORDS; w++) {
		int at = take_run(&area.map[w], units);

		if (at < 0)
			continue;
		at += w * UNITS;
		/* it may hold epochs of an earlier communicator */
		memset(area.base + (size_t)at * area.unit, 0,
		       units * area.unit);
		return at;
	}
	return 0;
}

void direct_give(const struct mrt_comm *comm, const struct direct *d)
{
	size_t units;

	if (!d->region)
		return;
	units = units_for(region_bytes(comm));
	/* release: pairs with the acquire of the next direct_take, whose
	 * zeroes come after our last stores */
	atomic_fetch_and_explicit(&area.map[d->region / UNITS],
				  ~run_of(units, d->region % UNITS),
				  memory_order_release);
}
