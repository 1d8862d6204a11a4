/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h: the command line of mrun:
 *	mrun [options] prog args [: options prog args ...]
 */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include <stdbool.h>

#include "launcher/hosts.h"
#include "runtime/base/error.h"

/* Exit codes of mrun besides those of error.h, as shells use them. */
enum {
	EXIT_TIMEOUT = 124,
	EXIT_CANNOT_EXEC = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL = 128 /* plus the number of the signal */
};

enum { MAX_RANKS = 65536 };

enum bind_to {
	BIND_AUTO, /* an equal share of the cores */
	BIND_NONE,
	BIND_HWTHREAD,
	BIND_CORE,
	BIND_NUMA,
	BIND_SOCKET
};

enum map_by { MAP_AUTO /* core */, MAP_CORE, MAP_SLOT, MAP_NUMA };

/* One program of the job. Its strings belong to argv of main or to the heap. */
struct app {
	char **argv;	  /* [argc], then NULL: the program and its arguments */
	int nranks;	  /* 0: not given */
	const char *wdir; /* NULL: mrun's own */
	char **env;	  /* [nenv] "VAR=value" added to the environment */
	int nenv;
	char *path; /* file to execute; see spawn_resolve */
};

enum { STDIN_NONE = -1 };

struct options {
	struct app *apps;
	int napps;
	enum bind_to bind;
	enum map_by map;
	int cpus_per_rank; /* cores of a rank; 0: not given */
	bool report_bindings, tag_output;
	const char *output_dir; /* NULL: to mrun's own stdout and stderr */
	double timeout_s;	/* 0: none */
	int stdin_rank;		/* or STDIN_NONE */
	int verbosity;		/* SAY_* */
	struct hosts hosts;
	int nodes, ppn; /* number of nodes, ranks on each; 0: not given */
	int engine;	/* ENGINE_*, see engine.h; -1: not given */
	bool show;	/* print the engine's command line and run nothing */
	void (*help)(void); /* prints the help asked for, or NULL */
};

/* Parses the command line into *o. Returns 0, or an exit code after a message.
 * If help is set, the rest of *o is undefined. */
int options_parse(int argc, char **argv, struct options *o);
#endif
