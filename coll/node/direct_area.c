/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_area.c: the division of the node's shared area.
 *
 * The area is 4 x 64 units. World has its lines at the beginning; what is left
 * goes to other communicators, in runs of units that do not cross a word of the
 * map, so that one compare-and-swap takes a run and no rank can die holding a
 * lock. Behind the region of a communicator's blocking calls is the one of its
 * nonblocking calls, which may be given back later. World's buffers are the
 * fabric's bulk area, those of other communicators runs of its spare memory,
 * which has a map of the same kind.
 *
 *   maps | world's lines | other communicators
 */
#include "coll/node/direct.h"
#include "coll/node/direct_line.h"

#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

enum {
	WORDS = 4,
	UNITS = 64,    /* per word */
	UNIT_MIN = 64, /* what the two maps take */
	/* Buffers that a communicator of few ranks gets if it can: a core that
	 * writes what another has in its L2 waits for it. */
	ROOMY = 1 << 22,
	/* Nonblocking calls have this part of the slots of blocking ones. */
	STARTED_SHARE = 1
};

/* Memory that is taken in runs of units. */
struct store {
	size_t unit;	       /* bytes */
	_Atomic uint64_t *map; /* [WORDS] a bit per unit, set: taken */
};

static struct {
	char *base; /* NULL: no area */
	struct store lines, buffers;
} area;

static size_t region_bytes(int size, unsigned slots)
{
	size_t n = (size_t)size;

	return ((n + 1) * slots + n) * sizeof(struct line);
}

static size_t units_for(const struct store *store, size_t bytes)
{
	return (bytes + store->unit - 1) / store->unit;
}

/* Returns the units of a region. */
static size_t region_units(int size, unsigned slots)
{
	return units_for(&area.lines, region_bytes(size, slots));
}

/* Returns the units of both regions of a communicator, which are alike. */
static size_t comm_units(int size, unsigned slots)
{
	return region_units(size, slots) * (size <= DIRECT_FLAT ? 2 : 1);
}

static uint64_t run_of(size_t units, int at)
{
	return (units >= UNITS ? ~0ull : (1ull << units) - 1) << at;
}

static void open_area(const struct mrt_comm *world)
{
	const struct fab_node *node = proc.node;

	area.base = NULL;
	if (!env.coll_direct || !node || proc.job.node_size < 2)
		return;
	area.base = node->shared;
	area.lines.unit =
	    node->shared_len / (WORDS * UNITS) / UNIT_MIN * UNIT_MIN;
	area.lines.map = (_Atomic uint64_t *)(void *)area.base;
	area.buffers.unit = node->spare_len / (WORDS * UNITS);
	area.buffers.map = area.lines.map + WORDS;
	if (area.lines.unit == 0 ||
	    (world->one_node &&
	     1 + comm_units(world->size, DIRECT_SLOTS) > UNITS))
		area.base = NULL;
}

static void direct_area_impossible(const struct mrt_comm *comm)
{
	fault_raise_text(MRT_ERR_PROTOCOL,
			 "rank %d names an impossible place in shared memory",
			 comm_world_rank(comm, 0));
}

static uint32_t same_cpu_ranks(const struct mrt_comm *comm)
{
	const struct fab_node *node = proc.node;
	const struct fab_home *own = node->ops->home_of(node, proc.job.rank);
	uint32_t same_cpu = 0;

	for (int r = 0; r < comm->size && r < DIRECT_FLAT; r++)
		if (r != comm->rank &&
		    fab_share_cpu(own, node->ops->home_of(
					   node, comm_world_rank(comm, r))))
			same_cpu |= 1u << r;
	return same_cpu;
}

/* Returns the name of the region with these slots that begins at this unit. */
static int32_t region_name(int at, unsigned slots)
{
	return (int32_t)slots * WORDS * UNITS + at;
}

/* Tells whether direct_take can have returned a region of this name. */
static bool is_region(int size, int at, unsigned slots)
{
	return area.base && at > 0 && slots > 0 && slots <= DIRECT_SLOTS &&
	       !(slots & (slots - 1)) &&
	       at % UNITS + (int)region_units(size, slots) <= UNITS;
}

