/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrt.h: message passing and collectives for RDMA fabrics and shared memory.
 *
 * This header holds what a parallel program calls. mrt_lib.h adds the rest of
 * libmrt, for libraries and tools built on it: groups, intercommunicators,
 * persistent, synchronous and buffered operations, matched probes,
 * neighbourhood collectives, packing, and the choice of algorithms.
 *
 * The following holds for every function unless its comment says otherwise.
 *
 *  - Return values. Functions return MRT_SUCCESS (0) or a negative MRT_ERR_*
 *    code. In the default error mode an error does not return: the rank prints
 *    one line that says who failed, where and why, and ends the job (see
 *    mrt_set_error_mode).
 *  - Arguments. Handles and pointers to results must not be NULL; a buffer may
 *    be NULL if its count is 0. Results are written only on success, with one
 *    exception: a status also describes a truncated message or a failed
 *    request.
 *  - Units. Counts are numbers of elements of the given type, at most
 *    SIZE_MAX / 64. Parameters named `bytes` and `len` are bytes. Time is in
 *    seconds.
 *  - Ownership. Buffers belong to the caller. A nonblocking call borrows its
 *    buffers until a wait or test completes the request. Handles that a
 *    function creates are freed by the caller.
 *  - Ranks are numbered from 0 to size - 1 within a communicator.
 *  - When. Functions may be called between mrt_init and mrt_finalize; those
 *    marked "any time" may be called before and after as well. "Collective"
 *    functions must be called by all ranks of the communicator; "local" ones
 *    neither communicate nor block.
 */
#ifndef MRT_H
#define MRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#define MRT_NORETURN_ __attribute__((noreturn))
#else
#define MRT_NORETURN_
#endif

#define MRT_VERSION_MAJOR 0
#define MRT_VERSION_MINOR 2
#define MRT_VERSION_PATCH 0

/* ---- Handles ------------------------------------------------------------
 *
 * Handles are pointers to incomplete types. Predefined handles are small
 * constants with the values of the MPI 5.0 ABI, so they may appear in static
 * initialisers, and they need not be freed. NULL is never a valid handle; null
 * handles such as MRT_REQUEST_NULL have values of their own.
 */
struct mrt_comm;    /* communicator: ordered ranks with their own messages */
struct mrt_type;    /* layout of one element in memory */
struct mrt_op;	    /* reduction operation */
struct mrt_request; /* operation that a wait or test completes */

#define MRT_COMM_NULL ((struct mrt_comm *)0x100)
#define MRT_COMM_WORLD ((struct mrt_comm *)0x101) /* all ranks of the job */
#define MRT_COMM_SELF ((struct mrt_comm *)0x102)  /* the caller alone */

#define MRT_REQUEST_NULL ((struct mrt_request *)0x180)

