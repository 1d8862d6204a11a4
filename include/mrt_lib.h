/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mrt_lib.h: the rest of libmrt, for libraries and tools built on it.
 *
 * Programs need mrt.h alone, which this header includes. The MPI library in
 * mpi/ is built on these two headers and nothing else. The conventions at the
 * head of mrt.h hold here too, and so does the rule that functions may be
 * called between mrt_init and mrt_finalize unless marked "any time".
 */
#ifndef MRT_LIB_H
#define MRT_LIB_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "mrt.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ---- Handles ------------------------------------------------------------ */

struct mrt_group;   /* ordered set of processes, without messages */
struct mrt_message; /* message that a matched probe has found */

/* Constants that stand for handles and buffers are below this address, and all
 * other handles and buffers are not: no program has memory there. */
#define MRT_CONSTANTS_END 4096

#define MRT_GROUP_NULL ((struct mrt_group *)0x108)
#define MRT_GROUP_EMPTY ((struct mrt_group *)0x109) /* has no members */

#define MRT_MESSAGE_NULL ((struct mrt_message *)0x128)
#define MRT_MESSAGE_NO_PROC ((struct mrt_message *)0x129)

/* Types of MPI and C++. */
#define MRT_AINT ((struct mrt_type *)0x201)   /* intptr_t */
#define MRT_COUNT ((struct mrt_type *)0x202)  /* int64_t */
#define MRT_OFFSET ((struct mrt_type *)0x203) /* int64_t */
#define MRT_PACKED ((struct mrt_type *)0x207) /* bytes that mrt_pack wrote */
#define MRT_CXX_FLOAT_COMPLEX ((struct mrt_type *)0x213)
#define MRT_CXX_DOUBLE_COMPLEX ((struct mrt_type *)0x217)
#define MRT_CXX_LONG_DOUBLE_COMPLEX ((struct mrt_type *)0x225)
#define MRT_CXX_BOOL ((struct mrt_type *)0x239)

/* Types of Fortran: default kinds, which are those of C's int, float and
 * double; pairs of them; and kinds by their size in bytes. */
#define MRT_LOGICAL ((struct mrt_type *)0x218)
#define MRT_INTEGER ((struct mrt_type *)0x219)
#define MRT_REAL ((struct mrt_type *)0x21a)
#define MRT_COMPLEX ((struct mrt_type *)0x21b)
#define MRT_DOUBLE_PRECISION ((struct mrt_type *)0x21c)
#define MRT_DOUBLE_PRECISION_COMPLEX ((struct mrt_type *)0x21d)
#define MRT_CHARACTER ((struct mrt_type *)0x21e)
#define MRT_2REAL ((struct mrt_type *)0x230)
#define MRT_2DOUBLE_PRECISION ((struct mrt_type *)0x231)
#define MRT_2INTEGER ((struct mrt_type *)0x232)
#define MRT_LOGICAL1 ((struct mrt_type *)0x2c0)
#define MRT_INTEGER1 ((struct mrt_type *)0x2c1)
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

/* Operations of MPI's one-sided communication; collectives reject them. */
#define MRT_REPLACE ((struct mrt_op *)0x3c)
#define MRT_NO_OP ((struct mrt_op *)0x3d)

#define MRT_ROOT (-4) /* root of an intercommunicator's collective: myself */

/* ---- State and errors --------------------------------------------------- */

/* Returns 1 once mrt_init has succeeded, also after mrt_finalize. Any time. */
int mrt_initialized(void);
/* Returns 1 after mrt_finalize, and in a child made by fork. Any time. */
int mrt_finalized(void);
/* Returns the thread level that was granted. Any time. */
enum mrt_thread_level mrt_thread_level(void);
/* Lets libmrt rest until the next mrt_init, which keeps the thread level and is
 * local. Waits for freed requests and buffered sends like mrt_finalize, which
 * must follow before the process exits, but for no other rank. */
int mrt_rest(void);

/* Returns the resolution of mrt_wtime in seconds. Any time. */
double mrt_wtick(void);

/* Like mrt_abort, for a library on top, whose function it names. Any time. */
MRT_NORETURN_ void mrt_abort_by(const char *function, int code);

/* Sets what mrt_error_detail returns in this thread, for errors that the
 * library on top detects. At most 255 bytes are kept. Any time. */
void mrt_set_error_detail(const char *text);

/* Names the call of a library on top that this thread is in, such as
 * "MPI_File_write_all", a text that stays, and the bytes of a file that it is
 * to move, for reports, checks, traces and counters. NULL ends it. Any time. */
void mrt_set_outer_call(const char *name, size_t read, size_t written);

/* Returns the communicator of the request, send, receive or probe whose error a
 * call in this thread returned last, or MRT_COMM_NULL. Any time. */
struct mrt_comm *mrt_error_comm(void);

/* Treats a returned error as MRT_ERRORS_FATAL does: prints one line with the
 * name of the call and ends the job. Does not return. Any time. */
MRT_NORETURN_ void mrt_error_fatal(const char *call, int code);

/* ---- Communicators ------------------------------------------------------ */

/*
 * Like mrt_comm_dup without blocking. *newcomm gets the handle, which may be
 * used once a test or wait has completed the request; the pointer itself must
 * stay valid until then, and *newcomm becomes MRT_COMM_NULL on failure. Several
 * may be pending, started in the same order on all ranks.
 */
int mrt_comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
		  struct mrt_request **request);

/* A part of the machine that ranks share. */
enum mrt_locality {
	MRT_LOCALITY_NODE = 1,
	MRT_LOCALITY_CACHE = 2 /* last-level cache, for ranks bound to one */
};

/*
 * Creates one communicator for each part of this kind, ordered by key and then
 * by rank in comm. Ranks that are in no such part, and ranks that pass
 * MRT_UNDEFINED as locality, take part and get MRT_COMM_NULL; all others must
 * pass the same kind. MRT_ERR_ARG: there is no such kind.
 */
