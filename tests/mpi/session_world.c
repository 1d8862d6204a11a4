/* SPDX-License-Identifier: Apache-2.0 */
/* session_world.c tests sessions beside MPI_Init: what may be called before,
 * process sets, error handlers, communicators made of groups, and a session
 * that outlives MPI_Finalize (MPI 4.1, chapter 11.3). */
#include "tests/mpi/mpi_test.h"

static MPI_Session outer; /* from before MPI_Init to after MPI_Finalize */
static struct {
	MPI_Info info;
	MPI_Errhandler handler;
	int info_number, handler_number;
} lasting; /* likewise */

static MPI_Session begin(void)
{
	MPI_Session session = MPI_SESSION_NULL;

	OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
	CHECK(session != MPI_SESSION_NULL);
	return session;
}

static MPI_Group group_of(MPI_Session session, const char *pset)
{
	MPI_Group group = MPI_GROUP_NULL;

	OK(MPI_Group_from_session_pset(session, pset, &group));
	return group;
}

/* Returns the sum of the ranks of comm, which all of them call. */
static int sum_of(MPI_Comm comm)
{
	int rank = -1, sum = -1;

	OK(MPI_Comm_rank(comm, &rank));
	OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
	return sum;
}

/* ---- Process sets -------------------------------------------------------- */

static bool names(MPI_Info info, const char *key, char *value, int room)
{
	int flag = 0;

	OK(MPI_Info_get_string(info, key, &room, value, &flag));
	return flag;
}

static int size_of(MPI_Session session, const char *pset)
{
	char value[16] = "-1";
	MPI_Info info = MPI_INFO_NULL;

	OK(MPI_Session_get_pset_info(session, pset, &info));
	CHECK(names(info, "mpi_size", value, sizeof(value)));
	OK(MPI_Info_free(&info));
	return atoi(value);
}

static void psets(void)
{
	int n = -1, self = 0, world = 0;

	OK(MPI_Session_get_num_psets(outer, MPI_INFO_NULL, &n));
	for (int k = 0; k < n; k++) {
		char name[MPI_MAX_PSET_NAME_LEN] = "", cut[8] = "#######";
		int len = 0, room = sizeof(name), short_room = 5, size = -1;
		MPI_Group group;

		OK(MPI_Session_get_nth_pset(outer, MPI_INFO_NULL, k, &len,
					    NULL));
		OK(MPI_Session_get_nth_pset(outer, MPI_INFO_NULL, k, &room,
					    name));
		CHECK_EQ(room, len);
		CHECK_EQ(strlen(name) + 1, len);
		OK(MPI_Session_get_nth_pset(outer, MPI_INFO_NULL, k,
					    &short_room, cut));
		CHECK(!strncmp(cut, name, 4) && !cut[4] && cut[5] == '#');
		CHECK_EQ(short_room, len);
		self += !strcmp(name, "mpi://SELF");
		world += !strcmp(name, "mpi://WORLD");
		group = group_of(outer, name);
		OK(MPI_Group_size(group, &size));
		CHECK_EQ(size_of(outer, name), size);
		OK(MPI_Group_free(&group));
	}
	CHECK(self == 1 && world == 1);
	CHECK_EQ(size_of(outer, "mpi://SELF"), 1);
	CHECK_EQ(size_of(outer, "mpi://WORLD"), np);
}

static void groups(void)
{
	MPI_Group world = group_of(outer, "mpi://WORLD"),
		  self = group_of(outer, "mpi://SELF"), old;
	int result = -1, rank = -1;

	OK(MPI_Comm_group(W, &old));
	OK(MPI_Group_compare(world, old, &result));
	CHECK_EQ(result, MPI_IDENT);
	OK(MPI_Group_translate_ranks(self, 1, &(int){0}, world, &rank));
	CHECK_EQ(rank, me);
	OK(MPI_Group_free(&old));
	OK(MPI_Group_free(&world));
	OK(MPI_Group_free(&self));
}

/* ---- Sessions ------------------------------------------------------------ */

static void level(void)
{
	static const char *const levels[] = {
	    "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
	    "MPI_THREAD_MULTIPLE"};
	char value[32] = "";
	MPI_Info info;
	MPI_Session session = MPI_SESSION_NULL;
	int found = 0;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_FUNNELED"));
	OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
	OK(MPI_Info_free(&info));
	OK(MPI_Session_get_info(session, &info));
	CHECK(names(info, "thread_level", value, sizeof(value)));
	for (int k = 0; k < 4; k++)
		found += !strcmp(value, levels[k]);
	CHECK_EQ(found, 1);
	CHECK(names(info, "mpi_memory_alloc_kinds", value, sizeof(value)));
	CHECK(!strcmp(value, "mpi,system"));
	OK(MPI_Info_free(&info));
	OK(MPI_Session_finalize(&session));
	CHECK(session == MPI_SESSION_NULL);
}