/* Types of C. MRT_CHAR is an integer type; MRT_BYTE is uninterpreted data. */
#define MRT_TYPE_NULL ((struct mrt_type *)0x200)
#define MRT_SHORT ((struct mrt_type *)0x208)
#define MRT_INT ((struct mrt_type *)0x209)
#define MRT_LONG ((struct mrt_type *)0x20a)
#define MRT_LONG_LONG ((struct mrt_type *)0x20b)
#define MRT_UNSIGNED_SHORT ((struct mrt_type *)0x20c)
#define MRT_UNSIGNED ((struct mrt_type *)0x20d)
#define MRT_UNSIGNED_LONG ((struct mrt_type *)0x20e)
#define MRT_UNSIGNED_LONG_LONG ((struct mrt_type *)0x20f)
#define MRT_FLOAT ((struct mrt_type *)0x210)
#define MRT_FLOAT_COMPLEX ((struct mrt_type *)0x212)
#define MRT_DOUBLE ((struct mrt_type *)0x214)
#define MRT_DOUBLE_COMPLEX ((struct mrt_type *)0x216)
#define MRT_LONG_DOUBLE ((struct mrt_type *)0x220)
#define MRT_LONG_DOUBLE_COMPLEX ((struct mrt_type *)0x224)
#define MRT_BOOL ((struct mrt_type *)0x238)
#define MRT_WCHAR ((struct mrt_type *)0x23c)
#define MRT_INT8 ((struct mrt_type *)0x240)
#define MRT_UINT8 ((struct mrt_type *)0x241)
#define MRT_CHAR ((struct mrt_type *)0x243)
#define MRT_SIGNED_CHAR ((struct mrt_type *)0x244)
#define MRT_UNSIGNED_CHAR ((struct mrt_type *)0x245)
#define MRT_BYTE ((struct mrt_type *)0x247)
#define MRT_INT16 ((struct mrt_type *)0x248)
#define MRT_UINT16 ((struct mrt_type *)0x249)
#define MRT_INT32 ((struct mrt_type *)0x250)
#define MRT_UINT32 ((struct mrt_type *)0x251)
#define MRT_INT64 ((struct mrt_type *)0x258)
#define MRT_UINT64 ((struct mrt_type *)0x259)

/* A value and an int, as in struct { float value; int index; }. They are the
 * operands of MRT_MINLOC and MRT_MAXLOC. */
#define MRT_FLOAT_INT ((struct mrt_type *)0x228)
#define MRT_DOUBLE_INT ((struct mrt_type *)0x229)
#define MRT_LONG_INT ((struct mrt_type *)0x22a)
#define MRT_2INT ((struct mrt_type *)0x22b)
#define MRT_SHORT_INT ((struct mrt_type *)0x22c)
#define MRT_LONG_DOUBLE_INT ((struct mrt_type *)0x22d)

/*
 * Reduction operations and the types they accept:
 *
 *   SUM, PROD         integer, real and complex types
 *   MIN, MAX          integer and real types
 *   LAND, LOR, LXOR   integer types of C, MRT_BOOL, logical types of Fortran
 *   BAND, BOR, BXOR   integer types and MRT_BYTE
 *   MINLOC, MAXLOC    a value and an index; of equal values, the lower index
 */
#define MRT_OP_NULL ((struct mrt_op *)0x20)
#define MRT_SUM ((struct mrt_op *)0x21)
#define MRT_MIN ((struct mrt_op *)0x22)
#define MRT_MAX ((struct mrt_op *)0x23)
#define MRT_PROD ((struct mrt_op *)0x24)
#define MRT_BAND ((struct mrt_op *)0x28)
#define MRT_BOR ((struct mrt_op *)0x29)
#define MRT_BXOR ((struct mrt_op *)0x2a)
#define MRT_LAND ((struct mrt_op *)0x30)
#define MRT_LOR ((struct mrt_op *)0x31)
#define MRT_LXOR ((struct mrt_op *)0x32)
#define MRT_MINLOC ((struct mrt_op *)0x38)
#define MRT_MAXLOC ((struct mrt_op *)0x39)

/* ---- Constants ---------------------------------------------------------- */

#define MRT_ANY_SOURCE (-1)	   /* receive from any rank */
#define MRT_ANY_TAG (-2)	   /* receive any tag */
#define MRT_PROC_NULL (-3)	   /* a peer with whom nothing is exchanged */
#define MRT_UNDEFINED (-32766)	   /* no colour, no index, no rank */
#define MRT_TAG_MAX 0x7fffffff	   /* largest tag; the smallest is 0 */
#define MRT_IN_PLACE ((void *)1)   /* take the input from the output buffer */
#define MRT_PROCESSOR_NAME_MAX 128 /* bytes, the final null included */

/* ---- Errors ------------------------------------------------------------- */

