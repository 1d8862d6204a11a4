/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_move.c tests the collectives that move data, in their three forms, with
 * types that have holes, any counts, all roots, and in place, against what MPI
 * 4.1, chapter 6, says of each (coll_trial.h).
 */
#include "tests/mpi/coll_trial.h"

struct kind {
	const char *name;
	void (*make)(struct trial *t);
	int (*call)(struct trial *t, enum form form);
};

/* Makes one call in one of its three forms. */
#define CALL(Name, name, ...)                                                  \
	static int call_##Name(struct trial *t, enum form form)                \
	{                                                                      \
		switch (form) {                                                \
		case BLOCKING:                                                 \
			return MPI_##Name(__VA_ARGS__, t->comm);               \
		case NONBLOCKING:                                              \
			return MPI_I##name(__VA_ARGS__, t->comm, &t->request); \
		default:                                                       \
			return MPI_##Name##_init(__VA_ARGS__, t->comm,         \
						 MPI_INFO_NULL, &t->request);  \
		}                                                              \
	}

/* Makes one block from each rank, or to each. */
static void by_rank(struct blocks *b, int n)
{
	blocks_make(b, n);
	for (int i = 0; i < n; i++)
		b->peer[i] = i;
}

static int some_ints(const struct trial *t, int from, int to)
{
	return UNIT * draw(t, 1, from, to, 4);
}

/* Draws one type and count for all blocks. */
static void alike(const struct trial *t, struct blocks *b)
{
	for (int i = 0; i <= b->n; i++)
		b->ints[i] = some_ints(t, 0, 0);
}

static void use(struct trial *t)
{
	t->sendbuf = t->send.buf;
	t->recvbuf = t->recv.buf;
}

static void make_bcast(struct trial *t)
{
	bool root = t->rank == t->root;

	by_rank(&t->send, 0);
	by_rank(&t->recv, 1);
	t->recv.peer[0] = t->root;
	alike(t, &t->recv);
	blocks_place(t, &t->send, REGULAR, 0);
	blocks_place(t, &t->recv, REGULAR, 1);
	if (root)
		t->recv.given[0] = 0;
	use(t);
}

/* The root (with all_roots each rank) receives one block of each rank. */
static void gather(struct trial *t, enum lie lie, bool all_roots)
{
	bool root = all_roots || t->rank == t->root;

	t->in_place = root && draw(t, 3, all_roots ? 0 : t->root, 0, 3) == 0;
	by_rank(&t->send, !t->in_place);
	by_rank(&t->recv, root ? t->size : 0);
	for (int i = 0; i < t->recv.n; i++)
		t->recv.ints[i] = some_ints(t, lie == REGULAR ? 0 : i, 0);
	if (t->in_place)
		t->recv.given[t->rank] = 0;
	if (t->send.n)
		t->send.ints[0] = some_ints(t, lie == REGULAR ? 0 : t->rank, 0);
	blocks_place(t, &t->send, REGULAR, 0);
	blocks_place(t, &t->recv, lie, 1);
	use(t);
	if (t->in_place)
		t->sendbuf = MPI_IN_PLACE;
}

static void make_gather(struct trial *t)
{
	gather(t, REGULAR, false);
}

static void make_gatherv(struct trial *t)
{
	gather(t, ELEMENTS, false);
}

static void make_allgather(struct trial *t)
{
	gather(t, REGULAR, true);
}

static void make_allgatherv(struct trial *t)
{
	gather(t, ELEMENTS, true);
}

static void scatter(struct trial *t, enum lie lie)
{
	bool root = t->rank == t->root;
	bool kept = root && draw(t, 3, t->root, 0, 3) == 0;

	by_rank(&t->send, root ? t->size : 0);
	by_rank(&t->recv, !kept);
	for (int i = 0; i < t->send.n; i++) {
		t->send.ints[i] = some_ints(t, lie == REGULAR ? 0 : i, 0);
		t->send.key[i] = i;
	}
	if (t->recv.n) {
		t->recv.ints[0] = some_ints(t, lie == REGULAR ? 0 : t->rank, 0);
		t->recv.peer[0] = t->root;
		t->recv.key[0] = t->rank;
	}
	blocks_place(t, &t->send, lie, 0);
	blocks_place(t, &t->recv, REGULAR, 1);
	use(t);
	if (kept)
		t->recvbuf = MPI_IN_PLACE;
}

static void make_scatter(struct trial *t)
{
	scatter(t, REGULAR);
}

static void make_scatterv(struct trial *t)
{
	scatter(t, ELEMENTS);
}

