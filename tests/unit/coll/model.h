/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h: runs the plans of all ranks of a collective in one process, without
 * buffering and in an order drawn from a seed, and checks them against the
 * rules of coll/plan.h and against the collective's result.
 */
#ifndef TESTS_COLL_MODEL_H
#define TESTS_COLL_MODEL_H

#include "coll/algorithm.h"
#include "coll/select.h"

struct model_case {
	enum collective collective;
	const struct algorithm *algorithm;
	struct shape shape;
	unsigned seed; /* of the schedule and of who is in place */
};

/* NULL when all is right, else what is wrong, in static storage. */
const char *model_run(const struct model_case *c);
#endif