int mrt_comm_split_locality(struct mrt_comm *comm, int locality, int key,
			    struct mrt_comm **newcomm);

/* Returns 1 if the CPUs that the caller may use at the time of the call are in
 * one part of this kind, else 0; MRT_ERR_ARG: there is no such kind. Local. */
int mrt_is_within(int locality);

/* Returns the largest kind of part of which the ranks of comm use more than
 * one, MRT_UNDEFINED if there is none, or a negative MRT_ERR_* code. Local. */
int mrt_comm_locality(struct mrt_comm *comm);

/*
 * Creates a communicator of the members of group, in its order. Collective over
 * comm. Ranks may pass different groups as long as no two of them share a
 * member; a rank that is not in the group it passes gets MRT_COMM_NULL. On an
 * intercommunicator each side passes a group of its own ranks.
 */
int mrt_comm_create(struct mrt_comm *comm, struct mrt_group *group,
		    struct mrt_comm **newcomm);

/* Like mrt_comm_create, but collective over the members of group alone. Threads
 * of one rank may call it at the same time with different tags, which match
 * nothing but other calls of this function. */
int mrt_comm_create_group(struct mrt_comm *comm, struct mrt_group *group,
			  int tag, struct mrt_comm **newcomm);

/* Like mrt_comm_free, but waits until all messages and collectives that the
 * caller has begun on the communicator are complete, also those whose requests
 * are freed or not completed by a wait, and buffered messages. */
int mrt_comm_disconnect(struct mrt_comm **comm);

/* A place says where a rank runs. Nodes and caches are numbered from 0 in the
 * order of their lowest ranks, caches across all nodes. */
struct mrt_place {
	int node, cache; /* last-level cache, which other ranks may share */
	int leaf;	 /* leaf switch, numbered by groups; -1: unknown */
};

/* Stores the place of each rank of comm, which must not be an
 * intercommunicator, in places[size]. Local. */
int mrt_comm_places(struct mrt_comm *comm, struct mrt_place places[]);

enum mrt_comparison {
	MRT_IDENT = 201,     /* the same handle */
	MRT_CONGRUENT = 202, /* the same processes in the same order */
	MRT_SIMILAR = 203,   /* the same processes in another order */
	MRT_UNEQUAL = 204
};
/* Compares two communicators, intercommunicators by both groups. Local. */
int mrt_comm_compare(struct mrt_comm *a, struct mrt_comm *b,
		     enum mrt_comparison *result);

/* Attach a pointer to a communicator and return it: NULL at first and for an
 * invalid handle. New communicators do not inherit it. Local; any time. */
int mrt_comm_set_data(struct mrt_comm *comm, void *data);
void *mrt_comm_data(struct mrt_comm *comm);

/* ---- Intercommunicators -------------------------------------------------
 *
 * An intercommunicator joins two groups of ranks that have no member in common.
 * Each rank exchanges messages with ranks of the other, remote group; mrt_rank
 * and mrt_size refer to its own, local group.
 */

/*
 * Joins the groups of two communicators. Collective over both. Each side passes
 * its own communicator and the rank of its leader there. The leaders must be
 * able to reach each other: each passes a communicator that has both, the other
 * leader's rank in it, and a tag, the same on both sides, which keeps
 * concurrent calls apart. peer_comm, remote_leader and tag matter at the
 * leaders only. MRT_ERR_COMM: the groups overlap.
 */
int mrt_intercomm_create(struct mrt_comm *local_comm, int local_leader,
			 struct mrt_comm *peer_comm, int remote_leader, int tag,
			 struct mrt_comm **newcomm);

/* Creates a communicator of both groups. All ranks of a group pass the same
 * value of high; if one group passes 0 and the other 1, the ranks of the one
 * with 0 come first. Collective. */
int mrt_intercomm_merge(struct mrt_comm *comm, int high,
			struct mrt_comm **newcomm);

/* Returns 1 for an intercommunicator, else 0. Negative MRT_ERR_* for a bad
 * handle. Local. */
int mrt_comm_is_inter(struct mrt_comm *comm);
/* Returns the number of ranks that the caller can send to, which on an
 * intercommunicator is the size of the remote group; negative MRT_ERR_* for a
 * bad handle. Local. */
int mrt_comm_remote_size(struct mrt_comm *comm);
/* Stores a new group of these ranks, in their order. Local. */
int mrt_comm_remote_group(struct mrt_comm *comm, struct mrt_group **group);

/* ---- Groups -------------------------------------------------------------
 *
 * A group is an ordered set of processes, ranked from 0. Groups never change;
 * functions make new ones, which the caller frees. An empty result is always
 * MRT_GROUP_EMPTY, which may be freed like any other. All functions are local.
 */

/* Stores the group of a communicator; of an intercommunicator, the local one.
 */
int mrt_comm_group(struct mrt_comm *comm, struct mrt_group **group);

/* Return the number of members and the rank of the caller, MRT_UNDEFINED if it
 * is not a member, or a negative MRT_ERR_* code. */
int mrt_group_size(struct mrt_group *group);
int mrt_group_rank(struct mrt_group *group);

/* Stores in translated[i] the rank that process ranks[i] of `from` has in `to`:
 * MRT_UNDEFINED if it is not a member. MRT_PROC_NULL stays MRT_PROC_NULL. */
int mrt_group_translate_ranks(struct mrt_group *from, size_t n,
			      const int ranks[], struct mrt_group *to,
			      int translated[]);

/* Stores MRT_IDENT if members and order are the same, MRT_SIMILAR if only the
 * members are, else MRT_UNEQUAL. */
int mrt_group_compare(struct mrt_group *a, struct mrt_group *b,
		      enum mrt_comparison *result);

