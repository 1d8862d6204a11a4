/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrt.h: message passing and collectives for RDMA fabrics and shared memory.
 *
 * Conventions that hold for every call unless it says otherwise:
 *
 *  - Functions return MRT_SUCCESS (0) or a negative MRT_ERR_* code. In the
 *    default error mode an error does not return: it prints one line that says
 *    who, what and why, and ends the job (see mrt_set_error_mode).
 *  - Outputs are written only on success, except that a status tells of a
 *    truncated message or a failed request too. Handles may not be NULL; a
 *    buffer may be NULL when its count is 0.
 *  - Counts are numbers of elements of the given type, at most SIZE_MAX / 64;
 *    `bytes` and `len` are bytes. Time is in seconds.
 *  - Buffers belong to the caller. A nonblocking call borrows its buffer until
 *    the request is completed by a test or wait.
 *  - Ranks are numbered 0 .. size-1 within the communicator.
 *  - Calls may be made between mrt_init and mrt_finalize only; the exceptions
 *    are marked "any time".
 */
#ifndef MRT_H
#define MRT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define MRT_VERSION_MAJOR 0
#define MRT_VERSION_MINOR 1
#define MRT_VERSION_PATCH 0

/* ---- Handles ------------------------------------------------------------
 *
 * Handles are pointers to incomplete types. The predefined ones are small
 * constants (so they may stand in static initialisers), those of the MPI 5.0
 * ABI; they never need to be freed. 0 is no handle, not even a null one.
 */
struct mrt_comm;    /* communicator: an ordered group with its own messages */
struct mrt_group;   /* ordered set of processes, without messages */
struct mrt_type;    /* type of one element */
struct mrt_op;	    /* reduction operation */
struct mrt_request; /* nonblocking or persistent operation */
struct mrt_message; /* a message that a matched probe has found */

#define MRT_COMM_NULL ((struct mrt_comm *)0x100)
#define MRT_COMM_WORLD ((struct mrt_comm *)0x101)
#define MRT_COMM_SELF ((struct mrt_comm *)0x102)

#define MRT_GROUP_NULL ((struct mrt_group *)0x108)
#define MRT_GROUP_EMPTY ((struct mrt_group *)0x109) /* no process at all */

#define MRT_MESSAGE_NULL ((struct mrt_message *)0x128)
#define MRT_MESSAGE_NO_PROC ((struct mrt_message *)0x129)

#define MRT_REQUEST_NULL ((struct mrt_request *)0x180)

/* C integers, floating point, bool, complex and raw bytes. */
#define MRT_TYPE_NULL ((struct mrt_type *)0x200)
#define MRT_AINT ((struct mrt_type *)0x201)   /* intptr_t */
#define MRT_COUNT ((struct mrt_type *)0x202)  /* int64_t */
#define MRT_OFFSET ((struct mrt_type *)0x203) /* int64_t */
#define MRT_PACKED ((struct mrt_type *)0x207) /* bytes of mrt_pack */
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
#define MRT_CXX_FLOAT_COMPLEX ((struct mrt_type *)0x213)
#define MRT_DOUBLE ((struct mrt_type *)0x214)
#define MRT_DOUBLE_COMPLEX ((struct mrt_type *)0x216)
#define MRT_CXX_DOUBLE_COMPLEX ((struct mrt_type *)0x217)
#define MRT_LONG_DOUBLE ((struct mrt_type *)0x220)
#define MRT_LONG_DOUBLE_COMPLEX ((struct mrt_type *)0x224)
#define MRT_CXX_LONG_DOUBLE_COMPLEX ((struct mrt_type *)0x225)
#define MRT_BOOL ((struct mrt_type *)0x238)
#define MRT_CXX_BOOL ((struct mrt_type *)0x239)
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

/* Structures of a value and an index, as C lays them out; their size does not
 * count the holes. */
#define MRT_FLOAT_INT ((struct mrt_type *)0x228)
#define MRT_DOUBLE_INT ((struct mrt_type *)0x229)
#define MRT_LONG_INT ((struct mrt_type *)0x22a)
#define MRT_2INT ((struct mrt_type *)0x22b)
#define MRT_SHORT_INT ((struct mrt_type *)0x22c)
#define MRT_LONG_DOUBLE_INT ((struct mrt_type *)0x22d)
#define MRT_2REAL ((struct mrt_type *)0x230)
#define MRT_2DOUBLE_PRECISION ((struct mrt_type *)0x231)
#define MRT_2INTEGER ((struct mrt_type *)0x232)

/* Those of Fortran: int, float and double, and by their bytes. */
#define MRT_LOGICAL ((struct mrt_type *)0x218)
#define MRT_INTEGER ((struct mrt_type *)0x219)
#define MRT_REAL ((struct mrt_type *)0x21a)
#define MRT_COMPLEX ((struct mrt_type *)0x21b)
#define MRT_DOUBLE_PRECISION ((struct mrt_type *)0x21c)
#define MRT_DOUBLE_PRECISION_COMPLEX ((struct mrt_type *)0x21d)
#define MRT_LOGICAL1 ((struct mrt_type *)0x2c0)
#define MRT_INTEGER1 ((struct mrt_type *)0x2c1)
#define MRT_CHARACTER ((struct mrt_type *)0x2c3)
#define MRT_LOGICAL2 ((struct mrt_type *)0x2c8)
#define MRT_INTEGER2 ((struct mrt_type *)0x2c9)
#define MRT_REAL2 ((struct mrt_type *)0x2ca)
#define MRT_LOGICAL4 ((struct mrt_type *)0x2d0)
#define MRT_INTEGER4 ((struct mrt_type *)0x2d1)
#define MRT_REAL4 ((struct mrt_type *)0x2d2)
#define MRT_COMPLEX4 ((struct mrt_type *)0x2d3)
#define MRT_LOGICAL8 ((struct mrt_type *)0x2d8)
#define MRT_INTEGER8 ((struct mrt_type *)0x2d9)
#define MRT_REAL8 ((struct mrt_type *)0x2da)
#define MRT_COMPLEX8 ((struct mrt_type *)0x2db)
#define MRT_LOGICAL16 ((struct mrt_type *)0x2e0)
#define MRT_INTEGER16 ((struct mrt_type *)0x2e1)
#define MRT_REAL16 ((struct mrt_type *)0x2e2)
#define MRT_COMPLEX16 ((struct mrt_type *)0x2e3)
#define MRT_COMPLEX32 ((struct mrt_type *)0x2eb)

/*
 * Reduction operations, for the types that MPI has them for. SUM, PROD, MIN and
 * MAX take every integer and real type, SUM and PROD complex ones too; the
 * logical L* every integer type of C, MRT_BOOL and Fortran's logicals; the
 * bitwise B* every integer type and MRT_BYTE; MINLOC and MAXLOC pairs of a
 * value and an index: the lower index of equal values. MRT_CHAR is C's char, an
 * integer. REPLACE and NO_OP are not for collectives.
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
#define MRT_REPLACE ((struct mrt_op *)0x3c)
#define MRT_NO_OP ((struct mrt_op *)0x3d)

/*
 * An operation of the user's, associative and element by element:
 * inout[i] = in[i] op inout[i] for count elements, in from the lower ranks. It
 * is called with parts of vectors, in pieces of any length and on whatever
 * rank. Of libmrt it may call what asks for types and mrt_reduce_local; what
 * communicates fails (MRT_ERR_STATE). It must do the same on all ranks.
 */
