/* SPDX-License-Identifier: Apache-2.0 */
/* subjects.h: plain algorithms, one for each collective and kind of step, on
 * which the prover itself is tested. */
#ifndef TESTS_COLL_SUBJECTS_H
#define TESTS_COLL_SUBJECTS_H

#include "coll/plan/algorithm.h"

struct subject {
	enum collective collective;
	struct algorithm algorithm;
};
extern const struct subject subjects[];
extern const size_t nsubjects;
#endif
