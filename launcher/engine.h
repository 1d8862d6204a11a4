/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h: an engine starts the ranks of a job on several nodes. It is an
 * existing launcher with a PMIx server on each node (srun, prterun, mpirun);
 * mrun writes its command line and runs it. Functions that return an exit code
 * have printed the reason if it is not 0. Main thread only.
 */
#ifndef LAUNCHER_ENGINE_H
#define LAUNCHER_ENGINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "launcher/cmdline.h"
#include "launcher/options.h"

/* The values of MRT_ENGINE, in the order of env_defs.h. */
enum { ENGINE_AUTO, ENGINE_LOCAL, ENGINE_SLURM, ENGINE_PRTERUN, ENGINE_MPIRUN };

struct engine {
	const char *name;
	const char *install; /* what to install if find returns NULL */
	/* Returns the path of its program (heap), or NULL if this node has
	 * none. */
	char *(*find)(void);
	/* Appends options, program and arguments. Returns EXIT_USAGE for an
	 * option that has no equivalent in this engine. */
	int (*build)(const struct options *opt, struct cmdline *args);
	/* How ranks ended is known from its stderr, not from its exit code. */
	bool tells_ends;
	/* Ranks get all variables of mrun's environment. */
	bool inherits_all;
	/* It knows --mca. */
	bool takes_mca;
	/* Ends what the engine with this pid left running when a signal killed
	 * it. NULL if its daemons do that themselves. */
	void (*end_orphans)(pid_t pid);
};

extern const struct engine engine_slurm, engine_prterun, engine_mpirun;

/*
 * Chooses by --engine, MRT_ENGINE, the hosts and the Slurm allocation, and sets
 * the numbers of ranks and slots in *opt. *engine is NULL if mrun itself starts
 * the ranks. Returns 0, EXIT_USAGE or EXIT_SERVICE.
 */
int engine_choose(struct options *opt, const struct engine **engine);

/* Returns the number of nodes of the Slurm allocation that mrun runs in; 0
 * outside of any. */
int engine_slurm_nodes(void);

/* Prints that the engine does not support this option, and returns
 * EXIT_USAGE. */
int engine_refuse(const struct engine *engine, const char *option);

/* Returns the path of the program in PATH (heap), or NULL. */
char *engine_in_path(const char *program);

/*
 * Runs the engine's command line, or prints it with --show, and returns the
 * exit code of the job. Blocks until the engine has ended. Signals are passed
 * to the engine, and --timeout ends it.
 */
int engine_run(const struct engine *engine, const struct options *opt);
#endif
