/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h: the one progress loop. Drives the fabric and whoever has asked
 * to be polled; no waiting here (wait.h).
 */
#ifndef RUNTIME_PROGRESS_H
#define RUNTIME_PROGRESS_H

#include "runtime/base/fault.h"
#include "runtime/base/list.h"

/* Something polled at every progress while it is in the list; p2p has one for
 * sends held back by back-pressure. poll returns the number of events. */
struct progress_hook {
	struct list link;
	int (*poll)(struct progress_hook *hook);
};

void progress_add(struct progress_hook *hook);
void progress_remove(struct progress_hook *hook);

/* One round; the number of events, 0 when nothing happened. A call from
 * inside progress (a callback that sends) returns 0 at once. */
int progress_poll(void);

/*
 * The fault that has come up, or 0. A caller who is told of a fault leaves
 * its requests behind, so from then on nothing moves any more.
 */
int progress_fault_found(void);
static inline int progress_fault(void)
{
	return __builtin_expect(
		   atomic_load_explicit(&fault_code, memory_order_relaxed), 0)
		   ? progress_fault_found()
		   : 0;
}
#endif
