/* SPDX-License-Identifier: Apache-2.0 */
/* type_create.c: the constructors of types other than arrays. */
#include <stdlib.h>

#include "p2p/type/type_builder.h"
#include "p2p/type/type_lock.h"

static int check_count(const char *name, size_t count)
{
	if (count <= TYPE_COUNT_MAX)
		return 0;
	return proc_fail(MRT_ERR_COUNT, "%s of %zu (a negative one?)", name,
			 count);
}

/* ---- One type, regularly ------------------------------------------------- */

struct loop {
	enum mrt_combiner combiner;
	size_t count, blocklength;
	ptrdiff_t stride; /* in elements or bytes */
	bool bytes;	  /* stride is in bytes */
};

static struct type_contents *describe_loop(const struct loop *loop,
					   struct mrt_type *oldtype)
{
	size_t n = loop->combiner == MRT_COMBINER_CONTIGUOUS ? 1 : 3;
	struct type_contents *r = contents_create(loop->combiner, n, 1);

	if (!r)
		return NULL;
	r->values[0] = (ptrdiff_t)loop->count;
	if (n > 1) {
		r->values[1] = (ptrdiff_t)loop->blocklength;
		r->values[2] = loop->stride;
	}
	r->types[0] = oldtype;
	return r;
}

static int make_loop(const struct loop *loop, struct mrt_type *oldtype,
		     struct mrt_type **newtype)
{
	const struct mrt_type *old;
	ptrdiff_t stride = loop->stride;
	struct type_builder d;
	int rc = type_check(oldtype, newtype, &old);

	if (!rc)
		rc = check_count("count", loop->count);
	if (!rc)
		rc = check_count("blocklength", loop->blocklength);
	if (!rc && !loop->bytes &&
	    __builtin_mul_overflow(stride, old->extent, &stride))
		rc = proc_fail(MRT_ERR_COUNT, "a stride of %td elements",
			       loop->stride);
	if (!rc)
		rc = builder_vector(&d, loop->count, loop->blocklength, stride,
				    old);
	return rc ? rc
		  : builder_finish(&d, describe_loop(loop, oldtype), newtype);
}

static int loop_type(const char *call, const struct loop *loop,
		     struct mrt_type *oldtype, struct mrt_type **newtype)
{
	type_lock();
	return proc_result(call,
			   type_unlock_with(make_loop(loop, oldtype, newtype)));
}

int mrt_type_contiguous(size_t count, struct mrt_type *oldtype,
			struct mrt_type **newtype)
{
	struct loop loop = {MRT_COMBINER_CONTIGUOUS, count, 1, 1, false};

	return loop_type("mrt_type_contiguous", &loop, oldtype, newtype);
}

int mrt_type_vector(size_t count, size_t blocklength, ptrdiff_t stride,
		    struct mrt_type *oldtype, struct mrt_type **newtype)
{
	struct loop loop = {MRT_COMBINER_VECTOR, count, blocklength, stride,
			    false};

	return loop_type("mrt_type_vector", &loop, oldtype, newtype);
}

int mrt_type_hvector(size_t count, size_t blocklength, ptrdiff_t stride,
		     struct mrt_type *oldtype, struct mrt_type **newtype)
{
	struct loop loop = {MRT_COMBINER_HVECTOR, count, blocklength, stride,
			    true};

	return loop_type("mrt_type_hvector", &loop, oldtype, newtype);
}

/* ---- Blocks -------------------------------------------------------------- */

struct blocks {
	enum mrt_combiner combiner;
	size_t count;
	const size_t *blocklengths; /* NULL: all have `blocklength` */
	size_t blocklength;
	const ptrdiff_t *displs;
	struct mrt_type *const *types; /* of a struct [count], else one */
	const struct mrt_type
	    *old; /* types[0], once checked; not of a struct */
};

/* Whether displs are in bytes, not elements. */
static bool in_bytes(const struct blocks *b)
{
	return b->combiner != MRT_COMBINER_INDEXED &&
	       b->combiner != MRT_COMBINER_INDEXED_BLOCK;
}

/* Stands for an array of lengths that is NULL, valid with a count of 0. */
static const size_t none[1];

static const size_t *some(const size_t *blocklengths)
{
	return blocklengths ? blocklengths : none;
}

static struct type_contents *describe_blocks(const struct blocks *b)
{
	size_t lengths = b->blocklengths ? b->count : 1;
	size_t ntypes = b->combiner == MRT_COMBINER_STRUCT ? b->count : 1;
	struct type_contents *r =
	    contents_create(b->combiner, 1 + lengths + b->count, ntypes);
	ptrdiff_t *value;

