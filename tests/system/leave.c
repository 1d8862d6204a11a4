/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leave.c: programs that leave things behind at mrt_finalize. `leave CASE` runs
 * on two ranks and must end well.
 */
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum { LONG = 1 << 20 };
static char out[LONG], in[LONG];
static struct mrt_request *r, *other;

static void nothing(void)
{
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	OK(mrt_comm_free(&comm));
}

static void receives(void)
{
	OK(mrt_irecv(in, 8, MRT_BYTE, !me, 7, W, &r));
	OK(mrt_irecv(in + 8, 8, MRT_BYTE, MRT_ANY_SOURCE, 8, W, &r));
}

static void sends(void)
{
	OK(mrt_isend(out, LONG, MRT_BYTE, !me, 9, W, &r));
}

static void freed_receive(void)
{
	OK(mrt_irecv(in, 8, MRT_BYTE, !me, 7, W, &r));
	OK(mrt_request_free(&r));
}

static void freed_send(void)
{
	OK(mrt_isend(out, LONG, MRT_BYTE, !me, 9, W, &r));
	OK(mrt_request_free(&r));
}

/* Operations whose requests are freed are carried out all the same. */
static void freed_pair(void)
{
	OK(mrt_irecv(in, LONG, MRT_BYTE, !me, 9, W, &other));
	OK(mrt_request_free(&other));
	memset(out, 1 + me, LONG);
	freed_send();
}

static void collectives(void)
{
	OK(mrt_ibarrier(W, &r));
	if (me == 0)
		OK(mrt_iallreduce(out, in, 100, MRT_INT, MRT_SUM, W, &r));
}

/* A rank that has nothing to move leaves a collective out. */
static void uneven(void)
{
	OK(mrt_bcast(out, me ? 0 : 8, MRT_BYTE, 0, W));
}

static void persistent(void)
{
	OK(mrt_recv_init(in, 8, MRT_BYTE, !me, 7, W, &r));
	OK(mrt_barrier_init(W, &r));
	OK(mrt_start(&r));
}

static void communicators(void)
{
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	OK(mrt_comm_dup(W, &comm));
	/* only one rank does */
	if (me == 0)
		OK(mrt_comm_free(&comm));
}

static void add(const void *a, void *b, size_t n, struct mrt_type *type,
		void *context)
{
	(void)a;
	(void)b;
	(void)n;
	(void)type;
	(void)context;
}

static void objects(void)
{
	struct mrt_type *type;
	struct mrt_op *op;
	struct mrt_group *group;

	OK(mrt_type_contiguous(2, MRT_INT, &type));
	OK(mrt_op_create(add, NULL, 1, &op));
	OK(mrt_comm_group(W, &group));
}

/* An operation is under way that the other rank has to serve. */
static void windows(void)
{
	uint64_t here = (uintptr_t)in, there = 0;
	struct mrt_target target = {!me, 0, 8, MRT_BYTE};
	struct mrt_win *win;

	OK(mrt_win_create_dynamic(W, &win));
	OK(mrt_win_attach(win, in, sizeof(in)));
	OK(mrt_sendrecv(&here, 1, MRT_UINT64, !me, 0, &there, 1, MRT_UINT64,
			!me, 0, W, MRT_STATUS_IGNORE));
	target.disp = (ptrdiff_t)there;
	OK(mrt_win_lock_all(0, win));
	OK(mrt_put(out, 8, MRT_BYTE, &target, win, NULL));
}

static void messages(void)
{
	struct mrt_message *m;

	OK(mrt_send(out, 8, MRT_BYTE, me, 1, W));
	OK(mrt_send(out, 8, MRT_BYTE, me, 2, W));
	OK(mrt_mprobe(me, 1, W, &m, MRT_STATUS_IGNORE));
}

/* All have arrived when the communicator is free. */
static void strays(void)
{
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	for (int tag = 11; tag < 14 && me == 0; tag++)
		OK(mrt_send(out, 8, MRT_BYTE, 1, tag, comm));
	OK(mrt_comm_free(&comm));
}

static void buffered(void)
{
	OK(mrt_buffer_attach(MRT_BUFFER_PROCESS, in, LONG));
	OK(mrt_bsend(out, LONG / 2, MRT_BYTE, !me, 3, W));
}

static void closed(void)
{
	OK(close_range(3, ~0u, 0));
}

static void all(void)
{
	receives();
	sends();
	persistent();
	communicators();
	objects();
	messages();
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {{"nothing", nothing},
	     {"receives", receives},
	     {"sends", sends},
	     {"freed_receive", freed_receive},
	     {"freed_send", freed_send},
	     {"freed_pair", freed_pair},
	     {"collectives", collectives},
	     {"uneven", uneven},
	     {"persistent", persistent},
	     {"communicators", communicators},
	     {"objects", objects},
	     {"windows", windows},
	     {"messages", messages},
	     {"strays", strays},
	     {"buffered", buffered},
	     {"closed", closed},
	     {"all", all}};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(name, cases[i].name))
			cases[i].run();
	OK(mrt_finalize());
	if (!strcmp(name, "freed_pair"))
		CHECK(in[0] == 2 - me && in[LONG - 1] == 2 - me);
	return api_failures != 0;
}
