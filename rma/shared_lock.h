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

/* All zero: free. The device reads and adds to whole words of 64 bits. */
struct shared_lock {
	/* how many tickets have been drawn; a ticket is the low half of it */
	_Alignas(64) uint64_t tickets;
	/* high half: the ticket that may write, since all before it are done;
	 * low half: the ticket that may read, since no writer is before it */
	uint64_t turns;
	uint32_t updates; /* 1 while a rank accumulates elements that the CPU
			     has no atomics for */
};

/* Added to turns this says that the holder of a ticket is done. */
#define SHARED_LOCK_DONE (1ull << 32)

/* Returns the number that, added to turns, lets the ticket after this one read.
 * The low half never carries into the high one. */
static inline uint64_t shared_lock_read_on(uint32_t ticket)
{
	return ticket == UINT32_MAX ? 1 - SHARED_LOCK_DONE : 1;
}

/* Whether it is the turn of a ticket. */
static inline bool shared_lock_turn(uint64_t turns, uint32_t ticket,
				    bool exclusive)
{
	return (uint32_t)(exclusive ? turns >> 32 : turns) == ticket;
}

static inline uint32_t shared_lock_ticket(struct shared_lock *l)
{
	return (uint32_t)__atomic_fetch_add(&l->tickets, 1, __ATOMIC_RELAXED);
}

/* Returns whether the turn of a ticket has come; then the lock is held. A
 * reader lets the next reader in at once. Acquire pairs with the release of
 * shared_lock_release. */
static inline bool shared_lock_has(struct shared_lock *l, uint32_t ticket,
				   bool exclusive)
{
	uint64_t turns = __atomic_load_n(&l->turns, __ATOMIC_ACQUIRE);

	if (!shared_lock_turn(turns, ticket, exclusive))
		return false;
	if (!exclusive)
		__atomic_fetch_add(&l->turns, shared_lock_read_on(ticket),
				   __ATOMIC_RELEASE);
	return true;
}

/* Releases what the holder has done to the next one. */
static inline void shared_lock_release(struct shared_lock *l, bool exclusive)
{
	uint64_t add = SHARED_LOCK_DONE;

	if (exclusive) /* nobody else changes the low half: it is the ticket */
		add += shared_lock_read_on(
		    (uint32_t)__atomic_load_n(&l->turns, __ATOMIC_RELAXED));
	__atomic_fetch_add(&l->turns, add, __ATOMIC_RELEASE);
}
#endif
