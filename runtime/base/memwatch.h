/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memwatch.h: tells which address ranges of this process changed what is
 * behind them: munmap, mremap, brk, mmap over them, MADV_DONTNEED and
 * MADV_REMOVE, whoever calls. One watch per process, one consumer at a time.
 *
 * How: userfaultfd events. Ranges are registered for write protection and
 * nothing is ever protected, so no page fault is delayed. The kernel lets
 * munmap return when a thread of ours has read its event, so the consumer
 * waits while that thread is between reading and queueing: `rounds` is odd
 * then. A change is never missed; one may be told that is none.
 *
 * Other threads may map anew what munmap has just released and not yet told.
 * When the process has such threads, memwatch_pending also asks the kernel
 * whether a change is under way (one system call).
 *
 * Not seen: holes punched into, or truncation of, a mapped file through its
 * descriptor. A child after fork has no watch.
 */
#ifndef BASE_MEMWATCH_H
#define BASE_MEMWATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Private to memwatch.c and memwatch_pending. */
struct memwatch {
	_Atomic uint64_t rounds; /* odd: events are read, not yet queued */
	uint64_t seen;		 /* rounds that memwatch_drain has told */
	bool threads;
};
extern struct memwatch memwatch;

/*
 * Starts the watch; `threads`: other threads of the process map and unmap
 * memory too. NULL, or why there is none (static text).
 */
const char *memwatch_open(bool threads);
/* Ends it; harmless without one. */
void memwatch_close(void);

/*
 * Watches the pages from start to end (page-aligned), until they are unmapped
 * or removed; twice is as good as once. False: they cannot be watched, or
 * there is no watch.
 */
bool memwatch_add(uintptr_t start, uintptr_t end);
void memwatch_remove(uintptr_t start, uintptr_t end);

/* For memwatch_pending: a change is under way in the kernel. */
bool memwatch_in_flight(void);

/* Something changed since memwatch_drain, or there is no watch any more. */
static inline bool memwatch_pending(void)
{
	if (memwatch.threads && memwatch_in_flight())
		return true;
	/* pairs with the releases in memwatch.c, take() */
	return atomic_load_explicit(&memwatch.rounds, memory_order_acquire) !=
	       memwatch.seen;
}

/*
 * Calls changed() for each range that changed since the last call, 0 to
 * UINTPTR_MAX when there were too many to keep. changed() may unmap memory.
 * False: the watch is lost (this is a child, or the watching thread does not
 * answer) and will not come back; everything may have changed.
 */
bool memwatch_drain(void (*changed)(void *arg, uintptr_t start, uintptr_t end),
		    void *arg);
#endif
