/* SPDX-License-Identifier: Apache-2.0 */
/* intercomm_life.c tests collectives of intercommunicators that overlap,
 * outlive their communicator, or are called wrongly. */
#include "tests/system/intercomm.h"

enum { MANY = 20 };

static void each_way(void (*test)(struct pair *p))
{
	for (enum way way = 0; way < WAYS; way++) {
		struct pair p;

		if (!possible(way))
			continue;
		p = make_pair(way);
		if (p.side < 2)
			test(&p);
		free_pair(&p);
	}
}

static int sum_of_others(const struct pair *p)
{
	int sum = 0;

	for (int r = 0; r < p->other; r++)
		sum += opposite(p, r);
	return sum;
}

/* The other side starts only after it has heard that this side has started. */
static void check_start(struct pair *p)
{
	int token = 1, sum = -1, copy = me;
	struct mrt_request *r[3];

	if (p->side == 1)
		for (int k = 0; k < p->other; k++)
			OK(mrt_recv(&token, 1, MRT_INT, k, 0, p->inter,
				    MRT_STATUS_IGNORE));
	OK(mrt_iallreduce(&me, &sum, 1, MRT_INT, MRT_SUM, p->inter, &r[0]));
	OK(mrt_ibarrier(p->inter, &r[1]));
	OK(mrt_ibcast(&copy, 1, MRT_INT,
		      p->side	? 0
		      : p->rank ? MRT_PROC_NULL
				: MRT_ROOT,
		      p->inter, &r[2]));
	if (p->side == 0)
		for (int k = 0; k < p->other; k++)
			OK(mrt_send(&token, 1, MRT_INT, k, 0, p->inter));
	OK(mrt_waitall(3, r, MRT_STATUSES_IGNORE));
	CHECK(sum == sum_of_others(p));
	CHECK(copy == (p->side ? opposite(p, 0) : me));
}

/* Starts many at once and completes them last to first, with messages
 * between. */
static void check_overlap(struct pair *p)
{
	int sums[MANY], numbers[MANY], in[MANY][8];
	struct mrt_request *r[2 * MANY];

	for (int i = 0; i < MANY; i++) {
		numbers[i] = me + i;
		OK(mrt_iallreduce(&numbers[i], &sums[i], 1, MRT_INT, MRT_SUM,
				  p->inter, &r[2 * i]));
		OK(mrt_iallgather(&numbers[i], 1, MRT_INT, in[i], 1, MRT_INT,
				  p->inter, &r[2 * i + 1]));
	}
	for (int i = 2 * MANY - 1; i >= 0; i--)
		OK(mrt_wait(&r[i], MRT_STATUS_IGNORE));
	for (int i = 0; i < MANY; i++) {
		CHECK(sums[i] == sum_of_others(p) + i * p->other);
		for (int k = 0; k < p->other; k++)
			CHECK(in[i][k] == opposite(p, k) + i);
	}
}

/* Frees the communicator while a collective is under way, and before a
 * persistent one is started. */
static void check_freed(struct pair *p)
{
	struct mrt_request *r, *again;
	struct mrt_comm *dup;
	int sum = -1, other = -1;

	OK(mrt_comm_dup(p->inter, &dup));
	OK(mrt_iallreduce(&me, &sum, 1, MRT_INT, MRT_SUM, dup, &r));
	OK(mrt_allreduce_init(&me, &other, 1, MRT_INT, MRT_SUM, dup, &again));
	OK(mrt_comm_free(&dup));
	for (int i = 0; i < 2; i++) {
		OK(mrt_start(&again));
		OK(mrt_wait(&again, MRT_STATUS_IGNORE));
		CHECK(other == sum_of_others(p));
	}
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
	CHECK(sum == sum_of_others(p));
	OK(mrt_request_free(&again));
}