static void several(void)
{
	enum { SESSIONS = 5 };
	MPI_Session sessions[SESSIONS];
	MPI_Comm comms[SESSIONS];

	for (int k = 0; k < SESSIONS; k++) {
		MPI_Group group;

		sessions[k] = begin();
		for (int j = 0; j < k; j++)
			CHECK(sessions[j] != sessions[k]);
		CHECK(MPI_Session_f2c(MPI_Session_c2f(sessions[k])) ==
		      sessions[k]);
		group = group_of(sessions[k], "mpi://WORLD");
		OK(MPI_Comm_create_from_group(group, "several", MPI_INFO_NULL,
					      MPI_ERRORS_RETURN, &comms[k]));
		OK(MPI_Group_free(&group));
	}
	for (int k = 0; k < SESSIONS; k++) {
		CHECK_EQ(sum_of(comms[k]), np * (np - 1) / 2);
		OK(MPI_Comm_free(&comms[k]));
		OK(MPI_Session_finalize(&sessions[k]));
	}
	CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) ==
	      MPI_SESSION_NULL);
}

/* ---- Errors -------------------------------------------------------------- */

static void wrong(void)
{
	MPI_Session session = begin(), old = session;
	MPI_Group group = MPI_GROUP_NULL;
	MPI_Info info;
	int n, len = 0;

	OK(MPI_Session_finalize(&session));
	CHECK_ERROR(MPI_ERR_SESSION, MPI_Session_finalize(&session));
	CHECK_ERROR(MPI_ERR_SESSION, MPI_Session_get_num_psets(
					 MPI_SESSION_NULL, MPI_INFO_NULL, &n));
	CHECK_ERROR(MPI_ERR_SESSION, MPI_Session_get_info(old, &info));
	CHECK_ERROR(MPI_ERR_SESSION,
		    MPI_Group_from_session_pset(old, "mpi://WORLD", &group));
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Group_from_session_pset(outer, "mpi://MOON", &group));
	CHECK(group == MPI_GROUP_NULL);
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Session_get_pset_info(outer, "mpi://MOON", &info));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Session_get_nth_pset(outer, MPI_INFO_NULL,
							  1000, &len, NULL));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Session_get_nth_pset(outer, MPI_INFO_NULL,
							  -1, &len, NULL));
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MANY"));
	CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session) !=
	      MPI_SUCCESS);
	OK(MPI_Info_free(&info));
}

static MPI_Session told;
static MPI_Comm told_comm;
static int told_class;

static void on_session(MPI_Session *session, int *code, ...)
{
	told = *session;
	MPI_Error_class(*code, &told_class);
}

static void on_comm(MPI_Comm *comm, int *code, ...)
{
	told_comm = *comm;
	MPI_Error_class(*code, &told_class);
}

static void handlers(void)
{
	MPI_Session session = MPI_SESSION_NULL;
	MPI_Group group = MPI_GROUP_NULL;
	MPI_Errhandler handler, comms, got;

	OK(MPI_Session_create_errhandler(on_session, &handler));
	OK(MPI_Comm_create_errhandler(on_comm, &comms));
	OK(MPI_Session_init(MPI_INFO_NULL, handler, &session));
	OK(MPI_Session_get_errhandler(session, &got));
	CHECK(got == handler);
	OK(MPI_Errhandler_free(&got));
	OK(MPI_Errhandler_free(&handler));

	told = MPI_SESSION_NULL;
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Group_from_session_pset(session, "mpi://MOON", &group));
	CHECK(told == session);
	CHECK_EQ(told_class, MPI_ERR_ARG);
	OK(MPI_Session_call_errhandler(session, MPI_ERR_TAG));
	CHECK_EQ(told_class, MPI_ERR_TAG);
	CHECK(MPI_Session_set_errhandler(session, comms) != MPI_SUCCESS);

	OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
	told_class = 0;
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Group_from_session_pset(session, "mpi://MOON", &group));
	CHECK_EQ(told_class, 0);
	OK(MPI_Errhandler_free(&comms));
	OK(MPI_Session_finalize(&session));
}

