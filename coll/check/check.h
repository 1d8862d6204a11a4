/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h: MRT_CHECK=1: do the ranks of a communicator call the same
 * collective, with arguments that fit? Before a call begins, each rank tells
 * every other one what it calls (a statement), and what it is going to send it
 * (a flow); all judge the same statements, so that all see a disagreement, in
 * the call itself, before anything of it has moved.
 *
 * The exchange is the same for every call, whatever its arguments: messages of
 * one length from each to each, numbered by the communicator's collectives,
 * which each rank counts as it calls them. What one rank sends another cannot
 * be judged by all, so where that is not the same everywhere a second exchange
 * follows, of what each has found. Nothing here waits but check_wait.
 */
#ifndef COLL_CHECK_H
#define COLL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/args/coll_args.h"
#include "p2p/comm.h"
#include "runtime/base/list.h"

enum {
	SAYS_ROOT = 1,
	SAYS_DATA = 2,	   /* bytes and signature are those of every rank */
	SAYS_IN_PLACE = 4, /* in place, where all ranks or none must be */
	SAYS_TRAFFIC = 8,  /* what goes from each to each: see struct traffic */
	SAYS_NO_PART = 16  /* a rank of the root's group, not the root */
};

/* What a rank says of its call. Travels; all of it is zero but what is set. */
struct statement {
	char name[32]; /* "mrt_iallreduce" */
	char type[32]; /* "MRT_INT"; these are for people: */
	uint64_t count;
	char op[16];	    /* "MRT_SUM"; empty: none */
	uint64_t bytes;	    /* of all elements of a block or vector, */
	uint64_t signature; /* and what they are; 0: may be anything */
	uint64_t list;	    /* counts, which a group has in common */
	int32_t root;	    /* in the communicator that runs the call */
	uint32_t flags;
};

/* All that a rank sends to another one in a call. */
struct traffic {
	uint64_t messages, bytes;
	uint64_t signature; /* 0: may be anything */
};

/* Basic elements in their order, as a number; of a number of elements. 0: bytes
 * or packed data are among them, which go with anything. */
uint64_t check_signature(struct mrt_type *type, size_t count);

/* The statement of a public call with these arguments, which are right by
 * themselves; and of one without. */
void check_describe(const char *name, enum collective collective,
		    const struct coll_args *a, const struct mrt_comm *comm,
		    struct statement *s);
struct statement check_statement(const char *name);

/*
 * Do n ranks agree, the first `low` of them another group than the rest if low
 * is not 0? False: text says who calls what.
 */
bool check_agree(const struct statement *const all[], int n, int low,
		 char *text, size_t len);

/* ---- The exchange ---------------------------------------------------------
 */

struct check;

/*
 * Of a call on comm (of an intercommunicator: its hidden one), not yet begun.
 * NULL and *rc 0: there is nobody to ask; else *rc is MRT_ERR_NO_MEM.
 */
struct check *check_create(struct mrt_comm *comm, const struct statement *s,
			   int *rc);
/* What goes to a rank of that communicator, and is expected from it: zero, if
 * nothing is added. */
struct traffic *check_to(struct check *v, int rank);
struct traffic *check_from(struct check *v, int rank);
/* Adds all that such a call moves: where SAYS_TRAFFIC. */
void check_traffic(enum collective collective, const struct coll_args *a,
		   const struct mrt_comm *comm, struct check *v);

/* Begins, and takes the call's number. `done` is called when it is over, in
 * the order of calls, from here or inside progress; NULL: nothing. */
void check_start(struct check *v, void (*done)(struct check *v, void *owner),
		 void *owner);
bool check_over(const struct check *v);
/* Who has not answered: for the report of a wait. */
void check_describe_wait(const struct check *v, char *text, size_t len);
/* Its error, which this says (proc_fail). */
int check_result(const struct check *v);
/* When it is over, or never started; also inside done. NULL is fine. */
void check_destroy(struct check *v);

/* Starts, waits and destroys: the error, or a fault. NULL: 0. */
int check_wait(struct check *v);
/* All of it, if MRT_CHECK says so, for a call that has no arguments to compare
 * but a root, unless that is negative. Of an intercommunicator or not. */
int check_call(struct mrt_comm *comm, const char *name, int root);

/* At the end. */
void check_fini(void);
#endif
