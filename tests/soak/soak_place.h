/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_place.h has memory for elements of a random type, and its expected
 * contents. Types are drawn by size, so that both ends of a message agree in
 * bytes and in nothing else.
 */
#ifndef TESTS_SOAK_PLACE_H
#define TESTS_SOAK_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mrt_lib.h>

struct run {
	ptrdiff_t at;
	size_t size;
};

/* A struct shape is a type and where its bytes are, in order. */
struct shape {
	struct mrt_type *type;
	struct run *runs;
	size_t n, size;
	ptrdiff_t extent;
	ptrdiff_t low, high; /* bounds of one element */
};

/* Makes a committed type of so many bytes, whose elements do not overlap. */
void shape_make(struct shape *shape, size_t size, uint64_t seed);
/* Frees the type alone; requests may still be using it. */
void shape_free_type(struct shape *shape);
void shape_fini(struct shape *shape);

struct place {
	char *memory, *want; /* actual and expected contents */
	ptrdiff_t low;	     /* offset of memory from the buffer */
	size_t length;
	bool ours; /* allocated by mrt_alloc */
};

/* Makes memory from low to high of a buffer, filled with a pattern. */
void place_make(struct place *place, ptrdiff_t low, ptrdiff_t high,
		uint64_t seed);
void place_fini(struct place *place);
/* Restores the pattern, for another use of a persistent request. */
void place_clear(struct place *place);
/* Returns the address to pass to calls. */
void *place_buffer(const struct place *place);
/* Returns whether all bytes are as expected, gaps too. */
bool place_right(const struct place *place);

/* Puts the bytes of the message `key` into count elements, the first of which
 * is `at` bytes from the buffer: into memory and the expected contents, or
 * into the latter alone. */
void place_put(struct place *place, const struct shape *shape, ptrdiff_t at,
	       size_t count, uint64_t key);
void place_expect(struct place *place, const struct shape *shape, ptrdiff_t at,
		  size_t count, uint64_t key);

/* Returns the lowest and the highest byte of n elements, relative to the
 * buffer. */
void shape_span(const struct shape *shape, size_t n, ptrdiff_t *low,
		ptrdiff_t *high);
#endif
