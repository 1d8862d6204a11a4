/* SPDX-License-Identifier: Apache-2.0 */
/* leftovers.h: reports what a program leaves behind when it ends
 * (MRT_CHECK). */
#ifndef LIB_LEFTOVERS_H
#define LIB_LEFTOVERS_H

/* Prints a warning for each kind of requests that are not completed or freed,
 * for each kind of objects that are not freed, and for messages that nobody has
 * received. */
void leftovers_report(void);
#endif
