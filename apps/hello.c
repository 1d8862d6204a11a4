/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c: mrt-hello, the smallest useful program: each rank says who it is. */
#include "apps/common/app.h"

#include <mrt.h>
#include <stdio.h>

static const struct app_options options = {
    .program = "mrt-hello",
    .usage = "Usage: mrun -n N mrt-hello\n"
	     "Each rank says who and where it is.\n\n"
	     "  -h, --help     print this text\n"
	     "  -V, --version  print the version\n"};

int main(int argc, char **argv)
{
	char host[MRT_PROCESSOR_NAME_MAX];
	int code;

	mrt_init(&argc, &argv);
	code = app_parse_options(argc, argv, &options, NULL,
				 mrt_rank(MRT_COMM_WORLD) == 0);
	if (code >= 0) {
		mrt_finalize();
		return code;
	}
	mrt_processor_name(host, sizeof(host));
	printf("hello from rank %d of %d (%d of %d on %s), %s\n",
	       mrt_rank(MRT_COMM_WORLD), mrt_size(MRT_COMM_WORLD),
	       mrt_node_rank(), mrt_node_size(), host, mrt_version());
	return mrt_finalize();
}
