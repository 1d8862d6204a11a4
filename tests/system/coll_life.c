/* SPDX-License-Identifier: Apache-2.0 */
/* coll_life.c tests how long requests, communicators and operations live, and
 * the states of completed, inactive and released requests. */
#include <sys/mman.h>

#include "tests/system/coll_all.h"

static const struct trial_kind *find_kind(const char *name)
{
	for (const struct trial_kind *k = trial_moves; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	for (const struct trial_kind *k = trial_reductions; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	abort();
}

static struct mrt_request *start_ibarrier(struct mrt_comm *comm)
{
	struct mrt_request *request = NULL;

	OK(mrt_ibarrier(comm, &request));
	return request;
}

/* Rank 0 enters when all others have told it that their tests failed. */
static void test_ibarrier(void)
{
	struct mrt_request *request = NULL;
	int flag, one = 1;

	if (me == 0) {
		for (int r = 1; r < np; r++)
			OK(mrt_recv(&one, 1, MRT_INT, r, 5, W, NULL));
		request = start_ibarrier(W);
	} else {
		request = start_ibarrier(W);
		for (int k = 0; k < 200; k++) {
			OK(mrt_test(&request, &flag, NULL));
			CHECK(!flag);
		}
		OK(mrt_send(&one, 1, MRT_INT, 0, 5, W));
	}
	OK(mrt_wait(&request, NULL));
	CHECK(request == MRT_REQUEST_NULL);
}

enum { AT_ONCE = 5 };

static void test_comm_freed(void)
{
	static const char *const names[AT_ONCE] = {"allreduce", "alltoallv",
						   "bcast", "scan", "barrier"};
	struct trial t[AT_ONCE];
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	for (int k = 0; k < AT_ONCE; k++) {
		const struct trial_kind *kind = find_kind(names[k]);

		trial_make(&t[k], kind, 500 + (uint64_t)k, comm);
		trial_call(&t[k], kind, k % 2 ? PERSISTENT : NONBLOCKING);
		if (k % 2)
			OK(mrt_start(&t[k].request));
	}
	OK(mrt_comm_free(&comm));
	for (int k = AT_ONCE - 1; k >= 0; k--) {
		OK(mrt_wait(&t[k].request, NULL));
		trial_check(&t[k], find_kind(names[k]), "freed");
		if (k % 2) {
			/* its communicator still exists for this request */
			trial_fill(&t[k]);
			OK(mrt_start(&t[k].request));
			OK(mrt_wait(&t[k].request, NULL));
			trial_check(&t[k], find_kind(names[k]), "freed, again");
			OK(mrt_request_free(&t[k].request));
		}
		trial_free(&t[k]);
	}
	OK(mrt_barrier(W));
}

/* A message is probed before its communicator is freed and received after. */
static void test_message_of_freed(void)
{
	int out = me, in = -1, right = (me + 1) % np;
	struct mrt_message *message, *other;
	struct mrt_request *requests[3] = {MRT_REQUEST_NULL, MRT_REQUEST_NULL,
					   MRT_REQUEST_NULL};
	struct mrt_status status;
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	OK(mrt_isend(&out, 1, MRT_INT, right, 1, comm, &requests[0]));
	OK(mrt_isend(&out, 1, MRT_INT, right, 2, comm, &requests[1]));
	OK(mrt_mprobe(MRT_ANY_SOURCE, 1, comm, &message, &status));
	OK(mrt_mprobe(MRT_ANY_SOURCE, 2, comm, &other, &status));
	OK(mrt_comm_free(&comm));
	OK(mrt_mrecv(&in, 1, MRT_INT, &message, &status));
	CHECK(in == (me + np - 1) % np && status.source == in);
	in = -1;
	OK(mrt_imrecv(&in, 1, MRT_INT, &other, &requests[2]));
	OK(mrt_waitall(3, requests, NULL));
	CHECK(in == (me + np - 1) % np);
}

/* The error also appears while other ranks have not freed the communicator. */
static void test_error_of_freed(void)
{
	int out[2] = {1, 2}, in = 0;
	struct mrt_request *send, *receive;
	struct mrt_comm *comm;
	enum mrt_error_mode before;

	OK(mrt_comm_dup(W, &comm));
	if (me == 0) {
		before = mrt_set_error_mode(MRT_ERRORS_RETURN);
		OK(mrt_irecv(&in, 1, MRT_INT, 0, 1, comm, &receive));
		OK(mrt_isend(out, 2, MRT_INT, 0, 1, comm, &send));
		OK(mrt_comm_free(&comm));
		FAILS(MRT_ERR_TRUNCATE, mrt_wait(&receive, NULL));
		CHECK(mrt_error_comm() == MRT_COMM_NULL);
		OK(mrt_wait(&send, NULL));
		mrt_set_error_mode(before);
		for (int r = 1; r < np; r++)
			OK(mrt_send(&in, 1, MRT_INT, r, 6, W));
	} else {
		OK(mrt_recv(&in, 1, MRT_INT, 0, 6, W, NULL));
		OK(mrt_comm_free(&comm));
	}
}

static void add_up(const void *in, void *inout, size_t count,
		   struct mrt_type *type, void *context)
{
	CHECK(type == MRT_INT);
	for (size_t k = 0; k < count; k++)
		((int *)inout)[k] += ((const int *)in)[k];
	++*(int *)context;
}

static void test_op_freed(void)
{
	struct mrt_request *one, *many;
	int x = me, y = -1, z = -1, calls = 0;
	struct mrt_op *op;

	OK(mrt_op_create(add_up, &calls, 1, &op));
	OK(mrt_iallreduce(&x, &y, 1, MRT_INT, op, W, &one));
	OK(mrt_allreduce_init(&x, &z, 1, MRT_INT, op, W, &many));
	OK(mrt_op_free(&op));
	CHECK(op == MRT_OP_NULL);
	for (int k = 0; k < 3; k++) {
		OK(mrt_start(&many));
		OK(mrt_wait(&many, NULL));
		CHECK(z == np * (np - 1) / 2);
		z = -1;
	}
	OK(mrt_wait(&one, NULL));
	CHECK(y == np * (np - 1) / 2);
	OK(mrt_allreduce(MRT_IN_PLACE, &calls, 1, MRT_INT, MRT_SUM, W));
	CHECK(np == 1 || calls > 0);
	OK(mrt_request_free(&many));
}

enum { BIG = 40000 }; /* doubles of one element: more than a buffer holds */

static void add_big(const void *in, void *inout, size_t count,
		    struct mrt_type *type, void *context)
{
	(void)type;
	(void)context;
	for (size_t k = 0; k < count * BIG; k++)
		((double *)inout)[k] += ((const double *)in)[k];
}

static void test_big_elements(void)
{
	static double in[2 * BIG], out[2 * BIG];
	struct mrt_type *type;
	struct mrt_op *op;
	int bad = 0;

	for (int k = 0; k < 2 * BIG; k++)
		in[k] = k + me;
	OK(mrt_type_contiguous(BIG, MRT_DOUBLE, &type));
	OK(mrt_type_commit(type));
	OK(mrt_op_create(add_big, NULL, 1, &op));
	OK(mrt_allreduce(in, out, 2, type, op, W));
	for (int k = 0; k < 2 * BIG; k++)
		bad += out[k] != np * (double)k + np * (np - 1) / 2;
	CHECK(bad == 0);
	OK(mrt_scan(in, out, 2, type, op, W));
	for (int k = 0; k < 2 * BIG; k++)
		bad += out[k] != (me + 1) * (double)k + me * (me + 1) / 2;
	CHECK(bad == 0);
	OK(mrt_op_free(&op));
	OK(mrt_type_free(&type));
}

/* A released request goes on: its results arrive while others are waited
 * for. */
static void test_given_up(void)
{
	static int sum, seen;
	struct mrt_request *request, *persistent, *send;
	int one = 1, flag;

	sum = seen = -1;
	OK(mrt_iallreduce(&one, &sum, 1, MRT_INT, MRT_SUM, W, &request));
	OK(mrt_request_free(&request));
	CHECK(request == MRT_REQUEST_NULL);
	OK(mrt_allreduce_init(&one, &seen, 1, MRT_INT, MRT_SUM, W,
			      &persistent));
	OK(mrt_start(&persistent));
	OK(mrt_request_free(&persistent));
	OK(mrt_isend(&one, 1, MRT_INT, right_of(me), 9, W, &send));
	OK(mrt_request_free(&send));
	while (*(volatile int *)&sum != np || *(volatile int *)&seen != np)
		OK(mrt_iprobe(left_of(me), 8, W, &flag, NULL));
	OK(mrt_recv(&one, 1, MRT_INT, left_of(me), 9, W, NULL));
	OK(mrt_barrier(W));
}

static bool is_empty(const struct mrt_status *s)
{
	return s->source == MRT_ANY_SOURCE && s->tag == MRT_ANY_TAG &&
	       !s->bytes && !s->cancelled;
}

static void test_inactive(void)
{
	struct mrt_request *request, *list[2], *none = MRT_REQUEST_NULL;
	struct mrt_status status;
	int flag, index, n, indices[2];

	OK(mrt_barrier_init(W, &request));
	memset(&status, 0x5c, sizeof(status));
	OK(mrt_wait(&request, &status));
	CHECK(request && is_empty(&status));
	OK(mrt_test(&request, &flag, &status));
	CHECK(flag && request && is_empty(&status));
	list[0] = request;
	list[1] = MRT_REQUEST_NULL;
	OK(mrt_waitall(2, list, MRT_STATUSES_IGNORE));
	OK(mrt_testall(2, list, &flag, MRT_STATUSES_IGNORE));
	CHECK(flag);
	OK(mrt_waitany(2, list, &index, &status));
	CHECK(index == MRT_UNDEFINED && is_empty(&status));
	OK(mrt_waitsome(2, list, &n, indices, MRT_STATUSES_IGNORE));
	CHECK(n == MRT_UNDEFINED && list[0] == request);
	FAILS(MRT_ERR_REQUEST, mrt_cancel(&request));
	FAILS(MRT_ERR_REQUEST, mrt_start(&none));
	FAILS(MRT_ERR_REQUEST, mrt_request_free(&none));
	FAILS(MRT_ERR_ARG, mrt_start(NULL));
	FAILS(MRT_ERR_ARG, mrt_startall(1, NULL));
	OK(mrt_startall(1, list));
	FAILS(MRT_ERR_REQUEST, mrt_start(&request));
	OK(mrt_waitany(2, list, &index, &status));
	CHECK(index == 0 && list[0] == request);
	OK(mrt_request_free(&request));
	request = start_ibarrier(W);
	FAILS(MRT_ERR_REQUEST, mrt_start(&request));
	OK(mrt_wait(&request, NULL));
}

/* Starts more requests at once than plans are kept, of equal and of different
 * shapes. */
static void test_crowd(void)
{
	enum { CROWD = 100 };
	struct mrt_request *requests[CROWD];
	static int in[CROWD], out[CROWD][3];

	for (int round = 0; round < 3; round++) {
		for (int k = 0; k < CROWD; k++) {
			in[k] = me + k;
			OK(mrt_iallreduce(&in[k], out[k], 1, MRT_INT, MRT_MAX,
					  W, &requests[k]));
		}
		OK(mrt_waitall(CROWD, requests, MRT_STATUSES_IGNORE));
		for (int k = 0; k < CROWD; k++) {
			CHECK(out[k][0] == np - 1 + k);
			OK(mrt_ibcast(out[k], (size_t)k % 4, MRT_INT, k % np, W,
				      &requests[k]));
		}
		OK(mrt_waitall(CROWD, requests, MRT_STATUSES_IGNORE));
	}
}

static char *map_memory(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		mrt_abort(W, 1);
	return p;
}

/* Blocks lie more than 2^32 elements apart; only their own memory exists. */
static void test_far_apart(void)
{
	enum { BLOCK = 3 };
	size_t step = ((size_t)1 << 32) / (size_t)np + 4099;
	size_t bytes = 2 * step * (size_t)np;
	size_t *counts = calloc((size_t)np, sizeof(*counts));
	ptrdiff_t *displs = calloc((size_t)np, sizeof(*displs));
	char *from = map_memory(bytes), *to = map_memory(bytes);

	for (int r = 0; r < np; r++) {
		counts[r] = BLOCK;
		displs[r] = (ptrdiff_t)(2 * step * (size_t)r + (r ? step : 0));
		memset(from + displs[r], 10 * me + r, BLOCK);
	}
	OK(mrt_alltoallv(from, counts, displs, MRT_CHAR, to, counts, displs,
			 MRT_CHAR, W));
	for (int r = 0; r < np; r++)
		CHECK(to[displs[r] + BLOCK - 1] == (char)(10 * r + me));
	OK(mrt_allgatherv(from + displs[0], BLOCK, MRT_CHAR, to, counts, displs,
			  MRT_CHAR, W));
	for (int r = 0; r < np; r++)
		CHECK(to[displs[r]] == (char)(10 * r));
	munmap(from, bytes);
	munmap(to, bytes);
	free(counts);
	free(displs);
}

/* A call moves more than 2^31 bytes: every page and the end are checked. */
static void test_huge(void)
{
	const size_t bytes = ((size_t)1 << 31) + 5;
	char *buf = map_memory(bytes);
	long bad = 0;

	for (size_t at = 0; at < bytes && me == 0; at += 4096)
		buf[at] = (char)(at / 4096 % 127 + 1);
	if (me == 0)
		buf[bytes - 1] = 99;
	OK(mrt_bcast(buf, bytes, MRT_CHAR, 0, W));
	for (size_t at = 0; at < bytes; at += 4096)
		bad += buf[at] != (char)(at / 4096 % 127 + 1);
	CHECK(bad == 0 && buf[bytes - 1] == 99);
	munmap(buf, bytes);
}

const struct api_case coll_huge[] = {{"more than 2^31 bytes", test_huge},
				     {NULL, NULL}};

/* Must run last: requests are released and not complete when finalize
 * begins. */
static void test_left_to_finalize(void)
{
	static char in[100000], out[100000];
	struct mrt_request *request;

	OK(mrt_iallreduce(in, out, sizeof(in), MRT_SIGNED_CHAR, MRT_SUM, W,
			  &request));
	OK(mrt_request_free(&request));
}

const struct api_case coll_life[] = {
    {"nobody leaves an ibarrier before all are in", test_ibarrier},
    {"communicators freed under way", test_comm_freed},
    {"a message of a freed communicator", test_message_of_freed},
    {"an error of a freed communicator", test_error_of_freed},
    {"operations freed under way", test_op_freed},
    {"elements longer than buffers", test_big_elements},
    {"requests given up", test_given_up},
    {"inactive requests", test_inactive},
    {"a crowd", test_crowd},
    {"blocks far apart", test_far_apart},
    {"requests left to finalize", test_left_to_finalize},
    {NULL, NULL}};
