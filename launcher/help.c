/* SPDX-License-Identifier: Apache-2.0 */
/* help.c: the texts of --help, --version and --help-env. */
#include "config.h"

#include "launcher/help.h"

#include <stdio.h>

#include "runtime/base/env.h"

static const char help_text[] =
    "usage: mrun [-n N] [options] program [args] [: -n M program2 [args] ...]\n"
    "Runs N ranks of a program, more than cores if you like: on this node,\n"
    "on those named, or on those of the Slurm allocation.\n"
    "\n"
    "per program:\n"
    "  -n, -np N            ranks; without it, one for each usable core\n"
    "  -x, --env VAR[=V]    set a variable for the ranks\n"
    "  --wdir DIR           directory to start in\n"
    "several nodes:\n"
    "  --host A,B:2         nodes, with the number of ranks that each takes\n"
    "  --hostfile FILE      the same, a line each: B:2 or B slots=2\n"
    "  --nodes M            how many nodes\n"
    "  --ppn K              ranks on each node\n"
    "  --engine NAME        who starts them: local (mrun itself), slurm,\n"
    "                       prterun, mpirun; auto: what there is (default)\n"
    "  --show, --dry-run    print the engine's command line, run nothing\n"
    "placement:\n"
    "  --bind-to WHAT       core (default), hwthread, numa, socket, none\n"
    "  --map-by WHAT        core: rank after rank on the next core (default)\n"
    "                       slot: neighbours share a core if cores are few\n"
    "                       numa: next rank on the next NUMA node\n"
    "  --report-bindings    show which rank sits where, on stderr\n"
    "input and output:\n"
    "  --tag-output         begin each line with [rank]<stdout>: \n"
    "  --output DIR         into files DIR/rank.N.out and DIR/rank.N.err\n"
    "  --stdin RANK|none    who gets the standard input (default 0)\n"
    "  -q, --quiet          say nothing about how ranks ended\n"
    "  -v, --verbose        say what is going on\n"
    "other:\n"
    "  --timeout S          end the job after S seconds with exit code 124\n"
    "  --help, --version    print this, the version\n"
    "  --help-env           print the table of MRT_* variables\n"
    "\n"
    "Exit code: 0, or that of the first rank that failed; 128+signal if a\n"
    "signal killed it; 127 program not found, 126 not executable; 75 a rank\n"
    "left without finalize; 130, 143 mrun got SIGINT, SIGTERM; 64 wrong "
    "usage,\n"
    "69 no engine or no fabric, 71 a limit of the system, 78 bad MRT_* "
    "variable.\n";

void help_print(void)
{
	fputs(help_text, stdout);
}

void help_print_version(void)
{
	printf("mrun (libmrt) %s\n", PACKAGE_VERSION);
}

void help_print_env(void)
{
	struct env_row row;

	printf("%-24s %-12s %-21s %s\n", "variable", "default", "range",
	       "meaning");
	for (int k = 0; env_row(k, &row); k++)
		printf("%-24s %-12s %-21s %s\n", row.name,
		       *row.fallback ? row.fallback : "-", row.range, row.help);
}
