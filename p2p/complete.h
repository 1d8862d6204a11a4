/* SPDX-License-Identifier: Apache-2.0 */
/* complete.h: what tests and waits share with mrt_request_get_status and its
 * kin. */
#ifndef P2P_COMPLETE_H
#define P2P_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "p2p/request.h"

/* Returns the index of the first complete active request, or -1. *active:
 * whether any request is still under way. */
int requests_first(size_t n, struct mrt_request *const requests[],
		   bool *active);

/*
 * Combines the results of several requests. Request i has ended with `error`;
 * it is the k-th to be reported. rc is the result so far; returns the result
 * including this one. From the first error on, every status gets its own error
 * field; without an error the fields stay as they are.
 */
int requests_note(int rc, int error, size_t i, struct mrt_status statuses[],
		  size_t k);
#endif
