/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c: tests that a rank's time slice becomes shorter, never longer, and
 * that nothing else about its scheduling changes. */
#include "runtime/engine/slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"

enum { US = 1000, LONG = 3000 * US };

static struct sched_attr now(void)
{
	struct sched_attr attr = {.size = sizeof(attr)};

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0))
		attr.sched_runtime = 0;
	return attr;
}

static void set(uint32_t policy, int32_t nice, uint64_t slice)
{
	struct sched_attr attr = {.size = sizeof(attr),
				  .sched_policy = policy,
				  .sched_nice = nice,
				  .sched_runtime = slice};

	syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void same(const struct sched_attr *a, const struct sched_attr *b,
		 const char *name)
{
	ok(a->sched_policy == b->sched_policy &&
	       a->sched_nice == b->sched_nice &&
	       a->sched_flags == b->sched_flags,
	   "%s: policy, nice and flags stay", name);
}

static void with_policy(uint32_t policy, const char *name)
{
	struct sched_attr before, after;

	set(policy, 3, LONG);
	before = now();
	slice_shorten(0);
	after = now();
	is_int(after.sched_runtime, LONG, "%s: 0 changes nothing", name);
	slice_shorten(200);
	after = now();
	is_int(after.sched_runtime, 200 * US, "%s: a shorter slice", name);
	slice_shorten(300);
	after = now();
	is_int(after.sched_runtime, 200 * US, "%s: none that is longer", name);
	same(&before, &after, name);
}

int main(void)
{
	struct sched_attr before, after;

	set(SCHED_NORMAL, 3, LONG);
	if (now().sched_runtime != LONG) {
		printf("1..0 # SKIP this kernel has no slices of processes\n");
		return 0;
	}
	with_policy(SCHED_NORMAL, "normal");
	with_policy(SCHED_BATCH, "batch");
	set(SCHED_IDLE, 3, 0);
	before = now();
	slice_shorten(200);
	after = now();
	same(&before, &after, "idle");
	is_int(after.sched_runtime, before.sched_runtime,
	       "idle: the slice stays");
	return tap_done();
}