enum mrt_error {
	MRT_SUCCESS = 0,
	MRT_ERR_ARG = -1,	   /* invalid argument */
	MRT_ERR_COMM = -2,	   /* invalid communicator */
	MRT_ERR_RANK = -3,	   /* rank out of range */
	MRT_ERR_TAG = -4,	   /* tag out of range */
	MRT_ERR_COUNT = -5,	   /* count too large */
	MRT_ERR_TYPE = -6,	   /* invalid type */
	MRT_ERR_OP = -7,	   /* invalid operation, or not for this type */
	MRT_ERR_ROOT = -8,	   /* root out of range */
	MRT_ERR_BUFFER = -9,	   /* NULL or overlapping buffer */
	MRT_ERR_REQUEST = -10,	   /* invalid request */
	MRT_ERR_TRUNCATE = -11,	   /* message longer than the receive buffer */
	MRT_ERR_IN_STATUS = -12,   /* see the error member of each status */
	MRT_ERR_STATE = -13,	   /* before init, after finalize, or twice */
	MRT_ERR_ENV = -14,	   /* an MRT_* variable has an invalid value */
	MRT_ERR_NO_MEM = -15,	   /* out of memory or of shared memory */
	MRT_ERR_RESOURCE = -16,	   /* another system limit was reached */
	MRT_ERR_PERM = -17,	   /* permission denied by the system */
	MRT_ERR_NO_FABRIC = -18,   /* no fabric reaches a peer */
	MRT_ERR_SERVICE = -19,	   /* the launcher or its PMIx server is gone */
	MRT_ERR_PEER = -20,	   /* a peer died or left the job */
	MRT_ERR_PROTOCOL = -21,	   /* a peer sent what libmrt cannot read */
	MRT_ERR_UNSUPPORTED = -22, /* not supported */
	MRT_ERR_INTERNAL = -23,	   /* a bug in libmrt */
	MRT_ERR_GROUP = -24,	   /* invalid group */
	MRT_ERR_COLLECTIVE = -25,  /* ranks disagree on a collective */
	MRT_ERR_WIN = -26,	   /* invalid window, or not of this flavor */
	MRT_ERR_EPOCH = -27,	   /* no epoch allows this call on a window */
	MRT_ERR_RANGE = -28,	   /* memory that is not in the window */
	MRT_ERR_SHARED = -29,	   /* ranks that cannot share memory */
	MRT_ERR_CONFLICT = -30,	   /* accesses to a window that do not go */
	MRT_ERR_LAST = -31
};

enum mrt_error_mode {
	MRT_ERRORS_FATAL = 0,  /* default: print one line and end the job */
	MRT_ERRORS_RETURN = 1, /* return the code to the caller */
	MRT_ERRORS_MPI = 2     /* likewise, and texts have MPI's names */
};

/* Sets the error mode of this rank and returns the previous one. Any time. */
enum mrt_error_mode mrt_set_error_mode(enum mrt_error_mode mode);

/* Returns a one-line explanation of a code, never NULL, in static storage. Any
 * time. */
const char *mrt_error_string(int code);

/* Returns details of the last error that a call in this thread returned: which
 * argument, rank or resource it was. The text is never NULL and stays valid
 * until the next error. Any time. */
const char *mrt_error_detail(void);

/* ---- Start and end ------------------------------------------------------ */

/* The level says which threads of the process call libmrt, as in MPI. */
enum mrt_thread_level {
	MRT_THREAD_SINGLE = 0,	      /* the process has one thread */
	MRT_THREAD_FUNNELED = 1024,   /* only the thread that called init */
	MRT_THREAD_SERIALIZED = 2048, /* any thread, but one at a time */
	MRT_THREAD_MULTIPLE = 4096    /* any thread at any time; takes a lock */
};

/*
 * Joins the job. Collective over all ranks that the launcher started; without
 * a launcher the process is a job of one rank. It may follow mrt_finalize, on
 * all ranks. argc and argv may be NULL and are not changed. mrt_init asks for
 * MRT_THREAD_SINGLE; mrt_init_thread asks for a level, which is always granted,
 * and stores it in *provided unless that is NULL.
 */
