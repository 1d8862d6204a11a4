/* SPDX-License-Identifier: Apache-2.0 */
/* api_comm.c tests communicators. */
#include "tests/system/api.h"

static void test_dup(void)
{
	struct mrt_comm *dup = NULL;
	struct mrt_request *r, *first;
	struct mrt_status s;
	int x = 1, y = 2, got = 0;

	OK(mrt_comm_dup(W, &dup));
	CHECK(mrt_rank(dup) == me && mrt_size(dup) == np);
	/* source and tag are equal, so only the communicator tells these two
	 * apart */
	OK(mrt_irecv(&got, 1, MRT_INT, MRT_ANY_SOURCE, MRT_ANY_TAG, dup, &r));
	OK(mrt_isend(&x, 1, MRT_INT, right_of(me), 1, W, &first));
	OK(mrt_send(&y, 1, MRT_INT, right_of(me), 1, dup));
	OK(mrt_wait(&r, &s));
	CHECK(got == 2);
	OK(mrt_recv(&got, 1, MRT_INT, left_of(me), MRT_ANY_TAG, W, &s));
	CHECK(got == 1);
	OK(mrt_wait(&first, MRT_STATUS_IGNORE));
	OK(mrt_comm_free(&dup));
	CHECK(dup == MRT_COMM_NULL);
}

static void test_split(void)
{
	struct mrt_comm *c, *none = W;
	struct mrt_status s;
	int x = me, y = -1, n;

	/* backwards */
	OK(mrt_comm_split(W, 3, -me, &c));
	CHECK(mrt_rank(c) == np - 1 - me && mrt_size(c) == np);
	n = mrt_rank(c);
	OK(mrt_sendrecv(&x, 1, MRT_INT, (n + 1) % np, 0, &y, 1, MRT_INT,
			MRT_ANY_SOURCE, 0, c, &s));
	CHECK(y == right_of(me) && s.source == (n + np - 1) % np);
	OK(mrt_comm_free(&c));

	/* three groups */
	OK(mrt_comm_split(W, me % 3, 0, &c));
	CHECK(mrt_rank(c) == me / 3 && mrt_size(c) == (np + 2 - me % 3) / 3);
	OK(mrt_barrier(c));
	OK(mrt_comm_free(&c));

	/* some ranks stay out */
	OK(mrt_comm_split(W, me ? MRT_UNDEFINED : 0, 0, &none));
	CHECK(me ? none == MRT_COMM_NULL : mrt_size(none) == 1);
	if (!me)
		OK(mrt_comm_free(&none));
	FAILS(MRT_ERR_ARG, mrt_comm_split(W, -5, 0, &c));
}

static void test_split_node(void)
{
	struct mrt_comm *c;

	OK(mrt_comm_split_node(W, 0, &c));
	CHECK(mrt_size(c) == mrt_node_size() && mrt_rank(c) == mrt_node_rank());
	OK(mrt_comm_free(&c));
	OK(mrt_comm_split_node(W, -me, &c));
	CHECK(mrt_rank(c) == mrt_node_size() - 1 - mrt_node_rank());
	OK(mrt_comm_free(&c));
}

/* Places are numbered as mrt.h says; this job runs on one node. */
static void test_places(void)
{
	struct mrt_place *p = calloc((size_t)np, sizeof(*p));
	struct mrt_comm *back;
	int nodes = 0, near = 0;

	OK(mrt_comm_places(W, p));
	for (int r = 0; r < np; r++) {
		CHECK(p[r].node >= 0 && p[r].node <= nodes);
		nodes += p[r].node == nodes;
		near += p[r].node == p[me].node;
		CHECK(p[r].cache >= 0 && p[r].cache < np);
	}
	CHECK(near == mrt_node_size());
	CHECK(p[0].node == 0 && p[0].cache == 0 && p[0].leaf == -1);
	OK(mrt_comm_split(W, 0, -me, &back));
	OK(mrt_comm_places(back, p));
	CHECK(p[0].node == 0 && p[0].cache == 0 && p[0].leaf == -1);
	OK(mrt_comm_free(&back));
	OK(mrt_comm_places(MRT_COMM_SELF, p));
	CHECK(p[0].node == 0 && p[0].cache == 0 && p[0].leaf == -1);
	FAILS(MRT_ERR_ARG, mrt_comm_places(W, NULL));
	FAILS(MRT_ERR_COMM, mrt_comm_places(MRT_COMM_NULL, p));
	free(p);
}

