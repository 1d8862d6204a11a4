/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_elements.h: the basic types that a type is made of, in the order of its
 * data. A pair of a value and an index has two.
 */
#ifndef P2P_TYPE_ELEMENTS_H
#define P2P_TYPE_ELEMENTS_H

#include "p2p/type/datatype.h"

/* Basic elements in so many packed bytes of elements; SIZE_MAX: the last one is
 * not whole. */
size_t type_elements_of(const struct mrt_type *type, size_t bytes);
/* Packed bytes of so many basic elements. */
size_t type_bytes_of(const struct mrt_type *type, size_t elements);

/*
 * Calls take for n basic elements of one predefined type after the other, until
 * all of count elements have been told. A pair comes as the pair that it is.
 */
void type_each_basic(const struct mrt_type *type, size_t count,
		     void (*take)(void *context, const struct mrt_type *basic,
				  size_t n),
		     void *context);

/* The parts of a derived type in the order of its data: how often the k-th
 * comes, and what it is; NULL: no more. */
const struct mrt_type *type_part(const struct mrt_type *type, size_t k,
				 size_t *n);
/* What the size of a type tells of one of its second part. */
size_t type_pair_value(const struct mrt_type *pair);
#endif
