/* SPDX-License-Identifier: Apache-2.0 */
/* mr_cache.c: an array of the kept ranges, of which none contains another. So
 * it is sorted by start and by end alike, and the one candidate that may cover
 * a range is found by one binary search. A new range replaces those within
 * it. */
#include "runtime/fabric/verbs/mr_cache.h"

#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/memwatch.h"
#include "runtime/base/page.h"

/* adjacent, so that the search touches few cache lines */
struct mr_slot {
	uintptr_t start, end;
	struct mr_entry *entry;
};

struct range {
	uintptr_t start, end;
};

const struct mr_watch mr_watch_memory = {.add = memwatch_add,
					 .remove = memwatch_remove,
					 .pending = memwatch_pending,
					 .drain = memwatch_drain};

/* Returns the first slot that ends at `end` or later. */
static size_t first_ending(const struct mr_cache *cache, uintptr_t end)
{
	size_t at = 0, left = cache->count;

	while (left) {
		size_t half = (left + 1) / 2;

		/* both outcomes are equally likely: a sum, not a branch */
		at += cache->slots[at + half - 1].end < end ? half : 0;
		left -= half;
	}
	return at;
}

static void mr_cache_release(struct mr_cache *cache, struct mr_entry *entry)
{
	/* in a child it would deregister the parent's */
	if (getpid() == cache->owner)
		cache->config.ops->deregister(cache->config.ctx, entry->handle);
	cache->stats.bytes -= entry->end - entry->start;
	pool_put(&cache->entries, entry);
}

/* Removes a slot; its entry is released now or at its last put. */
static void mr_cache_discard(struct mr_cache *cache, size_t at)
{
	struct mr_entry *entry = cache->slots[at].entry;

	cache->count--;
	memmove(&cache->slots[at], &cache->slots[at + 1],
		(cache->count - at) * sizeof(cache->slots[0]));
	entry->cached = false;
	list_remove(&entry->lru);
	if (!entry->refs)
		mr_cache_release(cache, entry);
}

/* Ends the watch of those pages of a range that no slot has. Only for memory
 * that has not changed: others may use userfaultfd on changed memory by now. */
static void mr_cache_unwatch(struct mr_cache *cache, struct range range)
{
	const struct mr_watch *watch = cache->config.watch;
	size_t at = first_ending(cache, range.start + 1);

	for (; at < cache->count && cache->slots[at].start < range.end; at++) {
		if (range.start < cache->slots[at].start)
			watch->remove(range.start, cache->slots[at].start);
		range.start = cache->slots[at].end;
	}
	if (range.start < range.end)
		watch->remove(range.start, range.end);
}

/* Discards a slot whose memory has not changed. */
static void mr_cache_drop(struct mr_cache *cache, size_t at)
{
	struct range range = {cache->slots[at].start, cache->slots[at].end};

	mr_cache_discard(cache, at);
	mr_cache_unwatch(cache, range);
}

/* Deregisters the least recently used entry. False: all are in use. */
static bool mr_cache_evict(struct mr_cache *cache)
{
	struct mr_entry *entry;

	if (list_empty(&cache->lru))
		return false;
	entry = list_entry(cache->lru.next, struct mr_entry, lru);
	mr_cache_drop(cache, first_ending(cache, entry->end));
	cache->stats.evictions++;
	return true;
}

static void mr_cache_invalidate(void *arg, uintptr_t start, uintptr_t end)
{
	struct mr_cache *cache = arg;
	size_t first = first_ending(cache, start + 1), last = first;

	while (last < cache->count && cache->slots[last].start < end)
		last++;
	cache->stats.invalidations += last - first;
	while (last > first)
		mr_cache_discard(cache, --last);
}

void mr_cache_refresh(struct mr_cache *cache)
{
	const struct mr_watch *watch = cache->config.watch;

	if (!cache->watching || !watch->pending() ||
	    watch->drain(mr_cache_invalidate, cache))
		return;
	cache->watching = false;
	mr_cache_invalidate(cache, 0, UINTPTR_MAX);
}

static struct range mr_cache_pages(const void *addr, size_t len)
{
	uintptr_t mask = page_size() - 1;
	uintptr_t start = (uintptr_t)addr;

	return (struct range){start & ~mask, (start + len + mask) & ~mask};
}

/* Extends a range by those that overlap it, so that no page is registered
 * twice, unless that more than doubles it: a miss costs at most twice its own
 * registration, however a program walks through its memory. */
static struct range mr_cache_widened(const struct mr_cache *cache,
				     struct range want)
{
	size_t at = first_ending(cache, want.start + 1);
	struct range all = want;