typedef void (*mrt_op_fn)(const void *in, void *inout, size_t count,
			  struct mrt_type *type, void *context);

/*
 * *op gets an operation for any type the function knows, which gets context
 * with each call. commutative 0: operands stay in the order of ranks. Local.
 */
int mrt_op_create(mrt_op_fn fn, void *context, int commutative,
		  struct mrt_op **op);
/* Frees *op and sets it to MRT_OP_NULL; collectives under way, and persistent
 * ones, still use it to their end. MRT_ERR_OP for a predefined one. */
int mrt_op_free(struct mrt_op **op);
/* *commutative gets 1 or 0. Local. */
int mrt_op_commutative(struct mrt_op *op, int *commutative);
/* inout[i] = in[i] op inout[i] for count elements. Local. */
int mrt_reduce_local(const void *in, void *inout, size_t count,
		     struct mrt_type *type, struct mrt_op *op);

/* ---- Constants ---------------------------------------------------------- */
#define MRT_ANY_SOURCE (-1) /* receive: from whichever rank */
#define MRT_ANY_TAG (-2)    /* receive: whatever tag */
#define MRT_PROC_NULL (-3)  /* a send or receive that does nothing */
#define MRT_ROOT (-4)	    /* intercommunicators: the caller is the root */
#define MRT_UNDEFINED (-32766)
#define MRT_TAG_MAX 0x7fffffff /* largest tag */
#define MRT_IN_PLACE ((void *)1)
#define MRT_PROCESSOR_NAME_MAX 128

/* Error codes. mrt_error_string() explains each. */
enum mrt_error {
	MRT_SUCCESS = 0,
	MRT_ERR_ARG = -1,	 /* invalid argument */
	MRT_ERR_COMM = -2,	 /* invalid communicator */
	MRT_ERR_RANK = -3,	 /* rank out of range */
	MRT_ERR_TAG = -4,	 /* tag out of range */
	MRT_ERR_COUNT = -5,	 /* count too large */
	MRT_ERR_TYPE = -6,	 /* invalid type */
	MRT_ERR_OP = -7,	 /* invalid operation, or not for this type */
	MRT_ERR_ROOT = -8,	 /* root out of range */
	MRT_ERR_BUFFER = -9,	 /* NULL or overlapping buffer */
	MRT_ERR_REQUEST = -10,	 /* invalid request */
	MRT_ERR_TRUNCATE = -11,	 /* message longer than the receive buffer */
	MRT_ERR_IN_STATUS = -12, /* see the error of each status */
	MRT_ERR_STATE = -13,	 /* before init, after finalize, or twice */
	MRT_ERR_ENV = -14,	 /* an MRT_* variable has a bad value */
	MRT_ERR_NO_MEM = -15,	 /* out of memory or of shared memory */
	MRT_ERR_RESOURCE = -16,	 /* another limit of the system is reached */
	MRT_ERR_PERM = -17,	 /* permission denied by the system */
	MRT_ERR_NO_FABRIC = -18, /* no way to reach a peer */
	MRT_ERR_SERVICE = -19,	 /* the launcher or its PMIx server is gone */
	MRT_ERR_PEER = -20,	 /* a peer has died or left */
	MRT_ERR_PROTOCOL = -21,	 /* a peer speaks another version or garbage */
	MRT_ERR_UNSUPPORTED = -22, /* not offered */
	MRT_ERR_INTERNAL = -23,	   /* a bug in libmrt */
	MRT_ERR_GROUP = -24,	   /* invalid group */
	MRT_ERR_COLLECTIVE = -25,  /* ranks disagree on a collective */
	MRT_ERR_LAST = -26
};

/* What a completed receive or probe found; 32 bytes, the MPI_Status of the MPI
 * 5.0 ABI, and aligned as that. */
#pragma pack(push, 4)
struct mrt_status {
	int source; /* rank in the communicator, or MRT_PROC_NULL */
	int tag;
	int error;	/* set with MRT_ERR_IN_STATUS only */
	int cancelled;	/* 1: the operation was cancelled, nothing moved */
	uint64_t bytes; /* of the message as sent; see mrt_get_count */
	uint64_t reserved;
};
#pragma pack(pop)
#define MRT_STATUS_IGNORE ((struct mrt_status *)0)
#define MRT_STATUSES_IGNORE ((struct mrt_status *)0)

/* ---- Start and end ------------------------------------------------------ */

/* Who may call libmrt, in the sense of MPI. */
enum mrt_thread_level {
	MRT_THREAD_SINGLE = 0,	      /* the process has one thread */
	MRT_THREAD_FUNNELED = 1024,   /* only the thread that called init */
	MRT_THREAD_SERIALIZED = 2048, /* any thread, one at a time */
	MRT_THREAD_MULTIPLE = 4096    /* any thread at any time; a lock */
};

/*
 * Joins the job. Collective over all ranks that the launcher started; without
 * a launcher the process is a job of one. argc and argv may be NULL and are
 * left as they are. Same as mrt_init_thread(.., MRT_THREAD_SINGLE, NULL).
 */
int mrt_init(int *argc, char ***argv);

/*
 * Joins the job and asks for a thread level. *provided (may be NULL) gets the
 * level granted, which is always the one required.
 */
int mrt_init_thread(int *argc, char ***argv, enum mrt_thread_level required,
		    enum mrt_thread_level *provided);

/*
 * Leaves the job. Collective; returns when every rank has called it. What was
 * freed before it was over, and buffered sends, are carried out, for at most 5
 * seconds after all are there. Pending requests are an
 * error of the program, of which MRT_CHECK=yes tells. Returns 0, so that main
 * may end with `return mrt_finalize();`.
 */
int mrt_finalize(void);

/* 1 after mrt_init has succeeded (and still after mrt_finalize). Any time. */
int mrt_initialized(void);
/* 1 after mrt_finalize, and in a child made by fork. Any time. */
int mrt_finalized(void);
/* The thread level granted. Any time. */
enum mrt_thread_level mrt_thread_level(void);

/*
 * Ends the whole job at once; mrun exits with the low eight bits of `code`, or
 * 1 if they are 0. comm is for the message only. Does not return. Any time.
 */
void mrt_abort(struct mrt_comm *comm, int code)
#if defined(__GNUC__)
    __attribute__((noreturn))
#endif
    ;

/* ---- Who and where ------------------------------------------------------ */

/* Rank of the caller; number of ranks. Negative MRT_ERR_* on a bad handle. */
int mrt_rank(struct mrt_comm *comm);
int mrt_size(struct mrt_comm *comm);

/* Rank among, and number of, the job's ranks on this node. After init, also
 * after finalize. */
int mrt_node_rank(void);
int mrt_node_size(void);

/* Host name, terminated, into name[len]; MRT_ERR_ARG if it does not fit
 * (MRT_PROCESSOR_NAME_MAX always does). After init, also after finalize. */
int mrt_processor_name(char *name, size_t len);

/* Seconds since an arbitrary moment, monotone, per node. Any time. */
double mrt_wtime(void);
/* Resolution of mrt_wtime in seconds. Any time. */
double mrt_wtick(void);

/* "libmrt 0.1.0 (...)"; static storage. Any time. */
const char *mrt_version(void);

/* ---- Errors ------------------------------------------------------------- */
enum mrt_error_mode {
	MRT_ERRORS_FATAL = 0, /* default: print one line, end the job */
	MRT_ERRORS_RETURN = 1 /* return the code to the caller */
};
/* Sets how errors are treated by this rank; returns the mode before. Any
 * time. */
