/* SPDX-License-Identifier: Apache-2.0 */
/* coll_all.h declares the parts of coll_all.c. */
#ifndef TESTS_COLL_ALL_H
#define TESTS_COLL_ALL_H

#include "tests/system/trial.h"

/* These tables end with an entry whose name is NULL. */
extern const struct api_case coll_life[], coll_wrong[], coll_huge[];
#endif
