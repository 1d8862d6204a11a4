/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memwatch.h: reports address ranges of this process whose memory has changed:
 * by munmap, mremap, brk, mmap over them, MADV_DONTNEED or MADV_REMOVE, called
 * by any thread. There is one watch per process and one consumer at a time.
 *
 * It uses userfaultfd events. Ranges are registered for write protection but
 * nothing is ever protected, so no page fault is delayed. The kernel lets
 * munmap return once a thread of ours has read its event, so the consumer waits
 * while that thread is between reading and queueing; `rounds` is odd then. No
 * change is missed; a reported range may be unchanged.
 *
 * Other threads may map again what munmap has just released but not yet
 * reported. If the process has such threads, memwatch_pending also asks the
 * kernel whether a change is in flight, by one system call.
 *
 * Holes punched into a mapped file and its truncation through its descriptor
 * are not seen. A child after fork has no watch.
 */
#ifndef BASE_MEMWATCH_H
#define BASE_MEMWATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Private to memwatch.c and memwatch_pending. */
struct memwatch {
	_Atomic uint64_t rounds; /* odd: events are read, not yet queued */
	uint64_t seen;		 /* rounds reported by memwatch_drain */
	bool threads;
};
extern struct memwatch memwatch;

/* Starts the watch. `threads` says that other threads of the process map and
 * unmap memory. Returns NULL, or the reason why there is none (static text). */
const char *memwatch_open(bool threads);
/* Ends the watch; harmless without one. */
void memwatch_close(void);

/* Watches the page-aligned range until it is unmapped or removed; adding it
 * twice is harmless. False: it cannot be watched, or there is no watch. */
bool memwatch_add(uintptr_t start, uintptr_t end);
void memwatch_remove(uintptr_t start, uintptr_t end);

/* For memwatch_pending: whether a change is in flight in the kernel. */
bool memwatch_in_flight(void);

/* Whether something changed since memwatch_drain, or the watch is lost. */
static inline bool memwatch_pending(void)
{
	if (memwatch.threads && memwatch_in_flight())
		return true;
	/* acquire: pairs with the releases in read_events() of memwatch.c */
	return atomic_load_explicit(&memwatch.rounds, memory_order_acquire) !=
	       memwatch.seen;
}

/* Calls changed() for each range that changed since the last call, with 0 to
 * UINTPTR_MAX if there were too many to record. changed() may unmap memory.
 * False: the watch is lost (this is a child, or the watching thread does not
 * answer) and does not come back; everything may have changed. */
bool memwatch_drain(void (*changed)(void *arg, uintptr_t start, uintptr_t end),
		    void *arg);
#endif
