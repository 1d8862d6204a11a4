/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_place.h: memory for elements of a random type, and what must be in it.
 * Types are drawn by size, so that both ends of a message agree in bytes and in
 * nothing else.
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

/* A type and where its bytes are, in order. */
struct shape {
	struct mrt_type *type;
	struct run *runs;
	size_t n, size;
	ptrdiff_t extent;
	ptrdiff_t low, high; /* what one element reaches */
};

/* A committed type of so many bytes, whose elements do not overlap. */
void shape_make(struct shape *shape, size_t size, uint64_t seed);
/* The type alone; requests may be using it still. */
void shape_free_type(struct shape *shape);
void shape_fini(struct shape *shape);

struct place {
	char *memory, *want; /* what is there, and what must be */
	ptrdiff_t low;	     /* where memory begins, from the buffer */
	size_t length;
	bool ours; /* of mrt_alloc */
};

/* Memory from low to high of a buffer, full of a pattern. */
void place_make(struct place *place, ptrdiff_t low, ptrdiff_t high,
		uint64_t seed);
void place_fini(struct place *place);
/* The pattern again; for another use of a persistent request. */
void place_clear(struct place *place);
/* The address that the calls get. */
void *place_buffer(const struct place *place);
/* Everything is as it must be, gaps too. */
bool place_right(const struct place *place);

/* Puts the bytes of the message `key` into count elements of which the first
 * is `at` bytes from the buffer; also into what must be, or there alone. */
void place_put(struct place *place, const struct shape *shape, ptrdiff_t at,
	       size_t count, uint64_t key);
void place_expect(struct place *place, const struct shape *shape, ptrdiff_t at,
		  size_t count, uint64_t key);

/* The lowest and the highest byte of n elements from the buffer on. */
void shape_span(const struct shape *shape, size_t n, ptrdiff_t *low,
		ptrdiff_t *high);
#endif
