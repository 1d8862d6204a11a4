/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.h: a second prover, as simple as possible and slow, to test the prover
 * against. It shares no code with it.
 */
#ifndef TESTS_COLL_NAIVE_H
#define TESTS_COLL_NAIVE_H

#include "coll/plan/plan.h"

/* Tells whether every schedule of these plans leaves in all SEND and RECV what
 * the `right` ones leave, within the memory that those use. type_size is 8. */
bool naive_same(enum collective collective, const struct shape *shapes,
		const struct plan *plans, const struct plan *right);
#endif
