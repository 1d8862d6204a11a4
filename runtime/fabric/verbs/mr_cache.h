/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mr_cache.h: memory registrations, kept after use for the next one. It does
 * not depend on verbs: the owner says how to register. One thread at a time.
 *
 * What is kept is watched (memwatch.h) and forgotten when the memory behind it
 * changes; memory that cannot be watched is registered for each use. In a child
 * after fork nothing is kept, and nothing of the parent's is touched.
 */
#ifndef VERBS_MR_CACHE_H
#define VERBS_MR_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/list.h"
#include "runtime/base/pool.h"

struct mr_ops {
	/* Registers whole pages, to be read and, if `writes`, to be written.
	 * Returns 0 or MRT_ERR_*; only after MRT_ERR_NO_MEM is it tried again,
	 * with fewer other registrations. Logs nothing. */
	int (*register_range)(void *ctx, void *addr, size_t len, bool writes,
			      void **handle);
	void (*deregister)(void *ctx, void *handle);
};

/* The functions memwatch_* of memwatch.h; tests bring their own. */
struct mr_watch {
	bool (*add)(uintptr_t start, uintptr_t end);
	void (*remove)(uintptr_t start, uintptr_t end);
	bool (*pending)(void);
	bool (*drain)(void (*changed)(void *arg, uintptr_t start,
				      uintptr_t end),
		      void *arg);
};
extern const struct mr_watch mr_watch_memory;

struct mr_config {
	const struct mr_ops *ops;
	void *ctx;		      /* argument of ops */
	const struct mr_watch *watch; /* opened by the owner; NULL: none */
	size_t bytes;		      /* most bytes kept unused; 0: none */
	size_t entries;
};

/* A registration in use. The owner may read handle, start and end. */
struct mr_entry {
	void *handle;
	uintptr_t start, end;
	unsigned refs;
	bool writes;	 /* it can be written, too */
	bool cached;	 /* can be found; else the last put deregisters it */
	struct list lru; /* linked while cached and unused */
};

struct mr_stats {
	uint64_t hits, misses, evictions, invalidations;
	size_t bytes; /* registered now */
};

struct mr_cache {
	struct mr_config config;
	bool watching;
	struct mr_slot *slots; /* cached entries, sorted */
	size_t count;
	struct list lru; /* least recently used first */
	struct pool entries;
	pid_t owner;
	struct mr_stats stats;
};

/* Returns 0 or MRT_ERR_NO_MEM. */
int mr_cache_init(struct mr_cache *cache, const struct mr_config *config);
/* Deregisters all; every entry must have been put. */
void mr_cache_fini(struct mr_cache *cache);

/* Gets a registration that covers len > 0 bytes at addr, or what register_range
 * returns; mr_cache_put gives it back. Unless the device `writes` there, memory
 * that can only be read will do, such as constants: it is registered so where
 * it cannot be registered for both. */
int mr_cache_get(struct mr_cache *cache, const void *addr, size_t len,
		 bool writes, struct mr_entry **entry);
void mr_cache_put(struct mr_cache *cache, struct mr_entry *entry);

/* Drops registrations of memory that has changed; mr_cache_get does so, too. An
 * occasional call is worthwhile, as freed memory stays pinned until then. */
void mr_cache_refresh(struct mr_cache *cache);
#endif
