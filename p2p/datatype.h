/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datatype.h: what lies behind struct mrt_type handles: where the bytes of an
 * element are. All below the public calls counts packed bytes: the elements'
 * data one after the other without holes, which for a dense type is how they
 * lie in memory, and for others what type_pack makes.
 */
#ifndef P2P_DATATYPE_H
#define P2P_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mrt.h"

enum type_class {
	TYPE_NONE,
	TYPE_INT8, TYPE_INT16, TYPE_INT32, TYPE_INT64,
	TYPE_UINT8, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
	TYPE_FLOAT, TYPE_DOUBLE, TYPE_LONG_DOUBLE,
	TYPE_CFLOAT, TYPE_CDOUBLE, TYPE_CLONG_DOUBLE,
	TYPE_BOOL, TYPE_BYTE,
	TYPE_CLASSES
};

struct mrt_type {
	uint64_t magic;	   /* TYPE_MAGIC while alive */
	const char *name;  /* "MRT_DOUBLE" */
	size_t size;	   /* bytes of an element, packed */
	ptrdiff_t lb;	   /* lower bound */
	ptrdiff_t extent;  /* bytes from one element to the next */
	ptrdiff_t true_lb; /* where the data begin, */
	ptrdiff_t true_extent; /* and how far they reach from there */
	uint8_t kind;	   /* enum type_class: what reductions see */
	bool dense;	   /* packed as it lies: true_lb 0, extent == size */
};
#define TYPE_MAGIC 0x6d72742d74797065ull

/* Predefined types by handle - 0x200; rows without a name are no types. */
enum { TYPE_FIRST = 0x200, TYPE_ROWS = 0x100 };
extern const struct mrt_type type_table[TYPE_ROWS];

/* The type behind a handle, or NULL if the handle is not valid. */
static inline const struct mrt_type *type_get(struct mrt_type *handle)
{
	uintptr_t k = (uintptr_t)handle - TYPE_FIRST;
	const struct mrt_type *t = k < TYPE_ROWS ? &type_table[k] : handle;

	if ((uintptr_t)t < 4096 || t->magic != TYPE_MAGIC)
		return NULL;
	return t;
}

/* The handle of a type that type_get gave. */
static inline struct mrt_type *type_handle(const struct mrt_type *type)
{
	uintptr_t k = ((uintptr_t)type - (uintptr_t)type_table) / sizeof(*type);

	return k < TYPE_ROWS ? (struct mrt_type *)(TYPE_FIRST + k)
			     : (struct mrt_type *)(uintptr_t)type;
}

/*
 * Copies bytes at .. at + len - 1 of the packed form of elements at buf, as
 * many as it takes, to out, and back. Any part of an element will do, so that
 * a message can be packed and unpacked in pieces.
 */
void type_pack(const struct mrt_type *type, const void *buf, size_t at,
	       size_t len, void *out);
void type_unpack(const struct mrt_type *type, void *buf, size_t at, size_t len,
		 const void *in);
#endif
