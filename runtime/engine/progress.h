/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h: the one progress loop. It drives the fabrics and the registered
 * hooks, and never waits (see wait.h). */
#ifndef RUNTIME_PROGRESS_H
#define RUNTIME_PROGRESS_H

#include <stdbool.h>

#include "runtime/base/fault.h"
#include "runtime/base/list.h"

/* A function polled at every progress while it is registered; p2p has one for
 * sends held back by back-pressure. poll returns the number of events. */
struct progress_hook {
	struct list link; /* zero at first */
	int (*poll)(struct progress_hook *hook);
};

/* Register a hook, and undo that; they do nothing if it is done already. A poll
 * may remove its own hook, and no other. */
void progress_add(struct progress_hook *hook);
void progress_remove(struct progress_hook *hook);
bool progress_has_hooks(void);

/* True in the round before a sleep: hooks leave nothing for the next round. */
extern bool progress_thorough;

/* Makes one round and returns the number of events. A call from inside progress
 * (a callback that sends) returns 0 at once. */
int progress_poll(void);

/* Returns the code of the fault, or 0. A caller that learns of a fault leaves
 * its requests behind, so progress does nothing from then on.
 * progress_fault_found is the slow path. */
int progress_fault_found(void);
static inline int progress_fault(void)
{
	/* relaxed: progress_fault_found reads the fault with acquire */
	return __builtin_expect(
		   atomic_load_explicit(&fault_code, memory_order_relaxed), 0)
		   ? progress_fault_found()
		   : 0;
}
#endif
