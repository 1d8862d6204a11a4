/* SPDX-License-Identifier: Apache-2.0 */
/* type_elements.h: the basic types that a type consists of, in the order of its
 * data. A pair of a value and an index has two. */
#ifndef P2P_TYPE_ELEMENTS_H
#define P2P_TYPE_ELEMENTS_H

#include "p2p/type/datatype.h"

/* The number of basic elements in `bytes` packed bytes; SIZE_MAX if the last
 * one is incomplete. */
size_t type_elements_of(const struct mrt_type *type, size_t bytes);
/* The packed bytes of `elements` basic elements. */
size_t type_bytes_of(const struct mrt_type *type, size_t elements);

/*
 * Calls take once for each sequence of n basic elements of one predefined type,
 * until all basic elements of count elements have been passed. A pair is passed
 * as one pair.
 */
void type_each_basic(const struct mrt_type *type, size_t count,
		     void (*take)(void *context, const struct mrt_type *basic,
				  size_t n),
		     void *context);

/* Returns part k of a derived type, in the order of its data, and sets *n to
 * how often it is repeated. NULL if there is no such part. */
const struct mrt_type *type_part(const struct mrt_type *type, size_t k,
				 size_t *n);
/* The packed bytes of a pair's value, its first part. */
size_t type_pair_value(const struct mrt_type *pair);
#endif
