/* SPDX-License-Identifier: Apache-2.0 */
/* type_builder.c: computes a type from its parts: its bounds by the rules of
 * MPI (4.1, chapter 5.1.6), and its layout. */
#include "p2p/type/type_builder.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/proc.h"

/* ---- Bounds -------------------------------------------------------------- */

static ptrdiff_t times(struct type_builder *d, size_t n, ptrdiff_t step)
{
	ptrdiff_t product;

	d->overflow |= __builtin_mul_overflow(n, step, &product);
	return product;
}

static ptrdiff_t plus(struct type_builder *d, ptrdiff_t a, ptrdiff_t b)
{
	ptrdiff_t sum;

	d->overflow |= __builtin_add_overflow(a, b, &sum);
	return sum;
}

static ptrdiff_t minus(struct type_builder *d, ptrdiff_t a, ptrdiff_t b)
{
	ptrdiff_t difference;

	d->overflow |= __builtin_sub_overflow(a, b, &difference);
	return difference;
}

static void widen(struct type_builder *d, struct range *range, ptrdiff_t low,
		  ptrdiff_t length)
{
	ptrdiff_t high = plus(d, low, length);

	if (!range->set || low < range->low)
		range->low = low;
	if (!range->set || high > range->high)
		range->high = high;
	range->set = true;
}

static void add_bounds(struct type_builder *d, const struct mrt_type *t,
		       ptrdiff_t at)
{
	if (t->marked)
		widen(d, &d->marks, plus(d, at, t->lb), t->extent);
	if (!t->size)
		return;
	widen(d, &d->data, plus(d, at, t->true_lb), t->true_extent);
	widen(d, &d->parts, plus(d, at, t->lb), t->extent);
}

/* Adds the bounds of n elements at `at`: the extreme elements are the first and
 * last. */
static void add_elements(struct type_builder *d, const struct mrt_type *t,
			 ptrdiff_t at, size_t n)
{
	add_bounds(d, t, at);
	if (n > 1)
		add_bounds(d, t, plus(d, at, times(d, n - 1, t->extent)));
}

/* Adds what n elements contribute other than bounds. */
static void add_amount(struct type_builder *d, const struct mrt_type *t,
		       size_t n)
{
	struct mrt_type *type = &d->type;

	type->size = (size_t)plus(d, (ptrdiff_t)type->size,
				  times(d, n, (ptrdiff_t)t->size));
	type->elements += n * t->elements;
	if (t->align > type->align)
		type->align = t->align;
}

void builder_set_bounds(struct type_builder *d, ptrdiff_t lb, ptrdiff_t extent)
{
	d->type.marked = true;
	d->type.lb = lb;
	d->type.extent = extent;
}

/* Rounds up to a multiple of the alignment. */
static ptrdiff_t rounded(struct type_builder *d, ptrdiff_t extent)
{
	ptrdiff_t over = extent % d->type.align;

	return over ? plus(d, extent, d->type.align - over) : extent;
}

static int too_large(void)
{
	return proc_fail(MRT_ERR_COUNT, "a type larger than the address space");
}

static int compute_bounds(struct type_builder *d)
{
	struct mrt_type *t = &d->type;

	if (d->data.set) {
		t->true_lb = d->data.low;
		t->true_extent = minus(d, d->data.high, d->data.low);
		/* a part ends behind its own padding, so that elements of a
		 * type that was made of structures hold whole structures */
		t->lb = d->parts.low;
		t->extent = rounded(d, minus(d, d->parts.high, d->parts.low));
	}
	if (d->marks.set)
		builder_set_bounds(d, d->marks.low,
				   minus(d, d->marks.high, d->marks.low));
	return d->overflow ? too_large() : 0;
}

/* ---- Builders ------------------------------------------------------------ */

static void begin(struct type_builder *d)
{
	memset(d, 0, sizeof(*d));
	d->type.magic = TYPE_OTHER;
	d->type.name = "a derived type";
	d->type.align = 1;
	d->type.refs = 1;
}

static int no_memory(void)
{
	return proc_fail(MRT_ERR_NO_MEM, "no memory for a type");
}

