! SPDX-License-Identifier: Apache-2.0
! spawn.f90 calls MPI_Comm_spawn and MPI_Comm_spawn_multiple above functions in
! C that print the strings.
program spawn
  implicit none
  include 'mpif.h'
  integer :: ierr, comm, codes(2)
  character(len=6) :: argv(3), commands(2), table(2, 3)
  argv = ['one   ', 'two   ', '      ']
  call MPI_Comm_spawn('worker  ', argv, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &
      comm, codes, ierr)
  call MPI_Comm_spawn('alone', MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, &
      MPI_COMM_SELF, comm, MPI_ERRCODES_IGNORE, ierr)
  commands = ['first ', 'second']
  table(1, :) = ['a     ', 'b     ', '      ']
  table(2, :) = ['c     ', '      ', '      ']
  call MPI_Comm_spawn_multiple(2, commands, table, [3, 4], &
      [MPI_INFO_NULL, MPI_INFO_ENV], 0, MPI_COMM_SELF, comm, codes, ierr)
  call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [3, 4], &
      [MPI_INFO_NULL, MPI_INFO_ENV], 0, MPI_COMM_SELF, comm, &
      MPI_ERRCODES_IGNORE, ierr)
  if (comm /= MPI_COMM_SELF .or. ierr /= 0) stop 1
end program
