/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_liveness.c: finds ranks of the node that have died, without a launcher's
 * help. Each rank holds a robust mutex in its card from the time it attaches
 * until it closes the fabric; the kernel marks it when the thread that holds it
 * is gone, in whatever way, exec included. A rank that waits for long tries
 * them: WATCHED at a time, so that the work of a node does not grow with the
 * square of its ranks, and all of them once any rank has found one dead.
 *
 * A launcher tells more - how a rank died and which was the first - and mostly
 * within a millisecond. So a death counts only after several checks.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "mrt.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang_record.h"
#include "runtime/fabric/sm/sm_wait.h"
#include "runtime/fabric/sm/sm_cma.h"
enum {
	CHECKS = 5, /* a tenth of a second apart (wait.c) */
	WATCHED = 64
};

void sm_liveness_init(struct sm *sm)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&sm->card->alive, &attr);
	pthread_mutexattr_destroy(&attr);
	sm->held = pthread_mutex_lock(&sm->card->alive) == 0;
	sm->next_check = sm->slot;
	fault_share(&sm->seg->told);
}

void sm_liveness_fini(struct sm *sm)
{
	fault_share(NULL);
	if (sm->held) /* relaxed: seen long before it counts (CHECKS) */
		atomic_store_explicit(&sm->card->left, 1, memory_order_relaxed);
	/* only the thread that locked it can unlock it; it may still be in that
	 * thread's list when another one calls mrt_finalize */
	if (sm->held && !pthread_mutex_unlock(&sm->card->alive))
		sm->held = false;
}

/* Whether the thread that held the mutex is gone. The first rank to see it
 * marks the card for the others, as the mutex would not: left inconsistent, it
 * is locked for good after glibc's trylock returns ENOTRECOVERABLE. */
static bool is_marked(struct sm *sm, struct sm_card *card)
{
	int rc;

	/* relaxed: `left` and `dead` stand alone and may be seen late */
	if (atomic_load_explicit(&card->left, memory_order_relaxed))
		return false;
	if (atomic_load_explicit(&card->dead, memory_order_relaxed))
		return true;
	rc = pthread_mutex_trylock(&card->alive);
	if (rc == EOWNERDEAD) {
		pthread_mutex_consistent(&card->alive);
		atomic_store_explicit(&card->dead, 1, memory_order_relaxed);
		atomic_store_explicit(&sm->seg->deaths, 1,
				      memory_order_relaxed);
	}
	if (rc == 0 || rc == EOWNERDEAD)
		pthread_mutex_unlock(&card->alive);
	return rc == EOWNERDEAD;
}

/* Whether more is gone than the thread that called mrt_init: the process, or at
 * least the program that it was. */
static bool is_gone(const struct sm *sm, const struct sm_card *card)
{
	uint64_t word = 0;
	char state;
	double cpu_s;
	int threads = 0;

	if (kill(card->pid, 0) && errno == ESRCH)
		return true;
	/* a process whose first thread alone has ended looks like a zombie, and
	 * its memory cannot be read */
	state = hang_read_stat(card->pid, &cpu_s, &threads);
	if (state == 'Z' || state == 'X')
		return threads <= 1;
	return sm->copies.cma &&
	       (!sm_cma(false, card->pid, &word, card->probe, sizeof(word)) ||
		word != card->nonce);
}

/* Returns the card of the rank to blame: a rank that ends because another has
 * died is not the cause. */
static const struct sm_card *find_cause(const struct sm *sm,
					const struct sm_card *card)
{
	/* relaxed: pairs with the store in blame; it stands alone */
	uint32_t blamed =
	    atomic_load_explicit(&card->blames, memory_order_relaxed);

	return blamed && blamed <= (uint32_t)sm->slots ? &sm->cards[blamed - 1]
						       : card;
}

static void liveness_blame(struct sm *sm, const struct sm_card *card)
{
	uint32_t slot = (uint32_t)(card - sm->cards);

	/* relaxed: pairs with the load in find_cause */
	atomic_store_explicit(&sm->card->blames, slot + 1,
			      memory_order_relaxed);
	fault_raise_text(MRT_ERR_PEER, "rank %d (pid %d) has died", card->rank,
			 card->pid);
}

static void check_peer(struct sm *sm, int slot)
{
	struct sm_card *card = &sm->cards[slot];
	struct sm_ep *ep = &sm->eps[slot];

	if (slot == sm->slot || ep->outlived || !is_marked(sm, card))
		return;
	if (++ep->seen_dead < CHECKS)
		return;
	if (is_gone(sm, card))
		liveness_blame(sm, find_cause(sm, card));
	else
		ep->outlived = true;
}

void sm_check_peers(struct fab_node *node)
{
	struct sm *sm = sm_of_node(node);
	/* relaxed: it stands alone and may be seen late */
	bool all = atomic_load_explicit(&sm->seg->deaths, memory_order_relaxed);
	int n = all || sm->slots < WATCHED ? sm->slots : WATCHED;

	for (int i = 0; i < n; i++) {
		check_peer(sm, sm->next_check);
		sm->next_check = (sm->next_check + 1) % sm->slots;
	}
}
