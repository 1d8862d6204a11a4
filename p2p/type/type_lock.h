/* SPDX-License-Identifier: Apache-2.0 */
/* type_lock.h: what the public calls on types share. They may be called at any
 * time, so entering them takes the lock and checks nothing. */
#ifndef P2P_TYPE_LOCK_H
#define P2P_TYPE_LOCK_H

#include "p2p/type/datatype.h"
#include "runtime/engine/proc.h"

static inline void type_lock(void)
{
	if (proc.locked)
		proc_lock();
}

static inline void type_unlock(void)
{
	if (proc.locked)
		proc_unlock();
}

/* Unlocks and returns rc. */
static inline int type_unlock_with(int rc)
{
	type_unlock();
	return rc;
}

/* Sets *old to the type behind a handle of which *newtype is to be made.
 * Returns 0 or MRT_ERR_* (proc_fail). */
static inline int type_check(struct mrt_type *handle, struct mrt_type **newtype,
			     const struct mrt_type **old)
{
	*old = type_get(handle);
	if (!*old)
		return proc_fail(MRT_ERR_TYPE, "%p is not a type",
				 (void *)handle);
	if (!newtype)
		return proc_fail(MRT_ERR_ARG, "newtype is NULL");
	return 0;
}
#endif
