/* SPDX-License-Identifier: Apache-2.0 */
/* leftovers.h: what a program has left when it ends (MRT_CHECK). */
#ifndef COLL_LEFTOVERS_H
#define COLL_LEFTOVERS_H

/* A warning line for each kind of requests that are not completed or freed, of
 * objects that are not freed, and for messages that nobody has received. */
void leftovers_report(void);
#endif
