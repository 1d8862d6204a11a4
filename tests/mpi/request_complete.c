/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_complete.c tests the tests and waits for one, any, some and all:
 * indices, flags, handles and statuses; null and inactive requests; which
 * errors go where; and inquiries that leave the request as it is.
 */
#include "tests/mpi/mpi_test.h"

enum { N = 9 };

static int out[N], in[N];
static MPI_Request sends[N], recvs[N];
static MPI_Status statuses[N];

static void start(void)
{
	for (int k = 0; k < N; k++) {
		out[k] = me * 100 + k;
		in[k] = -1;
		memset(&statuses[k], 0x33, sizeof(statuses[k]));
		OK(MPI_Irecv(&in[k], 1, MPI_INT, left_of(me), k, W, &recvs[k]));
	}
	for (int k = N - 1; k >= 0; k--)
		OK(MPI_Isend(&out[k], 1, MPI_INT, right_of(me), k, W,
			     &sends[k]));
}

static void check_one(int k, const MPI_Status *s)
{
	int count = -1, cancelled = -1;

	CHECK_EQ(in[k], left_of(me) * 100 + k);
	CHECK(recvs[k] == MPI_REQUEST_NULL);
	CHECK_EQ(s->MPI_SOURCE, left_of(me));
	CHECK_EQ(s->MPI_TAG, k);
	CHECK_EQ(s->MPI_ERROR, 0x33333333); /* not touched */
	OK(MPI_Get_count(s, MPI_INT, &count));
	CHECK_EQ(count, 1);
	OK(MPI_Test_cancelled(s, &cancelled));
	CHECK_EQ(cancelled, 0);
}

static void end_sends(void)
{
	OK(MPI_Waitall(N, sends, MPI_STATUSES_IGNORE));
	for (int k = 0; k < N; k++)
		CHECK(sends[k] == MPI_REQUEST_NULL);
}

static void test_one(void)
{
	int flag = 0;

	start();
	for (int k = 0; k < N; k++) {
		if (k % 2) {
			OK(MPI_Wait(&recvs[k], &statuses[k]));
		} else {
			for (flag = 0; !flag;)
				OK(MPI_Test(&recvs[k], &flag, &statuses[k]));
		}
		check_one(k, &statuses[k]);
	}
	end_sends();
}

static void test_all(void)
{
	int flag = 0;

	start();
	OK(MPI_Waitall(N, recvs, statuses));
	for (int k = 0; k < N; k++)
		check_one(k, &statuses[k]);
	end_sends();
	start();
	while (!flag)
		OK(MPI_Testall(N, recvs, &flag, statuses));
	for (int k = 0; k < N; k++)
		check_one(k, &statuses[k]);
	end_sends();
}

static void test_any(void)
{
	for (int how = 0; how < 2; how++) {
		start();
		for (int left = N; left; left--) {
			int k = -1, flag = !how;
			MPI_Status s;

			memset(&s, 0x33, sizeof(s));
			if (!how)
				OK(MPI_Waitany(N, recvs, &k, &s));
			while (!flag)
				OK(MPI_Testany(N, recvs, &k, &flag, &s));
			if (CHECK(k >= 0 && k < N))
				check_one(k, &s);
		}
		end_sends();
	}
}

static void test_some(void)
{
	for (int how = 0; how < 2; how++) {
		int left = N, n, which[N];

		start();
		while (left > 0) {
			memset(statuses, 0x33, sizeof(statuses));
			if (how)
				OK(MPI_Testsome(N, recvs, &n, which, statuses));
			else
				OK(MPI_Waitsome(N, recvs, &n, which, statuses));
			if (!CHECK(n >= !how && n <= left))
				break;
			for (int k = 0; k < n; k++)
				check_one(which[k], &statuses[k]);
			left -= n;
		}
		end_sends();
	}
}

/* ---- None ---------------------------------------------------------------- */

static void check_empty(const MPI_Status *s)
{
	int count = -1, cancelled = -1;

	CHECK_EQ(s->MPI_SOURCE, MPI_ANY_SOURCE);
	CHECK_EQ(s->MPI_TAG, MPI_ANY_TAG);
	OK(MPI_Get_count(s, MPI_INT, &count));
	CHECK_EQ(count, 0);
	OK(MPI_Test_cancelled(s, &cancelled));
	CHECK_EQ(cancelled, 0);
}

/* Tests null requests, or inactive ones: they are complete, with the empty
 * status. */
