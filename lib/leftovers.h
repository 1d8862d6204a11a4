/* SPDX-License-Identifier: Apache-2.0 */
/* leftovers.h: reports what a program leaves behind when it ends
 * (MRT_CHECK). */
#ifndef LIB_LEFTOVERS_H
#define LIB_LEFTOVERS_H

/* Prints a warning for each kind of requests that are not completed or freed,
 * and for each kind of objects that are not freed. */
void leftovers_report(void);
/* Likewise, but nothing without MRT_CHECK, for messages that nobody has
 * received. The caller has seen to it that all have arrived, and that
 * communicators that were freed are gone. Returns 0. */
int leftovers_report_strays(void);
#endif
