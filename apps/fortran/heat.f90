! SPDX-License-Identifier: Apache-2.0
! heat.f90: the heat equation on a square plate whose left edge is hot, by
! Jacobi's method on a grid of ranks: each has a part of the plate and a border
! of one point, which it gets from its neighbours. With mpi_f08 a row of the
! part, whose points lie apart in memory, is an array section like a column.
!
!	mrtfort -O2 heat.f90 -o heat && mrun -n 4 ./heat [POINTS [STEPS]]
program heat
  use mpi_f08
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  integer :: points = 120, steps = 500, n, step, ranks
  integer :: dims(2) = 0, at(2), first(2), last(2), up, down, left, right
  real(wp), allocatable :: old(:,:), new(:,:)
  real(wp) :: change, warmth
  type(MPI_Comm) :: grid
  type(MPI_Request) :: request(8)
  double precision :: began

  call MPI_Init()
  call arguments()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., grid)
  call MPI_Comm_rank(grid, n)
  call MPI_Cart_coords(grid, n, 2, at)
  call MPI_Cart_shift(grid, 0, 1, up, down)
  call MPI_Cart_shift(grid, 1, 1, left, right)
  first = at * points / dims + 1
  last = (at + 1) * points / dims
  allocate (old(first(1)-1:last(1)+1, first(2)-1:last(2)+1), source=0.0_wp)
  if (left == MPI_PROC_NULL) old(:, 0) = 1
  new = old

  began = MPI_Wtime()
  do step = 1, steps
    call exchange(old)
    call jacobi(old, new)
    change = maxval(abs(new - old))
    call swap()
  end do
  call MPI_Allreduce(MPI_IN_PLACE, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
  warmth = sum(old(first(1):last(1), first(2):last(2)))
  call MPI_Allreduce(MPI_IN_PLACE, warmth, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid)
  if (n == 0) then
    print '(a, i0, a, i0, a, i0, a)', 'heat: ', points, ' x ', points, &
        ' points, ', steps, ' steps'
    print '(a, es12.6, a, es9.3)', 'warmth ', warmth, ', last change ', change
    write (0, '(i0, a, i0, a, f8.3, a)') dims(1), ' x ', dims(2), ' ranks: ', &
        MPI_Wtime() - began, ' s'
  end if
  call MPI_Finalize()

contains

  subroutine arguments()
    character(len=20) :: word
    if (command_argument_count() >= 1) then
      call get_command_argument(1, word)
      read (word, *) points
    end if
    if (command_argument_count() >= 2) then
      call get_command_argument(2, word)
      read (word, *) steps
    end if
  end subroutine

  ! Fills the border with the neighbours' edges.
  subroutine exchange(u)
    real(wp), intent(inout), asynchronous :: &
        u(first(1)-1:last(1)+1, first(2)-1:last(2)+1)
    integer :: rows, columns
    rows = last(1) - first(1) + 1
    columns = last(2) - first(2) + 1
    associate (r1 => first(1), r2 => last(1), c1 => first(2), c2 => last(2))
      call MPI_Irecv(u(r1-1, c1:c2), columns, MPI_DOUBLE_PRECISION, up, 0, grid, request(1))
      call MPI_Irecv(u(r2+1, c1:c2), columns, MPI_DOUBLE_PRECISION, down, 1, grid, request(2))
      call MPI_Irecv(u(r1:r2, c1-1), rows, MPI_DOUBLE_PRECISION, left, 2, grid, request(3))
      call MPI_Irecv(u(r1:r2, c2+1), rows, MPI_DOUBLE_PRECISION, right, 3, grid, request(4))
      call MPI_Isend(u(r2, c1:c2), columns, MPI_DOUBLE_PRECISION, down, 0, grid, request(5))
      call MPI_Isend(u(r1, c1:c2), columns, MPI_DOUBLE_PRECISION, up, 1, grid, request(6))
      call MPI_Isend(u(r1:r2, c2), rows, MPI_DOUBLE_PRECISION, right, 2, grid, request(7))
      call MPI_Isend(u(r1:r2, c1), rows, MPI_DOUBLE_PRECISION, left, 3, grid, request(8))
    end associate
    call MPI_Waitall(8, request, MPI_STATUSES_IGNORE)
  end subroutine

  ! Each point becomes the mean of its four neighbours.
  subroutine jacobi(u, v)
    real(wp), intent(in) :: u(first(1)-1:last(1)+1, first(2)-1:last(2)+1)
    real(wp), intent(inout) :: v(first(1)-1:last(1)+1, first(2)-1:last(2)+1)
    integer :: i, j
    v = u
    do j = first(2), last(2)
      do i = first(1), last(1)
        v(i, j) = 0.25_wp * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1))
      end do
    end do
  end subroutine

  subroutine swap()
    real(wp), allocatable :: other(:,:)
    call move_alloc(old, other)
    call move_alloc(new, old)
    call move_alloc(other, new)
  end subroutine
end program
