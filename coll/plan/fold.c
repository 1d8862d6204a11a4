/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c: the numbers of the ranks that stay, and the first exchange. */
#include "coll/plan/fold.h"

struct fold fold_make(int n, int keep)
{
	struct fold fold = {.stay = 1, .keep = keep};

	while (fold.stay <= n / 2)
		fold.stay *= 2;
	fold.pairs = n - fold.stay;
	return fold;
}

/* Returns the rank of pair k that stays. */
static int fold_stays(const struct fold *fold, int k)
{
	return 2 * k == fold->keep ? 2 * k : 2 * k + 1;
}

int fold_number(const struct fold *fold, int rank)
{
	if (rank >= 2 * fold->pairs)
		return rank - fold->pairs;
	return fold_stays(fold, rank / 2) == rank ? rank / 2 : -1;
}

int fold_rank(const struct fold *fold, int number)
{
	return number < fold->pairs ? fold_stays(fold, number)
				    : number + fold->pairs;
}

int fold_first(const struct fold *fold, int number)
{
	return number + (number < fold->pairs ? number : fold->pairs);
}

int fold_extra(const struct fold *fold, int rank)
{
	return rank < 2 * fold->pairs && fold_number(fold, rank) >= 0 ? rank ^ 1
								      : -1;
}

uint32_t fold_in(struct plan *plan, const struct shape *shape, int rank,
		 const struct fold *fold, struct operands place)
{
	int extra = fold_extra(fold, rank);

	if (extra < 0)
		return 0;
	place.count = shape->count;
	return plan_recv_reduce(plan, extra, FOLD_TAG, place, extra > rank, 0);
}
