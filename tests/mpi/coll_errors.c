/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_errors.c checks the error classes of wrong arguments of collectives, and
 * calls that look wrong and are not: counts of empty transfers, arguments that
 * do not count.
 */
#include "tests/mpi/mpi_test.h"

static int a[64], b[64];

/* Tries all three forms; each rank finds the error alone. */
#define WRONG(class, Name, name, ...)                                          \
	do {                                                                   \
		MPI_Request q_ = MPI_REQUEST_NULL;                             \
		CHECK_ERROR(class, MPI_##Name(__VA_ARGS__));                   \
		CHECK_ERROR(class, MPI_I##name(__VA_ARGS__, &q_));             \
		CHECK_ERROR(class, MPI_##Name##_init(__VA_ARGS__,              \
						     MPI_INFO_NULL, &q_));     \
		CHECK(q_ == MPI_REQUEST_NULL);                                 \
	} while (0)

static void roots(void)
{
	WRONG(MPI_ERR_ROOT, Bcast, bcast, a, 1, MPI_INT, np, W);
	WRONG(MPI_ERR_ROOT, Reduce, reduce, a, b, 1, MPI_INT, MPI_SUM, -1, W);
	WRONG(MPI_ERR_ROOT, Gather, gather, a, 1, MPI_INT, b, 1, MPI_INT, np,
	      W);
	WRONG(MPI_ERR_ROOT, Scatter, scatter, a, 1, MPI_INT, b, 1, MPI_INT,
	      MPI_PROC_NULL, W);
}

static void handles(void)
{
	WRONG(MPI_ERR_TYPE, Bcast, bcast, a, 1, MPI_DATATYPE_NULL, 0, W);
	WRONG(MPI_ERR_OP, Allreduce, allreduce, a, b, 1, MPI_INT, MPI_OP_NULL,
	      W);
	WRONG(MPI_ERR_OP, Scan, scan, a, b, 1, MPI_DOUBLE, MPI_BXOR, W);
	WRONG(MPI_ERR_OP, Reduce, reduce, a, b, 1, MPI_INT, MPI_MAXLOC, 0, W);
	WRONG(MPI_ERR_OP, Exscan, exscan, a, b, 1, MPI_FLOAT_INT, MPI_SUM, W);
}

static void counts(void)
{
	int negative[64], ones[64], zeros[64] = {0};

	for (int r = 0; r < 64; r++) {
		negative[r] = -1;
		ones[r] = 1;
	}
	WRONG(MPI_ERR_COUNT, Bcast, bcast, a, -1, MPI_INT, 0, W);
	WRONG(MPI_ERR_COUNT, Allreduce, allreduce, a, b, -2, MPI_INT, MPI_SUM,
	      W);
	WRONG(MPI_ERR_COUNT, Alltoallv, alltoallv, a, negative, zeros, MPI_INT,
	      b, ones, zeros, MPI_INT, W);
	WRONG(MPI_ERR_COUNT, Allgatherv, allgatherv, a, 1, MPI_INT, b, negative,
	      zeros, MPI_INT, W);
	WRONG(MPI_ERR_COUNT, Reduce_scatter, reduce_scatter, a, b, negative,
	      MPI_INT, MPI_SUM, W);
}

static void buffers(void)
{
	WRONG(MPI_ERR_BUFFER, Allreduce, allreduce, a, a, 4, MPI_INT, MPI_SUM,
	      W);
	WRONG(MPI_ERR_BUFFER, Bcast, bcast, MPI_IN_PLACE, 1, MPI_INT, 0, W);
	WRONG(MPI_ERR_BUFFER, Allreduce, allreduce, a, MPI_IN_PLACE, 1, MPI_INT,
	      MPI_SUM, W);
	WRONG(MPI_ERR_BUFFER, Allgather, allgather, a, 1, MPI_INT, MPI_IN_PLACE,
	      1, MPI_INT, W);
	WRONG(MPI_ERR_BUFFER, Allreduce, allreduce, NULL, b, 1, MPI_INT,
	      MPI_SUM, W);
	if (np > 1 && me == 0) {
		WRONG(MPI_ERR_BUFFER, Gather, gather, MPI_IN_PLACE, 1, MPI_INT,
		      b, 1, MPI_INT, 1, W);
		WRONG(MPI_ERR_BUFFER, Reduce, reduce, MPI_IN_PLACE, b, 1,
		      MPI_INT, MPI_SUM, 1, W);
		WRONG(MPI_ERR_BUFFER, Scatter, scatter, a, 1, MPI_INT,
		      MPI_IN_PLACE, 1, MPI_INT, 1, W);
	}
}

/* Tries wrong arguments with types that have holes. */
static void derived(void)
{
	MPI_Datatype odd, raw;

	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &odd));
	OK(MPI_Type_dup(odd, &raw));
	WRONG(MPI_ERR_TYPE, Bcast, bcast, a, 1, raw, 0, W);
	OK(MPI_Type_commit(&odd));
	WRONG(MPI_ERR_COUNT, Bcast, bcast, a, -1, odd, 0, W);
	WRONG(MPI_ERR_BUFFER, Bcast, bcast, NULL, 1, odd, 0, W);
	WRONG(MPI_ERR_BUFFER, Bcast, bcast, MPI_IN_PLACE, 1, odd, 0, W);
	WRONG(MPI_ERR_BUFFER, Allgather, allgather, a, 1, odd, MPI_IN_PLACE, 1,
	      odd, W);
	WRONG(MPI_ERR_OP, Allreduce, allreduce, a, b, 1, odd, MPI_SUM, W);
	WRONG(MPI_ERR_TRUNCATE, Alltoall, alltoall, a, 2, odd, b, 1, odd, W);
	OK(MPI_Type_free(&odd));
	OK(MPI_Type_free(&raw));
}

