/* SPDX-License-Identifier: Apache-2.0 */
/* api_p2p.c tests sends, receives and probes. Most messages go once round the
 * ring of ranks. */
#include "tests/system/api.h"

static const size_t sizes[] = {
    0,	  1,	7,    8,     47,    48,	   49,	   64,	    1000,   4096,
    8191, 8192, 8193, 12288, 16384, 65536, 131072, 1000003, 4194304};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void pattern(unsigned char *p, size_t n, int seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (unsigned char)((size_t)seed * 31 + i * 7 + (i >> 8));
}

static bool has_pattern(const unsigned char *p, size_t n, int seed)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] !=
		    (unsigned char)((size_t)seed * 31 + i * 7 + (i >> 8)))
			return false;
	return true;
}

typedef int send_call(const void *, size_t, struct mrt_type *, int, int,
		      struct mrt_comm *);

/* Returns API_LONGEST, the bytes of the longest message, for machines that copy
 * slowly. */
static size_t longest(void)
{
	const char *bytes = getenv("API_LONGEST");

	return bytes ? (size_t)atol(bytes) : 20u << 20;
}

/* Even ranks send first; a rank that is alone sends to itself and needs a
 * posted receive. */
static void ring(send_call *send, size_t n)
{
	unsigned char *out = malloc(n + 1), *in = malloc(n + 1);
	struct mrt_request *r;
	struct mrt_status s;

	pattern(out, n, me);
	in[n] = 0xee;
	OK(mrt_irecv(in, n, MRT_BYTE, left_of(me), 5, W, &r));
	OK(send(out, n, MRT_BYTE, right_of(me), 5, W));
	OK(mrt_wait(&r, &s));
	CHECK(r == MRT_REQUEST_NULL);
	CHECK(s.source == left_of(me) && s.tag == 5 && s.bytes == n);
	CHECK(s.cancelled == 0);
	CHECK(has_pattern(in, n, left_of(me)) && in[n] == 0xee);
	free(out);
	free(in);
}

static void test_sizes(void)
{
	for (int i = 0; i < SIZES && sizes[i] < longest(); i++) {
		ring(mrt_send, sizes[i]);
		ring(mrt_ssend, sizes[i]);
	}
	ring(mrt_send, longest());
}

static void test_sendrecv(void)
{
	for (int i = 0; i < SIZES && sizes[i] < longest(); i++) {
		size_t n = sizes[i] / 4;
		int *out = malloc(n * 4 + 4), *in = malloc(n * 4 + 4);
		struct mrt_status s;
		size_t count;

		pattern((unsigned char *)out, n * 4, me);
		OK(mrt_sendrecv(out, n, MRT_INT, right_of(me), i, in, n + 1,
				MRT_INT, left_of(me), i, W, &s));
		OK(mrt_get_count(&s, MRT_INT, &count));
		CHECK(count == n && s.source == left_of(me) && s.tag == i);
		CHECK(has_pattern((unsigned char *)in, n * 4, left_of(me)));
		free(out);
		free(in);
	}
}

/* All ranks send to all; the messages are unexpected and received by
 * wildcards. */
static void test_wildcards(void)
{
	struct mrt_request *sends[64];
	int got[64] = {0}, out[64], x;
	struct mrt_status s;

	for (int r = 0; r < np; r++) {
		out[r] = me * 100 + r;
		OK(mrt_isend(&out[r], 1, MRT_INT, r, me + 10, W, &sends[r]));
	}
	for (int k = 0; k < np; k++) {
		OK(mrt_recv(&x, 1, MRT_INT, MRT_ANY_SOURCE, MRT_ANY_TAG, W,
			    &s));
		CHECK(s.tag == s.source + 10 && x == s.source * 100 + me);
		got[s.source % 64]++;
	}
	OK(mrt_waitall((size_t)np, sends, MRT_STATUSES_IGNORE));
	for (int r = 0; r < np; r++)
		CHECK(got[r] == 1);
}

