/* SPDX-License-Identifier: Apache-2.0 */
/*
 * meaning.c: the table of rules against the text of the MPI standard (5.0,
 * chapters 6 and 8), written down here by hand: how many blocks a rank of a
 * group of five passes and gets, and between a group of three and another one
 * of five.
 */
#include "coll/plan/rules.h"

#include <stdio.h>
#include <string.h>

#include "coll/plan/select.h"
#include "tests/tap.h"

enum { OWN = 3, SIZE = 5, DESTS = 4, SOURCES = 2 };

/* "blocks sent, blocks received", and "=" if that is in place. */
struct row {
	enum collective collective;
	/* in one group: a rank that is not the root, nor the first; the root;
	 * both with MRT_IN_PLACE where their own data would be */
	const char *other, *root, *other_in_place, *root_in_place;
	/* in two groups: the root or any rank without a root; a rank of the
	 * other group; another rank of the root's group. NULL: an error */
	const char *inter_root, *inter_other, *inter_absent;
};

/* clang-format off */
static const struct row rows[] = {
	{COLL_BARRIER, "0 0", "0 0", "0 0", "0 0", "0 0", "0 0", "0 0"},
	{COLL_BCAST, "0 1", "0 1", "0 1", "0 1", "0 1", "0 1", "0 0"},
	{COLL_REDUCE, "1 0", "1 1", "1 0", "0 1=", "0 1", "1 0", "0 0"},
	{COLL_ALLREDUCE, "1 1", "1 1", "0 1=", "0 1=", "1 1", "1 1", "1 1"},
	{COLL_GATHER, "1 0", "1 5", "1 0", "0 5=", "0 5", "1 0", "0 0"},
	{COLL_GATHERV, "1 0", "1 5", "1 0", "0 5=", "0 5", "1 0", "0 0"},
	{COLL_SCATTER, "0 1", "5 1", "0 1", "5 0=", "5 0", "0 1", "0 0"},
	{COLL_SCATTERV, "0 1", "5 1", "0 1", "5 0=", "5 0", "0 1", "0 0"},
	{COLL_ALLGATHER, "1 5", "1 5", "0 5=", "0 5=", "1 5", "1 5", "1 5"},
	{COLL_ALLGATHERV, "1 5", "1 5", "0 5=", "0 5=", "1 5", "1 5", "1 5"},
	{COLL_ALLTOALL, "5 5", "5 5", "0 5=", "0 5=", "5 5", "5 5", "5 5"},
	{COLL_ALLTOALLV, "5 5", "5 5", "0 5=", "0 5=", "5 5", "5 5", "5 5"},
	{COLL_REDUCE_SCATTER_BLOCK, "5 1", "5 1", "0 5=", "0 5=",
	 "3 1", "3 1", "3 1"},
	{COLL_REDUCE_SCATTER, "5 1", "5 1", "0 5=", "0 5=",
	 "3 1", "3 1", "3 1"},
	{COLL_SCAN, "1 1", "1 1", "0 1=", "0 1=", NULL, NULL, NULL},
	{COLL_EXSCAN, "1 1", "1 1", "0 1=", "0 1=", NULL, NULL, NULL},
	{COLL_NEIGHBOR_ALLGATHER, "1 2", "1 2", "1 2", "1 2",
	 NULL, NULL, NULL},
	{COLL_NEIGHBOR_ALLTOALL, "4 2", "4 2", "4 2", "4 2", NULL, NULL, NULL},
};
/* clang-format on */

static struct role role(enum collective c, bool root)
{
	bool neighbors =
	    c == COLL_NEIGHBOR_ALLGATHER || c == COLL_NEIGHBOR_ALLTOALL;

	return (struct role){.dests = neighbors ? DESTS : SIZE,
			     .sources = neighbors ? SOURCES : SIZE,
			     .rank = 2,
			     .root = root};
}

static bool is_rooted(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE || c == COLL_GATHER ||
	       c == COLL_GATHERV || c == COLL_SCATTER || c == COLL_SCATTERV;
}

static bool reduces(enum collective c)
{
	return c == COLL_REDUCE || c == COLL_ALLREDUCE ||
	       c == COLL_REDUCE_SCATTER || c == COLL_REDUCE_SCATTER_BLOCK ||
	       c == COLL_SCAN || c == COLL_EXSCAN;
}

static void expect(enum collective c, const struct role *r, const char *what,
		   const char *want)
{
	struct role_blocks b = rule_blocks(&rules[c], r);
	char got[32];

	snprintf(got, sizeof(got), "%d %d%s", b.send, b.recv,
		 b.in_place ? "=" : "");
	is_str(got, want, "%s: %s", coll_tables[c].name, what);
}

static void test_group(const struct row *row)
{
	struct role other = role(row->collective, false);
	struct role root = role(row->collective, true);
	bool scatters =
	    row->collective == COLL_SCATTER || row->collective == COLL_SCATTERV;

	expect(row->collective, &other, "a rank", row->other);
	expect(row->collective, &root, "the root", row->root);
	/* of scatter it is the receive buffer */
	other.recv_in_place = root.recv_in_place = scatters;
	other.send_in_place = root.send_in_place = !scatters;
	expect(row->collective, &other, "a rank, in place",
	       row->other_in_place);
	expect(row->collective, &root, "the root, in place",
	       row->root_in_place);
}

