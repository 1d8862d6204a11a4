/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_pack.c: packs and unpacks elements of the shapes for which type_pack.c
 * has loops, byte by byte compared with their displacements: runs of every
 * short length, at equal and at other distances, and small elements that are
 * copied run by run. Memory ends with the data, so that AddressSanitizer sees
 * what is read or written beyond.
 */
#include "p2p/type/datatype.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/p2p/type/type_tree.h"

enum { RUNS = 20, LENGTH_MAX = 70, RANGES = 8, ALL_RANGES = 12 };

static int wrong;

/* The runs of an element, in order, and the distance of elements. */
struct shape {
	size_t n, len[RUNS];
	ptrdiff_t at[RUNS], extent;
};

static struct mrt_type *make(const struct shape *s)
{
	struct mrt_type *runs, *type;

	mrt_type_hindexed(s->n, s->len, s->at, MRT_BYTE, &runs);
	mrt_type_resized(runs, 0, s->extent, &type);
	mrt_type_free(&runs);
	mrt_type_commit(type);
	return type;
}

static size_t width(const struct shape *s)
{
	ptrdiff_t low = PTRDIFF_MAX, high = PTRDIFF_MIN;

	for (size_t i = 0; i < s->n; i++) {
		ptrdiff_t end = s->at[i] + (ptrdiff_t)s->len[i];

		low = s->at[i] < low ? s->at[i] : low;
		high = end > high ? end : high;
	}
	return (size_t)(high - low);
}

/* ---- Memory -------------------------------------------------------------- */

/* Elements in memory: place[k] is that of packed byte k. */
struct area {
	const struct mrt_type *type;
	char *memory, *buf;
	size_t length, bytes, *place;
};

static void fill(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)below(256);
}

static struct area lay_out(const struct shape *s, size_t count)
{
	struct area a = {.bytes = 0};
	ptrdiff_t low = 0, high = 0, *at;
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++)
		a.bytes += count * s->len[i];
	at = malloc((a.bytes + 1) * sizeof(*at));
	for (size_t c = 0; c < count; c++)
		for (size_t i = 0; i < s->n; i++)
			for (size_t j = 0; j < s->len[i]; j++)
				at[k++] = (ptrdiff_t)c * s->extent + s->at[i] +
					  (ptrdiff_t)j;
	for (size_t i = 0; i < a.bytes; i++) {
		low = i && low < at[i] ? low : at[i];
		high = i && high > at[i] ? high : at[i];
	}
	a.length = a.bytes ? (size_t)(high - low + 1) : 0;
	a.place = malloc((a.bytes + 1) * sizeof(*a.place));
	for (size_t i = 0; i < a.bytes; i++)
		a.place[i] = (size_t)(at[i] - low);
	a.memory = malloc(a.length ? a.length : 1);
	a.buf = (char *)((uintptr_t)a.memory - (uintptr_t)low);
	fill(a.memory, a.length);
	free(at);
	return a;
}

/* Packs a range, and unpacks other data there. Of bytes that overlap the last
 * one stays. */
static void check_range(struct area *a, size_t at, size_t len)
{
	char *packed = malloc(len ? len : 1);
	char *want = malloc(a->length ? a->length : 1);
	bool good = true;

	type_pack(a->type, a->buf, at, len, packed);
	for (size_t i = 0; i < len; i++)
		good = good && packed[i] == a->memory[a->place[at + i]];
	memcpy(want, a->memory, a->length);
	fill(packed, len);
	for (size_t i = 0; i < len; i++)
		want[a->place[at + i]] = packed[i];
	type_unpack(a->type, a->buf, at, len, packed);
	wrong += !good || memcmp(want, a->memory, a->length) != 0;
	free(packed);
	free(want);
}

