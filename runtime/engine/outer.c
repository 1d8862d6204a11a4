/* SPDX-License-Identifier: Apache-2.0 */
/* outer.c keeps, counts and traces the calls of another library in which a
 * thread calls libmrt. */
#include "runtime/engine/outer.h"

#include <stdatomic.h>

#include "mrt_lib.h"
#include "runtime/base/trace.h"
#include "runtime/engine/proc.h"

_Thread_local const char *outer_call;
static _Atomic uint64_t calls, bytes_read, bytes_written;

static void outer_trace(const char *name, uint64_t bytes)
{
	if (proc.locked)
		proc_lock();
	if (name) {
		trace_enter("", name);
		trace_is_message(-1, bytes, TRACE_NO_COMM, 0);
	} else {
		trace_leave();
	}
	if (proc.locked)
		proc_unlock();
}

void mrt_set_outer_call(const char *name, size_t read, size_t written)
{
	outer_call = name;
	calls += name != NULL;
	bytes_read += read;
	bytes_written += written;
	if (trace_on)
		outer_trace(name, read + written);
}

void outer_stats(struct counters *t)
{
	counters_add(t, "file", "calls", calls);
	counters_add(t, "file", "bytes read", bytes_read);
	counters_add(t, "file", "bytes written", bytes_written);
}
