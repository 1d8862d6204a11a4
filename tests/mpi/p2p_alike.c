/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_alike.c sends and receives by other types of the same signature, which is
 * right, and of another one, which MRT_CHECK=1 must find, by all kinds of sends
 * and receives and of all lengths (MPI 5.0, 3.3.1). Each rank sends to its
 * right. disagree.t runs this program.
 */
#include "tests/mpi/mpi_test.h"

enum { MOST = 30000 }; /* ints: longer than any eager message */
static int in[2 * MOST], out[2 * MOST];
static const int lengths[] = {12, 600, MOST};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]), WAYS = 8 };

struct side {
	int count;
	MPI_Datatype type;
};

/* Exchanges one message. Returns the error of the receive. */
static int exchange(int way, const struct side *s, const struct side *r)
{
	static char buffer[4 * MOST + MPI_BSEND_OVERHEAD];
	int size = sizeof(buffer), to = right_of(me), from = left_of(me), rc;
	MPI_Message message;
	MPI_Request q[2];
	MPI_Status statuses[2];

	if (way == 0)
		return MPI_Sendrecv(in, s->count, s->type, to, 3, out, r->count,
				    r->type, from, 3, W, MPI_STATUS_IGNORE);
	if (way == 1) {
		OK(MPI_Isendrecv(in, s->count, s->type, to, 3, out, r->count,
				 r->type, from, 3, W, q));
		return MPI_Wait(q, MPI_STATUS_IGNORE);
	}
	if (way == 2) { /* persistent */
		OK(MPI_Recv_init(out, r->count, r->type, from, 3, W, &q[1]));
		OK(MPI_Send_init(in, s->count, s->type, to, 3, W, &q[0]));
		OK(MPI_Startall(2, q));
		rc = MPI_Waitall(2, q, statuses);
		OK(MPI_Request_free(&q[0]));
		OK(MPI_Request_free(&q[1]));
		return rc ? statuses[1].MPI_ERROR : rc;
	}
	if (way == 3) /* a wildcard */
		OK(MPI_Irecv(out, r->count, r->type, MPI_ANY_SOURCE, 3, W,
			     &q[1]));
	if (way == 4 || way == 5)
		OK(MPI_Issend(in, s->count, s->type, to, 3, W, q));
	else if (way == 6)
		OK(MPI_Buffer_attach(buffer, size));
	if (way == 6)
		OK(MPI_Ibsend(in, s->count, s->type, to, 3, W, q));
	else if (way != 4 && way != 5)
		OK(MPI_Isend(in, s->count, s->type, to, 3, W, q));
	if (way == 3) {
		rc = MPI_Wait(&q[1], MPI_STATUS_IGNORE);
	} else if (way == 5) {
		OK(MPI_Mprobe(from, 3, W, &message, MPI_STATUS_IGNORE));
		rc = MPI_Mrecv(out, r->count, r->type, &message,
			       MPI_STATUS_IGNORE);
	} else {
		rc = MPI_Recv(out, r->count, r->type, from, MPI_ANY_TAG, W,
			      MPI_STATUS_IGNORE);
	}
	OK(MPI_Wait(q, MPI_STATUS_IGNORE));
	if (way == 6)
		OK(MPI_Buffer_detach(&message, &size));
	return rc;
}

static int class_of(int rc)
{
	int class;

	MPI_Error_class(rc, &class);
	return class;
}

static void try_all(struct side s, struct side r, int want)
{
	for (int way = 0; way < WAYS; way++) {
		memset(out, -1, sizeof(out));
		if (!CHECK_EQ(class_of(exchange(way, &s, &r)), want))
			fprintf(stderr, "# way %d, %d sent\n", way, s.count);
		for (int i = 0; want && i < 2 * MOST; i++)
			if (out[i] != -1 && !CHECK(!"something is received"))
				return;
	}
	MPI_Barrier(W);
}

static MPI_Datatype pair_of(MPI_Datatype a, MPI_Datatype b)
{
	const MPI_Datatype types[] = {a, b};
	const int lengths_of[] = {1, 1};
	const MPI_Aint at[] = {0, 8};
	MPI_Datatype type;

	MPI_Type_create_struct(2, lengths_of, at, types, &type);
	MPI_Type_commit(&type);
	return type;
}

static void same(void)
{
	MPI_Datatype ints, holes, mixed, strange;

	OK(MPI_Type_contiguous(4, MPI_INT, &ints));
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &holes));
	OK(MPI_Type_commit(&ints));
	OK(MPI_Type_commit(&holes));
	mixed = pair_of(MPI_DOUBLE, MPI_INT);
	strange = pair_of(MPI_INT, MPI_INT);
	for (int k = 0; k < LENGTHS; k++) {
		int n = lengths[k];

		try_all((struct side){n, MPI_INT}, (struct side){n / 4, ints},
			0);
		try_all((struct side){n / 2, holes}, (struct side){n, MPI_INT},
			0);
		try_all((struct side){n, MPI_INT},
			(struct side){n / 2 + 1, strange}, 0);
		try_all((struct side){n / 2 - 1, strange},
			(struct side){n / 4, ints}, 0);
		try_all((struct side){n / 4, mixed},
			(struct side){n / 4 + 2, MPI_DOUBLE_INT}, 0);
		try_all((struct side){n, MPI_INT},
			(struct side){4 * n, MPI_PACKED}, 0);
		try_all((struct side){n, MPI_INT},
			(struct side){n, MPI_INT32_T}, 0);
	}
	try_all((struct side){0, MPI_INT}, (struct side){3, MPI_DOUBLE}, 0);
	OK(MPI_Type_free(&ints));
	OK(MPI_Type_free(&holes));
	OK(MPI_Type_free(&mixed));
	OK(MPI_Type_free(&strange));
}

static void others(void)
{
	MPI_Datatype mixed = pair_of(MPI_DOUBLE, MPI_INT);
	MPI_Datatype turned = pair_of(MPI_INT, MPI_DOUBLE);
	const char *check = getenv("MRT_CHECK");

	if (!check)
		mpi_test_skip("MRT_CHECK=1 alone compares");

	for (int k = 0; k < LENGTHS && check; k++) {
		int n = lengths[k];

		try_all((struct side){n, MPI_INT}, (struct side){n, MPI_FLOAT},
			MPI_ERR_TYPE);
		try_all((struct side){n / 2, MPI_INT},
			(struct side){n, MPI_UNSIGNED}, MPI_ERR_TYPE);
		try_all((struct side){n / 4, mixed},
			(struct side){n / 4, turned}, MPI_ERR_TYPE);
		try_all((struct side){n, MPI_INT},
			(struct side){4 * n, MPI_BYTE}, MPI_ERR_TYPE);
		/* and it goes on */
		try_all((struct side){n / 4, mixed},
			(struct side){n / 4, mixed}, 0);
	}
	OK(MPI_Type_free(&mixed));
	OK(MPI_Type_free(&turned));
}

int main(int argc, char **argv)
{
	static const struct mpi_case cases[] = {
	    {"messages of the same signature", same},
	    {"messages of another signature", others},
	    {NULL, NULL}};

	return mpi_test_run(argc, argv, cases);
}
