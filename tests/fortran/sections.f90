! SPDX-License-Identifier: Apache-2.0
! sections.f90: array sections with gaps as buffers of mpi_f08, in calls of each
! kind: blocking, nonblocking, persistent, one-sided, collective.
program sections
  use mpi_f08
  implicit none
  external :: check
  integer :: me, n, ierr, left, right, k
  integer :: a(6, 8), b(6, 8), wanted(6, 8)
  type(MPI_Request) :: request(2)
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call pairs()
  call parts()
  call elements()
  call persistent()
  call collectives()
  call windows()
  call MPI_Finalize()
contains

  ! What rank r sends.
  function of(r)
    integer, intent(in) :: r
    integer :: of(6, 8), j
    of = 1000 * r + reshape([(j, j = 1, 48)], [6, 8])
  end function

  subroutine fresh()
    a = of(me)
    b = -1
    wanted = -1
  end subroutine

  subroutine pairs()
    integer :: plain(12)
    call fresh()
    call MPI_Irecv(b(2:6:2, ::2), 12, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        request(1))
    call MPI_Isend(a(1:3, 1:4), 12, MPI_INTEGER, right, 0, MPI_COMM_WORLD, &
        request(2))
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    a = of(left)
    wanted(2:6:2, ::2) = a(1:3, 1:4)
    call check(all(b == wanted), 'planes, nonblocking')
    call fresh()
    call MPI_Irecv(b(3, :), 8, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request(1))
    call MPI_Send(a(:, 8:1:-1), 8, MPI_INTEGER, right, 0, MPI_COMM_WORLD)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    a = of(left)
    wanted(3, :) = [a(:, 8), a(1:2, 7)]
    call check(all(b == wanted), 'a row; columns backwards')
    call fresh()
    call MPI_Isend(a(6:1:-1, 2), 6, MPI_INTEGER, right, 0, MPI_COMM_WORLD, &
        request(1))
    call MPI_Recv(b(::2, ::3), 6, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    a = of(left)
    wanted(::2, 1) = a(6:4:-1, 2)
    wanted(::2, 4) = a(3:1:-1, 2)
    call check(all(b == wanted), 'a column backwards, nonblocking')
    call fresh()
    call MPI_Sendrecv(a(2, :), 8, MPI_INTEGER, right, 0, b(:, 2:7:5), 8, &
        MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    a = of(left)
    wanted(:, 2) = a(2, 1:6)
    wanted(1:2, 7) = a(2, 7:8)
    call check(all(b == wanted), 'the rest of a section is left alone')
    call fresh()
    call MPI_Sendrecv(a(2:4:2, 1:6), 12, MPI_INTEGER, right, 0, plain, 12, &
        MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    a = of(left)
    call check(all(plain == reshape(a(2:4:2, 1:6), [12])), 'to an array')
  end subroutine

  ! A count that ends within a column.
  subroutine parts()
    type(MPI_Datatype) :: pair
    integer :: cube(3, 4, 5), row(22), got(22)
    integer(kind=MPI_COUNT_KIND) :: large
    cube = reshape([(me * 100 + k, k = 1, 60)], [3, 4, 5])
    got = 0
    call MPI_Isend(cube(1:2, 1:4, 1:5:2), 22, MPI_INTEGER, right, 0, &
        MPI_COMM_WORLD, request(1))
    call MPI_Recv(got, 22, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    cube = reshape([(left * 100 + k, k = 1, 60)], [3, 4, 5])
    row = reshape(cube(1:2, 1:4, 1:5:2), [22])
    call check(all(got == row), 'a part of a cube')
    call MPI_Type_contiguous(2, MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    cube = reshape([(me * 100 + k, k = 1, 60)], [3, 4, 5])
    large = 11
    call MPI_Isend(cube(1:2, 1:4, 1:5:2), large, pair, right, 0, &
        MPI_COMM_WORLD, request(1))
    got = 0
    call MPI_Recv(got, 22, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(all(got == row), 'of elements that are pairs')
    call MPI_Isend(cube(::2, :, :), 100, MPI_INTEGER, right, 0, &
        MPI_COMM_WORLD, request(1), ierr)
    call check(ierr == MPI_ERR_BUFFER, 'more elements than there are')
    call MPI_Isend(cube(::2, 1, :0), 0, MPI_INTEGER, MPI_PROC_NULL, 0, &
        MPI_COMM_WORLD, request(1), ierr)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(ierr == MPI_SUCCESS, 'an empty section')
    call MPI_Type_free(pair)
  end subroutine

  ! The parts of the elements of an array of a type.
  subroutine elements()
    type point
      integer :: x, y, z
    end type
    type(point) :: points(5)
    complex :: values(4)
    real :: parts(4)
    integer :: got(5)
    points%x = me
    points%y = [(10 * me + k, k = 1, 5)]
    points%z = -1
    call MPI_Isend(points%y, 5, MPI_INTEGER, right, 0, MPI_COMM_WORLD, &
        request(1))
    call MPI_Recv(points%z, 5, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    got = points%z
    call check(all(got == [(10 * left + k, k = 1, 5)]) .and. &
        all(points%x == me), 'a component')
    values = cmplx(me, 7.0)
    call MPI_Irecv(values%im, 4, MPI_REAL, left, 0, MPI_COMM_WORLD, request(1))
    parts = values%re
    call MPI_Send(parts, 4, MPI_REAL, right, 0, MPI_COMM_WORLD)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(all(nint(aimag(values)) == left) .and. &
        all(nint(real(values)) == me), 'the imaginary part of an array')
  end subroutine

  subroutine persistent()
    call fresh()
    call MPI_Send_init(a(1, ::2), 4, MPI_INTEGER, right, 0, MPI_COMM_WORLD, &
        request(1))
    call MPI_Recv_init(b(2:5:3, 1:2), 4, MPI_INTEGER, left, 0, &
        MPI_COMM_WORLD, request(2))
    do k = 1, 2
      call MPI_Startall(2, request)
      call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    end do
    call MPI_Request_free(request(1))
    call MPI_Request_free(request(2))
    a = of(left)
    wanted(2:5:3, 1:2) = reshape(a(1, ::2), [2, 2])
    call check(all(b == wanted), 'persistent requests')
  end subroutine

  subroutine collectives()
    integer :: all_rows(2, 4, 3 * n), mine(4), sum(3)
    call fresh()
    call MPI_Allreduce(a(1:5:2, 2), b(1, 2:8:3), 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD)
    wanted = 0
    do k = 0, n - 1
      wanted = wanted + of(k)
    end do
    sum = wanted(1:5:2, 2)
    call check(all(b(1, 2:8:3) == sum) .and. count(b /= -1) == 3, &
        'a reduction')
    all_rows = -1
    mine = me
    call MPI_Allgather(mine, 4, MPI_INTEGER, all_rows(1, :, ::3), 4, &
        MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(all_rows(1, 1, ::3) == [(k, k = 0, n - 1)]) .and. &
        all(all_rows(2, :, :) == -1), 'a block for each rank')
    all_rows = -1
    call MPI_Iallgather(me, 1, MPI_INTEGER, all_rows(2, 1, ::3), 1, &
        MPI_INTEGER, MPI_COMM_WORLD, request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(all(all_rows(2, 1, ::3) == [(k, k = 0, n - 1)]) .and. &
        count(all_rows /= -1) == n, 'an element for each rank, nonblocking')
    call fresh()
    call MPI_Ibcast(a(2:6:2, 1:8:7), 6, MPI_INTEGER, n - 1, MPI_COMM_WORLD, &
        request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    b = of(n - 1)
    call check(all(a(2:6:2, 1:8:7) == b(2:6:2, 1:8:7)), 'MPI_Ibcast')
    call MPI_Iallreduce(a(1, :), b(1, :), 8, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(1), ierr)
    call check(ierr == MPI_ERR_BUFFER, 'a nonblocking reduction refuses')
  end subroutine

  subroutine windows()
    type(MPI_Win) :: win
    integer :: memory(6)
    integer(kind=MPI_ADDRESS_KIND) :: zero = 0, bytes = 24
    memory = 0
    call fresh()
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(a(::2, 3:4), 6, MPI_INTEGER, right, zero, 6, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call MPI_Get(b(1, 1:6), 6, MPI_INTEGER, me, zero, 6, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call MPI_Win_free(win)
    a = of(left)
    wanted(1, 1:6) = reshape(a(::2, 3:4), [6])
    call check(all(b == wanted), 'one-sided')
  end subroutine
end program