/* Messages of one sender are received in order, whatever their size. */
static void test_order(void)
{
	enum { N = 60 };
	static unsigned char big[N][20000];
	struct mrt_request *r[N];
	static unsigned char out[20000];

	for (int k = 0; k < N; k++)
		OK(mrt_irecv(big[k], sizeof(big[k]), MRT_BYTE,
			     k % 2 ? left_of(me) : MRT_ANY_SOURCE, 6, W,
			     &r[k]));
	for (int k = 0; k < N; k++) {
		struct mrt_request *s;

		memset(out, k, sizeof(out));
		OK(mrt_isend(out, k % 3 ? 8 : sizeof(out), MRT_BYTE,
			     right_of(me), 6, W, &s));
		OK(mrt_wait(&s, MRT_STATUS_IGNORE));
	}
	for (int k = 0; k < N; k++) {
		struct mrt_status s;

		OK(mrt_wait(&r[k], &s));
		CHECK(s.bytes == (k % 3 ? 8 : sizeof(out)));
		CHECK(big[k][0] == k && big[k][7] == k);
	}
}

static void test_proc_null(void)
{
	struct mrt_status s;
	struct mrt_request *r;
	int x = 3, flag = 0;

	OK(mrt_send(&x, 1, MRT_INT, MRT_PROC_NULL, 1, W));
	OK(mrt_ssend(&x, 1, MRT_INT, MRT_PROC_NULL, 1, W));
	OK(mrt_recv(&x, 1, MRT_INT, MRT_PROC_NULL, 1, W, &s));
	CHECK(s.source == MRT_PROC_NULL && s.tag == MRT_ANY_TAG && !s.bytes);
	OK(mrt_isend(&x, 1, MRT_INT, MRT_PROC_NULL, 1, W, &r));
	OK(mrt_wait(&r, &s));
	OK(mrt_irecv(&x, 1, MRT_INT, MRT_PROC_NULL, 1, W, &r));
	OK(mrt_wait(&r, &s));
	CHECK(s.source == MRT_PROC_NULL && x == 3);
	OK(mrt_iprobe(MRT_PROC_NULL, 1, W, &flag, &s));
	CHECK(flag == 1 && s.source == MRT_PROC_NULL);
	OK(mrt_sendrecv(&x, 1, MRT_INT, MRT_PROC_NULL, 1, &x, 1, MRT_INT,
			MRT_PROC_NULL, 1, W, &s));
	CHECK(s.source == MRT_PROC_NULL && s.bytes == 0);
}

static void test_probe(void)
{
	static unsigned char out[50000], in[50000];
	struct mrt_request *r[2];
	struct mrt_status s;
	int flag = 1;

	OK(mrt_iprobe(MRT_ANY_SOURCE, 50, W, &flag, &s));
	CHECK(flag == 0);
	OK(mrt_isend(out, 10, MRT_BYTE, right_of(me), 51, W, &r[0]));
	OK(mrt_isend(out, 50000, MRT_BYTE, right_of(me), 52, W, &r[1]));
	OK(mrt_probe(MRT_ANY_SOURCE, 52, W, &s));
	CHECK(s.source == left_of(me) && s.tag == 52 && s.bytes == 50000);
	do
		OK(mrt_iprobe(left_of(me), MRT_ANY_TAG, W, &flag, &s));
	while (!flag);
	CHECK(s.tag == 51 && s.bytes == 10);
	OK(mrt_recv(in, 50000, MRT_BYTE, left_of(me), 52, W, &s));
	OK(mrt_recv(in, 50000, MRT_BYTE, left_of(me), 51, W, &s));
	OK(mrt_waitall(2, r, MRT_STATUSES_IGNORE));
	for (int tag = 50; tag <= 52; tag++) {
		OK(mrt_iprobe(MRT_ANY_SOURCE, tag, W, &flag, &s));
		CHECK(flag == 0);
	}
}

