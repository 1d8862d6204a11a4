/* SPDX-License-Identifier: Apache-2.0 */
/*
 * early.c: rank 0 has nothing left to do and calls mrt_finalize; the others
 * exchange messages for SECONDS more. Usage: early SECONDS
 */
#include <stdio.h>
#include <stdlib.h>

#include "mrt.h"

/* Ranks 1 and 2 exchange messages until rank 1 ends it. */
static int talk(int me, double seconds)
{
	double until = mrt_wtime() + seconds;
	int more = 1, theirs = 1, rounds = 0;

	while (more && theirs) {
		more = me != 1 || mrt_wtime() < until;
		mrt_sendrecv(&more, 1, MRT_INT, 3 - me, 0, &theirs, 1, MRT_INT,
			     3 - me, 0, MRT_COMM_WORLD, MRT_STATUS_IGNORE);
		rounds++;
	}
	return rounds;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 3;
	int me, hello = 1;

	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	mrt_bcast(&hello, 1, MRT_INT, 0, MRT_COMM_WORLD);
	if (me > 0 && me < 3)
		printf("rank %d: %d rounds\n", me, talk(me, seconds));
	return mrt_finalize();
}
