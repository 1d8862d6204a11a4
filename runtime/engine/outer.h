/* SPDX-License-Identifier: Apache-2.0 */
/* outer.h: the call of a library on top that a thread is in. */
#ifndef ENGINE_OUTER_H
#define ENGINE_OUTER_H

#include "runtime/base/counters.h"

/* What mrt_set_outer_call was given: NULL, or a call that this thread is in. */
extern _Thread_local const char *outer_call;

/* Adds the counters of these calls to t. */
void outer_stats(struct counters *t);
#endif
