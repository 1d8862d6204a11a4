/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scarce_comm.c makes communicators while one rank has no memory and goes on
 * after the error: nobody may wait for it for ever.
 *
 *   scarce_comm N[+] RANK    the Nth call for memory of this rank fails (+: and
 *                            all later ones), counted after mrt_init
 *
 * After each call the ranks tell each other how it has ended: all with an error
 * or all without one. What cannot be told to the others ends the job (71).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mrt_lib.h>

#include "runtime/base/error.h"
#include "tests/system/scarce.h"

#define W MRT_COMM_WORLD
enum { MOST = 32 };

static int me, np, bad;
static bool
    missing; /* a communicator that later ones are made from is missing */
static struct mrt_comm *made[MOST];
static int nmade;

/* Returns 0, or the error if it is of one kind on all ranks; otherwise ends
 * the job. */
static int meet(const char *what, int code)
{
	int next = (me + 1) % np, last = (me + np - 1) % np;
	int mine = code != 0, theirs = 0, rc = 0;

	for (int k = 1; k < np && !rc; k++) {
		int sent = k == 1 ? mine : theirs;

		rc = mrt_sendrecv(&sent, 1, MRT_INT, next, 99, &theirs, 1,
				  MRT_INT, last, 99, W, MRT_STATUS_IGNORE);
		if (!rc && theirs != mine) {
			fprintf(stderr,
				"rank %d: %s: %s here, not everywhere\n", me,
				what, mine ? "an error" : "success");
			bad = 1;
		}
	}
	if (rc) {
		fprintf(stderr, "rank %d: %s: %s\n", me, what,
			mrt_error_string(code ? code : rc));
		exit(error_exit_code(code ? code : rc));
	}
	return code;
}

/* Takes the result of a call that makes *comm; all ranks free it when all have
 * gone on. */
static struct mrt_comm *keep(const char *what, int code, struct mrt_comm **comm)
{
	missing |= meet(what, code) != 0;
	if (code)
		return NULL;
	if (*comm != MRT_COMM_NULL)
		made[nmade++] = *comm;
	return *comm;
}
#define MAKE(call) keep(#call, (call), &c)

static void of_one_group(struct mrt_group *group)
{
	struct mrt_request *r = NULL;
	struct mrt_comm *c = NULL;
	int code;

	MAKE(mrt_comm_dup(W, &c));
	MAKE(mrt_comm_split(W, me % 2, me, &c));
	MAKE(mrt_comm_split_node(W, 0, &c));
	MAKE(mrt_comm_split_locality(W, MRT_LOCALITY_CACHE, 0, &c));
	MAKE(mrt_comm_create(W, group, &c));
	MAKE(mrt_comm_create_group(W, group, 5, &c));
	code = mrt_comm_idup(W, &c, &r);
	if (!code)
		code = mrt_wait(&r, MRT_STATUS_IGNORE);
	keep("mrt_comm_idup", code, &c);
}

/* Splits into rank 0 alone and all others. */
static void of_two_groups(void)
{
	struct mrt_comm *half, *inter, *c = NULL;
	int low = me == 0;

	half = MAKE(mrt_comm_split(W, low, 0, &c));
	if (missing)
		return;
	inter = MAKE(mrt_intercomm_create(half, 0, W, low, 7, &c));
	if (missing)
		return;
	MAKE(mrt_intercomm_merge(inter, low, &c));
	MAKE(mrt_comm_dup(inter, &c));
	MAKE(mrt_comm_split(inter, 0, 0, &c));
}

int main(int argc, char **argv)
{
	struct mrt_group *all = NULL;
	bool plus;
	int rc;

	if (argc < 3 || mrt_init(NULL, NULL))
		return 64;
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	plus = strchr(argv[1], '+');
	me = mrt_rank(W);
	np = mrt_size(W);
	if (mrt_comm_group(W, &all))
		return 1;
	scarce_kind("mem");
	if (me == atoi(argv[2]))
		scarce_arm(atol(argv[1]), plus);
	of_one_group(all);
	missing = false;
	of_two_groups();
	while (nmade)
		mrt_comm_free(&made[--nmade]);
	scarce_disarm();
	mrt_group_free(&all);
	if (me == atoi(argv[2]) && !scarce.what)
		puts("not so many calls");
	rc = mrt_finalize();
	return rc ? error_exit_code(rc) : bad;
}
