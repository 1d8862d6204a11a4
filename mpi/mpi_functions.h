/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_functions.h: declares every function of MPI 5.0 in C, as MPI_ and as
 * PMPI_; a part of mpi.h. Those that libmrt does not offer exist and fail with
 * MPI_ERR_UNSUPPORTED_OPERATION.
 */
#ifndef MPI_H
#error "include mpi.h"
#endif
#define MPI_DECLARE_(result, name, parameters)                                 \
	result MPI_##name parameters;                                          \
	result PMPI_##name parameters;

/* clang-format off */
MPI_DECLARE_(int, Abi_get_fortran_booleans, (int logical_size, void
	*logical_true, void *logical_false, int *is_set))
MPI_DECLARE_(int, Abi_get_fortran_info, (MPI_Info *info))
MPI_DECLARE_(int, Abi_get_info, (MPI_Info *info))
MPI_DECLARE_(int, Abi_get_version, (int *abi_major, int *abi_minor))
MPI_DECLARE_(int, Abi_set_fortran_booleans, (int logical_size, void
	*logical_true, void *logical_false))
MPI_DECLARE_(int, Abi_set_fortran_info, (MPI_Info info))
MPI_DECLARE_(int, Abort, (MPI_Comm comm, int errorcode))
MPI_DECLARE_(int, Accumulate, (const void *origin_addr, int origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
MPI_DECLARE_(int, Accumulate_c, (const void *origin_addr, MPI_Count
	origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
	target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
	MPI_Op op, MPI_Win win))
MPI_DECLARE_(int, Add_error_class, (int *errorclass))
MPI_DECLARE_(int, Add_error_code, (int errorclass, int *errorcode))
MPI_DECLARE_(int, Add_error_string, (int errorcode, const char *string))
MPI_DECLARE_(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint disp))
MPI_DECLARE_(MPI_Aint, Aint_diff, (MPI_Aint addr1, MPI_Aint addr2))
MPI_DECLARE_(int, Allgather, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm
	comm))
MPI_DECLARE_(int, Allgather_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Allgather_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Allgather_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, const int recvcounts[], const int displs[],
	MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Allgatherv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Allgatherv_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int
	displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info
	info, MPI_Request *request))
MPI_DECLARE_(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr))
MPI_DECLARE_(int, Allreduce, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Allreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Allreduce_init, (const void *sendbuf, void *recvbuf, int
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Allreduce_init_c, (const void *sendbuf, void *recvbuf,
	MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Alltoall, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm
	comm))
MPI_DECLARE_(int, Alltoall_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Alltoall_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Alltoall_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Alltoallv, (const void *sendbuf, const int sendcounts[], const
	int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int
	recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm
	comm))
MPI_DECLARE_(int, Alltoallv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void
	*recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Alltoallv_init, (const void *sendbuf, const int sendcounts[],
	const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int
	recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
	MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Alltoallv_init_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void
	*recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Alltoallw, (const void *sendbuf, const int sendcounts[], const
	int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int
	recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
	MPI_Comm comm))
MPI_DECLARE_(int, Alltoallw_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	const MPI_Datatype recvtypes[], MPI_Comm comm))
MPI_DECLARE_(int, Alltoallw_init, (const void *sendbuf, const int sendcounts[],
	const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
	const int recvcounts[], const int rdispls[], const MPI_Datatype
	recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Alltoallw_init_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Attr_delete, (MPI_Comm comm, int keyval))
MPI_DECLARE_(int, Attr_get, (MPI_Comm comm, int keyval, void *attribute_val, int
	*flag))
MPI_DECLARE_(int, Attr_put, (MPI_Comm comm, int keyval, void *attribute_val))
MPI_DECLARE_(int, Barrier, (MPI_Comm comm))
MPI_DECLARE_(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Bcast, (void *buffer, int count, MPI_Datatype datatype, int
	root, MPI_Comm comm))
MPI_DECLARE_(int, Bcast_c, (void *buffer, MPI_Count count, MPI_Datatype
	datatype, int root, MPI_Comm comm))
MPI_DECLARE_(int, Bcast_init, (void *buffer, int count, MPI_Datatype datatype,
	int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Bcast_init_c, (void *buffer, MPI_Count count, MPI_Datatype
	datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Bsend, (const void *buf, int count, MPI_Datatype datatype, int
	dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Bsend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Bsend_init, (const void *buf, int count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Bsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Buffer_attach, (void *buffer, int size))
MPI_DECLARE_(int, Buffer_attach_c, (void *buffer, MPI_Count size))
MPI_DECLARE_(int, Buffer_detach, (void *buffer_addr, int *size))
MPI_DECLARE_(int, Buffer_detach_c, (void *buffer_addr, MPI_Count *size))
MPI_DECLARE_(int, Buffer_flush, (void))
MPI_DECLARE_(int, Buffer_iflush, (MPI_Request *request))
MPI_DECLARE_(int, Cancel, (MPI_Request *request))
MPI_DECLARE_(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int
	coords[]))
MPI_DECLARE_(int, Cart_create, (MPI_Comm comm_old, int ndims, const int dims[],
	const int periods[], int reorder, MPI_Comm *comm_cart))
MPI_DECLARE_(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int
	periods[], int coords[]))
MPI_DECLARE_(int, Cart_map, (MPI_Comm comm, int ndims, const int dims[], const
	int periods[], int *newrank))
MPI_DECLARE_(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
MPI_DECLARE_(int, Cart_shift, (MPI_Comm comm, int direction, int disp, int
	*rank_source, int *rank_dest))
MPI_DECLARE_(int, Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm
	*newcomm))
MPI_DECLARE_(int, Cartdim_get, (MPI_Comm comm, int *ndims))
MPI_DECLARE_(int, Close_port, (const char *port_name))
MPI_DECLARE_(int, Comm_accept, (const char *port_name, MPI_Info info, int root,
	MPI_Comm comm, MPI_Comm *newcomm))
MPI_DECLARE_(int, Comm_attach_buffer, (MPI_Comm comm, void *buffer, int size))
MPI_DECLARE_(int, Comm_attach_buffer_c, (MPI_Comm comm, void *buffer, MPI_Count
	size))
MPI_DECLARE_(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode))
MPI_DECLARE_(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
MPI_DECLARE_(int, Comm_connect, (const char *port_name, MPI_Info info, int root,
	MPI_Comm comm, MPI_Comm *newcomm))
MPI_DECLARE_(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm
	*newcomm))
MPI_DECLARE_(int, Comm_create_errhandler, ( MPI_Comm_errhandler_function
	*comm_errhandler_fn, MPI_Errhandler *errhandler))
MPI_DECLARE_(int, Comm_create_from_group, (MPI_Group group, const char
	*stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm
	*newcomm))
MPI_DECLARE_(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag,
	MPI_Comm *newcomm))
MPI_DECLARE_(int, Comm_create_keyval, ( MPI_Comm_copy_attr_function
	*comm_copy_attr_fn, MPI_Comm_delete_attr_function *comm_delete_attr_fn,
	int *comm_keyval, void *extra_state))
MPI_DECLARE_(int, Comm_delete_attr, (MPI_Comm comm, int comm_keyval))
MPI_DECLARE_(int, Comm_detach_buffer, (MPI_Comm comm, void *buffer_addr, int
	*size))
MPI_DECLARE_(int, Comm_detach_buffer_c, (MPI_Comm comm, void *buffer_addr,
	MPI_Count *size))
MPI_DECLARE_(int, Comm_disconnect, (MPI_Comm *comm))
MPI_DECLARE_(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
MPI_DECLARE_(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm
	*newcomm))
MPI_DECLARE_(int, Comm_flush_buffer, (MPI_Comm comm))
MPI_DECLARE_(int, Comm_free, (MPI_Comm *comm))
MPI_DECLARE_(int, Comm_free_keyval, (int *comm_keyval))
MPI_DECLARE_(MPI_Comm, Comm_fromint, (int comm))
MPI_DECLARE_(int, Comm_get_attr, (MPI_Comm comm, int comm_keyval, void
	*attribute_val, int *flag))
MPI_DECLARE_(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler
	*errhandler))
MPI_DECLARE_(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info_used))
MPI_DECLARE_(int, Comm_get_name, (MPI_Comm comm, char *comm_name, int
	*resultlen))
