/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.h: the small ways in which a step can be wrong. */
#ifndef TESTS_COLL_MUTATE_H
#define TESTS_COLL_MUTATE_H

#include "coll/plan/plan.h"

struct mutation {
	const char *name;
	/* Changes step i. Returns false if the step has nothing of that
	 * kind. */
	bool (*apply)(struct plan *plan, uint32_t i, int ranks);
};
extern const struct mutation mutations[];
extern const size_t nmutations;
#endif
