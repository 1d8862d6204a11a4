/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.c sends messages of many pieces (mrt_sendv, mrt_isendv).
 *
 *   gather [--seed S] [--seeds K] [--rounds N]
 *
 * Every rank derives the whole round from seed and round: who sends which
 * pieces of its memory to whom. A receiver therefore knows every byte that must
 * come. After each send its list is overwritten, and at the end of a round the
 * memory, so that a late access to either is found. The memory has a hole,
 * which no registration can cover. Rank 0 prints a line per case.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/system/storm.h"

enum {
	HALF = 1 << 19, /* bytes before the hole, and as many after it */
	HOLE = 1 << 16,
	PIECES_MAX = 700,
	BURST = 5 /* messages that a rank sends in a round */
};

struct piece {
	unsigned at, len; /* in the sender's memory */
};

struct message {
	int src, dst, tag, n;
	size_t bytes, room;
	struct piece pieces[PIECES_MAX];
	/* The members below are the receiver's. */
	char *buf;
	struct mrt_request *request;
};

static int me, np, failures;
static char *memory;
static struct message *messages; /* [np * BURST], all messages of the round */

#define W MRT_COMM_WORLD
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			failures++;                                            \
			fprintf(stderr, "rank %d: %s:%d: %s\n", me, __FILE__,  \
				__LINE__, #condition);                         \
		}                                                              \
	} while (0)

static char pattern(uint64_t salt, int rank, size_t at)
{
	return (char)(at * 7 + (at >> 8) * 11 + (at >> 16) * 5 +
		      (size_t)rank * 31 + salt * 17);
}

static void fill_memory(uint64_t salt)
{
	for (size_t i = 0; i < 2 * HALF + HOLE; i++)
		if (i < HALF || i >= HALF + HOLE)
			memory[i] = pattern(salt, me, i);
}

/* ---- drawing ---------------------------------------------------------- */

static struct piece draw_piece(uint64_t *rnd, unsigned most)
{
	struct piece p = {.len = storm_below(rnd, most + 1)};

	p.at = storm_below(rnd, HALF - p.len + 1) +
	       storm_below(rnd, 2) * (HALF + HOLE);
	return p;
}

/* Draws few large pieces, many small ones, a strided list, or anything. */
static void draw_pieces(uint64_t *rnd, struct message *m)
{
	static const unsigned sizes[] = {400000, 30000, 3000, 500, 64, 8};
	unsigned style = storm_below(rnd, 8), most, stride, at;

	m->n = (int)storm_below(rnd, storm_below(rnd, 2) ? PIECES_MAX + 1 : 9);
	most = sizes[style % 6];
	stride = most + storm_below(rnd, most + 1);
	at = storm_below(rnd, 100);
	for (int i = 0; i < m->n; i++) {
		struct piece *p = &m->pieces[i];

		if (style == 7) {
			*p = draw_piece(rnd, sizes[storm_below(rnd, 6)]);
		} else if (style == 6 && at + stride < HALF) {
			*p = (struct piece){at, most};
			at += stride;
		} else {
			*p = draw_piece(rnd, most);
		}
		if (m->bytes + p->len > 1500000 || !storm_below(rnd, 12))
			p->len = 0;
		m->bytes += p->len;
	}
}

static void draw(uint64_t *rnd, int src, int tag, struct message *m)
{
	unsigned kind = storm_below(rnd, 16);

	m->src = src;
	m->tag = tag;
	m->dst = (int)storm_below(rnd, (unsigned)np);
	m->bytes = 0;
	draw_pieces(rnd, m);
	m->room = m->bytes;
	if (kind < 3)
		m->room += 1000;
	else if (kind < 5)
		m->room = storm_below(rnd, (unsigned)m->bytes + 1);
	else if (kind == 5)
		m->room = 0;
	m->request = MRT_REQUEST_NULL;
	m->buf = NULL;
}

/* ---- one round -------------------------------------------------------- */

static void start_receive(struct message *m)
{
	m->buf = malloc(m->room + 1);
	memset(m->buf, 0x5a, m->room + 1);
	mrt_irecv(m->buf, m->room, MRT_BYTE, m->src, m->tag, W, &m->request);
}

static void check_bytes(const struct message *m, uint64_t salt)
{
	size_t end = m->room < m->bytes ? m->room : m->bytes, k = 0;
	size_t wrong = 0;

	for (int i = 0; i < m->n; i++)
		for (unsigned j = 0; j < m->pieces[i].len && k < end; j++, k++)
			wrong += m->buf[k] !=
				 pattern(salt, m->src, m->pieces[i].at + j);
	for (; k <= m->room; k++)
		wrong += m->buf[k] != 0x5a;
	CHECK(wrong == 0);
}