/* These errors are found before anything is sent; all ranks call alike. */
static void check_wrong(struct pair *p)
{
	struct mrt_request *r = MRT_REQUEST_NULL;
	const int list[] = {0};
	const struct mrt_neighbors near = {
	    .nsources = 1, .sources = list, .ndests = 1, .dests = list};
	size_t counts[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	int in[16], out[16] = {0};

	FAILS(MRT_ERR_COMM, mrt_scan(out, in, 1, MRT_INT, MRT_SUM, p->inter));
	FAILS(MRT_ERR_COMM,
	      mrt_iexscan(out, in, 1, MRT_INT, MRT_SUM, p->inter, &r));
	FAILS(MRT_ERR_COMM, mrt_neighbor_alltoall(out, 1, MRT_INT, in, 1,
						  MRT_INT, &near, p->inter));
	FAILS(MRT_ERR_ROOT, mrt_bcast(out, 1, MRT_INT, p->other, p->inter));
	FAILS(MRT_ERR_ROOT, mrt_bcast(out, 1, MRT_INT, -1, p->inter));
	FAILS(MRT_ERR_ROOT,
	      mrt_gather(out, 1, MRT_INT, in, 1, MRT_INT, -32, p->inter));
	FAILS(MRT_ERR_ROOT,
	      mrt_reduce(out, in, 1, MRT_INT, MRT_SUM, p->other, p->inter));
	FAILS(MRT_ERR_BUFFER,
	      mrt_allreduce(MRT_IN_PLACE, in, 1, MRT_INT, MRT_SUM, p->inter));
	FAILS(MRT_ERR_BUFFER, mrt_allgather(MRT_IN_PLACE, 1, MRT_INT, in, 1,
					    MRT_INT, p->inter));
	FAILS(MRT_ERR_BUFFER, mrt_reduce_scatter(MRT_IN_PLACE, in, counts,
						 MRT_INT, MRT_SUM, p->inter));
	FAILS(MRT_ERR_BUFFER,
	      mrt_allreduce(in, in, 1, MRT_INT, MRT_SUM, p->inter));
	FAILS(MRT_ERR_BUFFER, mrt_bcast(NULL, 1, MRT_INT, 0, p->inter));
	FAILS(MRT_ERR_TYPE,
	      mrt_bcast(out, 1, MRT_TYPE_NULL, MRT_ROOT, p->inter));
	FAILS(MRT_ERR_OP,
	      mrt_allreduce(out, in, 1, MRT_INT, MRT_OP_NULL, p->inter));
	FAILS(MRT_ERR_ARG,
	      mrt_reduce_scatter(out, in, NULL, MRT_INT, MRT_SUM, p->inter));
	FAILS(MRT_ERR_ARG, mrt_ibarrier(p->inter, NULL));
	FAILS(MRT_ERR_COUNT, mrt_bcast(out, (size_t)-1, MRT_INT, 0, p->inter));
	/* the intercommunicator still works */
	OK(mrt_allreduce(&me, in, 1, MRT_INT, MRT_SUM, p->inter));
	CHECK(in[0] == sum_of_others(p));
}

/* The lengths of the other group do not fit. This is an error at the ranks
 * that receive, which names this communicator, and possibly at ranks that hear
 * of it. */
static void check_lengths(struct pair *p)
{
	int in[8], out[2] = {0}, rc;
	struct mrt_request *r;

	if (getenv("MRT_CHECK")) /* then all ranks get the error */
		return;
	OK(mrt_iallgather(out, p->side ? 1 : 2, MRT_INT, in, 1, MRT_INT,
			  p->inter, &r));
	rc = mrt_wait(&r, MRT_STATUS_IGNORE);
	CHECK(rc == MRT_ERR_TRUNCATE || (!p->side && rc == MRT_SUCCESS));
	if (rc)
		CHECK(mrt_error_comm() == p->inter);
	OK(mrt_barrier(p->inter));
}

static void test_start(void)
{
	each_way(check_start);
}
static void test_overlap(void)
{
	each_way(check_overlap);
}
static void test_freed(void)
{
	each_way(check_freed);
}
static void test_wrong(void)
{
	each_way(check_wrong);
}
static void test_lengths(void)
{
	each_way(check_lengths);
}

const struct api_case intercomm_life[] = {
    {"starts do not wait", test_start},
    {"many at once", test_overlap},
    {"freed with collectives under way", test_freed},
    {"wrong arguments of collectives", test_wrong},
    {"lengths that do not fit", test_lengths},
    {NULL, NULL}};