int mrt_init(int *argc, char ***argv);
int mrt_init_thread(int *argc, char ***argv, enum mrt_thread_level required,
		    enum mrt_thread_level *provided);

/*
 * Leaves the job. Collective; returns when every rank has called it. Buffered
 * sends and requests that were freed before completion are carried out first,
 * for at most 5 seconds after the last rank arrives. Any other pending request
 * is an error of the program, which MRT_CHECK=yes reports. Returns 0, so that
 * main may end with `return mrt_finalize();`.
 */
int mrt_finalize(void);

/* Ends the whole job at once and does not return. mrun exits with the low eight
 * bits of `code`, or with 1 if they are 0. comm means nothing: all ranks of
 * the job end. Any time. */
MRT_NORETURN_ void mrt_abort(struct mrt_comm *comm, int code);

/* ---- Who and where ------------------------------------------------------ */

/* Return the caller's rank in comm and the number of its ranks, or a negative
 * MRT_ERR_* code. Local. */
int mrt_rank(struct mrt_comm *comm);
int mrt_size(struct mrt_comm *comm);

/* Return the caller's rank among the ranks of the job on this node, and their
 * number. Local; may be called after mrt_finalize. */
int mrt_node_rank(void);
int mrt_node_size(void);

/* Stores the host name in name[len]. Fails with MRT_ERR_ARG if it does not fit;
 * MRT_PROCESSOR_NAME_MAX bytes always suffice. Local; may be called after
 * mrt_finalize. */
int mrt_processor_name(char *name, size_t len);

/* Returns the seconds since an arbitrary moment in the past. The clock is
 * monotonic and common to the ranks of a node. Any time. */
double mrt_wtime(void);

/* Returns name and version, "libmrt 0.2.0 (...)", in static storage. Any
 * time. */
const char *mrt_version(void);

/* ---- Communicators ------------------------------------------------------
 *
 * Messages and collectives of one communicator never meet those of another.
 * The functions that create communicators are collective over comm and may
 * block. At most 2^15 communicators exist at once; beyond that every rank gets
 * MRT_ERR_RESOURCE.
 */

/* Creates a communicator of the same ranks in the same order. */
int mrt_comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm);

/*
 * Creates one communicator for each colour, of the ranks that pass this colour,
 * ordered by key and then by rank in comm. A rank that passes MRT_UNDEFINED
 * takes part in the call and gets MRT_COMM_NULL; other colours must not be
 * negative (MRT_ERR_ARG).
 */
int mrt_comm_split(struct mrt_comm *comm, int color, int key,
		   struct mrt_comm **newcomm);

/* Creates one communicator for each node, ordered by key and then by rank in
 * comm. */
int mrt_comm_split_node(struct mrt_comm *comm, int key,
			struct mrt_comm **newcomm);

/* Frees *comm and sets it to MRT_COMM_NULL. Collective, but does not wait for
 * other ranks; pending operations complete normally. MRT_COMM_WORLD and
 * MRT_COMM_SELF cannot be freed (MRT_ERR_COMM). */
int mrt_comm_free(struct mrt_comm **comm);

/* ---- Point to point -----------------------------------------------------
 *
 * A message matches a receive by communicator, source and tag. If two messages
 * from one rank match the same receive, the one sent first is received first;
 * if one message matches two receives, the one posted first gets it. A peer
 * may be MRT_PROC_NULL, with whom the operation completes at once and moves
 * nothing.
 */

/* A status says what a completed receive or a probe found. Its layout is that
 * of MPI_Status in the MPI 5.0 ABI. Callers who do not need it pass
 * MRT_STATUS_IGNORE, or MRT_STATUSES_IGNORE for an array. */
