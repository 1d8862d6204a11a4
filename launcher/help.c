/* SPDX-License-Identifier: Apache-2.0 */
/* help.c: the texts of --help, --version and --help-env. */
#include "config.h"

#include "launcher/help.h"

#include <stdio.h>

#include "runtime/base/env.h"

static const char help_text[] =
    "usage: mrun [-n N] [options] program [args] [: -n M program2 [args] ...]\n"
    "Runs N ranks of a program (there may be more ranks than cores): on this\n"
    "node, on the hosts named, or on the nodes of the Slurm allocation.\n\n"
    "per program:\n"
    "  -n, -np N            ranks (default: one per usable core)\n"
    "  -x, --env VAR[=V]    set an environment variable for the ranks\n"
    "  --wdir DIR           working directory\n"
    "  --path DIR[:DIR]     where to look for the program before PATH\n"
    "  --initial-errhandler H  of MPI programs: mpi_errors_return, _abort or\n"
    "                       _are_fatal (default)\n"
    "several nodes:\n"
    "  --host A,B:2         hosts, with the number of ranks that each takes\n"
    "  --hostfile FILE      hosts from a file, one per line: B:2 or B slots=2\n"
    "  --nodes M            number of nodes\n"
    "  --ppn K              ranks per node\n"
    "  --engine NAME        what starts the ranks: local (mrun), slurm,\n"
    "                       prterun, mpirun, or auto (default)\n"
    "  --show, --dry-run    print the engine's command line and run nothing\n"
    "placement:\n"
    "  -c, --cpus-per-rank K  cores of a rank and its threads (default: an\n"
    "                       equal share of the cores, at least one)\n"
    "  --bind-to WHAT       core, hwthread, numa, socket, l3 or none\n"
    "                       (default: the cores of the rank)\n"
    "  --map-by WHAT        core: each rank on the next core (default)\n"
    "                       slot: consecutive ranks on one core if ranks are\n"
    "                       more than cores\n"
    "                       numa, socket, l3: each rank on the next of them\n"
    "                       ppr:N:node, ppr:N:numa ...: N ranks on each\n"
    "                       any of these and :pe=K: K cores for each rank\n"
    "  --rankfile FILE      lines \"rank N=HOST slot=LIST\": N is on these\n"
    "                       cores, such as 0-1, or 1:0 of socket 1\n"
    "  --rank-by WHAT       numa, socket, l3: count ranks across them\n"
    "  --use-hwthread-cpus  a hardware thread counts as a core\n"
    "  --report-bindings    show which rank is bound where, on stderr\n"
    "input and output:\n"
    "  --tag-output         begin each line with [rank]<stdout>:\n"
    "  --no-aggregate       show an error or warning of libmrt from each "
    "rank,\n"
    "                       not from the first and a count of the others\n"
    "  --output DIR         write to files DIR/rank.N.out and DIR/rank.N.err\n"
    "  --stream-buffering B line (default), full or none: when stdout of a\n"
    "                       rank is written\n"
    "  --trace DIR          trace what each rank does, for mrt-trace\n"
    "  --stdin RANK|none    the rank that gets standard input (default 0)\n"
    "  -q, --quiet          do not report how ranks ended\n"
    "  -v, --verbose        report what mrun does\n"
    "other:\n"
    "  --timeout S          end the job after S seconds with exit code 124\n"
    "  --configfile FILE    programs and their options, a line for each\n"
    "  --help, --version    print this text, or the version\n"
    "  --help-env           print the table of MRT_* variables\n"
    "mrun(1) has the options of other mpiexecs that are accepted, too.\n\n"
    "Exit code: 0, or that of the first rank that failed; 128+signal if a\n"
    "signal killed it; 127 program not found, 126 not executable; 75 a rank\n"
    "left without finalize; 130, 143 mrun got SIGINT, SIGTERM; 64 wrong\n"
    "usage, 69 no engine or no fabric, 71 a limit of the system, 78 bad MRT_*\n"
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