MPI_DECLARE_(int, Comm_get_parent, (MPI_Comm *parent))
MPI_DECLARE_(int, Comm_group, (MPI_Comm comm, MPI_Group *group))
MPI_DECLARE_(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request
	*request))
MPI_DECLARE_(int, Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm
	*newcomm, MPI_Request *request))
MPI_DECLARE_(int, Comm_iflush_buffer, (MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Comm_join, (int fd, MPI_Comm *intercomm))
MPI_DECLARE_(int, Comm_rank, (MPI_Comm comm, int *rank))
MPI_DECLARE_(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
MPI_DECLARE_(int, Comm_remote_size, (MPI_Comm comm, int *size))
MPI_DECLARE_(int, Comm_set_attr, (MPI_Comm comm, int comm_keyval, void
	*attribute_val))
MPI_DECLARE_(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler
	errhandler))
MPI_DECLARE_(int, Comm_set_info, (MPI_Comm comm, MPI_Info info))
MPI_DECLARE_(int, Comm_set_name, (MPI_Comm comm, const char *comm_name))
MPI_DECLARE_(int, Comm_size, (MPI_Comm comm, int *size))
MPI_DECLARE_(int, Comm_spawn, (const char *command, char *argv[], int maxprocs,
	MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int
	array_of_errcodes[]))
MPI_DECLARE_(int, Comm_spawn_multiple, (int count, char *array_of_commands[],
	char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info
	array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int
	array_of_errcodes[]))
MPI_DECLARE_(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm
	*newcomm))
MPI_DECLARE_(int, Comm_split_type, (MPI_Comm comm, int split_type, int key,
	MPI_Info info, MPI_Comm *newcomm))
MPI_DECLARE_(int, Comm_test_inter, (MPI_Comm comm, int *flag))
MPI_DECLARE_(int, Comm_toint, (MPI_Comm comm))
MPI_DECLARE_(int, Compare_and_swap, (const void *origin_addr, const void
	*compare_addr, void *result_addr, MPI_Datatype datatype, int
	target_rank, MPI_Aint target_disp, MPI_Win win))
MPI_DECLARE_(int, Dims_create, (int nnodes, int ndims, int dims[]))
MPI_DECLARE_(int, Dist_graph_create, (MPI_Comm comm_old, int n, const int
	sources[], const int degrees[], const int destinations[], const int
	*weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph))
MPI_DECLARE_(int, Dist_graph_create_adjacent, (MPI_Comm comm_old, int indegree,
	const int sources[], const int *sourceweights, int outdegree, const int
	destinations[], const int *destweights, MPI_Info info, int reorder,
	MPI_Comm *comm_dist_graph))
MPI_DECLARE_(int, Dist_graph_neighbors, (MPI_Comm comm, int maxindegree, int
	sources[], int *sourceweights, int maxoutdegree, int destinations[], int
	*destweights))
MPI_DECLARE_(int, Dist_graph_neighbors_count, (MPI_Comm comm, int *indegree, int
	*outdegree, int *weighted))
MPI_DECLARE_(int, Errhandler_free, (MPI_Errhandler *errhandler))
MPI_DECLARE_(MPI_Errhandler, Errhandler_fromint, (int errhandler))
MPI_DECLARE_(int, Errhandler_toint, (MPI_Errhandler errhandler))
MPI_DECLARE_(int, Error_class, (int errorcode, int *errorclass))
MPI_DECLARE_(int, Error_string, (int errorcode, char *string, int *resultlen))
MPI_DECLARE_(int, Exscan, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Exscan_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Exscan_init, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Exscan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Fetch_and_op, (const void *origin_addr, void *result_addr,
	MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op,
	MPI_Win win))
MPI_DECLARE_(int, File_call_errhandler, (MPI_File fh, int errorcode))
MPI_DECLARE_(int, File_close, (MPI_File *fh))
MPI_DECLARE_(int, File_create_errhandler, ( MPI_File_errhandler_function
	*file_errhandler_fn, MPI_Errhandler *errhandler))
MPI_DECLARE_(int, File_delete, (const char *filename, MPI_Info info))
MPI_DECLARE_(MPI_File, File_fromint, (int file))
MPI_DECLARE_(int, File_get_amode, (MPI_File fh, int *amode))
MPI_DECLARE_(int, File_get_atomicity, (MPI_File fh, int *flag))
MPI_DECLARE_(int, File_get_byte_offset, (MPI_File fh, MPI_Offset offset,
	MPI_Offset *disp))
MPI_DECLARE_(int, File_get_errhandler, (MPI_File file, MPI_Errhandler
	*errhandler))
MPI_DECLARE_(int, File_get_group, (MPI_File fh, MPI_Group *group))
MPI_DECLARE_(int, File_get_info, (MPI_File fh, MPI_Info *info_used))
MPI_DECLARE_(int, File_get_position, (MPI_File fh, MPI_Offset *offset))
MPI_DECLARE_(int, File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
MPI_DECLARE_(int, File_get_size, (MPI_File fh, MPI_Offset *size))
MPI_DECLARE_(int, File_get_type_extent, (MPI_File fh, MPI_Datatype datatype,
	MPI_Aint *extent))
MPI_DECLARE_(int, File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype,
	MPI_Count *extent))
MPI_DECLARE_(int, File_get_view, (MPI_File fh, MPI_Offset *disp, MPI_Datatype
	*etype, MPI_Datatype *filetype, char *datarep))
