/* SPDX-License-Identifier: Apache-2.0 */
/* env_inquiry.c tests what a program can ask of its environment: versions,
 * names, time, threads, predefined attributes, memory (MPI 4.1, chapter 9). */
#include <pthread.h>

#include "tests/mpi/mpi_test.h"

/* These may be called at any time: main asks before MPI_Init as well. */
static void versions(void)
{
	static char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int version = -1, subversion = -1, len = -1;

	OK(MPI_Get_version(&version, &subversion));
	CHECK_EQ(version, MPI_VERSION);
	CHECK_EQ(subversion, MPI_SUBVERSION);
	OK(MPI_Get_library_version(text, &len));
	CHECK(len > 0 && len < MPI_MAX_LIBRARY_VERSION_STRING);
	CHECK_EQ(strlen(text), len);
}

static void name(void)
{
	char text[MPI_MAX_PROCESSOR_NAME];
	int len = -1;

	OK(MPI_Get_processor_name(text, &len));
	CHECK(len > 0);
	CHECK_EQ(strlen(text), len);
}

static void state(void)
{
	int flag = -1;

	OK(MPI_Initialized(&flag));
	CHECK_EQ(flag, 1);
	OK(MPI_Finalized(&flag));
	CHECK_EQ(flag, 0);
	CHECK(MPI_Init(NULL, NULL) != MPI_SUCCESS);
}

static void *not_main(void *arg)
{
	MPI_Is_thread_main(arg);
	return NULL;
}

static void threads(void)
{
	int level = -1, flag = -1;
	pthread_t thread;

	OK(MPI_Query_thread(&level));
	CHECK(level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
	OK(MPI_Is_thread_main(&flag));
	CHECK_EQ(flag, 1);
	if (pthread_create(&thread, NULL, not_main, &flag))
		return;
	pthread_join(thread, NULL);
	CHECK_EQ(flag, 0);
}

static void times(void)
{
	double first = MPI_Wtime(), tick = MPI_Wtick(), now;

	CHECK(tick > 0 && tick < 1);
	do
		now = MPI_Wtime();
	while (now <= first);
	CHECK(now > first);
	OK(MPI_Pcontrol(1));
	OK(MPI_Pcontrol(0, "any", 7));
}

/* Returns the value of a predefined attribute; the flag must be set. */
static int value_of(int keyval)
{
	int *value = NULL, flag = 0;

	OK(MPI_Comm_get_attr(W, keyval, &value, &flag));
	CHECK(flag && value);
	return flag && value ? *value : -12345;
}

static void attributes(void)
{
	int global = value_of(MPI_WTIME_IS_GLOBAL), *value, flag;

	CHECK(value_of(MPI_TAG_UB) >= 32767);
	CHECK(value_of(MPI_IO) != -12345);
	CHECK(value_of(MPI_HOST) == MPI_PROC_NULL || value_of(MPI_HOST) < np);
	CHECK(global == 0 || global == 1);
	CHECK(value_of(MPI_LASTUSEDCODE) >= MPI_ERR_LASTCODE);
	OK(MPI_Comm_get_attr(W, MPI_UNIVERSE_SIZE, &value, &flag));
	CHECK(!flag || *value >= np);
	OK(MPI_Comm_get_attr(W, MPI_APPNUM, &value, &flag));
	CHECK(!flag || *value >= 0);
	CHECK(MPI_Comm_set_attr(W, MPI_TAG_UB, &flag) != MPI_SUCCESS);
	CHECK(MPI_Comm_delete_attr(W, MPI_TAG_UB) != MPI_SUCCESS);
	CHECK(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag) !=
	      MPI_SUCCESS);
}

/* The largest tag must work. */
static void largest_tag(void)
{
	int tag = value_of(MPI_TAG_UB), in = -1;
	MPI_Request request;
	MPI_Status status;

	OK(MPI_Irecv(&in, 1, MPI_INT, left_of(me), tag, W, &request));
	OK(MPI_Send(&me, 1, MPI_INT, right_of(me), tag, W));
	OK(MPI_Wait(&request, &status));
	CHECK_EQ(in, left_of(me));
	CHECK_EQ(status.MPI_TAG, tag);
}

static void memory(void)
{
	static const int sizes[] = {0, 1, 8, 100, 4096, 1000000};
	char *p[6];

	for (int k = 0; k < 6; k++) {
		p[k] = NULL;
		OK(MPI_Alloc_mem(sizes[k], MPI_INFO_NULL, &p[k]));
		if (sizes[k])
			memset(p[k], k, (size_t)sizes[k]);
	}
	for (int k = 0; k < 6; k++) {
		CHECK(!sizes[k] || p[k][sizes[k] - 1] == k);
		OK(MPI_Free_mem(p[k]));
	}
	CHECK(MPI_Alloc_mem(-1, MPI_INFO_NULL, &p[0]) != MPI_SUCCESS);
	/* more than there is: an error, or memory that is not needed yet */
	if (MPI_Alloc_mem((MPI_Aint)1 << 46, MPI_INFO_NULL, &p[0]) ==
	    MPI_SUCCESS)
		OK(MPI_Free_mem(p[0]));
}

static const struct mpi_case cases[] = {
    {"versions", versions},
    {"the processor's name", name},
    {"initialized, not finalized, and not twice", state},
    {"threads", threads},
    {"time, and MPI_Pcontrol", times},
    {"predefined attributes", attributes},
    {"MPI_TAG_UB is a tag", largest_tag},
    {"MPI_Alloc_mem", memory},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	int flag = -1;

	versions();
	CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag);
	CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
	return mpi_test_run(argc, argv, cases);
}
