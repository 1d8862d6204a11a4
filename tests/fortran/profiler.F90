! SPDX-License-Identifier: Apache-2.0
! profiler.F90 replaces MPI_Barrier of each interface, and MPI_Send of mpi_f08, whose
! buffer is a descriptor, and counts their calls. Older flang cannot do the latter.
#if defined(__flang_major__) && __flang_major__ < 22
#define SENDS 0
#else
#define SENDS 1
#endif
module profiler_count
  integer :: barriers = 0, sends = 0
end module

subroutine MPI_Barrier(comm, ierror)
  use profiler_count
  integer :: comm, ierror
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

subroutine MPI_Barrier_f08(comm, ierror)
  use profiler_count
  use mpi_f08, only: MPI_Comm, PMPI_Barrier
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

#if SENDS
subroutine MPI_Send_f08ts(buf, count, datatype, dest, tag, comm, ierror) &
    bind(C, name="mpi_send_f08ts_")
  use profiler_count
  use mpi_f08, only: MPI_Comm, MPI_Datatype, PMPI_Send
  type(*), dimension(..), target, intent(in) :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  sends = sends + 1
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine
#endif

subroutine new()
  use mpi_f08
  use profiler_count
  integer :: x(3) = [1, 2, 3], y(2)
  type(MPI_Request) :: request
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Irecv(y, 2, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  call MPI_Send(x(::2), 2, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  if (any(y /= [1, 3])) print '(a)', 'a section got lost'
end subroutine

subroutine old()
  use mpi
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
end subroutine

program profiler
  use profiler_count
  use mpi_f08, only: MPI_Init, MPI_Finalize, MPI_Comm_rank, MPI_COMM_WORLD
  integer :: me
  call MPI_Init()
  call new()
  call old()
  call old()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  if (me == 0) print '(i0, a)', barriers, ' barriers'
  if (sends /= SENDS) print '(i0, a)', sends, ' sends'
  call MPI_Finalize()
end program
