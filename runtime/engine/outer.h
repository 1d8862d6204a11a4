/* SPDX-License-Identifier: Apache-2.0 */
/* outer.h keeps the name of the call of another library in which a thread calls
 * libmrt, such as MPI_File_open of libmpi_abi. */
#ifndef ENGINE_OUTER_H
#define ENGINE_OUTER_H

#include "runtime/base/counters.h"

/* `outer_call` is the name that this thread last gave to mrt_set_outer_call, or
 * NULL while it is in no such call. */
extern _Thread_local const char *outer_call;

/* Adds the counters of these calls to t. */
void outer_stats(struct counters *t);
#endif