	if (!r)
		return NULL;
	value = r->values;
	*value++ = (ptrdiff_t)b->count;
	for (size_t i = 0; i < lengths; i++)
		*value++ = (ptrdiff_t)(b->blocklengths ? b->blocklengths[i]
						       : b->blocklength);
	for (size_t i = 0; i < b->count; i++)
		*value++ = b->displs[i];
	for (size_t i = 0; i < ntypes; i++)
		r->types[i] = b->types[i];
	return r;
}

/* A block_fn for struct blocks. */
static int block_of_blocks(const void *blocks, size_t k,
			   struct type_block *block)
{
	const struct blocks *b = blocks;
	ptrdiff_t at = b->displs[k];
	int rc = 0;

	block->n = b->blocklengths ? b->blocklengths[k] : b->blocklength;
	block->type = b->old;
	if (!block->type)
		rc = type_find(b->types[k], &block->type);
	if (!rc)
		rc = check_count("blocklength", block->n);
	if (!rc && !in_bytes(b) &&
	    __builtin_mul_overflow(at, block->type->extent, &at))
		rc = proc_fail(MRT_ERR_COUNT, "a displacement of %td elements",
			       b->displs[k]);
	block->at = at;
	return rc;
}

static int make_blocks(struct blocks *b, struct mrt_type **newtype)
{
	struct type_builder d;
	int rc = check_count("count", b->count);

	if (!rc && !newtype)
		rc = proc_fail(MRT_ERR_ARG, "newtype is NULL");
	if (!rc && b->combiner != MRT_COMBINER_STRUCT)
		rc = type_find(b->types[0], &b->old);
	if (!rc)
		rc = builder_struct(&d, b->count, block_of_blocks, b);
	return rc ? rc : builder_finish(&d, describe_blocks(b), newtype);
}

static int blocks_type(const char *call, struct blocks *b,
		       struct mrt_type **newtype)
{
	int rc = 0;

	if (b->count && (!b->displs || !b->types || b->blocklengths == none))
		rc =
		    proc_fail(MRT_ERR_ARG, "an array of %zu is NULL", b->count);
	type_lock();
	if (!rc)
		rc = make_blocks(b, newtype);
	type_unlock();
	return proc_result(call, rc);
}

int mrt_type_indexed(size_t count, const size_t blocklengths[],
		     const ptrdiff_t displs[], struct mrt_type *oldtype,
		     struct mrt_type **newtype)
{
	struct blocks b = {MRT_COMBINER_INDEXED,
			   count,
			   some(blocklengths),
			   0,
			   displs,
			   &oldtype,
			   NULL};

	return blocks_type("mrt_type_indexed", &b, newtype);
}

int mrt_type_hindexed(size_t count, const size_t blocklengths[],
		      const ptrdiff_t displs[], struct mrt_type *oldtype,
		      struct mrt_type **newtype)
{
	struct blocks b = {MRT_COMBINER_HINDEXED,
			   count,
			   some(blocklengths),
			   0,
			   displs,
			   &oldtype,
			   NULL};

	return blocks_type("mrt_type_hindexed", &b, newtype);
}

int mrt_type_indexed_block(size_t count, size_t blocklength,
			   const ptrdiff_t displs[], struct mrt_type *oldtype,
			   struct mrt_type **newtype)
{
	struct blocks b = {MRT_COMBINER_INDEXED_BLOCK,
			   count,
			   NULL,
			   blocklength,
			   displs,
			   &oldtype,
			   NULL};

	return blocks_type("mrt_type_indexed_block", &b, newtype);
}

int mrt_type_hindexed_block(size_t count, size_t blocklength,
			    const ptrdiff_t displs[], struct mrt_type *oldtype,
			    struct mrt_type **newtype)
{
	struct blocks b = {MRT_COMBINER_HINDEXED_BLOCK,
			   count,
			   NULL,
			   blocklength,
			   displs,
			   &oldtype,
			   NULL};

	return blocks_type("mrt_type_hindexed_block", &b, newtype);
}

int mrt_type_struct(size_t count, const size_t blocklengths[],
		    const ptrdiff_t displs[], struct mrt_type *const types[],
		    struct mrt_type **newtype)
{
	struct blocks b = {MRT_COMBINER_STRUCT,
			   count,
			   some(blocklengths),
			   0,
			   displs,
			   types,
			   NULL};

	return blocks_type("mrt_type_struct", &b, newtype);
}
