/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.c: the last rank computes for some seconds after mrt_init, while all
 * others have sent it their first message. Usage: late SECONDS
 */
#include <stdio.h>
#include <stdlib.h>

#include "mrt.h"

static int collect(int n, double seconds)
{
	double until = mrt_wtime() + seconds;
	int sum = 0, x;

	while (mrt_wtime() < until)
		; /* calls nothing of libmrt that communicates */
	for (int r = 0; r < n - 1; r++) {
		mrt_recv(&x, 1, MRT_INT, r, 0, MRT_COMM_WORLD, NULL);
		sum += x;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int me, n;

	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	if (me < n - 1)
		mrt_send(&me, 1, MRT_INT, n - 1, 0, MRT_COMM_WORLD);
	else
		printf("sum %d\n", collect(n, argc > 1 ? atof(argv[1]) : 3));
	return mrt_finalize();
}
