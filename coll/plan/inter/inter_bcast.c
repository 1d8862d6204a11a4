/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_bcast.c: a bcast among the root and the other group.
 *
 * Source: the definition.
 * Cost: a bcast among one rank more than the other group has.
 */
#include "coll/plan/inter/inter.h"

static void inter_bcast_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	struct inter_embed e = {.collective = COLL_BCAST,
				.extra = shape->root,
				.count = shape->count,
				.recv = ref(BUF_RECV, 0)};

	if (shape->root < 0)
		return;
	e.group = inter_other(shape, shape->root);
	inter_embed(plan, shape, rank, &e);
}

const struct algorithm inter_bcast = {.name = "inter",
				      .build = inter_bcast_build};
