/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_mpirun.c: the command lines of Open MPI's mpirun (4 and 5) and of
 * PRRTE's prterun, which differ little. Both pass the environment to ranks on
 * this node only, so -x names each MRT_* variable.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/engine.h"
#include "launcher/say.h"

static char *find_prterun(void)
{
	return engine_in_path("prterun");
}

static bool is_openmpi(const char *mpirun)
{
	char command[4096], line[256];
	bool is = false;
	FILE *version;

	snprintf(command, sizeof(command), "'%s' --version 2>/dev/null",
		 mpirun);
	version = access(mpirun, X_OK) ? NULL : popen(command, "re");
	while (version && fgets(line, sizeof(line), version))
		is |= strstr(line, "Open MPI") || strstr(line, "OpenRTE");
	if (version)
		pclose(version);
	return is;
}

/* Returns Open MPI's mpirun: others have the same name, mrun itself among
 * them, but no PMIx for several nodes. */
static char *find_mpirun(void)
{
	char *path = engine_in_path("mpirun.openmpi");
	const char *dirs = getenv("PATH");

	for (size_t len; !path && dirs && *dirs;
	     dirs += len + (dirs[len] == ':')) {
		len = strcspn(dirs, ":");
		if (!len || asprintf(&path, "%.*s/mpirun", (int)len, dirs) < 0)
			path = NULL;
		else if (!is_openmpi(path)) {
			free(path);
			path = NULL;
		}
	}
	return path;
}

static int add_hosts(const struct options *opt, struct cmdline *args)
{
	char *text;

	if (!opt->hosts.n)
		return 0;
	text = hosts_text(&opt->hosts, true);
	if (!text)
		return EXIT_RESOURCE;
	cmdline_add(args, "--host");
	cmdline_add(args, "%s", text);
	free(text);
	return 0;
}

/* Allows more ranks than slots, as mrun does on one node. Named hosts need no
 * ppr: engine.c has already turned --ppn into their slots. */
static void add_placement(const struct options *opt, struct cmdline *args,
			  bool prte)
{
	const char *const maps[] = {[MAP_AUTO] = "slot",
				    [MAP_CORE] = "core",
				    [MAP_SLOT] = "slot",
				    [MAP_NUMA] = "numa",
				    [MAP_L3] = "l3cache",
				    [MAP_SOCKET] = prte ? "package" : "socket",
				    [MAP_HWTHREAD] = "hwthread",
				    [MAP_NODE] = "node"};
	static const char *const binds[] = {
	    [BIND_NONE] = "none",     [BIND_HWTHREAD] = "hwthread",
	    [BIND_CORE] = "core",     [BIND_NUMA] = "numa",
	    [BIND_SOCKET] = "socket", [BIND_L3] = "l3cache"};
	const char *more = !prte	    ? ""
			   : opt->hwthreads ? ":OVERSUBSCRIBE:HWTCPUS"
					    : ":OVERSUBSCRIBE";
	bool bound = opt->bind > BIND_NONE;
	char cpus[24] = "";

	if (opt->cpus_per_rank)
		snprintf(cpus, sizeof(cpus), ":PE=%d", opt->cpus_per_rank);
	if (!prte)
		cmdline_add(args, "--oversubscribe");
	if (!prte && opt->hwthreads)
		cmdline_add(args, "--use-hwthread-cpus");
	if (opt->ppn && !opt->hosts.n) {
		cmdline_add(args, "--map-by");
		cmdline_add(args, "ppr:%d:node%s%s", opt->ppn, cpus, more);
	} else if (opt->per_object) {
		cmdline_add(args, "--map-by");
		cmdline_add(args, "ppr:%d:%s%s%s", opt->per_object,
			    maps[opt->map], cpus, more);
	} else if (prte || *cpus || opt->map != MAP_AUTO) {
		cmdline_add(args, "--map-by");
		cmdline_add(args, "%s%s%s", maps[opt->map], cpus, more);
	}
	if (opt->rank_by != MAP_AUTO) {
		cmdline_add(args, "--rank-by");
		cmdline_add(args, "%s", maps[opt->rank_by]);
	}
	if (opt->bind == BIND_AUTO)
		return;
	cmdline_add(args, "--bind-to");
	cmdline_add(args, "%s%s",
		    prte && opt->bind == BIND_SOCKET ? "package"
						     : binds[opt->bind],
		    bound ? ":overload-allowed" : "");
}