static void none(int n, MPI_Request *r)
{
	int flag = 0, k = 7, count = 7, which[2];
	MPI_Status s[2];

	memset(s, 0x33, sizeof(s));
	for (int i = 0; i < n; i++) {
		OK(MPI_Wait(&r[i], &s[0]));
		check_empty(&s[0]);
		flag = 0;
		OK(MPI_Test(&r[i], &flag, &s[1]));
		CHECK(flag);
		check_empty(&s[1]);
		memset(s, 0x33, sizeof(s));
		flag = 0;
		OK(MPI_Request_get_status(r[i], &flag, &s[0]));
		CHECK(flag);
		check_empty(&s[0]);
	}
	OK(MPI_Waitall(n, r, s));
	flag = 0;
	OK(MPI_Testall(n, r, &flag, s));
	CHECK(flag);
	for (int i = 0; i < n; i++)
		check_empty(&s[i]);
	memset(s, 0x33, sizeof(s));
	OK(MPI_Waitany(n, r, &k, s));
	CHECK_EQ(k, MPI_UNDEFINED);
	check_empty(s);
	k = flag = 0;
	memset(s, 0x33, sizeof(s));
	OK(MPI_Testany(n, r, &k, &flag, s));
	CHECK_EQ(k, MPI_UNDEFINED);
	CHECK(flag);
	check_empty(s);
	OK(MPI_Waitsome(n, r, &count, which, s));
	CHECK_EQ(count, MPI_UNDEFINED);
	count = 7;
	OK(MPI_Testsome(n, r, &count, which, s));
	CHECK_EQ(count, MPI_UNDEFINED);
}

static void test_none(void)
{
	MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

	none(0, r);
	none(2, r);
	OK(MPI_Recv_init(in, 1, MPI_INT, left_of(me), 0, W, &r[0]));
	none(2, r);
	OK(MPI_Send_init(out, 1, MPI_INT, right_of(me), 0, W, &r[1]));
	none(2, r);
	OK(MPI_Startall(2, r));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	none(2, r);
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
	none(2, r);
}

/* Tests one active request among null ones. */
static void test_mixed(void)
{
	MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL,
			    MPI_REQUEST_NULL};
	int k, x = me, y = -1, n, which[3];

	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 3, W, &r[1]));
	OK(MPI_Send(&x, 1, MPI_INT, right_of(me), 3, W));
	OK(MPI_Waitany(3, r, &k, MPI_STATUS_IGNORE));
	CHECK_EQ(k, 1);
	CHECK_EQ(y, left_of(me));
	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 3, W, &r[2]));
	OK(MPI_Send(&x, 1, MPI_INT, right_of(me), 3, W));
	OK(MPI_Waitsome(3, r, &n, which, MPI_STATUSES_IGNORE));
	CHECK_EQ(n, 1);
	CHECK_EQ(which[0], 2);
}

/* ---- Errors ---------------------------------------------------------------
 */

static int class_of(int code)
{
	int class = code;

	MPI_Error_class(code, &class);
	return class;
}

/* Starts receives of tags 0..2; that of tag 1 is too short by a byte. */
static void start_truncated(MPI_Request *r)
{
	for (int k = 0; k < 3; k++)
		OK(MPI_Irecv(&in[k], k == 1 ? 3 : 4, MPI_BYTE, left_of(me), k,
			     W, &r[k]));
	for (int k = 0; k < 3; k++)
		OK(MPI_Send(&out[k], 4, MPI_BYTE, right_of(me), k, W));
}

static void test_in_status(void)
{
	MPI_Request r[3];
	MPI_Status s[3];
	int flag = 0, rc = 0, n, which[3], failed = 0;

	start_truncated(r);
	CHECK_ERROR(MPI_ERR_IN_STATUS, MPI_Waitall(3, r, s));
	for (int k = 0; k < 3; k++) {
		int class = class_of(s[k].MPI_ERROR);

		CHECK(k == 1
			  ? class == MPI_ERR_TRUNCATE
			  : class == MPI_SUCCESS || class == MPI_ERR_PENDING);
		if (class == MPI_ERR_PENDING)
			OK(MPI_Wait(&r[k], &s[k]));
		CHECK(r[k] == MPI_REQUEST_NULL);
	}
	start_truncated(r);
	while (!flag && !rc)
		rc = MPI_Testall(3, r, &flag, s);
	CHECK_EQ(class_of(rc), MPI_ERR_IN_STATUS);
	CHECK_EQ(class_of(s[1].MPI_ERROR), MPI_ERR_TRUNCATE);
	start_truncated(r);
	for (int left = 3; left > 0; left -= n) {
		rc = MPI_Waitsome(3, r, &n, which, s);
		if (!CHECK(n > 0 && n <= left))
			break;
		for (int k = 0; k < n && rc; k++) {
			CHECK_EQ(class_of(rc), MPI_ERR_IN_STATUS);
			CHECK_EQ(class_of(s[k].MPI_ERROR),
				 which[k] == 1 ? MPI_ERR_TRUNCATE
					       : MPI_SUCCESS);
		}
		failed += rc != MPI_SUCCESS;
	}
	CHECK_EQ(failed, 1);
	start_truncated(r);
	CHECK_EQ(class_of(MPI_Waitall(3, r, MPI_STATUSES_IGNORE)),
		 MPI_ERR_IN_STATUS);
}

