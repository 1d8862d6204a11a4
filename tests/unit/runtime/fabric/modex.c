/* SPDX-License-Identifier: Apache-2.0 */
/* modex.c: a job of several nodes in one process: which ranks are asked for
 * places and cards, how often, what they learn of the fabrics that others have
 * opened, and that damaged answers are refused. */
#include "runtime/fabric/modex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"
#include "tests/tap.h"

enum { RANKS = 12, NODES = 4, CARD = 40, BLOB = 1024, ROUNDS = 2 };

/* the node of each rank: placed in turn, and one by itself */
static const int node_of[RANKS] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 9, 0, 1};

/* ---- stand-ins for the parts that modex.c uses ---- */

struct env env = {.mesh_max = 256};
static struct boot_job job;
static struct {
	char blob[BLOB];
	size_t len;
	int asked;
} published[ROUNDS][RANKS];
static int fences;
/* what the ranks of this node have handed in, each CARD bytes and its rank */
static char handed[RANKS][CARD + RANKS];
static size_t handed_len[RANKS];
static int opened[RANKS]; /* see struct census */

static int round_of(const char *key)
{
	return strstr(key, ".2") != NULL;
}

int boot_put(const char *key, const void *blob, size_t len)
{
	int round = round_of(key);

	if (len > BLOB)
		abort();
	memcpy(published[round][job.rank].blob, blob, len);
	published[round][job.rank].len = len;
	return 0;
}

int boot_get_whole(int rank, const char *key, void **blob, size_t *len)
{
	int round = round_of(key);

	published[round][rank].asked++;
	*len = published[round][rank].len;
	*blob = *len ? malloc(*len) : NULL;
	if (!*blob)
		return MRT_ERR_PROTOCOL;
	memcpy(*blob, published[round][rank].blob, *len);
	return 0;
}

int boot_fence(void)
{
	fences++;
	return 0;
}

void log_line(enum log_level level, int code, const char *format, ...)
{
}

/* Returns the switches of a rank's node, or others, as after a change of the
 * file that tells them. */
static uint64_t switches_of(int rank, bool others)
{
	return (uint64_t)1 << 40 | (uint64_t)node_of[rank] << 1 | others;
}

/* The lowest rank of a node tells for all whether its device is software, and
 * what the switches are. */
static const struct fab_home *home_of(const struct fab_node *node, int rank)
{
	static struct fab_home homes[RANKS];

	homes[rank].cache = 100 + rank;
	homes[rank].far_provider = opened[rank];
	homes[rank].far_software =
	    node_of[rank] == 2 && rank == job.node_ranks[0];
	homes[rank].switches = switches_of(rank, rank != job.node_ranks[0]);
	return &homes[rank];
}

static int put_far(struct fab_node *node, const struct fab *far)
{
	memcpy(handed[job.rank], far->card, far->card_len);
	handed_len[job.rank] = far->card_len;
	return 0;
}

static ssize_t card_of(struct fab_node *node, int rank, void *card)
{
	if (card)
		memcpy(card, handed[rank], handed_len[rank]);
	return (ssize_t)handed_len[rank];
}

/* ---- tests ---- */

static const struct node_ops ops = {
    .home_of = home_of, .put_far = put_far, .card_of = card_of};
static struct fab_node shares = {.ops = &ops}, *const apart = NULL;
static struct fab near, far;

/* Makes the card of a rank: bytes that name rank and round, of a length of its
 * own. */
static void make_card(int rank, int round)
{
	static char card[CARD + RANKS];

	memset(card, 'a' + rank + round * RANKS, sizeof(card));
	far.card = card;
	far.card_len = (size_t)(CARD + rank);
}

static void set_job(int rank)
{
	static int ranks[RANKS];

	job = (struct boot_job){.rank = rank, .size = RANKS, .nnodes = NODES};
	job.node_ranks = ranks;
	for (int r = 0; r < RANKS; r++) {
		if (r == rank)
			job.node_rank = job.node_size;
		if (node_of[r] == node_of[rank])
			ranks[job.node_size++] = r;
	}
}

/* Becomes a rank of the job and opens, and renews the cards `round` times. */
static int become(int rank, int round)
{
	static char why[20];
	int rc;

	modex_close();
	set_job(rank);
	near.sink.cache = 100 + rank;
	near.sink.switches = switches_of(rank, near.node == &shares);
	near.node_cpus = 3 * job.node_size + node_of[rank];
	/* where ranks share memory, only what the lowest has handed in counts
	 */
	far.software = (node_of[rank] == 2) != (near.node == &shares);
	make_card(rank, 0);
	snprintf(why, sizeof(why), "node of %d", job.node_ranks[0]);
	rc = modex_open(&job, &near, &far, why);
	if (rc || !round)
		return rc;
	make_card(rank, 1);
	return modex_renew(&far);
}