void direct_attach(const struct mrt_comm *comm, struct direct *d,
		   int32_t region)
{
	int at = region % (WORDS * UNITS);
	unsigned slots = (unsigned)region / (WORDS * UNITS);
	size_t n = (size_t)comm->size;

	memset(d, 0, sizeof(*d));
	if (!region)
		return;
	if (!is_region(comm->size, at, slots)) {
		direct_area_impossible(comm);
		return;
	}
	d->region = at;
	d->lines =
	    (struct line *)(void *)(area.base + (size_t)at * area.lines.unit);
	d->slots = slots;
	d->releases = d->lines + n * d->slots;
	d->done = d->releases + d->slots;
	d->same_cpu = same_cpu_ranks(comm);
	d->may_widen = comm != &comm_world && area.buffers.unit;
	direct_list(d, comm);
}

/* Returns the least bytes of buffers for a communicator. */
static size_t least_buffers(const struct mrt_comm *comm, unsigned slots)
{
	return (size_t)comm->size * (2 * slots * DIRECT_WIDE + 2 * DIRECT_LONG);
}

/* Returns the slices of each rank in so many bytes of buffers; 0 if they are
 * too few. */
static unsigned slices_in(const struct mrt_comm *comm, unsigned slots,
			  size_t bytes)
{
	size_t each = bytes / (size_t)comm->size;

	if (bytes < least_buffers(comm, slots))
		return 0;
	each = (each - 2 * slots * DIRECT_WIDE) / DIRECT_SLICE;
	return each < DIRECT_SLICES ? (unsigned)each : DIRECT_SLICES;
}

unsigned direct_slices(const struct mrt_comm *world)
{
	return slices_in(world, DIRECT_SLOTS,
			 proc.node ? proc.node->bulk_len : 0);
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
		units += comm_units(world->size, DIRECT_SLOTS);
	/* every rank marks them; the bits are all that is shared */
	atomic_fetch_or_explicit(&area.lines.map[0], run_of(units, 0),
				 memory_order_relaxed);
	if (!world->one_node)
		return;
	direct_attach(world, d, region_name(1, DIRECT_SLOTS));
	d->slices = direct_slices(world);
}

int32_t direct_started_region(const struct mrt_comm *comm,
			      const struct direct *d)
{
	if (!d->region || comm->size > DIRECT_FLAT)
		return 0;
	return region_name(d->region + (int)region_units(comm->size, d->slots),
			   d->slots);
}