/* ---- Communicators of groups --------------------------------------------- */

/* Only the members call it, and they alone are in the communicator. */
static void subsets(void)
{
	MPI_Group world = group_of(outer, "mpi://WORLD"), half;
	int range[1][3] = {{me % 2, np - 1, 2}}, result = -1;
	MPI_Comm comm = MPI_COMM_NULL;

	OK(MPI_Group_range_incl(world, 1, range, &half));
	if (me % 2) {
		MPI_Group got;
		int n = np / 2;

		OK(MPI_Comm_create_from_group(half, "odd", MPI_INFO_NULL,
					      MPI_ERRORS_RETURN, &comm));
		CHECK_EQ(sum_of(comm), n * (n - 1) / 2);
		OK(MPI_Comm_group(comm, &got));
		OK(MPI_Group_compare(got, half, &result));
		CHECK_EQ(result, MPI_IDENT);
		OK(MPI_Group_free(&got));
		OK(MPI_Comm_free(&comm));
	}
	OK(MPI_Group_free(&half));
	OK(MPI_Group_free(&world));
	OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL,
				      MPI_ERRORS_RETURN, &comm));
	CHECK(comm == MPI_COMM_NULL);
}

static void attached(void)
{
	MPI_Group self = group_of(outer, "mpi://SELF");
	MPI_Comm comm = MPI_COMM_NULL;
	MPI_Errhandler handler;
	char value[8] = "";
	MPI_Info info;

	OK(MPI_Comm_create_errhandler(on_comm, &handler));
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
	OK(MPI_Comm_create_from_group(self, "", info, handler, &comm));
	OK(MPI_Info_free(&info));
	told_comm = MPI_COMM_NULL;
	CHECK_ERROR(MPI_ERR_RANK, MPI_Send(NULL, 0, MPI_INT, 7, 0, comm));
	CHECK(told_comm == comm);
	OK(MPI_Comm_get_info(comm, &info));
	CHECK(names(info, "mpi_assert_no_any_tag", value, sizeof(value)));
	CHECK(!strcmp(value, "true"));
	OK(MPI_Info_free(&info));
	OK(MPI_Comm_free(&comm));

	/* the handler is also that of the call itself */
	told_class = 0;
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Comm_create_from_group(self, NULL, MPI_INFO_NULL,
					       handler, &comm));
	CHECK_EQ(told_class, MPI_ERR_ARG);
	CHECK(told_comm == MPI_COMM_SELF);
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Comm_create_from_group(MPI_GROUP_NULL, "",
					       MPI_INFO_NULL, handler, &comm));
	OK(MPI_Errhandler_free(&handler));
	OK(MPI_Group_free(&self));
}

static void intercomm(void)
{
	MPI_Group world = group_of(outer, "mpi://WORLD"), side[2];
	int low[1][3] = {{0, np / 2 - 1, 1}},
	    high[1][3] = {{np / 2, np - 1, 1}}, flag = 0, size = -1,
	    mine = me >= np / 2, other = -1;
	MPI_Comm comm = MPI_COMM_NULL;

	if (np < 2) {
		OK(MPI_Group_free(&world));
		mpi_test_skip("needs two groups");
		return;
	}
	OK(MPI_Group_range_incl(world, 1, low, &side[0]));
	OK(MPI_Group_range_incl(world, 1, high, &side[1]));
	OK(MPI_Intercomm_create_from_groups(side[mine], mine ? 0 : np / 2 - 1,
					    side[!mine], mine ? np / 2 - 1 : 0,
					    "two groups", MPI_INFO_NULL,
					    MPI_ERRORS_RETURN, &comm));
	OK(MPI_Comm_test_inter(comm, &flag));
	CHECK(flag);
	OK(MPI_Comm_remote_size(comm, &size));
	CHECK_EQ(size, mine ? np / 2 : np - np / 2);
	OK(MPI_Allreduce(&me, &other, 1, MPI_INT, MPI_MAX, comm));
	CHECK_EQ(other, mine ? np / 2 - 1 : np - 1);
	OK(MPI_Comm_free(&comm));
	for (int k = 0; k < 2; k++)
		OK(MPI_Group_free(&side[k]));
	OK(MPI_Group_free(&world));
}

/* A leader whose arguments are wrong must not leave others waiting. */
static void bad_leader(void)
{
	MPI_Group world = group_of(outer, "mpi://WORLD");
	MPI_Comm comm = MPI_COMM_NULL;

	CHECK(MPI_Intercomm_create_from_groups(
		  world, np - 1, world, np, "a leader out of range",
		  MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) != MPI_SUCCESS);
	CHECK(comm == MPI_COMM_NULL);
	OK(MPI_Group_free(&world));
}