static void nothing(void)
{
	int zeros[64] = {0};
	MPI_Request request;

	OK(MPI_Bcast(NULL, 0, MPI_INT, 0, W));
	OK(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, W));
	OK(MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_CHAR, W));
	OK(MPI_Alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros,
			 MPI_INT, W));
	OK(MPI_Reduce_scatter(NULL, NULL, zeros, MPI_INT, MPI_SUM, W));
	OK(MPI_Iallgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, W, &request));
	OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	OK(MPI_Exscan(NULL, NULL, 0, MPI_DOUBLE, MPI_PROD, W));
}

/* Arguments that do not count at this rank may be anything. */
static void ignored(void)
{
	MPI_Datatype bad = MPI_DATATYPE_NULL;
	int x = 7 + me, ones[64], steps[64];

	for (int r = 0; r < 64; r++) {
		ones[r] = 1;
		steps[r] = r;
	}
	if (me)
		OK(MPI_Gatherv(&x, 1, MPI_INT, NULL, NULL, NULL, bad, 0, W));
	else
		OK(MPI_Gatherv(&x, 1, MPI_INT, b, ones, steps, MPI_INT, 0, W));
	CHECK(me || b[np - 1] == 6 + np);
	if (me)
		OK(MPI_Scatterv(NULL, NULL, NULL, bad, &x, 1, MPI_INT, 0, W));
	else
		OK(MPI_Scatterv(b, ones, steps, MPI_INT, &x, 1, MPI_INT, 0, W));
	CHECK_EQ(x, 7 + me);
	OK(MPI_Exscan(&x, me ? &b[0] : NULL, 1, MPI_INT, MPI_MAX, W));
	CHECK(!me || b[0] == 6 + me);
	for (int r = 0; r < np; r++)
		b[r] = r;
	OK(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, bad, b, ones, steps, MPI_INT,
			 W));
	CHECK_EQ(b[0], me);
}

/* Counts that disagree are an error of the ranks that get too much; no rank
 * waits for ever. */
static void disagreeing(void)
{
	int counts[64], steps[64] = {0}, zeros[64] = {0};
	int rc, class = MPI_SUCCESS;

	for (int r = 0; r < 64; r++)
		counts[r] = r == me ? 0 : 1;
	/* rank 0 sends, and no rank expects it */
	rc = MPI_Alltoallv(a, me ? zeros : counts, steps, MPI_INT, b, zeros,
			   steps, MPI_INT, W);
	if (rc)
		MPI_Error_class(rc, &class);
	if (getenv("MRT_CHECK") && np > 1) /* libmrt then compares first */
		CHECK_EQ(class, MPI_ERR_ARG);
	else if (me || class != MPI_SUCCESS) /* rank 0 may hear of it in time */
		CHECK_EQ(class, MPI_ERR_TRUNCATE);
	OK(MPI_Barrier(W));
}

static const struct mpi_case cases[] = {
    {"roots", roots},
    {"handles", handles},
    {"counts", counts},
    {"buffers", buffers},
    {"types with holes", derived},
    {"nothing to move", nothing},
    {"arguments that do not count", ignored},
    {"counts that disagree", disagreeing},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
