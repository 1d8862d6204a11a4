/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_buffer.c tests the buffers of sessions (MPI 4.1, chapter 3.6): all
 * communicators that come from a session use its buffer, unless they have one
 * of their own; others do not.
 */
#include "tests/mpi/mpi_test.h"

enum { LONG = 30000, ONE = LONG * (int)sizeof(int) + MPI_BSEND_OVERHEAD };

static int out[LONG], in[LONG];
static char room[2 * ONE], other_room[ONE];
static MPI_Session session;
static MPI_Comm comm; /* of all ranks, from the session */

static void begin(void)
{
	MPI_Group group;

	OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
	OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
	OK(MPI_Comm_create_from_group(group, "buffer", MPI_INFO_NULL,
				      MPI_ERRORS_RETURN, &comm));
	OK(MPI_Group_free(&group));
}

static void end(void)
{
	OK(MPI_Comm_free(&comm));
	OK(MPI_Session_finalize(&session));
}

static int send_to(MPI_Comm c, int to, int tag)
{
	out[0] = out[LONG - 1] = me + tag;
	return MPI_Bsend(out, LONG, MPI_INT, to, tag, c);
}

static int send(MPI_Comm c, int tag)
{
	return send_to(c, right_of(me), tag);
}

static void receive_from(MPI_Comm c, int from, int tag)
{
	in[0] = -1;
	OK(MPI_Recv(in, LONG, MPI_INT, from, tag, c, MPI_STATUS_IGNORE));
	CHECK_EQ(in[0], from + tag);
	CHECK_EQ(in[LONG - 1], from + tag);
}

static void receive(MPI_Comm c, int tag)
{
	receive_from(c, left_of(me), tag);
}

static void detach(const void *expected, int bytes)
{
	void *at = NULL;
	int size = -1;

	OK(MPI_Session_detach_buffer(session, &at, &size));
	CHECK(at == expected);
	CHECK_EQ(size, bytes);
}

/* No message of W fits, since no buffer is attached to the process. */
static void check_use(MPI_Comm c)
{
	OK(MPI_Session_attach_buffer(session, room, ONE));
	CHECK_ERROR(MPI_ERR_BUFFER, send(W, 1));
	OK(send(c, 1));
	CHECK_ERROR(MPI_ERR_BUFFER, send(c, 2));
	OK(MPI_Barrier(W));
	receive(c, 1);
	detach(room, ONE);
	CHECK_ERROR(MPI_ERR_BUFFER, send(c, 1));
	OK(MPI_Comm_free(&c));
}

static void check_group(MPI_Group group)
{
	MPI_Comm c;

	OK(MPI_Comm_create_from_group(group, "of a group", MPI_INFO_NULL,
				      MPI_ERRORS_RETURN, &c));
	OK(MPI_Group_free(&group));
	check_use(c);
}

/* Groups that are made of those of the session, all with all ranks. */
static void test_groups(void)
{
	MPI_Group all, group;

	begin();
	OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
	OK(MPI_Group_range_incl(all, 1, (int[][3]){{0, np - 1, 1}}, &group));
	check_group(group);
	OK(MPI_Group_difference(all, MPI_GROUP_EMPTY, &group));
	check_group(group);
	OK(MPI_Group_union(MPI_GROUP_EMPTY, all, &group));
	check_group(group);
	OK(MPI_Group_free(&all));
	end();
}

