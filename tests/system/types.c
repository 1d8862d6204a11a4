/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c sends messages of elements of random types
 * (tests/unit/p2p/type/type_tree.h) around a ring of ranks.
 *
 *   types [--seed S] [--seeds K] [--rounds N]
 *
 * All ranks draw the same: the types of a round, the number of elements, and
 * how each is sent and received: as elements or as plain bytes, blocking or
 * not, posted before or after. A packed byte depends on the round, the sender
 * and its place alone. Types are freed while requests are under way. Rank 0
 * prints a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/storm.h"
#include "tests/unit/p2p/type/type_tree.h"

#define W MRT_COMM_WORLD
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition) && failures++ < 5)                            \
			fprintf(stderr, "rank %d, seed %lu: %s:%d: %s\n", me,  \
				round_seed, __FILE__, __LINE__, #condition);   \
	} while (0)

static int me, np, failures;
static unsigned long round_seed;

static char pattern(int rank, size_t i)
{
	return (char)(i * 7 + (i >> 8) * 11 + (i >> 16) * 5 +
		      (size_t)rank * 31 + round_seed * 17);
}

/* ---- Elements in memory -------------------------------------------------- */

struct data {
	struct mrt_type *type;
	struct map *map;
	size_t count, bytes;
	char *memory, *shadow; /* memory that the elements reach, and its
				  expected contents */
	size_t length;
	ptrdiff_t low; /* offset of the first byte of memory from the buffer */
};

/* Calls a function for each run of bytes, with packed place, offset in memory
 * and length. */
static void each_entry(const struct data *d,
		       void (*call)(const struct data *d, size_t at, size_t off,
				    size_t len, int rank),
		       int rank)
{
	ptrdiff_t lb, extent;
	size_t at = 0;

	map_bounds(d->map, &lb, &extent);
	for (size_t c = 0; c < d->count; c++)
		for (size_t i = 0; i < d->map->n; i++) {
			const struct entry *e = &d->map->entry[i];

			call(d, at,
			     (size_t)(e->at - d->low + (ptrdiff_t)c * extent),
			     e->size, rank);
			at += e->size;
		}
}

static void fill_entry(const struct data *d, size_t at, size_t off, size_t len,
		       int rank)
{
	for (size_t i = 0; i < len; i++)
		d->memory[off + i] = pattern(rank, at + i);
}

/* The number of bytes that arrive, for the expected contents after a
 * receive. */
static size_t arrived;

static void expect_entry(const struct data *d, size_t at, size_t off,
			 size_t len, int rank)
{
	for (size_t i = 0; i < len && at + i < arrived; i++)
		d->shadow[off + i] = pattern(rank, at + i);
}

static bool overlaps;

static void mark_entry(const struct data *d, size_t at, size_t off, size_t len,
		       int rank)
{
	for (size_t i = 0; i < len; i++)
		overlaps = overlaps || d->memory[off + i]++;
}

/* Sets the memory that the elements reach. */
static void measure(struct data *d)
{
	ptrdiff_t lb, extent, high;

	map_bounds(d->map, &lb, &extent);
	map_true_bounds(d->map, &d->low, &high);
	high += d->low;
	if (d->count && extent < 0)
		d->low += (ptrdiff_t)(d->count - 1) * extent;
	else if (d->count)
		high += (ptrdiff_t)(d->count - 1) * extent;
	d->length = (size_t)(high - d->low) + 1;
}

/* Draws large counts now and then, so that all protocols occur, but no elements
 * that are far apart and many: to fill the memory between them takes seconds.
 */
static void draw(struct data *d)
{
	static const size_t bytes[] = {8,     64,     600,     3000,
				       20000, 100000, 1500000, 4000000};
	enum { LENGTH_MAX = 64 << 20 };
	size_t most;
	bool unfit;

	do {
		d->type = tree_make((int)below(4), &d->map);
		most = bytes[below(8)];
		if (!map_size(d->map)) {
			d->count = below(3);
		} else {
			d->count = most / map_size(d->map);
			d->count = d->count ? d->count : 1;
		}
		d->bytes = d->count * map_size(d->map);
		measure(d);
		unfit = d->length > LENGTH_MAX;
		d->memory = unfit ? NULL : calloc(1, d->length);
		d->shadow = unfit ? NULL : malloc(d->length);
		if (!unfit) {
			overlaps = false;
			each_entry(d, mark_entry, 0);
			unfit = overlaps;
		}
		if (unfit) {
			tree_free(d->type);
			free(d->map);
			free(d->memory);
			free(d->shadow);
		}
	} while (unfit);
	mrt_type_commit(d->type);
	memset(d->memory, 99, d->length);
	memset(d->shadow, 99, d->length);
}

