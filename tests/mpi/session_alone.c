/* SPDX-License-Identifier: Apache-2.0 */
/* session_alone.c runs a program that never calls MPI_Init: two components,
 * each with a session of its own and one thread, exchange messages at the same
 * time (MPI 4.1, chapter 11.3). */
#include <pthread.h>

#include "tests/mpi/mpi_test.h"

enum { ROUNDS = 20 };

struct component {
	const char *tag;
	int number;
	bool good;
	int size, rank;
};

static bool talk(struct component *c, MPI_Comm comm)
{
	int in = -1, out = c->number, tag = 3;

	if (!OK(MPI_Comm_rank(comm, &c->rank)) ||
	    !OK(MPI_Comm_size(comm, &c->size)))
		return false;
	for (int k = 0; k < ROUNDS; k++, out++)
		if (!OK(MPI_Sendrecv(&out, 1, MPI_INT, (c->rank + 1) % c->size,
				     tag, &in, 1, MPI_INT, MPI_ANY_SOURCE, tag,
				     comm, MPI_STATUS_IGNORE)) ||
		    !CHECK_EQ(in, out) || !OK(MPI_Barrier(comm)))
			return false;
	return true;
}

static bool run_in(struct component *c, MPI_Session session)
{
	MPI_Group group;
	MPI_Comm comm, copy;

	return OK(MPI_Group_from_session_pset(session, "mpi://WORLD",
					      &group)) &&
	       OK(MPI_Comm_create_from_group(group, c->tag, MPI_INFO_NULL,
					     MPI_ERRORS_RETURN, &comm)) &&
	       OK(MPI_Group_free(&group)) && OK(MPI_Comm_dup(comm, &copy)) &&
	       talk(c, comm) && talk(c, copy) && OK(MPI_Comm_free(&copy)) &&
	       OK(MPI_Comm_free(&comm));
}

static void *component(void *arg)
{
	struct component *c = arg;
	MPI_Session session;

	c->good =
	    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)) &&
	    run_in(c, session) && OK(MPI_Session_finalize(&session));
	return NULL;
}

static bool has_level(MPI_Session session, const char *level)
{
	char value[32] = "";
	int room = sizeof(value), flag = 0;
	MPI_Info info;
	bool good;

	good = OK(MPI_Session_get_info(session, &info)) &&
	       OK(MPI_Info_get_string(info, "thread_level", &room, value,
				      &flag)) &&
	       OK(MPI_Info_free(&info));
	return good && flag && !strcmp(value, level);
}

/* Returns whether neither function says that the World Model was used. */
static bool no_world(void)
{
	int initialized = -1, finalized = -1;

	return OK(MPI_Initialized(&initialized)) &&
	       OK(MPI_Finalized(&finalized)) && CHECK(!initialized) &&
	       CHECK(!finalized);
}

int main(void)
{
	struct component c[] = {{.tag = "the ocean", .number = 100},
				{.tag = "the air", .number = 200}};
	MPI_Session session;
	pthread_t thread;
	bool good;

	/* it stays open while those of the components come and go */
	if (!no_world() || !OK(MPI_Session_init(
			       MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session)))
		return 1;
	if (has_level(session, "MPI_THREAD_MULTIPLE") &&
	    !pthread_create(&thread, NULL, component, &c[1])) {
		component(&c[0]);
		pthread_join(thread, NULL);
	} else {
		component(&c[0]);
		component(&c[1]);
	}
	good = c[0].good && c[1].good && no_world() &&
	       OK(MPI_Session_finalize(&session)) && no_world();
	if (c[0].rank == 0)
		printf("%sok - components with sessions of their own\n",
		       good ? "" : "not ");
	return !good;
}
