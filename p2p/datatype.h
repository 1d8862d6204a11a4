/* SPDX-License-Identifier: Apache-2.0 */
/* datatype.h: what lies behind struct mrt_type handles. */
#ifndef P2P_DATATYPE_H
#define P2P_DATATYPE_H

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
	const char *name;  /* "MRT_DOUBLE" */
	uint16_t size;	   /* bytes */
	uint8_t kind;	   /* enum type_class: what reductions see */
};

/* Predefined types by handle - 0x200; rows without a name are no types. */
extern const struct mrt_type type_table[0x60];

/* The type behind a handle, or NULL if the handle is not valid. */
static inline const struct mrt_type *type_get(struct mrt_type *handle)
{
	uintptr_t k = (uintptr_t)handle - 0x200;

	return k < 0x60 && type_table[k].size ? &type_table[k] : NULL;
}

/* The handle of a type that type_get gave. */
static inline struct mrt_type *type_handle(const struct mrt_type *type)
{
	return (struct mrt_type *)(uintptr_t)(type - type_table + 0x200);
}
#endif
