! SPDX-License-Identifier: Apache-2.0
! large.f90: INTEGERs of 8 bytes whose values need them: counts may, but those
! of types, for which the program must end, may not.
program large
  use mpi
  implicit none
  integer :: type, bytes, ierr
  call MPI_Init(ierr)
  call MPI_Pack_size(5 * 10**9, MPI_BYTE, MPI_COMM_WORLD, bytes, ierr)
  print '(i0, a)', bytes, ' bytes'
  flush (6)
  call MPI_Type_contiguous(5 * 10**9, MPI_BYTE, type, ierr)
  print '(a)', 'not to be reached'
  call MPI_Finalize(ierr)
end program
