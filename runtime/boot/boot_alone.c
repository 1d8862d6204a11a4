/* SPDX-License-Identifier: Apache-2.0 */
/* boot_alone.c: a program that finds no way to its launcher is a job of one
 * rank, and N such jobs look like one of N that works. What other launchers set
 * shows that a person wanted N. */
#include "runtime/boot/boot_alone.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/log.h"

/* The variables of a launcher, and what to do there. */
static const struct launcher {
	const char *rank, *size, *advice;
} launchers[] = {
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
     "start it by srun --mpi=pmix, srun --mpi=pmi2 or mrun"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "pass the variables PMIX_* on to it, or start it by mrun"},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE",
     "start it by flux run -o pmi=simple or mrun"},
    {"PMI_RANK", "PMI_SIZE", "start it by mrun"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "start it by mrun"},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "start it by mrun"},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS",
     "pass PMI_FD or PMI_PORT on to it, or start it by mrun"},
};

void boot_alone_warn(void)
{
	for (size_t k = 0; k < sizeof(launchers) / sizeof(*launchers); k++) {
		const struct launcher *l = &launchers[k];
		const char *rank = getenv(l->rank), *size = getenv(l->size);

		if (!rank || !size || atol(size) < 2)
			continue;
		if (!strcmp(rank, "0"))
			log_warn("this is a job of one rank, one of %s: a "
				 "launcher has set %s=%s but offers neither "
				 "PMIx nor PMI-1; %s",
				 size, l->size, size, l->advice);
		return;
	}
}