enum mrt_error_mode mrt_set_error_mode(enum mrt_error_mode mode);
/* One line about a code; static storage, never NULL. Any time. */
const char *mrt_error_string(int code);
/* What the last call of this thread that returned an error had to say, never
 * NULL, until the next one. Any time. */
const char *mrt_error_detail(void);
/* Says that instead: for a library on top that finds errors of its own. At
 * most 255 bytes are kept. Any time. */
void mrt_set_error_detail(const char *text);
/* The communicator of the request, or of the send, receive or probe, that a
 * call of this thread last returned an error of; MRT_COMM_NULL if none. Any
 * time. */
struct mrt_comm *mrt_error_comm(void);
/* Treats an error that was returned as MRT_ERRORS_FATAL does: prints a line
 * with the name of the call, ends the job. Does not return. Any time. */
void mrt_error_fatal(const char *call, int code)
#if defined(__GNUC__)
    __attribute__((noreturn))
#endif
    ;

/* ---- Communicators ------------------------------------------------------
 *
 * All creating calls are collective over `comm`. At most 2^15 exist at once,
 * more is MRT_ERR_RESOURCE on every rank.
 */

/* Same group, new message space. */
int mrt_comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm);

/*
 * The same without waiting: *newcomm gets the handle, which may be used when a
 * test or wait has completed the request; where it is kept stays valid until
 * then, and gets MRT_COMM_NULL if that fails. Several may be under way, begun
 * in the same order on all ranks.
 */
int mrt_comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
		  struct mrt_request **request);

/*
 * One communicator for each colour; ranks ordered by key, then by rank in
 * comm. color MRT_UNDEFINED: take part, get MRT_COMM_NULL. Other colours are
 * not negative (MRT_ERR_ARG).
 */
int mrt_comm_split(struct mrt_comm *comm, int color, int key,
		   struct mrt_comm **newcomm);

/* One communicator for each node; ranks ordered by key, then rank. */
int mrt_comm_split_node(struct mrt_comm *comm, int key,
			struct mrt_comm **newcomm);

/* Parts of the machine that ranks share. */
enum mrt_locality {
	MRT_LOCALITY_NODE = 1,
	MRT_LOCALITY_CACHE = 2 /* last-level; of ranks bound to one alone */
};
/*
 * One communicator for each part of that kind; ranks ordered by key, then
 * rank. Those in none, and those that say MRT_UNDEFINED, take part and get
 * MRT_COMM_NULL; the others say the same. MRT_ERR_ARG: no such kind.
 */
int mrt_comm_split_locality(struct mrt_comm *comm, int locality, int key,
			    struct mrt_comm **newcomm);
/* The largest kind of which the ranks of comm use more than one, else
 * MRT_UNDEFINED. Negative MRT_ERR_* on errors. Local. */
int mrt_comm_locality(struct mrt_comm *comm);

/*
 * A communicator of a group of ranks of comm, in its order. Ranks that give
 * groups in which they are not themselves get MRT_COMM_NULL; several groups
 * may be given at once that have no member in common, by each rank its own.
 * Of an intercommunicator each side gives one group of its own ranks.
 */
int mrt_comm_create(struct mrt_comm *comm, struct mrt_group *group,
		    struct mrt_comm **newcomm);

/*
 * The same for one group, collective over its members alone, whose ranks in
 * comm send each other messages with this tag, apart from all others. Several
 * threads of a rank may call it at the same time with different tags.
 */
int mrt_comm_create_group(struct mrt_comm *comm, struct mrt_group *group,
			  int tag, struct mrt_comm **newcomm);

/* Where a rank is. Nodes and caches of a communicator are numbered from 0, in
 * the order of their lowest ranks, caches through all nodes. */
struct mrt_place {
	int node;
	int cache; /* the last-level cache that it shares with others */
};
/* places[size] gets the place of each rank of comm, which is no
 * intercommunicator. Local. */
int mrt_comm_places(struct mrt_comm *comm, struct mrt_place places[]);

/* Frees *comm and sets it to MRT_COMM_NULL. Collective, but no rank waits for
 * the others here; what is under way is completed. MRT_ERR_COMM for world and
 * self, which cannot be freed. */
int mrt_comm_free(struct mrt_comm **comm);

enum mrt_comparison {
	MRT_IDENT = 201,     /* the same handle */
	MRT_CONGRUENT = 202, /* same ranks in the same order */
	MRT_SIMILAR = 203,   /* same processes, other order */
	MRT_UNEQUAL = 204
};
/* Compares two communicators, intercommunicators by both groups; local. */
int mrt_comm_compare(struct mrt_comm *a, struct mrt_comm *b,
		     enum mrt_comparison *result);

/*
 * An intercommunicator joins two groups without a rank in common. Each rank
 * sends to, and receives from, ranks of the other group, and mrt_rank and
 * mrt_size are those of its own. Made by both: local_comm is one's own group,
 * and local_leader its rank that knows the other group's leader, as
 * remote_leader of peer_comm. peer_comm, remote_leader and tag count there
 * only; tag, the same on both sides, sets meetings of several threads apart.
 * Collective over both groups. MRT_ERR_COMM for groups that overlap.
 */
int mrt_intercomm_create(struct mrt_comm *local_comm, int local_leader,
			 struct mrt_comm *peer_comm, int remote_leader, int tag,
			 struct mrt_comm **newcomm);
/* A communicator of both groups. First come the ranks of the group that said
 * high 0 if the other said 1; in a group all say the same. Collective. */
int mrt_intercomm_merge(struct mrt_comm *comm, int high,
			struct mrt_comm **newcomm);
/* 1 for an intercommunicator, else 0; how many ranks one can send to: those of
 * its other group. Negative MRT_ERR_* for a bad handle. Local. */
int mrt_comm_is_inter(struct mrt_comm *comm);
int mrt_comm_remote_size(struct mrt_comm *comm);
/* *group gets these ranks in their order. Local. */
int mrt_comm_remote_group(struct mrt_comm *comm, struct mrt_group **group);

/* Its group (of an intercommunicator, the local one); local. */
int mrt_comm_group(struct mrt_comm *comm, struct mrt_group **group);

/* A pointer of the user's that a communicator keeps; NULL at first, and for an
 * invalid handle. Local; a new communicator does not inherit it. Any time. */
int mrt_comm_set_data(struct mrt_comm *comm, void *data);
void *mrt_comm_data(struct mrt_comm *comm);

/* ---- Groups -------------------------------------------------------------
 *
 * A group is an ordered set of processes, which have ranks in it from 0 on.
 * All calls are local, and make new groups: none changes. One without members
 * is always MRT_GROUP_EMPTY, which may be freed like another.
 */

/* Number of members; rank of the caller, MRT_UNDEFINED if it is not a member.
 * MRT_ERR_* on a bad handle. */
int mrt_group_size(struct mrt_group *group);
int mrt_group_rank(struct mrt_group *group);

/* translated[i] gets the rank in `to` of the process ranks[i] of `from`:
 * MRT_UNDEFINED if it has none; MRT_PROC_NULL stays. */
int mrt_group_translate_ranks(struct mrt_group *from, size_t n,
			      const int ranks[], struct mrt_group *to,
			      int translated[]);

/* MRT_IDENT (same members, same order), MRT_SIMILAR or MRT_UNEQUAL. */
int mrt_group_compare(struct mrt_group *a, struct mrt_group *b,
		      enum mrt_comparison *result);