/* All of a, followed by the members of b that are not in a. */
int mrt_group_union(struct mrt_group *a, struct mrt_group *b,
		    struct mrt_group **newgroup);
/* The members of a that are in b; those that are not. */
int mrt_group_intersection(struct mrt_group *a, struct mrt_group *b,
			   struct mrt_group **newgroup);
int mrt_group_difference(struct mrt_group *a, struct mrt_group *b,
			 struct mrt_group **newgroup);

/* The members listed, in the order of the list; all but those listed. Fails
 * with MRT_ERR_RANK if one is not in the group or is listed twice. */
int mrt_group_incl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup);
int mrt_group_excl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup);

/* Like incl and excl for ranges {first, last, stride}: first, first + stride
 * and so on up, or with a negative stride down, to last. MRT_ERR_ARG: the
 * stride does not lead there. */
int mrt_group_range_incl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup);
int mrt_group_range_excl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup);

/* Frees *group and sets it to MRT_GROUP_NULL. */
int mrt_group_free(struct mrt_group **group);

/* ---- Types: more layouts ------------------------------------------------
 *
 * Like those of mrt.h, these functions are local and may be called at any time.
 * "h" in a name means that strides and displacements are in bytes; otherwise
 * they are in elements of oldtype.
 */

int mrt_type_hvector(size_t count, size_t blocklength, ptrdiff_t stride,
		     struct mrt_type *oldtype, struct mrt_type **newtype);

/* Make `count` blocks of blocklengths[i] elements that begin at displs[i]. */
int mrt_type_indexed(size_t count, const size_t blocklengths[],
		     const ptrdiff_t displs[], struct mrt_type *oldtype,
		     struct mrt_type **newtype);
int mrt_type_hindexed(size_t count, const size_t blocklengths[],
		      const ptrdiff_t displs[], struct mrt_type *oldtype,
		      struct mrt_type **newtype);
/* Like mrt_type_indexed, with blocks that all have `blocklength` elements. */
int mrt_type_indexed_block(size_t count, size_t blocklength,
			   const ptrdiff_t displs[], struct mrt_type *oldtype,
			   struct mrt_type **newtype);
int mrt_type_hindexed_block(size_t count, size_t blocklength,
			    const ptrdiff_t displs[], struct mrt_type *oldtype,
			    struct mrt_type **newtype);

enum mrt_distribution {
	MRT_DISTRIBUTE_NONE = 16,
	MRT_DISTRIBUTE_BLOCK = 17,
	MRT_DISTRIBUTE_CYCLIC = 18,
	MRT_DISTRIBUTE_DFLT_DARG = 19
};
/* The part of `rank` in an array gsizes[] that is distributed over a row-major
 * grid psizes[] of `size` processes, dimension i by distribs[i] in blocks of
 * dargs[i] elements. See MPI_Type_create_darray. */
int mrt_type_darray(int size, int rank, int ndims, const size_t gsizes[],
		    const int distribs[], const int dargs[], const int psizes[],
		    enum mrt_order order, struct mrt_type *oldtype,
		    struct mrt_type **newtype);

/* A copy of oldtype, committed if oldtype is. */
int mrt_type_dup(struct mrt_type *oldtype, struct mrt_type **newtype);

/* ---- Types: what they consist of ---------------------------------------- */

/* Store lower bound and extent of a type; the "true" ones are those of the data
 * alone, whatever mrt_type_resized has set. Any time. */
int mrt_type_extent(struct mrt_type *type, ptrdiff_t *lb, ptrdiff_t *extent);
int mrt_type_true_extent(struct mrt_type *type, ptrdiff_t *lb,
			 ptrdiff_t *extent);
/* Stores whether a type is committed, and whether it is dense, so that elements
 * in a row look the same in memory and packed. Either may be NULL. Any time. */
int mrt_type_traits(struct mrt_type *type, int *committed, int *dense);

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
	MRT_COMBINER_F90_REAL = 113,
	MRT_COMBINER_F90_COMPLEX = 114,
	MRT_COMBINER_F90_INTEGER = 115,
	MRT_COMBINER_RESIZED = 116
};

/* Stores the type of Fortran's real, complex or integer numbers (combiner is
 * MRT_COMBINER_F90_*) of the smallest kind that has this decimal precision and
 * range; one of the two may be MRT_UNDEFINED, and precision is ignored for
 * integers. The same arguments yield the same type, which is like a predefined
 * one, but for its envelope: the values are the arguments, and the type is the
 * predefined one. MRT_ERR_ARG: no kind is large enough. Any time. */
int mrt_type_f90(enum mrt_combiner combiner, int precision, int range,
		 struct mrt_type **newtype);

/* Sets the bytes of Fortran's default INTEGER and LOGICAL, 4 or 8 each and 4
 * before: of MRT_INTEGER, both parts of MRT_2INTEGER, and MRT_LOGICAL. Types
 * made of these keep their sizes. MRT_ERR_ARG: other sizes. Any time. */
int mrt_type_set_fortran(size_t integer, size_t logical);

/* Stores which function made the type and how many values and types it was
 * given. Each pointer may be NULL. Any time. */
int mrt_type_envelope(struct mrt_type *type, enum mrt_combiner *combiner,
		      size_t *nvalues, size_t *ntypes);

/* Stores the values and types that this function was given, values in the order
 * of its parameters and arrays element by element; the length of an array is
 * the count or ndims before it. Derived types are returned as new handles for
 * the caller to free. MRT_ERR_ARG: the type is predefined, or max_values or
 * max_types is less than the envelope says. Any time. */
int mrt_type_contents(struct mrt_type *type, size_t max_values,
		      size_t max_types, ptrdiff_t values[],
		      struct mrt_type *types[]);

