/* SPDX-License-Identifier: Apache-2.0 */
/* datatype.c: the predefined types. */
#include "p2p/datatype.h"

#include <complex.h>
#include <limits.h>
#include <string.h>

#define ROW(handle, ctype, kind)                                               \
	[(uintptr_t)(handle) - TYPE_FIRST] = {                                 \
	    TYPE_MAGIC, #handle, sizeof(ctype), 0, sizeof(ctype), 0,           \
	    sizeof(ctype), kind, true}
#if LONG_MAX == INT64_MAX
#define TYPE_LONG TYPE_INT64
#define TYPE_ULONG TYPE_UINT64
#else
#define TYPE_LONG TYPE_INT32
#define TYPE_ULONG TYPE_UINT32
#endif
#if CHAR_MIN < 0
#define TYPE_CHAR TYPE_INT8
#else
#define TYPE_CHAR TYPE_UINT8
#endif

const struct mrt_type type_table[TYPE_ROWS] = {
    ROW(MRT_SHORT, short, TYPE_INT16),
    ROW(MRT_INT, int, TYPE_INT32),
    ROW(MRT_LONG, long, TYPE_LONG),
    ROW(MRT_LONG_LONG, long long, TYPE_INT64),
    ROW(MRT_UNSIGNED_SHORT, unsigned short, TYPE_UINT16),
    ROW(MRT_UNSIGNED, unsigned, TYPE_UINT32),
    ROW(MRT_UNSIGNED_LONG, unsigned long, TYPE_ULONG),
    ROW(MRT_UNSIGNED_LONG_LONG, unsigned long long, TYPE_UINT64),
    ROW(MRT_FLOAT, float, TYPE_FLOAT),
    ROW(MRT_FLOAT_COMPLEX, float complex, TYPE_CFLOAT),
    ROW(MRT_DOUBLE, double, TYPE_DOUBLE),
    ROW(MRT_DOUBLE_COMPLEX, double complex, TYPE_CDOUBLE),
    ROW(MRT_LONG_DOUBLE, long double, TYPE_LONG_DOUBLE),
    ROW(MRT_LONG_DOUBLE_COMPLEX, long double complex, TYPE_CLONG_DOUBLE),
    ROW(MRT_BOOL, bool, TYPE_BOOL),
    ROW(MRT_INT8, int8_t, TYPE_INT8),
    ROW(MRT_UINT8, uint8_t, TYPE_UINT8),
    ROW(MRT_CHAR, char, TYPE_CHAR),
    ROW(MRT_SIGNED_CHAR, signed char, TYPE_INT8),
    ROW(MRT_UNSIGNED_CHAR, unsigned char, TYPE_UINT8),
    ROW(MRT_BYTE, char, TYPE_BYTE),
    ROW(MRT_INT16, int16_t, TYPE_INT16),
    ROW(MRT_UINT16, uint16_t, TYPE_UINT16),
    ROW(MRT_INT32, int32_t, TYPE_INT32),
    ROW(MRT_UINT32, uint32_t, TYPE_UINT32),
    ROW(MRT_INT64, int64_t, TYPE_INT64),
    ROW(MRT_UINT64, uint64_t, TYPE_UINT64),
};

size_t mrt_type_size(struct mrt_type *type)
{
	const struct mrt_type *t = type_get(type);

	return t ? t->size : 0;
}

void type_pack(const struct mrt_type *type, const void *buf, size_t at,
	       size_t len, void *out)
{
	if (len)
		memcpy(out, (const char *)buf + at, len);
}

void type_unpack(const struct mrt_type *type, void *buf, size_t at, size_t len,
		 const void *in)
{
	if (len)
		memcpy((char *)buf + at, in, len);
}
