/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_array.c: the constructors of subarrays and distributed arrays: a vector
 * for each dimension, from the one that runs fastest to the slowest, each over
 * the last.
 */
#include <stdlib.h>

#include "p2p/type/type_builder.h"
#include "p2p/type/type_lock.h"

/* An array, to which one dimension after another is added. */
struct array {
	struct type_builder d;
	ptrdiff_t step; /* bytes from one index to the next */
	ptrdiff_t at;	/* displacement of the part's begin */
	bool made;
};

static int add_overflow(void)
{
	return proc_fail(MRT_ERR_COUNT,
			 "an array larger than the address space");
}

/* Replaces the builder by that of the next dimension. */
static void type_array_replace(struct array *a, const struct type_builder *d)
{
	if (a->made)
		builder_discard(&a->d);
	a->d = *d;
	a->made = true;
	/* bounds are only set at the end */
	a->d.type.marked = false;
}

/* Moves the begin by `start` indices. */
static int type_array_move(struct array *a, size_t start)
{
	ptrdiff_t bytes;

	if (__builtin_mul_overflow(start, a->step, &bytes) ||
	    __builtin_add_overflow(a->at, bytes, &a->at))
		return add_overflow();
	return 0;
}

static int end_dimension(struct array *a, size_t size)
{
	if (__builtin_mul_overflow(size, a->step, &a->step))
		return add_overflow();
	return 0;
}

/* Adds a dimension of `size` indices, of which n from start on belong to the
 * part. */
static int add_range(struct array *a, const struct mrt_type *old, size_t size,
		     size_t start, size_t n)
{
	const struct mrt_type *inner = a->made ? &a->d.type : old;
	struct type_builder d;
	int rc = builder_vector(&d, n, 1, a->step, inner);

	if (rc)
		return rc;
	type_array_replace(a, &d);
	rc = type_array_move(a, start);
	return rc ? rc : end_dimension(a, size);
}

/* Displaces the part to its begin and sets the bounds of the whole array. */
static int end_array(struct array *a, struct type_contents *contents,
		     struct mrt_type **newtype)
{
	struct type_block whole = {a->at, 1, &a->d.type};
	struct type_builder d;
	int rc = builder_struct(&d, 1, block_of_array, &whole);

	builder_discard(&a->d);
	a->made = false;
	if (rc) {
		contents_destroy(contents);
		return rc;
	}
	builder_set_bounds(&d, 0, a->step);
	return builder_finish(&d, contents, newtype);
}

static int check_order(enum mrt_order order)
{
	if (order == MRT_ORDER_C || order == MRT_ORDER_FORTRAN)
		return 0;
	return proc_fail(MRT_ERR_ARG, "order %d", (int)order);
}

/* The index of the k-th fastest dimension. */
static int type_array_dimension(int ndims, enum mrt_order order, int k)
{
	return order == MRT_ORDER_C ? ndims - 1 - k : k;
}

/* ---- Subarrays ----------------------------------------------------------- */

struct subarray {
	int ndims;
	const size_t *sizes, *subsizes, *starts;
	enum mrt_order order;
};

static struct type_contents *describe_subarray(const struct subarray *s,
					       struct mrt_type *oldtype)
{
	size_t n = (size_t)s->ndims;
	struct type_contents *r =
	    contents_create(MRT_COMBINER_SUBARRAY, 2 + 3 * n, 1);

	if (!r)
		return NULL;
	r->values[0] = s->ndims;
	for (size_t i = 0; i < n; i++) {
		r->values[1 + i] = (ptrdiff_t)s->sizes[i];
		r->values[1 + n + i] = (ptrdiff_t)s->subsizes[i];
		r->values[1 + 2 * n + i] = (ptrdiff_t)s->starts[i];
	}
	r->values[1 + 3 * n] = s->order;
	r->types[0] = oldtype;
	return r;
}

static int check_subarray(const struct subarray *s)
{
	if (s->ndims < 1)
		return proc_fail(MRT_ERR_ARG, "%d dimensions", s->ndims);
	if (!s->sizes || !s->subsizes || !s->starts)
		return proc_fail(MRT_ERR_ARG, "an array of %d is NULL",
				 s->ndims);
	for (int i = 0; i < s->ndims; i++)
		if (s->sizes[i] > PTRDIFF_MAX || s->subsizes[i] > s->sizes[i] ||
		    s->starts[i] > s->sizes[i] - s->subsizes[i])
			return proc_fail(
			    MRT_ERR_ARG,
			    "dimension %d: %zu from %zu on, of %zu", i,
			    s->subsizes[i], s->starts[i], s->sizes[i]);
	return check_order(s->order);
}