/* Lets all ranks of the job publish, then becomes one of them. The lowest
 * ranks come last, when the others have handed their cards in. */
static int publish_all(struct fab_node *node, int rank, int rounds)
{
	int rc = 0;

	memset(published, 0, sizeof(published));
	near.node = node;
	for (int round = 0; round < rounds; round++) {
		for (int r = 0; r < RANKS; r++) {
			set_job(r);
			make_card(r, round);
			put_far(&shares, &far);
		}
		for (int r = 0; r < RANKS && !rc; r++)
			rc = become(r, round);
	}
	memset(handed, 0, sizeof(handed));
	fences = 0;
	return rc ? rc : become(rank, rounds - 1);
}

static bool right_places(void)
{
	if (modex_places())
		return false;
	for (int r = 0; r < RANKS; r++) {
		int lowest = 0, of_node = 0;
		struct place p;

		while (node_of[lowest] != node_of[r])
			lowest++;
		for (int k = 0; k < RANKS; k++)
			of_node += node_of[k] == node_of[r];
		p = modex_place_of(r);
		if (p.node != lowest || p.cache != 100 + r ||
		    p.cpu != 300 + node_of[r] * 100 / of_node ||
		    p.software != (node_of[r] == 2) ||
		    p.switches != switches_of(r, false))
			return false;
	}
	return true;
}

/* Whether the cards of all ranks that the nearest fabric does not reach are
 * theirs, from the last rank to the first. */
static bool right_cards(int round)
{
	for (int r = RANKS - 1; r >= 0; r--) {
		void *card;
		size_t len;

		if (near.node == &shares ? boot_is_local(&job, r)
					 : r == job.rank)
			continue;
		if (modex_card(r, &card, &len) || len != (size_t)(CARD + r) ||
		    (uintptr_t)card % 8)
			return false;
		make_card(r, round);
		if (memcmp(card, far.card, len))
			return false;
	}
	return true;
}

static int count_asked(int round)
{
	int n = 0;

	for (int r = 0; r < RANKS; r++)
		n += published[round][r].asked;
	return n;
}

static int count_published(void)
{
	int n = 0;

	for (int r = 0; r < RANKS; r++)
		n += published[0][r].len > 0;
	return n;
}

static void test_nodes(void)
{
	bool all = true;
	int most = 0;

	for (int r = 0; r < RANKS; r++) {
		all &= !publish_all(&shares, r, 1) && right_places() &&
		       right_cards(0) && right_places();
		most = count_asked(0) > most ? count_asked(0) : most;
		all &= !publish_all(&shares, r, 1) && right_cards(0) &&
		       right_places();
		most = count_asked(0) > most ? count_asked(0) : most;
	}
	ok(all, "each rank learns all places and cards");
	is_int(count_published(), NODES, "one rank of each node publishes");
	is_int(most, NODES - 1, "a rank asks once for each other node");
	is_int(fences, 1, "one fence");
	ok(!publish_all(apart, 4, 1) && right_places() && right_cards(0),
	   "ranks that share no memory");
	is_int(count_asked(0), RANKS - 1, "are asked one by one");
}

static void test_renewed(void)
{
	ok(!publish_all(&shares, 4, 2) && right_places(), "cards are renewed");
	is_int(fences, 3, "with two fences more");
	ok(right_cards(1), "the new ones are found");
	is_int(count_asked(1), NODES - 1, "by one request to each node");
	modex_forget();
	ok(right_cards(1) && right_places(), "and again after they were freed");
	is_int(count_asked(1), 2 * (NODES - 1), "by as many requests");
}

/* Whether this rank learns of these two fabrics, and why the later one. */
static bool census_is(int least, int most, const char *why)
{
	struct census all;

	return !modex_census(&all) && all.least == least && all.most == most &&
	       !strcmp(all.why, why);
}

/* In a job whose ranks connect at first use, only the lowest rank's card of
 * each node is kept, and those of one node more. */
static void test_few_kept(void)
{
	static const int order[] = {1, 2, 9, 4, 7, 11, 1, 2, 5, 8, 1, 2};
	/* 4 asks for the rest of its node, and 5 for that of another */
	const int most = NODES - 1 + 2;
	size_t len;
	void *card;
	int rc = 0;

	env.mesh_max = 0;
	rc = publish_all(&shares, 0, 1);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		make_card(order[i], 0);
		rc |= modex_places() || modex_card(order[i], &card, &len) ||
		      len != far.card_len || memcmp(card, far.card, len) != 0;
	}
	ok(!rc, "cards are found where few are kept");
	is_int(count_asked(0), most, "by a request for each other node");
	ok(right_cards(0) && census_is(0, 0, "node of 0"), "all, in any order");
	modex_forget();
	ok(census_is(0, 0, "node of 0") && right_cards(0),
	   "and again after they were freed");
	opened[5] = 1;
	ok(!publish_all(&shares, 0, 1) && census_is(0, 1, "node of 2"),
	   "and the reason of a node");
	opened[5] = 0;
	env.mesh_max = 256;
}