	if (at < cache->count && cache->slots[at].start < all.start)
		all.start = cache->slots[at].start;
	for (; at < cache->count && cache->slots[at].start < want.end; at++)
		if (cache->slots[at].end > all.end)
			all.end = cache->slots[at].end;
	return (all.end - all.start) / 2 <= want.end - want.start &&
		       all.end - all.start <= cache->config.bytes
		   ? all
		   : want;
}

static bool make_room(struct mr_cache *cache, size_t size)
{
	const struct mr_config *config = &cache->config;

	if (!cache->watching || size > config->bytes)
		return false;
	while (cache->count == config->entries ||
	       cache->stats.bytes > config->bytes - size)
		if (!mr_cache_evict(cache))
			return false;
	return true;
}

static void mr_cache_insert(struct mr_cache *cache, struct mr_entry *entry)
{
	size_t at = first_ending(cache, entry->start + 1);
	struct mr_slot *slots = cache->slots;

	while (at < cache->count && slots[at].start < entry->start)
		at++;
	while (at < cache->count && slots[at].end <= entry->end)
		mr_cache_discard(cache, at);
	memmove(&slots[at + 1], &slots[at],
		(cache->count - at) * sizeof(slots[0]));
	slots[at] = (struct mr_slot){entry->start, entry->end, entry};
	cache->count++;
	entry->cached = true;
}

/* Registers a range and keeps it if possible. */
static int mr_cache_enter(struct mr_cache *cache, struct range range,
			  bool writes, struct mr_entry **out)
{
	const struct mr_config *config = &cache->config;
	size_t size = range.end - range.start;
	bool keep = make_room(cache, size);
	struct mr_entry *entry = pool_get(&cache->entries);
	int rc;

	if (!entry)
		return MRT_ERR_NO_MEM;
	*entry = (struct mr_entry){.start = range.start,
				   .end = range.end,
				   .refs = 1,
				   .writes = writes};
	list_init(&entry->lru);
	do {
		/* watched before it is registered, so that no change is missed;
		 * again after evict, which may have ended the watch */
		keep = keep && config->watch->add(range.start, range.end);
		rc = config->ops->register_range(config->ctx,
						 (void *)range.start, size,
						 writes, &entry->handle);
	} while (rc == MRT_ERR_NO_MEM && mr_cache_evict(cache));
	if (rc) {
		if (keep)
			mr_cache_unwatch(cache, range);
		pool_put(&cache->entries, entry);
		return rc;
	}
	cache->stats.bytes += size;
	if (keep)
		mr_cache_insert(cache, entry);
	*out = entry;
	return 0;
}

int mr_cache_get(struct mr_cache *cache, const void *addr, size_t len,
		 bool writes, struct mr_entry **entry)
{
	struct range want = mr_cache_pages(addr, len), all;
	size_t at;
	int rc;

	mr_cache_refresh(cache);
	at = first_ending(cache, want.end);
	while (at < cache->count && cache->slots[at].start <= want.start) {
		struct mr_entry *found = cache->slots[at].entry;

		if (writes && !found->writes) {
			mr_cache_drop(cache, at);
			continue;
		}
		if (!found->refs++)
			list_remove(&found->lru);
		cache->stats.hits++;
		*entry = found;
		return 0;
	}
	cache->stats.misses++;
	all = mr_cache_widened(cache, want);
	/* the extended range may fail for its own reasons */
	if ((all.start < want.start || all.end > want.end) &&
	    !mr_cache_enter(cache, all, true, entry))
		return 0;
	rc = mr_cache_enter(cache, want, true, entry);
	return rc && rc != MRT_ERR_NO_MEM && !writes
		   ? mr_cache_enter(cache, want, false, entry)
		   : rc;
}

void mr_cache_put(struct mr_cache *cache, struct mr_entry *entry)
{
	if (--entry->refs)
		return;
	if (entry->cached)
		list_append(&cache->lru, &entry->lru);
	else
		mr_cache_release(cache, entry);
}

int mr_cache_init(struct mr_cache *cache, const struct mr_config *config)
{
	struct mr_slot *slots = NULL;
	bool keep = config->watch && config->bytes && config->entries;

	if (keep) {
		slots = calloc(config->entries, sizeof(*slots));
		if (!slots)
			return MRT_ERR_NO_MEM;
	}
	*cache = (struct mr_cache){.config = *config,
				   .watching = keep,
				   .slots = slots,
				   .owner = getpid()};
	list_init(&cache->lru);
	pool_init(&cache->entries, sizeof(struct mr_entry), 64);
	return 0;
}

void mr_cache_fini(struct mr_cache *cache)
{
	while (mr_cache_evict(cache))
		;
	free(cache->slots);
	cache->slots = NULL;
	pool_fini(&cache->entries);
}