static int make_subarray(const struct subarray *s, struct mrt_type *oldtype,
			 struct mrt_type **newtype)
{
	const struct mrt_type *old;
	struct array a = {.made = false};
	int rc = type_check(oldtype, newtype, &old);

	if (!rc)
		rc = check_subarray(s);
	if (rc)
		return rc;
	a.step = old->extent;
	for (int k = 0; k < s->ndims && !rc; k++) {
		int i = type_array_dimension(s->ndims, s->order, k);

		rc = add_range(&a, old, s->sizes[i], s->starts[i],
			       s->subsizes[i]);
	}
	if (!rc)
		return end_array(&a, describe_subarray(s, oldtype), newtype);
	if (a.made)
		builder_discard(&a.d);
	return rc;
}

int mrt_type_subarray(int ndims, const size_t sizes[], const size_t subsizes[],
		      const size_t starts[], enum mrt_order order,
		      struct mrt_type *oldtype, struct mrt_type **newtype)
{
	struct subarray s = {ndims, sizes, subsizes, starts, order};
	type_lock();
	return proc_result("mrt_type_subarray", type_unlock_with(make_subarray(
						    &s, oldtype, newtype)));
}

/* ---- Distributed arrays -------------------------------------------------- */

struct darray {
	int size, rank, ndims;
	const size_t *gsizes;
	const int *distribs, *dargs, *psizes;
	enum mrt_order order;
};

static struct type_contents *describe_darray(const struct darray *a,
					     struct mrt_type *oldtype)
{
	size_t n = (size_t)a->ndims;
	struct type_contents *r =
	    contents_create(MRT_COMBINER_DARRAY, 4 + 4 * n, 1);

	if (!r)
		return NULL;
	r->values[0] = a->size;
	r->values[1] = a->rank;
	r->values[2] = a->ndims;
	for (size_t i = 0; i < n; i++) {
		r->values[3 + i] = (ptrdiff_t)a->gsizes[i];
		r->values[3 + n + i] = a->distribs[i];
		r->values[3 + 2 * n + i] = a->dargs[i];
		r->values[3 + 3 * n + i] = a->psizes[i];
	}
	r->values[3 + 4 * n] = a->order;
	r->types[0] = oldtype;
	return r;
}

/* The number of indices of a block in dimension i; 0 if the distribution is
 * invalid. */
static size_t block_size(const struct darray *a, int i)
{
	size_t processes = (size_t)a->psizes[i];
	bool given = a->dargs[i] != MRT_DISTRIBUTE_DFLT_DARG;

	switch (a->distribs[i]) {
	case MRT_DISTRIBUTE_NONE:
		return processes == 1 ? (a->gsizes[i] ? a->gsizes[i] : 1) : 0;
	case MRT_DISTRIBUTE_BLOCK:
		if (!given)
			return a->gsizes[i] ? (a->gsizes[i] - 1) / processes + 1
					    : 1;
		return a->dargs[i] > 0 &&
			       (size_t)a->dargs[i] * processes >= a->gsizes[i]
			   ? (size_t)a->dargs[i]
			   : 0;
	case MRT_DISTRIBUTE_CYCLIC:
		if (!given)
			return 1;
		return a->dargs[i] > 0 ? (size_t)a->dargs[i] : 0;
	default:
		return 0;
	}
}

static int check_darray(const struct darray *a)
{
	size_t processes = 1;

	if (a->ndims < 1 || a->size < 1 || a->rank < 0 || a->rank >= a->size)
		return proc_fail(MRT_ERR_ARG, "rank %d of %d, %d dimensions",
				 a->rank, a->size, a->ndims);
	if (!a->gsizes || !a->distribs || !a->dargs || !a->psizes)
		return proc_fail(MRT_ERR_ARG, "an array of %d is NULL",
				 a->ndims);
	for (int i = 0; i < a->ndims; i++) {
		if (a->psizes[i] < 1 || a->gsizes[i] > PTRDIFF_MAX ||
		    !block_size(a, i))
			return proc_fail(MRT_ERR_ARG,
					 "dimension %d: %zu over "
					 "%d processes, distribution %d of %d",
					 i, a->gsizes[i], a->psizes[i],
					 a->distribs[i], a->dargs[i]);
		processes *= (size_t)a->psizes[i];
		if (processes > (size_t)a->size)
			break;
	}
	if (processes != (size_t)a->size)
		return proc_fail(MRT_ERR_ARG,
				 "a grid of other than %d processes", a->size);
	return check_order(a->order);
}