/* All of a, then those of b that are not in a; those of a that are in b, or
 * are not. */
int mrt_group_union(struct mrt_group *a, struct mrt_group *b,
		    struct mrt_group **newgroup);
int mrt_group_intersection(struct mrt_group *a, struct mrt_group *b,
			   struct mrt_group **newgroup);
int mrt_group_difference(struct mrt_group *a, struct mrt_group *b,
			 struct mrt_group **newgroup);

/* The ranks listed, in that order; all but those listed. MRT_ERR_RANK: one is
 * not in the group, or listed twice. */
int mrt_group_incl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup);
int mrt_group_excl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup);

/* The same of {first, last, stride}: first, first + stride, .. up to last,
 * or down to it. MRT_ERR_ARG: the stride does not lead there. */
int mrt_group_range_incl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup);
int mrt_group_range_excl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup);

/* Frees *group and sets it to MRT_GROUP_NULL. */
int mrt_group_free(struct mrt_group **group);

/* ---- Types of the user's -------------------------------------------------
 *
 * A type says where the bytes of an element are, relative to a buffer, and in
 * which order they are sent; a layout of any kind, as in MPI. Types are local.
 * Before they are used to communicate or to pack, they are committed; as parts
 * of others they need not be. One in use may be freed: requests and types made
 * of it keep what they need. All calls of this part: any time.
 *
 * lb and extent of a type: where an element begins, and the distance to the
 * next. They come from the data, whereby the extent is rounded up to the
 * alignment, unless mrt_type_resized has set them in the type or in a part of
 * it.
 */

/* count elements one after the other. */
int mrt_type_contiguous(size_t count, struct mrt_type *oldtype,
			struct mrt_type **newtype);
/* count blocks of blocklength elements; from one to the next it is stride
 * elements, or (hvector) bytes. */
int mrt_type_vector(size_t count, size_t blocklength, ptrdiff_t stride,
		    struct mrt_type *oldtype, struct mrt_type **newtype);
int mrt_type_hvector(size_t count, size_t blocklength, ptrdiff_t stride,
		     struct mrt_type *oldtype, struct mrt_type **newtype);
/* count blocks of such lengths, displaced by elements or (hindexed) bytes. */
int mrt_type_indexed(size_t count, const size_t blocklengths[],
		     const ptrdiff_t displs[], struct mrt_type *oldtype,
		     struct mrt_type **newtype);
int mrt_type_hindexed(size_t count, const size_t blocklengths[],
		      const ptrdiff_t displs[], struct mrt_type *oldtype,
		      struct mrt_type **newtype);
/* The same with blocks of one length. */
int mrt_type_indexed_block(size_t count, size_t blocklength,
			   const ptrdiff_t displs[], struct mrt_type *oldtype,
			   struct mrt_type **newtype);
int mrt_type_hindexed_block(size_t count, size_t blocklength,
			    const ptrdiff_t displs[], struct mrt_type *oldtype,
			    struct mrt_type **newtype);
/* count blocks of such types, displaced by bytes. */
int mrt_type_struct(size_t count, const size_t blocklengths[],
		    const ptrdiff_t displs[], struct mrt_type *const types[],
		    struct mrt_type **newtype);

enum mrt_order {
	MRT_ORDER_C = 12,      /* the last index runs fastest */
	MRT_ORDER_FORTRAN = 15 /* the first one */
};
enum mrt_distribution {
	MRT_DISTRIBUTE_NONE = 16,
	MRT_DISTRIBUTE_BLOCK = 17,
	MRT_DISTRIBUTE_CYCLIC = 18,
	MRT_DISTRIBUTE_DFLT_DARG = 19
};
/* A part of an array of ndims dimensions: subsizes[] elements from starts[]
 * on. It extends over the whole array. */
int mrt_type_subarray(int ndims, const size_t sizes[], const size_t subsizes[],
		      const size_t starts[], enum mrt_order order,
		      struct mrt_type *oldtype, struct mrt_type **newtype);
/*
 * What `rank` has of an array gsizes[] that is distributed over a grid
 * psizes[] of `size` processes (row-major), each dimension as distribs[] says
 * in blocks of dargs[] elements; see MPI_Type_create_darray.
 */
int mrt_type_darray(int size, int rank, int ndims, const size_t gsizes[],
		    const int distribs[], const int dargs[], const int psizes[],
		    enum mrt_order order, struct mrt_type *oldtype,
		    struct mrt_type **newtype);

/* The same data with other bounds. */
int mrt_type_resized(struct mrt_type *oldtype, ptrdiff_t lb, ptrdiff_t extent,
		     struct mrt_type **newtype);
/* The same type; committed, if oldtype is. */
int mrt_type_dup(struct mrt_type *oldtype, struct mrt_type **newtype);

int mrt_type_commit(struct mrt_type *type);
/* Frees *type and sets it to MRT_TYPE_NULL. MRT_ERR_TYPE: it is predefined. */
int mrt_type_free(struct mrt_type **type);

/* lb and extent; and of the data alone, as if nothing had been resized. */
int mrt_type_extent(struct mrt_type *type, ptrdiff_t *lb, ptrdiff_t *extent);
int mrt_type_true_extent(struct mrt_type *type, ptrdiff_t *lb,
			 ptrdiff_t *extent);

enum mrt_combiner {
	MRT_COMBINER_NAMED = 101, /* predefined */
	MRT_COMBINER_DUP = 102,
	MRT_COMBINER_CONTIGUOUS = 103,
	MRT_COMBINER_VECTOR = 104,
	MRT_COMBINER_HVECTOR = 105,
	MRT_COMBINER_INDEXED = 106,
	MRT_COMBINER_HINDEXED = 107,
	MRT_COMBINER_INDEXED_BLOCK = 108,
	MRT_COMBINER_HINDEXED_BLOCK = 109,
	MRT_COMBINER_STRUCT = 110,
	MRT_COMBINER_SUBARRAY = 111,
	MRT_COMBINER_DARRAY = 112,
	MRT_COMBINER_RESIZED = 116
};
/* Which call has made the type, and how many values and types that was given;
 * each pointer may be NULL. */
int mrt_type_envelope(struct mrt_type *type, enum mrt_combiner *combiner,
		      size_t *nvalues, size_t *ntypes);
/*
 * The values in the order of the call's parameters, the elements of an array
 * one after the other (an array's length is its count, or ndims), and the
 * types. Of derived types these are new ones, to be freed. MRT_ERR_ARG: the
 * type is predefined, or there is less room than the envelope says.
 */
int mrt_type_contents(struct mrt_type *type, size_t max_values,
		      size_t max_types, ptrdiff_t values[],
		      struct mrt_type *types[]);

/* A pointer of the user's that a type keeps, also a predefined one; NULL at
 * first, and in what is made of it. */
int mrt_type_set_data(struct mrt_type *type, void *data);
void *mrt_type_data(struct mrt_type *type);
/* A number of the user's that stays with a derived type and with what
 * mrt_type_contents makes of it; 0 at first, and of others. */
int mrt_type_set_form(struct mrt_type *type, int form);
int mrt_type_form(struct mrt_type *type);

/*
 * count elements at inbuf to their packed form, of as many bytes as they have
 * data, at outbuf + *position, which then stands behind it; and back. Parts of
 * a packed form may be unpacked by other types of the same data.
 * MRT_ERR_TRUNCATE: it does not fit into outsize bytes, or insize has less.
 */