static void test_derived(void)
{
	MPI_Request r;
	MPI_Group group;
	MPI_Comm c;

	begin();
	OK(MPI_Comm_dup(comm, &c));
	check_use(c);
	OK(MPI_Comm_idup(comm, &c, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check_use(c);
	OK(MPI_Comm_split(comm, 0, me, &c));
	check_use(c);
	OK(MPI_Comm_group(comm, &group));
	OK(MPI_Comm_create_group(comm, group, 1, &c));
	check_use(c);
	OK(MPI_Comm_create(comm, group, &c));
	check_use(c);
	OK(MPI_Group_free(&group));
	end();
}

/* An intercommunicator and what is merged from it. */
static void test_inter(void)
{
	int low = me < np / 2, peer = low ? me + np / 2 : me - np / 2;
	MPI_Comm half, inter, merged;

	if (np % 2)
		return;
	begin();
	OK(MPI_Comm_split(comm, low, me, &half));
	OK(MPI_Intercomm_create(half, 0, comm, low ? np / 2 : 0, 3, &inter));
	OK(MPI_Session_attach_buffer(session, room, ONE));
	/* rank k of one group and rank k of the other */
	OK(send_to(inter, me % (np / 2), 1));
	CHECK_ERROR(MPI_ERR_BUFFER, send_to(inter, me % (np / 2), 2));
	OK(MPI_Barrier(W));
	OK(MPI_Recv(in, LONG, MPI_INT, me % (np / 2), 1, inter,
		    MPI_STATUS_IGNORE));
	CHECK_EQ(in[0], peer + 1);
	detach(room, ONE);
	OK(MPI_Intercomm_merge(inter, !low, &merged));
	check_use(merged);
	OK(MPI_Comm_free(&inter));
	OK(MPI_Comm_free(&half));
	end();
}

/* The communicator's buffer comes first, the session's second. */
static void test_order(void)
{
	void *at;
	int size;

	begin();
	OK(MPI_Buffer_attach(room + ONE, ONE));
	OK(MPI_Session_attach_buffer(session, room, ONE));
	OK(MPI_Comm_attach_buffer(comm, other_room, ONE));
	OK(send(comm, 1));
	CHECK_ERROR(MPI_ERR_BUFFER, send(comm, 2));
	OK(MPI_Barrier(W));
	receive(comm, 1);
	OK(MPI_Comm_detach_buffer(comm, &at, &size));
	CHECK(at == other_room);
	OK(send(comm, 3)); /* in the session's */
	CHECK_ERROR(MPI_ERR_BUFFER, send(comm, 4));
	OK(send(W, 5)); /* in that of the process */
	OK(MPI_Barrier(W));
	receive(comm, 3);
	detach(room, ONE);
	CHECK_ERROR(MPI_ERR_BUFFER, send(comm, 6));
	OK(MPI_Barrier(W));
	receive(W, 5);
	OK(MPI_Buffer_flush());
	OK(send(comm, 7)); /* in that of the process */
	OK(MPI_Barrier(W));
	receive(comm, 7);
	OK(MPI_Buffer_detach(&at, &size));
	CHECK(at == room + ONE);
	end();
}

static void test_flush(void)
{
	MPI_Request flush;
	MPI_Count size = 0;
	void *at = NULL;
	int over = -1;

	begin();
	OK(MPI_Session_attach_buffer_c(session, room, 2 * ONE));
	OK(MPI_Session_iflush_buffer(session, &flush));
	OK(MPI_Wait(&flush, MPI_STATUS_IGNORE)); /* it is empty */
	OK(send(comm, 1));
	OK(MPI_Session_iflush_buffer(session, &flush));
	OK(send(comm, 2)); /* after the flush */
	OK(MPI_Test(&flush, &over, MPI_STATUS_IGNORE));
	CHECK_EQ(over, 0);
	OK(MPI_Barrier(W));
	receive(comm, 1);
	OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
	OK(MPI_Barrier(W));
	receive(comm, 2);
	OK(MPI_Session_flush_buffer(session));
	OK(MPI_Session_detach_buffer_c(session, &at, &size));
	CHECK(at == room);
	CHECK_EQ(size, 2 * ONE);
	end();
}

static void test_errors(void)
{
	MPI_Session closed;
	MPI_Request r;
	void *at;
	int size;

	begin();
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Session_detach_buffer(session, &at, &size));
	OK(MPI_Session_attach_buffer(session, room, ONE));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Session_attach_buffer(session, room, ONE));
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Session_detach_buffer(session, NULL, &size));
	detach(room, ONE);
	closed = session;
	end();
	CHECK_ERROR(MPI_ERR_SESSION,
		    MPI_Session_attach_buffer(closed, room, ONE));
	CHECK_ERROR(MPI_ERR_SESSION,
		    MPI_Session_detach_buffer(closed, &at, &size));
	CHECK_ERROR(MPI_ERR_SESSION, MPI_Session_flush_buffer(closed));
	CHECK_ERROR(MPI_ERR_SESSION,
		    MPI_Session_iflush_buffer(MPI_SESSION_NULL, &r));
}

/* MPI_Session_finalize waits for what is in the buffer, which the next session,
 * though its handle may have the same value, does not have. */
static void test_finalize(void)
{
	begin();
	OK(MPI_Session_attach_buffer(session, room, ONE));
	if (me == 0 && np > 1)
		OK(send_to(comm, 1, 1));
	if (me == 1)
		receive_from(comm, 0, 1);
	end();
	memset(room, -1, sizeof(room));
	begin();
	OK(MPI_Session_attach_buffer(session, other_room, ONE));
	detach(other_room, ONE);
	end();
}

static const struct mpi_case cases[] = {
    {"communicators from the session", test_derived},
    {"groups of the session's", test_groups},
    {"intercommunicators", test_inter},
    {"the order of buffers", test_order},
    {"flushes", test_flush},
    {"errors", test_errors},
    {"finalize with a buffer", test_finalize},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
