/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c: mrt-hello, the smallest useful program: each rank says who it is. */
#include <mrt.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char host[MRT_PROCESSOR_NAME_MAX];

	mrt_init(&argc, &argv);
	mrt_processor_name(host, sizeof(host));
	printf("hello from rank %d of %d (%d of %d on %s), %s\n",
	       mrt_rank(MRT_COMM_WORLD), mrt_size(MRT_COMM_WORLD),
	       mrt_node_rank(), mrt_node_size(), host, mrt_version());
	return mrt_finalize();
}
