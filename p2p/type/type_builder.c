/* SPDX-License-Identifier: Apache-2.0 */
/* type_builder.c: computes a type from its parts: its bounds by the rules of
 * MPI (4.1, chapter 5.1.6), and its layout. */
#include "p2p/type/type_builder.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/proc.h"

/* ---- Bounds -------------------------------------------------------------- */

static ptrdiff_t type_builder_times(struct type_builder *d, size_t n,
				    ptrdiff_t step)
{
	ptrdiff_t product;

	d->overflow |= __builtin_mul_overflow(n, step, &product);
	return product;
}

static ptrdiff_t type_builder_plus(struct type_builder *d, ptrdiff_t a,
				   ptrdiff_t b)
{
	ptrdiff_t sum;

	d->overflow |= __builtin_add_overflow(a, b, &sum);
	return sum;
}

static ptrdiff_t type_builder_minus(struct type_builder *d, ptrdiff_t a,
				    ptrdiff_t b)
{
	ptrdiff_t difference;

	d->overflow |= __builtin_sub_overflow(a, b, &difference);
	return difference;
}

static void type_builder_widen(struct type_builder *d, struct range *range,
			       ptrdiff_t low, ptrdiff_t length)
{
	ptrdiff_t high = type_builder_plus(d, low, length);

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
		type_builder_widen(d, &d->marks,
				   type_builder_plus(d, at, t->lb), t->extent);
	if (!t->size)
		return;
	type_builder_widen(d, &d->data, type_builder_plus(d, at, t->true_lb),
			   t->true_extent);
	type_builder_widen(d, &d->parts, type_builder_plus(d, at, t->lb),
			   t->extent);
}

/* Adds count blocks of n elements, of which the lowest is at `low` and the
 * highest at `high`: their first and last elements have the extreme bounds. */
static void add_elements(struct type_builder *d, const struct type_block *low,
			 ptrdiff_t high, size_t count)
{
	const struct mrt_type *t = low->type;
	ptrdiff_t last = type_builder_times(d, low->n - 1, t->extent);
	size_t n = (size_t)type_builder_times(d, count, (ptrdiff_t)low->n);

	add_bounds(d, t, low->at);
	if (low->n > 1)
		add_bounds(d, t, type_builder_plus(d, low->at, last));
	if (high != low->at)
		add_bounds(d, t, high);
	if (high != low->at && low->n > 1)
		add_bounds(d, t, type_builder_plus(d, high, last));
	d->type.size = (size_t)type_builder_plus(
	    d, (ptrdiff_t)d->type.size,
	    type_builder_times(d, n, (ptrdiff_t)t->size));
	d->type.elements += n * t->elements;
	if (t->align > d->type.align)
		d->type.align = t->align;
}

void builder_set_bounds(struct type_builder *d, ptrdiff_t lb, ptrdiff_t extent)
{
	d->type.marked = true;
	d->type.lb = lb;
	d->type.extent = extent;
}

/* Rounds up to a multiple of the alignment. */
static ptrdiff_t type_builder_rounded(struct type_builder *d, ptrdiff_t extent)
{
	ptrdiff_t over = extent % d->type.align;

	return over ? type_builder_plus(d, extent, d->type.align - over)
		    : extent;
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
		t->true_extent =
		    type_builder_minus(d, d->data.high, d->data.low);
		/* a part ends behind its own padding, so that elements of a
		 * type that was made of structures hold whole structures */
		t->lb = d->parts.low;
		t->extent = type_builder_rounded(
		    d, type_builder_minus(d, d->parts.high, d->parts.low));
	}
	if (d->marks.set)
		builder_set_bounds(
		    d, d->marks.low,
		    type_builder_minus(d, d->marks.high, d->marks.low));
	return d->overflow ? too_large() : 0;
}

/* ---- Builders ------------------------------------------------------------ */

static void type_builder_begin(struct type_builder *d)
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

	type_builder_begin(d);
	if (!count || !blocklength)
		return 0;
	add_elements(d, &(struct type_block){0, blocklength, old},
		     type_builder_times(d, count - 1, stride), count);
	rc = compute_bounds(d);
	if (rc)
		return rc;
	if (region_repeat(&old->region, blocklength, old->extent, &block))
		return no_memory();
	rc = region_repeat(&block, count, stride, &d->type.region);
	region_release(&block);
	return rc ? no_memory() : 0;
}

/* Blocks of one type and length, which differ in displacement and share one
 * layout. */
struct alike {
	struct type_block low; /* the lowest one */
	ptrdiff_t high;	       /* displacement of the highest one */
	size_t count;
	struct region region; /* that of a block at 0 */
};

/* Ends blocks that are alike. */
static void alike_add(struct type_builder *d, struct alike *a)
{
	if (a->count)
		add_elements(d, &a->low, a->high, a->count);
	region_release(&a->region);
	a->count = 0;
}

/* Begins blocks that are alike. */
static int alike_begin(struct type_builder *d, struct alike *a,
		       const struct type_block *first)
{
	alike_add(d, a);
	a->low = *first;
	a->high = first->at;
	return region_repeat(&first->type->region, first->n,
			     first->type->extent, &a->region);
}

/* Most blocks find those that are alike among the last ones of 16 kinds. */
enum { KINDS = 16 };

static struct alike *kind_of(struct alike *kinds, const struct type_block *b)
{
	return &kinds[((uintptr_t)b->type / 64 + b->n) % KINDS];
}

/* Adds a block of at least one element. */
static int add_block(struct type_builder *d, struct alike *kinds,
		     struct region_list *list, const struct type_block *block)
{
	struct alike *a = kind_of(kinds, block);
	struct region item;

	if ((a->low.n != block->n || a->low.type != block->type) &&
	    alike_begin(d, a, block))
		return no_memory();
	a->count++;
	if (block->at < a->low.at)
		a->low.at = block->at;
	if (block->at > a->high)
		a->high = block->at;
	item = a->region;
	item.at = (ptrdiff_t)((size_t)item.at + (size_t)block->at);
	list_add(list, &item);
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
	struct alike kinds[KINDS] = {{.count = 0}};
	struct region_list list;
	struct type_block block;
	int rc = 0, ended;

	type_builder_begin(d);
	list_begin(&list, n);
	for (size_t i = 0; i < n && !rc; i++) {
		rc = get(blocks, i, &block);
		if (!rc && block.n)
			rc = add_block(d, kinds, &list, &block);
	}
	for (int k = 0; k < KINDS; k++)
		alike_add(d, &kinds[k]);
	if (!rc)
		rc = compute_bounds(d);
	ended = list_end(&list, (size_t)d->type.true_extent, &d->type.region);
	if (rc)
		region_release(&d->type.region);
	else if (ended)
		rc = no_memory();
	return rc;
}

void builder_copy(struct type_builder *d, const struct mrt_type *old)
{
	type_builder_begin(d);
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
	r->taken = NULL;
	r->combiner = combiner;
	r->nvalues = nvalues;
	r->ntypes = ntypes;
	r->types = (struct mrt_type **)(r + 1);
	r->values = (ptrdiff_t *)(r->types + ntypes);
	return r;
}

struct type_contents *contents_of(enum mrt_combiner combiner, ptrdiff_t *values,
				  size_t nvalues, size_t ntypes)
{
	struct type_contents *r = contents_create(combiner, 0, ntypes);

	if (!r) {
		free(values);
		return NULL;
	}
	r->values = r->taken = values;
	r->nvalues = nvalues;
	return r;
}

void contents_destroy(struct type_contents *contents)
{
	if (contents)
		free(contents->taken);
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
