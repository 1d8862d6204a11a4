/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.c checks that every algorithm set at run time is used and gives right
 * results, and that what cannot be set is an error. `choice COLLECTIVE
 * BYTES...` prints the chosen algorithms instead, `choice medium` the medium.
 */
#include <mrt_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W MRT_COMM_WORLD

enum { COUNT = 3000 };

static int me, np, failures;
static long in[COUNT], out[COUNT];

static void check(int good, const char *what, const char *name)
{
	int all;

	mrt_allreduce(&good, &all, 1, MRT_INT, MRT_MIN, W);
	failures += !all;
	if (me == 0)
		printf("%sok - %s %s\n", all ? "" : "not ", what, name);
	fflush(stdout);
}

static int sum_is_right(void)
{
	int good = 1;

	for (int i = 0; i < COUNT; i++)
		good &= out[i] == (long)np * i + np * (np - 1) / 2;
	return good;
}

/* Makes one call with the algorithm that is set for this collective. */
static int works(const char *collective)
{
	int root = np - 1, good = 1;

	for (int i = 0; i < COUNT; i++) {
		in[i] = i + me;
		out[i] = me == root ? 7 * i : -1;
	}
	if (!strcmp(collective, "barrier"))
		return !mrt_barrier(W);
	if (!strcmp(collective, "bcast")) {
		good = !mrt_bcast(out, COUNT, MRT_LONG, root, W);
		for (int i = 0; i < COUNT; i++)
			good &= out[i] == 7 * i;
		return good;
	}
	if (!strcmp(collective, "reduce"))
		return !mrt_reduce(in, out, COUNT, MRT_LONG, MRT_SUM, root,
				   W) &&
		       (me != root || sum_is_right());
	return !mrt_allreduce(in, out, COUNT, MRT_LONG, MRT_SUM, W) &&
	       sum_is_right();
}

/* Returns whether `name` has been used. An algorithm that does not fit gives
 * way to another one, but never to the direct way. */
static int is_used(const char *name, const char *now)
{
	static const char *const may_not_fit[] = {
	    "hierarchical", "multi_leader", "segmented_multi_leader",
	    "node_aware",   "fetch_add",    "compare_swap",
	    "slots"};

	if (np == 1 || !strcmp(now, name))
		return 1;
	for (size_t i = 0; i < sizeof(may_not_fit) / sizeof(*may_not_fit); i++)
		if (!strcmp(name, may_not_fit[i]))
			return strcmp(now, "direct") != 0;
	return 0;
}

static void try_all(const char *collective)
{
	const char *name;
	char before[64], now[64], after[64], what[64];
	size_t bytes = COUNT * sizeof(long);

	mrt_chosen_algorithm(collective, bytes, W, before, sizeof(before));
	for (int k = 0; (name = mrt_algorithm_name(collective, k, NULL)); k++) {
		int good = !mrt_set_algorithm(collective, name);

		good &= !mrt_chosen_algorithm(collective, bytes, W, now,
					      sizeof(now));
		good &= is_used(name, now) && works(collective);
		mrt_set_algorithm(collective, NULL);
		mrt_chosen_algorithm(collective, bytes, W, after,
				     sizeof(after));
		good &= !strcmp(before, after) && works(collective);
		snprintf(what, sizeof(what), "%s by", collective);
		check(good, what, name);
	}
}

static void try_wrong(void)
{
	char name[64] = "kept";
	size_t argument = 0;
	int chains = 0;

	check(mrt_set_algorithm("allreduce", "rign") == MRT_ERR_ARG &&
		  mrt_set_algorithm("alreduce", "ring") == MRT_ERR_ARG &&
		  mrt_set_algorithm(NULL, "ring") == MRT_ERR_ARG &&
		  mrt_set_algorithm("bcast", "binomial:7") == MRT_ERR_ARG,
	      "an error:", "names that are not there");
	check(mrt_chosen_algorithm("bcast", 8, W, name, 2) == MRT_ERR_ARG &&
		  mrt_chosen_algorithm("x", 8, W, name, 64) == MRT_ERR_ARG &&
		  mrt_chosen_algorithm("bcast", 8, MRT_COMM_NULL, name, 64) ==
		      MRT_ERR_COMM &&
		  !strcmp(name, "kept"),
	      "an error:", "no room, no collective, no communicator");
	check(!mrt_medium(MRT_COMM_NULL),
	      "none:", "the medium of no communicator");
	check(!mrt_algorithm_name("x", 0, &argument) &&
		  !mrt_algorithm_name("bcast", -1, &argument) &&
		  !mrt_algorithm_name("bcast", 1000, &argument),
	      "none:", "algorithms that are not there");
	for (int k = 0; mrt_algorithm_name("bcast", k, &argument); k++)
		chains += argument > 0;
	check(chains > 0 && !mrt_set_algorithm("bcast", "chain:100") &&
		  !mrt_chosen_algorithm("bcast", 1, W, name, 64) &&
		  (np == 1 || !strcmp(name, "chain:100")) && works("bcast"),
	      "with", "an argument");
	mrt_set_algorithm("bcast", NULL);
}

static int print(int argc, char **argv)
{
	char name[64];

	if (me == 0 && argc == 2)
		printf("%s\n", mrt_medium(W));
	for (int i = 2; i < argc; i++) {
		if (mrt_chosen_algorithm(argv[1], strtoul(argv[i], NULL, 10), W,
					 name, sizeof(name)))
			return 1;
		if (me == 0)
			printf("%s %s %s\n", argv[1], argv[i], name);
	}
	return mrt_finalize() != 0;
}

int main(int argc, char **argv)
{
	static const char *const all[] = {"barrier", "bcast", "reduce",
					  "allreduce"};

	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc > 1)
		return print(argc, argv);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		try_all(all[i]);
	try_wrong();
	return mrt_finalize() || failures;
}
