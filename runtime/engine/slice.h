/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slice.h: how long a rank runs before the scheduler looks for another process.
 *
 * A rank that wakes up or yields beside a process that computes gets the CPU
 * when the other's time slice ends, 1.4 to 4 ms later, and a collective waits
 * for the last of its ranks. Linux lets a process ask for a shorter slice of
 * its own (EEVDF, since 6.12): its share of the CPU stays the same, but it
 * preempts processes with longer slices. On older systems nothing happens.
 */
#ifndef RUNTIME_SLICE_H
#define RUNTIME_SLICE_H

/* Shortens the slice of this thread, and of those that it will create, to `us`
 * microseconds; the kernel takes at least 100. A slice that is shorter already
 * is left, as are real-time, deadline and idle policies. 0: does nothing. */
void slice_shorten(unsigned us);
#endif
