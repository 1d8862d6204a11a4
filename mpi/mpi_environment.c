/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_environment.c: initialisation and finalisation, versions, memory, and the
 * predefined attributes (MPI 4.1, chapters 9 and 11.2; MPI 5.0, chapter "ABI").
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

static pthread_t main_thread; /* the thread that called MPI_Init */

/* The World Model: between MPI_Init and MPI_Finalize it is open. */
enum { NEVER, OPEN, ENDED };
static atomic_int world;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static bool busy;	 /* a thread starts or ends the runtime */
static int holders;	 /* the World Model and the open sessions */
static atomic_bool held; /* there has been a holder */
static bool has_world;	 /* MPI_Init has held the runtime since its start */
static bool exiting;

/* Errors before MPI_Init must name MPI's functions as well. */
__attribute__((constructor)) static void errors_return(void)
{
	mrt_set_error_mode(MRT_ERRORS_MPI);
}

/* ---- Start and end ------------------------------------------------------- */

/* Returns the lowest level that satisfies the required one. */
static enum mrt_thread_level level_for(int required)
{
	if (required <= MPI_THREAD_SINGLE)
		return MRT_THREAD_SINGLE;
	if (required <= MPI_THREAD_FUNNELED)
		return MRT_THREAD_FUNNELED;
	if (required <= MPI_THREAD_SERIALIZED)
		return MRT_THREAD_SERIALIZED;
	return MRT_THREAD_MULTIPLE;
}

/* Lets one thread at a time start or end the runtime. No mutex is held
 * meanwhile, since between the two libmrt holds one of its own. */
static void runtime_enter(void)
{
	pthread_mutex_lock(&mutex);
	while (busy)
		pthread_cond_wait(&idle, &mutex);
	busy = true;
	pthread_mutex_unlock(&mutex);
}

static void runtime_leave(void)
{
	pthread_mutex_lock(&mutex);
	busy = false;
	pthread_cond_signal(&idle);
	pthread_mutex_unlock(&mutex);
}

int mpi_runtime_hold(int required)
{
	bool before = held;
	int rc = 0;

	runtime_enter();
	mrt_set_error_mode(MRT_ERRORS_MPI);
	if (!holders) {
		held = true; /* before MPI_Initialized can see it */
		rc = mrt_init_thread(NULL, NULL, level_for(required), NULL);
		held = !rc || before;
	}
	holders += !rc;
	runtime_leave();
	return rc;
}

static int runtime_end(void)
{
	int rc = mrt_finalize();

	if (!rc)
		mpi_objects_free();
	has_world = false;
	return rc;
}

/* Ends a runtime that rests, when the process exits. One that fails does not
 * wait for the other ranks. */
static void at_exit(int status, void *unused)
{
	if (status || mrt_finalized())
		return;
	runtime_enter();
	exiting = true;
	if (!holders)
		runtime_end();
	runtime_leave();
}

static int runtime_rest(void)
{
	static bool watched;
	int rc = mrt_rest();

	if (!rc && !watched)
		watched = !on_exit(at_exit, NULL);
	return rc;
}

int mpi_runtime_release(void)
{
	int rc = 0;

	runtime_enter();
	if (holders <= 1) /* none if the program itself called mrt_init */
		rc = holders && !has_world && !exiting ? runtime_rest()
						       : runtime_end();
	if (!rc && holders)
		holders--;
	runtime_leave();
	return rc;
}

static bool is_initialized(void)
{
	return world != NEVER || (mrt_initialized() && !held);
}

static bool is_finalized(void)
{
	return world == ENDED || (mrt_finalized() && is_initialized());
}

static int environment_start(const char *function, int required)
{
	int rc = MRT_ERR_STATE;

	if (world == NEVER)
		rc = mpi_runtime_hold(required);
	else
		mrt_set_error_detail("it has been called before");
	if (rc)
		return mpi_start_failed(function, rc);
	world = OPEN;
	has_world = true;
	main_thread = pthread_self();
	mpi_info_env_make();
	return MPI_SUCCESS;
}

API(Init_thread)(int *argc, char ***argv, int required, int *provided)
{
	int rc = environment_start(__func__, required);

	if (!rc && provided)
		*provided = (int)mrt_thread_level();
	return rc;
}

API(Init)(int *argc, char ***argv)
{
	return environment_start(__func__, MPI_THREAD_SINGLE);
}

/* Deletes attributes first, while everything still works. */
static int delete_attributes(const char *function)
{
	MPI_Comm const comms[] = {MPI_COMM_SELF, MPI_COMM_WORLD};
	int result = MPI_SUCCESS;

	for (int k = 0; k < 2; k++) {
		int code = mpi_attr_delete_all(MPI_KIND_COMM, comms[k]);

		if (code)
			result = mpi_fail(
			    comms[k], function, code,
			    "an attribute's delete callback returned %d", code);
	}
	return result;
}

