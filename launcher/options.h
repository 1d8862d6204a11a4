/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h: the command line of mrun:
 *	mrun [options] prog args [: options prog args ...]
 *	mrun [options] --configfile FILE
 */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include <stdbool.h>

#include "launcher/cmdline.h"
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
	BIND_SOCKET,
	BIND_L3
};

enum map_by {
	MAP_AUTO, /* core */
	MAP_CORE,
	MAP_SLOT,
	MAP_NUMA,
	MAP_L3,
	MAP_SOCKET,
	MAP_HWTHREAD,
	MAP_NODE
};

/* One program of the job. Its strings belong to argv of main or to the heap. */
struct app {
	char **argv;	  /* [argc], then NULL: the program and its arguments */
	int nranks;	  /* 0: not given */
	const char *soft; /* the numbers of ranks that will do; NULL: nranks */
	const char *wdir; /* NULL: mrun's own */
	const char *search; /* folders to look for it before PATH, or NULL */
	char **env;	    /* [nenv] "VAR=value" added to the environment */
	int nenv;
	/* what it inherits of mrun's environment besides MRT_*: "A,B"; "*" or
	 * NULL: everything */
	const char *inherit;
	char *path; /* file to execute; see spawn_resolve */
};

enum { STDIN_NONE = -1 };

struct options {
	struct app *apps;
	int napps;
	struct app all; /* env and inherit that are set for all programs */
	const char *config_file;   /* NULL, or where the programs are */
	struct cmdline file_words; /* what it says; apps refer to them */
	enum bind_to bind;
	enum map_by map;
	int per_object;	      /* ranks on each object of map; 0: not given */
	enum map_by rank_by;  /* MAP_AUTO: in the order of map */
	const char *rankfile; /* says where ranks are; NULL: those above do */
	int cpus_per_rank;    /* cores of a rank; 0: not given */
	bool hwthreads;	      /* a hardware thread counts as a core */
	struct cmdline mca;   /* what only Open MPI knows */
	bool report_bindings, tag_output, no_aggregate;
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
int options_parse(char **argv, struct options *o);
#endif
