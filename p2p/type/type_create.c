/* SPDX-License-Identifier: Apache-2.0 */
/* type_create.c: the constructors of types other than arrays. */
#include <stdlib.h>

#include "p2p/type/type_builder.h"
#include "p2p/type/type_lock.h"

static int check_count(const char *name, size_t count)
{
	if (count <= TYPE_COUNT_MAX)
		return 0;
	return proc_fail(MRT_ERR_COUNT, "%s is %td", name, (ptrdiff_t)count);
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

/* A type of blocks by its values, as mrt_type_contents returns them. */
struct blocks {
	enum mrt_combiner combiner;
	ptrdiff_t *values;
	struct mrt_type *const *types; /* of a struct one each, else one */
	const struct mrt_type *old;    /* types[0], once checked */
	const ptrdiff_t *lengths, *displs;
	bool even;     /* all have the first length */
	bool in_bytes; /* displacements are not in elements */
};

/* A block_fn for struct blocks. */
static int block_of_blocks(const void *blocks, size_t k,
			   struct type_block *block)
{
	const struct blocks *b = blocks;
	int rc = 0;

	block->at = b->displs[k];
	block->n = (size_t)b->lengths[b->even ? 0 : k];
	block->type = b->old;
	if (!block->type)
		rc = type_find(b->types[k], &block->type);
	if (!rc)
		rc = check_count("blocklength", block->n);
	if (!rc && !b->in_bytes &&
	    __builtin_mul_overflow(b->displs[k], block->type->extent,
				   &block->at))
		rc = proc_fail(MRT_ERR_COUNT, "a displacement of %td elements",
			       b->displs[k]);
	return rc;
}

/* Reads the values and builds the type. */
static int build_blocks(struct type_builder *d, struct blocks *b)
{
	size_t n = (size_t)b->values[0];
	int rc = check_count("count", n);

	if (!rc && n && !b->types)
		rc = proc_fail(MRT_ERR_ARG, "an array of %zu is NULL", n);
	if (!rc && b->combiner != MRT_COMBINER_STRUCT)
		rc = type_find(b->types[0], &b->old);
	if (rc)
		return rc;
	b->even = b->combiner == MRT_COMBINER_INDEXED_BLOCK ||
		  b->combiner == MRT_COMBINER_HINDEXED_BLOCK;
	b->in_bytes = b->combiner != MRT_COMBINER_INDEXED &&
		      b->combiner != MRT_COMBINER_INDEXED_BLOCK;
	b->lengths = b->values + 1;
	b->displs = b->lengths + (b->even ? 1 : n);
	return builder_struct(d, n, block_of_blocks, b);
}

static int make_blocks(struct blocks *b, struct mrt_type **newtype)
{
	struct type_contents *r;
	struct type_builder d;
	size_t n;
	int rc = newtype ? build_blocks(&d, b)
			 : proc_fail(MRT_ERR_ARG, "newtype is NULL");

	if (rc) {
		free(b->values);
		return rc;
	}
	n = (size_t)b->values[0];
	r = contents_of(b->combiner, b->values,
			(size_t)(b->displs + n - b->values), b->old ? 1 : n);
	for (size_t i = 0; r && i < r->ntypes; i++)
		r->types[i] = b->types[i];
	return builder_finish(&d, r, newtype);
}

int mrt_type_blocks(enum mrt_combiner combiner, ptrdiff_t *values,
		    struct mrt_type *const types[], struct mrt_type **newtype)
{
	struct blocks b = {
	    .combiner = combiner, .values = values, .types = types};
	int rc;

	type_lock();
	if (!values || combiner < MRT_COMBINER_INDEXED ||
	    combiner > MRT_COMBINER_STRUCT ||
	    (!types && combiner != MRT_COMBINER_STRUCT)) {
		rc = proc_fail(MRT_ERR_ARG,
			       "combiner %d, values %p, types %p of no blocks",
			       combiner, (void *)values, (const void *)types);
		free(values);
	} else {
		rc = make_blocks(&b, newtype);
	}
	return proc_result("mrt_type_blocks", type_unlock_with(rc));
}

/* The arguments of a constructor of blocks: as many displacements as blocks,
 * and one length if all blocks have the same. */
struct given {
	size_t count, nlengths;
	const size_t *lengths;
	const ptrdiff_t *displs;
	struct mrt_type *const *types;
};

/* Sets *values to a new block with the arguments in the order of
 * mrt_type_contents. */
static int copy_values(const struct given *g, ptrdiff_t **values)
{
	int rc = check_count("count", g->count);
	ptrdiff_t *v;

	if (!rc && g->count && (!g->lengths || !g->displs))
		rc =
		    proc_fail(MRT_ERR_ARG, "an array of %zu is NULL", g->count);
	if (rc)
		return rc;
	v = *values = malloc((1 + g->nlengths + g->count) * sizeof(*v));
	if (!v)
		return proc_fail(MRT_ERR_NO_MEM, "no memory for a type");
	*v++ = (ptrdiff_t)g->count;
	for (size_t i = 0; i < g->nlengths; i++)
		*v++ = (ptrdiff_t)g->lengths[i];
	for (size_t i = 0; i < g->count; i++)
		*v++ = g->displs[i];
	return 0;
}

static int given_type(const char *call, enum mrt_combiner combiner,
		      const struct given *g, struct mrt_type **newtype)
{
	struct blocks b = {.combiner = combiner, .types = g->types};
	int rc = copy_values(g, &b.values);

	type_lock();
	if (!rc)
		rc = make_blocks(&b, newtype);
	return proc_result(call, type_unlock_with(rc));
}

int mrt_type_indexed(size_t count, const size_t blocklengths[],
		     const ptrdiff_t displs[], struct mrt_type *oldtype,
		     struct mrt_type **newtype)
{
	struct given g = {count, count, blocklengths, displs, &oldtype};

	return given_type("mrt_type_indexed", MRT_COMBINER_INDEXED, &g,
			  newtype);
}

int mrt_type_hindexed(size_t count, const size_t blocklengths[],
		      const ptrdiff_t displs[], struct mrt_type *oldtype,
		      struct mrt_type **newtype)
{
	struct given g = {count, count, blocklengths, displs, &oldtype};

	return given_type("mrt_type_hindexed", MRT_COMBINER_HINDEXED, &g,
			  newtype);
}

int mrt_type_indexed_block(size_t count, size_t blocklength,
			   const ptrdiff_t displs[], struct mrt_type *oldtype,
			   struct mrt_type **newtype)
{
	struct given g = {count, 1, &blocklength, displs, &oldtype};

	return given_type("mrt_type_indexed_block", MRT_COMBINER_INDEXED_BLOCK,
			  &g, newtype);
}

int mrt_type_hindexed_block(size_t count, size_t blocklength,
			    const ptrdiff_t displs[], struct mrt_type *oldtype,
			    struct mrt_type **newtype)
{
	struct given g = {count, 1, &blocklength, displs, &oldtype};

	return given_type("mrt_type_hindexed_block",
			  MRT_COMBINER_HINDEXED_BLOCK, &g, newtype);
}

int mrt_type_struct(size_t count, const size_t blocklengths[],
		    const ptrdiff_t displs[], struct mrt_type *const types[],
		    struct mrt_type **newtype)
{
	struct given g = {count, count, blocklengths, displs, types};

	return given_type("mrt_type_struct", MRT_COMBINER_STRUCT, &g, newtype);
}