static void end(struct data *d)
{
	free(d->map);
	free(d->memory);
	free(d->shadow);
}

static void *buffer(const struct data *d)
{
	return (void *)((uintptr_t)d->memory - (uintptr_t)d->low);
}

/* ---- Rounds -------------------------------------------------------------- */

enum { SEND, ISEND, SSEND, ISSEND, SENDRECV, WAYS };

/* Makes d describe its packed data as plain bytes. */
static void as_bytes(struct data *d, size_t bytes, int rank, bool fill)
{
	tree_free(d->type);
	free(d->map);
	free(d->memory);
	free(d->shadow);
	d->type = MRT_BYTE;
	d->map = calloc(1, sizeof(*d->map));
	d->map->n = 1;
	d->map->align = d->map->high = 1;
	d->map->entry[0].size = 1;
	d->count = d->bytes = bytes;
	d->low = 0;
	d->length = bytes + 1;
	d->memory = malloc(d->length);
	d->shadow = malloc(d->length);
	memset(d->memory, 99, d->length);
	memset(d->shadow, 99, d->length);
	if (fill)
		each_entry(d, fill_entry, rank);
}

static int send_one(const struct data *d, int way, int to,
		    struct mrt_request **r)
{
	*r = MRT_REQUEST_NULL;
	switch (way) {
	case SEND:
		return mrt_send(buffer(d), d->count, d->type, to, 5, W);
	case SSEND:
		return mrt_ssend(buffer(d), d->count, d->type, to, 5, W);
	case ISSEND:
		return mrt_issend(buffer(d), d->count, d->type, to, 5, W, r);
	default:
		return mrt_isend(buffer(d), d->count, d->type, to, 5, W, r);
	}
}

static void check_received(struct data *in, size_t sent, int from, int rc,
			   const struct mrt_status *status)
{
	arrived = sent < in->bytes ? sent : in->bytes;
	each_entry(in, expect_entry, from);
	CHECK(rc == (sent > in->bytes ? MRT_ERR_TRUNCATE : 0));
	CHECK(status->bytes == sent);
	CHECK(status->source == from);
	CHECK(!memcmp(in->memory, in->shadow, in->length));
}

static void exchange(struct data *out, struct data *in, int way, bool posted)
{
	int to = (me + 1) % np, from = (me + np - 1) % np, rc = 0;
	size_t sent = out->bytes;
	struct mrt_request *s = MRT_REQUEST_NULL, *r = MRT_REQUEST_NULL;
	struct mrt_status status = {.source = -9};

	if (way == SENDRECV) {
		rc = mrt_sendrecv(buffer(out), out->count, out->type, to, 5,
				  buffer(in), in->count, in->type, from, 5, W,
				  &status);
		check_received(in, sent, from, rc, &status);
		tree_free(out->type);
		tree_free(in->type);
		return;
	}
	if (!posted) {
		way = way == SSEND ? ISSEND : way == SEND ? ISEND : way;
		CHECK(!send_one(out, way, to, &s));
		rc = mrt_recv(buffer(in), in->count, in->type, from, 5, W,
			      &status);
		tree_free(in->type);
		tree_free(out->type);
	} else {
		CHECK(!mrt_irecv(buffer(in), in->count, in->type, from, 5, W,
				 &r));
		tree_free(in->type); /* the type is still in use */
		CHECK(!send_one(out, way, to, &s));
		tree_free(out->type);
		rc = mrt_wait(&r, &status);
	}
	CHECK(!mrt_wait(&s, MRT_STATUS_IGNORE));
	check_received(in, sent, from, rc, &status);
}

static void play(unsigned long seed)
{
	struct data out, in;
	int way, shape;
	bool posted;
	size_t room;

	tree_seed = round_seed = seed;
	draw(&out);
	draw(&in);
	way = (int)below(WAYS);
	posted = below(2);
	shape = (int)below(3);
	each_entry(&out, fill_entry, me);
	if (shape == 0)
		as_bytes(&out, in.bytes + (below(4) ? 0 : below(40)), me, true);
	room = out.bytes + (below(3) ? 0 : below(30));
	if (shape == 1)
		as_bytes(&in, room, me, false);
	exchange(&out, &in, way, posted);
	end(&out);
	end(&in);
}

