/* SPDX-License-Identifier: Apache-2.0 */
/* datatype.c: the predefined types. */
#include "p2p/type/datatype.h"

#include <complex.h>
#include <limits.h>
#include <wchar.h>

#include "p2p/type/layout.h"

#define K(handle) [(uintptr_t)(handle)-TYPE_FIRST]
#define ROW(handle, ctype, class)                                              \
	K(handle) = {.magic = TYPE_DENSE,                                      \
		     .name = #handle,                                          \
		     .size = sizeof(ctype),                                    \
		     .extent = sizeof(ctype),                                  \
		     .true_extent = sizeof(ctype),                             \
		     .kind = class,                                            \
		     .dense = true,                                            \
		     .committed = true,                                        \
		     .align = _Alignof(ctype),                                 \
		     .elements = type_class_is_pair_row(class) ? 2 : 1,        \
		     .count_max = SIZE_MAX / 64,                               \
		     .region = {0, sizeof(ctype), NULL}}
/* Like type_class_is_pair, but a constant expression. */
#define type_class_is_pair_row(class) ((class) >= TYPE_FLOAT_INT)

/* A pair with a hole in it or after it; `end` is the end of its data. */
#define PAIR(handle, pair, bytes, end, class, how)                             \
	K(handle) = {.magic = TYPE_OTHER,                                      \
		     .name = #handle,                                          \
		     .size = bytes,                                            \
		     .extent = sizeof(pair),                                   \
		     .true_extent = end,                                       \
		     .kind = class,                                            \
		     .committed = true,                                        \
		     .align = _Alignof(pair),                                  \
		     .elements = 2,                                            \
		     .count_max = SIZE_MAX / 64,                               \
		     .region = {0, bytes, how}}

#if LONG_MAX == INT64_MAX
#define TYPE_LONG TYPE_INT64
#define TYPE_ULONG TYPE_UINT64
#else
#define TYPE_LONG TYPE_INT32
#define TYPE_ULONG TYPE_UINT32
#endif

/* A pair without a hole between its members is one run. */
#define PAIR_OF(name, value_type, index_type)                                  \
	struct name {                                                          \
		value_type value;                                              \
		index_type index;                                              \
	}
PAIR_OF(float_int, float, int);
PAIR_OF(double_int, double, int);
PAIR_OF(long_int, long, int);
PAIR_OF(int_int, int, int);
PAIR_OF(short_int, short, int);
PAIR_OF(long_double_int, long double, int);
PAIR_OF(two_floats, float, float);
PAIR_OF(two_doubles, double, double);

/* Stand-ins for types that the C compiler may not have. */
struct bytes2 {
	_Alignas(2) char bytes[2];
};
struct bytes4 {
	_Alignas(2) char bytes[4];
};
struct bytes16 {
	_Alignas(16) char bytes[16];
};
struct bytes32 {
	_Alignas(16) char bytes[32];
};

_Static_assert(sizeof(struct float_int) == 8 && sizeof(struct int_int) == 8,
	       "pairs without holes");
_Static_assert(offsetof(struct long_int, index) == sizeof(long) &&
		   offsetof(struct double_int, index) == sizeof(double) &&
		   offsetof(struct long_double_int, index) ==
		       sizeof(long double),
	       "pairs of one run");
_Static_assert(offsetof(struct short_int, index) == sizeof(int) &&
		   sizeof(struct short_int) == 2 * sizeof(int),
	       "a pair with a hole in it");

static ptrdiff_t short_int_at[2] = {0, offsetof(struct short_int, index)};
static size_t short_int_start[3] = {0, sizeof(short),
				    sizeof(short) + sizeof(int)};
static struct layout short_int_layout = {.refs = 1,
					 .form = LAYOUT_RUNS,
					 .runs = 2,
					 .count = 2,
					 .at = short_int_at,
					 .width = sizeof(struct short_int),
					 .start = short_int_start};

#define END(pair) (offsetof(pair, index) + sizeof(int))

