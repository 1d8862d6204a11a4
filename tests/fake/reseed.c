/* SPDX-License-Identifier: Apache-2.0 */
/* reseed.c makes the message storm draw its misbehaviour from each seed. */
#include <stdlib.h>

#include "tests/fake/fake.h"
#include "tests/system/storm.h"

void storm_reseed(uint64_t seed)
{
	const char *rank = getenv("PMIX_RANK");

	/* each rank misbehaves in its own way */
	fake_seed(seed * 64 + (rank ? (uint64_t)atoi(rank) : 0));
}
