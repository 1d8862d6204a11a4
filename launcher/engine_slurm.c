/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_slurm.c: the command line of srun. srun's line buffering is kept,
 * because --unbuffered would tear lines. srun passes its whole environment on,
 * MRT_* included; variables of -x are set by env(1), so that they reach the
 * ranks without changing srun.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/engine.h"
#include "launcher/say.h"

static char *engine_slurm_find(void)
{
	return engine_in_path("srun");
}

/* Returns the sum of SLURM_JOB_CPUS_PER_NODE, such as "4(x2),2"; 0 outside of
 * an allocation. */
static long allocated_cpus(void)
{
	const char *text = getenv("SLURM_JOB_CPUS_PER_NODE");
	long sum = 0;
	char *end;

	for (; text && *text; text = *end == ',' ? end + 1 : "") {
		long cpus = strtol(text, &end, 10), times = 1;

		if (!strncmp(end, "(x", 2)) {
			times = strtol(end + 2, &end, 10);
			end += *end == ')';
		}
		sum += cpus * times;
	}
	return sum;
}

/* srun balances ranks evenly over nodes. Uneven counts would have to be in a
 * file for it. */
static int add_hosts(const struct hosts *hosts, struct cmdline *args)
{
	char *text;

	if (!hosts->n)
		return 0;
	for (int i = 1; i < hosts->n; i++)
		if (hosts->v[i].slots != hosts->v[0].slots)
			return engine_refuse(&engine_slurm,
					     "a different number of slots for "
					     "each host");
	text = hosts_text(hosts, false);
	if (!text)
		return EXIT_RESOURCE;
	cmdline_add(args, "--nodelist=%s", text);
	cmdline_add(args, "--ntasks-per-node=%d", hosts->v[0].slots);
	free(text);
	return 0;
}

static int add_counts(const struct options *opt, struct cmdline *args)
{
	int n = opt->apps[0].nranks, nodes = engine_slurm_nodes();

	if (n)
		cmdline_add(args, "--ntasks=%d", n);
	if (opt->nodes || opt->hosts.n)
		cmdline_add(args, "--nodes=%d",
			    opt->nodes ? opt->nodes : opt->hosts.n);
	else if (n && n < nodes) /* avoids srun's warning */
		cmdline_add(args, "--nodes=%d", n);
	if (opt->ppn && !opt->hosts.n)
		cmdline_add(args, "--ntasks-per-node=%d", opt->ppn);
	if (allocated_cpus() && n > allocated_cpus())
		cmdline_add(args, "--overcommit");
	return add_hosts(&opt->hosts, args);
}

static void add_binding(const struct options *opt, struct cmdline *args)
{
	static const char *const words[] = {
	    [BIND_AUTO] = "",
	    [BIND_NONE] = "none",
	    [BIND_HWTHREAD] = "threads",
	    [BIND_CORE] = "cores",
	    [BIND_NUMA] = "ldoms",
	    [BIND_SOCKET] = "sockets",
	    [BIND_L3] = "",
	};
	const char *word = words[opt->bind];

	if (opt->cpus_per_rank)
		cmdline_add(args, "--cpus-per-task=%d", opt->cpus_per_rank);
	if (opt->report_bindings)
		cmdline_add(args, "--cpu-bind=verbose%s%s", *word ? "," : "",
			    word);
	else if (*word)
		cmdline_add(args, "--cpu-bind=%s", word);
}

static void add_output(const struct options *opt, struct cmdline *args)
{
	if (opt->stdin_rank == STDIN_NONE)
		cmdline_add(args, "--input=none");
	else
		cmdline_add(args, "--input=%d", opt->stdin_rank);
	if (opt->tag_output)
		cmdline_add(args, "--label");
	if (opt->output_dir) {
		mkdir(opt->output_dir, 0777); /* if it fails, srun says why */
		cmdline_add(args, "--output=%s/rank.%%t.out", opt->output_dir);
		cmdline_add(args, "--error=%s/rank.%%t.err", opt->output_dir);
	}
}