/* Makes a type of blocks (MRT_COMBINER_INDEXED to MRT_COMBINER_STRUCT) of what
 * mrt_type_contents stores. Takes over the values, a block of malloc, even if
 * it fails. Any time. */
int mrt_type_blocks(enum mrt_combiner combiner, ptrdiff_t *values,
		    struct mrt_type *const types[], struct mrt_type **newtype);

/* Attach a pointer to any type, predefined ones included, and return it. It is
 * NULL at first and in types derived from this one. Any time. */
int mrt_type_set_data(struct mrt_type *type, void *data);
void *mrt_type_data(struct mrt_type *type);

/* Attach a number to a derived type and return it. mrt_type_contents copies it
 * to the handles it returns. It is 0 at first and for predefined types. Any
 * time. */
int mrt_type_set_form(struct mrt_type *type, int form);
int mrt_type_form(struct mrt_type *type);

/* ---- Packing ------------------------------------------------------------ */

/*
 * mrt_pack writes the data of `count` elements without gaps to
 * outbuf + *position and moves *position past them; mrt_unpack is the
 * inverse. Packed data may be unpacked piecewise and with other types of the
 * same basic elements. MRT_ERR_TRUNCATE: outsize bytes are too few to hold it,
 * or insize bytes do not contain it. mrt_pack_size stores the bytes that
 * `count` elements take. Local; any time.
 */
int mrt_pack(const void *inbuf, size_t count, struct mrt_type *type,
	     void *outbuf, size_t outsize, size_t *position);
int mrt_unpack(const void *inbuf, size_t insize, size_t *position, void *outbuf,
	       size_t count, struct mrt_type *type);
int mrt_pack_size(size_t count, struct mrt_type *type, size_t *size);

/* Like mrt_pack and its pair, in MPI's portable "external32" representation. */
int mrt_pack_external(const void *inbuf, size_t count, struct mrt_type *type,
		      void *outbuf, size_t outsize, size_t *position);
int mrt_unpack_external(const void *inbuf, size_t insize, size_t *position,
			void *outbuf, size_t count, struct mrt_type *type);
int mrt_pack_external_size(size_t count, struct mrt_type *type, size_t *size);

/* Like mrt_get_count in basic elements, of which derived types and pairs of a
 * value and an index have several; and the inverse, which sets what
 * mrt_get_elements returns. Local; any time. */
int mrt_get_elements(const struct mrt_status *status, struct mrt_type *type,
		     size_t *elements);
int mrt_set_elements(struct mrt_status *status, struct mrt_type *type,
		     size_t elements);

/* ---- Point to point: other kinds of sends and receives ------------------ */

/* Synchronous sends complete only after the matching receive has started. */
int mrt_ssend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm);
int mrt_issend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request);

/*
 * Buffered sends copy the message and are complete when they return, whatever
 * the receiver does. The copy takes its length and MRT_BSEND_OVERHEAD bytes of
 * the attached buffer until the message has left. MRT_ERR_BUFFER: no buffer is
 * attached, or not enough of it became free within 0.2 s.
 */
#define MRT_BSEND_OVERHEAD 512
#define MRT_BUFFER_AUTOMATIC ((void *)2)
int mrt_bsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm);
int mrt_ibsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request);

/*
 * A buffer of buffered sends: that of the process; that of a communicator,
 * which its messages use instead while memory is attached to it; or one that
 * communicators share, which begins as zeros and stays until they are freed:
 * those made of a group that shares it, or of one of them, if they have none of
 * their own. Of two groups the first one's counts, if any.
 */
struct mrt_buffer {
	void *at; /* NULL: no memory is attached */
	size_t bytes;
	struct mrt_comm *comm; /* libmrt's: whose it is, */
	void *newest;	       /* of the messages in it, */
	size_t unsent;	       /* and how many have not left */
};
#define MRT_BUFFER_PROCESS ((struct mrt_buffer *)3)
/* Stores the communicator's, which is there as long as it. */
int mrt_comm_buffer(struct mrt_comm *comm, struct mrt_buffer **b);
int mrt_group_share_buffer(struct mrt_group *group, struct mrt_buffer *b);

/* Attaches memory, which libmrt borrows until it is detached; with
 * MRT_BUFFER_AUTOMATIC libmrt allocates what it needs. MRT_ERR_BUFFER: memory
 * is attached already. */
int mrt_buffer_attach(struct mrt_buffer *b, void *buf, size_t bytes);
/* Waits until all messages in the buffer have left and gives its memory back.
 * MRT_ERR_BUFFER: none is attached. */
int mrt_buffer_detach(struct mrt_buffer *b, void **buf, size_t *bytes);
/* Waits until all messages in the buffer have left, like mrt_finalize. */
int mrt_buffer_flush(struct mrt_buffer *b);
/* Like mrt_buffer_flush without blocking: the request is complete when the
 * messages that were in the buffer have left. */
int mrt_buffer_iflush(struct mrt_buffer *b, struct mrt_request **request);

/*
 * Send the bytes of n pieces of memory as one message, which is received like
 * any other. n and the length of a piece may be 0. The list may be reused at
 * return, the pieces when the send is complete. If the message is long and its
 * pieces are at least MRT_GATHER_MIN bytes on average, the fabric gathers them;
 * otherwise libmrt copies them.
 */
int mrt_sendv(const struct iovec *iov, int n, int dest, int tag,
	      struct mrt_comm *comm);
int mrt_isendv(const struct iovec *iov, int n, int dest, int tag,
	       struct mrt_comm *comm, struct mrt_request **request);
/* Replaces MRT_GATHER_MIN for the sends of this rank from now on. */
int mrt_set_gather_min(size_t bytes);

/* Nonblocking mrt_sendrecv; its status is that of the receive. */
int mrt_isendrecv(const void *sendbuf, size_t sendcount,
		  struct mrt_type *sendtype, int dest, int sendtag,
		  void *recvbuf, size_t recvcount, struct mrt_type *recvtype,
		  int source, int recvtag, struct mrt_comm *comm,
		  struct mrt_request **request);

