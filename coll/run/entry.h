/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.h: what all public collectives have in common. Each is a definition
 * under its full name in coll_moving.c, coll_reducing.c, coll_lists.c or
 * coll_neighbors.c, which says what its arguments are, and calls one of these.
 * `name` is that of the public function, for errors. They return what that
 * returns, and may be called by any thread that may call it.
 */
#ifndef COLL_ENTRY_H
#define COLL_ENTRY_H

#include "coll/args/coll_args.h"
#include "runtime/engine/proc.h"

/* Runs the call to its end. */
int coll_blocking(const char *name, enum collective collective,
		  const struct coll_args *args, struct mrt_comm *comm);
/* Starts it: *request completes when this rank's part is done. */
int coll_nonblocking(const char *name, enum collective collective,
		     const struct coll_args *args, struct mrt_comm *comm,
		     struct mrt_request **request);
/* Makes the inactive *request, each start of which is one such call. */
int coll_persistent(const char *name, enum collective collective,
		    const struct coll_args *args, struct mrt_comm *comm,
		    struct mrt_request **request);

/* Arguments by the names that they have in mrt.h. */
#define ARGS(...) (&(const struct coll_args){__VA_ARGS__})
#define SEND .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype
#define RECV .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype
#define SEND_PARAMETERS                                                        \
	const void *sendbuf, size_t sendcount, struct mrt_type *sendtype
#define RECV_PARAMETERS                                                        \
	void *recvbuf, size_t recvcount, struct mrt_type *recvtype
#endif
