! SPDX-License-Identifier: Apache-2.0
! traps_f08.f90: what bindings for Fortran get wrong, in mpi_f08: types, optional
! arguments, callbacks and conversions; sections.f90 has array sections.
module traps_callbacks
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer :: copies = 0, deletes = 0, errors = 0, freed = 0
contains

  subroutine plus(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_INTEGER) b = a + b
  end subroutine

  subroutine plus_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_INTEGER) b = a + b
  end subroutine

  subroutine copier(datatype, keyval, extra_state, attribute_val_in, &
      attribute_val_out, flag, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val_out
    logical :: flag
    copies = copies + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine deleter(datatype, keyval, attribute_val, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deletes = deletes + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handler(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm /= MPI_COMM_WORLD .and. error_code == MPI_ERR_RANK) &
        errors = errors + 1
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    status%MPI_TAG = int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancelled(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program traps_f08
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use traps_callbacks
  implicit none
  external :: check, add_up
  integer, parameter :: word = storage_size(0) / 8
  integer :: me, n, ierr, left, right
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call handles()
  call statuses()
  call registers()
  call operations()
  call attributes()
  call strings()
  call memory()
  call buffers()
  call profiling()
  call MPI_Finalize()
contains

  subroutine handles()
    type(MPI_Comm) :: comm
    type(MPI_Request) :: request(2)
    type(MPI_Errhandler) :: errhandler
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call check(comm /= MPI_COMM_WORLD .and. MPI_COMM_WORLD%MPI_VAL == 257, &
        'handles compare')
    request = MPI_REQUEST_NULL
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    call check(all(request == MPI_REQUEST_NULL), 'so do arrays of them')
    call MPI_Comm_create_errhandler(handler, errhandler)
    call MPI_Comm_set_errhandler(comm, errhandler)
    call MPI_Send(me, 1, MPI_INTEGER, n + 1, 0, comm)
    call MPI_Send(me, 1, MPI_INTEGER, n + 1, 0, comm, ierr)
    call check(errors == 2 .and. ierr == MPI_ERR_RANK, &
        'an error handler, with and without ierror')
    call MPI_Errhandler_free(errhandler)
    call MPI_Comm_free(comm)
    call check(comm == MPI_COMM_NULL, 'a freed handle is the null handle')
  end subroutine

  subroutine statuses()
    type(MPI_Status) :: status, several(2)
    type(MPI_Request) :: request(2)
    integer :: x(2), f(MPI_STATUS_SIZE), g(MPI_STATUS_SIZE), count
    integer(kind=MPI_COUNT_KIND) :: large
    logical :: flag
    interface
      integer function ignored_in_c(status) bind(C, name='ignored_in_c_')
        import MPI_Status
        type(MPI_Status) :: status
      end function
      integer function ignored_of_c(statuses) bind(C, name='ignored_in_c_')
        import MPI_Status
        type(MPI_Status) :: statuses(*)
      end function
      integer function tag_in_c(status) bind(C, name='tag_in_c_')
        import MPI_Status
        type(MPI_Status) :: status
      end function
    end interface
    call MPI_Irecv(x(1), 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, request(1))
    call MPI_Irecv(x(2), 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, request(2))
    call MPI_Send(me, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD)
    call MPI_Send(me, 1_MPI_COUNT_KIND, MPI_INTEGER, right, 5, MPI_COMM_WORLD)
    call MPI_Waitany(count=2, array_of_requests=request, index=count, &
        status=status)
    call check(count >= 1 .and. count <= 2, 'arguments by name')
    several(count) = status
    call MPI_Wait(request(3 - count), several(3 - count))
    call MPI_Get_count(several(2), MPI_INTEGER, count)
    call MPI_Get_count(several(1), MPI_INTEGER, large)
    call check(all(several%MPI_SOURCE == left) .and. count == 1 .and. &
        large == 1 .and. several(2)%MPI_TAG == 6, 'statuses are types')
    call MPI_Status_f082f(several(2), f)
    call MPI_Status_f2f08(f, status)
    call MPI_Status_f082f(status, g)
    call check(f(MPI_TAG) == 6 .and. f(MPI_SOURCE) == left .and. &
        all(f == g), 'MPI_Status_f082f and back')
    call MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE)
    call check(.not. flag, 'MPI_STATUS_IGNORE')
    call check(ignored_in_c(MPI_STATUS_IGNORE) == 1 .and. &
        ignored_of_c(MPI_STATUSES_IGNORE) == 2 .and. &
        ignored_in_c(status) == 0 .and. ignored_of_c(several) == 0, &
        'C knows what is ignored')
    call check(tag_in_c(status) == 6, 'C converts a status')
    x = me
    call MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(x == n * (n - 1) / 2), 'MPI_IN_PLACE')
    x = me
    call add_up(MPI_IN_PLACE, x)
    call check(all(x == n * (n - 1) / 2), 'MPI_IN_PLACE as an array')
  end subroutine

  ! A compiler that takes x to be unknown to later calls stores nothing, or
  ! returns what it has read before.
  subroutine registers()
    type(MPI_Request) :: request(2)
    integer :: x, y
    y = -1
    call MPI_Send_init(x, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, request(1))
    call MPI_Recv_init(y, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request(2))
    x = me
    call MPI_Startall(2, request)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    call check(y == left, 'buffers of nonblocking calls')
    call MPI_Request_free(request(1))
    call MPI_Request_free(request(2))
  end subroutine

  subroutine operations()
    type(MPI_Op) :: op
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: x
    integer(kind=MPI_ADDRESS_KIND) :: state
    call MPI_Op_create(plus, .true., op)
    call MPI_Allreduce(me, x, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(x == n * (n - 1) / 2, 'an operation')
    call MPI_Op_free(op)
    call MPI_Op_create_c(plus_c, .true., op)
    call MPI_Allreduce(me, x, 1_MPI_COUNT_KIND, MPI_INTEGER, op, &
        MPI_COMM_WORLD)
    call check(x == n * (n - 1) / 2, 'an operation with large counts')
    call MPI_Op_free(op)
    state = 31
    call MPI_Grequest_start(query, release, cancelled, state, request)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call check(status%MPI_TAG == 31 .and. freed == 1, 'a generalized request')
  end subroutine

  subroutine attributes()
    use mpi_f08, only: MPI_Attr_put, MPI_Attr_get, MPI_Keyval_create
    type(MPI_Datatype) :: type, duplicate
    integer :: key, old
    integer(kind=MPI_ADDRESS_KIND) :: value, big
    logical :: flag
    big = 2_MPI_ADDRESS_KIND**40
    call MPI_Type_create_keyval(copier, deleter, key, 1_MPI_ADDRESS_KIND)
    call MPI_Type_dup(MPI_INTEGER, type)
    call MPI_Type_set_attr(type, key, big)
    call MPI_Type_dup(type, duplicate)
    call MPI_Type_get_attr(duplicate, key, value, flag)
    call check(flag .and. value == big + 1 .and. copies == 1, &
        'attributes of types')
    call MPI_Type_free(duplicate)
    call MPI_Type_free(type)
    call check(deletes == 2, 'are deleted')
    call MPI_Type_free_keyval(key)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &
        key, big)
    call MPI_Type_dup(MPI_INTEGER, type)
    call MPI_Type_set_attr(type, key, -big)
    call MPI_Type_dup(type, duplicate)
    call MPI_Type_get_attr(duplicate, key, value, flag)
    call check(flag .and. value == -big, 'MPI_TYPE_DUP_FN')
    call MPI_Type_free(duplicate)
    call MPI_Type_free(type)
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key, 0, ierr)
    call MPI_Attr_put(MPI_COMM_WORLD%MPI_VAL, key, -5, ierr)
    call MPI_Attr_get(MPI_COMM_WORLD%MPI_VAL, key, old, flag, ierr)
    call check(flag .and. old == -5, 'attributes of MPI 1')
  end subroutine

  subroutine strings()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=3) :: short
    integer :: length
    name = repeat('x', len(name))
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length)
    call check(name == 'MPI_COMM_WORLD' .and. length == 14, &
        'strings are padded with blanks')
    call MPI_Comm_get_name(MPI_COMM_WORLD, short, length)
    call check(short == 'MPI', 'and cut')
  end subroutine

  subroutine memory()
    type(c_ptr) :: at
    type(MPI_Win) :: win
    integer, pointer :: shared(:)
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer :: x
    call MPI_Alloc_mem(10_MPI_ADDRESS_KIND * word, MPI_INFO_NULL, at)
    call c_f_pointer(at, shared, [10])
    shared = me
    call MPI_Allreduce(shared, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(x == n * (n - 1) / 2, 'MPI_Alloc_mem gives a C_PTR')
    call MPI_Free_mem(shared)
    bytes = word
    call MPI_Win_allocate(bytes, word, MPI_INFO_NULL, MPI_COMM_WORLD, at, win)
    call c_f_pointer(at, shared, [1])
    shared = -1
    call MPI_Win_fence(0, win)
    call MPI_Put(me, 1, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, 1, &
        MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check(shared(1) == left, 'a window')
    call MPI_Win_free(win)
  end subroutine

  subroutine buffers()
    integer, target :: room(1000)
    integer :: bytes, x
    type(c_ptr) :: at
    call MPI_Buffer_attach(room, 4000)
    call MPI_Bsend(me, 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD)
    call MPI_Recv(x, 1, MPI_INTEGER, left, 3, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Buffer_detach(at, bytes)
    call check(x == left .and. bytes == 4000 .and. &
        c_associated(at, c_loc(room)), 'MPI_Buffer_detach gives a C_PTR')
    call MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0, ierr)
    call check(ierr == MPI_SUCCESS, 'MPI_BUFFER_AUTOMATIC')
    call MPI_Buffer_detach(at, bytes)
    call check(c_associated(at, c_loc(MPI_BUFFER_AUTOMATIC)), &
        'which MPI_Buffer_detach returns')
  end subroutine

  subroutine profiling()
    integer :: rank
    double precision :: began
    began = PMPI_Wtime()
    call PMPI_Comm_rank(MPI_COMM_WORLD, rank)
    call PMPI_Bcast(rank, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Sizeof(began, ierr)
    call check(rank == 0 .and. MPI_Wtime() >= began .and. ierr == 8 .and. &
        MPI_SUBARRAYS_SUPPORTED, 'the names for profilers')
  end subroutine
end program
