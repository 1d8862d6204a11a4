/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.c: the last rank computes for some seconds after mrt_init, while all
 * others have sent it their first message. Usage: late SECONDS [INTEGERS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "mrt.h"

enum { MOST = 1 << 20 };
static int data[MOST];

/* Returns the sum of the ranks that all integers of their messages name. */
static int collect(int n, int count, double seconds)
{
	double until = mrt_wtime() + seconds;
	int sum = 0;

	while (mrt_wtime() < until)
		; /* calls nothing of libmrt that communicates */
	for (int r = 0; r < n - 1; r++) {
		mrt_recv(data, count, MRT_INT, r, 0, MRT_COMM_WORLD, NULL);
		for (int k = 0; k < count; k++)
			if (data[k] != r)
				exit(3);
		sum += r;
	}
	return sum;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 3;
	int me, n, count = argc > 2 ? atoi(argv[2]) : 1;

	if (count < 1 || count > MOST)
		return 64;
	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	for (int k = 0; k < count; k++)
		data[k] = me;
	if (me < n - 1)
		mrt_send(data, count, MRT_INT, n - 1, 0, MRT_COMM_WORLD);
	else
		printf("sum %d\n", collect(n, count, seconds));
	return mrt_finalize();
}
