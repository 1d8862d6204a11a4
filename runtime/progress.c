/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c: the one progress loop. */
#include "runtime/progress.h"

#include <stdbool.h>

#include "runtime/base/fault.h"
#include "runtime/proc.h"

static struct list hooks = LIST_INIT(hooks);
static bool running;

void progress_add(struct progress_hook *hook)
{
	list_append(&hooks, &hook->link);
}

void progress_remove(struct progress_hook *hook)
{
	list_remove(&hook->link);
}

int progress_poll(void)
{
	int n;

	/* after a fault nothing moves any more: the blocking calls that it
	 * ended have left their requests behind */
	if (running || __builtin_expect(atomic_load_explicit(
						&fault_code,
						memory_order_relaxed),
					0))
		return 0;
	running = true;
	n = proc.fab->ops->progress(proc.fab);
	list_for_each_safe(it, &hooks) {
		struct progress_hook *h =
		    list_entry(it, struct progress_hook, link);

		n += h->poll(h);
	}
	running = false;
	return n;
}