static void alltoall(struct trial *t, enum lie lie)
{
	t->in_place = draw(t, 3, 0, 0, 3) == 0;
	by_rank(&t->send, t->in_place ? 0 : t->size);
	by_rank(&t->recv, t->size);
	for (int i = 0; i < t->size; i++) {
		int from = i, to = t->rank;

		if (t->in_place &&
		    to < from) /* both directions have one length */
			from = t->rank, to = i;
		t->recv.ints[i] = some_ints(t, lie == REGULAR ? 0 : from,
					    lie == REGULAR ? 0 : to);
		t->recv.key[i] = t->rank;
		if (t->in_place)
			t->recv.given[i] = i;
	}
	for (int i = 0; i < t->send.n; i++) {
		t->send.ints[i] = some_ints(t, lie == REGULAR ? 0 : t->rank,
					    lie == REGULAR ? 0 : i);
		t->send.key[i] = i;
	}
	blocks_place(t, &t->send, lie, 0);
	blocks_place(t, &t->recv, lie, 1);
	use(t);
	if (t->in_place)
		t->sendbuf = MPI_IN_PLACE;
}

static void make_alltoall(struct trial *t)
{
	alltoall(t, REGULAR);
}

static void make_alltoallv(struct trial *t)
{
	alltoall(t, ELEMENTS);
}

static void make_alltoallw(struct trial *t)
{
	alltoall(t, BYTES);
}

#define SEND t->sendbuf, t->send.counts[0], t->send.types[t->send.n]
#define RECV t->recvbuf, t->recv.counts[0], t->recv.types[t->recv.n]
#define V_SEND                                                                 \
	t->sendbuf, t->send.counts, t->send.displs, t->send.types[t->send.n]
#define V_RECV                                                                 \
	t->recvbuf, t->recv.counts, t->recv.displs, t->recv.types[t->recv.n]
CALL(Bcast, bcast, RECV, t->root)
CALL(Gather, gather, SEND, RECV, t->root)
CALL(Gatherv, gatherv, SEND, V_RECV, t->root)
CALL(Scatter, scatter, SEND, RECV, t->root)
CALL(Scatterv, scatterv, V_SEND, RECV, t->root)
CALL(Allgather, allgather, SEND, RECV)
CALL(Allgatherv, allgatherv, SEND, V_RECV)
CALL(Alltoall, alltoall, SEND, RECV)
CALL(Alltoallv, alltoallv, V_SEND, V_RECV)
CALL(Alltoallw, alltoallw, t->sendbuf, t->send.counts, t->send.displs,
     t->send.types, t->recvbuf, t->recv.counts, t->recv.displs, t->recv.types)

#define KIND(Name, name)                                                       \
	{                                                                      \
#Name, make_##name, call_##Name                                \
	}
static const struct kind kinds[] = {
    KIND(Bcast, bcast),		  KIND(Gather, gather),
    KIND(Gatherv, gatherv),	  KIND(Scatter, scatter),
    KIND(Scatterv, scatterv),	  KIND(Allgather, allgather),
    KIND(Allgatherv, allgatherv), KIND(Alltoall, alltoall),
    KIND(Alltoallv, alltoallv),	  KIND(Alltoallw, alltoallw)};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static void make(struct trial *t, const struct kind *kind, uint64_t seed,
		 MPI_Comm comm)
{
	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->comm = comm;
	MPI_Comm_rank(comm, &t->rank);
	MPI_Comm_size(comm, &t->size);
	t->root = draw(t, 0, 0, 0, t->size);
	t->derived = draw(t, 2, 0, 0, 4) != 0;
	kind->make(t);
	trial_fill(t);
}

/* ---- Cases -------------------------------------------------------------- */

static void run_persistent(struct trial *t, const struct kind *kind)
{
	OK(kind->call(t, PERSISTENT));
	for (int k = 0; k < 3; k++) {
		OK(MPI_Start(&t->request));
		OK(MPI_Wait(&t->request, MPI_STATUS_IGNORE));
		trial_check(t, kind->name, "persistent");
		t->round++;
		trial_fill(t);
	}
	OK(MPI_Request_free(&t->request));
}

static void run(enum form form)
{
	struct trial t;

	for (int k = 0; k < 12 * KINDS; k++) {
		const struct kind *kind = &kinds[k % KINDS];

		make(&t, kind,
		     mpi_test_seed + 1000 * (uint64_t)form + (uint64_t)k, W);
		if (form == PERSISTENT) {
			run_persistent(&t, kind);
		} else {
			OK(kind->call(&t, form));
			if (form == NONBLOCKING)
				OK(MPI_Wait(&t.request, MPI_STATUS_IGNORE));
			trial_check(&t, kind->name, "first use");
		}
		trial_free(&t);
	}
}

