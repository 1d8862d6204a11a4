/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.h: a second judge of plans, as simple as can be and slow, to judge the
 * prover by. It shares nothing with it.
 */
#ifndef TESTS_COLL_NAIVE_H
#define TESTS_COLL_NAIVE_H

#include "coll/plan/plan.h"

/* Does every schedule of these plans leave in all SEND and RECV what `right`
 * ones leave, within the memory that those use? type_size 8. */
bool naive_same(enum collective collective, const struct shape *shapes,
		const struct plan *plans, const struct plan *right);
#endif