/* ---- What is wrong, and corners ------------------------------------------ */

static void result(const char *name)
{
	int all = 0;

	mrt_allreduce(&failures, &all, 1, MRT_INT, MRT_SUM, W);
	if (!me)
		printf("%sok - %s\n", all ? "not " : "", name);
	failures = all;
}

static void test_wrong(void)
{
	struct mrt_type *t;
	int x[4] = {1, 2, 3, 4};

	mrt_type_vector(2, 1, 2, MRT_INT, &t);
	CHECK(mrt_send(x, 1, t, me, 0, W) == MRT_ERR_TYPE);
	CHECK(mrt_recv(x, 1, t, me, 0, W, NULL) == MRT_ERR_TYPE);
	mrt_type_commit(t);
	CHECK(mrt_send(NULL, 1, t, me, 0, W) == MRT_ERR_BUFFER);
	CHECK(mrt_send(x, (size_t)-1, t, me, 0, W) == MRT_ERR_COUNT);
	CHECK(mrt_send(x, 1, t, np, 0, W) == MRT_ERR_RANK);
	CHECK(mrt_send(x, 1, t, MRT_ANY_SOURCE, 0, W) == MRT_ERR_RANK);
	CHECK(mrt_send(x, 1, t, me, -3, W) == MRT_ERR_TAG);
	CHECK(!mrt_send(x, 1, t, MRT_PROC_NULL, 0, W));
	CHECK(mrt_send(NULL, 1, MRT_INT, me, 0, W) == MRT_ERR_BUFFER);
	mrt_type_free(&t);
	result("wrong arguments");
}

/* Absolute addresses, and data that do not start at the beginning of an
 * element. */
static void test_bottom(void)
{
	struct mrt_type *types[2] = {MRT_INT, MRT_DOUBLE}, *t;
	const size_t lengths[2] = {1, 1};
	struct mrt_request *r;
	int a = 7, i = 0;
	double b = 2.5, d = 0;
	ptrdiff_t at[2] = {(ptrdiff_t)&a, (ptrdiff_t)&b};
	char packed[12];

	mrt_type_struct(2, lengths, at, types, &t);
	mrt_type_commit(t);
	CHECK(!mrt_irecv(packed, 12, MRT_BYTE, me, 0, W, &r));
	CHECK(!mrt_send(NULL, 1, t, me, 0, W));
	CHECK(!mrt_wait(&r, NULL));
	memcpy(&i, packed, sizeof(i));
	memcpy(&d, packed + 4, sizeof(d));
	CHECK(i == 7 && d == 2.5);
	a = 0;
	b = 0;
	CHECK(!mrt_irecv(NULL, 1, t, MRT_ANY_SOURCE, MRT_ANY_TAG, MRT_COMM_SELF,
			 &r));
	CHECK(!mrt_send(packed, 12, MRT_BYTE, 0, 3, MRT_COMM_SELF));
	CHECK(!mrt_wait(&r, NULL));
	CHECK(a == 7 && b == 2.5);
	mrt_type_free(&t);
	result("absolute addresses");
}

static void test_cancel(void)
{
	struct mrt_status status;
	struct mrt_request *r;
	struct mrt_type *t;
	int x[8];

	mrt_type_vector(4, 1, 2, MRT_INT, &t);
	mrt_type_commit(t);
	CHECK(!mrt_irecv(x, 1, t, me, 77, W, &r));
	mrt_type_free(&t);
	CHECK(!mrt_cancel(&r));
	CHECK(!mrt_wait(&r, &status));
	CHECK(status.cancelled == 1);
	result("a receive that is cancelled");
}

static unsigned long option(int argc, char **argv, const char *name,
			    unsigned long otherwise)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return strtoul(argv[i + 1], NULL, 10);
	return otherwise;
}

int main(int argc, char **argv)
{
	unsigned long seeds = option(argc, argv, "--seeds", 1);
	unsigned long first = option(argc, argv, "--seed", 1);
	unsigned long rounds = option(argc, argv, "--rounds", 100);

	mrt_init(&argc, &argv);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	me = mrt_rank(W);
	np = mrt_size(W);
	test_wrong();
	test_bottom();
	test_cancel();
	for (unsigned long seed = first; seed < first + seeds; seed++) {
		if (storm_reseed)
			storm_reseed(seed);
		for (unsigned long round = 0; round < rounds; round++)
			play(seed * 100000 + round);
	}
	result("random types");
	mrt_finalize();
	return failures != 0;
}
