/* SPDX-License-Identifier: Apache-2.0 */
/* p2p_sendrecv.c tests sends and receives in one call: around the ring, to the
 * own rank, of different lengths, in one buffer, and in one request. */
#include "tests/mpi/mpi_test.h"

enum { LONG = 50000 };
static const int lengths[] = {0, 1, 3, 700, LONG};
enum { LENGTHS = sizeof(lengths) / sizeof(*lengths) };

static int out[LONG], in[LONG];

static void fill(int *buf, int n, int key)
{
	for (int k = 0; k < n; k++)
		buf[k] = key + k;
}

static void check(const int *buf, int n, int key)
{
	for (int k = 0; k < n; k++)
		if (!CHECK_EQ(buf[k], key + k))
			return;
}

static void check_status(const MPI_Status *s, int from, int tag, int n)
{
	int count;

	CHECK_EQ(s->MPI_SOURCE, from);
	CHECK_EQ(s->MPI_TAG, tag);
	OK(MPI_Get_count(s, MPI_INT, &count));
	CHECK_EQ(count, n);
}

static void test_sendrecv(void)
{
	MPI_Status s;

	for (int k = 0; k < LENGTHS; k++) {
		fill(out, lengths[k], me);
		OK(MPI_Sendrecv(out, lengths[k], MPI_INT, right_of(me), k, in,
				LONG, MPI_INT, left_of(me), k, W, &s));
		check_status(&s, left_of(me), k, lengths[k]);
		check(in, lengths[k], left_of(me));
		OK(MPI_Sendrecv(out, lengths[k], MPI_INT, me, 9, in, LONG,
				MPI_INT, me, MPI_ANY_TAG, W, &s));
		check_status(&s, me, 9, lengths[k]);
		check(in, lengths[k], me);
	}
}

static void test_replace(void)
{
	MPI_Status s;

	for (int k = 0; k < LENGTHS; k++) {
		fill(in, lengths[k], me);
		for (int turn = 1; turn <= np; turn++) {
			OK(MPI_Sendrecv_replace(in, lengths[k], MPI_INT,
						right_of(me), turn, left_of(me),
						turn, W, &s));
			check_status(&s, left_of(me), turn, lengths[k]);
			check(in, lengths[k], (me + np * turn - turn) % np);
		}
	}
}

/* One end is MPI_PROC_NULL, so that the ranks form a line, not a ring. */
static void test_line(void)
{
	int right = me == np - 1 ? MPI_PROC_NULL : me + 1;
	int left = me == 0 ? MPI_PROC_NULL : me - 1;
	MPI_Status s;

	in[0] = me;
	OK(MPI_Sendrecv_replace(in, 1, MPI_INT, right, 1, left, 1, W, &s));
	CHECK_EQ(in[0], me ? me - 1 : 0);
	CHECK_EQ(s.MPI_SOURCE, left);
	out[0] = me;
	in[0] = -1;
	OK(MPI_Sendrecv(out, 1, MPI_INT, left, 2, in, 1, MPI_INT, right, 2, W,
			&s));
	CHECK_EQ(in[0], me < np - 1 ? me + 1 : -1);
	CHECK_EQ(s.MPI_SOURCE, right);
}

static void test_errors(void)
{
	MPI_Status s;

	CHECK_ERROR(MPI_ERR_RANK, MPI_Sendrecv(out, 1, MPI_INT, np, 0, in, 1,
					       MPI_INT, 0, 0, W, &s));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Sendrecv(out, 1, MPI_INT, 0, 0, in, 1,
					       MPI_INT, np, 0, W, &s));
	CHECK_ERROR(MPI_ERR_TAG, MPI_Sendrecv(out, 1, MPI_INT, 0, -1, in, 1,
					      MPI_INT, 0, 0, W, &s));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Sendrecv_replace(in, -1, MPI_INT, 0, 0, 0, 0, W, &s));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Sendrecv_replace(in, 1, MPI_DATATYPE_NULL,
						       0, 0, 0, 0, W, &s));
	CHECK_ERROR(MPI_ERR_TRUNCATE,
		    MPI_Sendrecv(out, 5, MPI_BYTE, right_of(me), 6, in, 4,
				 MPI_BYTE, left_of(me), 6, W, &s));
}