static void check_ranges(struct area *a)
{
	check_range(a, 0, a->bytes);
	for (int i = 0; i < RANGES && a->bytes; i++) {
		size_t at = below(a->bytes);

		check_range(a, at, below(a->bytes - at + 1));
	}
	if (a->bytes > ALL_RANGES)
		return;
	for (size_t at = 0; at < a->bytes; at++)
		for (size_t len = 0; at + len <= a->bytes; len++)
			check_range(a, at, len);
}

static void check(const struct shape *s, size_t count)
{
	struct mrt_type *type = make(s);
	struct area a = lay_out(s, count);

	a.type = type_get(type);
	check_ranges(&a);
	free(a.place);
	free(a.memory);
	mrt_type_free(&type);
}

/* ---- Shapes -------------------------------------------------------------- */

/* n runs of len bytes, `stride` apart, every other one `shift` further. */
static struct shape runs(size_t n, size_t len, ptrdiff_t stride,
			 ptrdiff_t shift)
{
	struct shape s = {.n = n};

	for (size_t i = 0; i < n; i++) {
		s.len[i] = len;
		s.at[i] = (ptrdiff_t)i * stride + (ptrdiff_t)(i % 2) * shift;
	}
	s.extent = (ptrdiff_t)width(&s);
	return s;
}

static void lengths(ptrdiff_t shift, const char *what)
{
	wrong = 0;
	for (size_t len = 1; len <= LENGTH_MAX; len++)
		for (size_t n = 1; n < 11; n++) {
			ptrdiff_t gap = (ptrdiff_t)len + 3;
			struct shape apart = runs(n, len, gap, shift),
				     back = runs(n, len, -gap, shift),
				     close = runs(n, len, gap / 2, shift);

			check(&apart, 1);
			check(&back, 2);
			check(&close, 1);
		}
	ok(!wrong, "runs of 1 to %d bytes, %s", LENGTH_MAX, what);
}

/* Draws runs of any lengths, some empty, with gaps, in a random order. */
static struct shape draw(size_t n)
{
	struct shape s = {.n = n};
	ptrdiff_t end = -20;

	for (size_t i = 0; i < n; i++) {
		s.len[i] = below(5) ? 1 + below(below(4) ? 20 : LENGTH_MAX) : 0;
		s.at[i] = end + (ptrdiff_t)below(9);
		end = s.at[i] + (ptrdiff_t)s.len[i];
	}
	for (size_t i = n; below(2) && i > 1; i--) {
		size_t k = below(i), len = s.len[k];
		ptrdiff_t at = s.at[k];

		s.len[k] = s.len[i - 1];
		s.at[k] = s.at[i - 1];
		s.len[i - 1] = len;
		s.at[i - 1] = at;
	}
	return s;
}

static void elements(size_t count)
{
	static const ptrdiff_t more[] = {0, 1, 7, 3000, -1, -6};

	wrong = 0;
	for (int i = 0; i < 300; i++) {
		struct shape s = draw(1 + below(i % 2 ? RUNS : 4));
		ptrdiff_t extent = (ptrdiff_t)width(&s) + more[i % 6];

		s.extent = i / 6 % 2 ? extent : -extent;
		check(&s, count);
	}
	ok(!wrong, "%zu elements of several runs", count);
}

static void vectors(void)
{
	wrong = 0;
	for (size_t len = 1; len <= LENGTH_MAX; len++)
		for (size_t n = 2; n < 6; n++)
			for (ptrdiff_t sign = -1; sign < 2; sign += 2) {
				ptrdiff_t gap = (ptrdiff_t)len + 2;
				struct shape s = runs(n, len, sign * gap, 0);

				s.extent += 5;
				check(&s, 9);
				s.extent = -s.extent;
				check(&s, 9);
				s.extent = gap / 2; /* they overlap */
				check(&s, 9);
			}
	ok(!wrong, "elements of short vectors");
}

int main(void)
{
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	tree_seed = 1;
	lengths(0, "regular");
	lengths(2, "listed");
	elements(1);
	elements(2);
	elements(30);
	elements(700);
	vectors();
	return tap_done();
}
