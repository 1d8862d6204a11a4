/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c: the one progress loop. */
#include "runtime/engine/progress.h"

#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

static struct list hooks = LIST_INIT(hooks);
bool progress_thorough;
static bool closed; /* inside progress, or stopped after a fault */

void progress_add(struct progress_hook *hook)
{
	/* list_remove lets it point to itself */
	if (!hook->link.next || hook->link.next == &hook->link)
		list_append(&hooks, &hook->link);
}

void progress_remove(struct progress_hook *hook)
{
	if (hook->link.next)
		list_remove(&hook->link);
}

bool progress_has_hooks(void)
{
	return !list_empty(&hooks);
}

static __attribute__((noinline)) int poll_hooks(void)
{
	int n = 0;

	list_for_each_safe (it, &hooks) {
		struct progress_hook *h =
		    list_entry(it, struct progress_hook, link);

		n += h->poll(h);
	}
	return n;
}

int progress_poll(void)
{
	struct fab *fab = proc.fab;
	int n;

	if (__builtin_expect(closed, 0))
		return 0;
	closed = true;
	n = fab->ops->progress(fab);
	while (__builtin_expect((fab = fab->next) != NULL, 0))
		n += fab->ops->progress(fab);
	if (__builtin_expect(!list_empty(&hooks), 0))
		n += poll_hooks();
	closed = false;
	return n;
}

int progress_fault_found(void)
{
	int code = fault_report();

	if (code)
		closed = true;
	return code;
}
