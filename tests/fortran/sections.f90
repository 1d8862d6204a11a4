! SPDX-License-Identifier: Apache-2.0
! sections.f90: array sections with gaps as buffers of mpi_f08, in calls of each
! kind: blocking, nonblocking, persistent, one-sided, collective.
program sections
  use mpi_f08
  implicit none
  external :: check
  integer, parameter :: word = storage_size(0) / 8
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
  call insignificant()
  call reductions()
  call reductions_again()
  call completions()
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

  ! Where a section does not matter its count and type may be anything.
  subroutine insignificant()
    type(MPI_Datatype) :: type
    integer :: got(12), root, many
    root = n - 1
    type = MPI_INTEGER
    many = 1
    if (me /= root) then
      type%MPI_VAL = 1000000
      many = -5
    end if
    call fresh()
    call MPI_Igather(me, 1, MPI_INTEGER, b(1, :), many, type, root, &
        MPI_COMM_WORLD, request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    if (me == root) wanted(1, 1:n) = [(k, k = 0, n - 1)]
    call check(all(b == wanted), 'a section at the root alone, gathered')
    call fresh()
    got = -1
    call MPI_Iscatter(a(1, :), many, type, got, 1, MPI_INTEGER, root, &
        MPI_COMM_WORLD, request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    a = of(root)
    call check(got(1) == a(1, me + 1), 'a section at the root alone, scattered')
    call fresh()
    call MPI_Gather_init(me, 1, MPI_INTEGER, b(1, :), many, type, root, &
        MPI_COMM_WORLD, MPI_INFO_NULL, request(1))
    call MPI_Start(request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call MPI_Request_free(request(1))
    if (me == root) wanted(1, 1:n) = [(k, k = 0, n - 1)]
    call check(all(b == wanted), 'a section at the root alone, persistent')
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
    integer(kind=MPI_COUNT_KIND) :: parts
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
    parts = 2
    call MPI_Psend_init(a(::2, ::4), 2, parts, MPI_INTEGER, right, 0, &
        MPI_COMM_WORLD, MPI_INFO_NULL, request(1), ierr)
    call check(ierr == MPI_ERR_BUFFER, 'partitions of several elements')
    call partitioned()
  end subroutine

  ! Partitions of a row: of two elements to send, of one to receive.
  subroutine partitioned()
    integer(kind=MPI_COUNT_KIND) :: one = 1, two = 2
    logical :: arrived
    call fresh()
    call MPI_Psend_init(a(2, :), 4, two, MPI_INTEGER, right, 0, &
        MPI_COMM_WORLD, MPI_INFO_NULL, request(1))
    call MPI_Precv_init(b(5, :), 8, one, MPI_INTEGER, left, 0, &
        MPI_COMM_WORLD, MPI_INFO_NULL, request(2))
    do k = 1, 2
      call MPI_Startall(2, request)
      call MPI_Pready(3, request(1))
      arrived = .false.
      do while (.not. arrived)
        call MPI_Parrived(request(2), 7, arrived)
      end do
      call MPI_Parrived(request(2), 0, arrived)
      call check(.not. arrived .and. b(5, 7) == 1000 * left + 38, &
          'a partition before the others')
      call MPI_Barrier(MPI_COMM_WORLD)
      call MPI_Pready_range(0, 1, request(1))
      call MPI_Pready_list(1, [2], request(1))
      call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    end do
    call MPI_Request_free(request(1))
    call MPI_Request_free(request(2))
    a = of(left)
    wanted(5, :) = a(2, :)
    call check(all(b == wanted), 'partitions of a row')
  end subroutine

  subroutine collectives()
    integer :: all_rows(2, 4, 3 * n), blocks(4 * n), mine(4), sum(3)
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
    all_rows = -1
    call MPI_Iallgather(a(1:5:4, 1), 2, MPI_INTEGER, all_rows(:, 1:2, ::3), 2, &
        MPI_INTEGER, MPI_COMM_WORLD, request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    blocks = reshape(all_rows(:, 1:2, ::3), [4 * n])
    call check(all(blocks(:2 * n:2) == [(1000 * k + 1, k = 0, n - 1)]) .and. &
        all(blocks(2:2 * n:2) == [(1000 * k + 5, k = 0, n - 1)]) .and. &
        count(all_rows /= -1) == 2 * n, 'blocks of several elements')
  end subroutine

  ! The sum over all ranks of what of() is.
  function total()
    integer :: total(6, 8)
    total = 0
    do k = 0, n - 1
      total = total + of(k)
    end do
  end function

  ! No datatype can have the gaps, so the bindings copy until the end.
  subroutine reductions()
    call fresh()
    call MPI_Iallreduce(a(1:3, ::4), b(3, 1:6), 5, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(1))
    b(3, 6) = 77 ! which is in the section, but not in the buffer
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    wanted(3, 1:5) = first_five(total())
    wanted(3, 6) = 77
    call check(all(b == wanted), 'MPI_Iallreduce')
    call fresh()
    b(::2, 2) = a(::2, 2)
    call MPI_Iallreduce(MPI_IN_PLACE, b(::2, 2), 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    a = total()
    wanted(::2, 2) = a(::2, 2)
    call check(all(b == wanted), 'MPI_Iallreduce in place')
    call fresh()
    call MPI_Iallreduce(a(::2, 1), b(::2, 1), 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(1))
    call MPI_Iallreduce(a(::2, 2), b(::2, 2), 3, MPI_INTEGER, MPI_MAX, &
        MPI_COMM_WORLD, request(2))
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    a = total()
    wanted(::2, 1) = a(::2, 1)
    a = of(n - 1)
    wanted(::2, 2) = a(::2, 2)
    call check(all(b == wanted), 'two of them and MPI_Waitall')
  end subroutine

  function first_five(x)
    integer, intent(in) :: x(6, 8)
    integer :: first_five(5), six(6)
    six = reshape(x(1:3, ::4), [6])
    first_five = six(1:5)
  end function

  subroutine reductions_again()
    integer :: round
    logical :: good
    call fresh()
    call MPI_Allreduce_init(a(::2, 1), b(2, ::3), 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, MPI_INFO_NULL, request(1))
    good = .true.
    do round = 1, 3
      a(::2, 1) = [1, 2, 3] * round + me
      call MPI_Start(request(1))
      call MPI_Wait(request(1), MPI_STATUS_IGNORE)
      wanted(2, ::3) = [1, 2, 3] * round * n + n * (n - 1) / 2
      good = good .and. all(b == wanted)
      b = -1
      call MPI_Wait(request(1), MPI_STATUS_IGNORE)
      good = good .and. all(b == -1)
    end do
    call MPI_Request_free(request(1))
    call check(good .and. request(1) == MPI_REQUEST_NULL, &
        'a persistent reduction')
  end subroutine

  ! What is known to be complete has arrived, whichever call finds it.
  subroutine completions()
    logical :: flag, good
    integer :: which, some(2)
    call start()
    do
      call MPI_Test(request(1), flag, MPI_STATUS_IGNORE)
      if (flag) exit
    end do
    call check(arrived(), 'MPI_Test')
    call start()
    call MPI_Waitany(1, request, which, MPI_STATUS_IGNORE)
    call check(arrived() .and. which == 1, 'MPI_Waitany')
    call start()
    do
      call MPI_Testsome(1, request, which, some, MPI_STATUSES_IGNORE)
      if (which == 1) exit
    end do
    call check(arrived(), 'MPI_Testsome')
    call start()
    do
      call MPI_Request_get_status(request(1), flag, MPI_STATUS_IGNORE)
      if (flag) exit
    end do
    good = arrived()
    b = 5
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(good .and. all(b == 5), 'MPI_Request_get_status')
    call apart()
  end subroutine

  ! One request ends long before another, whose elements are no whole ones.
  subroutine apart()
    integer :: bytes(2) = [7, 9], sum(3)
    call fresh()
    call MPI_Irecv(b(::2, 5), word + 2, MPI_BYTE, me, 3, MPI_COMM_WORLD, request(1))
    call MPI_Iallreduce(a(::2, 3), sum, 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(2))
    call MPI_Wait(request(2), MPI_STATUS_IGNORE)
    call check(all(b == -1), 'what is under way has not arrived')
    call MPI_Send(bytes, word + 2, MPI_BYTE, me, 3, MPI_COMM_WORLD)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call check(b(1, 5) == 7 .and. b(3, 5) /= -1 .and. count(b /= -1) == 2, &
        'it arrives with its own request')
  end subroutine

  subroutine start()
    call fresh()
    call MPI_Iallreduce(a(::2, 3), b(::2, 4), 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, request(1))
  end subroutine

  function arrived()
    logical :: arrived
    a = total()
    wanted(::2, 4) = a(::2, 3)
    arrived = all(b == wanted)
  end function

  subroutine windows()
    type(MPI_Win) :: win
    integer :: memory(6)
    integer(kind=MPI_ADDRESS_KIND) :: zero = 0, bytes = 6 * word
    memory = 0
    call fresh()
    call MPI_Win_create(memory, bytes, word, MPI_INFO_NULL, MPI_COMM_WORLD, win)
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
