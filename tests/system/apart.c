/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apart.c: memory that the library reaches by type_pack and type_unpack alone.
 * It has no access at other times, so whatever else loads from it, stores to
 * it, or gives it to the kernel or a fabric ends the program or its call.
 */
#include <sys/mman.h>

#include "p2p/type/layout.h"
#include "tests/system/api.h"

int me, np, api_failures;

enum {
	PIECES = 32, /* of 4 bytes, 4 bytes apart, in an element */
	PACKED = 4 * PIECES,
	EXTENT = 8 * PIECES,
	LONGEST = 1 << 13, /* elements, 1 MiB packed */
	ROOM = 4 * LONGEST,
	HOLE = 0x5e
};

static char *apart; /* ROOM elements */
static struct mrt_type *holes;
static const size_t counts[] = {1, 3, 40, 700, LONGEST};

static void allow(int access)
{
	CHECK(!mprotect(apart, (size_t)ROOM * EXTENT, access));
}

/* ---- The two functions that may ------------------------------------------ */

void __real_type_pack(const struct mrt_type *type, const void *buf, size_t at,
		      size_t len, void *out);
void __wrap_type_pack(const struct mrt_type *type, const void *buf, size_t at,
		      size_t len, void *out);
void __real_type_unpack(const struct mrt_type *type, void *buf, size_t at,
			size_t len, const void *in);
void __wrap_type_unpack(const struct mrt_type *type, void *buf, size_t at,
			size_t len, const void *in);

void __wrap_type_pack(const struct mrt_type *type, const void *buf, size_t at,
		      size_t len, void *out)
{
	allow(PROT_READ);
	__real_type_pack(type, buf, at, len, out);
	allow(PROT_NONE);
}

void __wrap_type_unpack(const struct mrt_type *type, void *buf, size_t at,
			size_t len, const void *in)
{
	allow(PROT_READ | PROT_WRITE);
	__real_type_unpack(type, buf, at, len, in);
	allow(PROT_NONE);
}

/* ---- Buffers ------------------------------------------------------------- */

static char *buffer(size_t at)
{
	return apart + at * EXTENT;
}

static int piece(int seed, size_t i)
{
	return seed * 1000003 + (int)i;
}

/* Writes n elements from the at-th on. */
static void fill(size_t at, size_t n, int seed)
{
	allow(PROT_READ | PROT_WRITE);
	memset(buffer(at), HOLE, n * EXTENT);
	for (size_t i = 0; seed && i < n * PIECES; i++)
		memcpy(buffer(at) + 8 * i, &(int){piece(seed, i)}, 4);
	allow(PROT_NONE);
}

/* Tells whether they are what fill(at, n, seed) writes. */
static bool filled(size_t at, size_t n, int seed)
{
	const char hole[4] = {HOLE, HOLE, HOLE, HOLE};
	bool good = true;

	allow(PROT_READ);
	for (size_t i = 0; i < n * PIECES; i++) {
		const char *p = buffer(at) + 8 * i;
		int want = piece(seed, i);

		good &= !memcmp(p, &want, 4) && !memcmp(p + 4, hole, 4);
	}
	allow(PROT_NONE);
	return good;
}

/* ---- Messages ------------------------------------------------------------ */

typedef int send_fn(size_t n, struct mrt_request **request);

static int send_plain(size_t n, struct mrt_request **request)
{
	return mrt_isend(buffer(0), n, holes, right_of(me), 1, W, request);
}

static int send_synchronous(size_t n, struct mrt_request **request)
{
	return mrt_issend(buffer(0), n, holes, right_of(me), 1, W, request);
}

static int send_persistent(size_t n, struct mrt_request **request)
{
	OK(mrt_send_init(buffer(0), n, holes, right_of(me), 1, W, request));
	return mrt_start(request);
}

/* Sends n elements around, received before or after they arrive. */
static void around(send_fn *send, size_t n, bool expected)
{
	struct mrt_request *requests[2];

	fill(0, n, me + 1);
	fill(LONGEST, n, 0);
	if (expected)
		OK(mrt_irecv(buffer(LONGEST), n, holes, left_of(me), 1, W,
			     &requests[0]));
	OK(mrt_barrier(W));
	OK(send(n, &requests[1]));
	if (!expected) {
		OK(mrt_probe(left_of(me), 1, W, MRT_STATUS_IGNORE));
		OK(mrt_irecv(buffer(LONGEST), n, holes, left_of(me), 1, W,
			     &requests[0]));
	}
	OK(mrt_waitall(2, requests, MRT_STATUSES_IGNORE));
	if (requests[1] != MRT_REQUEST_NULL)
		OK(mrt_request_free(&requests[1]));
	CHECK(filled(0, n, me + 1));
	CHECK(filled(LONGEST, n, left_of(me) + 1));
}

static void test_messages(void)
{
	send_fn *const ways[] = {send_plain, send_synchronous, send_persistent};

	for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
			around(ways[w], counts[i], true);
			around(ways[w], counts[i], false);
		}
}

