/* SPDX-License-Identifier: Apache-2.0 */
/* conflict.h: MRT_CHECK=1 for operations on windows (conflict.c). */
#ifndef RMA_CONFLICT_H
#define RMA_CONFLICT_H

#include "rma/access.h"
#include "runtime/base/env.h"

enum access_kind { ACCESS_PUT, ACCESS_GET, ACCESS_UPDATE };

/* Implements win_check_access, below, for jobs with MRT_CHECK=1. */
int win_remember_access(struct mrt_win *w, const struct target *t,
			enum access_kind kind, const struct mrt_type *type);
/* Returns MRT_ERR_CONFLICT if an operation of this rank that is not complete
 * does not go with this one; else remembers it. type: that of the elements of
 * an accumulate. Does nothing without MRT_CHECK. */
static inline int win_check_access(struct mrt_win *w, const struct target *t,
				   enum access_kind kind,
				   const struct mrt_type *type)
{
	return env.check ? win_remember_access(w, t, kind, type) : 0;
}
/* Returns MRT_ERR_CONFLICT, on all ranks, if accesses of different ranks since
 * the last fence meet; every rank calls it. Does nothing without MRT_CHECK. */
int win_check_epoch(struct mrt_win *w);
/* Forgets the operations on a rank, or on all for -1, which are complete. */
void win_forget_accesses(struct mrt_win *w, int rank);
#endif