int mrt_pack(const void *inbuf, size_t count, struct mrt_type *type,
	     void *outbuf, size_t outsize, size_t *position);
int mrt_unpack(const void *inbuf, size_t insize, size_t *position, void *outbuf,
	       size_t count, struct mrt_type *type);
/* The bytes that mrt_pack needs for count elements. */
int mrt_pack_size(size_t count, struct mrt_type *type, size_t *size);
/* The same in the form "external32" of MPI, the same on all machines. */
int mrt_pack_external(const void *inbuf, size_t count, struct mrt_type *type,
		      void *outbuf, size_t outsize, size_t *position);
int mrt_unpack_external(const void *inbuf, size_t insize, size_t *position,
			void *outbuf, size_t count, struct mrt_type *type);
int mrt_pack_external_size(size_t count, struct mrt_type *type, size_t *size);

/* ---- Point to point -----------------------------------------------------
 *
 * Messages match by communicator, source and tag. Two messages from one rank
 * that both match one receive are received in the order sent, and of two
 * receives that both match one message the first posted gets it. dest and
 * source may be MRT_PROC_NULL. Tags are 0 .. MRT_TAG_MAX.
 */

/* Blocking send: returns when buf may be reused. May return before the
 * receiver has asked (small messages are buffered), but need not. */
int mrt_send(const void *buf, size_t count, struct mrt_type *type, int dest,
	     int tag, struct mrt_comm *comm);

/* Synchronous send: returns only after the matching receive has started. */
int mrt_ssend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm);

/*
 * Blocking receive of at most `count` elements. A longer message is
 * MRT_ERR_TRUNCATE: the buffer holds its beginning, the message is consumed,
 * and the connection stays usable. status may be MRT_STATUS_IGNORE.
 */
int mrt_recv(void *buf, size_t count, struct mrt_type *type, int source,
	     int tag, struct mrt_comm *comm, struct mrt_status *status);

/* Send and receive at once, without risk of deadlock; buffers are disjoint. */
int mrt_sendrecv(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, int dest, int sendtag,
		 void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		 int source, int recvtag, struct mrt_comm *comm,
		 struct mrt_status *status);

/* The same with one buffer: what comes replaces what has been sent. */
int mrt_sendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			 int dest, int sendtag, int source, int recvtag,
			 struct mrt_comm *comm, struct mrt_status *status);

/* Nonblocking forms. *request must be completed by a test or wait. */
int mrt_isend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm, struct mrt_request **request);
int mrt_issend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request);
int mrt_irecv(void *buf, size_t count, struct mrt_type *type, int source,
	      int tag, struct mrt_comm *comm, struct mrt_request **request);

/* A send and a receive that complete together, with the status of the receive.
 */
int mrt_isendrecv(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, int dest, int sendtag,
		  void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		  int source, int recvtag, struct mrt_comm *comm,
		  struct mrt_request **request);
int mrt_isendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			  int dest, int sendtag, int source, int recvtag,
			  struct mrt_comm *comm, struct mrt_request **request);

/*
 * Persistent forms: *request is inactive; mrt_start begins the operation with
 * what is in buf then, test or wait completes it, again and again, and
 * mrt_request_free ends it.
 */
int mrt_send_init(const void *buf, size_t count, struct mrt_type *type,
		  int dest, int tag, struct mrt_comm *comm,
		  struct mrt_request **request);
int mrt_ssend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_recv_init(void *buf, size_t count, struct mrt_type *type, int source,
		  int tag, struct mrt_comm *comm, struct mrt_request **request);

/*
 * Buffered sends: the message is copied and the send complete at return,
 * whatever the receiver does. The copy takes its bytes and
 * MRT_BSEND_OVERHEAD of the attached buffer until the message is out;
 * MRT_ERR_BUFFER: no such piece comes free within 0.2 s, or no buffer.
 */
#define MRT_BSEND_OVERHEAD 512
#define MRT_BUFFER_AUTOMATIC ((void *)2)
int mrt_bsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm);
int mrt_ibsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request);
int mrt_bsend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request);

/*
 * Gives libmrt memory for buffered sends; MRT_BUFFER_AUTOMATIC: it allocates
 * what it needs. MRT_ERR_BUFFER: there is one already. detach waits until all
 * messages in it are out and gives it back (MRT_ERR_BUFFER: there is none);
 * flush only waits. mrt_finalize flushes.
 */
int mrt_buffer_attach(void *buf, size_t bytes);
int mrt_buffer_detach(void **buf, size_t *bytes);
int mrt_buffer_flush(void);

/*
 * One message of the bytes of n pieces, one after the other; received as any
 * message, by its length. n may be 0, and a piece empty. The list may be
 * reused at return, the pieces when the send is complete. The fabric gathers
 * long messages from pieces of MRT_GATHER_MIN bytes or more in the mean; of
 * smaller ones libmrt makes a copy.
 */
int mrt_sendv(const struct iovec *iov, int n, int dest, int tag,
	      struct mrt_comm *comm);
int mrt_isendv(const struct iovec *iov, int n, int dest, int tag,
	       struct mrt_comm *comm, struct mrt_request **request);
/* Another bound than MRT_GATHER_MIN for this rank's sends from now on. */
int mrt_set_gather_min(size_t bytes);

/*
 * Looks for a message without receiving it; mrt_probe blocks until there is
 * one, mrt_iprobe sets *flag (1: found, and *status is set).
 */
int mrt_probe(int source, int tag, struct mrt_comm *comm,
	      struct mrt_status *status);
int mrt_iprobe(int source, int tag, struct mrt_comm *comm, int *flag,
	       struct mrt_status *status);

/*
 * Matched probe: as the probes, and takes the message, so that nothing else
 * receives or finds it, in whatever thread; it is received by *message.
 * MRT_PROC_NULL gives MRT_MESSAGE_NO_PROC, which is received as from there.
 */
int mrt_mprobe(int source, int tag, struct mrt_comm *comm,
	       struct mrt_message **message, struct mrt_status *status);
int mrt_improbe(int source, int tag, struct mrt_comm *comm, int *flag,
		struct mrt_message **message, struct mrt_status *status);
/* Receive it, as mrt_recv and mrt_irecv, and set *message to MRT_MESSAGE_NULL;
 * MRT_ERR_REQUEST: it is no message. */
int mrt_mrecv(void *buf, size_t count, struct mrt_type *type,
	      struct mrt_message **message, struct mrt_status *status);
int mrt_imrecv(void *buf, size_t count, struct mrt_type *type,
	       struct mrt_message **message, struct mrt_request **request);

/*
 * Completion. A completed request is freed and its handle becomes
 * MRT_REQUEST_NULL; MRT_REQUEST_NULL counts as complete, with an empty status
 * (source MRT_ANY_SOURCE, tag MRT_ANY_TAG, no bytes). wait* block; test* do
 * not, and set *flag. With several requests an error of one of them is
 * MRT_ERR_IN_STATUS, and each status holds its own. any: *index is the
 * request completed, MRT_UNDEFINED if none was active. some: the *outcount
 * completed ones, by index; *outcount is MRT_UNDEFINED if none was active.
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
int mrt_waitsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[]);
int mrt_testsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[]);

/*
 * What a test would tell, without completing: requests and handles stay as
 * they are. any tells of the first that is complete, all when all are, some of
 * those that are; *flag, *index and *outcount are those of test*.
 */
