/* SPDX-License-Identifier: Apache-2.0 */
/* type_tree.c: random types and their maps. */
#include "tests/unit/p2p/type/type_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local unsigned long tree_seed;

size_t below(size_t n)
{
	tree_seed = tree_seed * 6364136223846793005ul + 1442695040888963407ul;
	return (tree_seed >> 33) % n;
}

static ptrdiff_t between(int low, int high)
{
	return low + (ptrdiff_t)below((size_t)(high - low + 1));
}

/* ---- Maps ---------------------------------------------------------------- */

size_t map_size(const struct map *m)
{
	size_t size = 0;

	for (size_t i = 0; i < m->n; i++)
		size += m->entry[i].size;
	return size;
}

void map_true_bounds(const struct map *m, ptrdiff_t *lb, ptrdiff_t *extent)
{
	ptrdiff_t ub;

	*lb = *extent = 0;
	if (!m->n)
		return;
	*lb = ub = m->entry[0].at;
	for (size_t i = 0; i < m->n; i++) {
		ptrdiff_t end = m->entry[i].at + (ptrdiff_t)m->entry[i].size;

		if (m->entry[i].at < *lb)
			*lb = m->entry[i].at;
		if (end > ub)
			ub = end;
	}
	*extent = ub - *lb;
}

void map_bounds(const struct map *m, ptrdiff_t *lb, ptrdiff_t *extent)
{
	if (m->marked) {
		*lb = m->mark_lb;
		*extent = m->mark_ub - m->mark_lb;
		return;
	}
	*lb = m->n ? m->low : 0;
	*extent = m->n ? m->high - m->low : 0;
	while (m->n && *extent % (ptrdiff_t)m->align)
		++*extent;
}

static void mark(struct map *m, ptrdiff_t lb, ptrdiff_t ub)
{
	if (!m->marked || lb < m->mark_lb)
		m->mark_lb = lb;
	if (!m->marked || ub > m->mark_ub)
		m->mark_ub = ub;
	m->marked = true;
}

static ptrdiff_t extent_of(const struct map *m)
{
	ptrdiff_t lb, extent;

	map_bounds(m, &lb, &extent);
	return extent;
}

/* Room for n more of them. */
static bool fits(const struct map *m, const struct map *part, size_t n)
{
	return m->n + n * part->n <= MAP_MAX;
}

static void add(struct map *m, const struct map *part, ptrdiff_t at)
{
	ptrdiff_t lb, extent;

	map_bounds(part, &lb, &extent);
	if (part->n && (!m->n || at + lb < m->low))
		m->low = at + lb;
	if (part->n && (!m->n || at + lb + extent > m->high))
		m->high = at + lb + extent;
	for (size_t i = 0; i < part->n; i++) {
		m->entry[m->n] = part->entry[i];
		m->entry[m->n++].at += at;
	}
	if (part->marked)
		mark(m, at + part->mark_lb, at + part->mark_ub);
	if (part->align > m->align && (part->n || part->marked))
		m->align = part->align;
}

/* n of them, one after the other. */
static bool add_block(struct map *m, const struct map *part, ptrdiff_t at,
		      size_t n)
{
	if (!fits(m, part, n))
		return false;
	for (size_t i = 0; i < n; i++)
		add(m, part, at + (ptrdiff_t)i * extent_of(part));
	return true;
}

/* ---- Predefined types ---------------------------------------------------- */

static struct mrt_type *make_basic(struct map *m)
{
	static const struct {
		struct mrt_type *type;
		size_t size, align, second, second_at;
	} rows[] = {
	    {MRT_CHAR, 1, 1, 0, 0},
	    {MRT_SHORT, 2, 2, 0, 0},
	    {MRT_INT, 4, 4, 0, 0},
	    {MRT_DOUBLE, 8, 8, 0, 0},
	    {MRT_LONG_DOUBLE, 16, 16, 0, 0},
	    {MRT_INT, 4, 4, 0, 0},
	    {MRT_DOUBLE_COMPLEX, 16, 8, 0, 0},
	    {MRT_DOUBLE, 8, 8, 0, 0},
	    {MRT_SHORT_INT, 2, 4, 4, 4},
	    {MRT_DOUBLE_INT, 8, 8, 4, 8},
	    {MRT_2INT, 4, 4, 4, 4},
	    {MRT_LONG_DOUBLE_INT, 16, 16, 4, 16},
	    {MRT_INTEGER1, 1, 1, 0, 0},
	};
	size_t k = below(sizeof(rows) / sizeof(*rows));

	m->entry[m->n++] = (struct entry){0, rows[k].size};
	if (rows[k].second)
		m->entry[m->n++] = (struct entry){(ptrdiff_t)rows[k].second_at,
						  rows[k].second};
	m->align = rows[k].align;
	map_true_bounds(m, &m->low, &m->high);
	return rows[k].type;
}