static void test_truncated(void)
{
	MPI_Request r[3];
	MPI_Status s;
	int flag = 0, k, rc;

	start_truncated(r);
	CHECK_ERROR(MPI_SUCCESS, MPI_Wait(&r[0], &s));
	CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&r[1], &s));
	CHECK_EQ(s.MPI_SOURCE, left_of(me));
	CHECK(r[1] == MPI_REQUEST_NULL);
	CHECK_ERROR(MPI_SUCCESS, MPI_Wait(&r[2], &s));
	start_truncated(r);
	for (rc = 0; !flag && !rc;)
		rc = MPI_Test(&r[1], &flag, &s);
	CHECK_EQ(class_of(rc), MPI_ERR_TRUNCATE);
	CHECK_ERROR(MPI_SUCCESS, MPI_Wait(&r[2], &s));
	OK(MPI_Wait(&r[0], &s));
	start_truncated(r);
	for (int left = 3; left; left--) {
		rc = MPI_Waitany(3, r, &k, &s);
		CHECK_EQ(class_of(rc), k == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
	}
}

static void test_arguments(void)
{
	MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	int flag, k;

	CHECK(MPI_Waitall(-1, r, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
	CHECK(MPI_Waitany(-1, r, &k, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	CHECK(MPI_Testsome(-1, r, &k, &flag, MPI_STATUSES_IGNORE) !=
	      MPI_SUCCESS);
	CHECK(MPI_Startall(-1, r) != MPI_SUCCESS);
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Start(&r[0]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&r[0]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Request_free(&r[0]));
}

/* ---- Looking ---------------------------------------------------------------
 */

static void test_get_status(void)
{
	MPI_Request r;
	MPI_Status s;
	int x = me, y = -1, flag = 1, go = 0;

	memset(&s, 0x33, sizeof(s));
	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 1, W, &r));
	OK(MPI_Request_get_status(r, &flag, &s));
	CHECK_EQ(flag, 0);
	OK(MPI_Barrier(W));
	OK(MPI_Sendrecv(&go, 0, MPI_INT, left_of(me), 2, &go, 0, MPI_INT,
			right_of(me), 2, W, MPI_STATUS_IGNORE));
	OK(MPI_Send(&x, 1, MPI_INT, right_of(me), 1, W));
	while (!flag)
		OK(MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE));
	for (int k = 0; k < 2; k++) { /* the request stays */
		OK(MPI_Request_get_status(r, &flag, &s));
		CHECK(flag && r != MPI_REQUEST_NULL);
		CHECK_EQ(s.MPI_SOURCE, left_of(me));
		CHECK_EQ(s.MPI_TAG, 1);
		CHECK_EQ(s.MPI_ERROR, 0x33333333);
	}
	CHECK_EQ(y, left_of(me));
	OK(MPI_Wait(&r, &s));
	CHECK(r == MPI_REQUEST_NULL);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void test_get_statuses(void)
{
	int flag = 0, k, n = 0, which[N];

	start();
	while (!flag)
		OK(MPI_Request_get_status_any(N, recvs, &k, &flag,
					      &statuses[0]));
	CHECK(k >= 0 && k < N && recvs[k] != MPI_REQUEST_NULL);
	CHECK_EQ(statuses[0].MPI_TAG, k);
	while (n < N)
		OK(MPI_Request_get_status_some(N, recvs, &n, which, statuses));
	for (k = 0; k < N; k++) {
		CHECK_EQ(which[k], k);
		CHECK_EQ(statuses[k].MPI_TAG, k);
	}
	OK(MPI_Request_get_status_all(N, recvs, &flag, statuses));
	CHECK(flag);
	OK(MPI_Waitall(N, recvs, MPI_STATUSES_IGNORE));
	OK(MPI_Request_get_status_all(N, recvs, &flag, statuses));
	CHECK(flag);
	check_empty(&statuses[N - 1]);
	OK(MPI_Request_get_status_any(N, recvs, &k, &flag, statuses));
	CHECK(flag && k == MPI_UNDEFINED);
	OK(MPI_Request_get_status_some(N, recvs, &n, which, statuses));
	CHECK_EQ(n, MPI_UNDEFINED);
	end_sends();
}
#endif

static const struct mpi_case cases[] = {
    {"wait and test", test_one},
    {"all", test_all},
    {"any", test_any},
    {"some", test_some},
    {"none", test_none},
    {"one among none", test_mixed},
    {"MPI_ERR_IN_STATUS", test_in_status},
    {"truncated by a byte", test_truncated},
    {"arguments", test_arguments},
    {"get_status", test_get_status},
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    {"get_status of several", test_get_statuses},
#endif
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