static void finish_receive(struct message *m, uint64_t salt)
{
	struct mrt_status status;
	int rc;

	if (m->request == MRT_REQUEST_NULL) {
		CHECK(!mrt_probe(m->src, m->tag, W, &status));
		CHECK(status.bytes == m->bytes);
		start_receive(m);
	}
	rc = mrt_wait(&m->request, &status);
	CHECK(rc == (m->bytes > m->room ? MRT_ERR_TRUNCATE : 0));
	CHECK(status.bytes == m->bytes && status.source == m->src &&
	      status.tag == m->tag);
	check_bytes(m, salt);
	free(m->buf);
}

static struct mrt_request *send(const struct message *m, bool blocking)
{
	struct iovec *iov = malloc(((size_t)m->n + 1) * sizeof(*iov));
	struct mrt_request *request = MRT_REQUEST_NULL;

	for (int i = 0; i < m->n; i++)
		iov[i] =
		    (struct iovec){memory + m->pieces[i].at, m->pieces[i].len};
	if (blocking)
		CHECK(!mrt_sendv(iov, m->n, m->dst, m->tag, W));
	else
		CHECK(!mrt_isendv(iov, m->n, m->dst, m->tag, W, &request));
	memset(iov, 0xdb, ((size_t)m->n + 1) * sizeof(*iov));
	free(iov);
	return request;
}

static void play_round(uint64_t seed, unsigned round)
{
	uint64_t salt = seed * 1000 + round, rnd = salt;
	uint64_t own = salt ^ (uint64_t)(me + 1) << 40;
	bool blocking = storm_below(&rnd, 2);
	struct mrt_request *requests[BURST];

	for (int k = 0; k < np * BURST; k++)
		draw(&rnd, k / BURST, k % BURST, &messages[k]);
	fill_memory(salt);
	for (int k = 0; k < np * BURST; k++)
		if (messages[k].dst == me && (blocking || storm_below(&own, 2)))
			start_receive(&messages[k]);
	for (int k = 0; k < BURST; k++)
		requests[k] = send(&messages[me * BURST + k], blocking);
	for (int k = 0; k < np * BURST; k++)
		if (messages[k].dst == me)
			finish_receive(&messages[k], salt);
	CHECK(!mrt_waitall(BURST, requests, MRT_STATUSES_IGNORE));
	fill_memory(~salt);
	mrt_barrier(W);
}

/* ---- cases ------------------------------------------------------------ */

static void result(const char *what)
{
	int mine = failures, all = 1;

	mrt_allreduce(&mine, &all, 1, MRT_INT, MRT_MAX, W);
	if (me == 0)
		printf("%sok - %s\n", all ? "not " : "", what);
}

static void test_arguments(void)
{
	char x[8];
	struct iovec iov[2] = {{x, 4}, {x, 4}}, null[2] = {{x, 4}, {NULL, 4}};
	struct iovec huge[2] = {{x, SIZE_MAX / 2}, {x, SIZE_MAX / 2 + 2}};
	struct mrt_request *r = (struct mrt_request *)0x1;

	CHECK(mrt_sendv(iov, -1, 0, 0, W) == MRT_ERR_COUNT);
	CHECK(mrt_sendv(huge, 2, 0, 0, W) == MRT_ERR_COUNT);
	CHECK(mrt_sendv(NULL, 1, 0, 0, W) == MRT_ERR_BUFFER);
	CHECK(mrt_sendv(null, 2, 0, 0, W) == MRT_ERR_BUFFER);
	CHECK(mrt_sendv(iov, 2, np, 0, W) == MRT_ERR_RANK);
	CHECK(mrt_sendv(iov, 2, 0, -5, W) == MRT_ERR_TAG);
	CHECK(mrt_sendv(iov, 2, 0, 0, MRT_COMM_NULL) == MRT_ERR_COMM);
	CHECK(mrt_isendv(iov, -1, 0, 0, W, &r) == MRT_ERR_COUNT);
	CHECK(mrt_isendv(null, 2, 0, 0, W, &r) == MRT_ERR_BUFFER);
	CHECK(mrt_isendv(iov, 2, 0, 0, W, NULL) == MRT_ERR_ARG);
	CHECK(r == (struct mrt_request *)0x1);
	result("wrong arguments return their codes");
}

