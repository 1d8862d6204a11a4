/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_mpirun.c: the command lines of Open MPI's mpirun (4 and 5) and of
 * PRRTE's prterun, which are cousins. They hand on the environment to ranks
 * of this node only, so each MRT_* variable is named.
 */
#include "config.h"

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

/* MPICH's mpirun has the same name, and no PMIx. */
static char *find_mpirun(void)
{
	char *path = engine_in_path("mpirun.openmpi"), line[256];
	bool is_openmpi = false;
	FILE *version;

	if (path)
		return path;
	path = engine_in_path("mpirun");
	version = path ? popen("mpirun --version 2>/dev/null", "re") : NULL;
	while (version && fgets(line, sizeof(line), version))
		is_openmpi |= strstr(line, "Open MPI") ||
			      strstr(line, "OpenRTE");
	if (version)
		pclose(version);
	if (is_openmpi)
		return path;
	free(path);
	return NULL;
}

static int add_hosts(const struct options *opt, struct args *args)
{
	char *text;

	if (!opt->hosts.n)
		return 0;
	text = hosts_text(&opt->hosts, true);
	if (!text)
		return EXIT_RESOURCE;
	args_add(args, "--host");
	args_add(args, "%s", text);
	free(text);
	return 0;
}

/* More ranks than slots are normal, as with mrun's own server. A named host
 * has its --ppn as slots already. */
static void add_placement(const struct options *opt, struct args *args,
			  bool prte)
{
	static const char *const maps[] = {
	    [MAP_AUTO] = "slot", [MAP_CORE] = "core",
	    [MAP_SLOT] = "slot", [MAP_NUMA] = "numa"};
	static const char *const binds[] = {
	    [BIND_NONE] = "none", [BIND_HWTHREAD] = "hwthread",
	    [BIND_CORE] = "core", [BIND_NUMA] = "numa",
	    [BIND_SOCKET] = "socket"};
	const char *more = prte ? ":OVERSUBSCRIBE" : "";
	bool bound = opt->bind > BIND_NONE;

	if (!prte)
		args_add(args, "--oversubscribe");
	if (opt->ppn && !opt->hosts.n) {
		args_add(args, "--map-by");
		args_add(args, "ppr:%d:node%s", opt->ppn, more);
	} else if (prte || opt->map != MAP_AUTO) {
		args_add(args, "--map-by");
		args_add(args, "%s%s", maps[opt->map], more);
	}
	if (opt->bind == BIND_AUTO)
		return;
	args_add(args, "--bind-to");
	args_add(args, "%s%s",
		 prte && opt->bind == BIND_SOCKET ? "package"
						  : binds[opt->bind],
		 bound ? ":overload-allowed" : "");
}

static void add_output(const struct options *opt, struct args *args, bool prte)
{
	if (opt->report_bindings && prte) {
		args_add(args, "--display");
		args_add(args, "bindings");
	} else if (opt->report_bindings) {
		args_add(args, "--report-bindings");
	}
	if (opt->tag_output && prte) {
		args_add(args, "--output");
		args_add(args, "tag");
	} else if (opt->tag_output) {
		args_add(args, "--tag-output");
	}
	args_add(args, "--stdin");
	if (opt->stdin_rank == STDIN_NONE)
		args_add(args, "none");
	else
		args_add(args, "%d", opt->stdin_rank);
}

static bool is_set(const struct app *app, const char *entry, size_t len)
{
	for (int i = 0; i < app->nenv; i++)
		if (!strncmp(app->env[i], entry, len + 1))
			return true;
	return false;
}

static void add_environment(const struct app *app, struct args *args)
{
	extern char **environ;

	for (char **e = environ; *e; e++) {
		size_t len = strcspn(*e, "=");

		if ((strncmp(*e, "MRT_", 4) &&
		     strncmp(*e, "LD_LIBRARY_PATH=", 16)) ||
		    is_set(app, *e, len))
			continue;
		args_add(args, "-x");
		args_add(args, "%.*s", (int)len, *e);
	}
	for (int i = 0; i < app->nenv; i++) {
		args_add(args, "-x");
		args_add(args, "%s", app->env[i]);
	}
}

static void add_app(const struct app *app, struct args *args)
{
	if (app->nranks) {
		args_add(args, "-n");
		args_add(args, "%d", app->nranks);
	}
	if (app->wdir) {
		args_add(args, "--wdir");
		args_add(args, "%s", app->wdir);
	}
	add_environment(app, args);
	args_add(args, "%s", app->path);
	args_add_all(args, app->argv + 1);
}

static int build(const struct options *opt, struct args *args, bool prte)
{
	const struct engine *engine = prte ? &engine_prterun : &engine_mpirun;
	int code;

	if (opt->output_dir)
		return engine_refuse(engine, "--output");
	if (opt->map != MAP_AUTO && opt->ppn && !opt->hosts.n)
		return engine_refuse(engine, "--map-by together with --ppn");
	if (geteuid() == 0)
		args_add(args, "--allow-run-as-root");
	code = add_hosts(opt, args);
	if (code)
		return code;
	add_placement(opt, args, prte);
	add_output(opt, args, prte);
	if (!prte && opt->verbosity == SAY_QUIET)
		args_add(args, "--quiet");
	for (int a = 0; a < opt->napps; a++) {
		if (a)
			args_add(args, ":");
		add_app(&opt->apps[a], args);
	}
	return 0;
}

static int build_prterun(const struct options *opt, struct args *args)
{
	return build(opt, args, true);
}

static int build_mpirun(const struct options *opt, struct args *args)
{
	return build(opt, args, false);
}

const struct engine engine_prterun = {
    .name = "prterun",
    .install = "prterun (PRRTE) or Open MPI's mpirun (Debian: openmpi-bin)",
    .find = find_prterun,
    .build = build_prterun,
};

const struct engine engine_mpirun = {
    .name = "mpirun",
    .install = "Open MPI's mpirun (Debian: openmpi-bin)",
    .find = find_mpirun,
    .build = build_mpirun,
};