int mrt_request_get_status(struct mrt_request *request, int *flag,
			   struct mrt_status *status);
int mrt_request_get_status_any(size_t n, struct mrt_request *const requests[],
			       int *index, int *flag,
			       struct mrt_status *status);
int mrt_request_get_status_all(size_t n, struct mrt_request *const requests[],
			       int *flag, struct mrt_status statuses[]);
int mrt_request_get_status_some(size_t n, struct mrt_request *const requests[],
				int *outcount, int indices[],
				struct mrt_status statuses[]);

/*
 * Persistent requests (see collectives). mrt_start begins an inactive one
 * (MRT_ERR_REQUEST: it is active, or not persistent); its completion by a test
 * or wait leaves the handle, inactive, and an inactive one counts as complete
 * there like MRT_REQUEST_NULL.
 */
int mrt_start(struct mrt_request **request);
int mrt_startall(size_t n, struct mrt_request *requests[]);

/*
 * Gives a request of any kind up and sets it to MRT_REQUEST_NULL. One under
 * way goes on, and uses its buffers until it is complete, which nothing tells;
 * mrt_finalize waits for it, as it says.
 */
int mrt_request_free(struct mrt_request **request);

/*
 * Asks to cancel an operation. It must still be completed; status.cancelled
 * tells whether it was cancelled. A receive is, if nothing has matched it yet;
 * a send never is. MRT_ERR_REQUEST: a collective, or an inactive request.
 */
int mrt_cancel(struct mrt_request **request);

/*
 * A request for something the user does: it completes when the user says so,
 * by mrt_grequest_complete from whatever thread, and tests and waits take it
 * among others. They call query_fn, which sets the status (an empty one at
 * first), and then free_fn; mrt_request_get_status calls query_fn alone,
 * mrt_request_free or mrt_grequest_complete, whichever comes last, free_fn
 * alone. mrt_cancel calls cancel_fn with 1 if it is complete, else 0. Each may
 * be NULL, gets context, may call libmrt, and returns 0 or a code, which the
 * call returns that has called it.
 */
typedef int (*mrt_grequest_query_fn)(void *context, struct mrt_status *status);
typedef int (*mrt_grequest_free_fn)(void *context);
typedef int (*mrt_grequest_cancel_fn)(void *context, int complete);
int mrt_grequest_start(mrt_grequest_query_fn query_fn,
		       mrt_grequest_free_fn free_fn,
		       mrt_grequest_cancel_fn cancel_fn, void *context,
		       struct mrt_request **request);
int mrt_grequest_complete(struct mrt_request *request);

/* Whole elements of `type` in a received message; MRT_ERR_TYPE if it is not a
 * whole number of them. Any time. */
int mrt_get_count(const struct mrt_status *status, struct mrt_type *type,
		  size_t *count);

/* The same in basic elements, of which a type of the user's has several, and so
 * has a pair of a value and an index. */
int mrt_get_elements(const struct mrt_status *status, struct mrt_type *type,
		     size_t *elements);
/* Makes mrt_get_elements give that. */
int mrt_set_elements(struct mrt_status *status, struct mrt_type *type,
		     size_t elements);

/* Bytes of one element; 0 for an invalid handle. Any time. */
size_t mrt_type_size(struct mrt_type *type);

/* ---- Collectives --------------------------------------------------------
 *
 * Every rank of comm calls the same ones in the same order with the same
 * lengths, operation and root. Each has three forms:
 *
 *   mrt_gather(.., comm)                blocks until this rank's part is done
 *   mrt_igather(.., comm, &request)     starts; a test or wait completes it
 *   mrt_gather_init(.., comm, &request) makes a persistent request, inactive:
 *                                       mrt_start, test or wait, again and
 *                                       again, and mrt_request_free at last
 *
 * Several may be under way at once, and may be completed in any order; they
 * keep their communicator and operation, which may be freed. Until completion
 * the buffers belong to the call: no input may be changed, no output be read.
 * Lists (counts, displacements, types, neighbours) are copied. The three forms
 * do not match each other: all ranks use the same one. Persistent requests of
 * a communicator are made in the same order on all ranks; they may be started
 * in different orders. A start allocates nothing.
 *
 * Counts are those of one block; a rank's block has the same number of bytes
 * where it is sent and where it is received. A buffer with a block for each
 * rank has them one after the other, those of v-collectives where displs says,
 * in elements. Received blocks do not overlap. MRT_IN_PLACE as sendbuf, where
 * it is allowed, takes the input from recvbuf, and the other arguments of that
 * side do not count.
 */

/*
 * The algorithm of a collective ("allreduce") from now on, over all
 * communicators: a name and perhaps an argument, as MRT_ALLREDUCE takes them;
 * NULL: libmrt chooses. All ranks must say the same between the same two
 * collectives, and it may wait for them; those already started, and persistent
 * ones, stay as they are.
 */
int mrt_set_algorithm(const char *collective, const char *name);
/*
 * The k-th algorithm of a collective, k from 0, or NULL when there is none.
 * *argument gets the default of the number that may follow its name after a
 * colon, 0 if none may. Any time.
 */
const char *mrt_algorithm_name(const char *collective, int k, size_t *argument);
/*
 * name[len] gets the algorithm that a call on comm with blocks of so many
 * bytes uses ("ring", "chain:65536"; "direct": through shared memory, without
 * messages), for root 0; reductions add doubles.
 * Local. MRT_ERR_ARG: no such collective, or no room.
 */
int mrt_chosen_algorithm(const char *collective, size_t bytes,
			 struct mrt_comm *comm, char *name, size_t len);

/* Returns when every rank has called it. */
int mrt_barrier(struct mrt_comm *comm);
int mrt_ibarrier(struct mrt_comm *comm, struct mrt_request **request);
int mrt_barrier_init(struct mrt_comm *comm, struct mrt_request **request);

/* buf of root to buf of everyone. */
int mrt_bcast(void *buf, size_t count, struct mrt_type *type, int root,
	      struct mrt_comm *comm);
int mrt_ibcast(void *buf, size_t count, struct mrt_type *type, int root,
	       struct mrt_comm *comm, struct mrt_request **request);
int mrt_bcast_init(void *buf, size_t count, struct mrt_type *type, int root,
		   struct mrt_comm *comm, struct mrt_request **request);

/*
 * One block of each rank to root, by rank. The receiving arguments count at
 * root only; MRT_IN_PLACE is for root only, whose block is in recvbuf already.
 */
int mrt_gather(const void *sendbuf, size_t sendcount, struct mrt_type *sendtype,
	       void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
	       int root, struct mrt_comm *comm);
int mrt_igather(const void *sendbuf, size_t sendcount,
		struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		struct mrt_request **request);
