/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.c: the list of providers and the choice among them. */
#include "runtime/fabric/fabric.h"

#include <stdio.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"

const struct fab_ops *const fab_providers[] = {&sm_ops, NULL};
const struct fab_ops *const *fab_list = fab_providers;

int fab_open(const struct boot_job *job, const struct fab_sink *sink,
	     struct fab **fab)
{
	char why[256] = "";
	size_t len = 0;

	/* MRT_FABRIC is 0 for any, else a position in the list of env_defs.h,
	 * which names the providers in the order of fab_providers */
	for (int i = 0; fab_list[i]; i++) {
		const struct fab_ops *ops = fab_list[i];
		const char *reason = ops->unfit(job);

		if (env.fabric && env.fabric != i + 1)
			continue;
		if (!reason)
			return ops->open(job, sink, fab);
		if (len < sizeof(why))
			len += (size_t)snprintf(why + len, sizeof(why) - len,
						"%s%s: %s", len ? "; " : "",
						ops->name, reason);
	}
	return log_error(MRT_ERR_NO_FABRIC,
			 "no fabric connects the %d ranks on %d node(s) %s "
			 "(%s); ranks on several nodes need an RDMA device on "
			 "each and a libmrt with verbs",
			 job->size, job->nnodes, job->nodes, why);
}
