! SPDX-License-Identifier: Apache-2.0
! traps.F90: what bindings for Fortran get wrong, through mpif.h, or through the
! module mpi with -DUSE_MPI.
#include "interface.inc"
program traps
  HEAD
  implicit none
  CONSTANTS
  external :: twice, copier, deleter, handler, query, release, cancelled
  external :: check
  integer, parameter :: word = storage_size(0) / 8
  integer :: me, n, ierr, left, right, k
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call addresses()
  call statuses()
  call indices()
  call logicals()
  call strings()
  call callbacks()
  call requests()
  call registers()
  call attributes()
  call shared_attributes()
  call handles()
  call kinds()
  call windows()
  call MPI_Finalize(ierr)
contains

  subroutine addresses()
    integer :: x(3), y(3), type, comm, in, out, weights(2)
    integer :: sources(2)
    logical :: weighted
    integer(kind=MPI_ADDRESS_KIND) :: at(1)
    x = [1, 2, 3] + me
    call MPI_Get_address(x, at(1), ierr)
    call MPI_Type_create_hindexed(1, [3], at, MPI_INTEGER, type, ierr)
    call MPI_Type_commit(type, ierr)
    call MPI_Sendrecv(MPI_BOTTOM, 1, type, right, 0, y, 3, MPI_INTEGER, &
        left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(y == [1, 2, 3] + left), 'MPI_BOTTOM')
    call MPI_Type_free(type, ierr)
    call check(type == MPI_DATATYPE_NULL, 'a freed handle is the null handle')
    x = me
    call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, ierr)
    call check(all(x == n * (n - 1) / 2), 'MPI_IN_PLACE')
    call check(all(MPI_STATUS_IGNORE == 0), 'MPI_STATUS_IGNORE is not written')
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], &
        MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
        comm, ierr)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
    call check(in == 1 .and. out == 1 .and. .not. weighted, 'MPI_UNWEIGHTED')
    call MPI_Comm_free(comm, ierr)
    sources = 0
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, sources, &
        MPI_WEIGHTS_EMPTY, 0, sources, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, &
        .false., comm, ierr)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
    call check(in == 0 .and. weighted, 'MPI_WEIGHTS_EMPTY')
    call MPI_Comm_free(comm, ierr)
    weights = 7
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], &
        weights, 1, [right], weights, MPI_INFO_NULL, .false., comm, ierr)
    weights = 0
    call MPI_Dist_graph_neighbors(comm, 1, x, weights, 1, y, weights(2:), ierr)
    call check(all(weights == 7) .and. x(1) == left, 'weights')
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine statuses()
    integer :: status(MPI_STATUS_SIZE), several(MPI_STATUS_SIZE, 2)
    integer :: request(2), x(2), count
    integer, external :: ignored_in_c, tag_in_c, ignore_from_c
    call MPI_Irecv(x(1), 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, &
        request(1), ierr)
    call MPI_Irecv(x(2), 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, &
        request(2), ierr)
    call MPI_Send(me, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierr)
    call MPI_Send(me, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(2, request, several, ierr)
    call MPI_Get_count(several(:, 2), MPI_INTEGER, count, ierr)
    call check(all(several(MPI_SOURCE, :) == left) .and. &
        all(several(MPI_TAG, :) == [5, 6]) .and. count == 1 .and. &
        all(request == MPI_REQUEST_NULL), 'statuses are columns of an array')
    call MPI_Isend(me, 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD, &
        request(1), ierr)
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &
        status, ierr)
    call MPI_Waitall(1, request, MPI_STATUSES_IGNORE, ierr)
    call check(status(MPI_SOURCE) == left .and. status(MPI_TAG) == 7 .and. &
        all(MPI_STATUSES_IGNORE == 0), 'a status is an array')
    call check(ignored_in_c(MPI_STATUS_IGNORE) == 1 .and. &
        ignored_in_c(MPI_STATUSES_IGNORE) == 2 .and. &
        ignored_in_c(status) == 0, 'C knows what is ignored')
    call check(tag_in_c(status) == 7, 'C converts a status')
    call check(ignore_from_c(MPI_COMM_WORLD) == MPI_SUCCESS .and. &
        all(MPI_STATUS_IGNORE == 0) .and. all(MPI_STATUSES_IGNORE == 0), &
        'C passes what is ignored')
  end subroutine

  subroutine indices()
    integer :: request(3), which(3), count, one, x
    logical :: flag
    request = MPI_REQUEST_NULL
    call MPI_Waitany(3, request, one, MPI_STATUS_IGNORE, ierr)
    call check(one == MPI_UNDEFINED, 'no index is MPI_UNDEFINED')
    call MPI_Irecv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
        request(3), ierr)
    call MPI_Waitany(3, request, one, MPI_STATUS_IGNORE, ierr)
    call check(one == 3, 'MPI_Waitany counts from 1')
    call MPI_Irecv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
        request(1), ierr)
    call MPI_Irecv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
        request(3), ierr)
    call MPI_Waitsome(3, request, count, which, MPI_STATUSES_IGNORE, ierr)
    call check(count == 2 .and. all(which(1:2) == [1, 3]), &
        'MPI_Waitsome counts from 1')
    call MPI_Testany(3, request, one, flag, MPI_STATUS_IGNORE, ierr)
    call check(flag .and. one == MPI_UNDEFINED, 'MPI_Testany of none')
  end subroutine

  subroutine logicals()
    integer :: comm, dims(2), at(2), sub, rank
    logical :: periods(2), flag
    dims = [n, 1]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], &
        .false., comm, ierr)
    periods = [.false., .true.]
    call MPI_Cart_get(comm, 2, dims, periods, at, ierr)
    call check((periods(1) .eqv. .true.) .and. (periods(2) .eqv. .false.) &
        .and. transfer(periods(1), 0) == transfer(.true., 0), &
        'LOGICALs are those of the compiler')
    call MPI_Cart_sub(comm, [.true., .false.], sub, ierr)
    call MPI_Comm_size(sub, rank, ierr)
    call MPI_Comm_test_inter(sub, flag, ierr)
    call check(rank == n .and. .not. flag, 'an array of LOGICALs')
    call MPI_Comm_free(sub, ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine strings()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=12) :: value
    character(len=3) :: short
    integer :: comm, length, info
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_set_name(comm, ' of Fortran   ', ierr)
    name = repeat('x', len(name))
    call MPI_Comm_get_name(comm, name, length, ierr)
    call check(name == ' of Fortran' .and. length == 11, &
        'strings are padded with blanks')
    call MPI_Comm_free(comm, ierr)
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, ' key ', ' a value ', ierr)
    value = 'xxxxxxxxxxxx'
    call MPI_Info_get(info, 'key  ', 12, value, flag, ierr)
    call check(flag .and. value == 'a value', 'info without outer blanks')
    call MPI_Info_get(info, 'key', 3, short, flag, ierr)
    call check(flag .and. short == 'a v', 'a value that is cut')
    length = 12
    call MPI_Info_get_string(info, 'key', length, value, flag, ierr)
    call check(flag .and. length == 7 .and. value == 'a value', &
        'MPI_Info_get_string')
    call MPI_Info_free(info, ierr)
  end subroutine

  subroutine callbacks()
    integer :: op, x, y(2), type, errhandler, comm
    call MPI_Op_create(twice, .true., op, ierr)
    call MPI_Allreduce(me, x, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    call check(x == n * (n - 1) / 2, 'an operation')
    call MPI_Type_contiguous(2, MPI_INTEGER, type, ierr)
    call MPI_Type_commit(type, ierr)
    call MPI_Allreduce([me, 1], y, 1, type, op, MPI_COMM_WORLD, ierr)
    call check(y(2) == n .and. op /= MPI_OP_NULL, &
        'an operation on a type of its own')
    call MPI_Type_free(type, ierr)
    call MPI_Op_free(op, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_create_errhandler(handler, errhandler, ierr)
    call MPI_Comm_set_errhandler(comm, errhandler, ierr)
    call MPI_Errhandler_free(errhandler, ierr)
    errors = 0
    call MPI_Send(me, 1, MPI_INTEGER, n + 1, 0, comm, ierr)
    call check(errors == comm .and. last_error == MPI_ERR_RANK .and. &
        ierr == MPI_ERR_RANK, 'an error handler')
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine requests()
    integer :: request, status(MPI_STATUS_SIZE), count
    integer(kind=MPI_ADDRESS_KIND) :: state
    logical :: flag
    state = 2_MPI_ADDRESS_KIND**40
    released = 0
    call MPI_Grequest_start(query, release, cancelled, state, request, ierr)
    call MPI_Test(request, flag, status, ierr)
    call check(.not. flag .and. request /= MPI_REQUEST_NULL, &
        'a generalized request')
    call MPI_Cancel(request, ierr)
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(status(MPI_TAG) == 11 .and. count == 5 .and. released == 101, &
        'and its callbacks')
  end subroutine

  ! As in traps_f08.f90. mpif.h cannot tell the compiler: programs do, though not
  ! every compiler lets them say ASYNCHRONOUS.
  subroutine registers()
    integer :: request(2), x, y
#if !defined(USE_MPI) && defined(__GFORTRAN__)
    asynchronous :: x, y
#endif
    y = -1
    call MPI_Send_init(x, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, &
        request(1), ierr)
    call MPI_Recv_init(y, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
        request(2), ierr)
    x = me
#if !defined(USE_MPI) && !defined(__GFORTRAN__)
    call MPI_F_sync_reg(x)
#endif
    call MPI_Startall(2, request, ierr)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
#if !defined(USE_MPI) && !defined(__GFORTRAN__)
    call MPI_F_sync_reg(y)
#endif
    call check(y == left, 'buffers of nonblocking calls')
    call MPI_Request_free(request(1), ierr)
    call MPI_Request_free(request(2), ierr)
  end subroutine

  subroutine attributes()
    integer, external :: attribute_in_c
    integer :: key, comm, old
    integer(kind=MPI_ADDRESS_KIND) :: value, big
    logical :: flag
    big = 2_MPI_ADDRESS_KIND**40 + 1
    copies = 0
    deletes = 0
    call MPI_Comm_create_keyval(copier, deleter, key, big, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, big + 1, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierr)
    call check(flag .and. value == big + 1, 'attributes of address kind')
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    call check(flag .and. value == 2 * big + 1 .and. copies == 1, &
        'a copy callback')
    call MPI_Comm_free(comm, ierr)
    call check(deletes == 1, 'a delete callback')
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierr)
    call MPI_Comm_free_keyval(key, ierr)
    call check(key == MPI_KEYVAL_INVALID .and. deletes == 2, 'a key is freed')
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &
        key, big, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, big, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    call check(flag .and. value == big, 'MPI_COMM_DUP_FN')
    call MPI_Comm_free(comm, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB is a value')
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key, 0, ierr)
    call MPI_Attr_put(MPI_COMM_WORLD, key, -5, ierr)
    call MPI_Attr_get(MPI_COMM_WORLD, key, old, flag, ierr)
    call check(flag .and. old == -5, 'attributes of MPI 1')
    big = -5
    call check(attribute_in_c(MPI_COMM_WORLD, key, big, 1) == 1, &
        'which C reads as pointers to INTEGERs')
  end subroutine

  subroutine shared_attributes()
    integer, external :: attribute_in_c, key_in_c, calls_in_c
    integer(kind=MPI_ADDRESS_KIND), external :: get_in_c
    integer(kind=MPI_ADDRESS_KIND) :: value, big, at
    integer :: key, comm
    logical :: flag
    big = 2_MPI_ADDRESS_KIND**40 + 1
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &
        key, big, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, big, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, big + 1, ierr)
    call check(attribute_in_c(comm, key, big, 0) == 1 .and. &
        attribute_in_c(MPI_COMM_WORLD, key, big + 1, 0) == 1, &
        'C reads pointers to integers')
    call MPI_Comm_free(comm, ierr)
    call MPI_Get_address(key, at, ierr)
    call set_in_c(MPI_COMM_WORLD, key, at)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierr)
    call check(flag .and. value == at, 'Fortran reads addresses of C')
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call check(get_in_c(comm, key) == at, 'and copies them')
    call MPI_Comm_free(comm, ierr)
    key = key_in_c()
    value = 77
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_get_attr(comm, key, value, flag, ierr)
    call MPI_Comm_free(comm, ierr)
    call check(flag .and. value == 77 .and. calls_in_c() == 101, &
        'callbacks of C get pointers')
  end subroutine

  subroutine handles()
    integer, external :: size_in_c, size_by_symbol
    integer :: comm, type
    integer :: sent(n), got(n), counts(n), displs(n), types(n)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call check(size_in_c(comm) == n, 'MPI_Comm_f2c of mpi.h')
    call check(size_by_symbol(comm) == n, 'MPI_Comm_f2c of the library')
    call MPI_Comm_free(comm, ierr)
    call MPI_Type_contiguous(1, MPI_INTEGER, type, ierr)
    call MPI_Type_commit(type, ierr)
    sent = [(100 * me + k, k = 1, n)]
    counts = 1
    displs = [(word * k, k = 0, n - 1)]
    types = type
    call MPI_Alltoallw(sent, counts, displs, types, got, counts, displs, &
        types, MPI_COMM_WORLD, ierr)
    call check(all(got == [(100 * (k - 1) + me + 1, k = 1, n)]), &
        'arrays of handles')
    call MPI_Alltoallw(MPI_IN_PLACE, [0], [0], [-77], got, counts, displs, &
        types, MPI_COMM_WORLD, ierr)
    call check(all(got == sent), 'which MPI_IN_PLACE does not read')
    call MPI_Type_free(type, ierr)
  end subroutine

  subroutine kinds()
    integer, parameter :: wide = selected_real_kind(15, 100)
    real(kind=wide) :: x, y
    integer :: type, bytes, info, yes, no, size
    integer :: array(MPI_STATUS_SIZE)
    logical :: is_set
    call MPI_Type_create_f90_real(15, 100, type, ierr)
    call MPI_Type_size(type, bytes, ierr)
    x = me
    call MPI_Allreduce(x, y, 1, type, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(bytes == storage_size(x) / 8 .and. nint(y) == n - 1, &
        'MPI_Type_create_f90_real')
    call MPI_Type_create_f90_integer(12, type, ierr)
    call MPI_Type_size(type, bytes, ierr)
    call check(bytes == 8, 'MPI_Type_create_f90_integer')
    call MPI_Type_create_f90_complex(15, 100, type, ierr)
    call MPI_Type_size(type, bytes, ierr)
    call check(bytes == 16, 'MPI_Type_create_f90_complex')
    call MPI_Abi_get_fortran_booleans(word, yes, no, is_set, ierr)
    call check(is_set .and. yes == transfer(.true., 0) .and. &
        no == transfer(.false., 0), 'MPI_Abi_get_fortran_booleans')
    call MPI_Abi_get_fortran_info(info, ierr)
    call check(ierr == 0 .and. info /= MPI_INFO_NULL, &
        'MPI_Abi_get_fortran_info')
    call MPI_Info_free(info, ierr)
    array = 0
#ifdef USE_MPI
    call converted(array)
    call MPI_Sizeof(x, size, ierr)
    call check(size == 8, 'MPI_Sizeof')
    call MPI_Sizeof([1, 2], size, ierr)
    call check(size == word, 'MPI_Sizeof of an array')
#endif
  end subroutine

#ifdef USE_MPI
  subroutine converted(array)
    integer :: array(MPI_STATUS_SIZE)
    type(MPI_Status) :: status
    array = [(k, k = 1, MPI_STATUS_SIZE)]
    call MPI_Status_f2f08(array, status, ierr)
    array = 0
    call MPI_Status_f082f(status, array, ierr)
    call check(status%MPI_TAG == 2 .and. &
        all(array == [(k, k = 1, MPI_STATUS_SIZE)]), 'MPI_Status_f2f08')
  end subroutine
#endif

  subroutine windows()
    integer :: win, x
    integer(kind=MPI_ADDRESS_KIND) :: base, size
    logical :: flag
    size = word
    call MPI_Win_allocate(size, word, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, &
        ierr)
    size = 0
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(me, 1, MPI_INTEGER, right, size, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Get(x, 1, MPI_INTEGER, me, size, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, size, flag, ierr)
    call check(x == left .and. size == word .and. flag, 'a window')
    call MPI_Win_get_attr(win, MPI_WIN_BASE, size, flag, ierr)
    call check(size == base, 'MPI_WIN_BASE is the address')
    call MPI_Win_free(win, ierr)
  end subroutine
end program

subroutine twice(in, inout, length, type)
  HEAD
  implicit none
  CONSTANTS
  integer :: length, type, bytes, words, ierr
  integer :: in(*), inout(*)
  call MPI_Type_size(type, bytes, ierr)
  words = length * bytes / (storage_size(bytes) / 8)
  inout(1:words) = inout(1:words) + in(1:words)
end subroutine

subroutine copier(comm, key, state, in, out, flag, ierr)
  HEAD
  implicit none
  CONSTANTS
  integer :: comm, key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: state, in, out
  logical :: flag
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  copies = copies + 1
  out = in + state
  flag = .true.
  ierr = MPI_SUCCESS
end subroutine

subroutine deleter(comm, key, value, state, ierr)
  HEAD
  implicit none
  CONSTANTS
  integer :: comm, key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: value, state
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  deletes = deletes + 1
  ierr = MPI_SUCCESS
  if (value <= state) ierr = MPI_ERR_OTHER
end subroutine

subroutine handler(comm, code)
  HEAD
  implicit none
  CONSTANTS
  integer :: comm, code, ierr
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  errors = comm
  call MPI_Error_class(code, last_error, ierr)
end subroutine

subroutine query(state, status, ierr)
  HEAD
  implicit none
  CONSTANTS
  integer(kind=MPI_ADDRESS_KIND) :: state
  integer :: status(MPI_STATUS_SIZE), ierr
  status(MPI_SOURCE) = MPI_UNDEFINED
  status(MPI_TAG) = 10
  if (state == 2_MPI_ADDRESS_KIND**40) status(MPI_TAG) = 11
  call MPI_Status_set_elements(status, MPI_INTEGER, 5, ierr)
  call MPI_Status_set_cancelled(status, .false., ierr)
end subroutine

subroutine release(state, ierr)
  HEAD
  implicit none
  CONSTANTS
  integer(kind=MPI_ADDRESS_KIND) :: state
  integer :: ierr
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  released = released + 1
  ierr = MPI_SUCCESS
end subroutine

subroutine cancelled(state, complete, ierr)
  HEAD
  implicit none
  CONSTANTS
  integer(kind=MPI_ADDRESS_KIND) :: state
  logical :: complete
  integer :: ierr
  integer :: copies, deletes, errors, last_error, released
  common /counts/ copies, deletes, errors, last_error, released
  if (.not. complete) released = released + 100
  ierr = MPI_SUCCESS
end subroutine