static void add_output(const struct options *opt, struct cmdline *args,
		       bool prte)
{
	if (opt->report_bindings && prte) {
		cmdline_add(args, "--display");
		cmdline_add(args, "bindings");
	} else if (opt->report_bindings) {
		cmdline_add(args, "--report-bindings");
	}
	if (opt->tag_output && prte) {
		cmdline_add(args, "--output");
		cmdline_add(args, "tag");
	} else if (opt->tag_output) {
		cmdline_add(args, "--tag-output");
	}
	cmdline_add(args, "--stdin");
	if (opt->stdin_rank == STDIN_NONE)
		cmdline_add(args, "none");
	else
		cmdline_add(args, "%d", opt->stdin_rank);
}

static bool is_set(const struct app *app, const char *entry, size_t len)
{
	for (int i = 0; i < app->nenv; i++)
		if (!strncmp(app->env[i], entry, len + 1))
			return true;
	return false;
}

static void add_environment(const struct app *app, struct cmdline *args)
{
	extern char **environ;

	for (char **e = environ; *e; e++) {
		size_t len = strcspn(*e, "=");

		if ((strncmp(*e, "MRT_", 4) &&
		     strncmp(*e, "LD_LIBRARY_PATH=", 16)) ||
		    is_set(app, *e, len))
			continue;
		cmdline_add(args, "-x");
		cmdline_add(args, "%.*s", (int)len, *e);
	}
	for (int i = 0; i < app->nenv; i++) {
		cmdline_add(args, "-x");
		cmdline_add(args, "%s", app->env[i]);
	}
}

static void add_app(const struct app *app, struct cmdline *args)
{
	if (app->nranks) {
		cmdline_add(args, "-n");
		cmdline_add(args, "%d", app->nranks);
	}
	if (app->wdir) {
		cmdline_add(args, "--wdir");
		cmdline_add(args, "%s", app->wdir);
	}
	add_environment(app, args);
	cmdline_add(args, "%s", app->path);
	cmdline_add_all(args, app->argv + 1);
}

static int engine_mpirun_build(const struct options *opt, struct cmdline *args,
			       bool prte)
{
	const struct engine *engine = prte ? &engine_prterun : &engine_mpirun;
	int code;

	if (opt->output_dir)
		return engine_refuse(engine, "--output");
	if (opt->map != MAP_AUTO && opt->ppn && !opt->hosts.n)
		return engine_refuse(engine, "--map-by together with --ppn");
	if (prte && opt->rank_by != MAP_AUTO && opt->rank_by != MAP_SLOT &&
	    opt->rank_by != MAP_NODE)
		return engine_refuse(engine, "--rank-by of an object");
	if (geteuid() == 0)
		cmdline_add(args, "--allow-run-as-root");
	code = add_hosts(opt, args);
	if (code)
		return code;
	if (opt->mca.n)
		cmdline_add_all(args, opt->mca.v);
	add_placement(opt, args, prte);
	add_output(opt, args, prte);
	if (!prte && opt->verbosity == SAY_QUIET)
		cmdline_add(args, "--quiet");
	for (int a = 0; a < opt->napps; a++) {
		if (a)
			cmdline_add(args, ":");
		add_app(&opt->apps[a], args);
	}
	return 0;
}

static int build_prterun(const struct options *opt, struct cmdline *args)
{
	return engine_mpirun_build(opt, args, true);
}

static int build_mpirun(const struct options *opt, struct cmdline *args)
{
	return engine_mpirun_build(opt, args, false);
}

const struct engine engine_prterun = {
    .name = "prterun",
    .install = "prterun (PRRTE) or Open MPI's mpirun (Debian: openmpi-bin)",
    .takes_mca = true,
    .find = find_prterun,
    .build = build_prterun,
};

const struct engine engine_mpirun = {
    .name = "mpirun",
    .install = "Open MPI's mpirun (Debian: openmpi-bin)",
    .takes_mca = true,
    .find = find_mpirun,
    .build = build_mpirun,
};
