/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c: asks the scheduler for a short time slice. */
#include "runtime/engine/slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

void slice_shorten(unsigned us)
{
	struct sched_attr attr = {.size = sizeof(attr)};
	const uint64_t ns = us * UINT64_C(1000);

	/* without slices of their own, processes have a runtime of 0 */
	if (!us || syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) ||
	    (attr.sched_policy != SCHED_NORMAL &&
	     attr.sched_policy != SCHED_BATCH) ||
	    attr.sched_runtime <= ns)
		return;
	attr.sched_runtime = ns;
	syscall(SYS_sched_setattr, 0, &attr, 0);
}
