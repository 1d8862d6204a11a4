! SPDX-License-Identifier: Apache-2.0
! profiler.f90 replaces MPI_Barrier of each interface and counts its calls.
module profiler_count
  integer :: barriers = 0
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

subroutine new()
  use mpi_f08
  call MPI_Barrier(MPI_COMM_WORLD)
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
  call MPI_Finalize()
end program