/* Like mrt_sendrecv: the message received replaces the one sent. */
int mrt_sendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			 int dest, int sendtag, int source, int recvtag,
			 struct mrt_comm *comm, struct mrt_status *status);
int mrt_isendrecv_replace(void *buf, size_t count, struct mrt_type *type,
			  int dest, int sendtag, int source, int recvtag,
			  struct mrt_comm *comm, struct mrt_request **request);

/*
 * Matched probes are like mrt_probe and mrt_iprobe but also take the message
 * out of matching: no other receive or probe in any thread finds it, and only
 * mrt_mrecv or mrt_imrecv of *message receives it. MRT_PROC_NULL as source
 * yields MRT_MESSAGE_NO_PROC, which can be received as well.
 */
int mrt_mprobe(int source, int tag, struct mrt_comm *comm,
	       struct mrt_message **message, struct mrt_status *status);
int mrt_improbe(int source, int tag, struct mrt_comm *comm, int *flag,
		struct mrt_message **message, struct mrt_status *status);
/* Receive a message of a matched probe like mrt_recv and mrt_irecv, and set
 * *message to MRT_MESSAGE_NULL. MRT_ERR_REQUEST: it is not a message. */
int mrt_mrecv(void *buf, size_t count, struct mrt_type *type,
	      struct mrt_message **message, struct mrt_status *status);
int mrt_imrecv(void *buf, size_t count, struct mrt_type *type,
	       struct mrt_message **message, struct mrt_request **request);

/* ---- Persistent requests ------------------------------------------------
 *
 * An *_init function describes an operation and makes an inactive request.
 * mrt_start begins the operation, with what the buffer holds at that moment; a
 * wait or test completes it and leaves the request inactive, to be started
 * again. mrt_request_free frees it. Waits and tests treat an inactive request
 * like MRT_REQUEST_NULL.
 */
int mrt_send_init(const void *buf, size_t count, struct mrt_type *type,
		  int dest, int tag, struct mrt_comm *comm,
		  struct mrt_request **request);
int mrt_ssend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_bsend_init(const void *buf, size_t count, struct mrt_type *type,
		   int dest, int tag, struct mrt_comm *comm,
		   struct mrt_request **request);
int mrt_recv_init(void *buf, size_t count, struct mrt_type *type, int source,
		  int tag, struct mrt_comm *comm, struct mrt_request **request);

/*
 * Partitioned communication: a message of `partitions` parts, each of `count`
 * elements, whose parts are sent one by one, in any order and by any thread, as
 * soon as the caller says that they are ready. The calls make inactive
 * requests; mrt_start begins a message, of which no part is ready. The requests
 * of two ranks match each other and nothing else, once, by communicator and tag
 * in the order of these calls. Neither waits for the other rank. The two sides
 * may differ in the number of partitions, but not in the bytes of the message:
 * the receive then ends with MRT_ERR_TRUNCATE. MRT_ERR_ARG: no partitions. An
 * active request can neither be cancelled nor freed.
 */
int mrt_psend_init(const void *buf, int partitions, size_t count,
		   struct mrt_type *type, int dest, int tag,
		   struct mrt_comm *comm, struct mrt_request **request);
/* source is a rank or MRT_PROC_NULL, tag is not MRT_ANY_TAG. */
int mrt_precv_init(void *buf, int partitions, size_t count,
		   struct mrt_type *type, int source, int tag,
		   struct mrt_comm *comm, struct mrt_request **request);
/* Say that partitions may be sent: one, low to high, or those listed. If one
 * does not exist or is ready already (MRT_ERR_ARG), none is sent.
 * MRT_ERR_REQUEST: it is no partitioned send that has been started. */
int mrt_pready(int partition, struct mrt_request *request);
int mrt_pready_range(int low, int high, struct mrt_request *request);
int mrt_pready_list(size_t n, const int partitions[],
		    struct mrt_request *request);
/* Tells whether a partition of a partitioned receive has arrived: always, if
 * the request is null or inactive. Makes progress, and does not complete the
 * request. */
int mrt_parrived(struct mrt_request *request, int partition, int *flag);

/* Start inactive requests. MRT_ERR_REQUEST: one is active or not persistent. */
int mrt_start(struct mrt_request **request);
int mrt_startall(size_t n, struct mrt_request *requests[]);

/* ---- Requests ----------------------------------------------------------- */

/*
 * "some" completes at least one request, for mrt_testsome possibly none, and
 * stores how many in *outcount, which ones in indices[] and their statuses in
 * the same order. *outcount is MRT_UNDEFINED if none was active.
 */
int mrt_waitsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[]);
int mrt_testsome(size_t n, struct mrt_request *requests[], int *outcount,
		 int indices[], struct mrt_status statuses[]);

/*
 * Report what the test of the same name would, but change neither requests nor
 * handles. "any" reports the first complete request, "all" reports statuses
 * once all are complete, "some" reports those that are.
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

/* Frees a request of any kind and sets it to MRT_REQUEST_NULL. A pending
 * operation continues and uses its buffers until it is complete, which the
 * caller is not told; mrt_finalize waits for it. */
int mrt_request_free(struct mrt_request **request);

/* Asks to cancel an operation, which must be completed all the same; the
 * status's member `cancelled` tells whether it was. A receive is cancelled if
 * nothing has matched it yet, a send if it is not complete and no receive has
 * matched it; its wait may last until the receiver calls libmrt.
 * MRT_ERR_REQUEST: a collective, or an inactive request. */
int mrt_cancel(struct mrt_request **request);

