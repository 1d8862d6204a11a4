/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_general.c tests generalized requests (MPI 4.1, chapter 13.2): when
 * which callback is called and with what, what the status says, errors of
 * callbacks, and generalized requests among others.
 */
#include "tests/mpi/mpi_test.h"

struct work {
	int queries, frees, cancels,
	    complete; /* numbers of calls, and the argument of cancel */
	int tag, query_error, free_error;
	int cancelled;
};

static int query(void *extra, MPI_Status *status)
{
	struct work *w = extra;

	w->queries++;
	status->MPI_SOURCE = 17;
	status->MPI_TAG = w->tag;
	MPI_Status_set_elements(status, MPI_INT, 3);
	MPI_Status_set_cancelled(status, w->cancelled);
	return w->query_error;
}

static int free_it(void *extra)
{
	((struct work *)extra)->frees++;
	return ((struct work *)extra)->free_error;
}

static int cancel(void *extra, int complete)
{
	struct work *w = extra;

	w->cancels++;
	w->complete = complete;
	w->cancelled = !complete;
	return MPI_SUCCESS;
}

static MPI_Request start(struct work *w, int tag)
{
	MPI_Request r = MPI_REQUEST_NULL;

	*w = (struct work){.tag = tag};
	OK(MPI_Grequest_start(query, free_it, cancel, w, &r));
	CHECK(r != MPI_REQUEST_NULL);
	return r;
}

static void check(const struct work *w, int queries, int frees)
{
	CHECK_EQ(w->queries, queries);
	CHECK_EQ(w->frees, frees);
}

static void check_status(const MPI_Status *s, int tag, int cancelled)
{
	int flag = -1, count = -1;

	CHECK_EQ(s->MPI_SOURCE, 17);
	CHECK_EQ(s->MPI_TAG, tag);
	OK(MPI_Test_cancelled(s, &flag));
	CHECK_EQ(flag, cancelled);
	OK(MPI_Get_count(s, MPI_INT, &count));
	CHECK_EQ(count, 3);
}

static void test_life(void)
{
	struct work w;
	MPI_Request r = start(&w, 5);
	MPI_Status s;
	int flag = 1;

	OK(MPI_Test(&r, &flag, &s));
	CHECK_EQ(flag, 0);
	OK(MPI_Request_get_status(r, &flag, &s));
	CHECK_EQ(flag, 0);
	check(&w, 0, 0);
	OK(MPI_Grequest_complete(r));
	check(&w, 0, 0);
	OK(MPI_Request_get_status(r, &flag, &s));
	CHECK(flag);
	check_status(&s, 5, 0);
	check(&w, 1, 0);
	OK(MPI_Wait(&r, &s));
	check_status(&s, 5, 0);
	check(&w, 2, 1);
	CHECK(r == MPI_REQUEST_NULL);
	/* query is called even without a status */
	r = start(&w, 5);
	OK(MPI_Grequest_complete(r));
	flag = 0;
	OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
	CHECK(flag && r == MPI_REQUEST_NULL);
	check(&w, 1, 1);
}

/* Whichever comes last calls free_fn. */
static void test_free(void)
{
	struct work w;
	MPI_Request r = start(&w, 0), copy = r;

	OK(MPI_Request_free(&r));
	CHECK(r == MPI_REQUEST_NULL);
	check(&w, 0, 0);
	OK(MPI_Grequest_complete(copy));
	check(&w, 0, 1);
	r = start(&w, 0);
	OK(MPI_Grequest_complete(r));
	check(&w, 0, 0);
	OK(MPI_Request_free(&r));
	check(&w, 0, 1);
}

static void test_cancel(void)
{
	struct work w;
	MPI_Request r = start(&w, 2);
	MPI_Status s;

	w.complete = -1;
	OK(MPI_Cancel(&r));
	CHECK_EQ(w.cancels, 1);
	CHECK_EQ(w.complete, 0);
	OK(MPI_Grequest_complete(r));
	OK(MPI_Wait(&r, &s));
	check_status(&s, 2, 1);
	r = start(&w, 2);
	OK(MPI_Grequest_complete(r));
	OK(MPI_Cancel(&r));
	CHECK(w.complete != 0);
	OK(MPI_Wait(&r, &s));
	check_status(&s, 2, 0);
	check(&w, 1, 1);
}

