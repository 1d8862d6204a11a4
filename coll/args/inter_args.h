/* SPDX-License-Identifier: Apache-2.0 */
/* inter_args.h: the calls of an intercommunicator, as calls of the hidden
 * communicator of both groups. */
#ifndef COLL_INTER_INTER_ARGS_H
#define COLL_INTER_INTER_ARGS_H

#include "coll/args/coll_args.h"

/* As coll_args_check, for comm->inter->merged. */
int inter_args_check(const struct coll_args *a, struct mrt_comm *comm,
		     struct coll_call *call);
#endif
