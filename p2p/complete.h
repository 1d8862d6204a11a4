/* SPDX-License-Identifier: Apache-2.0 */
/* complete.h: what tests and waits share with those that only look. */
#ifndef P2P_COMPLETE_H
#define P2P_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "p2p/request.h"

/* 0, or MRT_ERR_* of an array that is NULL or holds no requests. Null and idle
 * handles are fine: they count as complete. */
int requests_check(size_t n, struct mrt_request *const requests[]);

/* The first completed one, or -1; *active: there are requests under way. */
int requests_first(size_t n, struct mrt_request *const requests[],
		   bool *active);

/*
 * Request i of several has ended with `error`, the k-th of those to tell of.
 * rc is what the ones before came to; returns what all do. From the first
 * error on each status tells its own; without one the error fields stay as
 * they are.
 */
int requests_note(int rc, int error, size_t i, struct mrt_status statuses[],
		  size_t k);
#endif
