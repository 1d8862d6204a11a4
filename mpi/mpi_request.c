/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_request.c: requests: tests and waits, persistent requests, cancel, and
 * the fields of a status (MPI 4.1, chapters 3.7 to 3.9).
 *
 * The error of a request goes to the handler of its communicator, any other
 * error to that of MPI_COMM_SELF. libmrt sets the error fields of statuses as
 * MPI requires, except that the codes are libmrt's.
 */
#include "mpi/mpi_impl.h"

int mpi_request_failed(const char *function, int mrt_error)
{
	struct mrt_comm *comm = mrt_error_comm();

	return mpi_failed(from_comm(comm), function, mrt_error);
}

/* Like mpi_request_result, with n statuses whose errors are set if mrt_error is
 * MRT_ERR_IN_STATUS. */
static int several_result(const char *function, int mrt_error, int n,
			  MPI_Status statuses[])
{
	if (mrt_error == MRT_ERR_IN_STATUS && statuses)
		for (int i = 0; i < n; i++)
			statuses[i].MPI_ERROR =
			    mpi_error_class(statuses[i].MPI_ERROR);
	return mpi_request_result(function, mrt_error);
}

/* Like several_result; *outcount is only set with MRT_ERR_IN_STATUS, not if
 * another error came first. */
static int some_result(const char *function, int mrt_error, const int *outcount,
		       MPI_Status statuses[])
{
	return several_result(function, mrt_error,
			      mrt_error == MRT_ERR_IN_STATUS ? *outcount : 0,
			      statuses);
}

static int request_negative(const char *function, int count)
{
	return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_COUNT, "%d requests",
			count);
}

/* ---- Completion --------------------------------------------------------- */

API(Wait)(MPI_Request *request, MPI_Status *status)
{
	return mpi_request_result(
	    __func__, mrt_wait(to_requests(request), to_status(status)));
}

API(Test)(MPI_Request *request, int *flag, MPI_Status *status)
{
	return mpi_request_result(
	    __func__, mrt_test(to_requests(request), flag, to_status(status)));
}

API(Waitall)(int count, MPI_Request requests[], MPI_Status statuses[])
{
	if (count < 0)
		return request_negative(__func__, count);
	return several_result(__func__,
			      mrt_waitall((size_t)count, to_requests(requests),
					  to_status(statuses)),
			      count, statuses);
}

API(Testall)
(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
	if (count < 0)
		return request_negative(__func__, count);
	return several_result(__func__,
			      mrt_testall((size_t)count, to_requests(requests),
					  flag, to_status(statuses)),
			      count, statuses);
}

API(Waitany)(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
	if (count < 0)
		return request_negative(__func__, count);
	return mpi_request_result(
	    __func__, mrt_waitany((size_t)count, to_requests(requests), index,
				  to_status(status)));
}

API(Testany)
(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	if (count < 0)
		return request_negative(__func__, count);
	return mpi_request_result(
	    __func__, mrt_testany((size_t)count, to_requests(requests), index,
				  flag, to_status(status)));
}

API(Waitsome)
(int incount, MPI_Request requests[], int *outcount, int indices[],
 MPI_Status statuses[])
{
	if (incount < 0)
		return request_negative(__func__, incount);
	return some_result(__func__,
			   mrt_waitsome((size_t)incount, to_requests(requests),
					outcount, indices, to_status(statuses)),
			   outcount, statuses);
}

API(Testsome)
(int incount, MPI_Request requests[], int *outcount, int indices[],
 MPI_Status statuses[])
{
	if (incount < 0)
		return request_negative(__func__, incount);
	return some_result(__func__,
			   mrt_testsome((size_t)incount, to_requests(requests),
					outcount, indices, to_status(statuses)),
			   outcount, statuses);
}

/* ---- Without completing -------------------------------------------------- */

static struct mrt_request *const *
to_const_requests(const MPI_Request requests[])
{
	return (struct mrt_request *const *)requests;
}

API(Request_get_status)(MPI_Request request, int *flag, MPI_Status *status)
{
	return mpi_request_result(
	    __func__, mrt_request_get_status((struct mrt_request *)request,
					     flag, to_status(status)));
}