#pragma pack(push, 4)
struct mrt_status {
	int source; /* rank in the communicator, or MRT_PROC_NULL */
	int tag;
	int error;	/* set only if the call returns MRT_ERR_IN_STATUS */
	int cancelled;	/* 1 if the operation was cancelled */
	uint64_t bytes; /* length of the message as sent */
	uint64_t reserved;
};
#pragma pack(pop)
#define MRT_STATUS_IGNORE ((struct mrt_status *)0)
#define MRT_STATUSES_IGNORE ((struct mrt_status *)0)

/* Sends a message and returns when buf may be reused. Whether it waits for the
 * receiver is unspecified: small messages are buffered, large ones are not. */
int mrt_send(const void *buf, size_t count, struct mrt_type *type, int dest,
	     int tag, struct mrt_comm *comm);

/*
 * Receives a message of at most `count` elements; blocks until it has arrived.
 * source may be MRT_ANY_SOURCE and tag MRT_ANY_TAG. A longer message fails with
 * MRT_ERR_TRUNCATE: buf holds its beginning, the rest is discarded, and the
 * connection stays usable.
 */
int mrt_recv(void *buf, size_t count, struct mrt_type *type, int source,
	     int tag, struct mrt_comm *comm, struct mrt_status *status);

/* Sends one message and receives another at the same time, so that ranks can
 * exchange messages without deadlock. The buffers must not overlap. */
int mrt_sendrecv(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, int dest, int sendtag,
		 void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		 int source, int recvtag, struct mrt_comm *comm,
		 struct mrt_status *status);

/* Start a send or a receive and return at once. Until a wait or test completes
 * *request, the buffer of a send must not be changed and the buffer of a
 * receive must not be touched. */
int mrt_isend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm, struct mrt_request **request);
int mrt_irecv(void *buf, size_t count, struct mrt_type *type, int source,
	      int tag, struct mrt_comm *comm, struct mrt_request **request);

/* Look for a message without receiving it and describe it in *status.
 * mrt_probe blocks until there is one; mrt_iprobe does not, and sets *flag to
 * 1 if there is one, else to 0. */
int mrt_probe(int source, int tag, struct mrt_comm *comm,
	      struct mrt_status *status);
int mrt_iprobe(int source, int tag, struct mrt_comm *comm, int *flag,
	       struct mrt_status *status);

/* Stores in *count how many elements of `type` a received or probed message
 * has. Fails with MRT_ERR_TYPE if that is not a whole number. Local; any
 * time. */
int mrt_get_count(const struct mrt_status *status, struct mrt_type *type,
		  size_t *count);

/* ---- Completion ---------------------------------------------------------
 *
 * mrt_wait* block until an operation is complete; mrt_test* return at once and
 * set *flag to 1 if it is, else to 0. Both drive all pending operations. A
 * completed request is freed and its handle set to MRT_REQUEST_NULL, which
 * itself counts as complete, with an empty status (source MRT_ANY_SOURCE, tag
 * MRT_ANY_TAG, 0 bytes).
 *
 * "all" completes every request; "any" completes one and stores which in
 * *index, MRT_UNDEFINED if all were MRT_REQUEST_NULL. If one of several
 * requests fails, the call returns MRT_ERR_IN_STATUS and the error member of
 * each status holds the request's own code.
 */
int mrt_wait(struct mrt_request **request, struct mrt_status *status);
int mrt_test(struct mrt_request **request, int *flag,
	     struct mrt_status *status);
int mrt_waitall(size_t n, struct mrt_request *requests[],
		struct mrt_status statuses[]);
int mrt_testall(size_t n, struct mrt_request *requests[], int *flag,
		struct mrt_status statuses[]);
int mrt_waitany(size_t n, struct mrt_request *requests[], int *index,
		struct mrt_status *status);
int mrt_testany(size_t n, struct mrt_request *requests[], int *index, int *flag,
		struct mrt_status *status);