MPI_DECLARE_(int, File_iread, (MPI_File fh, void *buf, int count, MPI_Datatype
	datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_all, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_all_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf, int
	count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_at_all, (MPI_File fh, MPI_Offset offset, void *buf,
	int count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_at_all_c, (MPI_File fh, MPI_Offset offset, void
	*buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_at_c, (MPI_File fh, MPI_Offset offset, void *buf,
	MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_shared, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iread_shared_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_all, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_all_c, (MPI_File fh, const void *buf, MPI_Count
	count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void
	*buf, int count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_at_all, (MPI_File fh, MPI_Offset offset, const
	void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_at_all_c, (MPI_File fh, MPI_Offset offset, const
	void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request
	*request))
MPI_DECLARE_(int, File_iwrite_at_c, (MPI_File fh, MPI_Offset offset, const void
	*buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_c, (MPI_File fh, const void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_shared, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_iwrite_shared_c, (MPI_File fh, const void *buf, MPI_Count
	count, MPI_Datatype datatype, MPI_Request *request))
MPI_DECLARE_(int, File_open, (MPI_Comm comm, const char *filename, int amode,
	MPI_Info info, MPI_File *fh))
MPI_DECLARE_(int, File_preallocate, (MPI_File fh, MPI_Offset size))
MPI_DECLARE_(int, File_read, (MPI_File fh, void *buf, int count, MPI_Datatype
	datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_all, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_all_begin, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_all_begin_c, (MPI_File fh, void *buf, MPI_Count
	count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_all_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_all_end, (MPI_File fh, void *buf, MPI_Status
	*status))
MPI_DECLARE_(int, File_read_at, (MPI_File fh, MPI_Offset offset, void *buf, int
	count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_at_all, (MPI_File fh, MPI_Offset offset, void * buf,
	int count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void
	*buf, int count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_at_all_begin_c, (MPI_File fh, MPI_Offset offset,
	void *buf, MPI_Count count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_at_all_c, (MPI_File fh, MPI_Offset offset, void *
	buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status
	*status))
MPI_DECLARE_(int, File_read_at_c, (MPI_File fh, MPI_Offset offset, void *buf,
	MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_ordered, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_ordered_begin, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_ordered_begin_c, (MPI_File fh, void *buf, MPI_Count
	count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_read_ordered_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status
	*status))
MPI_DECLARE_(int, File_read_shared, (MPI_File fh, void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_read_shared_c, (MPI_File fh, void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_seek, (MPI_File fh, MPI_Offset offset, int whence))
MPI_DECLARE_(int, File_seek_shared, (MPI_File fh, MPI_Offset offset, int
	whence))
MPI_DECLARE_(int, File_set_atomicity, (MPI_File fh, int flag))
MPI_DECLARE_(int, File_set_errhandler, (MPI_File file, MPI_Errhandler
	errhandler))
MPI_DECLARE_(int, File_set_info, (MPI_File fh, MPI_Info info))
MPI_DECLARE_(int, File_set_size, (MPI_File fh, MPI_Offset size))
MPI_DECLARE_(int, File_set_view, (MPI_File fh, MPI_Offset disp, MPI_Datatype
	etype, MPI_Datatype filetype, const char *datarep, MPI_Info info))
MPI_DECLARE_(int, File_sync, (MPI_File fh))
MPI_DECLARE_(int, File_toint, (MPI_File file))
MPI_DECLARE_(int, File_write, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_all, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_all_begin, (MPI_File fh, const void *buf, int
	count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_all_begin_c, (MPI_File fh, const void *buf,
	MPI_Count count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_all_c, (MPI_File fh, const void *buf, MPI_Count
	count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_all_end, (MPI_File fh, const void *buf, MPI_Status
	*status))
MPI_DECLARE_(int, File_write_at, (MPI_File fh, MPI_Offset offset, const void *
	buf, int count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_at_all, (MPI_File fh, MPI_Offset offset, const void
	*buf, int count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_at_all_begin, (MPI_File fh, MPI_Offset offset,
	const void *buf, int count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_at_all_begin_c, (MPI_File fh, MPI_Offset offset,
	const void *buf, MPI_Count count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_at_all_c, (MPI_File fh, MPI_Offset offset, const
	void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_at_all_end, (MPI_File fh, const void *buf,
	MPI_Status *status))
MPI_DECLARE_(int, File_write_at_c, (MPI_File fh, MPI_Offset offset, const void *
	buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_c, (MPI_File fh, const void *buf, MPI_Count count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_ordered, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_ordered_begin, (MPI_File fh, const void *buf, int
	count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_ordered_begin_c, (MPI_File fh, const void *buf,
	MPI_Count count, MPI_Datatype datatype))
MPI_DECLARE_(int, File_write_ordered_c, (MPI_File fh, const void *buf, MPI_Count
	count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_ordered_end, (MPI_File fh, const void *buf,
	MPI_Status *status))
MPI_DECLARE_(int, File_write_shared, (MPI_File fh, const void *buf, int count,
	MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, File_write_shared_c, (MPI_File fh, const void *buf, MPI_Count
	count, MPI_Datatype datatype, MPI_Status *status))
MPI_DECLARE_(int, Finalize, (void))
MPI_DECLARE_(int, Finalized, (int *flag))
MPI_DECLARE_(int, Free_mem, (void *base))
MPI_DECLARE_(int, Gather, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm))
MPI_DECLARE_(int, Gather_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm))
MPI_DECLARE_(int, Gather_init, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Gather_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Gatherv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, const int recvcounts[], const int displs[],
	MPI_Datatype recvtype, int root, MPI_Comm comm))
MPI_DECLARE_(int, Gatherv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm
	comm))
MPI_DECLARE_(int, Gatherv_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int
	displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Gatherv_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
	MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Get, (void *origin_addr, int origin_count, MPI_Datatype
	origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Win win))
MPI_DECLARE_(int, Get_accumulate, (const void *origin_addr, int origin_count,
	MPI_Datatype origin_datatype, void *result_addr, int result_count,
	MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
MPI_DECLARE_(int, Get_accumulate_c, (const void *origin_addr, MPI_Count
	origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count
	result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint
	target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
	MPI_Op op, MPI_Win win))
MPI_DECLARE_(int, Get_address, (const void *location, MPI_Aint *address))
MPI_DECLARE_(int, Get_c, (void *origin_addr, MPI_Count origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
	MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
MPI_DECLARE_(int, Get_count, (const MPI_Status *status, MPI_Datatype datatype,
	int *count))
MPI_DECLARE_(int, Get_count_c, (const MPI_Status *status, MPI_Datatype datatype,
	MPI_Count *count))
MPI_DECLARE_(int, Get_elements, (const MPI_Status *status, MPI_Datatype
	datatype, int *count))
MPI_DECLARE_(int, Get_elements_c, (const MPI_Status *status, MPI_Datatype
	datatype, MPI_Count *count))
MPI_DECLARE_(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype
	datatype, MPI_Count *count))
MPI_DECLARE_(int, Get_hw_resource_info, (MPI_Info *hw_info))
MPI_DECLARE_(int, Get_library_version, (char *version, int *resultlen))
MPI_DECLARE_(int, Get_processor_name, (char *name, int *resultlen))
MPI_DECLARE_(int, Get_version, (int *version, int *subversion))
MPI_DECLARE_(int, Graph_create, (MPI_Comm comm_old, int nnodes, const int
	indx[], const int edges[], int reorder, MPI_Comm *comm_graph))
MPI_DECLARE_(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int
	indx[], int edges[]))
MPI_DECLARE_(int, Graph_map, (MPI_Comm comm, int nnodes, const int indx[], const
	int edges[], int *newrank))
MPI_DECLARE_(int, Graph_neighbors, (MPI_Comm comm, int rank, int maxneighbors,
	int neighbors[]))
MPI_DECLARE_(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int
	*nneighbors))
MPI_DECLARE_(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
MPI_DECLARE_(int, Grequest_complete, (MPI_Request request))
MPI_DECLARE_(int, Grequest_start, (MPI_Grequest_query_function *query_fn,
	MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function
	*cancel_fn, void *extra_state, MPI_Request *request))
MPI_DECLARE_(int, Group_compare, (MPI_Group group1, MPI_Group group2, int
	*result))
MPI_DECLARE_(int, Group_difference, (MPI_Group group1, MPI_Group group2,
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_excl, (MPI_Group group, int n, const int ranks[],
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_free, (MPI_Group *group))
MPI_DECLARE_(int, Group_from_session_pset, (MPI_Session session, const char
	*pset_name, MPI_Group *newgroup))
MPI_DECLARE_(MPI_Group, Group_fromint, (int group))
MPI_DECLARE_(int, Group_incl, (MPI_Group group, int n, const int ranks[],
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_intersection, (MPI_Group group1, MPI_Group group2,
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3],
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3],
	MPI_Group *newgroup))
MPI_DECLARE_(int, Group_rank, (MPI_Group group, int *rank))
MPI_DECLARE_(int, Group_size, (MPI_Group group, int *size))
MPI_DECLARE_(int, Group_toint, (MPI_Group group))
MPI_DECLARE_(int, Group_translate_ranks, (MPI_Group group1, int n, const int
	ranks1[], MPI_Group group2, int ranks2[]))
MPI_DECLARE_(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group
	*newgroup))
MPI_DECLARE_(int, Iallgather, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm
	comm, MPI_Request *request))
MPI_DECLARE_(int, Iallgather_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, const int recvcounts[], const int displs[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iallgatherv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Iallreduce, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iallreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request
	*request))
MPI_DECLARE_(int, Ialltoall, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm
	comm, MPI_Request *request))
MPI_DECLARE_(int, Ialltoall_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ialltoallv, (const void *sendbuf, const int sendcounts[],
	const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int
	recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Ialltoallv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void
	*recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ialltoallw, (const void *sendbuf, const int sendcounts[],
	const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
	const int recvcounts[], const int rdispls[], const MPI_Datatype
	recvtypes[], MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ialltoallw_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ibarrier, (MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ibcast, (void *buffer, int count, MPI_Datatype datatype, int
	root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ibcast_c, (void *buffer, MPI_Count count, MPI_Datatype
	datatype, int root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ibsend, (const void *buf, int count, MPI_Datatype datatype,
	int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ibsend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iexscan, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iexscan_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request
	*request))
MPI_DECLARE_(int, Igather, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Igather_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, const int recvcounts[], const int displs[],
	MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Igatherv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
	const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Improbe, (int source, int tag, MPI_Comm comm, int *flag,
	MPI_Message *message, MPI_Status *status))
MPI_DECLARE_(int, Imrecv, (void *buf, int count, MPI_Datatype datatype,
	MPI_Message *message, MPI_Request *request))
MPI_DECLARE_(int, Imrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype,
	MPI_Message *message, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_allgather, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_allgather_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_allgatherv, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int
	displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_allgatherv_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count
	recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm
	comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoall, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoall_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoallv, (const void *sendbuf, const int
	sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
	const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
	MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoallv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void
	*recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoallw, (const void *sendbuf, const int
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
	MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ineighbor_alltoallw_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Info_create, (MPI_Info *info))
MPI_DECLARE_(int, Info_create_env, (int argc, char *argv[], MPI_Info *info))
MPI_DECLARE_(int, Info_delete, (MPI_Info info, const char *key))
MPI_DECLARE_(int, Info_dup, (MPI_Info info, MPI_Info *newinfo))
MPI_DECLARE_(int, Info_free, (MPI_Info *info))
MPI_DECLARE_(MPI_Info, Info_fromint, (int info))
MPI_DECLARE_(int, Info_get, (MPI_Info info, const char *key, int valuelen, char
	*value, int *flag))
MPI_DECLARE_(int, Info_get_nkeys, (MPI_Info info, int *nkeys))
MPI_DECLARE_(int, Info_get_nthkey, (MPI_Info info, int n, char *key))
MPI_DECLARE_(int, Info_get_string, (MPI_Info info, const char *key, int *buflen,
	char *value, int *flag))
MPI_DECLARE_(int, Info_get_valuelen, (MPI_Info info, const char *key, int
	*valuelen, int *flag))
MPI_DECLARE_(int, Info_set, (MPI_Info info, const char *key, const char *value))
MPI_DECLARE_(int, Info_toint, (MPI_Info info))
MPI_DECLARE_(int, Init, (int *argc, char ***argv))
MPI_DECLARE_(int, Init_thread, (int *argc, char ***argv, int required, int
	*provided))
MPI_DECLARE_(int, Initialized, (int *flag))
MPI_DECLARE_(int, Intercomm_create, (MPI_Comm local_comm, int local_leader,
	MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm))
MPI_DECLARE_(int, Intercomm_create_from_groups, (MPI_Group local_group, int
	local_leader, MPI_Group remote_group, int remote_leader, const char
	*stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm
	*newintercomm))
MPI_DECLARE_(int, Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm
	*newintracomm))
MPI_DECLARE_(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag,
	MPI_Status *status))
MPI_DECLARE_(int, Irecv, (void *buf, int count, MPI_Datatype datatype, int
	source, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Irecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype,
	int source, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ireduce, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request
	*request))
MPI_DECLARE_(int, Ireduce_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Ireduce_scatter, (const void *sendbuf, void *recvbuf, const
	int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Ireduce_scatter_block, (const void *sendbuf, void *recvbuf,
	int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Ireduce_scatter_block_c, (const void *sendbuf, void *recvbuf,
	MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Ireduce_scatter_c, (const void *sendbuf, void *recvbuf, const
	MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Irsend, (const void *buf, int count, MPI_Datatype datatype,
	int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Irsend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Is_thread_main, (int *flag))
MPI_DECLARE_(int, Iscan, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iscatter, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iscatter_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iscatterv, (const void *sendbuf, const int sendcounts[], const
	int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount,
	MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Iscatterv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void
	*recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm
	comm, MPI_Request *request))
MPI_DECLARE_(int, Isend, (const void *buf, int count, MPI_Datatype datatype, int
	dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Isend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Isendrecv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
	MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Isendrecv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count
	recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm
	comm, MPI_Request *request))
MPI_DECLARE_(int, Isendrecv_replace, (void *buf, int count, MPI_Datatype
	datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Isendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
	MPI_Request *request))
MPI_DECLARE_(int, Issend, (const void *buf, int count, MPI_Datatype datatype,
	int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Issend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Keyval_create, (MPI_Copy_function *copy_fn,
	MPI_Delete_function *delete_fn, int *keyval, void *extra_state))
MPI_DECLARE_(int, Keyval_free, (int *keyval))
MPI_DECLARE_(int, Lookup_name, (const char *service_name, MPI_Info info, char
	*port_name))
MPI_DECLARE_(MPI_Message, Message_fromint, (int message))
MPI_DECLARE_(int, Message_toint, (MPI_Message message))
MPI_DECLARE_(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message
	*message, MPI_Status *status))
MPI_DECLARE_(int, Mrecv, (void *buf, int count, MPI_Datatype datatype,
	MPI_Message *message, MPI_Status *status))
MPI_DECLARE_(int, Mrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype,
	MPI_Message *message, MPI_Status *status))
MPI_DECLARE_(int, Neighbor_allgather, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_allgather_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_allgather_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Neighbor_allgather_init_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Neighbor_allgatherv, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int
	displs[], MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_allgatherv_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count
	recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm
	comm))
MPI_DECLARE_(int, Neighbor_allgatherv_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int
	displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Neighbor_allgatherv_init_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count
	recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm
	comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Neighbor_alltoall, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoall_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoall_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Neighbor_alltoall_init_c, (const void *sendbuf, MPI_Count
	sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Neighbor_alltoallv, (const void *sendbuf, const int
	sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
	const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
	MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoallv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void
	*recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoallv_init, (const void *sendbuf, const int
	sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
	const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
	MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Neighbor_alltoallv_init_c, (const void *sendbuf, const
	MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Neighbor_alltoallw, (const void *sendbuf, const int
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
	MPI_Datatype recvtypes[], MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoallw_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
	const MPI_Datatype recvtypes[], MPI_Comm comm))
MPI_DECLARE_(int, Neighbor_alltoallw_init, (const void *sendbuf, const int
	sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
	MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request
	*request))
MPI_DECLARE_(int, Neighbor_alltoallw_init_c, (const void *sendbuf, const
	MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype
	sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint
	rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Op_commutative, (MPI_Op op, int *commute))
MPI_DECLARE_(int, Op_create, (MPI_User_function *user_fn, int commute, MPI_Op
	*op))
MPI_DECLARE_(int, Op_create_c, (MPI_User_function_c *user_fn, int commute,
	MPI_Op *op))
MPI_DECLARE_(int, Op_free, (MPI_Op *op))
MPI_DECLARE_(MPI_Op, Op_fromint, (int op))
MPI_DECLARE_(int, Op_toint, (MPI_Op op))
MPI_DECLARE_(int, Open_port, (MPI_Info info, char *port_name))
MPI_DECLARE_(int, Pack, (const void *inbuf, int incount, MPI_Datatype datatype,
	void *outbuf, int outsize, int *position, MPI_Comm comm))
MPI_DECLARE_(int, Pack_c, (const void *inbuf, MPI_Count incount, MPI_Datatype
	datatype, void *outbuf, MPI_Count outsize, MPI_Count *position, MPI_Comm
	comm))
MPI_DECLARE_(int, Pack_external, (const char *datarep, const void *inbuf, int
	incount, MPI_Datatype datatype, void *outbuf, MPI_Aint outsize, MPI_Aint
	*position))
MPI_DECLARE_(int, Pack_external_c, (const char *datarep, const void *inbuf,
	MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count
	outsize, MPI_Count *position))
MPI_DECLARE_(int, Pack_external_size, (const char *datarep, int incount,
	MPI_Datatype datatype, MPI_Aint *size))
MPI_DECLARE_(int, Pack_external_size_c, (const char *datarep, MPI_Count incount,
	MPI_Datatype datatype, MPI_Count *size))
MPI_DECLARE_(int, Pack_size, (int incount, MPI_Datatype datatype, MPI_Comm comm,
	int *size))
MPI_DECLARE_(int, Pack_size_c, (MPI_Count incount, MPI_Datatype datatype,
	MPI_Comm comm, MPI_Count *size))
MPI_DECLARE_(int, Parrived, (MPI_Request request, int partition, int *flag))
MPI_DECLARE_(int, Pcontrol, (const int level, ...))
MPI_DECLARE_(int, Pready, (int partition, MPI_Request request))
MPI_DECLARE_(int, Pready_list, (int length, const int array_of_partitions[],
	MPI_Request request))
MPI_DECLARE_(int, Pready_range, (int partition_low, int partition_high,
	MPI_Request request))
MPI_DECLARE_(int, Precv_init, (void *buf, int partitions, MPI_Count count,
	MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status
	*status))
MPI_DECLARE_(int, Psend_init, (const void *buf, int partitions, MPI_Count count,
	MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Publish_name, (const char *service_name, MPI_Info info, const
	char *port_name))
MPI_DECLARE_(int, Put, (const void *origin_addr, int origin_count, MPI_Datatype
	origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Win win))
MPI_DECLARE_(int, Put_c, (const void *origin_addr, MPI_Count origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
	MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
MPI_DECLARE_(int, Query_thread, (int *provided))
MPI_DECLARE_(int, Raccumulate, (const void *origin_addr, int origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
	MPI_Request *request))
MPI_DECLARE_(int, Raccumulate_c, (const void *origin_addr, MPI_Count
	origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
	target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
	MPI_Op op, MPI_Win win, MPI_Request *request))
MPI_DECLARE_(int, Recv, (void *buf, int count, MPI_Datatype datatype, int
	source, int tag, MPI_Comm comm, MPI_Status *status))
MPI_DECLARE_(int, Recv_c, (void *buf, MPI_Count count, MPI_Datatype datatype,
	int source, int tag, MPI_Comm comm, MPI_Status *status))
MPI_DECLARE_(int, Recv_init, (void *buf, int count, MPI_Datatype datatype, int
	source, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Recv_init_c, (void *buf, MPI_Count count, MPI_Datatype
	datatype, int source, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Reduce, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm))
MPI_DECLARE_(int, Reduce_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm))
MPI_DECLARE_(int, Reduce_init, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info
	info, MPI_Request *request))
MPI_DECLARE_(int, Reduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
	MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Reduce_local, (const void *inbuf, void *inoutbuf, int count,
	MPI_Datatype datatype, MPI_Op op))
MPI_DECLARE_(int, Reduce_local_c, (const void *inbuf, void *inoutbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op))
MPI_DECLARE_(int, Reduce_scatter, (const void *sendbuf, void *recvbuf, const int
	recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int
	recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Reduce_scatter_block_c, (const void *sendbuf, void *recvbuf,
	MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Reduce_scatter_block_init, (const void *sendbuf, void
	*recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm
	comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Reduce_scatter_block_init_c, (const void *sendbuf, void
	*recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
	MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Reduce_scatter_c, (const void *sendbuf, void *recvbuf, const
	MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm
	comm))
MPI_DECLARE_(int, Reduce_scatter_init, (const void *sendbuf, void *recvbuf,
	const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
	MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Reduce_scatter_init_c, (const void *sendbuf, void *recvbuf,
	const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm
	comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Register_datarep, (const char *datarep,
	MPI_Datarep_conversion_function *read_conversion_fn,
	MPI_Datarep_conversion_function *write_conversion_fn,
	MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))
MPI_DECLARE_(int, Register_datarep_c, (const char *datarep,
	MPI_Datarep_conversion_function_c *read_conversion_fn,
	MPI_Datarep_conversion_function_c *write_conversion_fn,
	MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))
MPI_DECLARE_(int, Remove_error_class, (int errorclass))
MPI_DECLARE_(int, Remove_error_code, (int errorcode))
MPI_DECLARE_(int, Remove_error_string, (int errorcode))
MPI_DECLARE_(int, Request_free, (MPI_Request *request))
MPI_DECLARE_(MPI_Request, Request_fromint, (int request))
MPI_DECLARE_(int, Request_get_status, (MPI_Request request, int *flag,
	MPI_Status *status))
MPI_DECLARE_(int, Request_get_status_all, (int count, const MPI_Request
	array_of_requests[], int *flag, MPI_Status array_of_statuses[]))
MPI_DECLARE_(int, Request_get_status_any, (int count, const MPI_Request
	array_of_requests[], int *index, int *flag, MPI_Status *status))
MPI_DECLARE_(int, Request_get_status_some, (int incount, const MPI_Request
	array_of_requests[], int *outcount, int array_of_indices[], MPI_Status
	array_of_statuses[]))
MPI_DECLARE_(int, Request_toint, (MPI_Request request))
MPI_DECLARE_(int, Rget, (void *origin_addr, int origin_count, MPI_Datatype
	origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request
	*request))
MPI_DECLARE_(int, Rget_accumulate, (const void *origin_addr, int origin_count,
	MPI_Datatype origin_datatype, void *result_addr, int result_count,
	MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
	MPI_Request *request))
MPI_DECLARE_(int, Rget_accumulate_c, (const void *origin_addr, MPI_Count
	origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count
	result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint
	target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
	MPI_Op op, MPI_Win win, MPI_Request *request))
MPI_DECLARE_(int, Rget_c, (void *origin_addr, MPI_Count origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
	MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
	MPI_Request *request))
MPI_DECLARE_(int, Rput, (const void *origin_addr, int origin_count, MPI_Datatype
	origin_datatype, int target_rank, MPI_Aint target_disp, int
	target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request
	*request))
MPI_DECLARE_(int, Rput_c, (const void *origin_addr, MPI_Count origin_count,
	MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
	MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
	MPI_Request *request))
MPI_DECLARE_(int, Rsend, (const void *buf, int count, MPI_Datatype datatype, int
	dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Rsend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Rsend_init, (const void *buf, int count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Rsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Scan, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Scan_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
MPI_DECLARE_(int, Scan_init, (const void *sendbuf, void *recvbuf, int count,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Scan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count
	count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Scatter, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm))
MPI_DECLARE_(int, Scatter_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm))
MPI_DECLARE_(int, Scatter_init, (const void *sendbuf, int sendcount,
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Scatter_init_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype
	recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Scatterv, (const void *sendbuf, const int sendcounts[], const
	int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount,
	MPI_Datatype recvtype, int root, MPI_Comm comm))
MPI_DECLARE_(int, Scatterv_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void
	*recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm
	comm))
MPI_DECLARE_(int, Scatterv_init, (const void *sendbuf, const int sendcounts[],
	const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount,
	MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
	MPI_Request *request))
MPI_DECLARE_(int, Scatterv_init_c, (const void *sendbuf, const MPI_Count
	sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void
	*recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm
	comm, MPI_Info info, MPI_Request *request))
MPI_DECLARE_(int, Send, (const void *buf, int count, MPI_Datatype datatype, int
	dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Send_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Send_init, (const void *buf, int count, MPI_Datatype datatype,
	int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Send_init_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype
	sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
	MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
	MPI_Status *status))
MPI_DECLARE_(int, Sendrecv_c, (const void *sendbuf, MPI_Count sendcount,
	MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count
	recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm
	comm, MPI_Status *status))
MPI_DECLARE_(int, Sendrecv_replace, (void *buf, int count, MPI_Datatype
	datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
	MPI_Status *status))
MPI_DECLARE_(int, Sendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm,
	MPI_Status *status))
MPI_DECLARE_(int, Session_attach_buffer, (MPI_Session session, void *buffer, int
	size))
MPI_DECLARE_(int, Session_attach_buffer_c, (MPI_Session session, void *buffer,
	MPI_Count size))
MPI_DECLARE_(int, Session_call_errhandler, (MPI_Session session, int errorcode))
MPI_DECLARE_(int, Session_create_errhandler, ( MPI_Session_errhandler_function
	*session_errhandler_fn, MPI_Errhandler *errhandler))
MPI_DECLARE_(int, Session_detach_buffer, (MPI_Session session, void
	*buffer_addr, int *size))
MPI_DECLARE_(int, Session_detach_buffer_c, (MPI_Session session, void
	*buffer_addr, MPI_Count *size))
MPI_DECLARE_(int, Session_finalize, (MPI_Session *session))
MPI_DECLARE_(int, Session_flush_buffer, (MPI_Session session))
MPI_DECLARE_(MPI_Session, Session_fromint, (int session))
MPI_DECLARE_(int, Session_get_errhandler, (MPI_Session session, MPI_Errhandler
	*errhandler))
MPI_DECLARE_(int, Session_get_info, (MPI_Session session, MPI_Info *info_used))
MPI_DECLARE_(int, Session_get_nth_pset, (MPI_Session session, MPI_Info info, int
	n, int *pset_len, char *pset_name))
MPI_DECLARE_(int, Session_get_num_psets, (MPI_Session session, MPI_Info info,
	int *npset_names))
MPI_DECLARE_(int, Session_get_pset_info, (MPI_Session session, const char
	*pset_name, MPI_Info *info))
MPI_DECLARE_(int, Session_iflush_buffer, (MPI_Session session, MPI_Request
	*request))
MPI_DECLARE_(int, Session_init, (MPI_Info info, MPI_Errhandler errhandler,
	MPI_Session *session))
MPI_DECLARE_(int, Session_set_errhandler, (MPI_Session session, MPI_Errhandler
	errhandler))
MPI_DECLARE_(int, Session_toint, (MPI_Session session))
MPI_DECLARE_(int, Ssend, (const void *buf, int count, MPI_Datatype datatype, int
	dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Ssend_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm))
MPI_DECLARE_(int, Ssend_init, (const void *buf, int count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Ssend_init_c, (const void *buf, MPI_Count count, MPI_Datatype
	datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request))
MPI_DECLARE_(int, Start, (MPI_Request *request))
MPI_DECLARE_(int, Startall, (int count, MPI_Request array_of_requests[]))
MPI_DECLARE_(int, Status_get_error, (const MPI_Status *status, int *err))
MPI_DECLARE_(int, Status_get_source, (const MPI_Status *status, int *source))
MPI_DECLARE_(int, Status_get_tag, (const MPI_Status *status, int *tag))
MPI_DECLARE_(int, Status_set_cancelled, (MPI_Status *status, int flag))
MPI_DECLARE_(int, Status_set_elements, (MPI_Status *status, MPI_Datatype
	datatype, int count))
MPI_DECLARE_(int, Status_set_elements_c, (MPI_Status *status, MPI_Datatype
	datatype, MPI_Count count))
MPI_DECLARE_(int, Status_set_elements_x, (MPI_Status *status, MPI_Datatype
	datatype, MPI_Count count))
MPI_DECLARE_(int, Status_set_error, (MPI_Status *status, int err))
MPI_DECLARE_(int, Status_set_source, (MPI_Status *status, int source))
MPI_DECLARE_(int, Status_set_tag, (MPI_Status *status, int tag))
MPI_DECLARE_(int, T_category_changed, (int *update_number))
MPI_DECLARE_(int, T_category_get_categories, (int cat_index, int len, int
	indices[]))
MPI_DECLARE_(int, T_category_get_cvars, (int cat_index, int len, int indices[]))
MPI_DECLARE_(int, T_category_get_events, (int cat_index, int len, int
	indices[]))
MPI_DECLARE_(int, T_category_get_index, (const char *name, int *cat_index))
MPI_DECLARE_(int, T_category_get_info, (int cat_index, char *name, int
	*name_len, char *desc, int *desc_len, int *num_cvars, int *num_pvars,
	int *num_categories))
MPI_DECLARE_(int, T_category_get_num, (int *num_cat))
MPI_DECLARE_(int, T_category_get_num_events, (int cat_index, int *num_events))
MPI_DECLARE_(int, T_category_get_pvars, (int cat_index, int len, int indices[]))
MPI_DECLARE_(int, T_cvar_get_index, (const char *name, int *cvar_index))
MPI_DECLARE_(int, T_cvar_get_info, (int cvar_index, char *name, int *name_len,
	int *verbosity, MPI_Datatype *datatype, MPI_T_enum *enumtype, char
	*desc, int *desc_len, int *bind, int *scope))
MPI_DECLARE_(int, T_cvar_get_num, (int *num_cvar))
MPI_DECLARE_(int, T_cvar_handle_alloc, (int cvar_index, void *obj_handle,
	MPI_T_cvar_handle *handle, int *count))
MPI_DECLARE_(int, T_cvar_handle_free, (MPI_T_cvar_handle *handle))
MPI_DECLARE_(int, T_cvar_read, (MPI_T_cvar_handle handle, void *buf))
MPI_DECLARE_(int, T_cvar_write, (MPI_T_cvar_handle handle, const void *buf))
MPI_DECLARE_(int, T_enum_get_info, (MPI_T_enum enumtype, int *num, char *name,
	int *name_len))
MPI_DECLARE_(int, T_enum_get_item, (MPI_T_enum enumtype, int indx, int *value,
	char *name, int *name_len))
MPI_DECLARE_(int, T_event_callback_get_info, ( MPI_T_event_registration
	event_registration, MPI_T_cb_safety cb_safety, MPI_Info *info_used))
MPI_DECLARE_(int, T_event_callback_set_info, ( MPI_T_event_registration
	event_registration, MPI_T_cb_safety cb_safety, MPI_Info info))
MPI_DECLARE_(int, T_event_copy, (MPI_T_event_instance event_instance, void
	*buffer))
MPI_DECLARE_(int, T_event_get_index, (const char *name, int *event_index))
MPI_DECLARE_(int, T_event_get_info, (int event_index, char *name, int *name_len,
	int *verbosity, MPI_Datatype array_of_datatypes[], MPI_Aint
	array_of_displacements[], int *num_elements, MPI_T_enum *enumtype,
	MPI_Info *info, char *desc, int *desc_len, int *bind))
MPI_DECLARE_(int, T_event_get_num, (int *num_events))
MPI_DECLARE_(int, T_event_get_source, (MPI_T_event_instance event_instance, int
	*source_index))
MPI_DECLARE_(int, T_event_get_timestamp, (MPI_T_event_instance event_instance,
	MPI_Count *event_timestamp))
MPI_DECLARE_(int, T_event_handle_alloc, (int event_index, void *obj_handle,
	MPI_Info info, MPI_T_event_registration *event_registration))
MPI_DECLARE_(int, T_event_handle_free, ( MPI_T_event_registration
	event_registration, void *user_data, MPI_T_event_free_cb_function
	free_cb_function))
MPI_DECLARE_(int, T_event_handle_get_info, ( MPI_T_event_registration
	event_registration, MPI_Info *info_used))
MPI_DECLARE_(int, T_event_handle_set_info, ( MPI_T_event_registration
	event_registration, MPI_Info info))
MPI_DECLARE_(int, T_event_read, (MPI_T_event_instance event_instance, int
	element_index, void *buffer))
MPI_DECLARE_(int, T_event_register_callback, ( MPI_T_event_registration
	event_registration, MPI_T_cb_safety cb_safety, MPI_Info info, void
	*user_data, MPI_T_event_cb_function event_cb_function))
MPI_DECLARE_(int, T_event_set_dropped_handler, ( MPI_T_event_registration
	event_registration, MPI_T_event_dropped_cb_function
	dropped_cb_function))
MPI_DECLARE_(int, T_finalize, (void))
MPI_DECLARE_(int, T_init_thread, (int required, int *provided))
MPI_DECLARE_(int, T_pvar_get_index, (const char *name, int var_class, int
	*pvar_index))
MPI_DECLARE_(int, T_pvar_get_info, (int pvar_index, char *name, int *name_len,
	int *verbosity, int *var_class, MPI_Datatype *datatype, MPI_T_enum
	*enumtype, char *desc, int *desc_len, int *bind, int *readonly, int
	*continuous, int *atomic))
MPI_DECLARE_(int, T_pvar_get_num, (int *num_pvar))
MPI_DECLARE_(int, T_pvar_handle_alloc, (MPI_T_pvar_session session, int
	pvar_index, void *obj_handle, MPI_T_pvar_handle *handle, int *count))
MPI_DECLARE_(int, T_pvar_handle_free, (MPI_T_pvar_session session,
	MPI_T_pvar_handle *handle))
MPI_DECLARE_(int, T_pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle
	handle, void *buf))
MPI_DECLARE_(int, T_pvar_readreset, (MPI_T_pvar_session session,
	MPI_T_pvar_handle handle, void *buf))
MPI_DECLARE_(int, T_pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle
	handle))
MPI_DECLARE_(int, T_pvar_session_create, (MPI_T_pvar_session *session))
MPI_DECLARE_(int, T_pvar_session_free, (MPI_T_pvar_session *session))
MPI_DECLARE_(int, T_pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle
	handle))
MPI_DECLARE_(int, T_pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle
	handle))
MPI_DECLARE_(int, T_pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle
	handle, const void *buf))
MPI_DECLARE_(int, T_source_get_info, (int source_index, char *name, int
	*name_len, char *desc, int *desc_len, MPI_T_source_order *ordering,
	MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info))
MPI_DECLARE_(int, T_source_get_num, (int *num_sources))
MPI_DECLARE_(int, T_source_get_timestamp, (int source_index, MPI_Count
	*timestamp))
MPI_DECLARE_(int, Test, (MPI_Request *request, int *flag, MPI_Status *status))
MPI_DECLARE_(int, Test_cancelled, (const MPI_Status *status, int *flag))
MPI_DECLARE_(int, Testall, (int count, MPI_Request array_of_requests[], int
	*flag, MPI_Status array_of_statuses[]))
MPI_DECLARE_(int, Testany, (int count, MPI_Request array_of_requests[], int
	*indx, int *flag, MPI_Status *status))
MPI_DECLARE_(int, Testsome, (int incount, MPI_Request array_of_requests[], int
	*outcount, int array_of_indices[], MPI_Status array_of_statuses[]))
MPI_DECLARE_(int, Topo_test, (MPI_Comm comm, int *status))
MPI_DECLARE_(int, Type_commit, (MPI_Datatype *datatype))
MPI_DECLARE_(int, Type_contiguous, (int count, MPI_Datatype oldtype,
	MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_contiguous_c, (MPI_Count count, MPI_Datatype oldtype,
	MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_darray, (int size, int rank, int ndims, const int
	array_of_gsizes[], const int array_of_distribs[], const int
	array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
	oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_darray_c, (int size, int rank, int ndims, const
	MPI_Count array_of_gsizes[], const int array_of_distribs[], const int
	array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
	oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_f90_complex, (int p, int r, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_create_f90_integer, (int r, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_f90_real, (int p, int r, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_hindexed, (int count, const int
	array_of_blocklengths[], const MPI_Aint array_of_displacements[],
	MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_hindexed_block, (int count, int blocklength, const
	MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_create_hindexed_block_c, (MPI_Count count, MPI_Count
	blocklength, const MPI_Count array_of_displacements[], MPI_Datatype
	oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_hindexed_c, (MPI_Count count, const MPI_Count
	array_of_blocklengths[], const MPI_Count array_of_displacements[],
	MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_hvector, (int count, int blocklength, MPI_Aint
	stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_hvector_c, (MPI_Count count, MPI_Count
	blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_create_indexed_block, (int count, int blocklength, const
	int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_create_indexed_block_c, (MPI_Count count, MPI_Count
	blocklength, const MPI_Count array_of_displacements[], MPI_Datatype
	oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_keyval, ( MPI_Type_copy_attr_function
	*type_copy_attr_fn, MPI_Type_delete_attr_function *type_delete_attr_fn,
	int *type_keyval, void *extra_state))
MPI_DECLARE_(int, Type_create_resized, (MPI_Datatype oldtype, MPI_Aint lb,
	MPI_Aint extent, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_resized_c, (MPI_Datatype oldtype, MPI_Count lb,
	MPI_Count extent, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_struct, (int count, const int
	array_of_blocklengths[], const MPI_Aint array_of_displacements[], const
	MPI_Datatype array_of_types[], MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_struct_c, (MPI_Count count, const MPI_Count
	array_of_blocklengths[], const MPI_Count array_of_displacements[], const
	MPI_Datatype array_of_types[], MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_subarray, (int ndims, const int array_of_sizes[],
	const int array_of_subsizes[], const int array_of_starts[], int order,
	MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_create_subarray_c, (int ndims, const MPI_Count
	array_of_sizes[], const MPI_Count array_of_subsizes[], const MPI_Count
	array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_delete_attr, (MPI_Datatype datatype, int type_keyval))
MPI_DECLARE_(int, Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_free, (MPI_Datatype *datatype))
MPI_DECLARE_(int, Type_free_keyval, (int *type_keyval))
MPI_DECLARE_(MPI_Datatype, Type_fromint, (int datatype))
MPI_DECLARE_(int, Type_get_attr, (MPI_Datatype datatype, int type_keyval, void
	*attribute_val, int *flag))
MPI_DECLARE_(int, Type_get_contents, (MPI_Datatype datatype, int max_integers,
	int max_addresses, int max_datatypes, int array_of_integers[], MPI_Aint
	array_of_addresses[], MPI_Datatype array_of_datatypes[]))
MPI_DECLARE_(int, Type_get_contents_c, (MPI_Datatype datatype, MPI_Count
	max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
	MPI_Count max_datatypes, int array_of_integers[], MPI_Aint
	array_of_addresses[], MPI_Count array_of_large_counts[], MPI_Datatype
	array_of_datatypes[]))
MPI_DECLARE_(int, Type_get_envelope, (MPI_Datatype datatype, int *num_integers,
	int *num_addresses, int *num_datatypes, int *combiner))
MPI_DECLARE_(int, Type_get_envelope_c, (MPI_Datatype datatype, MPI_Count
	*num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts,
	MPI_Count *num_datatypes, int *combiner))
MPI_DECLARE_(int, Type_get_extent, (MPI_Datatype datatype, MPI_Aint *lb,
	MPI_Aint *extent))
MPI_DECLARE_(int, Type_get_extent_c, (MPI_Datatype datatype, MPI_Count *lb,
	MPI_Count *extent))
MPI_DECLARE_(int, Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb,
	MPI_Count *extent))
MPI_DECLARE_(int, Type_get_name, (MPI_Datatype datatype, char *type_name, int
	*resultlen))
MPI_DECLARE_(int, Type_get_true_extent, (MPI_Datatype datatype, MPI_Aint
	*true_lb, MPI_Aint *true_extent))
MPI_DECLARE_(int, Type_get_true_extent_c, (MPI_Datatype datatype, MPI_Count
	*true_lb, MPI_Count *true_extent))
MPI_DECLARE_(int, Type_get_true_extent_x, (MPI_Datatype datatype, MPI_Count
	*true_lb, MPI_Count *true_extent))
MPI_DECLARE_(int, Type_get_value_index, (MPI_Datatype value_type, MPI_Datatype
	index_type, MPI_Datatype *pair_type))
MPI_DECLARE_(int, Type_indexed, (int count, const int array_of_blocklengths[],
	const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype
	*newtype))
MPI_DECLARE_(int, Type_indexed_c, (MPI_Count count, const MPI_Count
	array_of_blocklengths[], const MPI_Count array_of_displacements[],
	MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_match_size, (int typeclass, int size, MPI_Datatype
	*datatype))
MPI_DECLARE_(int, Type_set_attr, (MPI_Datatype datatype, int type_keyval, void
	*attribute_val))
MPI_DECLARE_(int, Type_set_name, (MPI_Datatype datatype, const char *type_name))
MPI_DECLARE_(int, Type_size, (MPI_Datatype datatype, int *size))
MPI_DECLARE_(int, Type_size_c, (MPI_Datatype datatype, MPI_Count *size))
MPI_DECLARE_(int, Type_size_x, (MPI_Datatype datatype, MPI_Count *size))
MPI_DECLARE_(int, Type_toint, (MPI_Datatype datatype))
MPI_DECLARE_(int, Type_vector, (int count, int blocklength, int stride,
	MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Type_vector_c, (MPI_Count count, MPI_Count blocklength,
	MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
MPI_DECLARE_(int, Unpack, (const void *inbuf, int insize, int *position, void
	*outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm))
MPI_DECLARE_(int, Unpack_c, (const void *inbuf, MPI_Count insize, MPI_Count
	*position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype,
	MPI_Comm comm))
MPI_DECLARE_(int, Unpack_external, (const char datarep[], const void *inbuf,
	MPI_Aint insize, MPI_Aint *position, void *outbuf, int outcount,
	MPI_Datatype datatype))
MPI_DECLARE_(int, Unpack_external_c, (const char datarep[], const void *inbuf,
	MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
	MPI_Datatype datatype))
MPI_DECLARE_(int, Unpublish_name, (const char *service_name, MPI_Info info,
	const char *port_name))
MPI_DECLARE_(int, Wait, (MPI_Request *request, MPI_Status *status))
MPI_DECLARE_(int, Waitall, (int count, MPI_Request array_of_requests[],
	MPI_Status array_of_statuses[]))
MPI_DECLARE_(int, Waitany, (int count, MPI_Request array_of_requests[], int
	*indx, MPI_Status *status))
MPI_DECLARE_(int, Waitsome, (int incount, MPI_Request array_of_requests[], int
	*outcount, int array_of_indices[], MPI_Status array_of_statuses[]))
MPI_DECLARE_(int, Win_allocate, (MPI_Aint size, int disp_unit, MPI_Info info,
	MPI_Comm comm, void *baseptr, MPI_Win *win))
MPI_DECLARE_(int, Win_allocate_c, (MPI_Aint size, MPI_Aint disp_unit, MPI_Info
	info, MPI_Comm comm, void *baseptr, MPI_Win *win))
MPI_DECLARE_(int, Win_allocate_shared, (MPI_Aint size, int disp_unit, MPI_Info
	info, MPI_Comm comm, void *baseptr, MPI_Win *win))
MPI_DECLARE_(int, Win_allocate_shared_c, (MPI_Aint size, MPI_Aint disp_unit,
	MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
MPI_DECLARE_(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size))
MPI_DECLARE_(int, Win_call_errhandler, (MPI_Win win, int errorcode))
MPI_DECLARE_(int, Win_complete, (MPI_Win win))
MPI_DECLARE_(int, Win_create, (void *base, MPI_Aint size, int disp_unit,
	MPI_Info info, MPI_Comm comm, MPI_Win *win))
MPI_DECLARE_(int, Win_create_c, (void *base, MPI_Aint size, MPI_Aint disp_unit,
	MPI_Info info, MPI_Comm comm, MPI_Win *win))
MPI_DECLARE_(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win
	*win))
MPI_DECLARE_(int, Win_create_errhandler, ( MPI_Win_errhandler_function
	*win_errhandler_fn, MPI_Errhandler *errhandler))
MPI_DECLARE_(int, Win_create_keyval, ( MPI_Win_copy_attr_function
	*win_copy_attr_fn, MPI_Win_delete_attr_function *win_delete_attr_fn, int
	*win_keyval, void *extra_state))
MPI_DECLARE_(int, Win_delete_attr, (MPI_Win win, int win_keyval))
MPI_DECLARE_(int, Win_detach, (MPI_Win win, const void *base))
MPI_DECLARE_(int, Win_fence, (int assert, MPI_Win win))
MPI_DECLARE_(int, Win_flush, (int rank, MPI_Win win))
MPI_DECLARE_(int, Win_flush_all, (MPI_Win win))
MPI_DECLARE_(int, Win_flush_local, (int rank, MPI_Win win))
MPI_DECLARE_(int, Win_flush_local_all, (MPI_Win win))
MPI_DECLARE_(int, Win_free, (MPI_Win *win))
MPI_DECLARE_(int, Win_free_keyval, (int *win_keyval))
MPI_DECLARE_(MPI_Win, Win_fromint, (int win))
MPI_DECLARE_(int, Win_get_attr, (MPI_Win win, int win_keyval, void
	*attribute_val, int *flag))
MPI_DECLARE_(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
MPI_DECLARE_(int, Win_get_group, (MPI_Win win, MPI_Group *group))
MPI_DECLARE_(int, Win_get_info, (MPI_Win win, MPI_Info *info_used))
MPI_DECLARE_(int, Win_get_name, (MPI_Win win, char *win_name, int *resultlen))
MPI_DECLARE_(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win))
MPI_DECLARE_(int, Win_lock_all, (int assert, MPI_Win win))
MPI_DECLARE_(int, Win_post, (MPI_Group group, int assert, MPI_Win win))
MPI_DECLARE_(int, Win_set_attr, (MPI_Win win, int win_keyval, void
	*attribute_val))
MPI_DECLARE_(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))
MPI_DECLARE_(int, Win_set_info, (MPI_Win win, MPI_Info info))
MPI_DECLARE_(int, Win_set_name, (MPI_Win win, const char *win_name))
MPI_DECLARE_(int, Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int
	*disp_unit, void *baseptr))
MPI_DECLARE_(int, Win_shared_query_c, (MPI_Win win, int rank, MPI_Aint *size,
	MPI_Aint *disp_unit, void *baseptr))
MPI_DECLARE_(int, Win_start, (MPI_Group group, int assert, MPI_Win win))
MPI_DECLARE_(int, Win_sync, (MPI_Win win))
MPI_DECLARE_(int, Win_test, (MPI_Win win, int *flag))
MPI_DECLARE_(int, Win_toint, (MPI_Win win))
MPI_DECLARE_(int, Win_unlock, (int rank, MPI_Win win))
MPI_DECLARE_(int, Win_unlock_all, (MPI_Win win))
MPI_DECLARE_(int, Win_wait, (MPI_Win win))
MPI_DECLARE_(double, Wtick, (void))
MPI_DECLARE_(double, Wtime, (void))

#undef MPI_DECLARE_
