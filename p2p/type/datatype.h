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

#include "mrt_lib.h"
#include "runtime/base/pool.h"

/* clang-format off */
enum type_class {
	TYPE_NONE,
	TYPE_INT8, TYPE_INT16, TYPE_INT32,
	/* integers that are not of C: no logical operations */
	TYPE_FINT8, TYPE_FINT16, TYPE_FINT32, TYPE_FINT64,
	TYPE_INT64, /* the last with a sign */
	TYPE_UINT8, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
	TYPE_FLOAT, TYPE_DOUBLE, TYPE_LONG_DOUBLE,
	TYPE_CFLOAT, TYPE_CDOUBLE, TYPE_CLONG_DOUBLE,
	TYPE_BOOL, TYPE_BYTE,
	TYPE_LOGICAL16, TYPE_LOGICAL32, TYPE_LOGICAL64,
	TYPE_INT128, TYPE_FLOAT16, TYPE_FLOAT128, TYPE_CFLOAT16, TYPE_CFLOAT128,
	/* a value and an index; packed, the one after the other */
	TYPE_FLOAT_INT, TYPE_DOUBLE_INT, TYPE_LONG_INT, TYPE_INT_INT,
	TYPE_SHORT_INT, TYPE_LONG_DOUBLE_INT,
	TYPE_FLOAT_FLOAT, TYPE_DOUBLE_DOUBLE,
	TYPE_CLASSES
};
/* clang-format on */

static inline bool type_class_is_pair(unsigned kind)
{
	return kind >= TYPE_FLOAT_INT && kind <= TYPE_DOUBLE_DOUBLE;
}

struct layout;
struct recipe;

/* So many packed bytes from `at` on; how they lie there. */
struct span {
	ptrdiff_t at;
	size_t size;
	struct layout *layout; /* NULL: in one run */
};

struct mrt_type {
	uint64_t magic;	       /* while alive TYPE_DENSE or TYPE_OTHER */
	const char *name;      /* "MRT_DOUBLE" */
	size_t size;	       /* bytes of an element, packed */
	ptrdiff_t lb;	       /* lower bound */
	ptrdiff_t extent;      /* bytes from one element to the next */
	ptrdiff_t true_lb;     /* where the data begin, */
	ptrdiff_t true_extent; /* and how far they reach from there */
	uint8_t kind;	       /* enum type_class: what reductions see */
	bool dense;	  /* packed as it lies: true_lb 0, extent == size */
	bool committed;	  /* may be used to communicate */
	bool freed;	  /* by the user, and still held by others */
	bool marked;	  /* lb and extent were given (resized) */
	uint8_t align;	  /* of the basic type that needs most */
	size_t elements;  /* basic types in it */
	size_t count_max; /* no more of them fit the address space */
	struct span span; /* the data of one element */

	/* derived types only */
	int holders;	       /* handles, types and requests */
	struct recipe *recipe; /* how it was made; NULL: predefined */
	int form;
	void *data;
};
/* How a type was made: what mrt_type_contents tells. */
struct recipe {
	int holders; /* types */
	enum mrt_combiner combiner;
	size_t nvalues, ntypes;
	ptrdiff_t *values;
	struct mrt_type **types; /* handles, held */
};

/* Two values, so that one comparison finds what most types are. */
#define TYPE_DENSE 0x6d72742d74797065ull /* committed and dense */
#define TYPE_OTHER 0x6d72742d74797064ull

/* Predefined types by handle - 0x200; rows without a name are no types. */
/* Counts above this are errors: times the size of any type they fit a size_t.
 */
#define TYPE_COUNT_MAX (SIZE_MAX / 64)

enum { TYPE_FIRST = 0x200, TYPE_ROWS = 0x100 };
extern const struct mrt_type type_table[TYPE_ROWS];

/* What a handle points to, should it be one. */
static inline const struct mrt_type *type_at(struct mrt_type *handle)
{
	uintptr_t k = (uintptr_t)handle - TYPE_FIRST;

	return k < TYPE_ROWS ? &type_table[k] : handle;
}

/* The type behind a handle, or NULL if the handle is not valid. It need not be
 * committed, nor dense. */
static inline const struct mrt_type *type_get(struct mrt_type *handle)
{
	const struct mrt_type *t = type_at(handle);

	if ((uintptr_t)t < MRT_CONSTANTS_END || (t->magic | 1) != TYPE_DENSE)
		return NULL;
	return t;
}

/* The same, and NULL if it is not committed, or not dense: for fast paths,
 * which move bytes. */
static inline const struct mrt_type *type_get_dense(struct mrt_type *handle)
{
	const struct mrt_type *t = type_at(handle);

	if ((uintptr_t)t < MRT_CONSTANTS_END || t->magic != TYPE_DENSE)
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

extern struct pool type_pool; /* of derived types */

/* For as long as something uses it: a type that is freed meanwhile stays. */
void type_hold(const struct mrt_type *type);
void type_release(const struct mrt_type *type);

/*
 * Copies bytes at .. at + len - 1 of the packed form of elements at buf, as
 * many as it takes, to out, and back. Any part of an element will do, so that
 * a message can be packed and unpacked in pieces.
 */
void type_pack(const struct mrt_type *type, const void *buf, size_t at,
	       size_t len, void *out);
void type_unpack(const struct mrt_type *type, void *buf, size_t at, size_t len,
		 const void *in);

/* The runs of count elements, SIZE_MAX if there are more, and a list of them
 * into iov. */
size_t type_pieces(const struct mrt_type *type, size_t count);
void type_list(const struct mrt_type *type, const void *buf, size_t count,
	       struct iovec *iov);
#endif
