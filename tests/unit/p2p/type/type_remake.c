/* SPDX-License-Identifier: Apache-2.0 */
/* type_remake.c: types anew, from what they tell of themselves. */
#include "tests/unit/p2p/type/type_tree.h"

static struct mrt_type *call(enum mrt_combiner how, const ptrdiff_t *v,
			     struct mrt_type **types)
{
	const size_t *u = (const size_t *)v;
	struct mrt_type *t = NULL;
	size_t n = v ? u[0] : 0;
	int ints[3][DIMS];

	switch (how) {
	case MRT_COMBINER_DUP:
		mrt_type_dup(types[0], &t);
		break;
	case MRT_COMBINER_CONTIGUOUS:
		mrt_type_contiguous(n, types[0], &t);
		break;
	case MRT_COMBINER_VECTOR:
		mrt_type_vector(n, u[1], v[2], types[0], &t);
		break;
	case MRT_COMBINER_HVECTOR:
		mrt_type_hvector(n, u[1], v[2], types[0], &t);
		break;
	case MRT_COMBINER_INDEXED:
		mrt_type_indexed(n, u + 1, v + 1 + n, types[0], &t);
		break;
	case MRT_COMBINER_HINDEXED:
		mrt_type_hindexed(n, u + 1, v + 1 + n, types[0], &t);
		break;
	case MRT_COMBINER_INDEXED_BLOCK:
		mrt_type_indexed_block(n, u[1], v + 2, types[0], &t);
		break;
	case MRT_COMBINER_HINDEXED_BLOCK:
		mrt_type_hindexed_block(n, u[1], v + 2, types[0], &t);
		break;
	case MRT_COMBINER_STRUCT:
		mrt_type_struct(n, u + 1, v + 1 + n, types, &t);
		break;
	case MRT_COMBINER_SUBARRAY:
		mrt_type_subarray((int)n, u + 1, u + 1 + n, u + 1 + 2 * n,
				  (enum mrt_order)v[1 + 3 * n], types[0], &t);
		break;
	case MRT_COMBINER_DARRAY:
		n = u[2];
		for (size_t i = 0; i < 3 * n; i++)
			ints[i / n][i % n] = (int)v[3 + n + i];
		mrt_type_darray((int)v[0], (int)v[1], (int)n, u + 3, ints[0],
				ints[1], ints[2], (enum mrt_order)v[3 + 4 * n],
				types[0], &t);
		break;
	case MRT_COMBINER_RESIZED:
		mrt_type_resized(types[0], v[0], v[1], &t);
		break;
	default:
		break;
	}
	return t;
}

struct mrt_type *tree_remake(struct mrt_type *type)
{
	struct mrt_type *types[BLOCKS], *again[BLOCKS], *t;
	ptrdiff_t values[1 + 2 * BLOCKS];
	enum mrt_combiner how;
	size_t nvalues, ntypes;

	mrt_type_envelope(type, &how, &nvalues, &ntypes);
	if (how == MRT_COMBINER_NAMED)
		return type;
	if (mrt_type_contents(type, nvalues, ntypes, values, types))
		return NULL;
	for (size_t i = 0; i < ntypes; i++) {
		again[i] = tree_remake(types[i]);
		tree_free(types[i]);
	}
	t = call(how, values, again);
	for (size_t i = 0; i < ntypes; i++)
		tree_free(again[i]);
	return t;
}
