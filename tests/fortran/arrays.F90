! SPDX-License-Identifier: Apache-2.0
! arrays.F90: arrays of counts, ranks, coordinates and types, and what holds
! INTEGERs, through mpif.h, or with -DUSE_MPI or -DUSE_F08 through a module. The
! bindings for INTEGERs of 8 bytes convert them.
#include "interface.inc"
program arrays
  HEAD
  implicit none
  CONSTANTS
  external :: check
  integer, parameter :: word = storage_size(0) / 8
  integer :: me, n, ierr, left, right, k
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call sizes()
  call counts()
  call junk()
  call exchanges()
  call neighbors()
  call types()
  call contents()
  call packing()
  call groups()
  call grids()
  call graphs()
  call MPI_Finalize(ierr)
contains

  subroutine sizes()
    integer :: bytes(3), most, pair(2), best(2)
    HANDLE(MPI_Datatype) :: type
    logical :: odd
    call MPI_Type_size(MPI_INTEGER, bytes(1), ierr)
    call MPI_Type_size(MPI_LOGICAL, bytes(2), ierr)
    call MPI_Type_size(MPI_2INTEGER, bytes(3), ierr)
    call check(all(bytes == [word, storage_size(odd) / 8, 2 * word]), &
        'the sizes of types')
    call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, word, type, ierr)
    call MPI_Type_size(type, bytes(1), ierr)
    call check(bytes(1) == MPI_INTEGER_KIND, 'MPI_INTEGER_KIND')
    call MPI_Allreduce(huge(0) - me, most, 1, MPI_INTEGER, MPI_MIN, &
        MPI_COMM_WORLD, ierr)
    call check(most == huge(0) - (n - 1), 'a minimum')
    call MPI_Allreduce(huge(0) / n, most, 1, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, ierr)
    call check(most == huge(0) / n * n, 'a sum')
    pair = [huge(0) - me, -huge(0) + me]
    call MPI_Allreduce(pair, best, 1, MPI_2INTEGER, MPI_MINLOC, &
        MPI_COMM_WORLD, ierr)
    call check(best(1) == huge(0) - (n - 1) .and. &
        best(2) == -huge(0) + n - 1, 'MPI_MINLOC')
    call MPI_Allreduce(me == 0, odd, 1, MPI_LOGICAL, MPI_LXOR, &
        MPI_COMM_WORLD, ierr)
    call check(odd .eqv. .true., 'an operation on LOGICALs')
  end subroutine

  ! Rank r has r + 1 elements, and one is left out after each part.
  subroutine counts()
    integer :: many(0:n - 1), at(0:n - 1), mine(me + 1), got(me + 1)
    integer :: part(n), all_of(n * (n + 3) / 2), wanted(n * (n + 3) / 2)
    HANDLE(MPI_Request) :: request
    many = [(k + 1, k = 0, n - 1)]
    at = [(k * (k + 3) / 2, k = 0, n - 1)]
    wanted = -1
    do k = 0, n - 1
      wanted(at(k) + 1:at(k) + many(k)) = 100 * k
    end do
    mine = 100 * me
    all_of = -1
    call MPI_Allgatherv(mine, me + 1, MPI_INTEGER, all_of, many, at, &
        MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(all_of == wanted), 'MPI_Allgatherv')
    got = -1
    ! the counts are the root's
    if (me /= n - 1) then
      many = -huge(0)
      at = huge(0)
    end if
    call MPI_Scatterv(wanted, many, at, MPI_INTEGER, got, me + 1, &
        MPI_INTEGER, n - 1, MPI_COMM_WORLD, ierr)
    call check(all(got == 100 * me), 'MPI_Scatterv')
    all_of = -1
    call MPI_Igatherv(mine, me + 1, MPI_INTEGER, all_of, many, at, &
        MPI_INTEGER, n - 1, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(me /= n - 1 .or. all(all_of == wanted), 'MPI_Igatherv')
    many = 1
    part = [(k, k = 1, n)]
    call MPI_Reduce_scatter(part, got, many, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, ierr)
    call check(got(1) == n * (me + 1), 'MPI_Reduce_scatter')
  end subroutine

  ! What only the root passes may be anything elsewhere, and also what is beside
  ! MPI_IN_PLACE.
  subroutine junk()
    integer, parameter :: numbers(4) = [-7, 7, 1000000, huge(0) - 5]
    integer :: many(n), at(n), all_of(n), wanted(n), got, root, form, j
    HANDLE(MPI_Datatype) :: type, types(n)
    HANDLE(MPI_Request) :: request
    wanted = [(10 * k, k = 0, n - 1)]
    root = n - 1
    do j = 1, 4
      do form = 1, 3
        type = MPI_INTEGER
        many = 1
        at = [(k, k = 0, n - 1)]
        if (me /= root) then
          NUMBER(type) = numbers(j)
          many = -3
          at = huge(0)
        end if
        all_of = -1
        if (form == 1) call MPI_Gather(10 * me, 1, MPI_INTEGER, all_of, &
            many(1), type, root, MPI_COMM_WORLD, ierr)
        if (form == 2) call MPI_Igather(10 * me, 1, MPI_INTEGER, all_of, &
            many(1), type, root, MPI_COMM_WORLD, request, ierr)
        if (form == 3) call MPI_Gather_init(10 * me, 1, MPI_INTEGER, all_of, &
            many(1), type, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
        call finish(form, request)
        call check(me /= root .or. all(all_of == wanted), 'junk: MPI_Gather')
        all_of = wanted
        got = -1
        if (form == 1) call MPI_Scatter(all_of, many(1), type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
        if (form == 2) call MPI_Iscatter(all_of, many(1), type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
        if (form == 3) call MPI_Scatter_init(all_of, many(1), type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
        call finish(form, request)
        call check(got == 10 * me, 'junk: MPI_Scatter')
        got = -1
        if (form == 1) call MPI_Scatterv(all_of, many, at, type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
        if (form == 2) call MPI_Iscatterv(all_of, many, at, type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
        if (form == 3) call MPI_Scatterv_init(all_of, many, at, type, got, 1, &
            MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
        call finish(form, request)
        call check(got == 10 * me, 'junk: MPI_Scatterv')
      end do
      NUMBER(type) = numbers(j)
      types = type
      many = -3
      all_of = -1
      all_of(me + 1) = 10 * me
      call MPI_Allgather(MPI_IN_PLACE, -3, type, all_of, 1, MPI_INTEGER, &
          MPI_COMM_WORLD, ierr)
      call check(all(all_of == wanted), 'junk: MPI_Allgather in place')
      all_of = 10 * me
      call MPI_Alltoall(MPI_IN_PLACE, -3, type, all_of, 1, MPI_INTEGER, &
          MPI_COMM_WORLD, ierr)
      call check(all(all_of == wanted), 'junk: MPI_Alltoall in place')
      all_of = 10 * me
      call MPI_Alltoallw(MPI_IN_PLACE, many, many, types, all_of, &
          [(1, k = 1, n)], [(word * k, k = 0, n - 1)], [(MPI_INTEGER, &
          k = 1, n)], MPI_COMM_WORLD, ierr)
      call check(all(all_of == wanted), 'junk: MPI_Alltoallw in place')
    end do
  end subroutine

  ! Ends what form 2 or 3 of a call has begun.
  subroutine finish(form, request)
    integer :: form
    HANDLE(MPI_Request) :: request
    if (form == 3) call MPI_Start(request, ierr)
    if (form > 1) call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    if (form == 3) call MPI_Request_free(request, ierr)
  end subroutine

  subroutine exchanges()
    integer :: sent(n), got(n), many(n), at(n)
    HANDLE(MPI_Datatype) :: kinds(n)
    HANDLE(MPI_Comm) :: ring
    sent = [(100 * me + k, k = 0, n - 1)]
    many = 1
    at = [(n - k, k = 1, n)]
    got = -1
    call MPI_Alltoallv(sent, many, at, MPI_INTEGER, got, many, at, &
        MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(got == [(100 * k + n - 1 - me, k = n - 1, 0, -1)]), &
        'MPI_Alltoallv')
    ! one neighbour, but a type for each rank
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], &
        MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
        ring, ierr)
    kinds = MPI_INTEGER
    at = [(word * (k - 1), k = 1, n)]
    got = -1
    call MPI_Alltoallw(sent, many, at, kinds, got, many, at, kinds, ring, ierr)
    call check(all(got == [(100 * k + me, k = 0, n - 1)]), &
        'MPI_Alltoallw on a graph')
    call MPI_Comm_free(ring, ierr)
  end subroutine

  ! A grid has a type for each neighbour, not for each rank.
  subroutine neighbors()
    integer :: dims(2), sent(4), got(4), many(4)
    integer(kind=MPI_ADDRESS_KIND) :: at(4)
    HANDLE(MPI_Datatype) :: kinds(4)
    HANDLE(MPI_Comm) :: grid
    dims = [n, 1]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .false., &
        grid, ierr)
    many = 1
    at = [(word * k, k = 0, 3)]
    kinds = MPI_INTEGER
    sent = [(10 * me + k, k = 1, 4)]
    got = -1
    call MPI_Neighbor_alltoallw(sent, many, at, kinds, got, many, at, kinds, &
        grid, ierr)
    call check(all(got(3:4) == 10 * me + [4, 3]) .and. &
        got(1) == 10 * left + 2 .and. got(2) == 10 * right + 1, &
        'MPI_Neighbor_alltoallw on a grid')
    call MPI_Comm_free(grid, ierr)
  end subroutine

  ! Sends x as one element of a type, and returns the INTEGERs that arrive.
  subroutine through(type, x, got)
    HANDLE(MPI_Datatype) :: type
    integer :: x(12), got(:)
    call MPI_Type_commit(type, ierr)
    got = -1
    call MPI_Sendrecv(x, 1, type, right, 0, got, size(got), MPI_INTEGER, &
        left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Type_free(type, ierr)
  end subroutine

  subroutine types()
    integer :: x(12), got(5), row(3), rows(6)
    integer(kind=MPI_ADDRESS_KIND) :: at(2)
    HANDLE(MPI_Datatype) :: type, two(2)
    x = [(k, k = 1, 12)]
    call MPI_Type_indexed(2, [2, 3], [8, 0], MPI_INTEGER, type, ierr)
    call through(type, x, got)
    call check(all(got == [9, 10, 1, 2, 3]), 'MPI_Type_indexed')
    at = [6 * word, 0]
    call MPI_Type_create_hindexed(2, [1, 2], at, MPI_INTEGER, type, ierr)
    call through(type, x, row)
    call check(all(row == [7, 1, 2]), 'MPI_Type_create_hindexed')
    two = MPI_INTEGER
    call MPI_Type_create_struct(2, [2, 1], at, two, type, ierr)
    call through(type, x, row)
    call check(all(row == [7, 8, 1]), 'MPI_Type_create_struct')
    call MPI_Type_create_indexed_block(3, 1, [4, 2, 0], MPI_INTEGER, type, ierr)
    call through(type, x, row)
    call check(all(row == [5, 3, 1]), 'MPI_Type_create_indexed_block')
    call MPI_Type_vector(3, 1, 4, MPI_INTEGER, type, ierr)
    call through(type, x, row)
    call check(all(row == [1, 5, 9]), 'MPI_Type_vector')
    call MPI_Type_create_subarray(2, [4, 3], [1, 3], [2, 0], &
        MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
    call through(type, x, row)
    call check(all(row == [3, 7, 11]), 'MPI_Type_create_subarray')
    call MPI_Type_create_darray(2, 1, 2, [4, 3], [MPI_DISTRIBUTE_CYCLIC, &
        MPI_DISTRIBUTE_NONE], [MPI_DISTRIBUTE_DFLT_DARG, &
        MPI_DISTRIBUTE_DFLT_DARG], [2, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, &
        type, ierr)
    call through(type, x, rows)
    call check(all(rows == [2, 4, 6, 8, 10, 12]), 'MPI_Type_create_darray')
  end subroutine

  subroutine contents()
    integer :: ints, addresses, kinds, combiner, values(7)
    integer(kind=MPI_ADDRESS_KIND) :: at(1)
    HANDLE(MPI_Datatype) :: type, of(1)
    call MPI_Type_indexed(2, [2, 3], [8, 0], MPI_INTEGER, type, ierr)
    call MPI_Type_get_envelope(type, ints, addresses, kinds, combiner, ierr)
    call check(ints == 5 .and. addresses == 0 .and. kinds == 1 .and. &
        combiner == MPI_COMBINER_INDEXED, 'MPI_Type_get_envelope')
    values = -huge(0)
    call MPI_Type_get_contents(type, 5, 1, 1, values, at, of, ierr)
    call check(all(values == [2, 2, 3, 8, 0, -huge(0), -huge(0)]) .and. &
        of(1) == MPI_INTEGER, 'MPI_Type_get_contents')
    call MPI_Type_free(type, ierr)
  end subroutine

  subroutine packing()
    integer :: x(3), y(3), bytes, at
    integer :: room(9)
    integer(kind=MPI_ADDRESS_KIND) :: place, lb, extent
    x = [me, -me, huge(0)]
    at = word
    call MPI_Pack(x, 3, MPI_INTEGER, room, 9 * word, at, MPI_COMM_WORLD, ierr)
    call MPI_Pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, bytes, ierr)
    call check(at == 4 * word .and. bytes >= 3 * word, 'MPI_Pack')
    at = word
    call MPI_Unpack(room, 9 * word, at, y, 3, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(at == 4 * word .and. all(x == y), 'MPI_Unpack')
    place = 0
    call MPI_Pack_external('external32', x, 3, MPI_INTEGER, room, &
        9_MPI_ADDRESS_KIND * word, place, ierr)
    y = 0
    lb = 0
    call MPI_Unpack_external('external32', room, place, lb, y, 3, &
        MPI_INTEGER, ierr)
    call MPI_Type_get_extent(MPI_INTEGER, lb, extent, ierr)
    call check(place == 3 * extent .and. all(x == y), 'MPI_Pack_external')
  end subroutine

  subroutine groups()
    integer :: ranks(3), order(n), back(n), place, ranges(3, 1)
    HANDLE(MPI_Group) :: world, other, third
    HANDLE(MPI_Comm) :: comm
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    order = [(n - k, k = 1, n)]
    call MPI_Group_incl(world, n, order, other, ierr)
    call MPI_Group_translate_ranks(world, n, order, other, back, ierr)
    call check(all(back == [(k, k = 0, n - 1)]), 'MPI_Group_translate_ranks')
    call MPI_Comm_create(MPI_COMM_WORLD, other, comm, ierr)
    call MPI_Comm_rank(comm, place, ierr)
    call check(place == n - 1 - me, 'MPI_Group_incl')
    call MPI_Comm_free(comm, ierr)
    ranges(:, 1) = [n - 1, 0, -1]
    call MPI_Group_range_incl(world, 1, ranges, third, ierr)
    call MPI_Group_compare(other, third, place, ierr)
    call check(place == MPI_IDENT, 'MPI_Group_range_incl')
    call MPI_Group_free(third, ierr)
    call MPI_Group_excl(world, 1, [0], third, ierr)
    ranks = [0, n - 1, MPI_PROC_NULL]
    call MPI_Group_translate_ranks(world, 3, ranks, third, back(:1), ierr)
  end subroutine

  subroutine grids()
    integer :: dims(2), at(2), where_, from, to, more(4)
    logical :: periods(2)
    HANDLE(MPI_Comm) :: grid
    dims = [0, 1]
    call MPI_Dims_create(n, 2, dims, ierr)
    call check(all(dims == [n, 1]), 'MPI_Dims_create')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], &
        .false., grid, ierr)
    at = -1
    call MPI_Cart_coords(grid, me, 2, at, ierr)
    call check(all(at == [me, 0]), 'MPI_Cart_coords')
    call MPI_Cart_rank(grid, [n + me, 0], where_, ierr)
    call check(where_ == me, 'MPI_Cart_rank')
    call MPI_Cart_shift(grid, 0, 1, from, to, ierr)
    call check(from == left .and. to == right, 'MPI_Cart_shift')
    call MPI_Cart_shift(grid, 1, 1, from, to, ierr)
    call check(from == MPI_PROC_NULL .and. to == MPI_PROC_NULL, &
        'MPI_PROC_NULL')
    more = 77
    dims = 0
    call MPI_Cart_get(grid, 2, dims, periods, more, ierr)
    call check(all(dims == [n, 1]) .and. all(more == [me, 0, 77, 77]), &
        'MPI_Cart_get')
    call MPI_Comm_free(grid, ierr)
  end subroutine

  ! A ring, with an edge to the next rank.
  subroutine graphs()
    integer :: ends(n), edges(n), nodes, many, got(n), one(1), weights(1)
    HANDLE(MPI_Comm) :: graph
    ends = [(k, k = 1, n)]
    edges = [(modulo(k, n), k = 1, n)]
    call MPI_Graph_create(MPI_COMM_WORLD, n, ends, edges, .false., graph, ierr)
    call MPI_Graphdims_get(graph, nodes, many, ierr)
    call check(nodes == n .and. many == n, 'MPI_Graph_create')
    ends = 0
    call MPI_Graph_get(graph, n, n, ends, got, ierr)
    call check(all(ends == [(k, k = 1, n)]) .and. all(got == edges), &
        'MPI_Graph_get')
    call MPI_Graph_neighbors_count(graph, me, many, ierr)
    call MPI_Graph_neighbors(graph, me, 1, one, ierr)
    call check(many == 1 .and. one(1) == right, 'MPI_Graph_neighbors')
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [me], [1], [right], &
        [me + 5], MPI_INFO_NULL, .false., graph, ierr)
    got = -1
    call MPI_Dist_graph_neighbors(graph, 1, got, weights, 1, one, &
        MPI_UNWEIGHTED, ierr)
    call check(got(1) == left .and. weights(1) == left + 5 .and. &
        one(1) == right, 'MPI_Dist_graph_create')
    call MPI_Comm_free(graph, ierr)
  end subroutine
end program