/* ---- Types --------------------------------------------------------------
 *
 * A type says where the bytes of one element are, relative to the buffer, and
 * in which order they are sent. Types of any layout are built from others:
 * rows and columns, boxes of an array, structures. A type must be committed
 * before it is used to communicate; types it is built from need not be. A type
 * may be freed while it is in use: requests and other types keep what they
 * need. All functions here are local and may be called at any time.
 *
 * The extent of a type is the distance from one element to the next. It spans
 * the data, rounded up to their alignment, unless mrt_type_resized sets it.
 */

/* Returns the number of data bytes of one element, gaps not counted, or 0 if
 * the handle is invalid. */
size_t mrt_type_size(struct mrt_type *type);

/* `count` elements in a row. */
int mrt_type_contiguous(size_t count, struct mrt_type *oldtype,
			struct mrt_type **newtype);

/* `count` blocks of `blocklength` elements, whose beginnings are `stride`
 * elements apart: a column of a row-major matrix, for example. */
int mrt_type_vector(size_t count, size_t blocklength, ptrdiff_t stride,
		    struct mrt_type *oldtype, struct mrt_type **newtype);

/* `count` blocks; block i has blocklengths[i] elements of types[i] and begins
 * displs[i] bytes from the start, as offsetof gives it. */
int mrt_type_struct(size_t count, const size_t blocklengths[],
		    const ptrdiff_t displs[], struct mrt_type *const types[],
		    struct mrt_type **newtype);

enum mrt_order {
	MRT_ORDER_C = 12,      /* row-major: the last index varies fastest */
	MRT_ORDER_FORTRAN = 15 /* column-major: the first index does */
};

/* A box of subsizes[] elements that begins at the indices starts[] of an array
 * of sizes[] elements, in ndims dimensions. Its extent is the whole array. */
int mrt_type_subarray(int ndims, const size_t sizes[], const size_t subsizes[],
		      const size_t starts[], enum mrt_order order,
		      struct mrt_type *oldtype, struct mrt_type **newtype);

/* The data of oldtype with another lower bound and extent, in bytes. */
int mrt_type_resized(struct mrt_type *oldtype, ptrdiff_t lb, ptrdiff_t extent,
		     struct mrt_type **newtype);

/* Makes a type ready for communication. */
int mrt_type_commit(struct mrt_type *type);

/* Frees *type and sets it to MRT_TYPE_NULL. Predefined types cannot be freed
 * (MRT_ERR_TYPE). */
int mrt_type_free(struct mrt_type **type);

/* ---- Collectives --------------------------------------------------------
 *
 * Every rank of comm calls the same collectives in the same order, with the
 * same lengths, operation and root. A blocking collective returns when this
 * rank's part is done; mrt_barrier alone promises that every rank has called
 * it. The nonblocking form, mrt_i*, returns at once, and a wait or test
 * completes its request. Several may be pending at once and may be completed
 * in any order; until completion no input may be changed and no output read.
 * Counts and displacements are copied, and comm and op may be freed. A blocking
 * call on one rank does not match a nonblocking call on another.
 *
 * A count is that of one block, and a block has as many bytes where it is
 * received as where it is sent. Blocks of all ranks follow one another in rank
 * order; those of the forms with counts[] and displs[] begin displs[i] elements
 * from the start of the buffer. Received blocks must not overlap. MRT_IN_PLACE
 * as sendbuf, where allowed, takes the input from recvbuf and ignores the other
 * send arguments.
 */

/* Returns when every rank has called it. */
int mrt_barrier(struct mrt_comm *comm);
int mrt_ibarrier(struct mrt_comm *comm, struct mrt_request **request);

/* Copies buf of root to buf of every rank. */
int mrt_bcast(void *buf, size_t count, struct mrt_type *type, int root,
	      struct mrt_comm *comm);
int mrt_ibcast(void *buf, size_t count, struct mrt_type *type, int root,
	       struct mrt_comm *comm, struct mrt_request **request);

