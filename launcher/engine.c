/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.c: decides which engine starts the ranks, and how many ranks go where.
 * Both are decided here so that every engine gets consistent numbers: the count
 * of ranks wherever it can be known, and a count of slots for each host.
 */

#include "launcher/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/say.h"
#include "runtime/base/env.h"

static const struct engine *const engines[] = {
    [ENGINE_SLURM] = &engine_slurm,
    [ENGINE_PRTERUN] = &engine_prterun,
    [ENGINE_MPIRUN] = &engine_mpirun,
};

int engine_slurm_nodes(void)
{
	const char *nodes = getenv("SLURM_JOB_NUM_NODES");

	if (!nodes)
		nodes = getenv("SLURM_NNODES");
	return nodes ? atoi(nodes) : 0;
}

char *engine_in_path(const char *program)
{
	const char *dirs = getenv("PATH");

	for (size_t len; dirs && *dirs; dirs += len + (dirs[len] == ':')) {
		char *path;

		len = strcspn(dirs, ":");
		if (asprintf(&path, "%.*s/%s", (int)len, dirs, program) < 0)
			return NULL;
		if (len && !access(path, X_OK))
			return path;
		free(path);
	}
	return NULL;
}

int engine_refuse(const struct engine *engine, const char *option)
{
	return say_fail(EXIT_USAGE, "%s is not available with --engine %s",
			option, engine->name);
}

static bool engine_found(const struct engine *engine)
{
	char *path = engine->find();
	bool is_there = path != NULL;

	free(path);
	return is_there;
}

/* A Slurm allocation of one node is served by mrun itself, like any other
 * single node. */
static int engine_pick(const struct options *opt)
{
	int wanted = opt->engine >= 0 ? opt->engine : env.engine;

	if (wanted != ENGINE_AUTO)
		return wanted;
	if (engine_slurm_nodes() > 1)
		return ENGINE_SLURM;
	if (!hosts_are_here(&opt->hosts))
		return engine_found(&engine_prterun) ||
			       !engine_found(&engine_mpirun)
			   ? ENGINE_PRTERUN
			   : ENGINE_MPIRUN;
	return opt->nodes > 1 ? ENGINE_SLURM : ENGINE_LOCAL;
}

/* Returns the number of nodes that the job will use; 0 if only the engine
 * knows. */
static int count_nodes(const struct options *opt, int engine)
{
	if (opt->nodes)
		return opt->nodes;
	if (opt->hosts.n)
		return opt->hosts.n;
	return engine == ENGINE_LOCAL ? 1 : engine_slurm_nodes();
}

/* Sets the slots of hosts that came without a number: --ppn if it was given, or
 * else an even share of the ranks. */
static void set_default_slots(struct options *opt, int total)
{
	struct hosts *hosts = &opt->hosts;
	bool given = false;

	for (int i = 0; i < hosts->n; i++)
		given |= hosts->v[i].slots > 0;
	for (int i = 0; i < hosts->n; i++) {
		if (opt->ppn)
			hosts->v[i].slots = opt->ppn;
		else if (!given && total)
			hosts->v[i].slots = (total + hosts->n - 1) / hosts->n;
	}
}

static bool hosts_have_slots(const struct hosts *hosts)
{
	for (int i = 0; i < hosts->n; i++)
		if (hosts->v[i].slots)
			return true;
	return false;
}

static int fit_counts(struct options *opt, int engine)
{
	struct hosts *hosts = &opt->hosts;
	int nodes = count_nodes(opt, engine), total = 0;

	if (hosts->n && nodes > hosts->n)
		return say_fail(EXIT_USAGE,
				"--nodes %d: only %d hosts are named", nodes,
				hosts->n);
	while (hosts->n > nodes)
		free(hosts->v[--hosts->n].name);
	for (int a = 0; a < opt->napps; a++)
		total += opt->apps[a].nranks;
	if (opt->ppn && nodes && total > (long)opt->ppn * nodes)
		return say_fail(EXIT_USAGE,
				"%d ranks do not fit: --ppn %d on %d node%s",
				total, opt->ppn, nodes, nodes > 1 ? "s" : "");
	set_default_slots(opt, total);
	if (total)
		return 0;
	if (opt->ppn)
		opt->apps[0].nranks = opt->ppn * nodes;
	else if (hosts->n && !opt->per_object && !opt->rankfile &&
		 (engine != ENGINE_LOCAL || hosts_have_slots(hosts)))
		opt->apps[0].nranks = hosts_slots(hosts);
	return 0;
}

/* Refuses options that need more than this node. */
static int check_local(const struct options *opt)
{
	if (opt->nodes <= 1 && hosts_are_here(&opt->hosts))
		return 0;
	return say_fail(EXIT_USAGE,
			"--engine local starts ranks on this node only");
}

/* Refuses what no engine does alike, and says what is without effect. */
static int check_engine(const struct options *opt, const struct engine *engine)
{
	for (int a = 0; engine && a < opt->napps; a++)
		if (opt->apps[a].inherit &&
		    (!engine->inherits_all || *opt->apps[a].inherit != '*'))
			return engine_refuse(engine,
					     "-genvall, -genvlist, -genvnone");
	if (engine && opt->rankfile)
		return engine_refuse(engine, "--rankfile");
	if (opt->mca.n && (!engine || !engine->takes_mca))
		say("%s is ignored: it is for Open MPI; libmrt has MRT_* "
		    "variables (mrun --help-env)",
		    opt->mca.v[0]);
	return 0;
}

int engine_choose(struct options *opt, const struct engine **engine)
{
	int picked = engine_pick(opt), code = 0;

	*engine = engines[picked];
	if (picked == ENGINE_LOCAL)
		code = check_local(opt);
	if (!code)
		code = check_engine(opt, *engine);
	if (!code)
		code = fit_counts(opt, picked);
	if (!code && *engine && !engine_found(*engine))
		code = say_fail(EXIT_SERVICE,
				"--engine %s: %s is not installed here",
				(*engine)->name, (*engine)->install);
	return code;
}
