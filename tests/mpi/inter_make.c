/* SPDX-License-Identifier: Apache-2.0 */
/* inter_make.c tests intercommunicators: making, inquiry, messages, merging. */
#include "tests/mpi/inter_pair.h"

/* ---- What they are ------------------------------------------------------- */

static void check_inquiry(struct pair *p)
{
	int n = -1, flag = -1, rank = -1;
	MPI_Group own, other, world;
	int *all, *there;

	OK(MPI_Comm_test_inter(p->inter, &flag));
	CHECK_EQ(flag, 1);
	OK(MPI_Comm_test_inter(p->local, &flag));
	CHECK_EQ(flag, 0);
	OK(MPI_Comm_rank(p->inter, &rank));
	CHECK_EQ(rank, p->rank);
	OK(MPI_Comm_size(p->inter, &n));
	CHECK_EQ(n, p->own);
	OK(MPI_Comm_remote_size(p->inter, &n));
	CHECK_EQ(n, p->other);

	OK(MPI_Comm_group(W, &world));
	OK(MPI_Comm_group(p->inter, &own));
	OK(MPI_Group_rank(own, &rank));
	CHECK_EQ(rank, p->rank);
	OK(MPI_Group_size(own, &n));
	CHECK_EQ(n, p->own);
	OK(MPI_Comm_remote_group(p->inter, &other));
	OK(MPI_Group_size(other, &n));
	CHECK_EQ(n, p->other);
	OK(MPI_Group_rank(other, &rank));
	CHECK_EQ(rank, MPI_UNDEFINED);
	all = malloc((size_t)p->other * sizeof(int));
	there = malloc((size_t)p->other * sizeof(int));
	for (int r = 0; r < p->other; r++)
		all[r] = r;
	OK(MPI_Group_translate_ranks(other, p->other, all, world, there));
	for (int r = 0; r < p->other; r++)
		CHECK_EQ(there[r], opposite(p, r));
	free(there);
	free(all);
	OK(MPI_Group_free(&own));
	OK(MPI_Group_free(&other));
	OK(MPI_Group_free(&world));
}

static void inquiry(void)
{
	each_pair(check_inquiry);
}

static void no_parent(void)
{
	MPI_Comm parent = W;

	OK(MPI_Comm_get_parent(&parent));
	CHECK(parent == MPI_COMM_NULL);
}

/* ---- Messages ------------------------------------------------------------ */

/* Each rank sends to each of the other group; wildcards receive. */
static void exchange(struct pair *p, MPI_Comm comm)
{
	MPI_Request *sends = malloc((size_t)p->other * sizeof(*sends));
	char *seen = calloc((size_t)p->other, 1);
	MPI_Status status;
	int in;

	for (int r = 0; r < p->other; r++)
		OK(MPI_Isend(&me, 1, MPI_INT, r, 4, comm, &sends[r]));
	for (int r = 0; r < p->other; r++) {
		in = -1;
		OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm, &status));
		if (!CHECK(status.MPI_SOURCE >= 0 &&
			   status.MPI_SOURCE < p->other))
			continue;
		CHECK_EQ(in, opposite(p, status.MPI_SOURCE));
		CHECK(!seen[status.MPI_SOURCE]);
		seen[status.MPI_SOURCE] = 1;
	}
	OK(MPI_Waitall(p->other, sends, MPI_STATUSES_IGNORE));
	free(seen);
	free(sends);
}

static void check_messages(struct pair *p)
{
	enum { MANY = 50000 };
	int *out = malloc(MANY * sizeof(int)), *in = malloc(MANY * sizeof(int));
	int peer = p->rank < p->other ? p->rank : MPI_PROC_NULL;
	MPI_Status status;

	exchange(p, p->inter);
	OK(MPI_Barrier(p->inter));
	for (int i = 0; i < MANY; i++)
		out[i] = me + i;
	OK(MPI_Sendrecv(out, MANY, MPI_INT, peer, 8, in, MANY, MPI_INT, peer, 8,
			p->inter, &status));
	CHECK_EQ(status.MPI_SOURCE, peer);
	if (peer >= 0)
		CHECK_EQ(in[MANY - 1], opposite(p, peer) + MANY - 1);
	CHECK_ERROR(MPI_ERR_RANK,
		    MPI_Send(out, 1, MPI_INT, p->other, 0, p->inter));
	free(in);
	free(out);
}

static void messages(void)
{
	each_pair(check_messages);
}

/* ---- Made of them -------------------------------------------------------- */

static void check_dup(struct pair *p)
{
	MPI_Comm dup, later;
	MPI_Request request;
	int same = -1;

	OK(MPI_Comm_dup(p->inter, &dup));
	OK(MPI_Comm_compare(dup, p->inter, &same));
	CHECK_EQ(same, MPI_CONGRUENT);
	OK(MPI_Comm_compare(dup, dup, &same));
	CHECK_EQ(same, MPI_IDENT);
	OK(MPI_Comm_compare(dup, p->local, &same));
	CHECK_EQ(same, MPI_UNEQUAL);
	exchange(p, dup);
	OK(MPI_Comm_idup(p->inter, &later, &request));
	OK(MPI_Comm_free(&dup));
	OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	OK(MPI_Comm_compare(later, p->inter, &same));
	CHECK_EQ(same, MPI_CONGRUENT);
	exchange(p, later);
	OK(MPI_Barrier(later));
	OK(MPI_Comm_free(&later));
}

static void dup(void)
{
	each_pair(check_dup);
}

