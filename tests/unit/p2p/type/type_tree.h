/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_tree.h: random types next to what they are by the definition of MPI: a
 * list of all basic elements with their displacements, in order. Shares nothing
 * with p2p/ but the calls of mrt.h.
 */
#ifndef TESTS_TYPE_TREE_H
#define TESTS_TYPE_TREE_H

#include <stdbool.h>

#include "mrt_lib.h"

/* Elements of a map; blocks of a constructor; dimensions. */
enum { MAP_MAX = 1500, BLOCKS = 20, DIMS = 3 };

struct entry {
	ptrdiff_t at;
	size_t size;
};

/* A type map. */
struct map {
	size_t n;
	struct entry entry[MAP_MAX];
	size_t align;
	bool marked;
	ptrdiff_t mark_lb, mark_ub;
	/* the lowest and the highest bound of the parts, if there are entries
	 */
	ptrdiff_t low, high;
};

size_t map_size(const struct map *m);
void map_bounds(const struct map *m, ptrdiff_t *lb, ptrdiff_t *extent);
void map_true_bounds(const struct map *m, ptrdiff_t *lb, ptrdiff_t *extent);

/* A random number below n; the sequence depends on tree_seed. */
extern _Thread_local unsigned long tree_seed;
size_t below(size_t n);

/* A random type of at most `depth` constructors over each other, and its map.
 * The caller frees both; what the type is made of has been freed. */
struct mrt_type *tree_make(int depth, struct map **map);
void tree_free(struct mrt_type *type);

/* Makes a type anew from what it tells of itself. */
struct mrt_type *tree_remake(struct mrt_type *type);
#endif