static void test_two_groups(const struct row *row)
{
	struct role r = role(row->collective, true);

	ok(rules[row->collective].intercommunicator == !!row->inter_root,
	   "%s between two groups, or not", coll_tables[row->collective].name);
	if (!row->inter_root)
		return;
	r.two_groups = true;
	if (reduces(row->collective))
		r.dests = OWN;
	/* not allowed there: nothing changes */
	r.send_in_place = r.recv_in_place = true;
	expect(row->collective, &r, "two groups, root", row->inter_root);
	r.root = false;
	expect(row->collective, &r, "two groups, other", row->inter_other);
	r.absent = is_rooted(row->collective);
	expect(row->collective, &r, "two groups, absent", row->inter_absent);
}

/* The receive buffer is used in other ways than the usual one. */
static void test_recv(void)
{
	struct role r = role(COLL_BCAST, true);
	struct role_blocks b = rule_blocks(&rules[COLL_BCAST], &r);

	ok(b.reads_recv && !b.writes_recv, "bcast: the root's is input");
	r.root = false;
	b = rule_blocks(&rules[COLL_BCAST], &r);
	ok(!b.reads_recv && b.writes_recv, "bcast: the others' is output");
	r = role(COLL_EXSCAN, false);
	r.rank = 0;
	expect(COLL_EXSCAN, &r, "rank 0 gets nothing", "1 0");
	r.send_in_place = true;
	expect(COLL_EXSCAN, &r, "rank 0 in place", "0 1=");
	b = rule_blocks(&rules[COLL_EXSCAN], &r);
	ok(b.reads_recv && !b.writes_recv, "exscan: rank 0's stays as it is");
	b = rule_blocks(&rules[COLL_ALLREDUCE], &r);
	ok(b.reads_recv && b.writes_recv, "allreduce in place: both");
	r = role(COLL_NEIGHBOR_ALLGATHER, false);
	r.dests = r.sources = 0;
	expect(COLL_NEIGHBOR_ALLGATHER, &r, "no neighbours", "0 0");
}

/* "the in place option ... at all processes", "at the root", or neither. */
static void test_in_place(void)
{
	static const uint8_t want[COLLECTIVES] = {
	    [COLL_REDUCE] = IN_PLACE_ROOT,
	    [COLL_GATHER] = IN_PLACE_ROOT,
	    [COLL_GATHERV] = IN_PLACE_ROOT,
	    [COLL_SCATTER] = IN_PLACE_ROOT,
	    [COLL_SCATTERV] = IN_PLACE_ROOT,
	    [COLL_ALLREDUCE] = IN_PLACE_ALL,
	    [COLL_ALLGATHER] = IN_PLACE_ALL,
	    [COLL_ALLGATHERV] = IN_PLACE_ALL,
	    [COLL_ALLTOALL] = IN_PLACE_ALL,
	    [COLL_ALLTOALLV] = IN_PLACE_ALL,
	    [COLL_REDUCE_SCATTER_BLOCK] = IN_PLACE_ALL,
	    [COLL_REDUCE_SCATTER] = IN_PLACE_ANY,
	    [COLL_SCAN] = IN_PLACE_ANY,
	    [COLL_EXSCAN] = IN_PLACE_ANY,
	};

	for (int c = 0; c < COLLECTIVES; c++)
		ok(rules[c].in_place == want[c], "%s: who may be in place",
		   coll_tables[c].name);
}

/* Names of MPI: v and w have lists, reduce_scatter has counts alone. */
static void test_lists(void)
{
	for (int c = 0; c < COLLECTIVES; c++) {
		const struct rule *rule = &rules[c];
		const char *name = coll_tables[c].name;
		bool v = name[strlen(name) - 1] == 'v' || rule->neighbors;
		bool placed = rule->send.given == BY_DISPLACEMENTS ||
			      rule->recv.given == BY_DISPLACEMENTS;
		bool counts = rule->send.given == BY_COUNTS ||
			      rule->recv.given == BY_COUNTS;

		ok(placed == v && counts == (c == COLL_REDUCE_SCATTER),
		   "%s: lists", name);
		ok((rule->lengths == LENGTHS_EQUAL) ==
		       (c != COLL_BARRIER && !placed && !counts),
		   "%s: one length", name);
		ok(rule->rooted == is_rooted(c) && rule->reduces == reduces(c),
		   "%s: a root, an operation", name);
	}
	ok(rules[COLL_ALLGATHERV].lengths == LENGTHS_SHARED &&
	       rules[COLL_REDUCE_SCATTER].lengths == LENGTHS_SHARED &&
	       rules[COLL_GATHERV].lengths == LENGTHS_OWN &&
	       rules[COLL_SCATTERV].lengths == LENGTHS_OWN &&
	       rules[COLL_ALLTOALLV].lengths == LENGTHS_OWN,
	   "who knows the lengths");
}

int main(void)
{
	size_t n = sizeof(rows) / sizeof(*rows);

	ok(n == COLLECTIVES, "all collectives");
	for (size_t i = 0; i < n; i++) {
		test_group(&rows[i]);
		test_two_groups(&rows[i]);
	}
	test_recv();
	test_in_place();
	test_lists();
	return tap_done();
}
