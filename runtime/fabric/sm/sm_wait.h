/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_wait.h: ranks of the node that sleep, and that have died.
 *
 *   sm_wait.c      sleeping and waking by futex
 *   sm_liveness.c  detection of ranks that have died
 *   sm_cma.c       the kernel's copies between processes (sm_cma.h)
 */
#ifndef FABRIC_SM_WAIT_H
#define FABRIC_SM_WAIT_H

#include "runtime/fabric/sm/sm.h"

void sm_wait_prepare(void);
void sm_wait_init(struct sm *sm);
/* Sleeps until woken or for timeout_us, if *word is still value. */
void sm_sleep(_Atomic uint32_t *word, uint32_t value, unsigned timeout_us);
void sm_wake_all(_Atomic uint32_t *word);
void sm_arm(struct fab *fab, const void *flags);
void sm_disarm(struct fab *fab);
void sm_wait(struct fab *fab, unsigned timeout_us);
void sm_wake(struct fab *fab);
void sm_notify_flags(struct fab_node *node, const void *flags);
/* Wakes the owner of the card if it sleeps. */
void sm_ring_bell(struct sm_card *card);

/* Liveness from attaching to closing; sm_check_peers raises a fault if a rank
 * has died. */
void sm_liveness_init(struct sm *sm);
void sm_liveness_fini(struct sm *sm);
void sm_check_peers(struct fab_node *node);

/* Stands between what a rank publishes and its look for sleepers. */
static inline void sm_order(const struct sm *sm)
{
	if (__builtin_expect(!sm->membarrier, 0))
		/* pairs with the fence in sm_arm: either the peer sees the
		 * line, or we see it asleep */
		atomic_thread_fence(memory_order_seq_cst);
	else
		/* the peer's membarrier in sm_arm replaces the fence */
		atomic_signal_fence(memory_order_seq_cst);
}

/* Ends every send: after the line is published, wakes the peer if it sleeps.
 * One load on machines with membarrier. */
static inline void sm_notify(struct sm *sm, struct sm_card *card)
{
	sm_order(sm);
	/* relaxed: ordered by the fence above */
	if (__builtin_expect(
		atomic_load_explicit(&card->asleep, memory_order_relaxed), 0))
		sm_ring_bell(card);
}
#endif