/*
 * A generalized request stands for an operation of the caller's own, which
 * waits and tests accept among others. It is complete once any thread has
 * called mrt_grequest_complete. Each function may be NULL, gets `context`, may
 * call libmrt, and returns 0 or a code that the function which called it
 * returns:
 *
 *  - query_fn sets the status, which is empty at first; called when a wait or
 *    test completes the request and by mrt_request_get_status.
 *  - free_fn frees `context`; called after query_fn when a wait or test
 *    completes the request, else by mrt_request_free or mrt_grequest_complete,
 *    whichever comes last.
 *  - cancel_fn is called by mrt_cancel; `complete` is 1 if the request is.
 */
typedef int (*mrt_grequest_query_fn)(void *context, struct mrt_status *status);
typedef int (*mrt_grequest_free_fn)(void *context);
typedef int (*mrt_grequest_cancel_fn)(void *context, int complete);
int mrt_grequest_start(mrt_grequest_query_fn query_fn,
		       mrt_grequest_free_fn free_fn,
		       mrt_grequest_cancel_fn cancel_fn, void *context,
		       struct mrt_request **request);
int mrt_grequest_complete(struct mrt_request *request);
/* Makes every wait and test of this process that finds nothing call poll_fn
 * with the request's context until the request is complete: for an operation
 * that goes on only while somebody looks after it. poll_fn may call libmrt, and
 * completes the request when it is time. Such waits do not sleep. */
typedef void (*mrt_grequest_poll_fn)(void *context);
int mrt_grequest_poll(struct mrt_request *request,
		      mrt_grequest_poll_fn poll_fn);

/* ---- Reductions on this rank -------------------------------------------- */

/* Computes inout[i] = in[i] op inout[i] for `count` elements. Local. */
int mrt_reduce_local(const void *in, void *inout, size_t count,
		     struct mrt_type *type, struct mrt_op *op);
/* Stores 1 if op is commutative, else 0. Local. */
int mrt_op_commutative(struct mrt_op *op, int *commutative);

/* ---- Variables and counters, for tools ---------------------------------- */

/* Describes the k-th MRT_ variable, counted from 0. Returns 1, or 0 past the
 * last. Any time. */
struct mrt_variable {
	const char *name, *help; /* "MRT_STATS", and what it is for */
	char value[256];	 /* "65536", "no"; longer text is cut */
	char range[128];	 /* "0..16384", "no|yes", "text" */
};
int mrt_variable(int k, struct mrt_variable *variable);

/* Stores the first `room` counters of the caller and returns how many there
 * are: the same ones in every call, none without the runtime. Any time. */
struct mrt_counter {
	uint64_t value;
	int level;		 /* 1 if the value may fall again */
	char group[8], name[40]; /* "p2p", "eager messages" */
};
int mrt_counters(struct mrt_counter counters[], int room);

/* ---- Algorithms --------------------------------------------------------- */

/* Sets the algorithm of a collective ("allreduce") on all communicators from
 * now on: a name, perhaps with an argument, as the variable MRT_ALLREDUCE takes
 * it; NULL lets libmrt choose. All ranks must call it between the same two
 * collectives, and it may wait for them. Pending collectives and persistent
 * requests do not change. */
int mrt_set_algorithm(const char *collective, const char *name);

/* Returns the k-th algorithm of a collective, counted from 0, or NULL if there
 * are fewer. *argument gets the default of the number that may follow the name
 * after a colon, 0 if none may. Any time. */
const char *mrt_algorithm_name(const char *collective, int k, size_t *argument);

/*
 * Stores in name[len] the algorithm that a call on comm with blocks of `bytes`
 * bytes uses, for root 0 and sums of doubles: "ring", "chain:65536", or
 * "direct" for shared memory without messages. MRT_ERR_ARG: there is no such
 * collective, or the name does not fit. Local.
 */
int mrt_chosen_algorithm(const char *collective, size_t bytes,
			 struct mrt_comm *comm, char *name, size_t len);
/* Returns the medium of mrt-tune(1) by whose model it is; NULL: an error. */
const char *mrt_medium(struct mrt_comm *comm);

/* ---- Collectives: more forms --------------------------------------------
 *
 * Here are the persistent forms of the collectives of mrt.h, the nonblocking
 * forms that mrt.h leaves out, and mrt_alltoallw. Persistent requests of a
 * communicator are made in the same order on all ranks, which may wait for rank
 * 0, and may be started in different orders; a start allocates nothing.
 * Persistent, nonblocking and blocking forms do not match each other.
 */
int mrt_barrier_init(struct mrt_comm *comm, struct mrt_request **request);

int mrt_bcast_init(void *buf, size_t count, struct mrt_type *type, int root,
		   struct mrt_comm *comm, struct mrt_request **request);

int mrt_gather_init(const void *sendbuf, size_t sendcount,
		    struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		    struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		    struct mrt_request **request);
int mrt_gatherv_init(const void *sendbuf, size_t sendcount,
		     struct mrt_type *sendtype, void *recvbuf,
		     const size_t recvcounts[], const ptrdiff_t displs[],
		     struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		     struct mrt_request **request);

int mrt_scatter_init(const void *sendbuf, size_t sendcount,
		     struct mrt_type *sendtype, void *recvbuf, size_t recvcount,
		     struct mrt_type *recvtype, int root, struct mrt_comm *comm,
		     struct mrt_request **request);
int mrt_scatterv_init(const void *sendbuf, const size_t sendcounts[],
		      const ptrdiff_t displs[], struct mrt_type *sendtype,
		      void *recvbuf, size_t recvcount,
		      struct mrt_type *recvtype, int root,
		      struct mrt_comm *comm, struct mrt_request **request);

int mrt_allgather_init(const void *sendbuf, size_t sendcount,
		       struct mrt_type *sendtype, void *recvbuf,
		       size_t recvcount, struct mrt_type *recvtype,
		       struct mrt_comm *comm, struct mrt_request **request);
