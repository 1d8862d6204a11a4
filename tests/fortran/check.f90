! SPDX-License-Identifier: Apache-2.0
! check(good, name) says whether a case is good on all ranks: rank 0 prints the
! line that cases() of tests/system/lib.sh reads. add_up() passes a buffer on.
subroutine check(good, name)
  implicit none
  include 'mpif.h'
  logical, intent(in) :: good
  character(len=*), intent(in) :: name
  logical :: all_good
  integer :: me, ierr
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Allreduce(good, all_good, 1, MPI_LOGICAL, MPI_LAND, &
      MPI_COMM_WORLD, ierr)
  if (.not. good) write (0, *) 'rank', me, ': ', name
  if (me == 0 .and. all_good) print '(2a)', 'ok - ', name
  if (me == 0 .and. .not. all_good) print '(2a)', 'not ok - ', name
end subroutine

subroutine add_up(buffer, x)
  use mpi_f08
  implicit none
  integer :: buffer(*), x(2)
  call MPI_Allreduce(buffer, x, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
end subroutine
