/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h: with MRT_CHECK=1, the library checks that all ranks of a
 * communicator call the same collective, with arguments that match. Before a
 * call begins, each rank tells every other rank what it calls (a statement) and
 * what it is going to send to that rank (struct traffic). All ranks compare the
 * same statements, so all of them detect a mismatch, in the call itself and
 * before any of its data have moved.
 *
 * The exchange does not depend on the arguments of the call: each rank sends
 * each other rank one message of a fixed length. Each rank numbers the
 * collectives of the communicator as it calls them, and the number is in the
 * messages' tag. Only the receiver can tell whether the traffic from another
 * rank is what it expects; for calls whose traffic differs from rank to rank, a
 * second exchange therefore distributes what each rank has found. Only
 * check_wait and check_call block.
 */
#ifndef COLL_CHECK_H
#define COLL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/call/coll_args.h"
#include "p2p/comm.h"
#include "runtime/base/list.h"

enum {
	SAYS_ROOT = 1,
	SAYS_DATA = 2,	   /* bytes and signature must match at all ranks */
	SAYS_IN_PLACE = 4, /* in place, as all ranks or none must be */
	SAYS_TRAFFIC = 8,  /* struct traffic is set and compared */
	SAYS_NO_PART = 16  /* in the root's group, but not the root */
};

/* A rank's description of its call. It is sent as it is and compared with
 * memcmp, so everything that is not set is zero, padding included. */
struct statement {
	char name[32];	    /* "mrt_iallreduce" */
	char outer[32];	    /* "MPI_File_open", the call that makes it, or "" */
	char type[32];	    /* "MRT_INT"; type and count are only for texts */
	uint64_t count;	    /* elements */
	char op[16];	    /* "MRT_SUM"; empty if there is no operation */
	uint64_t bytes;	    /* of all elements of a block or vector */
	uint64_t signature; /* of these elements; 0 matches anything */
	uint64_t list;	    /* hash of the counts, which a group must share */
	int32_t root;	    /* rank in the communicator that runs the call */
	uint32_t flags;
};

/* All that a rank sends to another rank in a call. */
struct traffic {
	uint64_t messages, bytes;
	uint64_t signature; /* 0 matches anything */
};

/* Sets *s to the statement of a public call whose arguments have passed the
 * local checks (coll_args.h). */
void check_describe(const char *name, enum collective collective,
		    const struct coll_args *a, const struct mrt_comm *comm,
		    struct statement *s);
/* Returns the statement of a call without arguments. */
struct statement check_statement(const char *name);

/*
 * Tells whether the statements of n ranks match. If low is not 0, the first
 * `low` ranks are one group and the others are the second group. If the
 * statements do not match, text, of at most len bytes, tells which ranks call
 * what.
 */
bool check_match(const struct statement *const all[], int n, int low,
		 char *text, size_t len);

/* ---- The exchange -------------------------------------------------------- */

struct check;

/*
 * Creates the check of a call on comm, which is the hidden communicator for a
 * call on an intercommunicator; check_start starts it. Returns NULL with *rc 0
 * if comm has one rank, or NULL with *rc MRT_ERR_NO_MEM, which is a fault,
 * since the other ranks would wait for the statement.
 */
struct check *check_create(struct mrt_comm *comm, const struct statement *s,
			   int *rc);
/* Return the traffic to a rank of that communicator, and the traffic that is
 * expected from it. Both are zero until the caller adds to them. */
struct traffic *check_to(struct check *v, int rank);
struct traffic *check_from(struct check *v, int rank);
/* Adds all messages of a call with these arguments; for a call whose statement
 * has SAYS_TRAFFIC. */
void check_traffic(enum collective collective, const struct coll_args *a,
		   const struct mrt_comm *comm, struct check *v);

/* Starts the check and takes the call's number. Calls `done`, unless it is
 * NULL, when the check is over: in the order of the communicator's calls, from
 * this function or inside progress. */
void check_start(struct check *v, void (*done)(struct check *v, void *owner),
		 void *owner);
/* Tells whether the check is over: all ranks have answered, and all earlier
 * checks of the communicator are over. */
bool check_over(const struct check *v);
/* Writes which ranks have not answered yet, for the report of a wait. */
void check_describe_wait(const struct check *v, char *text, size_t len);
/* Returns 0, or the check's error after reporting it (proc_fail). */
int check_result(const struct check *v);
/* Destroys a check that is over or was never started; `done` may call this.
 * Takes NULL. */
void check_destroy(struct check *v);

/* Starts a check, waits for it and destroys it. Returns 0, also for NULL; or
 * the check's error, or a fault. */
int check_wait(struct check *v);
/* If MRT_CHECK is set, runs a whole check, and blocks, for a call that has no
 * arguments to compare but a root; a negative root means that it has none
 * either. comm may be an intercommunicator. */
int check_call(struct mrt_comm *comm, const char *name, int root);

/* Frees the checks that are kept for reuse; called by coll_fini. */
void check_fini(void);
#endif