/* Continues when a callback fails, since the other ranks wait. */
API(Finalize)(void)
{
	int code, rc;

	if (!is_initialized() || is_finalized()) {
		mrt_set_error_detail("MPI_Init has not been called, or "
				     "MPI_Finalize has");
		return mpi_failed(MPI_COMM_NULL, __func__, MRT_ERR_STATE);
	}
	code = delete_attributes(__func__);
	rc = mpi_runtime_release();
	if (rc)
		return mpi_failed(MPI_COMM_NULL, __func__, rc);
	world = ENDED;
	if (!mrt_finalized()) { /* a session is open */
		mpi_object_forget(mrt_comm_data(to_comm(MPI_COMM_SELF)));
		mpi_object_forget(mrt_comm_data(to_comm(MPI_COMM_WORLD)));
	}
	mpi_info_env_free();
	return code;
}

API(Initialized)(int *flag)
{
	*flag = is_initialized();
	return MPI_SUCCESS;
}

API(Finalized)(int *flag)
{
	*flag = is_finalized();
	return MPI_SUCCESS;
}

API(Query_thread)(int *provided)
{
	if (!provided)
		return mpi_null(MPI_COMM_NULL, __func__, "provided");
	if (!is_initialized())
		return mpi_failed(MPI_COMM_NULL, __func__, MRT_ERR_STATE);
	*provided = (int)mrt_thread_level();
	return MPI_SUCCESS;
}

API(Is_thread_main)(int *flag)
{
	if (!flag)
		return mpi_null(MPI_COMM_NULL, __func__, "flag");
	if (!is_initialized())
		return mpi_failed(MPI_COMM_NULL, __func__, MRT_ERR_STATE);
	*flag = pthread_equal(pthread_self(), main_thread) != 0;
	return MPI_SUCCESS;
}

API(Abort)(MPI_Comm comm, int errorcode)
{
	mrt_abort_by(&__func__[1], errorcode);
}

/* ---- Versions and names -------------------------------------------------- */

API(Get_library_version)(char *version, int *resultlen)
{
	if (!version || !resultlen)
		return mpi_null(MPI_COMM_NULL, __func__,
				"version or resultlen");
	*resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "%s",
			      mrt_version());
	return MPI_SUCCESS;
}

API(Get_processor_name)(char *name, int *resultlen)
{
	int rc = mrt_processor_name(name, MPI_MAX_PROCESSOR_NAME);

	if (!resultlen)
		return mpi_null(MPI_COMM_NULL, __func__, "resultlen");
	if (!rc)
		*resultlen = (int)strlen(name);
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

API(Abi_get_info)(MPI_Info *info)
{
	static const struct {
		const char *key;
		size_t size;
	} sizes[] = {{"mpi_aint_size", sizeof(MPI_Aint)},
		     {"mpi_count_size", sizeof(MPI_Count)},
		     {"mpi_offset_size", sizeof(MPI_Offset)}};
	MPI_Info made = MPI_INFO_NULL;
	int rc = PMPI_Info_create(info ? &made : NULL);

	for (size_t k = 0; !rc && k < sizeof(sizes) / sizeof(*sizes); k++) {
		char value[8];

		snprintf(value, sizeof(value), "%d", (int)sizes[k].size);
		rc = PMPI_Info_set(made, sizes[k].key, value);
	}
	if (!rc)
		*info = made;
	return rc;
}

/* ---- Memory -------------------------------------------------------------- */

API(Alloc_mem)(MPI_Aint size, MPI_Info info, void *baseptr)
{
	void *memory;
	int rc;

	if (size < 0 || !baseptr)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
				"%lld bytes to %p", (long long)size, baseptr);
	rc = mrt_alloc_uncleared((size_t)size, &memory);
	if (!rc)
		*(void **)baseptr = memory;
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

API(Free_mem)(void *base)
{
	int rc = mrt_free(base);

	if (rc == MRT_ERR_BUFFER)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_BASE,
				"%p is not memory of MPI_Alloc_mem", base);
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}

/* ---- Predefined attributes ----------------------------------------------- */

int *mpi_predefined_attr(int keyval)
{
	static int tag_ub = MRT_TAG_MAX, io = MPI_ANY_SOURCE,
		   host = MPI_PROC_NULL, global, universe, appnum;

	switch (keyval) {
	case MPI_TAG_UB:
		return &tag_ub;
	case MPI_IO:
		return &io;
	case MPI_HOST:
		return &host;
	case MPI_WTIME_IS_GLOBAL: /* each node has one clock */
		global = mrt_node_size() == mrt_size(MRT_COMM_WORLD);
		return &global;
	case MPI_UNIVERSE_SIZE:
		universe = mrt_size(MRT_COMM_WORLD);
		return &universe;
	case MPI_APPNUM:
		return &appnum;
	case MPI_LASTUSEDCODE:
		return &mpi_last_used_code;
	default:
		return NULL;
	}
}