static void test_sendrecv(void)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		fill(0, counts[i], me + 1);
		OK(mrt_sendrecv_replace(buffer(0), counts[i], holes,
					right_of(me), 1, left_of(me), 1, W,
					MRT_STATUS_IGNORE));
		CHECK(filled(0, counts[i], left_of(me) + 1));
	}
}

static void test_partitions(void)
{
	struct mrt_request *requests[2];

	fill(0, LONGEST, me + 1);
	fill(LONGEST, LONGEST, 0);
	OK(mrt_psend_init(buffer(0), 8, LONGEST / 8, holes, right_of(me), 1, W,
			  &requests[0]));
	OK(mrt_precv_init(buffer(LONGEST), 4, LONGEST / 4, holes, left_of(me),
			  1, W, &requests[1]));
	OK(mrt_startall(2, requests));
	OK(mrt_pready_range(0, 7, requests[0]));
	OK(mrt_waitall(2, requests, MRT_STATUSES_IGNORE));
	CHECK(filled(LONGEST, LONGEST, left_of(me) + 1));
	OK(mrt_request_free(&requests[0]));
	OK(mrt_request_free(&requests[1]));
}

/* ---- Collectives --------------------------------------------------------- */

static size_t block_of(size_t count)
{
	return count < LONGEST ? count : LONGEST / (size_t)np;
}

static void bcast(size_t n, struct mrt_request **request)
{
	fill(0, n, me ? 0 : 7);
	OK(mrt_ibcast(buffer(0), n, holes, 0, W, request));
}

static bool bcast_right(size_t n)
{
	return filled(0, n, 7);
}

static void gather(size_t n, struct mrt_request **request)
{
	fill(0, n, me + 1);
	fill(LONGEST, n * (size_t)np, 0);
	OK(mrt_iallgather(buffer(0), n, holes, buffer(LONGEST), n, holes, W,
			  request));
}

static bool gather_right(size_t n)
{
	bool good = true;

	for (int r = 0; r < np; r++)
		good &= filled(LONGEST + n * (size_t)r, n, r + 1);
	return good;
}

static void exchange(size_t n, struct mrt_request **request)
{
	for (int r = 0; r < np; r++)
		fill(n * (size_t)r, n, np * me + r + 1);
	fill(LONGEST, n * (size_t)np, 0);
	OK(mrt_ialltoall(buffer(0), n, holes, buffer(LONGEST), n, holes, W,
			 request));
}

static bool exchange_right(size_t n)
{
	bool good = true;

	for (int r = 0; r < np; r++)
		good &= filled(LONGEST + n * (size_t)r, n, np * r + me + 1);
	return good;
}

static void test_collectives(void)
{
	static const struct {
		void (*start)(size_t n, struct mrt_request **request);
		bool (*right)(size_t n);
	} calls[] = {{bcast, bcast_right},
		     {gather, gather_right},
		     {exchange, exchange_right}};

	for (size_t c = 0; c < sizeof(calls) / sizeof(*calls); c++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
			size_t n = block_of(counts[i]);
			struct mrt_request *request;

			calls[c].start(n, &request);
			OK(mrt_wait(&request, MRT_STATUS_IGNORE));
			CHECK(calls[c].right(n));
		}
}

/* ---- Windows: the memory of origins -------------------------------------- */

static void test_origins(void)
{
	struct mrt_target target = {right_of(me), 0, 0, MRT_BYTE};
	struct mrt_win *win;
	void *memory;

	OK(mrt_win_allocate((size_t)LONGEST * PACKED, 1, W, &memory, &win));
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		target.count = counts[i] * PACKED;
		fill(0, counts[i], me + 1);
		fill(LONGEST, counts[i], 0);
		OK(mrt_win_fence(0, win));
		OK(mrt_put(buffer(0), counts[i], holes, &target, win, NULL));
		OK(mrt_win_fence(0, win));
		OK(mrt_get(buffer(LONGEST), counts[i], holes, &target, win,
			   NULL));
		OK(mrt_win_fence(0, win));
		CHECK(filled(LONGEST, counts[i], me + 1));
	}
	OK(mrt_win_free(&win));
}

static const struct api_case cases[] = {
    {"messages", test_messages},
    {"a message in place of another", test_sendrecv},
    {"partitioned messages", test_partitions},
    {"collectives", test_collectives},
    {"origins of one-sided operations", test_origins},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	struct mrt_type *vector;

	apart = mmap(NULL, (size_t)ROOM * EXTENT, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(apart != MAP_FAILED);
	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	OK(mrt_type_vector(PIECES, 1, 2, MRT_INT, &vector));
	OK(mrt_type_resized(vector, 0, EXTENT, &holes));
	OK(mrt_type_commit(holes));
	api_run(cases);
	OK(mrt_type_free(&vector));
	OK(mrt_type_free(&holes));
	OK(mrt_finalize());
	return api_failures != 0;
}