int mrt_allgatherv_init(const void *sendbuf, size_t sendcount,
			struct mrt_type *sendtype, void *recvbuf,
			const size_t recvcounts[], const ptrdiff_t displs[],
			struct mrt_type *recvtype, struct mrt_comm *comm,
			struct mrt_request **request);

int mrt_alltoall_init(const void *sendbuf, size_t sendcount,
		      struct mrt_type *sendtype, void *recvbuf,
		      size_t recvcount, struct mrt_type *recvtype,
		      struct mrt_comm *comm, struct mrt_request **request);
int mrt_alltoallv_init(const void *sendbuf, const size_t sendcounts[],
		       const ptrdiff_t sdispls[], struct mrt_type *sendtype,
		       void *recvbuf, const size_t recvcounts[],
		       const ptrdiff_t rdispls[], struct mrt_type *recvtype,
		       struct mrt_comm *comm, struct mrt_request **request);

/* Like mrt_alltoallv, with a type for each block, and displacements in bytes.
 */
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

int mrt_reduce_init(const void *sendbuf, void *recvbuf, size_t count,
		    struct mrt_type *type, struct mrt_op *op, int root,
		    struct mrt_comm *comm, struct mrt_request **request);

int mrt_allreduce_init(const void *sendbuf, void *recvbuf, size_t count,
		       struct mrt_type *type, struct mrt_op *op,
		       struct mrt_comm *comm, struct mrt_request **request);

int mrt_ireduce_scatter_block(const void *sendbuf, void *recvbuf,
			      size_t recvcount, struct mrt_type *type,
			      struct mrt_op *op, struct mrt_comm *comm,
			      struct mrt_request **request);
int mrt_reduce_scatter_block_init(const void *sendbuf, void *recvbuf,
				  size_t recvcount, struct mrt_type *type,
				  struct mrt_op *op, struct mrt_comm *comm,
				  struct mrt_request **request);
int mrt_ireduce_scatter(const void *sendbuf, void *recvbuf,
			const size_t recvcounts[], struct mrt_type *type,
			struct mrt_op *op, struct mrt_comm *comm,
			struct mrt_request **request);
int mrt_reduce_scatter_init(const void *sendbuf, void *recvbuf,
			    const size_t recvcounts[], struct mrt_type *type,
			    struct mrt_op *op, struct mrt_comm *comm,
			    struct mrt_request **request);

int mrt_iscan(const void *sendbuf, void *recvbuf, size_t count,
	      struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm,
	      struct mrt_request **request);
int mrt_scan_init(const void *sendbuf, void *recvbuf, size_t count,
		  struct mrt_type *type, struct mrt_op *op,
		  struct mrt_comm *comm, struct mrt_request **request);
int mrt_iexscan(const void *sendbuf, void *recvbuf, size_t count,
		struct mrt_type *type, struct mrt_op *op, struct mrt_comm *comm,
		struct mrt_request **request);
int mrt_exscan_init(const void *sendbuf, void *recvbuf, size_t count,
		    struct mrt_type *type, struct mrt_op *op,
		    struct mrt_comm *comm, struct mrt_request **request);

/* ---- Neighbourhood collectives ------------------------------------------ */

/*
 * The ranks that the caller receives from and sends to, in the order of the
 * blocks. If two ranks exchange several messages, the k-th of the sender is the
 * k-th of the receiver. A rank may be its own neighbour. MRT_PROC_NULL holds a
 * place in the order: nothing moves, and its block is left as it is. Blocks
 * have the same length where they are sent and where they are received.
 */
struct mrt_neighbors {
	int nsources;
	const int *sources; /* [nsources] ranks of comm, or MRT_PROC_NULL */
	int ndests;
	const int *dests; /* [ndests] */
	/* 1 if both lists consist of pairs, the neighbours below and above in
	 * one dimension of a grid. Then what is sent to the lower neighbour
	 * arrives from the upper one, even if both are the same rank. */
	int grid;
};

/* Send the same block to all destinations and receive one from each source. */
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

/* Send a block to each destination and receive one from each source. In the w
 * form each block has its own type, and displacements are in bytes. */
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

/* ---- One-sided communication -------------------------------------------- */

/*
 * A window is memory of each rank of a communicator that the others put to, get
 * from and accumulate into. Everything is as in MPI (MPI 4.1, chapter 12); the
 * memory model is the unified one. Where all ranks of a node have mapped the
 * memory, operations are loads, stores and atomics of the CPU; else the device
 * of the fabric reads and writes, and the target's calls of libmrt accumulate;
 * integers of 8 bytes, and locks, are the device's if it joins all ranks.
 *
 * Calls on a window return MRT_ERR_WIN for an invalid handle. An operation
 * that fails later makes the next call that completes it return its error.
 */
struct mrt_win;
#define MRT_WIN_NULL ((struct mrt_win *)0x110)

enum mrt_win_flavor {
	MRT_WIN_CREATE = 311,
	MRT_WIN_ALLOCATE = 312,
	MRT_WIN_DYNAMIC = 313,
	MRT_WIN_SHARED = 314
};

/* A rank's part of a window. */
struct mrt_win_info {
	enum mrt_win_flavor flavor;
	void *base;
	size_t bytes;
	size_t unit; /* bytes of a displacement */
};

/*
 * Each creates a window; collective over comm, which must not be an
 * intercommunicator, and blocking. unit: displacements of the others are
 * multiplied by it, > 0. mrt_win_create exposes the caller's memory, which must
 * stay until mrt_win_free; mrt_win_allocate allocates `bytes` bytes and stores
 * their address in *base; mrt_win_allocate_shared does so in memory that all
 * ranks load from and store to (mrt_win_shared), one piece in the order of
 * ranks if contiguous; MRT_ERR_SHARED: the ranks are not all on one node.
 * mrt_win_create_dynamic creates a window without memory.
 */
