! SPDX-License-Identifier: Apache-2.0
! cost.F90 sends messages of 8 bytes to itself, for callgrind to count: through
! mpif.h, or with -DUSE_F08 through mpi_f08; cost.c is the same in C.
program cost
#ifdef USE_F08
  use mpi_f08
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: ierr, k, rounds
  double precision :: x(3), y(3)
  character(len=12) :: word
  call MPI_Init(ierr)
  call get_command_argument(1, word)
  read (word, *) rounds
  x = 1
  do k = 1, rounds
    call MPI_Send(x(2:2), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, ierr)
    call MPI_Recv(y(2:2), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, &
        MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
end program
