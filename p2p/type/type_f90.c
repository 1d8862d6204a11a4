/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_f90.c: the sizes of Fortran's default types, and its types of a
 * precision and a range (MPI 4.1, chapter 19.1.9). Such a type is a duplicate
 * of the predefined type of the smallest kind that has both, and remembers what
 * was asked for. It is made once and never freed, so its handle is that of a
 * predefined type.
 */
#include <float.h>
#include <stdlib.h>

#include "p2p/type/type_builder.h"
#include "p2p/type/type_lock.h"

/* ---- Default types ------------------------------------------------------- */

/* Gives a predefined type n numbers of so many bytes. */
static void set_row(struct mrt_type *handle, size_t n, size_t bytes,
		    enum type_class kind)
{
	struct mrt_type *t = &type_table[(uintptr_t)handle - TYPE_FIRST];

	t->size = t->region.size = n * bytes;
	t->extent = t->true_extent = (ptrdiff_t)(n * bytes);
	t->align = (uint8_t)bytes;
	t->kind = (uint8_t)kind;
}

int mrt_type_set_fortran(size_t integer, size_t logical)
{
	bool wide = integer == 8;

	if ((!wide && integer != 4) || (logical != 4 && logical != 8))
		return proc_result("mrt_type_set_fortran",
				   proc_fail(MRT_ERR_ARG,
					     "INTEGER has %zu bytes, LOGICAL "
					     "%zu: neither 4 nor 8",
					     integer, logical));
	type_lock();
	set_row(MRT_INTEGER, 1, integer, wide ? TYPE_FINT64 : TYPE_FINT32);
	set_row(MRT_2INTEGER, 2, integer,
		wide ? TYPE_INT64_INT64 : TYPE_INT_INT);
	set_row(MRT_LOGICAL, 1, logical,
		logical == 8 ? TYPE_LOGICAL64 : TYPE_LOGICAL32);
	type_unlock();
	return 0;
}

/* ---- Types of a precision and a range ------------------------------------ */

/* The kinds by size, with the largest precision and range in decimal digits and
 * exponents. Of the kinds of 16 bytes the first is C's. */
static const struct real {
	int precision, range;
	struct mrt_type *real, *complex;
} reals[] = {
    {FLT_DIG, -FLT_MIN_10_EXP, MRT_REAL4, MRT_COMPLEX8},
    {DBL_DIG, -DBL_MIN_10_EXP, MRT_REAL8, MRT_COMPLEX16},
    {LDBL_DIG, -LDBL_MIN_10_EXP, MRT_LONG_DOUBLE, MRT_LONG_DOUBLE_COMPLEX},
    {33, 4931, MRT_REAL16, MRT_COMPLEX32}};
static const struct integer {
	int range;
	struct mrt_type *type;
} integers[] = {{2, MRT_INTEGER1},
		{4, MRT_INTEGER2},
		{9, MRT_INTEGER4},
		{18, MRT_INTEGER8},
		{38, MRT_INTEGER16}};

/* Returns NULL if no kind is large enough. MRT_UNDEFINED is less than any
 * precision and range. */
static struct mrt_type *type_f90_smallest(enum mrt_combiner combiner,
					  int precision, int range)
{
	if (combiner == MRT_COMBINER_F90_INTEGER) {
		for (size_t k = 0; k < sizeof(integers) / sizeof(*integers);
		     k++)
			if (range <= integers[k].range)
				return integers[k].type;
		return NULL;
	}
	for (size_t k = 0; k < sizeof(reals) / sizeof(*reals); k++)
		if (precision <= reals[k].precision && range <= reals[k].range)
			return combiner == MRT_COMBINER_F90_REAL
				   ? reals[k].real
				   : reals[k].complex;
	return NULL;
}

/* ---- Types that were made ------------------------------------------------ */

static struct made {
	struct made *next;
	struct mrt_type *type;
} * all;

static struct mrt_type *type_f90_find(enum mrt_combiner combiner, int precision,
				      int range)
{
	for (const struct made *m = all; m; m = m->next) {
		const struct type_contents *r = m->type->contents;

		if (r->combiner == combiner &&
		    r->values[r->nvalues - 1] == range &&
		    (r->nvalues == 1 || r->values[0] == precision))
			return m->type;
	}
	return NULL;
}

static int type_f90_make(enum mrt_combiner combiner, int precision, int range,
			 struct mrt_type *old, struct mrt_type **type)
{
	bool is_integer = combiner == MRT_COMBINER_F90_INTEGER;
	struct made *m = malloc(sizeof(*m));
	struct type_contents *r =
	    m ? contents_create(combiner, is_integer ? 1 : 2, 1) : NULL;
	struct type_builder d;
	int rc;

	if (r) {
		r->values[0] = precision;
		r->values[r->nvalues - 1] = range;
		r->types[0] = old;
	}
	builder_copy(&d, type_get(old));
	d.type.kind = type_get(old)->kind;
	d.type.is_fixed = d.type.dense = d.type.committed = true;
	d.type.magic = TYPE_DENSE; /* as all of these kinds */
	rc = builder_finish(&d, r, type);
	if (rc) {
		free(m);
		return rc;
	}
	*m = (struct made){all, *type};
	all = m;
	return 0;
}

static bool is_number(int n)
{
	return n >= 0 || n == MRT_UNDEFINED;
}

static int type_f90_get(enum mrt_combiner combiner, int precision, int range,
			struct mrt_type **type)
{
	struct mrt_type *old = NULL, *made;

	if (!type)
		return proc_fail(MRT_ERR_ARG, "newtype is NULL");
	if (combiner < MRT_COMBINER_F90_REAL ||
	    combiner > MRT_COMBINER_F90_INTEGER)
		return proc_fail(MRT_ERR_ARG, "no such combiner: %d",
				 (int)combiner);
	if (combiner == MRT_COMBINER_F90_INTEGER)
		precision = MRT_UNDEFINED;
	if (is_number(precision) && is_number(range) &&
	    (precision >= 0 || range >= 0))
		old = type_f90_smallest(combiner, precision, range);
	if (!old)
		return proc_fail(MRT_ERR_ARG,
				 "no kind has precision %d and range %d",
				 precision, range);
	made = type_f90_find(combiner, precision, range);
	if (!made)
		return type_f90_make(combiner, precision, range, old, type);
	*type = made;
	return 0;
}

int mrt_type_f90(enum mrt_combiner combiner, int precision, int range,
		 struct mrt_type **newtype)
{
	type_lock();
	return proc_result("mrt_type_f90",
			   type_unlock_with(type_f90_get(combiner, precision,
							 range, newtype)));
}
