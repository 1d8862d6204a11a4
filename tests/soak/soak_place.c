/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_place.c makes types of a given size: plain bytes, pieces in any order
 * with gaps, vectors, or as many elements as fit of a random tree of
 * constructors (type_tree.h) followed by bytes.
 */
#include "tests/soak/soak_place.h"

#include <stdlib.h>
#include <string.h>

#include "tests/system/trial.h"
#include "tests/unit/p2p/type/type_tree.h"

/* mrt_alloc never gives memory back, so its maximum must be reached soon */
enum { PIECES = 12, FILL = 0x63, OURS_MAX = 1 << 16 };

/* ---- Shapes ----------------------------------------------------------------
 */

static void *room(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

static void add_run(struct shape *shape, ptrdiff_t at, size_t size)
{
	if (size)
		shape->runs[shape->n++] = (struct run){at, size};
}

static void make_bytes(struct shape *shape)
{
	shape->runs = room(1, sizeof(*shape->runs));
	add_run(shape, 0, shape->size);
	mrt_type_contiguous(shape->size, MRT_BYTE, &shape->type);
}

/* Draws pieces of random lengths; later ones lie in front or behind. */
static void make_pieces(struct shape *shape)
{
	size_t n = 1 + below(PIECES), left = shape->size, lengths[PIECES];
	ptrdiff_t displs[PIECES], low = 0, high = 0;

	shape->runs = room(PIECES, sizeof(*shape->runs));
	for (size_t i = 0; i < n; i++) {
		lengths[i] = i + 1 == n ? left : below(left + 1);
		left -= lengths[i];
		if (below(2)) {
			displs[i] = high + (ptrdiff_t)below(50);
		} else {
			displs[i] = low - (ptrdiff_t)(lengths[i] + below(50));
			low = displs[i];
		}
		if (displs[i] + (ptrdiff_t)lengths[i] > high)
			high = displs[i] + (ptrdiff_t)lengths[i];
		add_run(shape, displs[i], lengths[i]);
	}
	mrt_type_hindexed(n, lengths, displs, MRT_BYTE, &shape->type);
}

/* Draws blocks of 1 to 6 bytes: the size is a multiple of 6 or any small
 * number. */
static void make_vector(struct shape *shape)
{
	size_t block = shape->size % 6 ? 1 : 1 + below(3);
	size_t count = shape->size / block;
	ptrdiff_t stride = (ptrdiff_t)(block + below(9));

	if (below(4) == 0)
		stride = -stride;
	shape->runs = room(count, sizeof(*shape->runs));
	for (size_t i = 0; i < count; i++)
		add_run(shape, (ptrdiff_t)i * stride, block);
	mrt_type_hvector(count, block, stride, MRT_BYTE, &shape->type);
}

static bool overlaps(const struct map *map)
{
	for (size_t i = 0; i < map->n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct entry *a = &map->entry[i];
			const struct entry *b = &map->entry[k];

			if (a->at < b->at + (ptrdiff_t)b->size &&
			    b->at < a->at + (ptrdiff_t)a->size)
				return true;
		}
	return false;
}

/* Puts elements of the tree's type one after the other, by their true bounds,
 * and bytes for the rest; returns false if they do not fit. */
static bool make_tree(struct shape *shape)
{
	struct map *map;
	struct mrt_type *tree = tree_make((int)below(4), &map), *parts[2];
	size_t size = map_size(map), n, lengths[2];
	ptrdiff_t displs[2] = {0, 0}, low, extent;
	bool good = size && size <= shape->size && !overlaps(map);

	parts[1] = MRT_BYTE;
	if (good) {
		n = shape->size / size;
		map_true_bounds(map, &low, &extent);
		mrt_type_resized(tree, low, extent, &parts[0]);
		shape->runs = room(n * map->n + 1, sizeof(*shape->runs));
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < map->n; k++)
				add_run(shape,
					map->entry[k].at +
					    (ptrdiff_t)i * extent,
					map->entry[k].size);
		lengths[0] = n;
		lengths[1] = shape->size - n * size;
		displs[1] = low + (ptrdiff_t)n * extent;
		add_run(shape, displs[1], lengths[1]);
		mrt_type_struct(2, lengths, displs, parts, &shape->type);
		mrt_type_free(&parts[0]);
	}
	tree_free(tree);
	free(map);
	return good;
}

