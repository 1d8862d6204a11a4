/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disagree_calls.c is the table of calls of disagree.c. Buffers are as long as
 * this rank's call says, and end where an inaccessible page begins; the bytes
 * before them must not change.
 */
#include <string.h>
#include <sys/mman.h>

#include "tests/system/disagree.h"

enum { PAGE = 4096, MARGIN = 4096, UNIT = 4 };

static char *ends[2]; /* ends of send and recv */
static size_t room, used;
static char *send, *recv;
static size_t counts[2][64];
static ptrdiff_t displs[2][64];
static int list[64];

static char *guarded(size_t bytes)
{
	size_t len = (bytes + MARGIN + PAGE - 1) / PAGE * PAGE;
	char *at = mmap(NULL, len + PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + len, PAGE, PROT_NONE))
		abort();
	return at + len;
}

void rooms_make(size_t count)
{
	room = (count + 2) * UNIT * (size_t)np;
	for (int k = 0; k < 2; k++)
		ends[k] = guarded(room);
}

/* Fills both buffers, which are as long as the longer one has to be. */
void rooms_fill(size_t count)
{
	used = (count * (size_t)np + 1) * UNIT;
	send = ends[0] - used;
	recv = ends[1] - used;
	memset(ends[0] - room - MARGIN / 2, 1, room + MARGIN / 2);
	memset(ends[1] - room - MARGIN / 2, 2, room + MARGIN / 2);
}

static bool all(const char *at, size_t bytes, char c)
{
	while (bytes && at[bytes - 1] == c)
		bytes--;
	return !bytes;
}

bool rooms_are_whole(void)
{
	size_t before = room - used + MARGIN / 2;

	return all(send - before, before + used, 1) &&
	       all(recv - before, before, 2);
}

bool rooms_are_same(void)
{
	return rooms_are_whole() && all(recv, used, 2);
}

/* ---- Calls ----------------------------------------------------------------
 */

static int wait_for(int rc, struct mrt_request **q)
{
	return rc ? rc : mrt_wait(q, MRT_STATUS_IGNORE);
}

static int persist(int rc, struct mrt_request **q)
{
	int freed;

	if (rc)
		return rc;
	rc = mrt_start(q);
	rc = wait_for(rc, q);
	freed = mrt_request_free(q);
	return rc ? rc : freed;
}

#define FORMS(name, ...)                                                       \
	static int name(const struct wish *w)                                  \
	{                                                                      \
		struct mrt_request *q = NULL;                                  \
                                                                               \
		prepare(w);                                                    \
		if (w->form == 0)                                              \
			return mrt_##name(__VA_ARGS__ w->comm);                \
		if (w->form == 1)                                              \
			return wait_for(mrt_i##name(__VA_ARGS__ w->comm, &q),  \
					&q);                                   \
		return persist(mrt_##name##_init(__VA_ARGS__ w->comm, &q),     \
			       &q);                                            \
	}

/* Makes lists of equal blocks; the block of the last rank differs if `other`
 * is set. */
static void prepare(const struct wish *w)
{
	for (int r = 0; r < np; r++) {
		bool odd = w->other && r == (me == np - 1 ? 0 : np - 1);

		for (int k = 0; k < 2; k++) {
			counts[k][r] = w->count - (odd && w->count);
			displs[k][r] = (ptrdiff_t)(w->count * (size_t)r);
		}
		list[r] = r;
	}
}

static const void *from(const struct wish *w)
{
	return w->in_place ? MRT_IN_PLACE : send;
}

static struct mrt_neighbors near(const struct wish *w)
{
	return (struct mrt_neighbors){w->other ? 0 : np, list,
				      w->other ? 0 : np, list, 0};
}

#define BLOCKS send, w->count, w->type, recv, w->count, w->type
#define MOVE from(w), w->count, w->type, recv, w->count, w->type
#define SEND_LISTS send, counts[0], displs[0]
#define RECV_LISTS recv, counts[1], displs[1]
#define REDUCTION from(w), recv, w->count, w->type, w->op

/* clang-format off */
FORMS(barrier)
FORMS(bcast, recv, w->count, w->type, w->root,)
FORMS(gather, BLOCKS, w->root,)
FORMS(scatter, BLOCKS, w->root,)
FORMS(allgather, MOVE,)
FORMS(alltoall, MOVE,)
FORMS(gatherv, send, w->count, w->type, RECV_LISTS, w->type, w->root,)
FORMS(scatterv, SEND_LISTS, w->type, recv, w->count, w->type, w->root,)
FORMS(allgatherv, send, w->count, w->type, RECV_LISTS, w->type,)
FORMS(alltoallv, SEND_LISTS, w->type, RECV_LISTS, w->type,)
FORMS(reduce, send, recv, w->count, w->type, w->op, w->root,)
FORMS(allreduce, REDUCTION,)
FORMS(scan, REDUCTION,)
FORMS(exscan, REDUCTION,)
FORMS(reduce_scatter_block, REDUCTION,)
FORMS(reduce_scatter, from(w), recv, counts[0], w->type, w->op,)
/* clang-format on */