/* Returns "pmi2" where Slurm has this plugin and none for PMIx, else "pmix". */
static const char *plugin_name(void)
{
	FILE *list = popen("srun --mpi=list 2>&1", "re");
	bool pmix = false, pmi2 = false;
	char word[64];

	while (list && fscanf(list, "%63s", word) == 1) {
		pmix |= !strncmp(word, "pmix", 4);
		pmi2 |= !strcmp(word, "pmi2");
	}
	if (list)
		pclose(list);
	return pmi2 && !pmix ? "pmi2" : "pmix";
}

static int engine_slurm_build(const struct options *opt, struct cmdline *args)
{
	const struct app *app = &opt->apps[0];
	int code;

	if (opt->napps > 1)
		return engine_refuse(&engine_slurm, "several programs");
	if (opt->map != MAP_AUTO)
		return engine_refuse(&engine_slurm, "--map-by");
	if (opt->bind == BIND_L3)
		return engine_refuse(&engine_slurm, "--bind-to l3");
	if (opt->rank_by != MAP_AUTO)
		return engine_refuse(&engine_slurm, "--rank-by");
	if (opt->hwthreads)
		return engine_refuse(&engine_slurm, "--use-hwthread-cpus");
	cmdline_add(args, "--mpi=%s", plugin_name());
	cmdline_add(args, "--kill-on-bad-exit=1");
	/* Ranks that see this end the job by their exit code (boot_pmix.c). */
	setenv("SLURM_KILL_BAD_EXIT", "1", 1);
	cmdline_add(args, "--quit-on-interrupt");
	cmdline_add(args, "--export=ALL");
	if (opt->verbosity < SAY_VERBOSE)
		cmdline_add(args, "--quiet");
	code = add_counts(opt, args);
	if (code)
		return code;
	add_binding(opt, args);
	add_output(opt, args);
	if (app->wdir)
		cmdline_add(args, "--chdir=%s", app->wdir);
	if (app->nenv)
		cmdline_add(args, "env");
	for (int i = 0; i < app->nenv; i++)
		cmdline_add(args, "%s", app->env[i]);
	cmdline_add(args, "%s", app->path);
	cmdline_add_all(args, app->argv + 1);
	return 0;
}

/* Reads the step id of a line "StepId=5.0 ... SrunHost:Pid=node1:822" if it is
 * the step of this srun. The line may have a short host name. */
static bool is_step_of(const char *line, pid_t pid, char step[64])
{
	const char *srun = strstr(line, "SrunHost:Pid=");
	const char *colon = srun ? strchr(srun + 13, ':') : NULL;
	char host[64], short_host[64];

	if (!colon || sscanf(line, "StepId=%63[0-9.+_]", step) != 1 ||
	    gethostname(host, sizeof(host)))
		return false;
	host[sizeof(host) - 1] = '\0';
	snprintf(short_host, sizeof(short_host), "%.*s",
		 (int)strcspn(host, "."), host);
	return atol(colon + 1) == (long)pid &&
	       !strncmp(srun + 13, short_host, strlen(short_host));
}

/* Ends the ranks of a srun that was killed: slurmstepd lets them run on. */
static void end_orphans(pid_t srun)
{
	FILE *steps = popen("scontrol -o show step 2>/dev/null", "re");
	char line[4096], step[64], kill_it[128];

	while (steps && fgets(line, sizeof(line), steps)) {
		if (!is_step_of(line, srun, step))
			continue;
		say("srun was killed; ending what it has started");
		snprintf(kill_it, sizeof(kill_it),
			 "scancel --signal=KILL %s 2>/dev/null", step);
		if (system(kill_it))
			say_error("scancel cannot end step %s", step);
	}
	if (steps)
		pclose(steps);
}

const struct engine engine_slurm = {
    .name = "slurm",
    .install = "srun (Debian: slurm-client)",
    .find = engine_slurm_find,
    .build = engine_slurm_build,
    .tells_ends = true,
    .inherits_all = true,
    .end_orphans = end_orphans,
};