/* Collects one block of each rank at root. The receive arguments matter at root
 * only, which may pass MRT_IN_PLACE if its own block is in recvbuf already. */
int mrt_gather(const void *sendbuf, size_t sendcount, struct mrt_type *sendtype,
	       void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
	       int root, struct mrt_comm *comm);
int mrt_igather(const void *sendbuf, size_t sendcount,
		struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		struct mrt_request **request);
int mrt_gatherv(const void *sendbuf, size_t sendcount,
		struct mrt_type *sendtype, void *recvbuf,
		const size_t recvcounts[], const ptrdiff_t displs[],
		struct mrt_type *recvtype, int root, struct mrt_comm *comm);
int mrt_igatherv(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, void *recvbuf,
		 const size_t recvcounts[], const ptrdiff_t displs[],
		 struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		 struct mrt_request **request);

/* Distributes the blocks of root's sendbuf, one to each rank. The send
 * arguments matter at root only, which may pass MRT_IN_PLACE as recvbuf to
 * leave its own block in sendbuf. */
int mrt_scatter(const void *sendbuf, size_t sendcount,
		struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		struct mrt_type *recvtype, int root, struct mrt_comm *comm);
int mrt_iscatter(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		 struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		 struct mrt_request **request);
int mrt_scatterv(const void *sendbuf, const size_t sendcounts[],
		 const ptrdiff_t displs[], struct mrt_type *sendtype,
		 void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		 int root, struct mrt_comm *comm);
int mrt_iscatterv(const void *sendbuf, const size_t sendcounts[],
		  const ptrdiff_t displs[], struct mrt_type *sendtype,
		  void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		  int root, struct mrt_comm *comm,
		  struct mrt_request **request);

/* Collects one block of each rank at every rank. MRT_IN_PLACE: the caller's own
 * block is in recvbuf already. */