API(Request_get_status_any)
(int count, const MPI_Request requests[], int *index, int *flag,
 MPI_Status *status)
{
	if (count < 0)
		return request_negative(__func__, count);
	return mpi_request_result(
	    __func__, mrt_request_get_status_any(
			  (size_t)count, to_const_requests(requests), index,
			  flag, to_status(status)));
}

API(Request_get_status_all)
(int count, const MPI_Request requests[], int *flag, MPI_Status statuses[])
{
	if (count < 0)
		return request_negative(__func__, count);
	return several_result(__func__,
			      mrt_request_get_status_all(
				  (size_t)count, to_const_requests(requests),
				  flag, to_status(statuses)),
			      count, statuses);
}

API(Request_get_status_some)
(int incount, const MPI_Request requests[], int *outcount, int indices[],
 MPI_Status statuses[])
{
	if (incount < 0)
		return request_negative(__func__, incount);
	return some_result(__func__,
			   mrt_request_get_status_some(
			       (size_t)incount, to_const_requests(requests),
			       outcount, indices, to_status(statuses)),
			   outcount, statuses);
}

/* ---- Persistent requests, and the end of requests ------------------------ */

API(Start)(MPI_Request *request)
{
	return mpi_request_result(__func__, mrt_start(to_requests(request)));
}

API(Startall)(int count, MPI_Request requests[])
{
	if (count < 0)
		return request_negative(__func__, count);
	return mpi_request_result(
	    __func__, mrt_startall((size_t)count, to_requests(requests)));
}

API(Request_free)(MPI_Request *request)
{
	return mpi_request_result(__func__,
				  mrt_request_free(to_requests(request)));
}

API(Cancel)(MPI_Request *request)
{
	return mpi_request_result(__func__, mrt_cancel(to_requests(request)));
}

/* ---- Generalized requests ------------------------------------------------ */

typedef void (*any_fn)(void); /* a status is the same in both APIs */

API(Grequest_start)
(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
 MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
 MPI_Request *request)
{
	return mpi_result(
	    MPI_COMM_NULL, __func__,
	    mrt_grequest_start((mrt_grequest_query_fn)(any_fn)query_fn, free_fn,
			       cancel_fn, extra_state, to_requests(request)));
}

API(Grequest_complete)(MPI_Request request)
{
	return mpi_result(MPI_COMM_NULL, __func__,
			  mrt_grequest_complete((struct mrt_request *)request));
}

/* ---- Status ------------------------------------------------------------- */

static int no_status(const char *function)
{
	return mpi_null(MPI_COMM_NULL, function, "the status or a result");
}

API(Test_cancelled)(const MPI_Status *status, int *flag)
{
	if (!status || !flag)
		return no_status(__func__);
	*flag = to_status((MPI_Status *)(uintptr_t)status)->cancelled;
	return MPI_SUCCESS;
}

API(Status_set_cancelled)(MPI_Status *status, int flag)
{
	if (!status)
		return no_status(__func__);
	to_status(status)->cancelled = flag != 0;
	return MPI_SUCCESS;
}

API(Status_get_source)(const MPI_Status *status, int *source)
{
	if (!status || !source)
		return no_status(__func__);
	*source = status->MPI_SOURCE;
	return MPI_SUCCESS;
}

API(Status_set_source)(MPI_Status *status, int source)
{
	if (!status)
		return no_status(__func__);
	status->MPI_SOURCE = source;
	return MPI_SUCCESS;
}

API(Status_get_tag)(const MPI_Status *status, int *tag)
{
	if (!status || !tag)
		return no_status(__func__);
	*tag = status->MPI_TAG;
	return MPI_SUCCESS;
}

API(Status_set_tag)(MPI_Status *status, int tag)
{
	if (!status)
		return no_status(__func__);
	status->MPI_TAG = tag;
	return MPI_SUCCESS;
}

API(Status_get_error)(const MPI_Status *status, int *err)
{
	if (!status || !err)
		return no_status(__func__);
	*err = status->MPI_ERROR;
	return MPI_SUCCESS;
}

API(Status_set_error)(MPI_Status *status, int err)
{
	if (!status)
		return no_status(__func__);
	status->MPI_ERROR = err;
	return MPI_SUCCESS;
}