int mrt_gather_init(const void *sendbuf, size_t sendcount,
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
int mrt_gatherv_init(const void *sendbuf, size_t sendcount,
		     struct mrt_type *sendtype, void *recvbuf,
		     const size_t recvcounts[], const ptrdiff_t displs[],
		     struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		     struct mrt_request **request);

/*
 * A block of root's to each rank. The sending arguments count at root only,
 * which may give MRT_IN_PLACE as recvbuf: its block stays in sendbuf.
 */
int mrt_scatter(const void *sendbuf, size_t sendcount,
		struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		struct mrt_type *recvtype, int root, struct mrt_comm *comm);
int mrt_iscatter(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		 struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		 struct mrt_request **request);
int mrt_scatter_init(const void *sendbuf, size_t sendcount,
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
int mrt_scatterv_init(const void *sendbuf, const size_t sendcounts[],
		      const ptrdiff_t displs[], struct mrt_type *sendtype,
		      void *recvbuf, size_t recvcount,
		      struct mrt_type *recvtype, int root,
		      struct mrt_comm *comm, struct mrt_request **request);

/* One block of each rank to all, by rank. MRT_IN_PLACE: the own one is in
 * recvbuf already. */
int mrt_allgather(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		  struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_iallgather(const void *sendbuf, size_t sendcount,
		   struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		   struct mrt_type *recvtype, struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_allgather_init(const void *sendbuf, size_t sendcount,
		       struct mrt_type *sendtype, void *recvbuf,
		       size_t recvcount, struct mrt_type *recvtype,
		       struct mrt_comm *comm, struct mrt_request **request);
int mrt_allgatherv(const void *sendbuf, size_t sendcount,
		   struct mrt_type *sendtype, void *recvbuf,
		   const size_t recvcounts[], const ptrdiff_t displs[],
		   struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_iallgatherv(const void *sendbuf, size_t sendcount,
		    struct mrt_type *sendtype, void *recvbuf,
		    const size_t recvcounts[], const ptrdiff_t displs[],
		    struct mrt_type *recvtype, struct mrt_comm *comm,
		    struct mrt_request **request);
int mrt_allgatherv_init(const void *sendbuf, size_t sendcount,
			struct mrt_type *sendtype, void *recvbuf,
			const size_t recvcounts[], const ptrdiff_t displs[],
			struct mrt_type *recvtype, struct mrt_comm *comm,
			struct mrt_request **request);

/*
 * A block from each rank to each. w: types by rank, and displacements in
 * bytes. MRT_IN_PLACE: what is to be sent lies where what comes will.
 */
int mrt_alltoall(const void *sendbuf, size_t sendcount,
		 struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		 struct mrt_type *recvtype, struct mrt_comm *comm);
int mrt_ialltoall(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		  struct mrt_type *recvtype, struct mrt_comm *comm,
		  struct mrt_request **request);
int mrt_alltoall_init(const void *sendbuf, size_t sendcount,
		      struct mrt_type *sendtype, void *recvbuf,
		      size_t recvcount, struct mrt_type *recvtype,
		      struct mrt_comm *comm, struct mrt_request **request);
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
int mrt_alltoallv_init(const void *sendbuf, const size_t sendcounts[],
		       const ptrdiff_t sdispls[], struct mrt_type *sendtype,
		       void *recvbuf, const size_t recvcounts[],
		       const ptrdiff_t rdispls[], struct mrt_type *recvtype,
		       struct mrt_comm *comm, struct mrt_request **request);
int mrt_alltoallw(const void *sendbuf, const size_t sendcounts[],
		  const ptrdiff_t sdispls[], struct mrt_type *const sendtypes[],
		  void *recvbuf, const size_t recvcounts[],
		  const ptrdiff_t rdispls[], struct mrt_type *const recvtypes[],
		  struct mrt_comm *comm);
int mrt_ialltoallw(const void *sendbuf, const size_t sendcounts[],
		   const ptrdiff_t sdispls[],
		   struct mrt_type *const sendtypes[], void *recvbuf,
		   const size_t recvcounts[], const ptrdiff_t rdispls[],
		   struct mrt_type *const recvtypes[], struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_alltoallw_init(const void *sendbuf, const size_t sendcounts[],
		       const ptrdiff_t sdispls[],
		       struct mrt_type *const sendtypes[], void *recvbuf,
		       const size_t recvcounts[], const ptrdiff_t rdispls[],
		       struct mrt_type *const recvtypes[],
		       struct mrt_comm *comm, struct mrt_request **request);

/* Element-wise op over the ranks' sendbufs into root's recvbuf, in an order
 * that depends only on the number of ranks and the count. recvbuf counts at
 * root only; MRT_IN_PLACE is for root only. */
int mrt_reduce(const void *sendbuf, void *recvbuf, size_t count,
	       struct mrt_type *type, struct mrt_op *op, int root,
	       struct mrt_comm *comm);
int mrt_ireduce(const void *sendbuf, void *recvbuf, size_t count,
		struct mrt_type *type, struct mrt_op *op, int root,
		struct mrt_comm *comm, struct mrt_request **request);
int mrt_reduce_init(const void *sendbuf, void *recvbuf, size_t count,
		    struct mrt_type *type, struct mrt_op *op, int root,
		    struct mrt_comm *comm, struct mrt_request **request);

/* As reduce, with the same bits in every rank's recvbuf. */
int mrt_allreduce(const void *sendbuf, void *recvbuf, size_t count,
		  struct mrt_type *type, struct mrt_op *op,
		  struct mrt_comm *comm);
int mrt_iallreduce(const void *sendbuf, void *recvbuf, size_t count,
		   struct mrt_type *type, struct mrt_op *op,
		   struct mrt_comm *comm, struct mrt_request **request);
int mrt_allreduce_init(const void *sendbuf, void *recvbuf, size_t count,
		       struct mrt_type *type, struct mrt_op *op,
		       struct mrt_comm *comm, struct mrt_request **request);

/*
 * As reduce, of a block for each rank, of which each gets its own: of
 * recvcount elements, or recvcounts by rank, in all ranks the same. With
 * MRT_IN_PLACE recvbuf holds all blocks; the result is at its beginning, and
 * the rest is undefined.
 */
int mrt_reduce_scatter_block(const void *sendbuf, void *recvbuf,
			     size_t recvcount, struct mrt_type *type,
			     struct mrt_op *op, struct mrt_comm *comm);
int mrt_ireduce_scatter_block(const void *sendbuf, void *recvbuf,
			      size_t recvcount, struct mrt_type *type,
			      struct mrt_op *op, struct mrt_comm *comm,
			      struct mrt_request **request);
int mrt_reduce_scatter_block_init(const void *sendbuf, void *recvbuf,
				  size_t recvcount, struct mrt_type *type,
				  struct mrt_op *op, struct mrt_comm *comm,
				  struct mrt_request **request);
int mrt_reduce_scatter(const void *sendbuf, void *recvbuf,
		       const size_t recvcounts[], struct mrt_type *type,
		       struct mrt_op *op, struct mrt_comm *comm);
int mrt_ireduce_scatter(const void *sendbuf, void *recvbuf,
			const size_t recvcounts[], struct mrt_type *type,
			struct mrt_op *op, struct mrt_comm *comm,
			struct mrt_request **request);
int mrt_reduce_scatter_init(const void *sendbuf, void *recvbuf,
			    const size_t recvcounts[], struct mrt_type *type,
			    struct mrt_op *op, struct mrt_comm *comm,
			    struct mrt_request **request);

/* Of ranks 0 .. own; exscan: of the ranks below, whereby rank 0's recvbuf
 * stays as it is. */
int mrt_scan(const void *sendbuf, void *recvbuf, size_t count,
	     struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm);
int mrt_iscan(const void *sendbuf, void *recvbuf, size_t count,
	      struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm,
	      struct mrt_request **request);
int mrt_scan_init(const void *sendbuf, void *recvbuf, size_t count,
		  struct mrt_type *type, struct mrt_op *op,
		  struct mrt_comm *comm, struct mrt_request **request);
int mrt_exscan(const void *sendbuf, void *recvbuf, size_t count,
	       struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm);
int mrt_iexscan(const void *sendbuf, void *recvbuf, size_t count,
		struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm,
		struct mrt_request **request);
int mrt_exscan_init(const void *sendbuf, void *recvbuf, size_t count,
		    struct mrt_type *type, struct mrt_op *op,
		    struct mrt_comm *comm, struct mrt_request **request);

/*
 * Ranks to receive from and send to, in the order of the blocks. The k-th of
 * several messages between two ranks is the k-th on both sides; a rank may be
 * its own neighbour. MRT_PROC_NULL holds a place in the order: nothing moves,
 * and the block stays as it is.
 */
struct mrt_neighbors {
	int nsources;
	const int *sources; /* [nsources] ranks of comm, or MRT_PROC_NULL */
	int ndests;
	const int *dests; /* [ndests] */
	/* 1: both lists are pairs, neighbours below and above in a dimension
	 * of a grid. Then what goes to the lower one comes from the upper one,
	 * also where both are the same rank. */
	int grid;
};

/* One block to all of one's destinations, and one from each source. Here and
 * below a block has the same length where it is sent and where it comes. */
int mrt_neighbor_allgather(const void *sendbuf, size_t sendcount,
			   struct mrt_type *sendtype, void *recvbuf,
			   size_t recvcount, struct mrt_type *recvtype,
			   const struct mrt_neighbors *neighbors,
			   struct mrt_comm *comm);
int mrt_ineighbor_allgather(const void *sendbuf, size_t sendcount,
			    struct mrt_type *sendtype, void *recvbuf,
			    size_t recvcount, struct mrt_type *recvtype,
			    const struct mrt_neighbors *neighbors,
			    struct mrt_comm *comm,
			    struct mrt_request **request);
int mrt_neighbor_allgather_init(const void *sendbuf, size_t sendcount,
				struct mrt_type *sendtype, void *recvbuf,
				size_t recvcount, struct mrt_type *recvtype,
				const struct mrt_neighbors *neighbors,
				struct mrt_comm *comm,
				struct mrt_request **request);

int mrt_neighbor_allgatherv(const void *sendbuf, size_t sendcount,
			    struct mrt_type *sendtype, void *recvbuf,
			    const size_t recvcounts[], const ptrdiff_t displs[],
			    struct mrt_type *recvtype,
			    const struct mrt_neighbors *neighbors,
			    struct mrt_comm *comm);
int mrt_ineighbor_allgatherv(
    const void *sendbuf, size_t sendcount, struct mrt_type *sendtype,
    void *recvbuf, const size_t recvcounts[], const ptrdiff_t displs[],
    struct mrt_type *recvtype, const struct mrt_neighbors *neighbors,
    struct mrt_comm *comm, struct mrt_request **request);
int mrt_neighbor_allgatherv_init(
    const void *sendbuf, size_t sendcount, struct mrt_type *sendtype,
    void *recvbuf, const size_t recvcounts[], const ptrdiff_t displs[],
    struct mrt_type *recvtype, const struct mrt_neighbors *neighbors,
    struct mrt_comm *comm, struct mrt_request **request);

/*
 * A block to each destination, and one from each source. w: a type for each,
 * and displacements in bytes.
 */
int mrt_neighbor_alltoall(const void *sendbuf, size_t sendcount,
			  struct mrt_type *sendtype, void *recvbuf,
			  size_t recvcount, struct mrt_type *recvtype,
			  const struct mrt_neighbors *neighbors,
			  struct mrt_comm *comm);
int mrt_ineighbor_alltoall(const void *sendbuf, size_t sendcount,
			   struct mrt_type *sendtype, void *recvbuf,
			   size_t recvcount, struct mrt_type *recvtype,
			   const struct mrt_neighbors *neighbors,
			   struct mrt_comm *comm, struct mrt_request **request);
int mrt_neighbor_alltoall_init(const void *sendbuf, size_t sendcount,
			       struct mrt_type *sendtype, void *recvbuf,
			       size_t recvcount, struct mrt_type *recvtype,
			       const struct mrt_neighbors *neighbors,
			       struct mrt_comm *comm,
			       struct mrt_request **request);
int mrt_neighbor_alltoallv(const void *sendbuf, const size_t sendcounts[],
			   const ptrdiff_t sdispls[], struct mrt_type *sendtype,
			   void *recvbuf, const size_t recvcounts[],
			   const ptrdiff_t rdispls[], struct mrt_type *recvtype,
			   const struct mrt_neighbors *neighbors,
			   struct mrt_comm *comm);
int mrt_ineighbor_alltoallv(
    const void *sendbuf, const size_t sendcounts[], const ptrdiff_t sdispls[],
    struct mrt_type *sendtype, void *recvbuf, const size_t recvcounts[],
    const ptrdiff_t rdispls[], struct mrt_type *recvtype,
    const struct mrt_neighbors *neighbors, struct mrt_comm *comm,
    struct mrt_request **request);
int mrt_neighbor_alltoallv_init(
    const void *sendbuf, const size_t sendcounts[], const ptrdiff_t sdispls[],
    struct mrt_type *sendtype, void *recvbuf, const size_t recvcounts[],
    const ptrdiff_t rdispls[], struct mrt_type *recvtype,
    const struct mrt_neighbors *neighbors, struct mrt_comm *comm,
    struct mrt_request **request);
int mrt_neighbor_alltoallw(const void *sendbuf, const size_t sendcounts[],
			   const ptrdiff_t sdispls[],
			   struct mrt_type *const sendtypes[], void *recvbuf,
			   const size_t recvcounts[], const ptrdiff_t rdispls[],
			   struct mrt_type *const recvtypes[],
			   const struct mrt_neighbors *neighbors,
			   struct mrt_comm *comm);
int mrt_ineighbor_alltoallw(
    const void *sendbuf, const size_t sendcounts[], const ptrdiff_t sdispls[],
    struct mrt_type *const sendtypes[], void *recvbuf,
    const size_t recvcounts[], const ptrdiff_t rdispls[],
    struct mrt_type *const recvtypes[], const struct mrt_neighbors *neighbors,
    struct mrt_comm *comm, struct mrt_request **request);
int mrt_neighbor_alltoallw_init(
    const void *sendbuf, const size_t sendcounts[], const ptrdiff_t sdispls[],
    struct mrt_type *const sendtypes[], void *recvbuf,
    const size_t recvcounts[], const ptrdiff_t rdispls[],
    struct mrt_type *const recvtypes[], const struct mrt_neighbors *neighbors,
    struct mrt_comm *comm, struct mrt_request **request);

/* ---- Memory that peers can load and store ------------------------------- */

/*
 * *ptr gets `bytes` of zero-filled memory, page-aligned if a page or longer,
 * else aligned to 64 bytes. Ranks of the node can map it (mrt_map), and
 * messages sent from it are copied by plain loads. Local; does not block. A
 * request for 0 bytes gets memory too.
 */
int mrt_alloc(size_t bytes, void **ptr);
/* Gives it back; peers must have stopped using it. NULL is fine. */
int mrt_free(void *ptr);

/*
 * *local gets an address at which the caller can load and store `bytes` bytes
 * that `rank` of comm knows as `remote` (an address within its mrt_alloc
 * memory, which it has sent as an MRT_UINT64). Valid until the owner frees
 * it. MRT_ERR_NO_FABRIC: the rank is on another node; MRT_ERR_BUFFER: not
 * memory of mrt_alloc.
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
