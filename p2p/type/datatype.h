/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datatype.h: the objects behind struct mrt_type handles: where the bytes of an
 * element are. All code below the public calls counts packed bytes: the
 * elements' data one after the other without holes. For a dense type that is
 * how they lie in memory; for others type_pack produces it.
 */
#ifndef P2P_DATATYPE_H
#define P2P_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "runtime/base/pool.h"

/* clang-format off */
enum type_class {
	TYPE_NONE,
	TYPE_INT8, TYPE_INT16, TYPE_INT32,
	/* integers that are not C's: no logical operations */
	TYPE_FINT8, TYPE_FINT16, TYPE_FINT32, TYPE_FINT64,
	TYPE_INT64, /* the last signed one */
	TYPE_UINT8, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
	TYPE_FLOAT, TYPE_DOUBLE, TYPE_LONG_DOUBLE,
	TYPE_CFLOAT, TYPE_CDOUBLE, TYPE_CLONG_DOUBLE,
	TYPE_BOOL, TYPE_BYTE,
	TYPE_LOGICAL16, TYPE_LOGICAL32, TYPE_LOGICAL64,
	TYPE_INT128, TYPE_FLOAT16, TYPE_FLOAT128, TYPE_CFLOAT16, TYPE_CFLOAT128,
	/* a value and an index; packed, one after the other */
	TYPE_FLOAT_INT, TYPE_DOUBLE_INT, TYPE_LONG_INT, TYPE_INT_INT,
	TYPE_SHORT_INT, TYPE_LONG_DOUBLE_INT,
	/* the last ones have parts of one type */
	TYPE_FLOAT_FLOAT, TYPE_INT64_INT64, TYPE_DOUBLE_DOUBLE,
	TYPE_CLASSES
};
/* clang-format on */

static inline bool type_class_is_pair(unsigned kind)
{
	return kind >= TYPE_FLOAT_INT && kind <= TYPE_DOUBLE_DOUBLE;
}

struct layout;
struct type_contents;

/* A region of an element: `size` packed bytes from displacement `at` on. */
struct region {
	ptrdiff_t at;
	size_t size;
	struct layout *layout; /* NULL: contiguous */
};

struct mrt_type {
	uint64_t magic;	       /* TYPE_DENSE or TYPE_OTHER while alive */
	const char *name;      /* "MRT_DOUBLE" */
	size_t size;	       /* bytes of an element, packed */
	ptrdiff_t lb;	       /* lower bound */
	ptrdiff_t extent;      /* bytes from one element to the next */
	ptrdiff_t true_lb;     /* displacement of the first byte of data */
	ptrdiff_t true_extent; /* bytes from there to the end of the data */
	uint8_t kind;	       /* enum type_class: for reductions */
	bool dense; /* packed form equals memory: true_lb 0, extent == size */
	bool committed;	      /* may be used to communicate */
	bool freed;	      /* by the user, but still referenced */
	bool marked;	      /* lb and extent were set explicitly (resized) */
	bool is_fixed;	      /* like a predefined type, never freed */
	uint8_t align;	      /* the largest alignment of its basic types */
	size_t elements;      /* basic types in one element */
	size_t count_max;     /* as many elements as fit the address space */
	struct region region; /* the data of one element */

	/* derived types only */
	int refs; /* references: handles, types, requests */
	struct type_contents *contents; /* NULL: predefined */
	int form;
	void *data;
};
/* The contents say how a type was made, as mrt_type_contents returns it. */
struct type_contents {
	int refs; /* references: types */
	enum mrt_combiner combiner;
	size_t nvalues, ntypes;
	ptrdiff_t *values, *taken; /* taken: to be freed, or NULL */
	struct mrt_type **types;   /* handles; each holds a reference */
};

/* Magic numbers: two, so that one comparison finds what most types are. */
#define TYPE_DENSE 0x6d72742d74797065ull /* committed and dense */
#define TYPE_OTHER 0x6d72742d74797064ull

/* Counts above this are errors: multiplied by the size of any predefined type
 * they fit a size_t. */
#define TYPE_COUNT_MAX (SIZE_MAX / 64)

/* The predefined types, by handle - TYPE_FIRST. Rows without a name are no
 * types. Nothing but mrt_type_set_fortran() writes to them. */
enum { TYPE_FIRST = 0x200, TYPE_ROWS = 0x100 };
extern struct mrt_type type_table[TYPE_ROWS];

/* The address of a handle's object, if the handle is valid. */
static inline const struct mrt_type *type_at(struct mrt_type *handle)
{
	uintptr_t k = (uintptr_t)handle - TYPE_FIRST;

	return k < TYPE_ROWS ? &type_table[k] : handle;
}

/* The type behind a handle, or NULL if the handle is not valid. The type need
 * not be committed or dense. */
static inline const struct mrt_type *type_get(struct mrt_type *handle)
{
	const struct mrt_type *t = type_at(handle);

	if ((uintptr_t)t < MRT_CONSTANTS_END || (t->magic | 1) != TYPE_DENSE)
		return NULL;
	return t;
}

/* Like type_get, but returns NULL as well if the type is not committed or not
 * dense: for fast paths, which move bytes. */
static inline const struct mrt_type *type_get_dense(struct mrt_type *handle)
{
	const struct mrt_type *t = type_at(handle);

	if ((uintptr_t)t < MRT_CONSTANTS_END || t->magic != TYPE_DENSE)
		return NULL;
	return t;
}

/* The handle of a type that type_get returned. */
static inline struct mrt_type *type_handle(const struct mrt_type *type)
{
	uintptr_t k = ((uintptr_t)type - (uintptr_t)type_table) / sizeof(*type);

	return k < TYPE_ROWS ? (struct mrt_type *)(TYPE_FIRST + k)
			     : (struct mrt_type *)(uintptr_t)type;
}

extern struct pool type_pool; /* of derived types */

/* Adds and drops a reference: a type that the user frees lives until the last
 * one is gone. Predefined types are not counted. */
void type_hold(const struct mrt_type *type);
void type_release(const struct mrt_type *type);

/*
 * type_pack copies bytes at .. at + len - 1 of the packed form of the elements
 * at buf to out; type_unpack copies them back. The range may begin and end
 * within an element, so that a message can be packed and unpacked in parts.
 */
void type_pack(const struct mrt_type *type, const void *buf, size_t at,
	       size_t len, void *out);
void type_unpack(const struct mrt_type *type, void *buf, size_t at, size_t len,
		 const void *in);

/* type_iov_len returns the number of contiguous runs of count elements, at most
 * SIZE_MAX; type_iov lists them in iov. */
size_t type_iov_len(const struct mrt_type *type, size_t count);
void type_iov(const struct mrt_type *type, const void *buf, size_t count,
	      struct iovec *iov);
#endif
