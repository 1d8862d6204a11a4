/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_liveness.c: who of the node has died, without a launcher that tells. Each
 * rank holds a robust mutex in its card from the time it attaches until it
 * closes the fabric; the kernel marks it when the thread that holds it is gone,
 * by whatever way, exec included. Whoever waits for long tries all of them.
 *
 * A launcher says more about how a rank died, and who was the first, mostly
 * within a millisecond: so it takes several looks for a death to count.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "mrt.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/sm/sm.h"

enum { LOOKS = 5 }; /* a tenth of a second apart (wait.c) */

void sm_liveness_init(struct sm *sm)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&sm->card->alive, &attr);
	pthread_mutexattr_destroy(&attr);
	sm->held = pthread_mutex_lock(&sm->card->alive) == 0;
}

void sm_liveness_fini(struct sm *sm)
{
	if (sm->held) /* relaxed: seen long before it counts (LOOKS) */
		atomic_store_explicit(&sm->card->left, 1, memory_order_relaxed);
	/* only the thread that has locked it can; it may still have it in its
	 * list when others call mrt_finalize */
	if (sm->held && !pthread_mutex_unlock(&sm->card->alive))
		sm->held = false;
}

/* Is the thread gone that held it? The first to see it tells the others; a
 * mutex left inconsistent would not: after the ENOTRECOVERABLE of glibc's
 * trylock it is locked for good. */
static bool is_marked(struct sm_card *card)
{
	int rc;

	if (atomic_load_explicit(&card->left, memory_order_relaxed))
		return false;
	if (atomic_load_explicit(&card->dead, memory_order_relaxed))
		return true;
	rc = pthread_mutex_trylock(&card->alive);
	if (rc == EOWNERDEAD) {
		pthread_mutex_consistent(&card->alive);
		atomic_store_explicit(&card->dead, 1, memory_order_relaxed);
	}
	if (rc == 0 || rc == EOWNERDEAD)
		pthread_mutex_unlock(&card->alive);
	return rc == EOWNERDEAD;
}

/* The state of a process, and how many threads it has; false: there is none. */
static bool read_state(int pid, char *state, int *threads)
{
	char path[32], line[512] = "";
	const char *after;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return after &&
	       sscanf(after + 1,
		      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		      "%*d %*d %*d %*d %d",
		      state, threads) == 2;
}

/* Not only the thread that called mrt_init, but the process, or at least the
 * program that it was? */
static bool is_gone(const struct sm *sm, const struct sm_card *card)
{
	uint64_t word = 0;
	struct iovec here = {&word, sizeof(word)};
	struct iovec there = {(void *)(uintptr_t)card->probe, sizeof(word)};
	char state = 0;
	int threads = 0;

	if (kill(card->pid, 0) && errno == ESRCH)
		return true;
	/* a process whose first thread has ended alone looks like a zombie,
	 * whose memory cannot be read */
	if (read_state(card->pid, &state, &threads) &&
	    (state == 'Z' || state == 'X'))
		return threads <= 1;
	return sm->cma && (process_vm_readv(card->pid, &here, 1, &there, 1,
					    0) != sizeof(word) ||
			   word != card->nonce);
}

/* A rank that ends because another has died is not the cause. */
static const struct sm_card *find_cause(const struct sm *sm,
					const struct sm_card *card)
{
	uint32_t blamed =
	    atomic_load_explicit(&card->blames, memory_order_relaxed);

	return blamed && blamed <= (uint32_t)sm->slots ? &sm->cards[blamed - 1]
						       : card;
}

static void blame(struct sm *sm, const struct sm_card *card)
{
	uint32_t slot = (uint32_t)(card - sm->cards);
	char text[96];

	atomic_store_explicit(&sm->card->blames, slot + 1,
			      memory_order_relaxed);
	snprintf(text, sizeof(text), "rank %d (pid %d) has died", card->rank,
		 card->pid);
	fault_raise(MRT_ERR_PEER, text);
}

void sm_check_peers(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	for (int s = 0; s < sm->slots; s++) {
		struct sm_card *card = &sm->cards[s];

		if (s == sm->slot || sm->eps[s].outlived || !is_marked(card))
			continue;
		if (++sm->eps[s].seen_dead < LOOKS)
			continue;
		if (is_gone(sm, card))
			blame(sm, find_cause(sm, card));
		else
			sm->eps[s].outlived = true;
	}
}