static void test_compare(void)
{
	struct mrt_comm *dup, *back;
	enum mrt_comparison r;

	OK(mrt_comm_dup(W, &dup));
	OK(mrt_comm_split(W, 0, -me, &back));
	OK(mrt_comm_compare(W, W, &r));
	CHECK(r == MRT_IDENT);
	OK(mrt_comm_compare(W, dup, &r));
	CHECK(r == MRT_CONGRUENT);
	OK(mrt_comm_compare(dup, back, &r));
	CHECK(r == (np == 1 ? MRT_CONGRUENT : MRT_SIMILAR));
	OK(mrt_comm_compare(W, MRT_COMM_SELF, &r));
	CHECK(r == (np == 1 ? MRT_CONGRUENT : MRT_UNEQUAL));
	FAILS(MRT_ERR_COMM, mrt_comm_compare(W, MRT_COMM_NULL, &r));
	OK(mrt_comm_free(&back));
	OK(mrt_comm_free(&dup));
}

/* A communicator is made from another one, and the first is freed first. */
static void test_nested(void)
{
	struct mrt_comm *half, *dup;
	int sum = 0, one = 1;

	OK(mrt_comm_split(W, me < np / 2, me, &half));
	OK(mrt_comm_dup(half, &dup));
	OK(mrt_comm_free(&half));
	OK(mrt_allreduce(&one, &sum, 1, MRT_INT, MRT_SUM, dup));
	CHECK(sum == (me < np / 2 ? np / 2 : np - np / 2));
	OK(mrt_comm_free(&dup));
}

static void test_free(void)
{
	struct mrt_comm *world = W, *self = MRT_COMM_SELF, *none = NULL;

	FAILS(MRT_ERR_COMM, mrt_comm_free(&world));
	FAILS(MRT_ERR_COMM, mrt_comm_free(&self));
	FAILS(MRT_ERR_COMM, mrt_comm_free(&none));
	CHECK(world == W && self == MRT_COMM_SELF);
}

/* A receive outlives the handle of its communicator, whose ranks are in
 * another order here; a new communicator must not get its messages
 * meanwhile. */
static void test_free_early(void)
{
	struct mrt_comm *c, *other, *freed;
	struct mrt_request *r;
	struct mrt_status s;
	int x = me, got = -1, left, n;

	OK(mrt_comm_split(W, 0, -me, &c));
	n = mrt_rank(c);
	left = (n + np - 1) % np;
	OK(mrt_irecv(&got, 1, MRT_INT, left, 4, c, &r));
	OK(mrt_send(&x, 1, MRT_INT, (n + 1) % np, 4, c));
	freed = c;
	OK(mrt_comm_free(&c));
	/* the request still holds the freed communicator */
	FAILS(MRT_ERR_COMM, mrt_comm_dup(freed, &other));
	FAILS(MRT_ERR_COMM, mrt_comm_free(&freed));
	OK(mrt_comm_dup(W, &other));
	OK(mrt_wait(&r, &s));
	CHECK(got == np - 1 - left && s.source == left);
	OK(mrt_comm_free(&other));
}

static void test_self(void)
{
	struct mrt_comm *c;
	int x = 4, y = 0;

	OK(mrt_comm_dup(MRT_COMM_SELF, &c));
	OK(mrt_sendrecv(&x, 1, MRT_INT, 0, 0, &y, 1, MRT_INT, 0, 0, c,
			MRT_STATUS_IGNORE));
	CHECK(y == 4);
	OK(mrt_bcast(&x, 1, MRT_INT, 0, c));
	OK(mrt_comm_free(&c));
}

static void test_reuse(void)
{
	struct mrt_comm *c;
	int bad = 0;

	/* Ids are reused. To make more communicators than may exist at once
	 * takes too long for every run; these are enough to go through any
	 * small table. */
	for (int k = 0; k < 600; k++) {
		bad += mrt_comm_dup(W, &c) != 0;
		bad += mrt_comm_free(&c) != 0;
	}
	CHECK(bad == 0);
}

/* 2^15 communicators exist at once, the next one is refused everywhere, and
 * the job goes on. */
static void test_limit(void)
{
	enum { MOST = 1 << 15 };
	struct mrt_comm **c = calloc(MOST, sizeof(struct mrt_comm *));
	int n = 0, rc = 0;

	if (!getenv("API_LONG")) {
		free(c);
		return;
	}
	while (n < MOST && !(rc = mrt_comm_dup(W, &c[n])))
		n++;
	CHECK(rc == MRT_ERR_RESOURCE && n >= MOST - 16);
	OK(mrt_barrier(W));
	if (n > 0)
		OK(mrt_barrier(c[n - 1]));
	while (n > 0)
		OK(mrt_comm_free(&c[--n]));
	OK(mrt_comm_dup(W, &c[0]));
	OK(mrt_comm_free(&c[0]));
	free(c);
}

const struct api_case api_comm[] = {
    {"dup", test_dup},
    {"split", test_split},
    {"split_node", test_split_node},
    {"places", test_places},
    {"compare", test_compare},
    {"communicators of communicators", test_nested},
    {"what cannot be freed", test_free},
    {"freed before a receive on it ends", test_free_early},
    {"dup of self", test_self},
    {"dup and free 600 times", test_reuse},
    {"2^15 communicators (API_LONG)", test_limit},
    {NULL, NULL},
};
