/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_sequence.h: the sequence of basic types that elements consist of, which
 * MPI calls their type signature: what is sent and what is received must have
 * the same (MRT_CHECK). It is kept as a hash, a polynomial, since the
 * polynomial of a sequence follows from those of its parts, with any counts.
 *
 * C's and Fortran's integers of one size count as one basic type, as do types
 * with two names, such as MRT_LONG and MRT_INT64. MRT_PACKED fits anything.
 */
#ifndef P2P_TYPE_SEQUENCE_H
#define P2P_TYPE_SEQUENCE_H

#include "p2p/type/datatype.h"

/* A type signature travels between ranks in this form. */
struct type_sequence {
	uint64_t value, power; /* of the polynomial, modulo 2^64 */
	uint64_t elements;
	uint32_t basic; /* the type of all of them, a row of type_table, or
			   TYPE_ROWS */
	uint32_t any;	/* not 0: has MRT_PACKED (bit 0) or MRT_BYTE (bit 1) */
};

/* Returns the sequence of one element; an empty one for NULL. */
struct type_sequence type_sequence_of(const struct mrt_type *type);
struct type_sequence type_sequence_repeat(struct type_sequence s, size_t n);

/*
 * Whether what is sent may be received as any number of elements of the
 * sequence `one`. Where the last element is received in part and basic types
 * differ within what is sent or within `one`, the answer is yes: a hash does
 * not tell.
 */
bool type_sequence_fits(const struct type_sequence *sent,
			const struct type_sequence *one);

/* Puts the elements into words, such as "3 MRT_INT". */
void type_sequence_name(const struct type_sequence *s, char *text, size_t len);
#endif
