/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_again.c opens and closes sessions, one after the other and as often
 * as each rank likes, before MPI_Init, beside it and after MPI_Finalize (MPI
 * 5.0, chapter 11), and judges that none of 1,000 leaves anything behind. With
 * an argument a rank ends between two sessions, in the way that it names:
 * error_ends.t judges how.
 */
#include <dirent.h>
#include <unistd.h>

#include "tests/mpi/mpi_test.h"

enum {
	CYCLES = 1000,
	WARM = 200, /* of these: tables and caches have grown by then */
	GROWTH_KIB = 128
};

static MPI_Session session_open(void)
{
	MPI_Session session = MPI_SESSION_NULL;

	OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
	return session;
}

/* Returns whether all ranks of a process set meet in a new communicator. */
static bool meet(MPI_Session session, const char *pset)
{
	MPI_Comm comm = MPI_COMM_NULL;
	MPI_Group group;
	int rank = -1, sum = -1;

	if (!OK(MPI_Group_from_session_pset(session, pset, &group)) ||
	    !OK(MPI_Comm_create_from_group(group, "again", MPI_INFO_NULL,
					   MPI_ERRORS_RETURN, &comm)))
		return false;
	OK(MPI_Group_rank(group, &rank));
	OK(MPI_Group_size(group, &np));
	if (!strcmp(pset, "mpi://WORLD"))
		me = rank;
	return OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm)) &&
	       CHECK_EQ(sum, np * (np - 1) / 2) && OK(MPI_Comm_free(&comm)) &&
	       OK(MPI_Group_free(&group));
}

static bool cycle(const char *pset)
{
	MPI_Session session = session_open();

	return meet(session, pset) && OK(MPI_Session_finalize(&session)) &&
	       CHECK(session == MPI_SESSION_NULL);
}

/* ---- What a process holds ------------------------------------------------ */

struct held {
	long kib, descriptors, mappings;
};

static struct held held_now(void)
{
	struct held h = {0, 0, 0};
	FILE *status = fopen("/proc/self/status", "r");
	FILE *maps = fopen("/proc/self/maps", "r");
	DIR *open = opendir("/proc/self/fd");
	char line[512];

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "RssAnon: %ld", &h.kib);
	while (maps && fgets(line, sizeof(line), maps))
		h.mappings += strstr(line, "memfd:") || strstr(line, "/shm/");
	while (open && readdir(open))
		h.descriptors++;
	if (status)
		fclose(status);
	if (maps)
		fclose(maps);
	if (open)
		closedir(open);
	return h;
}

static bool cycles(const char *when)
{
	struct held before = {0, 0, 0}, after;

	for (int k = 0; k < CYCLES; k++) {
		if (k == WARM)
			before = held_now();
		if (!cycle("mpi://WORLD"))
			return false;
	}
	after = held_now();
	if (me == 0)
		printf("# %d sessions %s: %+ld KiB, %+ld descriptors, %+ld "
		       "shared mappings\n",
		       CYCLES - WARM, when, after.kib - before.kib,
		       after.descriptors - before.descriptors,
		       after.mappings - before.mappings);
#ifdef __SANITIZE_ADDRESS__
	after.kib = before.kib; /* what is freed stays for a while */
#endif
	return CHECK(after.kib - before.kib <= GROWTH_KIB) &&
	       CHECK_EQ(after.descriptors, before.descriptors) &&
	       CHECK_EQ(after.mappings, before.mappings);
}

/* ---- Orders -------------------------------------------------------------- */

/* The ranks open different numbers of sessions, and only some overlap. */
static bool uneven(void)
{
	MPI_Session first = session_open(), second = MPI_SESSION_NULL;
	bool good = meet(first, "mpi://WORLD");

	if (me % 2)
		second = session_open();
	good = OK(MPI_Session_finalize(&first)) && good;
	for (int k = 0; k < me % 3; k++)
		good = cycle("mpi://SELF") && good;
	if (me % 2 == 0)
		second = session_open();
	return meet(second, "mpi://WORLD") &&
	       OK(MPI_Session_finalize(&second)) && good;
}

static bool world_is(bool initialized, bool finalized)
{
	int is[2] = {-1, -1};

	return OK(MPI_Initialized(&is[0])) && OK(MPI_Finalized(&is[1])) &&
	       CHECK_EQ(is[0], initialized) && CHECK_EQ(is[1], finalized);
}

static bool use_world(void)
{
	int sum = -1;

	return world_is(true, false) &&
	       OK(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN)) &&
	       OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, W)) &&
	       CHECK_EQ(sum, np);
}

/* The world comes and goes while no session is open. */
static bool world_alone(void)
{
	return world_is(false, false) && OK(MPI_Init(NULL, NULL)) &&
	       use_world() && cycle("mpi://WORLD") && use_world() &&
	       OK(MPI_Finalize()) && world_is(true, true);
}

/* ---- Ends ---------------------------------------------------------------- */

/* Rank 1 ends between two sessions, and the others wait for it in the second.
 * Returns their exit code. */
static int end_as(const char *how)
{
	cycle("mpi://WORLD");
	cycle("mpi://WORLD");
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "open") && me == 1)
		session_open();
	if (!strcmp(how, "open") && me == 1)
		exit(0);
	if (!strcmp(how, "code") && me == 1)
		exit(3);
	if (!strcmp(how, "dies") && me == 1)
		abort();
	return strcmp(how, "return") != 0 && !cycle("mpi://WORLD");
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
	bool good;

	if (argc > 1)
		return end_as(argv[1]);
	good = cycles("before MPI_Init") && uneven() && world_alone() &&
	       cycle("mpi://WORLD") && cycles("after MPI_Finalize") &&
	       uneven() && world_is(true, true);
	if (me == 0)
		printf("%sok - sessions again and again\n", good ? "" : "not ");
	return !good;
}