/* Places elements one behind the other, or in reverse, with or without a
 * gap. */
static void set_extent(struct shape *shape)
{
	struct mrt_type *old = shape->type;

	shape->low = shape->n ? shape->runs[0].at : 0;
	shape->high = shape->low;
	for (size_t i = 0; i < shape->n; i++) {
		const struct run *r = &shape->runs[i];

		if (r->at < shape->low)
			shape->low = r->at;
		if (r->at + (ptrdiff_t)r->size > shape->high)
			shape->high = r->at + (ptrdiff_t)r->size;
	}
	shape->extent =
	    shape->high - shape->low + (ptrdiff_t)(below(2) * below(40));
	if (below(6) == 0)
		shape->extent = -shape->extent;
	mrt_type_resized(old, shape->low, shape->extent, &shape->type);
	mrt_type_free(&old);
}

void shape_make(struct shape *shape, size_t size, uint64_t seed)
{
	size_t way;

	tree_seed = seed;
	*shape = (struct shape){.size = size};
	way = below(6);
	if (size == 0 || way < 2)
		make_bytes(shape);
	else if (way == 2)
		make_pieces(shape);
	else if (way == 3 && size < 40000)
		make_vector(shape);
	else if (size > 200000 || !make_tree(shape))
		make_pieces(shape);
	set_extent(shape);
	mrt_type_commit(shape->type);
}

void shape_free_type(struct shape *shape)
{
	mrt_type_free(&shape->type);
}

void shape_fini(struct shape *shape)
{
	free(shape->runs);
	shape->runs = NULL;
}

void shape_span(const struct shape *shape, size_t n, ptrdiff_t *low,
		ptrdiff_t *high)
{
	ptrdiff_t last = n ? (ptrdiff_t)(n - 1) * shape->extent : 0;

	*low = shape->low + (last < 0 ? last : 0);
	*high = n ? shape->high + (last > 0 ? last : 0) : *low;
}

/* ---- Places ----------------------------------------------------------------
 */

void place_make(struct place *place, ptrdiff_t low, ptrdiff_t high,
		uint64_t seed)
{
	void *memory;

	*place = (struct place){.low = low, .length = (size_t)(high - low)};
	place->ours = seed % 4 == 0 && place->length < OURS_MAX &&
		      mrt_alloc(place->length + 1, &memory) == 0;
	if (!place->ours)
		memory = room(place->length, 1);
	place->memory = memory;
	place->want = room(place->length, 1);
	memset(place->want, FILL, place->length);
	place_clear(place);
}

void place_fini(struct place *place)
{
	if (place->ours)
		mrt_free(place->memory);
	else
		free(place->memory);
	free(place->want);
}

void place_clear(struct place *place)
{
	memset(place->memory, FILL, place->length);
}

void *place_buffer(const struct place *place)
{
	return (void *)((uintptr_t)place->memory - (uintptr_t)place->low);
}

bool place_right(const struct place *place)
{
	return !memcmp(place->memory, place->want, place->length);
}

/* Byte i of a message depends on its key and on i. */
static void scatter(char *to, const struct shape *shape, size_t count,
		    uint64_t key)
{
	uint64_t word = 0;
	size_t at = 0;

	for (size_t c = 0; c < count; c++)
		for (size_t i = 0; i < shape->n; i++) {
			char *p = to + shape->runs[i].at +
				  (ptrdiff_t)c * shape->extent;

			for (size_t k = 0; k < shape->runs[i].size; k++) {
				if (at % 8 == 0)
					word = trial_hash(key, at / 8, 1);
				p[k] = (char)(word >> at++ % 8 * 8);
			}
		}
}

void place_expect(struct place *place, const struct shape *shape, ptrdiff_t at,
		  size_t count, uint64_t key)
{
	scatter(place->want + at - place->low, shape, count, key);
}

void place_put(struct place *place, const struct shape *shape, ptrdiff_t at,
	       size_t count, uint64_t key)
{
	scatter(place->memory + at - place->low, shape, count, key);
	place_expect(place, shape, at, count, key);
}
