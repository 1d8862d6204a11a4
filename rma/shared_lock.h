/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared_lock.h: a lock in memory that the ranks of a node share, held by one
 * writer or by many readers, granted in the order of tickets: nobody starves.
 * (A ticket lock for readers and writers; the idea of tickets is Reed's and
 * Kanodia's, Synchronization with Eventcounts and Sequencers, CACM 22(2),
 * 1979.) The caller waits, since a waiting rank has to make progress.
 */
#ifndef RMA_SHARED_LOCK_H
#define RMA_SHARED_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: free. */
struct shared_lock {
	_Alignas(64) uint64_t tickets; /* the next one */
	uint64_t writer;  /* the ticket that may write: all before are done */
	uint64_t reader;  /* the ticket that may read: no writer is before it */
	uint32_t updates; /* 1 while a rank accumulates elements that the CPU
			     has no atomics for */
};

static inline uint64_t shared_lock_ticket(struct shared_lock *l)
{
	return __atomic_fetch_add(&l->tickets, 1, __ATOMIC_RELAXED);
}

/* Returns whether the turn of a ticket has come; then the lock is held. A
 * reader lets the next reader in at once. Acquire pairs with the release of
 * shared_lock_release. */
static inline bool shared_lock_has(struct shared_lock *l, uint64_t ticket,
				   bool exclusive)
{
	if (exclusive)
		return __atomic_load_n(&l->writer, __ATOMIC_ACQUIRE) == ticket;
	if (__atomic_load_n(&l->reader, __ATOMIC_ACQUIRE) != ticket)
		return false;
	/* only the holder of this ticket changes it now */
	__atomic_store_n(&l->reader, ticket + 1, __ATOMIC_RELEASE);
	return true;
}

/* Releases what the holder has done to the next one. */
static inline void shared_lock_release(struct shared_lock *l, bool exclusive)
{
	if (exclusive)
		__atomic_fetch_add(&l->reader, 1, __ATOMIC_RELEASE);
	__atomic_fetch_add(&l->writer, 1, __ATOMIC_RELEASE);
}
#endif
