/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.h: what all public collectives (coll_calls.c) have in common. `name` is
 * the name of the public function, for errors. The functions of this file
 * return what the public function returns, and any thread that may call it may
 * call them.
 */
#ifndef COLL_ENTRY_H
#define COLL_ENTRY_H

#include "coll/call/coll_args.h"
#include "runtime/engine/proc.h"

/* Runs the call to its end. */
int coll_blocking(const char *name, enum collective collective,
		  struct coll_args *args, struct mrt_comm *comm);
/* Starts the call; *request completes when this rank's part is done. */
int coll_nonblocking(const char *name, enum collective collective,
		     struct coll_args *args, struct mrt_comm *comm,
		     struct mrt_request **request);
/* Makes *request, which is inactive; each start of it is one such call. */
int coll_persistent(const char *name, enum collective collective,
		    struct coll_args *args, struct mrt_comm *comm,
		    struct mrt_request **request);
#endif
