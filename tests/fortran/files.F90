! SPDX-License-Identifier: Apache-2.0
! files.F90: files, through mpif.h, or with -DUSE_MPI or -DUSE_F08 through a module. The
! name of the file is the program's argument.
#include "interface.inc"
program files
  HEAD
  implicit none
  CONSTANTS
  external :: check
  integer, parameter :: n = 100, word = storage_size(0) / 8
  integer :: me, np, ierr, k, mine(n), back(n), amode, count, class
  integer(kind=MPI_OFFSET_KIND) :: at, size
  character(len=200) :: name
  logical :: flag
  HANDLE(MPI_File) :: file, other
  HANDLE(MPI_Datatype) :: row
  HANDLE(MPI_Request) :: request
  STATUS(status)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  call get_command_argument(1, name)
  mine = [(1000 * me + k, k = 1, n)]
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, &
      MPI_INFO_NULL, file, ierr)
  call check(ierr == MPI_SUCCESS .and. file /= MPI_FILE_NULL, 'open')
  call MPI_File_get_amode(file, amode, ierr)
  call check(amode == MPI_MODE_CREATE + MPI_MODE_RDWR, 'mode')

  at = me * n * word
  call MPI_File_write_at_all(file, at, mine, n, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call check(count == n, 'write_at_all')
  back = 0
  call MPI_File_read_at(file, at, back, n, MPI_INTEGER, status, ierr)
  call check(all(back == mine), 'read_at')
  call MPI_File_get_size(file, size, ierr)
  call check(size == np * n * word, 'size')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  call MPI_Type_vector(n, 1, np, MPI_INTEGER, row, ierr)
  call MPI_Type_commit(row, ierr)
  at = me * word
  call MPI_File_set_view(file, at, MPI_INTEGER, row, 'native', MPI_INFO_NULL, &
      ierr)
  call MPI_Type_free(row, ierr)
  call MPI_File_write_all(file, mine, n, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  at = 0
  back = 0
  call MPI_File_read_at_all(file, at, back, n, MPI_INTEGER, status, ierr)
  call check(all(back == mine), 'a view')
  call MPI_File_iwrite_at(file, at, mine, n, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call check(count == n, 'iwrite_at')
  back = 0
  call MPI_File_iread_at_all(file, at, back, n, MPI_INTEGER, request, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(request, flag, status, ierr)
  end do
  call check(all(back == mine), 'iread_at_all')

  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_get_atomicity(file, flag, ierr)
  call check(flag, 'atomicity')
  call MPI_File_close(file, ierr)
  call check(ierr == MPI_SUCCESS .and. file == MPI_FILE_NULL, 'close')
  if (me == 0) call MPI_File_delete(name, MPI_INFO_NULL, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &
      other, ierr)
  call MPI_Error_class(ierr, class, k)
  call check(class == MPI_ERR_NO_SUCH_FILE, 'a missing file')
  call MPI_Finalize(ierr)
end program