static void test_nothing(void)
{
	struct iovec empty[3] = {{NULL, 0}, {memory, 0}, {NULL, 0}};
	struct mrt_request *r[3];
	struct mrt_status status;

	CHECK(!mrt_sendv(empty, 3, MRT_PROC_NULL, 0, W));
	CHECK(!mrt_isendv(NULL, 0, MRT_PROC_NULL, 0, W, &r[0]));
	CHECK(!mrt_wait(&r[0], MRT_STATUS_IGNORE));
	CHECK(!mrt_isendv(NULL, 0, (me + 1) % np, 1, W, &r[0]));
	CHECK(!mrt_isendv(empty, 3, (me + 1) % np, 2, W, &r[1]));
	for (int tag = 1; tag <= 2; tag++) {
		CHECK(!mrt_recv(NULL, 0, MRT_BYTE, (me + np - 1) % np, tag, W,
				&status));
		CHECK(status.bytes == 0);
	}
	CHECK(!mrt_waitall(2, r, MRT_STATUSES_IGNORE));
	result("no pieces, and empty ones");
}

/* Sends more pieces than any system call takes, in the order of their
 * addresses and against it. */
static void test_many(void)
{
	enum { MANY = 20000, EACH = 24 };
	struct iovec *iov = malloc(MANY * sizeof(*iov));
	char *buf = malloc(MANY * EACH);
	struct mrt_request *r;
	size_t wrong = 0;

	fill_memory(0);
	for (int back = 0; back < 2; back++) {
		for (int i = 0; i < MANY; i++)
			iov[back ? MANY - 1 - i : i] = (struct iovec){
			    memory + i * (EACH + 2) % HALF, EACH};
		CHECK(!mrt_irecv(buf, MANY * EACH, MRT_BYTE, (me + np - 1) % np,
				 3, W, &r));
		CHECK(!mrt_sendv(iov, MANY, (me + 1) % np, 3, W));
		CHECK(!mrt_wait(&r, MRT_STATUS_IGNORE));
		for (int i = 0; i < MANY * EACH; i++) {
			int piece = i / EACH;

			if (back)
				piece = MANY - 1 - piece;
			wrong += buf[i] !=
				 pattern(0, (me + np - 1) % np,
					 (size_t)(piece * (EACH + 2) % HALF +
						  i % EACH));
		}
	}
	CHECK(wrong == 0);
	mrt_barrier(W);
	free(iov);
	free(buf);
	result("very many pieces");
}

/* Messages that kept a copy of their data would soon fill the memory. */
static void test_kept(void)
{
	struct iovec iov[2] = {{memory, HALF}, {memory + HALF + HOLE, HALF}};
	char *buf = malloc(2 * HALF);
	struct mrt_request *r;
	size_t before = 0;

	for (int i = 0; i < 12; i++) {
		CHECK(!mrt_irecv(buf, 2 * HALF, MRT_BYTE, (me + np - 1) % np, 4,
				 W, &r));
		CHECK(!mrt_sendv(iov, 2, (me + 1) % np, 4, W));
		CHECK(!mrt_wait(&r, MRT_STATUS_IGNORE));
		if (i == 2)
			before = mallinfo2().uordblks + mallinfo2().hblkhd;
	}
	CHECK(mallinfo2().uordblks + mallinfo2().hblkhd < before + 4 * HALF);
	free(buf);
	result("nothing is kept");
}

static long option(int argc, char **argv, const char *name, long def)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return atol(argv[i + 1]);
	return def;
}

int main(int argc, char **argv)
{
	long seeds = option(argc, argv, "--seeds", 1);
	long first = option(argc, argv, "--seed", 1);
	long rounds = option(argc, argv, "--rounds", 100);

	mrt_init(&argc, &argv);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	me = mrt_rank(W);
	np = mrt_size(W);
	memory = mmap(NULL, 2 * HALF + HOLE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	messages = malloc((size_t)(np * BURST) * sizeof(*messages));
	if (memory == MAP_FAILED || !messages || munmap(memory + HALF, HOLE))
		mrt_abort(W, 71);
	test_arguments();
	test_nothing();
	test_many();
	test_kept();
	for (long seed = first; seed < first + seeds; seed++) {
		if (storm_reseed)
			storm_reseed((uint64_t)seed);
		for (unsigned round = 0; round < rounds; round++)
			play_round((uint64_t)seed, round);
	}
	result("random pieces");
	free(messages);
	mrt_finalize();
	return failures != 0;
}
