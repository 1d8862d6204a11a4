/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.h: who starts the ranks beyond one node. An engine is a launcher
 * with PMIx servers on all nodes; mrun writes its command line and runs it.
 * Main thread only.
 */
#ifndef LAUNCHER_ENGINE_H
#define LAUNCHER_ENGINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "launcher/cmdline.h"
#include "launcher/options.h"

/* As MRT_ENGINE counts them. */
enum { ENGINE_AUTO, ENGINE_LOCAL, ENGINE_SLURM, ENGINE_PRTERUN, ENGINE_MPIRUN };

struct engine {
	const char *name;
	const char *install; /* what is missing when find returns NULL */
	/* Its program (heap), or NULL: not on this node. */
	char *(*find)(void);
	/*
	 * Appends options, program and arguments. EXIT_USAGE (said) for an
	 * option that the engine has no equal of.
	 */
	int (*build)(const struct options *opt, struct cmdline *args);
	/* Its stderr tells how ranks end, its exit code does not. */
	bool tells_ends;
	/* Ends what an engine of this pid has started, which a signal has
	 * killed and nobody else ends. NULL: its daemons see it. */
	void (*end_orphans)(pid_t pid);
};

extern const struct engine engine_slurm, engine_prterun, engine_mpirun;

/*
 * Decides by --engine, MRT_ENGINE, hosts and the Slurm allocation, and fits
 * the numbers of ranks and slots in *opt to it. *engine: NULL when mrun
 * starts the ranks itself. EXIT_USAGE or EXIT_SERVICE (said).
 */
int engine_choose(struct options *opt, const struct engine **engine);

/* Nodes of the Slurm allocation that mrun runs in; 0: in none. */
int engine_slurm_nodes(void);

/* The option is not to be had: says so, returns EXIT_USAGE. */
int engine_refuse(const struct engine *engine, const char *option);

/* The path of the program (heap), or NULL. */
char *engine_in_path(const char *program);

/*
 * Runs the command line, or prints it with --show; the exit code. Signals go
 * to the engine, --timeout ends it.
 */
int engine_run(const struct engine *engine, const struct options *opt);
#endif