/* The array also holds a receive and a send. */
static void test_mixed(void)
{
	struct work w[2];
	MPI_Request r[5];
	MPI_Status s[5];
	int x = me, y = -1, n, which[5], k, flag = 1, early;

	r[0] = start(&w[0], 10);
	r[1] = MPI_REQUEST_NULL;
	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 1, W, &r[2]));
	r[3] = start(&w[1], 13);
	OK(MPI_Testany(4, r, &k, &flag, s));
	early = flag; /* the receive may be complete */
	CHECK(!flag || k == 2);
	OK(MPI_Testall(4, r, &flag, s));
	CHECK_EQ(flag, 0);
	check(&w[0], 0, 0);
	OK(MPI_Grequest_complete(r[3]));
	for (k = 2; k == 2; early += k == 2) /* or may have become so by now */
		OK(MPI_Waitany(4, r, &k, &s[0]));
	CHECK_EQ(k, 3);
	check_status(&s[0], 13, 0);
	OK(MPI_Isend(&x, 1, MPI_INT, right_of(me), 1, W, &r[4]));
	OK(MPI_Grequest_complete(r[0]));
	for (int left = 3 - early; left > 0; left -= n) {
		OK(MPI_Waitsome(5, r, &n, which, s));
		if (!CHECK(n > 0))
			break;
		for (k = 0; k < n; k++)
			if (which[k] == 0)
				check_status(&s[k], 10, 0);
	}
	CHECK_EQ(y, left_of(me));
	check(&w[0], 1, 1);
	check(&w[1], 1, 1);
	/* all */
	r[0] = start(&w[0], 10);
	r[1] = start(&w[1], 11);
	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 1, W, &r[2]));
	OK(MPI_Isend(&x, 1, MPI_INT, right_of(me), 1, W, &r[3]));
	OK(MPI_Grequest_complete(r[1]));
	OK(MPI_Grequest_complete(r[0]));
	OK(MPI_Waitall(4, r, s));
	check_status(&s[0], 10, 0);
	check_status(&s[1], 11, 0);
	CHECK_EQ(s[2].MPI_SOURCE, left_of(me));
	check(&w[0], 1, 1);
	check(&w[1], 1, 1);
}

/* The call returns what a callback returns: that of free_fn if it fails. */
static void test_errors(void)
{
	struct work w;
	MPI_Request r = start(&w, 1);
	MPI_Status s[2];
	int class;

	w.query_error = MPI_ERR_IO;
	OK(MPI_Grequest_complete(r));
	CHECK_EQ(MPI_Wait(&r, s), MPI_ERR_IO);
	check(&w, 1, 1);
	r = start(&w, 1);
	w.free_error = MPI_ERR_NO_SPACE;
	OK(MPI_Grequest_complete(r));
	CHECK_EQ(MPI_Wait(&r, s), MPI_ERR_NO_SPACE);
	CHECK(r == MPI_REQUEST_NULL);
	r = start(&w, 1);
	w.free_error = MPI_ERR_NO_SPACE;
	OK(MPI_Grequest_complete(r));
	CHECK_ERROR(MPI_ERR_IN_STATUS, MPI_Waitall(1, &r, s));
	MPI_Error_class(s[0].MPI_ERROR, &class);
	CHECK_EQ(class, MPI_ERR_NO_SPACE);
	CHECK(MPI_Grequest_complete(MPI_REQUEST_NULL) != MPI_SUCCESS);
}

static const struct mpi_case cases[] = {{"from start to wait", test_life},
					{"free and complete", test_free},
					{"cancel", test_cancel},
					{"among others", test_mixed},
					{"errors of callbacks", test_errors},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