static int neighbor_alltoall(const struct wish *w)
{
	struct mrt_neighbors n;
	struct mrt_request *q;

	prepare(w);
	n = near(w);
	return w->form
		   ? wait_for(mrt_ineighbor_alltoall(BLOCKS, &n, w->comm, &q),
			      &q)
		   : mrt_neighbor_alltoall(BLOCKS, &n, w->comm);
}

static int neighbor_allgather(const struct wish *w)
{
	struct mrt_neighbors n;
	struct mrt_request *q;

	prepare(w);
	n = near(w);
	return w->form
		   ? wait_for(mrt_ineighbor_allgather(BLOCKS, &n, w->comm, &q),
			      &q)
		   : mrt_neighbor_allgather(BLOCKS, &n, w->comm);
}

/* ---- Communicators --------------------------------------------------------
 */

static int let_go(int rc, struct mrt_comm **comm)
{
	return rc || *comm == MRT_COMM_NULL ? rc : mrt_comm_free(comm);
}

static int comm_dup(const struct wish *w)
{
	struct mrt_comm *comm = MRT_COMM_NULL;

	return let_go(mrt_comm_dup(w->comm, &comm), &comm);
}

static int comm_idup(const struct wish *w)
{
	struct mrt_comm *comm = MRT_COMM_NULL;
	struct mrt_request *q;
	int rc = wait_for(mrt_comm_idup(w->comm, &comm, &q), &q);

	return let_go(rc, &comm);
}

static int comm_split(const struct wish *w)
{
	struct mrt_comm *comm = MRT_COMM_NULL;

	return let_go(mrt_comm_split(w->comm, 0, me, &comm), &comm);
}

static int comm_split_node(const struct wish *w)
{
	struct mrt_comm *comm = MRT_COMM_NULL;

	return let_go(mrt_comm_split_node(w->comm, 0, &comm), &comm);
}

static int comm_create(const struct wish *w)
{
	struct mrt_comm *comm = MRT_COMM_NULL;
	struct mrt_group *group;
	int rc = mrt_comm_group(w->comm, &group);

	if (!rc)
		rc = mrt_comm_create(w->comm, group, &comm);
	mrt_group_free(&group);
	return let_go(rc, &comm);
}

static int win_create(const struct wish *w)
{
	struct mrt_win *win;
	int rc = mrt_win_create(recv, 4, 1, w->comm, &win);

	return rc ? rc : mrt_win_free(&win);
}

static int win_allocate(const struct wish *w)
{
	struct mrt_win *win;
	void *base;
	int rc = mrt_win_allocate(4, 1, w->comm, &base, &win);

	return rc ? rc : mrt_win_free(&win);
}

enum {
	MOVES = HAS_FORMS | HAS_COUNT,
	VLISTS = HAS_FORMS | HAS_COUNT | HAS_LIST,
	REDUCES = HAS_FORMS | HAS_COUNT | HAS_OP
};

const struct call calls[] = {
    {"barrier", HAS_FORMS, barrier},
    {"bcast", MOVES | HAS_ROOT, bcast},
    {"gather", MOVES | HAS_ROOT, gather},
    {"scatter", MOVES | HAS_ROOT, scatter},
    {"allgather", MOVES | HAS_IN_PLACE, allgather},
    {"alltoall", MOVES | HAS_IN_PLACE, alltoall},
    {"gatherv", MOVES | HAS_ROOT, gatherv},
    {"scatterv", MOVES | HAS_ROOT, scatterv},
    {"allgatherv", MOVES, allgatherv},
    {"alltoallv", VLISTS, alltoallv},
    {"reduce", REDUCES | HAS_ROOT, reduce},
    {"allreduce", REDUCES | HAS_IN_PLACE, allreduce},
    {"scan", REDUCES, scan},
    {"exscan", REDUCES, exscan},
    {"reduce_scatter_block", REDUCES | HAS_IN_PLACE, reduce_scatter_block},
    {"reduce_scatter", REDUCES | HAS_LIST, reduce_scatter},
    {"neighbor_allgather", HAS_COUNT | HAS_LIST, neighbor_allgather},
    {"neighbor_alltoall", HAS_COUNT | HAS_LIST, neighbor_alltoall},
    {"comm_dup", 0, comm_dup},
    {"comm_idup", 0, comm_idup},
    {"comm_split", 0, comm_split},
    {"comm_split_node", 0, comm_split_node},
    {"comm_create", 0, comm_create},
    {"win_create", 0, win_create},
    {"win_allocate", 0, win_allocate},
};
const int ncalls = sizeof(calls) / sizeof(*calls);