static const struct mpi_case cases[] = {
    {"process sets", psets},
    {"their groups", groups},
    {"the thread level", level},
    {"several at once", several},
    {"wrong arguments", wrong},
    {"error handlers", handlers},
    {"communicators of some ranks", subsets},
    {"the handler and hints of a communicator", attached},
    {"an intercommunicator", intercomm},
    {"a leader out of range", bad_leader},
    {NULL, NULL}};

/* ---- Before and after ---------------------------------------------------- */

static bool is_set(int (*call)(int *flag))
{
	int flag = -1;

	OK(call(&flag));
	return flag == 1;
}

/* Returns whether all of this may be called before MPI_Init. */
static bool before(void)
{
	char text[MPI_MAX_ERROR_STRING];
	MPI_Errhandler handler;
	MPI_Info info;
	int n = -1;
	bool good;

	good =
	    OK(MPI_Info_create(&lasting.info)) &&
	    OK(MPI_Comm_create_errhandler(on_comm, &lasting.handler)) &&
	    OK(MPI_Info_create(&info)) &&
	    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_SERIALIZED")) &&
	    OK(MPI_Session_create_errhandler(on_session, &handler)) &&
	    OK(MPI_Error_string(MPI_ERR_SESSION, text, &n)) &&
	    OK(MPI_Session_init(info, handler, &outer)) &&
	    OK(MPI_Errhandler_free(&handler)) && OK(MPI_Info_free(&info));
	return good && CHECK(!is_set(MPI_Initialized)) &&
	       CHECK(!is_set(MPI_Finalized)) &&
	       OK(MPI_Session_set_errhandler(outer, MPI_ERRORS_RETURN));
}

#ifdef MPI_ABI_VERSION
static void number_lasting(void)
{
	lasting.info_number = MPI_Info_toint(lasting.info);
	lasting.handler_number = MPI_Errhandler_toint(lasting.handler);
}

/* Returns whether infos and error handlers keep their integers, which no new
 * one gets. */
static bool still_numbered(void)
{
	bool good =
	    CHECK(MPI_Info_fromint(lasting.info_number) == lasting.info) &&
	    CHECK(MPI_Errhandler_fromint(lasting.handler_number) ==
		  lasting.handler);
	MPI_Info infos[5];

	for (int k = 0; k < 5; k++)
		good =
		    OK(MPI_Info_create(&infos[k])) &&
		    CHECK(MPI_Info_toint(infos[k]) != lasting.info_number &&
			  MPI_Info_toint(infos[k]) != lasting.handler_number) &&
		    good;
	for (int k = 0; k < 5; k++)
		OK(MPI_Info_free(&infos[k]));
	return OK(MPI_Info_free(&lasting.info)) &&
	       OK(MPI_Errhandler_free(&lasting.handler)) && good;
}
#else
static void number_lasting(void)
{
}

static bool still_numbered(void)
{
	return true;
}
#endif

static bool still_works(MPI_Session session)
{
	MPI_Group group = group_of(session, "mpi://WORLD");
	MPI_Comm comm = MPI_COMM_NULL;

	return OK(MPI_Comm_create_from_group(group, "after", MPI_INFO_NULL,
					     MPI_ERRORS_RETURN, &comm)) &&
	       CHECK_EQ(sum_of(comm), np * (np - 1) / 2) &&
	       OK(MPI_Comm_free(&comm)) && OK(MPI_Group_free(&group));
}

/* Returns whether the session works on, and a new one after the last works. */
static bool after(void)
{
	bool good = CHECK(is_set(MPI_Initialized)) &&
		    CHECK(is_set(MPI_Finalized)) && still_works(outer) &&
		    OK(MPI_Session_finalize(&outer));

	outer = begin();
	return still_works(outer) && OK(MPI_Session_finalize(&outer)) && good;
}

/* Leaks are not looked for: the second start of PMIx loses a line of text, by
 * vasprintf, which LeakSanitizer does not follow to its caller. */
int __lsan_is_turned_off(void);
__attribute__((visibility("default"))) int __lsan_is_turned_off(void)
{
	return 1;
}

int main(int argc, char **argv)
{
	bool good = before();
	int failed;

	number_lasting();
	failed = mpi_test_run(argc, argv, cases);
	return !after() || !still_numbered() || !good || failed;
}
