/* SPDX-License-Identifier: Apache-2.0 */
/* api_request.c tests mrt_test* and mrt_wait* on several requests, and
 * mrt_cancel. */
#include "tests/system/api.h"

enum { N = 40 };

static int in[N], out[N];
static struct mrt_request *recvs[N], *sends[N];
static struct mrt_status statuses[N];

/* Posts N receives and sends N messages; tag k carries 1000 k + sender. */
static void start_all(void)
{
	for (int k = 0; k < N; k++) {
		in[k] = -1;
		OK(mrt_irecv(&in[k], 1, MRT_INT, left_of(me), k, W, &recvs[k]));
	}
	for (int k = N - 1; k >= 0; k--) {
		out[k] = 1000 * k + me;
		OK(mrt_isend(&out[k], 1, MRT_INT, right_of(me), k, W,
			     &sends[k]));
	}
}

static void check_all(void)
{
	for (int k = 0; k < N; k++) {
		CHECK(in[k] == 1000 * k + left_of(me));
		CHECK(recvs[k] == MRT_REQUEST_NULL);
	}
	OK(mrt_waitall(N, sends, MRT_STATUSES_IGNORE));
}

static void check_status(const struct mrt_status *s, int tag)
{
	CHECK(s->source == left_of(me) && s->tag == tag && s->bytes == 4);
}

static void test_waitall(void)
{
	start_all();
	for (int k = 0; k < N; k++)
		statuses[k].error = 77;
	OK(mrt_waitall(N, recvs, statuses));
	for (int k = 0; k < N; k++) {
		check_status(&statuses[k], k);
		CHECK(statuses[k].error == 77); /* set with errors only */
	}
	check_all();
	OK(mrt_waitall(0, NULL, NULL));
}

static void test_testall(void)
{
	int flag = 0;

	start_all();
	while (!flag)
		OK(mrt_testall(N, recvs, &flag, statuses));
	check_status(&statuses[N - 1], N - 1);
	check_all();
}

static void test_any(void)
{
	int index, flag, seen[N] = {0};
	struct mrt_status s;

	start_all();
	for (int k = 0; k < N; k++) {
		flag = k % 2;
		if (flag)
			OK(mrt_waitany(N, recvs, &index, &s));
		while (!flag)
			OK(mrt_testany(N, recvs, &index, &flag, &s));
		CHECK(index >= 0 && index < N && !seen[index]++);
		check_status(&s, index);
	}
	check_all();
	OK(mrt_waitany(N, recvs, &index, &s));
	CHECK(index == MRT_UNDEFINED && s.source == MRT_ANY_SOURCE &&
	      s.tag == MRT_ANY_TAG && s.bytes == 0);
	OK(mrt_testany(N, recvs, &index, &flag, &s));
	CHECK(index == MRT_UNDEFINED && flag == 1);
}

static void test_some(void)
{
	int indices[N], count, done = 0;

	start_all();
	while (done < N) {
		OK((done % 2 ? mrt_waitsome : mrt_testsome)(N, recvs, &count,
							    indices, statuses));
		CHECK(count >= 0 && count <= N);
		for (int k = 0; k < count; k++)
			check_status(&statuses[k], indices[k]);
		done += count;
	}
	CHECK(done == N);
	check_all();
	OK(mrt_waitsome(N, recvs, &count, indices, statuses));
	CHECK(count == MRT_UNDEFINED);
	OK(mrt_testsome(N, recvs, &count, indices, MRT_STATUSES_IGNORE));
	CHECK(count == MRT_UNDEFINED);
}

static void test_null(void)
{
	struct mrt_request *none = MRT_REQUEST_NULL;
	struct mrt_status s = {.source = 9};
	int flag = 0;

	OK(mrt_wait(&none, &s));
	CHECK(s.source == MRT_ANY_SOURCE && s.tag == MRT_ANY_TAG && !s.bytes);
	OK(mrt_test(&none, &flag, MRT_STATUS_IGNORE));
	CHECK(flag == 1);
	flag = 0;
	OK(mrt_testall(1, &none, &flag, MRT_STATUSES_IGNORE));
	CHECK(flag == 1);
}

/* One of three messages is truncated: each status has its own error. */
static void test_in_status(void)
{
	struct mrt_request *r[3];
	struct mrt_status s[3];
	int long_one[4] = {1, 2, 3, 4};

	for (int k = 0; k < 3; k++)
		OK(mrt_irecv(&in[k], 1, MRT_INT, left_of(me), k, W, &r[k]));
	for (int k = 0; k < 3; k++)
		OK(mrt_send(long_one, k == 1 ? 4 : 1, MRT_INT, right_of(me), k,
			    W));
	FAILS(MRT_ERR_IN_STATUS, mrt_waitall(3, r, s));
	CHECK(!s[0].error && s[1].error == MRT_ERR_TRUNCATE && !s[2].error);
	for (int k = 0; k < 3; k++)
		CHECK(r[k] == MRT_REQUEST_NULL);
}

