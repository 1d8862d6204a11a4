/* SPDX-License-Identifier: Apache-2.0 */
/* type_builder.h: builds a derived type: its parts are added, then its bounds
 * are computed and the type is made. */
#ifndef P2P_TYPE_BUILDER_H
#define P2P_TYPE_BUILDER_H

#include "p2p/type/layout.h"

struct range {
	bool set;
	ptrdiff_t low, high;
};

struct type_builder {
	struct mrt_type type;
	struct range data;  /* true lower and upper bound */
	struct range parts; /* bounds of parts with data, their padding included
			     */
	struct range marks; /* explicit bounds of parts (resized) */
	bool overflow;
};

/* A block: n elements of a type, one after the other. */
struct type_block {
	ptrdiff_t at;
	size_t n;
	const struct mrt_type *type;
};

/*
 * Each initialises a builder, which builder_finish or builder_discard ends.
 * Returns 0, MRT_ERR_NO_MEM, or MRT_ERR_COUNT if the type is larger than the
 * address space; after an error there is nothing to end. builder_vector: count
 * blocks of blocklength elements, stride bytes apart. builder_struct: n blocks;
 * `get` sets block k, or returns an error that ends the building.
 */
typedef int block_fn(const void *blocks, size_t k, struct type_block *block);
int builder_vector(struct type_builder *d, size_t count, size_t blocklength,
		   ptrdiff_t stride, const struct mrt_type *old);
int builder_struct(struct type_builder *d, size_t n, block_fn *get,
		   const void *blocks);
/* Gets block k of an array of struct type_block. */
block_fn block_of_array;
/* Initialises a builder with the data and bounds of `old`. */
void builder_copy(struct type_builder *d, const struct mrt_type *old);
/* Sets explicit bounds. */
void builder_set_bounds(struct type_builder *d, ptrdiff_t lb, ptrdiff_t extent);
void builder_discard(struct type_builder *d);

/* Allocates a type, uninitialised, which its last release frees. NULL if out of
 * memory. */
struct mrt_type *type_alloc(void);
void type_dealloc(struct mrt_type *type);

/* Allocate the contents of a type, to be freed by contents_destroy. NULL if out
 * of memory. contents_of takes over the values, a block of malloc, even if it
 * fails. */
struct type_contents *contents_create(enum mrt_combiner combiner,
				      size_t nvalues, size_t ntypes);
struct type_contents *contents_of(enum mrt_combiner combiner, ptrdiff_t *values,
				  size_t nvalues, size_t ntypes);
/* Makes the type of a builder and its contents, and holds the types in the
 * contents. Returns 0 or MRT_ERR_NO_MEM. Takes over builder and contents in
 * either case; contents may be NULL for out of memory. */
int builder_finish(struct type_builder *d, struct type_contents *contents,
		   struct mrt_type **newtype);
void contents_destroy(struct type_contents *contents);
#endif
