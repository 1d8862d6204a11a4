/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boot_info.c joins its job as libmrt does before there is a fabric, and prints
 * one line with what it learnt, so that this can be checked on nodes that no
 * fabric connects. Each rank fetches what every other rank has published.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/boot/boot.h"

static int count_peers(const struct boot_job *job)
{
	int good = 0;

	for (int r = 0; r < job->size; r++) {
		int blob[2] = {-1, -1};
		size_t len = sizeof(blob);

		if (boot_get(r, "test", blob, &len))
			continue;
		good +=
		    len == sizeof(blob) && blob[0] == r && blob[1] == job->size;
	}
	return good;
}

int main(void)
{
	static struct boot_job job;
	char err[256], list[256] = "";
	int blob[2];

	if (env_load(err, sizeof(err)) || boot_init(&job))
		return EXIT_SERVICE;
	blob[0] = job.rank;
	blob[1] = job.size;
	if (boot_put("test", blob, sizeof(blob)) || boot_fence())
		return EXIT_SERVICE;
	for (int i = 0; i < job.node_size; i++)
		sprintf(list + strlen(list), "%s%d", i ? "," : "",
			job.node_ranks[i]);
	printf("rank %d of %d, %d of %d (%s) on %s, %d nodes %s, %d peers\n",
	       job.rank, job.size, job.node_rank, job.node_size, list, job.host,
	       job.nnodes, job.nodes, count_peers(&job));
	fflush(stdout);
	return boot_finalize(&job, true) ? EXIT_INTERNAL : 0;
}