static void check_split(struct pair *p)
{
	MPI_Comm back = MPI_COMM_NULL, part = W;
	int rank = -1, n = -1, in = -1, same = -1;

	OK(MPI_Comm_split(p->inter, 0, -p->rank, &back));
	OK(MPI_Comm_rank(back, &rank));
	CHECK_EQ(rank, p->own - 1 - p->rank);
	OK(MPI_Comm_compare(back, p->inter, &same));
	CHECK_EQ(same, np > 2 ? MPI_SIMILAR : MPI_CONGRUENT);
	OK(MPI_Comm_free(&back));
	/* one to one; ranks without an opposite get none */
	OK(MPI_Comm_split(p->inter, p->rank, 0, &part));
	if (p->rank >= p->other) {
		CHECK(part == MPI_COMM_NULL);
		return;
	}
	OK(MPI_Comm_remote_size(part, &n));
	CHECK_EQ(n, 1);
	OK(MPI_Sendrecv(&me, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, part,
			MPI_STATUS_IGNORE));
	CHECK_EQ(in, opposite(p, p->rank));
	OK(MPI_Comm_free(&part));
}

static void split(void)
{
	each_pair(check_split);
}

/* Makes one of the first rank of each group. */
static void check_create(struct pair *p)
{
	const int zero = 0;
	MPI_Group own, first;
	MPI_Comm comm = W;
	int n = -1, in = -1;

	OK(MPI_Comm_group(p->inter, &own));
	OK(MPI_Group_incl(own, 1, &zero, &first));
	OK(MPI_Comm_create(p->inter, first, &comm));
	if (p->rank) {
		CHECK(comm == MPI_COMM_NULL);
	} else {
		OK(MPI_Comm_remote_size(comm, &n));
		CHECK_EQ(n, 1);
		OK(MPI_Sendrecv(&me, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0,
				comm, MPI_STATUS_IGNORE));
		CHECK_EQ(in, opposite(p, 0));
		OK(MPI_Comm_free(&comm));
	}
	/* one side is empty */
	comm = W;
	OK(MPI_Comm_create(p->inter, p->side ? own : MPI_GROUP_EMPTY, &comm));
	CHECK(comm == MPI_COMM_NULL);
	OK(MPI_Group_free(&first));
	OK(MPI_Group_free(&own));
}

static void create(void)
{
	each_pair(check_create);
}

/* ---- Merging ------------------------------------------------------------- */

static void check_merge(struct pair *p)
{
	for (int high = 0; high < 3; high++) {
		/* side 0 first; side 1 first; any order */
		int mine = high == 2 ? 1 : p->side != high;
		int rank = -1, n = -1, flag = -1, in = -1;
		MPI_Comm all;

		OK(MPI_Intercomm_merge(p->inter, mine, &all));
		OK(MPI_Comm_test_inter(all, &flag));
		CHECK_EQ(flag, 0);
		OK(MPI_Comm_size(all, &n));
		CHECK_EQ(n, np);
		OK(MPI_Comm_rank(all, &rank));
		if (high < 2)
			CHECK_EQ(rank, p->rank + (mine ? p->other : 0));
		OK(MPI_Allreduce(&me, &in, 1, MPI_INT, MPI_SUM, all));
		CHECK_EQ(in, np * (np - 1) / 2);
		OK(MPI_Comm_free(&all));
	}
}

static void merge(void)
{
	each_pair(check_merge);
}

static void many_times(void)
{
	if (np < 2) {
		mpi_test_skip("two groups need two ranks");
		return;
	}
	for (int i = 0; i < 200; i++) {
		struct pair p = make_pair(1 + i % (np - 1));
		MPI_Comm all;

		if (i % 20 == 0)
			exchange(&p, p.inter);
		OK(MPI_Intercomm_merge(p.inter, p.side, &all));
		OK(MPI_Comm_free(&all));
		free_pair(&p);
	}
}

/* ---- Ends and errors ----------------------------------------------------- */

static void check_pending(struct pair *p)
{
	enum { MANY = 100000 };
	int peer = p->rank < p->other ? p->rank : MPI_PROC_NULL;
	int *out = malloc(MANY * sizeof(int)), *in = malloc(MANY * sizeof(int));
	MPI_Request r[2];
	MPI_Comm dup;

	OK(MPI_Comm_dup(p->inter, &dup));
	for (int i = 0; i < MANY; i++)
		out[i] = me ^ i;
	OK(MPI_Irecv(in, MANY, MPI_INT, peer, 0, dup, &r[0]));
	OK(MPI_Isend(out, MANY, MPI_INT, peer, 0, dup, &r[1]));
	OK(MPI_Comm_free(&dup));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	if (peer >= 0)
		CHECK_EQ(in[MANY - 1], opposite(p, peer) ^ (MANY - 1));
	free(in);
	free(out);
}

static void pending(void)
{
	each_pair(check_pending);
}

static void check_wrong(struct pair *p)
{
	MPI_Comm comm = MPI_COMM_NULL;

	CHECK_ERROR(MPI_ERR_COMM, MPI_Intercomm_merge(p->local, 0, &comm));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Intercomm_create(p->inter, 0, W, 0, 0, &comm));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Scan(&me, &me, 1, MPI_INT, MPI_SUM, p->inter));
}

static void wrong(void)
{
	each_pair(check_wrong);
}

static const struct mpi_case cases[] = {
    {"groups, ranks and sizes", inquiry},
    {"no parent", no_parent},
    {"messages both ways", messages},
    {"dup and idup", dup},
    {"split", split},
    {"create", create},
    {"merge", merge},
    {"200 times", many_times},
    {"freed with messages under way", pending},
    {"not for these", wrong},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
