/* SPDX-License-Identifier: Apache-2.0 */
/* nap.h: the sleep of a rank on a word of its own, which any thread ends: for
 * fabrics that share no memory with their peers. */
#ifndef FABRIC_NAP_H
#define FABRIC_NAP_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct nap {
	_Atomic uint32_t asleep; /* futex word */
};

/* Precedes the last look for what the sleep would wait for. */
static inline void nap_arm(struct nap *nap)
{
	/* seq_cst: pairs with the exchange in nap_wake */
	atomic_store(&nap->asleep, 1);
}

static inline void nap_disarm(struct nap *nap)
{
	/* relaxed: a late wake-up does no harm */
	atomic_store_explicit(&nap->asleep, 0, memory_order_relaxed);
}

static inline void nap_wait(struct nap *nap, unsigned timeout_us)
{
	struct timespec t = {timeout_us / 1000000,
			     (long)(timeout_us % 1000000) * 1000};

	syscall(SYS_futex, &nap->asleep, FUTEX_WAIT_PRIVATE, 1, &t, NULL, 0);
	nap_disarm(nap);
}

/* Async-signal-safe, any thread. */
static inline void nap_wake(struct nap *nap)
{
	int saved = errno;

	if (atomic_exchange(&nap->asleep, 0))
		syscall(SYS_futex, &nap->asleep, FUTEX_WAKE_PRIVATE, 1, NULL,
			NULL, 0);
	errno = saved;
}
#endif