#if MPI_VERSION >= 4
static void test_isendrecv(void)
{
	MPI_Request r[2];
	MPI_Status s[2];

	for (int k = 0; k < LENGTHS; k++) {
		int n = lengths[k];
		int *swap = malloc((LONG + 1) * sizeof(int));

		fill(out, n, me);
		fill(swap, n, me + 50);
		OK(MPI_Isendrecv(out, n, MPI_INT, right_of(me), k, in, LONG,
				 MPI_INT, left_of(me), k, W, &r[0]));
		OK(MPI_Isendrecv_replace(swap, n, MPI_INT, left_of(me), 30 + k,
					 right_of(me), 30 + k, W, &r[1]));
		OK(MPI_Waitall(2, r, s));
		check_status(&s[0], left_of(me), k, n);
		check_status(&s[1], right_of(me), 30 + k, n);
		check(in, n, left_of(me));
		check(swap, n, right_of(me) + 50);
		CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
		free(swap);
	}
}

/* The request is complete only when both are: nobody receives what rank 0
 * sends until it has said that its request is not complete. */
static void test_both(void)
{
	MPI_Request r;
	MPI_Status s;
	int flag = 1, go = 0;

	if (np < 2 || me > 1)
		return;
	if (me == 0) {
		OK(MPI_Isendrecv(out, LONG, MPI_INT, 1, 1, in, 1, MPI_INT, 1, 2,
				 W, &r));
		OK(MPI_Recv(&go, 1, MPI_INT, 1, 3, W, MPI_STATUS_IGNORE));
		OK(MPI_Test(&r, &flag, &s));
		CHECK_EQ(flag, 0);
		OK(MPI_Ssend(&go, 1, MPI_INT, 1, 4, W));
		OK(MPI_Wait(&r, &s));
		check_status(&s, 1, 2, 1);
		CHECK_EQ(in[0], 88);
	} else {
		out[0] = 88;
		OK(MPI_Send(out, 1, MPI_INT, 0, 2, W));
		OK(MPI_Send(&go, 1, MPI_INT, 0, 3, W));
		OK(MPI_Recv(&go, 1, MPI_INT, 0, 4, W, MPI_STATUS_IGNORE));
		OK(MPI_Recv(in, LONG, MPI_INT, 0, 1, W, MPI_STATUS_IGNORE));
	}
}

static void test_itruncated(void)
{
	MPI_Request r;
	MPI_Status s;

	OK(MPI_Isendrecv(out, 2, MPI_INT, right_of(me), 1, in, 1, MPI_INT,
			 left_of(me), 1, W, &r));
	CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&r, &s));
	CHECK(r == MPI_REQUEST_NULL);
	CHECK_ERROR(MPI_ERR_RANK, MPI_Isendrecv(out, 1, MPI_INT, np, 1, in, 1,
						MPI_INT, 0, 1, W, &r));
}
#endif

/* The message is sent with one tag and received with the other. */
static void test_replace_tags(void)
{
	int x = me, from = left_of(me);
	MPI_Status s;

	OK(MPI_Sendrecv_replace(&x, 1, MPI_INT, right_of(me), 10 + me, from,
				10 + from, W, &s));
	CHECK_EQ(x, from);
	CHECK_EQ(s.MPI_TAG, 10 + from);
}

static const struct mpi_case cases[] = {
    {"sendrecv", test_sendrecv},
    {"sendrecv_replace", test_replace},
    {"the ends of a line", test_line},
    {"errors", test_errors},
#if MPI_VERSION >= 4
    {"isendrecv, isendrecv_replace", test_isendrecv},
    {"isendrecv completes both", test_both},
    {"isendrecv of too much", test_itruncated},
#endif
    {"replace with two tags", test_replace_tags},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
