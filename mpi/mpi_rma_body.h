/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_rma_body.h: operations with counts, for int and for MPI_Count; included
 * by mpi_rma.c with COUNT and NAME. */

#define TARGET                                                                 \
	(&(const struct mrt_target){target_rank, target_disp,                  \
				    (size_t)target_count,                      \
				    to_type(target_datatype)})

APIS(Put)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_put(origin_addr, (size_t)origin_count,
				      to_type(origin_datatype), TARGET,
				      to_win(win), NULL));
}

APIS(Rput)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
	return request
		   ? mpi_win_result(win, __func__,
				    mrt_put(origin_addr, (size_t)origin_count,
					    to_type(origin_datatype), TARGET,
					    to_win(win), to_requests(request)))
		   : mpi_win_fail(win, __func__, MPI_ERR_ARG, no_request);
}

APIS(Get)
(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_get(origin_addr, (size_t)origin_count,
				      to_type(origin_datatype), TARGET,
				      to_win(win), NULL));
}

APIS(Rget)
(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
	return request
		   ? mpi_win_result(win, __func__,
				    mrt_get(origin_addr, (size_t)origin_count,
					    to_type(origin_datatype), TARGET,
					    to_win(win), to_requests(request)))
		   : mpi_win_fail(win, __func__, MPI_ERR_ARG, no_request);
}

APIS(Accumulate)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_accumulate(origin_addr, (size_t)origin_count,
					     to_type(origin_datatype), TARGET,
					     to_op(op), to_win(win), NULL));
}

APIS(Raccumulate)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
	return request ? mpi_win_result(
			     win, __func__,
			     mrt_accumulate(origin_addr, (size_t)origin_count,
					    to_type(origin_datatype), TARGET,
					    to_op(op), to_win(win),
					    to_requests(request)))
		       : mpi_win_fail(win, __func__, MPI_ERR_ARG, no_request);
}

APIS(Get_accumulate)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 void *result_addr, COUNT result_count, MPI_Datatype result_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
	return mpi_win_result(
	    win, __func__,
	    mrt_get_accumulate(origin_addr, (size_t)origin_count,
			       to_type(origin_datatype), result_addr,
			       (size_t)result_count, to_type(result_datatype),
			       TARGET, to_op(op), to_win(win), NULL));
}

APIS(Rget_accumulate)
(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
 void *result_addr, COUNT result_count, MPI_Datatype result_datatype,
 int target_rank, MPI_Aint target_disp, COUNT target_count,
 MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
	return request ? mpi_win_result(win, __func__,
					mrt_get_accumulate(
					    origin_addr, (size_t)origin_count,
					    to_type(origin_datatype),
					    result_addr, (size_t)result_count,
					    to_type(result_datatype), TARGET,
					    to_op(op), to_win(win),
					    to_requests(request)))
		       : mpi_win_fail(win, __func__, MPI_ERR_ARG, no_request);
}
#undef TARGET
