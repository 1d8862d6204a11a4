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

/* Sets *t to the type behind a handle. Returns 0 or MRT_ERR_TYPE (proc_fail).
 */
static inline int type_find(struct mrt_type *handle, const struct mrt_type **t)
{
	*t = type_get(handle);
	return *t ? 0 : proc_fail_handle(MRT_ERR_TYPE, handle, "a type");
}

/* Sets *old to the type behind a handle of which *newtype is to be made.
 * Returns 0 or MRT_ERR_* (proc_fail). */
static inline int type_check(struct mrt_type *handle, struct mrt_type **newtype,
			     const struct mrt_type **old)
{
	int rc = type_find(handle, old);

	if (!rc && !newtype)
		rc = proc_fail(MRT_ERR_ARG, "newtype is NULL");
	return rc;
}
#endif
