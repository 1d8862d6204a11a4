/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crash.h: says on stderr where this rank crashes, before the signal takes its
 * usual course with its usual exit status and core:
 *
 *	libmrt[1/8 node7 4711] signal 11 (Segmentation fault), address 0x0:
 *	./app(solve+0x14)[0x55d2e3a4b189]
 *	./app(main+0x52)[0x55d2e3a4b2c1]
 *
 * If several ranks of a node crash, only the first one writes this
 * (fault_claim). A signal for which the program has a handler keeps it.
 */
#ifndef BASE_CRASH_H
#define BASE_CRASH_H

/* Watches for crashes of this rank, unless MRT_BACKTRACE=no, after
 * log_identify; and for overflows of the stack of the thread that calls.
 * Returns 0. */
int crash_watch(void);
/* Restores the default actions of the signals, except where the program has
 * replaced crash_watch's handler by its own. */
void crash_unwatch(void);
#endif