/* A message that is too long gives its beginning and an error, and the next
 * one arrives well. The receive is posted before or after the message, which
 * is short or long. */
static void test_truncation(void)
{
	static unsigned char out[100000], in[100001];

	for (int round = 0; round < 8; round++) {
		size_t n = round & 1 ? sizeof(out) : 100, room = n - 9;
		bool early = round & 2;
		send_call *send = round & 4 ? mrt_ssend : mrt_send;
		struct mrt_request *r = NULL, *go, *s[2];
		struct mrt_status st;
		int token = 0, rc;

		pattern(out, n, me + round);
		memset(in, 0xaa, sizeof(in));
		if (early)
			OK(mrt_irecv(in, room, MRT_BYTE, left_of(me), 1, W,
				     &r));
		OK(mrt_isend(out, n, MRT_BYTE, right_of(me), 1, W, &s[0]));
		OK(mrt_isend(out, n, MRT_BYTE, right_of(me), 1, W, &s[1]));
		OK(mrt_irecv(&token, 1, MRT_INT, left_of(me), 2, W, &go));
		OK(send(&round, 1, MRT_INT, right_of(me), 2, W));
		OK(mrt_wait(&go, MRT_STATUS_IGNORE));
		CHECK(token == round);
		rc = early
			 ? mrt_wait(&r, &st)
			 : mrt_recv(in, room, MRT_BYTE, left_of(me), 1, W, &st);
		CHECK(rc == MRT_ERR_TRUNCATE);
		CHECK(has_pattern(in, room, left_of(me) + round));
		CHECK(in[room] == 0xaa);
		OK(mrt_recv(in, n, MRT_BYTE, left_of(me), 1, W, &st));
		CHECK(st.bytes == n && has_pattern(in, n, left_of(me) + round));
		OK(mrt_waitall(2, s, MRT_STATUSES_IGNORE));
	}
}

/* mrt_ssend returns only after the receive has started. */
static void test_synchronous(void)
{
	struct mrt_request *r;
	int flag = 0;

	for (int size = 1; size <= 30000; size *= 30) {
		char *buf = calloc(1, (size_t)size);

		OK(mrt_issend(buf, (size_t)size, MRT_BYTE, right_of(me), 1, W,
			      &r));
		for (int k = 0; k < 50; k++) {
			OK(mrt_test(&r, &flag, MRT_STATUS_IGNORE));
			CHECK(!flag);
		}
		OK(mrt_barrier(W));
		OK(mrt_recv(buf, (size_t)size, MRT_BYTE, left_of(me), 1, W,
			    MRT_STATUS_IGNORE));
		OK(mrt_wait(&r, MRT_STATUS_IGNORE));
		free(buf);
	}
}

static void test_get_count(void)
{
	struct mrt_status s = {.bytes = 24};
	size_t n = 0;

	OK(mrt_get_count(&s, MRT_DOUBLE, &n));
	CHECK(n == 3);
	FAILS(MRT_ERR_TYPE, mrt_get_count(&s, MRT_LONG_DOUBLE, &n));
	FAILS(MRT_ERR_TYPE, mrt_get_count(&s, MRT_TYPE_NULL, &n));
	FAILS(MRT_ERR_ARG, mrt_get_count(&s, MRT_INT, NULL));
	CHECK(n == 3);
}

const struct api_case api_p2p[] = {
    {"send, ssend at many sizes", test_sizes},
    {"sendrecv at many sizes", test_sendrecv},
    {"any source, any tag", test_wildcards},
    {"order of messages", test_order},
    {"MRT_PROC_NULL", test_proc_null},
    {"probe and iprobe", test_probe},
    {"truncation leaves the connection usable", test_truncation},
    {"synchronous sends wait", test_synchronous},
    {"get_count", test_get_count},
    {NULL, NULL},
};