static void blocking(void)
{
	run(BLOCKING);
}

static void nonblocking(void)
{
	run(NONBLOCKING);
}

static void persistent(void)
{
	run(PERSISTENT);
}

/* Several are under way; each rank starts the persistent ones, and completes
 * all, in an order of its own. */
enum { MANY = 20 };

static void start(struct trial *t, const enum form *forms, uint64_t *random)
{
	int first = random_below(random, MANY);

	for (int k = 0; k < MANY; k++) {
		int i = (first + k) % MANY;

		if (forms[i] == PERSISTENT)
			OK(MPI_Start(&t[i].request));
	}
}

static void complete(MPI_Request *requests, uint64_t *random)
{
	for (int left = MANY; left; left--) {
		int i = random_below(random, MANY), flag = 0;

		while (requests[i] == MPI_REQUEST_NULL)
			i = (i + 1) % MANY;
		if (random_below(random, 2)) {
			OK(MPI_Waitany(MANY, requests, &i, MPI_STATUS_IGNORE));
			if (requests[i] != MPI_REQUEST_NULL)
				OK(MPI_Request_free(&requests[i]));
			continue;
		}
		while (!flag)
			OK(MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE));
		if (requests[i] != MPI_REQUEST_NULL)
			OK(MPI_Request_free(&requests[i]));
	}
}

static void many_at_once(void)
{
	static struct trial t[MANY];
	const struct kind *kind[MANY];
	enum form forms[MANY];
	MPI_Request requests[MANY];
	uint64_t random = mpi_test_seed + (uint64_t)me;

	for (int round = 0; round < 8; round++) {
		for (int k = 0; k < MANY; k++) {
			uint64_t seed =
			    mpi_test_seed + 5000 + (uint64_t)(round * MANY + k);

			kind[k] = &kinds[seed * 7 % KINDS];
			make(&t[k], kind[k], seed, W);
			forms[k] =
			    draw(&t[k], 9, 0, 0, 3) ? NONBLOCKING : PERSISTENT;
			OK(kind[k]->call(&t[k], forms[k]));
		}
		start(t, forms, &random);
		for (int k = 0; k < MANY; k++)
			requests[k] = t[k].request;
		complete(requests, &random);
		for (int k = 0; k < MANY; k++) {
			trial_check(&t[k], kind[k]->name, "among many");
			trial_free(&t[k]);
		}
	}
}

/* Types and lists may be freed while the call is under way. */
static void freed_types(void)
{
	MPI_Datatype type;
	MPI_Request request;
	int from[3] = {me, 0, me + 100}, to[300] = {0}, good = 0;

	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
	OK(MPI_Type_commit(&type));
	OK(MPI_Iallgather(from, 1, type, to, 2, MPI_INT, W, &request));
	OK(MPI_Type_free(&type));
	OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	for (int r = 0; r < np; r++)
		good += to[2 * r] == r && to[2 * r + 1] == r + 100;
	CHECK_EQ(good, np);
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
	OK(MPI_Type_commit(&type));
	OK(MPI_Bcast_init(from, 1, type, np - 1, W, MPI_INFO_NULL, &request));
	OK(MPI_Type_free(&type));
	OK(MPI_Start(&request));
	OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	CHECK(from[0] == np - 1 && from[1] == 0 && from[2] == np + 99);
	OK(MPI_Request_free(&request));
}

/* Buffers are given by absolute addresses. */
static void bottom(void)
{
	int value = me == 0 ? 17 : 0, length = 1;
	MPI_Aint at;
	MPI_Datatype type;

	OK(MPI_Get_address(&value, &at));
	OK(MPI_Type_create_hindexed(1, &length, &at, MPI_INT, &type));
	OK(MPI_Type_commit(&type));
	OK(MPI_Bcast(MPI_BOTTOM, 1, type, 0, W));
	CHECK_EQ(value, 17);
	OK(MPI_Type_free(&type));
}

static const struct mpi_case cases[] = {{"blocking", blocking},
					{"nonblocking", nonblocking},
					{"persistent", persistent},
					{"many at once", many_at_once},
					{"types freed under way", freed_types},
					{"MPI_BOTTOM", bottom},
					{"types are freed", shapes_free},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	shapes_make();
	return mpi_test_run(argc, argv, cases);
}