/* Adds a cyclic dimension: whole blocks of `block` indices from start on,
 * stride apart, and the part of a block that remains at the end. */
static int add_cyclic(struct array *a, const struct mrt_type *old, size_t size,
		      size_t block, const size_t start_stride[2])
{
	const struct mrt_type *inner = a->made ? &a->d.type : old;
	size_t start = start_stride[0], stride = start_stride[1];
	size_t left = start < size ? size - start : 0;
	size_t whole = left / stride, rest = left % stride;
	struct type_builder run, rows, last, all;
	struct type_block parts[2];
	int rc;

	if (rest >= block) {
		whole++;
		rest = 0;
	}
	if (stride > PTRDIFF_MAX / (size_t)(a->step ? labs(a->step) : 1))
		return add_overflow();
	rc = builder_vector(&run, block, 1, a->step, inner);
	if (rc)
		return rc;
	run.type.marked = false;
	rc = builder_vector(&rows, whole, 1, (ptrdiff_t)stride * a->step,
			    &run.type);
	builder_discard(&run);
	if (rc)
		return rc;
	rc = builder_vector(&last, rest, 1, a->step, inner);
	if (rc) {
		builder_discard(&rows);
		return rc;
	}
	rows.type.marked = last.type.marked = false;
	parts[0] = (struct type_block){0, 1, &rows.type};
	parts[1] = (struct type_block){(ptrdiff_t)(whole * stride) * a->step, 1,
				       &last.type};
	rc = builder_struct(&all, 2, block_of_array, parts);
	builder_discard(&rows);
	builder_discard(&last);
	if (rc)
		return rc;
	type_array_replace(a, &all);
	rc = left ? type_array_move(a, start) : 0;
	return rc ? rc : end_dimension(a, size);
}

static int add_dimension(struct array *a, const struct mrt_type *old,
			 const struct darray *da, int i, int coord)
{
	size_t size = da->gsizes[i], block = block_size(da, i);
	size_t start = (size_t)coord * block, n;
	const size_t start_stride[2] = {start, (size_t)da->psizes[i] * block};

	if (da->distribs[i] == MRT_DISTRIBUTE_CYCLIC)
		return add_cyclic(a, old, size, block, start_stride);
	if (start > size)
		start = size;
	n = size - start < block ? size - start : block;
	return add_range(a, old, size, start, n);
}

static int make_darray(const struct darray *da, struct mrt_type *oldtype,
		       struct mrt_type **newtype)
{
	const struct mrt_type *old;
	struct array a = {.made = false};
	int rc = type_check(oldtype, newtype, &old);

	if (!rc)
		rc = check_darray(da);
	if (rc)
		return rc;
	a.step = old->extent;
	for (int k = 0; k < da->ndims && !rc; k++) {
		int i = type_array_dimension(da->ndims, da->order, k),
		    below = 1;

		/* the grid is row-major, whatever the order of the array */
		for (int j = i + 1; j < da->ndims; j++)
			below *= da->psizes[j];
		rc = add_dimension(&a, old, da, i,
				   da->rank / below % da->psizes[i]);
	}
	if (!rc)
		return end_array(&a, describe_darray(da, oldtype), newtype);
	if (a.made)
		builder_discard(&a.d);
	return rc;
}

int mrt_type_darray(int size, int rank, int ndims, const size_t gsizes[],
		    const int distribs[], const int dargs[], const int psizes[],
		    enum mrt_order order, struct mrt_type *oldtype,
		    struct mrt_type **newtype)
{
	struct darray a = {size,     rank,  ndims,  gsizes,
			   distribs, dargs, psizes, order};
	type_lock();
	return proc_result("mrt_type_darray",
			   type_unlock_with(make_darray(&a, oldtype, newtype)));
}