int builder_vector(struct type_builder *d, size_t count, size_t blocklength,
		   ptrdiff_t stride, const struct mrt_type *old)
{
	struct region block;
	int rc;

	begin(d);
	if (!count || !blocklength)
		return 0;
	add_elements(d, old, 0, blocklength);
	add_elements(d, old, times(d, count - 1, stride), blocklength);
	add_amount(d, old, (size_t)times(d, count, (ptrdiff_t)blocklength));
	rc = compute_bounds(d);
	if (rc)
		return rc;
	if (region_repeat(&old->region, blocklength, old->extent, &block))
		return no_memory();
	rc = region_repeat(&block, count, stride, &d->type.region);
	region_release(&block);
	return rc ? no_memory() : 0;
}

/* Adds a block of at least one element, and sets *item to its region. */
static int add_block(struct type_builder *d, const struct type_block *block,
		     struct region *item)
{
	add_elements(d, block->type, block->at, block->n);
	add_amount(d, block->type, block->n);
	if (d->overflow)
		return too_large();
	if (region_repeat(&block->type->region, block->n, block->type->extent,
			  item))
		return no_memory();
	item->at += block->at;
	return 0;
}

int block_of_array(const void *blocks, size_t k, struct type_block *block)
{
	*block = ((const struct type_block *)blocks)[k];
	return 0;
}

int builder_struct(struct type_builder *d, size_t n, block_fn *get,
		   const void *blocks)
{
	struct region *items = malloc((n ? n : 1) * sizeof(*items));
	int rc = items ? 0 : no_memory();
	struct type_block block;
	size_t k = 0;

	begin(d);
	for (size_t i = 0; i < n && !rc; i++) {
		rc = get(blocks, i, &block);
		if (rc || !block.n)
			continue;
		rc = add_block(d, &block, &items[k]);
		k += !rc;
	}
	if (!rc)
		rc = compute_bounds(d);
	if (!rc)
		return region_join(items, k, &d->type.region) ? no_memory() : 0;
	while (k > 0)
		region_release(&items[--k]);
	free(items);
	return rc;
}

void builder_copy(struct type_builder *d, const struct mrt_type *old)
{
	begin(d);
	d->type = *old;
	d->type.magic = TYPE_OTHER;
	d->type.name = "a derived type";
	d->type.refs = 1;
	d->type.dense = d->type.committed = d->type.freed = false;
	d->type.is_fixed = false;
	d->type.contents = NULL;
	d->type.kind = TYPE_NONE;
	d->type.form = 0;
	d->type.data = NULL;
	region_hold(&d->type.region);
}

void builder_discard(struct type_builder *d)
{
	region_release(&d->type.region);
}

/* ---- Recipes ------------------------------------------------------------- */

struct type_contents *contents_create(enum mrt_combiner combiner,
				      size_t nvalues, size_t ntypes)
{
	struct type_contents *r =
	    malloc(sizeof(*r) + ntypes * sizeof(*r->types) +
		   nvalues * sizeof(*r->values));

	if (!r)
		return NULL;
	r->refs = 1;
	r->combiner = combiner;
	r->nvalues = nvalues;
	r->ntypes = ntypes;
	r->types = (struct mrt_type **)(r + 1);
	r->values = (ptrdiff_t *)(r->types + ntypes);
	return r;
}

void contents_destroy(struct type_contents *contents)
{
	free(contents);
}

/* The number of elements that fit the address space, by their data and their
 * extent. */
static size_t count_max(const struct mrt_type *t)
{
	size_t step = t->extent < 0 ? 0 - (size_t)t->extent : (size_t)t->extent;
	size_t bytes = step > t->size ? step : t->size;

	return bytes < 32 ? TYPE_COUNT_MAX : PTRDIFF_MAX / bytes;
}

int builder_finish(struct type_builder *d, struct type_contents *contents,
		   struct mrt_type **newtype)
{
	struct mrt_type *t = type_alloc();

	if (!t || !contents) {
		builder_discard(d);
		type_dealloc(t);
		contents_destroy(contents);
		return no_memory();
	}
	*t = d->type;
	t->count_max = count_max(t);
	t->contents = contents;
	for (size_t i = 0; i < contents->ntypes; i++)
		type_hold(type_get(contents->types[i]));
	*newtype = t;
	return 0;
}