/* ---- Constructors; each NULL if the map has no room ---------------------- */

static struct mrt_type *make_vector(struct map *m, struct mrt_type *old,
				    const struct map *part)
{
	size_t count = below(5), length = below(4);
	bool bytes = below(2);
	ptrdiff_t stride = bytes ? between(-80, 120) : between(-4, 7);
	ptrdiff_t step = bytes ? stride : stride * extent_of(part);
	struct mrt_type *t = NULL;

	for (size_t i = 0; i < count; i++)
		if (!add_block(m, part, (ptrdiff_t)i * step, length))
			return NULL;
	if (bytes)
		mrt_type_hvector(count, length, stride, old, &t);
	else
		mrt_type_vector(count, length, stride, old, &t);
	return t;
}

static struct mrt_type *make_contiguous(struct map *m, struct mrt_type *old,
					const struct map *part)
{
	size_t count = below(7);
	struct mrt_type *t = NULL;

	if (add_block(m, part, 0, count))
		mrt_type_contiguous(count, old, &t);
	return t;
}

static struct mrt_type *make_indexed(struct map *m, struct mrt_type *old,
				     const struct map *part)
{
	size_t count = below(below(4) ? 6 : BLOCKS), lengths[BLOCKS];
	ptrdiff_t displs[BLOCKS], at = between(-10, 10), step = between(-6, 9);
	int which = (int)below(4);
	bool even = which & 1, bytes = which & 2, regular = !below(3);
	struct mrt_type *t = NULL;

	for (size_t i = 0; i < count; i++) {
		ptrdiff_t unit = bytes ? 1 : extent_of(part);

		lengths[i] = even && i ? lengths[0] : below(4);
		displs[i] =
		    regular ? at + step * (ptrdiff_t)i : between(-40, 60);
		if (!add_block(m, part, displs[i] * unit, lengths[i]))
			return NULL;
	}
	if (which == 0)
		mrt_type_indexed(count, lengths, displs, old, &t);
	else if (which == 1)
		mrt_type_indexed_block(count, count ? lengths[0] : 1, displs,
				       old, &t);
	else if (which == 2)
		mrt_type_hindexed(count, lengths, displs, old, &t);
	else
		mrt_type_hindexed_block(count, count ? lengths[0] : 1, displs,
					old, &t);
	return t;
}

static struct mrt_type *make_resized(struct map *m, struct mrt_type *old,
				     const struct map *part)
{
	ptrdiff_t lb = between(-30, 30), extent = between(-40, 90);
	struct mrt_type *t = NULL;

	*m = *part;
	m->marked = false;
	mark(m, lb, lb + extent);
	mrt_type_resized(old, lb, extent, &t);
	return t;
}

static struct mrt_type *make_dup(struct map *m, struct mrt_type *old,
				 const struct map *part)
{
	struct mrt_type *t = NULL;

	*m = *part;
	mrt_type_dup(old, &t);
	return t;
}

/* The next tuple of indices below sizes; `fast` runs fastest, then the next
 * one in the direction `next`. */
static bool step_index(size_t *index, const size_t *sizes, int ndims,
		       enum mrt_order order)
{
	for (int k = 0; k < ndims; k++) {
		int i = order == MRT_ORDER_C ? ndims - 1 - k : k;

		if (++index[i] < sizes[i])
			return true;
		index[i] = 0;
	}
	return false;
}

static ptrdiff_t linear(const size_t *index, const size_t *sizes, int ndims,
			enum mrt_order order)
{
	size_t at = 0;

	for (int k = ndims - 1; k >= 0; k--) {
		int i = order == MRT_ORDER_C ? ndims - 1 - k : k;

		at = at * sizes[i] + index[i];
	}
	return (ptrdiff_t)at;
}

static void mark_array(struct map *m, const struct map *part,
		       const size_t *sizes, int ndims)
{
	ptrdiff_t all = extent_of(part);

	for (int i = 0; i < ndims; i++)
		all *= (ptrdiff_t)sizes[i];
	m->marked = false;
	mark(m, 0, all);
}

static struct mrt_type *make_subarray(struct map *m, struct mrt_type *old,
				      const struct map *part)
{
	int ndims = 1 + (int)below(DIMS);
	enum mrt_order order = below(2) ? MRT_ORDER_C : MRT_ORDER_FORTRAN;
	size_t sizes[DIMS], subsizes[DIMS], starts[DIMS], index[DIMS] = {0};
	struct mrt_type *t = NULL;

	for (int i = 0; i < ndims; i++) {
		sizes[i] = 1 + below(5);
		subsizes[i] = 1 + below(sizes[i]);
		starts[i] = below(sizes[i] - subsizes[i] + 1);
	}
	do {
		size_t where[DIMS];

		for (int i = 0; i < ndims; i++)
			where[i] = starts[i] + index[i];
		if (!add_block(m, part,
			       linear(where, sizes, ndims, order) *
				   extent_of(part),
			       1))
			return NULL;
	} while (step_index(index, subsizes, ndims, order));
	mark_array(m, part, sizes, ndims);
	mrt_type_subarray(ndims, sizes, subsizes, starts, order, old, &t);
	return t;
}