int mrt_allgather(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		  struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_iallgather(const void *sendbuf, size_t sendcount,
		   struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		   struct mrt_type *recvtype, struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_allgatherv(const void *sendbuf, size_t sendcount,
		   struct mrt_type *sendtype, void *recvbuf,
		   const size_t recvcounts[], const ptrdiff_t displs[],
		   struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_iallgatherv(const void *sendbuf, size_t sendcount,
		    struct mrt_type *sendtype, void *recvbuf,
		    const size_t recvcounts[], const ptrdiff_t displs[],
		    struct mrt_type *recvtype, struct mrt_comm *comm,
		    struct mrt_request **request);

/* Sends a block from each rank to each rank. MRT_IN_PLACE: the blocks to be
 * sent are in recvbuf, where those received replace them. */
int mrt_alltoall(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		 struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_ialltoall(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		  struct mrt_type *recvtype, struct mrt_comm *comm,
		  struct mrt_request **request);
int mrt_alltoallv(const void *sendbuf, const size_t sendcounts[],
		  const ptrdiff_t sdispls[], struct mrt_type *sendtype,
		  void *recvbuf, const size_t recvcounts[],
		  const ptrdiff_t rdispls[], struct mrt_type *recvtype,
		  struct mrt_comm *comm);
int mrt_ialltoallv(const void *sendbuf, const size_t sendcounts[],
		   const ptrdiff_t sdispls[], struct mrt_type *sendtype,
		   void *recvbuf, const size_t recvcounts[],
		   const ptrdiff_t rdispls[], struct mrt_type *recvtype,
		   struct mrt_comm *comm, struct mrt_request **request);

/* Combines the sendbufs of all ranks element by element into recvbuf of root.
 * The order of the operands depends only on the number of ranks and the count,
 * so repeated calls give the same bits. recvbuf matters, and MRT_IN_PLACE is
 * allowed, at root only. */
int mrt_reduce(const void *sendbuf, void *recvbuf, size_t count,
	       struct mrt_type *type, struct mrt_op *op, int root,
	       struct mrt_comm *comm);
int mrt_ireduce(const void *sendbuf, void *recvbuf, size_t count,
		struct mrt_type *type, struct mrt_op *op, int root,
		struct mrt_comm *comm, struct mrt_request **request);

/* Like mrt_reduce, with the same bits in recvbuf of every rank. */
int mrt_allreduce(const void *sendbuf, void *recvbuf, size_t count,
		  struct mrt_type *type, struct mrt_op *op,
		  struct mrt_comm *comm);
int mrt_iallreduce(const void *sendbuf, void *recvbuf, size_t count,
		   struct mrt_type *type, struct mrt_op *op,
		   struct mrt_comm *comm, struct mrt_request **request);

/* Reduce a vector that has one block for each rank, and give each rank its own
 * block: recvcount elements each, or recvcounts[i] for rank i, the same list on
 * every rank. With MRT_IN_PLACE recvbuf holds the vector; the result replaces
 * its beginning and leaves the rest undefined. */
int mrt_reduce_scatter_block(const void *sendbuf, void *recvbuf,
			     size_t recvcount, struct mrt_type *type,
			     struct mrt_op *op, struct mrt_comm *comm);
int mrt_reduce_scatter(const void *sendbuf, void *recvbuf,
		       const size_t recvcounts[], struct mrt_type *type,
		       struct mrt_op *op, struct mrt_comm *comm);

/* Combine the sendbufs of ranks 0 up to the caller's, the caller included
 * (mrt_scan) or excluded (mrt_exscan, which leaves rank 0's recvbuf as it
 * is). */
int mrt_scan(const void *sendbuf, void *recvbuf, size_t count,
	     struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm);
int mrt_exscan(const void *sendbuf, void *recvbuf, size_t count,
	       struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm);

/*
 * A reduction function: inout[i] = in[i] op inout[i] for `count` elements,
 * where in comes from lower ranks than inout. It must be associative and the
 * same on all ranks. libmrt calls it with parts of vectors, of any length, on
 * any rank. Of libmrt it may call mrt_reduce_local and functions that query
 * types; a function that communicates fails with MRT_ERR_STATE.
 */
typedef void (*mrt_op_fn)(const void *in, void *inout, size_t count,
			  struct mrt_type *type, void *context);

/* Creates an operation for every type that fn understands; fn gets `context`
 * with each call. If commutative is 0, operands are combined in rank order.
 * Local. */
int mrt_op_create(mrt_op_fn fn, void *context, int commutative,
		  struct mrt_op **op);

/* Frees *op and sets it to MRT_OP_NULL; pending and persistent collectives keep
 * using it. Predefined operations cannot be freed (MRT_ERR_OP). Local. */
int mrt_op_free(struct mrt_op **op);

/* ---- Shared memory ------------------------------------------------------ */

/*
 * Allocates `bytes` bytes of zeroed memory that the ranks of this node can map
 * and from which they copy messages by plain loads. It is aligned to a page if
 * it is at least a page long, else to 64 bytes. Also allocates if bytes is 0.
 * Local.
 */
int mrt_alloc(size_t bytes, void **ptr);

/* Frees memory of mrt_alloc, which no peer may use any longer. ptr may be
 * NULL. Local. */
int mrt_free(void *ptr);

/*
 * Stores in *local the address where the caller can load and store the `bytes`
 * bytes that `rank` of comm knows as `remote`: an address inside its mrt_alloc
 * memory, which it has sent as an MRT_UINT64. *local is valid until the owner
 * frees the memory, and needs no unmapping. Fails with MRT_ERR_NO_FABRIC if the
 * rank is on another node, with MRT_ERR_BUFFER if the memory is not from
 * mrt_alloc. Local.
 */
int mrt_map(uint64_t remote, size_t bytes, int rank, struct mrt_comm *comm,
	    void **local);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