/* Takes a free run in one word of a map. Returns its first bit, or -1. */
static int take_in(_Atomic uint64_t *word, size_t units)
{
	/* relaxed: the message that tells the other ranks about a run orders
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

/* Takes a free run. Returns its first unit, or -1. */
static int32_t direct_area_take(const struct store *store, size_t units)
{
	for (int w = 0; w < WORDS; w++) {
		int at = take_in(&store->map[w], units);

		if (at >= 0)
			return at + w * UNITS;
	}
	return -1;
}

static void direct_area_give(const struct store *store, int32_t at,
			     size_t units)
{
	/* release: pairs with the acquire of the next take, whose stores come
	 * after our last ones */
	atomic_fetch_and_explicit(&store->map[at / UNITS],
				  ~run_of(units, at % UNITS),
				  memory_order_release);
}

/* ---- Regions and buffers ------------------------------------------------- */

static int32_t take_regions(const struct mrt_comm *comm, unsigned slots,
			    size_t (*units_of)(int size, unsigned slots))
{
	size_t units;
	int32_t at;

	if (!area.base || !comm->one_node || comm->size < 2)
		return 0;
	units = units_of(comm->size, slots);
	at = direct_area_take(&area.lines, units);
	if (at < 0)
		return 0;
	/* it may hold epochs of an earlier communicator */
	memset(area.base + (size_t)at * area.lines.unit, 0,
	       units * area.lines.unit);
	return region_name(at, slots);
}

int32_t direct_take(const struct mrt_comm *comm, unsigned slots)
{
	return take_regions(comm, slots, region_units);
}

/* Tells whether half of the units are free. */
static bool has_space(const struct store *store)
{
	int taken = 0;

	for (int w = 0; w < WORDS; w++)
		taken += __builtin_popcountll(
		    atomic_load_explicit(&store->map[w], memory_order_relaxed));
	return taken <= WORDS * UNITS / 2;
}

int32_t direct_take_some(const struct mrt_comm *comm)
{
	int32_t region = 0;

	if (area.base && has_space(&area.lines))
		region = take_regions(comm, DIRECT_SLOTS, comm_units);
	return region ? region
		      : take_regions(comm, DIRECT_FEW_SLOTS, comm_units);
}

static size_t bytes_of(const struct direct_place *place)
{
	return (size_t)place->units * area.buffers.unit;
}

/* Returns a rank's address of the buffers at this place; NULL: no memory. */
static char *buffers_at(const struct direct_place *place, bool reserve)
{
	return proc.node->ops->spare(proc.node,
				     (size_t)place->at * area.buffers.unit,
				     bytes_of(place), reserve);
}

/* Takes buffers of so many bytes that have memory behind them. False: there are
 * none. */
static bool take_buffers(size_t bytes, struct direct_place *place)
{
	size_t units = units_for(&area.buffers, bytes);
	int32_t at =
	    units > UNITS ? -1 : direct_area_take(&area.buffers, units);

	if (at < 0)
		return false;
	*place = (struct direct_place){at, (int32_t)units};
	if (buffers_at(place, true))
		return true;
	direct_area_give(&area.buffers, at, units);
	*place = (struct direct_place){0, 0};
	return false;
}

static bool is_place(const struct direct_place *place, size_t least)
{
	return place->at >= 0 && place->at < WORDS * UNITS &&
	       place->units > 0 && place->units <= UNITS - place->at % UNITS &&
	       bytes_of(place) >= least;
}

static size_t wide_bytes(const struct mrt_comm *comm, unsigned slots)
{
	return slots * (size_t)comm->size * DIRECT_WIDE;
}

int32_t direct_take_wide(const struct mrt_comm *comm, unsigned slots,
			 struct direct_place *place)
{
	int32_t region;

	if (!area.base || !area.buffers.unit ||
	    !take_buffers(wide_bytes(comm, slots), place))
		return 0;
	region = direct_take(comm, slots);
	if (!region)
		direct_area_give(&area.buffers, place->at,
				 (size_t)place->units);
	return region;
}

char *direct_wide(const struct mrt_comm *comm, const struct direct *d)
{
	if (is_place(&d->place, wide_bytes(comm, d->slots)))
		return buffers_at(&d->place, false);
	direct_area_impossible(comm);
	return NULL;
}

int direct_widen(struct mrt_comm *comm, struct direct *d)
{
	bool mine = comm->rank == 0;
	struct exchange x = {
	    /* a root that no call of the user's has */
	    .call = call_id(COLL_BCAST, 0, comm->size, NULL),
	    .put = mine ? &d->place : NULL,
	    .bytes = sizeof(d->place),
	    .n = !mine,
	    .length = sizeof(d->place),
	    .recv = &d->place,
	    .way = FROM_ROOT,
	};
	size_t least = least_buffers(comm, d->slots);
	int rc;

	d->may_widen = false;
	if (mine && (least >= ROOMY || !take_buffers(ROOMY, &d->place)))
		take_buffers(least, &d->place);
	rc = direct_exchange(comm, d, &x);
	if (rc || !d->place.units)
		return rc;
	if (!is_place(&d->place, least)) {
		direct_area_impossible(comm);
		return MRT_ERR_PROTOCOL;
	}
	d->slices = slices_in(comm, d->slots, bytes_of(&d->place));
	return direct_use(comm, d, buffers_at(&d->place, false));
}

void direct_give(const struct direct *d, int size)
{
	if (!d->region)
		return;
	if (d->place.units)
		direct_area_give(&area.buffers, d->place.at,
				 (size_t)d->place.units);
	direct_area_give(&area.lines, d->region, region_units(size, d->slots));
}

void direct_give_started(const struct mrt_comm *comm, const struct direct *d)
{
	int32_t region = direct_started_region(comm, d);

	if (region)
		direct_area_give(&area.lines, region % (WORDS * UNITS),
				 region_units(comm->size, d->slots));
}