int mrt_win_create(void *base, size_t bytes, size_t unit, struct mrt_comm *comm,
		   struct mrt_win **win);
int mrt_win_allocate(size_t bytes, size_t unit, struct mrt_comm *comm,
		     void **base, struct mrt_win **win);
int mrt_win_allocate_shared(size_t bytes, size_t unit, int contiguous,
			    struct mrt_comm *comm, void **base,
			    struct mrt_win **win);
int mrt_win_create_dynamic(struct mrt_comm *comm, struct mrt_win **win);

/* Frees a window and memory that it has allocated, and sets *win to
 * MRT_WIN_NULL; collective and blocking. MRT_ERR_EPOCH: an epoch other than
 * that of mrt_win_fence is open. */
int mrt_win_free(struct mrt_win **win);
/* Like mrt_alloc, but memory that is used again is not zeroed. Local. */
int mrt_alloc_uncleared(size_t bytes, void **ptr);

/* Make memory accessible in a dynamic window, where its address is its
 * displacement, and take it back. Local. Regions that adjoin are one range.
 * MRT_ERR_RANGE: it overlaps with attached memory, or none is attached here. */
int mrt_win_attach(struct mrt_win *win, void *base, size_t bytes);
int mrt_win_detach(struct mrt_win *win, const void *base);

/* Store what is known of a window: of the caller's memory, and of a rank's at
 * an address of the caller, or NULL and 0 bytes if it is not mapped here (rank
 * MRT_PROC_NULL: the first with memory). MRT_ERR_WIN: it is dynamic. Local. */
int mrt_win_describe(struct mrt_win *win, struct mrt_win_info *info);
int mrt_win_shared(struct mrt_win *win, int rank, struct mrt_win_info *info);
/* Creates the group of the window's ranks. Local. */
int mrt_win_group(struct mrt_win *win, struct mrt_group **group);
/* Like mrt_comm_set_data and mrt_comm_data. */
int mrt_win_set_data(struct mrt_win *win, void *data);
void *mrt_win_data(struct mrt_win *win);

/* The memory of a target: elements of a type at a displacement in units of the
 * target. The type's data must be as many bytes as the origin's. */
struct mrt_target {
	int rank; /* MRT_PROC_NULL: the operation does nothing */
	ptrdiff_t disp;
	size_t count;
	struct mrt_type *type;
};

/*
 * Start an operation on a target in an access epoch. The origin's buffers must
 * stay until the epoch ends, a flush, or the request: unless `request` is NULL
 * it gets one, which completes when the operation has completed at both ends.
 * The target is locked if need be, for which a call may block. op: predefined,
 * or MRT_REPLACE, or, where a result is fetched, MRT_NO_OP. Accumulates of the
 * same type are atomic for each element, and those of one origin on one element
 * happen in order. MRT_ERR_EPOCH, MRT_ERR_RANGE.
 */
int mrt_put(const void *from, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request);
int mrt_get(void *to, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request);
int mrt_accumulate(const void *from, size_t count, struct mrt_type *type,
		   const struct mrt_target *target, struct mrt_op *op,
		   struct mrt_win *win, struct mrt_request **request);
/* Also fetches the former value of the target to result_count elements of
 * result_type at result. With MRT_NO_OP `from` is not used. */
int mrt_get_accumulate(const void *from, size_t count, struct mrt_type *type,
		       void *result, size_t result_count,
		       struct mrt_type *result_type,
		       const struct mrt_target *target, struct mrt_op *op,
		       struct mrt_win *win, struct mrt_request **request);
/* Stores *from in the target's element if that equals *compare, and its former
 * value in *result in any case. Integers, logical types and bytes. */
int mrt_compare_swap(const void *from, const void *compare, void *result,
		     struct mrt_type *type, int rank, ptrdiff_t disp,
		     struct mrt_win *win);

/* Assertions that a caller makes of an epoch, one bit each. */
enum mrt_win_assert {
	MRT_WIN_NOCHECK = 1024,
	MRT_WIN_NOPRECEDE = 2048,
	MRT_WIN_NOPUT = 4096,
	MRT_WIN_NOSTORE = 8192,
	MRT_WIN_NOSUCCEED = 16384
};

/* Completes all operations on the window; collective and blocking. The next
 * epoch begins, unless MRT_WIN_NOSUCCEED is set. */
int mrt_win_fence(int assertion, struct mrt_win *win);

/* Epochs of the ranks of a group. mrt_win_post exposes the caller's memory to
 * the group and returns at once; mrt_win_start waits until all ranks of its
 * group have done so; mrt_win_complete ends the access, when all operations are
 * complete; mrt_win_wait waits until all have called it, and mrt_win_test says
 * in *flag whether they have. */
int mrt_win_post(struct mrt_group *group, int assertion, struct mrt_win *win);
int mrt_win_start(struct mrt_group *group, int assertion, struct mrt_win *win);
int mrt_win_complete(struct mrt_win *win);
int mrt_win_wait(struct mrt_win *win);
int mrt_win_test(struct mrt_win *win, int *flag);

/* Begin and end access to one rank, exclusive or shared with others that lock
 * it shared, and shared access to all. Locks are granted in order. Blocking. */
int mrt_win_lock(int exclusive, int rank, int assertion, struct mrt_win *win);
int mrt_win_unlock(int rank, struct mrt_win *win);
int mrt_win_lock_all(int assertion, struct mrt_win *win);
int mrt_win_unlock_all(struct mrt_win *win);
/* Completes all operations on a rank, or, for MRT_ANY_SOURCE, on all ranks, at
 * both ends. Blocking. */
int mrt_win_flush(int rank, struct mrt_win *win);
/* Orders the caller's loads and stores around it; makes progress. Local. */
int mrt_win_sync(struct mrt_win *win);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
