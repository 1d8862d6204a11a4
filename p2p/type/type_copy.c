/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_copy.c: copies many runs in loops for each length. A run of up to 64
 * bytes is one, two or four loads and stores of constant length, which overlap
 * if its length is not a power of two; longer ones are calls of memcpy.
 */
#include "p2p/type/type_copy.h"
#include "runtime/base/copy.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* The way to copy a run: one word of so many bytes, two that may overlap, four
 * of 16 bytes, or memcpy. */
enum { ONE, TWO, FOUR, CALL };

INLINE void copy_run(char *to, const char *from, size_t len, int way,
		     size_t word)
{
	if (way == CALL) {
		copy_bytes(to, from, len);
		return;
	}
	memcpy(to, from, word);
	if (way == FOUR) {
		memcpy(to + word, from + word, word);
		memcpy(to + len - 2 * word, from + len - 2 * word, word);
	}
	if (way != ONE)
		memcpy(to + len - word, from + len - word, word);
}

/* Runs lie in a regular series, or one side of them is listed. */
enum places { SERIES, GATHER, SCATTER };

/* n runs of one length. */
struct job {
	struct run_series to, from;
	const ptrdiff_t *at; /* GATHER: from from.at; SCATTER: from to.at */
	size_t n;
};

INLINE void copy_runs(const struct job *j, enum places places, size_t len,
		      int way, size_t word)
{
	uintptr_t to = j->to.at, from = j->from.at;

#pragma GCC unroll 4
	for (size_t i = 0; i < j->n; i++) {
		uintptr_t at = places == SERIES ? 0 : (uintptr_t)j->at[i];

		copy_run((char *)(places == SCATTER ? to + at : to),
			 (const char *)(places == GATHER ? from + at : from),
			 len, way, word);
		if (places != SCATTER)
			to += (uintptr_t)j->to.step;
		if (places != GATHER)
			from += (uintptr_t)j->from.step;
	}
}

/* Copies long runs. Not inlined, so that loops without calls need no frame. */
static __attribute__((noinline)) void call_runs(struct job j,
						enum places places, size_t len)
{
	if (places == SERIES)
		copy_runs(&j, SERIES, len, CALL, 0);
	else if (places == GATHER)
		copy_runs(&j, GATHER, len, CALL, 0);
	else
		copy_runs(&j, SCATTER, len, CALL, 0);
}

/* Copies runs in the way of their length; inlined into each caller, whose loops
 * it makes. */
INLINE void copy_job(const struct job *j, enum places places, size_t len)
{
	if (len == 8)
		copy_runs(j, places, 8, ONE, 8);
	else if (len == 4)
		copy_runs(j, places, 4, ONE, 4);
	else if (len == 16)
		copy_runs(j, places, 16, ONE, 16);
	else if (len > 64)
		call_runs(*j, places, len);
	else if (len > 32)
		copy_runs(j, places, len, FOUR, 16);
	else if (len > 16)
		copy_runs(j, places, len, TWO, 16);
	else if (len > 8)
		copy_runs(j, places, len, TWO, 8);
	else if (len > 4)
		copy_runs(j, places, len, TWO, 4);
	else if (len > 1)
		copy_runs(j, places, len, TWO, 2);
	else
		copy_runs(j, places, 1, ONE, 1);
}

void copy_series(struct run_series to, struct run_series from, size_t len,
		 size_t n)
{
	copy_job(&(struct job){to, from, NULL, n}, SERIES, len);
}

void copy_gather(char *packed, uintptr_t base, const ptrdiff_t at[], size_t len,
		 size_t n)
{
	struct run_series to = {(uintptr_t)packed, (ptrdiff_t)len};

	copy_job(&(struct job){to, {base, 0}, at, n}, GATHER, len);
}

void copy_scatter(const char *packed, uintptr_t base, const ptrdiff_t at[],
		  size_t len, size_t n)
{
	struct run_series from = {(uintptr_t)packed, (ptrdiff_t)len};

	copy_job(&(struct job){{base, 0}, from, at, n}, SCATTER, len);
}

/* ---- Runs of different lengths ------------------------------------------- */

INLINE void copy_any(char *to, const char *from, size_t len)
{
	if (len > 64)
		copy_run(to, from, len, CALL, 0);
	else if (len > 32)
		copy_run(to, from, len, FOUR, 16);
	else if (len >= 16)
		copy_run(to, from, len, TWO, 16);
	else if (len >= 8)
		copy_run(to, from, len, TWO, 8);
	else if (len >= 4)
		copy_run(to, from, len, TWO, 4);
	else if (len >= 2)
		copy_run(to, from, len, TWO, 2);
	else
		*to = *from;
}

void copy_gather_uneven(char *packed, uintptr_t base, const ptrdiff_t at[],
			const size_t start[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		copy_any(packed + (start[i] - start[0]),
			 (const char *)(base + (uintptr_t)at[i]),
			 start[i + 1] - start[i]);
}

void copy_scatter_uneven(const char *packed, uintptr_t base,
			 const ptrdiff_t at[], const size_t start[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		copy_any((char *)(base + (uintptr_t)at[i]),
			 packed + (start[i] - start[0]),
			 start[i + 1] - start[i]);
}
