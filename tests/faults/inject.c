/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject.c makes faults of ranks and launchers.
 *
 *   inject [--only ERE] [--random N [--seed S] [--first K]] [--csv FILE]
 *          [--one RANKS,RANK,AT,AFTER,DO,ENV]
 *          [--rounds N] [--bound MS] [--look MS] LAUNCHER=VICTIM...
 *
 * LAUNCHER is mrun (the one of $MRUN), openmpi or mpich. With one launcher it
 * prints TAP: four tests for each row of the table, or one test for N faults at
 * random steps, the first of which is the Kth draw; --one repeats one of these.
 * With several launchers it prints a table to compare them.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/faults/inject.h"
#include "tests/tap.h"

enum { LAUNCHERS = 3 };

struct options {
	const char *only, *csv, *one;
	int random, first, rounds;
	unsigned seed;
	struct launcher launchers[LAUNCHERS];
	int nlaunchers;
};

static void usage(void)
{
	fprintf(stderr, "usage: inject [--only ERE] [--random N] [--seed S] "
			"[--first K] [--csv FILE] [--rounds N] [--bound MS] "
			"[--one RANKS,RANK,AT,AFTER,DO,ENV] "
			"LAUNCHER=VICTIM...\n");
	exit(64);
}

static void add_launcher(struct options *opt, const char *text)
{
	static const struct launcher known[LAUNCHERS] = {
	    {.name = "mrun",
	     .command = {"mrun", "-v", "--no-aggregate"},
	     .own = true},
	    {.name = "openmpi",
	     .command = {"mpirun.openmpi", "--allow-run-as-root",
			 "--oversubscribe"}},
	    {.name = "mpich", .command = {"mpirun.mpich"}}};
	const char *value = strchr(text, '=');

	for (int k = 0; value && k < LAUNCHERS; k++) {
		struct launcher *l = &opt->launchers[opt->nlaunchers];

		if (strncmp(text, known[k].name, (size_t)(value - text)) ||
		    opt->nlaunchers == LAUNCHERS)
			continue;
		*l = known[k];
		l->victim = value + 1;
		if (l->own && getenv("MRUN"))
			l->command[0] = getenv("MRUN");
		opt->nlaunchers++;
		return;
	}
	usage();
}

static void read_options(int argc, char **argv, struct options *opt)
{
	*opt = (struct options){.rounds = 1, .seed = (unsigned)time(NULL)};
	for (int k = 1; k < argc; k++) {
		const char *value = argv[k + 1];

		if (argv[k][0] != '-') {
			add_launcher(opt, argv[k]);
			continue;
		}
		if (++k == argc)
			usage();
		if (!strcmp(argv[k - 1], "--only"))
			opt->only = value;
		else if (!strcmp(argv[k - 1], "--one"))
			opt->one = value;
		else if (!strcmp(argv[k - 1], "--csv"))
			opt->csv = value;
		else if (!strcmp(argv[k - 1], "--random"))
			opt->random = atoi(value);
		else if (!strcmp(argv[k - 1], "--seed"))
			opt->seed = (unsigned)strtoul(value, NULL, 10);
		else if (!strcmp(argv[k - 1], "--first"))
			opt->first = atoi(value);
		else if (!strcmp(argv[k - 1], "--rounds"))
			opt->rounds = atoi(value);
		else if (!strcmp(argv[k - 1], "--look"))
			look_ms = atoi(value);
		else if (!strcmp(argv[k - 1], "--bound"))
			bound_ms = atoi(value);
		else
			usage();
	}
	if (!opt->nlaunchers)
		usage();
}

static bool chosen(const char *only, const char *name)
{
	regex_t re;
	bool yes;

	if (!only)
		return true;
	if (regcomp(&re, only, REG_EXTENDED | REG_NOSUB))
		usage();
	yes = !regexec(&re, name, 0, NULL, 0);
	regfree(&re);
	return yes;
}

static void test_fault(const struct launcher *l, const struct fault *f)
{
	struct outcome o;
	struct verdict v;

	inject_run(l, f, &o);
	if (!judge(l, f, &o, &v))
		show_outcome(l, f, &o);
	times_add(l->name, f, &o);
	for (int k = 0; k < CHECKS; k++) {
		if (k == 0)
			ok(!*v.why[k], "%s: %s (%.0f ms)", f->name,
			   check_names[k], o.last_ms);
		else
			ok(!*v.why[k], "%s: %s", f->name, check_names[k]);
		if (*v.why[k])
			printf("# %s\n", v.why[k]);
	}
	outcome_free(&o);
}

static void test_one(const struct launcher *l, const char *text)
{
	static char at[128], what[32], environment[128];
	static struct fault f = {.name = "one",
				 .kind = "one",
				 .args = "all",
				 .at = at,
				 .what = what,
				 .env = environment,
				 .code = CODE_ANY};

	if (sscanf(text, "%d,%d,%127[^,],%d,%31[^,],%127s", &f.ranks, &f.rank,
		   at, &f.after_us, what, environment) != 6)
		usage();
	f.others = END_75 | END_69 | END_0 | END_STARTING;
	test_fault(l, &f);
}

static int run_tests(const struct options *opt)
{
	const struct launcher *l = &opt->launchers[0];

	if (opt->one) {
		for (int r = 0; r < opt->rounds; r++)
			test_one(l, opt->one);
	} else if (opt->random) {
		int broken =
		    random_faults(l, opt->random, opt->seed, opt->first);

		ok(!broken, "%d random faults, seed %u: all as promised",
		   opt->random, opt->seed);
	} else {
		for (int r = 0; r < opt->rounds; r++)
			for (int k = 0; k < fault_table_size; k++)
				if (chosen(opt->only, fault_table[k].name))
					test_fault(l, &fault_table[k]);
	}
	times_print();
	return tap_done();
}

int main(int argc, char **argv)
{
	struct options opt;
	int rc = 0;

	read_options(argc, argv, &opt);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!room_make())
		return 99;
	if (opt.nlaunchers == 1)
		rc = run_tests(&opt);
	else
		compare_print(opt.launchers, opt.nlaunchers, opt.rounds);
	if (opt.csv && !times_csv(opt.csv)) {
		fprintf(stderr, "cannot write %s\n", opt.csv);
		rc = 73;
	}
	room_remove();
	return rc;
}