/* Who has an index of a dimension. */
static size_t owner(size_t index, size_t size, int distrib, int darg,
		    int processes)
{
	size_t block = (size_t)darg;

	if (distrib == MRT_DISTRIBUTE_NONE)
		return 0;
	if (darg == MRT_DISTRIBUTE_DFLT_DARG)
		block =
		    distrib == MRT_DISTRIBUTE_CYCLIC
			? 1
			: (size + (size_t)processes - 1) / (size_t)processes;
	return index / block % (size_t)processes;
}

static struct mrt_type *make_darray(struct map *m, struct mrt_type *old,
				    const struct map *part)
{
	int ndims = 1 + (int)below(DIMS), size = 1, rank;
	enum mrt_order order = below(2) ? MRT_ORDER_C : MRT_ORDER_FORTRAN;
	size_t gsizes[DIMS], index[DIMS] = {0}, coord[DIMS];
	int distribs[DIMS], dargs[DIMS], psizes[DIMS], left;
	struct mrt_type *t = NULL;

	for (int i = 0; i < ndims; i++) {
		gsizes[i] = 1 + below(7);
		distribs[i] = MRT_DISTRIBUTE_NONE + (int)below(3);
		psizes[i] =
		    distribs[i] == MRT_DISTRIBUTE_NONE ? 1 : 1 + (int)below(3);
		dargs[i] = MRT_DISTRIBUTE_DFLT_DARG;
		if (below(2) && distribs[i] == MRT_DISTRIBUTE_CYCLIC)
			dargs[i] = 1 + (int)below(4);
		else if (below(2) && distribs[i] == MRT_DISTRIBUTE_BLOCK)
			dargs[i] = (int)(gsizes[i] - 1) / psizes[i] + 1 +
				   (int)below(3);
		size *= psizes[i];
	}
	rank = left = (int)below((size_t)size);
	for (int i = ndims - 1; i >= 0; i--) {
		coord[i] = (size_t)(left % psizes[i]);
		left /= psizes[i];
	}
	do {
		bool mine = true;

		for (int i = 0; i < ndims; i++)
			mine = mine && owner(index[i], gsizes[i], distribs[i],
					     dargs[i], psizes[i]) == coord[i];
		if (mine && !add_block(m, part,
				       linear(index, gsizes, ndims, order) *
					   extent_of(part),
				       1))
			return NULL;
	} while (step_index(index, gsizes, ndims, order));
	mark_array(m, part, gsizes, ndims);
	mrt_type_darray(size, rank, ndims, gsizes, distribs, dargs, psizes,
			order, old, &t);
	return t;
}

static struct mrt_type *make_struct(struct map *m, int depth)
{
	size_t count = below(5), lengths[BLOCKS] = {0};
	ptrdiff_t displs[BLOCKS] = {0};
	struct mrt_type *types[BLOCKS] = {NULL}, *t = NULL;
	bool room = true;

	for (size_t i = 0; i < count; i++) {
		struct map *part;

		types[i] = tree_make(depth - 1, &part);
		lengths[i] = below(4);
		displs[i] = between(-60, 100);
		room = room && add_block(m, part, displs[i], lengths[i]);
		free(part);
	}
	if (room)
		mrt_type_struct(count, lengths, displs, types, &t);
	for (size_t i = 0; i < count; i++)
		tree_free(types[i]);
	return t;
}

/* ---- Trees --------------------------------------------------------------- */

void tree_free(struct mrt_type *type)
{
	enum mrt_combiner how;

	mrt_type_envelope(type, &how, NULL, NULL);
	if (how != MRT_COMBINER_NAMED)
		mrt_type_free(&type);
}

static struct map *new_map(void)
{
	struct map *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	m->align = 1;
	return m;
}

struct mrt_type *tree_make(int depth, struct map **map)
{
	static struct mrt_type *(*const makes[])(
	    struct map *, struct mrt_type *, const struct map *) = {
	    make_vector, make_contiguous, make_indexed, make_resized,
	    make_dup,	 make_subarray,	  make_darray,	make_indexed};
	struct mrt_type *t, *old;
	struct map *part;
	size_t k = below(sizeof(makes) / sizeof(*makes) + 2);

	*map = new_map();
	if (!depth || !below(8))
		return make_basic(*map);
	if (k >= sizeof(makes) / sizeof(*makes)) {
		t = make_struct(*map, depth);
	} else {
		old = tree_make(depth - 1, &part);
		t = makes[k](*map, old, part);
		tree_free(old);
		free(part);
	}
	if (t)
		return t;
	free(*map);
	*map = new_map();
	return make_basic(*map);
}
