/* SPDX-License-Identifier: Apache-2.0 */
/* handles.c makes one handle of each kind and state. */
#include "tests/system/misuse/misuse.h"

static int junk[32];

/* clang-format off */
enum {
	H_NULL, H_SMALL, H_JUNK,
	H_COMM_NULL, H_TYPE_NULL, H_OP_NULL, H_GROUP_NULL, H_REQUEST_NULL,
	H_MESSAGE_NULL, H_WORLD, H_INT, H_SUM, H_EMPTY,
	H_COMM, H_COMM_FREED, H_TYPE, H_TYPE_UNCOMMITTED, H_TYPE_FREED, H_OP,
	H_OP_FREED, H_GROUP, H_GROUP_FREED, H_PERSISTENT, H_ACTIVE,
	H_REQUEST_DONE, H_PERSISTENT_FREED, H_COLL_FREED, H_GENERAL_FREED,
	H_MESSAGE, H_MESSAGE_DONE, H_WIN_NULL, H_WIN, H_WIN_FREED, HANDLES
};
/* clang-format on */

#define CONSTANT(value)                                                        \
	{                                                                      \
		(void *)(value), (void *)(value)                               \
	}
#define OF(text, what) .label = (text), .kind = (what)
struct handle handles[] = {
    [H_NULL] = {.label = "NULL", .at = CONSTANT(0)},
    [H_SMALL] = {.label = "0x7f", .at = CONSTANT(0x7f)},
    [H_JUNK] = {.label = "no object", .at = CONSTANT(junk)},
    [H_COMM_NULL] = {OF("MRT_COMM_NULL", COMM), .null = true,
		     .at = CONSTANT(MRT_COMM_NULL)},
    [H_TYPE_NULL] = {OF("MRT_TYPE_NULL", TYPE), .null = true,
		     .at = CONSTANT(MRT_TYPE_NULL)},
    [H_OP_NULL] = {OF("MRT_OP_NULL", OP), .null = true,
		   .at = CONSTANT(MRT_OP_NULL)},
    [H_GROUP_NULL] = {OF("MRT_GROUP_NULL", GROUP), .null = true,
		      .at = CONSTANT(MRT_GROUP_NULL)},
    [H_REQUEST_NULL] = {OF("MRT_REQUEST_NULL", REQUEST), .null = true,
			.at = CONSTANT(MRT_REQUEST_NULL)},
    [H_MESSAGE_NULL] = {OF("MRT_MESSAGE_NULL", MESSAGE), .null = true,
			.at = CONSTANT(MRT_MESSAGE_NULL)},
    [H_WORLD] = {OF("MRT_COMM_WORLD", COMM), .valid = true,
		 .at = CONSTANT(MRT_COMM_WORLD)},
    [H_INT] = {OF("MRT_INT", TYPE), .valid = true, .at = CONSTANT(MRT_INT)},
    [H_SUM] = {OF("MRT_SUM", OP), .valid = true, .at = CONSTANT(MRT_SUM)},
    [H_EMPTY] = {OF("MRT_GROUP_EMPTY", GROUP), .valid = true,
		 .at = CONSTANT(MRT_GROUP_EMPTY)},
    [H_COMM] = {OF("a communicator", COMM), .valid = true},
    [H_COMM_FREED] = {OF("a freed communicator", COMM)},
    [H_TYPE] = {OF("a type", TYPE), .valid = true},
    [H_TYPE_UNCOMMITTED] = {OF("an uncommitted type", TYPE), .valid = true,
			    .uncommitted = true},
    [H_TYPE_FREED] = {OF("a freed type", TYPE)},
    [H_OP] = {OF("an operation", OP), .valid = true},
    [H_OP_FREED] = {OF("a freed operation", OP)},
    [H_GROUP] = {OF("a group", GROUP), .valid = true},
    [H_GROUP_FREED] = {OF("a freed group", GROUP)},
    [H_PERSISTENT] = {OF("a persistent request", REQUEST), .valid = true},
    [H_ACTIVE] = {OF("an active request", REQUEST), .valid = true},
    [H_REQUEST_DONE] = {OF("a completed request", REQUEST)},
    [H_PERSISTENT_FREED] = {OF("a freed persistent request", REQUEST)},
    [H_COLL_FREED] = {OF("a completed collective", REQUEST)},
    [H_GENERAL_FREED] = {OF("a completed request of the user's", REQUEST)},
    [H_MESSAGE] = {OF("a message", MESSAGE), .valid = true},
    [H_MESSAGE_DONE] = {OF("a received message", MESSAGE)},
    [H_WIN_NULL] = {OF("MRT_WIN_NULL", WIN), .null = true,
		    .at = CONSTANT(MRT_WIN_NULL)},
    [H_WIN] = {OF("a window", WIN), .valid = true},
    [H_WIN_FREED] = {OF("a freed window", WIN)},
};
const int nhandles = HANDLES;

static void set(int which, void *handle)
{
	handles[which].at[0] = handles[which].at[1] = handle;
}

static void add(const void *in, void *inout, size_t count,
		struct mrt_type *type, void *context)
{
	(void)in;
	(void)inout;
	(void)count;
	(void)type;
	(void)context;
}

static void make_comms(void)
{
	struct mrt_comm *comm, *keep;

	OK(mrt_comm_dup(W, &keep));
	OK(mrt_comm_dup(W, &comm));
	set(H_COMM, keep);
	set(H_COMM_FREED, comm);
	OK(mrt_comm_free(&comm));
	OK(mrt_barrier(W)); /* the communicator is gone */
}