struct mrt_type type_table[TYPE_ROWS] = {
    ROW(MRT_AINT, intptr_t, TYPE_FINT64),
    ROW(MRT_COUNT, int64_t, TYPE_FINT64),
    ROW(MRT_OFFSET, int64_t, TYPE_FINT64),
    ROW(MRT_PACKED, char, TYPE_NONE),
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
    ROW(MRT_CXX_FLOAT_COMPLEX, float complex, TYPE_CFLOAT),
    ROW(MRT_DOUBLE, double, TYPE_DOUBLE),
    ROW(MRT_DOUBLE_COMPLEX, double complex, TYPE_CDOUBLE),
    ROW(MRT_CXX_DOUBLE_COMPLEX, double complex, TYPE_CDOUBLE),
    ROW(MRT_LONG_DOUBLE, long double, TYPE_LONG_DOUBLE),
    ROW(MRT_LONG_DOUBLE_COMPLEX, long double complex, TYPE_CLONG_DOUBLE),
    ROW(MRT_CXX_LONG_DOUBLE_COMPLEX, long double complex, TYPE_CLONG_DOUBLE),
    ROW(MRT_BOOL, bool, TYPE_BOOL),
    ROW(MRT_CXX_BOOL, bool, TYPE_BOOL),
    ROW(MRT_WCHAR, wchar_t, TYPE_NONE),
    ROW(MRT_INT8, int8_t, TYPE_INT8),
    ROW(MRT_UINT8, uint8_t, TYPE_UINT8),
    ROW(MRT_CHAR, char, CHAR_MIN < 0 ? TYPE_INT8 : TYPE_UINT8),
    ROW(MRT_SIGNED_CHAR, signed char, TYPE_INT8),
    ROW(MRT_UNSIGNED_CHAR, unsigned char, TYPE_UINT8),
    ROW(MRT_BYTE, char, TYPE_BYTE),
    ROW(MRT_INT16, int16_t, TYPE_INT16),
    ROW(MRT_UINT16, uint16_t, TYPE_UINT16),
    ROW(MRT_INT32, int32_t, TYPE_INT32),
    ROW(MRT_UINT32, uint32_t, TYPE_UINT32),
    ROW(MRT_INT64, int64_t, TYPE_INT64),
    ROW(MRT_UINT64, uint64_t, TYPE_UINT64),

    ROW(MRT_FLOAT_INT, struct float_int, TYPE_FLOAT_INT),
    PAIR(MRT_DOUBLE_INT, struct double_int, sizeof(double) + sizeof(int),
	 END(struct double_int), TYPE_DOUBLE_INT, NULL),
    PAIR(MRT_LONG_INT, struct long_int, sizeof(long) + sizeof(int),
	 END(struct long_int), TYPE_LONG_INT, NULL),
    ROW(MRT_2INT, struct int_int, TYPE_INT_INT),
    PAIR(MRT_SHORT_INT, struct short_int, sizeof(short) + sizeof(int),
	 END(struct short_int), TYPE_SHORT_INT, &short_int_layout),
    PAIR(MRT_LONG_DOUBLE_INT, struct long_double_int,
	 sizeof(long double) + sizeof(int), END(struct long_double_int),
	 TYPE_LONG_DOUBLE_INT, NULL),
    ROW(MRT_2REAL, struct two_floats, TYPE_FLOAT_FLOAT),
    ROW(MRT_2DOUBLE_PRECISION, struct two_doubles, TYPE_DOUBLE_DOUBLE),
    ROW(MRT_2INTEGER, struct int_int, TYPE_INT_INT),

    ROW(MRT_LOGICAL, int, TYPE_LOGICAL32),
    ROW(MRT_INTEGER, int, TYPE_FINT32),
    ROW(MRT_REAL, float, TYPE_FLOAT),
    ROW(MRT_COMPLEX, float complex, TYPE_CFLOAT),
    ROW(MRT_DOUBLE_PRECISION, double, TYPE_DOUBLE),
    ROW(MRT_DOUBLE_PRECISION_COMPLEX, double complex, TYPE_CDOUBLE),
    ROW(MRT_LOGICAL1, int8_t, TYPE_BOOL),
    ROW(MRT_INTEGER1, int8_t, TYPE_FINT8),
    ROW(MRT_CHARACTER, char, TYPE_NONE),
    ROW(MRT_LOGICAL2, int16_t, TYPE_LOGICAL16),
    ROW(MRT_INTEGER2, int16_t, TYPE_FINT16),
    ROW(MRT_REAL2, struct bytes2, TYPE_FLOAT16),
    ROW(MRT_LOGICAL4, int32_t, TYPE_LOGICAL32),
    ROW(MRT_INTEGER4, int32_t, TYPE_FINT32),
    ROW(MRT_REAL4, float, TYPE_FLOAT),
    ROW(MRT_COMPLEX4, struct bytes4, TYPE_CFLOAT16),
    ROW(MRT_LOGICAL8, int64_t, TYPE_LOGICAL64),
    ROW(MRT_INTEGER8, int64_t, TYPE_FINT64),
    ROW(MRT_REAL8, double, TYPE_DOUBLE),
    ROW(MRT_COMPLEX8, float complex, TYPE_CFLOAT),
    ROW(MRT_LOGICAL16, struct bytes16, TYPE_NONE),
    ROW(MRT_INTEGER16, struct bytes16, TYPE_INT128),
    ROW(MRT_REAL16, struct bytes16, TYPE_FLOAT128),
    ROW(MRT_COMPLEX16, double complex, TYPE_CDOUBLE),
    ROW(MRT_COMPLEX32, struct bytes32, TYPE_CFLOAT128),
};

size_t mrt_type_size(struct mrt_type *type)
{
	const struct mrt_type *t = type_get(type);

	return t ? t->size : 0;
}
