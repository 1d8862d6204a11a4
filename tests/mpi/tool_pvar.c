/* SPDX-License-Identifier: Apache-2.0 */
/* tool_pvar.c tests performance variables: what they say of themselves, and
 * that counters count (MPI 4.1, 15.3.7). */
#include "tests/mpi/mpi_test.h"

enum { ROOM = 256, MESSAGES = 10 };

struct pvar {
	char name[ROOM], desc[ROOM];
	int verbosity, class, bind, readonly, continuous, atomic;
	MPI_Datatype type;
	MPI_T_enum items;
};

static MPI_T_pvar_session session;

static int number_of(void)
{
	int n = -1;

	OK(MPI_T_pvar_get_num(&n));
	return n;
}

static bool get(int k, struct pvar *v)
{
	int name_len = ROOM, desc_len = ROOM;

	return OK(MPI_T_pvar_get_info(k, v->name, &name_len, &v->verbosity,
				      &v->class, &v->type, &v->items, v->desc,
				      &desc_len, &v->bind, &v->readonly,
				      &v->continuous, &v->atomic)) &&
	       CHECK_EQ(name_len, strlen(v->name) + 1) &&
	       CHECK_EQ(desc_len, strlen(v->desc) + 1);
}

static void all(void)
{
	static struct pvar v;
	int n = number_of();

	CHECK(n > 0);
	for (int k = 0; k < n; k++) {
		int found = -1;

		if (!get(k, &v))
			return;
		CHECK(*v.name && *v.desc && !strchr(v.name, ' '));
		CHECK(v.class == MPI_T_PVAR_CLASS_COUNTER ||
		      v.class == MPI_T_PVAR_CLASS_LEVEL);
		CHECK(v.type == MPI_UNSIGNED_LONG_LONG);
		CHECK(v.bind == MPI_T_BIND_NO_OBJECT);
		CHECK(v.readonly && v.continuous && !v.atomic);
		OK(MPI_T_pvar_get_index(v.name, v.class, &found));
		CHECK_EQ(found, k);
		CHECK_ERROR(MPI_T_ERR_INVALID_NAME,
			    MPI_T_pvar_get_index(v.name, MPI_T_PVAR_CLASS_TIMER,
						 &found));
	}
	CHECK_ERROR(MPI_T_ERR_INVALID_INDEX,
		    MPI_T_pvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL,
					NULL, NULL, NULL, NULL, NULL, NULL));
}

static unsigned long long read_one(const char *name)
{
	unsigned long long value = 0;
	MPI_T_pvar_handle handle;
	int k = -1, count = 0;

	OK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &k));
	OK(MPI_T_pvar_handle_alloc(session, k, NULL, &handle, &count));
	CHECK_EQ(count, 1);
	OK(MPI_T_pvar_read(session, handle, &value));
	OK(MPI_T_pvar_handle_free(session, &handle));
	CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
	return value;
}

/* A rank sends messages to itself; a collective of other ranks may have sent
 * more. */
static void counting(void)
{
	unsigned long long messages = read_one("p2p_received_messages"),
			   bytes = read_one("p2p_received_bytes");
	int in = -1;

	for (int k = 0; k < MESSAGES; k++)
		OK(MPI_Sendrecv(&k, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0,
				MPI_COMM_SELF, MPI_STATUS_IGNORE));
	CHECK(read_one("p2p_received_messages") - messages >= MESSAGES);
	CHECK(read_one("p2p_received_bytes") - bytes >= MESSAGES * sizeof(in));
}

/* They always count and are never set. */
static void refused(void)
{
	MPI_T_pvar_session other;
	MPI_T_pvar_handle handle;
	unsigned long long value = 7;
	int n;

	OK(MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &n));
	CHECK_ERROR(MPI_T_ERR_PVAR_NO_STARTSTOP,
		    MPI_T_pvar_start(session, handle));
	CHECK_ERROR(MPI_T_ERR_PVAR_NO_STARTSTOP,
		    MPI_T_pvar_stop(session, handle));
	CHECK_ERROR(MPI_T_ERR_PVAR_NO_WRITE,
		    MPI_T_pvar_write(session, handle, &value));
	CHECK_ERROR(MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_reset(session, handle));
	CHECK_ERROR(MPI_T_ERR_PVAR_NO_ATOMIC,
		    MPI_T_pvar_readreset(session, handle, &value));
	CHECK_EQ(value, 7);
	OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
	OK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
	OK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));

	CHECK_ERROR(MPI_T_ERR_INVALID_HANDLE,
		    MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value));
	CHECK_ERROR(MPI_T_ERR_INVALID_HANDLE,
		    MPI_T_pvar_read(session, MPI_T_PVAR_HANDLE_NULL, &value));
	OK(MPI_T_pvar_session_create(&other));
	OK(MPI_T_pvar_session_free(&other));
	CHECK(other == MPI_T_PVAR_SESSION_NULL);
	CHECK_ERROR(MPI_T_ERR_INVALID_SESSION,
		    MPI_T_pvar_read(other, handle, &value));
	CHECK_ERROR(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&other));
	CHECK_ERROR(
	    MPI_T_ERR_INVALID_INDEX,
	    MPI_T_pvar_handle_alloc(session, number_of(), NULL, &handle, &n));
	OK(MPI_T_pvar_handle_free(session, &handle));
}

static const struct mpi_case cases[] = {{"all variables", all},
					{"counters count", counting},
					{"what is refused", refused},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	unsigned long long value;
	MPI_T_pvar_handle handle;
	int n = -1, provided, failed;

	if (!OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided)) ||
	    !OK(MPI_T_pvar_session_create(&session)) ||
	    !CHECK_EQ(number_of(), 0))
		return 1;
	failed = mpi_test_run(argc, argv, cases);
	/* they are known for ever, with no value any more */
	return failed || !CHECK(number_of() > 0) ||
	       !OK(MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &n)) ||
	       !CHECK_ERROR(MPI_T_ERR_NOT_ACCESSIBLE,
			    MPI_T_pvar_read(session, handle, &value)) ||
	       !OK(MPI_T_finalize()) ||
	       !CHECK_ERROR(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_get_num(&n));
}