static void test_census(void)
{
	for (int r = 0; r < RANKS; r++)
		opened[r] = 1;
	publish_all(&shares, 4, 1);
	ok(census_is(1, 1, "node of 1"), "all have opened one fabric");
	is_int(count_asked(0), NODES - 1, "which asks once for each node");
	publish_all(&shares, 4, 2);
	ok(census_is(1, 1, "node of 1"), "and again after a renewal");
	opened[9] = 2;
	publish_all(&shares, 4, 1);
	ok(census_is(1, 2, "node of 9"), "a node has opened a later one");
	opened[5] = FAB_NOTHING;
	publish_all(&shares, 4, 1);
	ok(census_is(1, FAB_NOTHING, "node of 2"), "one rank has opened none");
	publish_all(&shares, 8, 1);
	ok(census_is(1, FAB_NOTHING, "node of 2"), "of this node");
	memset(opened, 0, sizeof(opened));
}

static void test_one_node(void)
{
	static int ranks[] = {0, 1, 2};
	modex_close();
	memset(published, 0, sizeof(published));
	near.node = &shares;
	fences = 0;
	job = (struct boot_job){.rank = 1,
				.size = 3,
				.nnodes = 1,
				.node_size = 3,
				.node_ranks = ranks};
	ok(!modex_open(&job, &near, NULL, "") && !modex_places() &&
	       modex_place_of(2).cache == 102 && modex_place_of(2).node == 0,
	   "one node: places are known");
	ok(!fences && !count_published() && !count_asked(0),
	   "without a request or a fence");
}

/* A blob of rank 1 with four ranks: its words are {1, 4}, CPU time, whether the
 * device is software, two fabrics, switches, and the length of a text, then
 * rank, cache and length of each. */
enum {
	NODE,
	N,
	CPU,
	SOFTWARE,
	LEAST,
	MOST,
	TEXT = 8,
	ENTRY = 10,
	NEXT = ENTRY + 4
};

static void is_refused(const char *name)
{
	size_t len;
	void *card;

	ok(modex_places() == MRT_ERR_PROTOCOL && count_asked(0) == 1,
	   "refused: %s", name);
	publish_all(&shares, 0, 1);
	ok(!modex_card(1, &card, &len), "and as it was it is not");
}

/* Sets a word of what rank 1 publishes to a value. */
static void damage(const char *name, size_t at, int32_t value)
{
	publish_all(&shares, 0, 1);
	memcpy(published[0][1].blob + at * sizeof(value), &value,
	       sizeof(value));
	is_refused(name);
}

static void test_damaged(void)
{
	size_t whole;
	int bad = 0;

	damage("a node that is no rank", NODE, -5);
	damage("a node above its lowest rank", NODE, 4);
	damage("no ranks", N, 0);
	damage("fewer than no ranks", N, -1);
	damage("more ranks than there are", N, 1 << 30);
	damage("fewer ranks than cards", N, 3);
	damage("less than no CPU time", CPU, -1);
	damage("a fabric before the first", LEAST, -1);
	damage("a fabric behind the last", MOST, FAB_NOTHING + 1);
	damage("none between two fabrics", LEAST, 1);
	damage("another rank's", ENTRY, 2);
	damage("a rank of the own node", NEXT, 3);
	damage("a rank out of range", ENTRY + 12, RANKS);
	damage("descending ranks", ENTRY + 8, 2);
	damage("a card that is longer", ENTRY + 2, CARD + 9);
	damage("a card of no end", ENTRY + 3, -1);
	damage("a text that is longer", TEXT, 17);
	damage("a text of no end", TEXT + 1, -1);
	damage("no text", TEXT, 0);
	publish_all(&shares, 0, 1);
	memset(published[0][1].blob + published[0][1].len - 8, 'x', 8);
	is_refused("a text without its end");
	publish_all(&shares, 0, 1);
	published[0][1].len += 8;
	is_refused("more behind the cards");
	publish_all(&shares, 0, 1);
	((int32_t *)(void *)published[0][2].blob)[NEXT] = 4;
	ok(modex_places() == MRT_ERR_PROTOCOL && count_asked(0) == 2,
	   "refused: a rank of another node");
	publish_all(&shares, 0, 1);
	whole = published[0][1].len;
	for (size_t len = 1; len < whole; len++) {
		publish_all(&shares, 0, 1);
		published[0][1].len = len;
		bad += modex_places() != MRT_ERR_PROTOCOL;
	}
	is_int(bad, 0, "blobs cut short are refused");
}

int main(void)
{
	test_nodes();
	test_renewed();
	test_few_kept();
	test_census();
	test_one_node();
	test_damaged();
	modex_close();
	return tap_done();
}