static void make_types(void)
{
	struct mrt_type *type;

	/* has holes, so that it is not moved as bytes */
	OK(mrt_type_vector(2, 1, 2, MRT_INT, &type));
	set(H_TYPE_UNCOMMITTED, type);
	OK(mrt_type_vector(2, 1, 2, MRT_INT, &type));
	OK(mrt_type_commit(type));
	set(H_TYPE, type);
	OK(mrt_type_contiguous(2, MRT_INT, &type));
	OK(mrt_type_commit(type));
	set(H_TYPE_FREED, type);
	OK(mrt_type_free(&type));
}

static void make_others(void)
{
	struct mrt_group *group;
	struct mrt_op *op;

	OK(mrt_op_create(add, NULL, 1, &op));
	set(H_OP, op);
	OK(mrt_op_create(add, NULL, 1, &op));
	set(H_OP_FREED, op);
	OK(mrt_op_free(&op));
	OK(mrt_comm_group(W, &group));
	set(H_GROUP, group);
	OK(mrt_comm_group(W, &group));
	set(H_GROUP_FREED, group);
	OK(mrt_group_free(&group));
}

static void make_requests(void)
{
	static int x, y;
	struct mrt_request *r;

	OK(mrt_recv_init(&x, 1, MRT_INT, me, 900, W, &r));
	set(H_PERSISTENT, r);
	OK(mrt_recv_init(&x, 1, MRT_INT, me, 901, W, &r));
	set(H_PERSISTENT_FREED, r);
	OK(mrt_request_free(&r));
	OK(mrt_irecv(&x, 1, MRT_INT, me, 902, W, &r));
	set(H_ACTIVE, r);
	OK(mrt_irecv(&x, 1, MRT_INT, me, 903, W, &r));
	set(H_REQUEST_DONE, r);
	OK(mrt_send(&y, 1, MRT_INT, me, 903, W));
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
	OK(mrt_iallreduce(&x, &y, 1, MRT_INT, MRT_SUM, W, &r));
	set(H_COLL_FREED, r);
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
	OK(mrt_grequest_start(NULL, NULL, NULL, NULL, &r));
	set(H_GENERAL_FREED, r);
	OK(mrt_grequest_complete(r));
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
}

static void make_messages(void)
{
	struct mrt_message *m;
	int x = 0;

	OK(mrt_send(&x, 1, MRT_INT, me, 904, W));
	OK(mrt_mprobe(me, 904, W, &m, MRT_STATUS_IGNORE));
	set(H_MESSAGE, m);
	OK(mrt_send(&x, 1, MRT_INT, me, 905, W));
	OK(mrt_mprobe(me, 905, W, &m, MRT_STATUS_IGNORE));
	set(H_MESSAGE_DONE, m);
	OK(mrt_mrecv(&x, 1, MRT_INT, &m, MRT_STATUS_IGNORE));
}

static void make_windows(void)
{
	struct mrt_win *win;

	OK(mrt_win_create_dynamic(MRT_COMM_SELF, &win));
	set(H_WIN, win);
	OK(mrt_win_create_dynamic(MRT_COMM_SELF, &win));
	set(H_WIN_FREED, win);
	OK(mrt_win_free(&win));
}

void handles_make(void)
{
	memset(junk, 0x5a, sizeof(junk));
	make_comms();
	make_types();
	make_others();
	make_requests();
	make_messages();
	make_windows();
}

void handles_free(void)
{
	struct mrt_comm *comm = handles[H_COMM].at[0];
	struct mrt_type *type = handles[H_TYPE].at[0];
	struct mrt_type *raw = handles[H_TYPE_UNCOMMITTED].at[0];
	struct mrt_op *op = handles[H_OP].at[0];
	struct mrt_group *group = handles[H_GROUP].at[0];
	struct mrt_request *persistent = handles[H_PERSISTENT].at[0];
	struct mrt_request *active = handles[H_ACTIVE].at[0];
	struct mrt_message *message = handles[H_MESSAGE].at[0];
	struct mrt_win *win = handles[H_WIN].at[0];
	struct mrt_status status;
	int x;

	OK(mrt_win_free(&win));
	OK(mrt_comm_free(&comm));
	OK(mrt_type_free(&type));
	OK(mrt_type_free(&raw));
	OK(mrt_op_free(&op));
	OK(mrt_group_free(&group));
	OK(mrt_request_free(&persistent));
	OK(mrt_cancel(&active));
	OK(mrt_wait(&active, &status));
	CHECK(status.cancelled);
	OK(mrt_mrecv(&x, 1, MRT_INT, &message, MRT_STATUS_IGNORE));
}

/* ---- Partitioned requests ------------------------------------------------ */

void have_ready(void)
{
	OK(mrt_psend_init(stage.send, 4, 1, MRT_INT, MRT_PROC_NULL, 0, W,
			  &stage.request));
	OK(mrt_start(&stage.request));
}

void end_ready(int rc)
{
	(void)rc;
	for (int k = 0; k < 4; k++)
		(void)mrt_pready(k, stage.request);
	OK(mrt_wait(&stage.request, MRT_STATUS_IGNORE));
	OK(mrt_request_free(&stage.request));
}

void have_arrived(void)
{
	OK(mrt_precv_init(stage.recv, 4, 1, MRT_INT, MRT_PROC_NULL, 0, W,
			  &stage.request));
}

void end_arrived(int rc)
{
	(void)rc;
	OK(mrt_request_free(&stage.request));
}