static void test_cancel(void)
{
	struct mrt_request *r;
	struct mrt_status s;
	int gone = -1, x = 5, y = 0, other;

	OK(mrt_irecv(&y, 1, MRT_INT, MRT_ANY_SOURCE, 60, W, &r));
	OK(mrt_cancel(&r));
	OK(mrt_wait(&r, &s));
	CHECK(s.cancelled == 1 && y == 0);
	OK(mrt_barrier(W)); /* nobody sends before all have cancelled */
	/* the message goes to the next receive, not to the cancelled one */
	OK(mrt_sendrecv(&x, 1, MRT_INT, right_of(me), 60, &y, 1, MRT_INT,
			left_of(me), 60, W, &s));
	CHECK(y == 5 && s.cancelled == 0);

	/* a receive that has matched cannot be cancelled */
	y = 0;
	OK(mrt_irecv(&y, 1, MRT_INT, left_of(me), 61, W, &r));
	OK(mrt_send(&x, 1, MRT_INT, right_of(me), 61, W));
	OK(mrt_sendrecv(&x, 1, MRT_INT, right_of(me), 62, &other, 1, MRT_INT,
			left_of(me), 62, W, MRT_STATUS_IGNORE));
	OK(mrt_cancel(&r));
	OK(mrt_wait(&r, &s));
	CHECK(s.cancelled == 0 && y == 5 && s.bytes == 4);

	OK(mrt_isend(&x, 1, MRT_INT, right_of(me), 63, W, &r));
	OK(mrt_cancel(&r));
	OK(mrt_wait(&r, &s));
	/* a send that is complete at once is not cancelled */
	OK(mrt_sendrecv(&s.cancelled, 1, MRT_INT, right_of(me), 64, &gone, 1,
			MRT_INT, left_of(me), 64, W, MRT_STATUS_IGNORE));
	if (!gone)
		OK(mrt_recv(&y, 1, MRT_INT, left_of(me), 63, W,
			    MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_REQUEST, mrt_cancel(&r));
}

/* More requests than any pool has at the beginning. */
static void test_many(void)
{
	enum { MANY = 5000 };
	struct mrt_request **r = calloc(2 * MANY, sizeof(struct mrt_request *));
	int *x = calloc(MANY, sizeof(int)), wrong = 0;

	for (int k = 0; k < MANY; k++)
		OK(mrt_irecv(&x[k], 1, MRT_INT, left_of(me), k, W, &r[k]));
	for (int k = 0; k < MANY; k++)
		OK(mrt_isend(&me, 1, MRT_INT, right_of(me), MANY - 1 - k, W,
			     &r[MANY + k]));
	OK(mrt_waitall((size_t)2 * MANY, r, MRT_STATUSES_IGNORE));
	for (int k = 0; k < MANY; k++)
		wrong += x[k] != left_of(me);
	CHECK(wrong == 0);
	free(r);
	free(x);
}

struct polled {
	struct mrt_request *request, *inner;
	int left, got;
};

/* Counts down, then completes. */
static void poll_down(void *context)
{
	struct polled *p = context;

	if (--p->left == 0)
		OK(mrt_grequest_complete(p->request));
}

/* Completes when a receive of its own has. */
static void poll_inner(void *context)
{
	struct polled *p = context;
	int flag;

	OK(mrt_test(&p->inner, &flag, MRT_STATUS_IGNORE));
	if (flag)
		OK(mrt_grequest_complete(p->request));
}

static void start_polled(struct polled *p, mrt_grequest_poll_fn poll_fn)
{
	OK(mrt_grequest_start(NULL, NULL, NULL, p, &p->request));
	OK(mrt_grequest_poll(p->request, poll_fn));
}

/* Any wait and test calls all poll functions. */
static void test_polled(void)
{
	struct polled a = {.left = 3}, b = {.left = 1000}, c = {.left = 0};
	struct mrt_request *all[2];
	int flag = 0;

	start_polled(&a, poll_down);
	FAILS(MRT_ERR_ARG, mrt_grequest_poll(a.request, poll_down));
	FAILS(MRT_ERR_ARG, mrt_grequest_poll(a.request, NULL));
	OK(mrt_wait(&a.request, MRT_STATUS_IGNORE));
	CHECK(a.left == 0);
	a.left = 2;
	start_polled(&a, poll_down);
	start_polled(&b, poll_down);
	while (!flag)
		OK(mrt_test(&b.request, &flag, MRT_STATUS_IGNORE));
	CHECK(a.left == 0 && b.left == 0);
	OK(mrt_wait(&a.request, MRT_STATUS_IGNORE));

	OK(mrt_irecv(&c.got, 1, MRT_INT, left_of(me), 80, W, &c.inner));
	start_polled(&c, poll_inner);
	OK(mrt_send(&me, 1, MRT_INT, right_of(me), 80, W));
	a.left = 1;
	start_polled(&a, poll_down);
	all[0] = a.request;
	all[1] = c.request;
	OK(mrt_waitall(2, all, MRT_STATUSES_IGNORE));
	CHECK(c.got == left_of(me));
}

const struct api_case api_request[] = {
    {"waitall", test_waitall},
    {"testall", test_testall},
    {"waitany, testany", test_any},
    {"waitsome, testsome", test_some},
    {"null requests", test_null},
    {"MRT_ERR_IN_STATUS", test_in_status},
    {"cancel", test_cancel},
    {"5000 requests at once", test_many},
    {"generalized requests that are polled", test_polled},
    {NULL, NULL},
};
