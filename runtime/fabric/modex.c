/* SPDX-License-Identifier: Apache-2.0 */
/* modex.c: exchanges places and cards through the node's shared memory and
 * PMIx. */
#include "runtime/fabric/modex.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

/* A blob is this, an entry for each rank for which its publisher speaks, in
 * ascending order and itself first, their cards in the same order, and a text
 * that ends with a 0, each padded to a multiple of 8 bytes. A rank speaks for
 * all ranks of its node, or for itself alone if they share no memory. */
struct head {
	int32_t node, n;
	int32_t cpu, software; /* as in struct place */
	int32_t least, most;   /* as in struct census */
	uint64_t text;	       /* its length */
};
struct entry {
	int32_t rank, cache;
	uint64_t len; /* of the card */
};

/* A blob as it was read. */
struct blob {
	struct blob *next;
	char *bytes;
};

struct card {
	char *at; /* NULL: not known */
	size_t len;
};

static struct {
	const struct boot_job *job;
	struct fab *near, *far;
	struct fab_node *node; /* of near; NULL: it does not know this node */
	const char *why;       /* see modex_open */
	int round;	       /* how often the cards were published before */
	struct place *places;  /* [job->size]; node -1: unknown */
	struct card *cards;    /* [job->size] */
	struct blob *blobs;
	int unplaced;	   /* ranks whose place is unknown */
	int first_unknown; /* every lower rank's card is known, or not needed */
} modex;

/* A key is published once, as a rank may have kept what it has read. */
static const char *modex_key(void)
{
	static char key[24];

	snprintf(key, sizeof(key), modex.round ? "mrt.modex.%d" : "mrt.modex",
		 modex.round + 1);
	return key;
}

static size_t modex_padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

/* Whether nobody asks for what this rank has published: it is reached by the
 * nearest fabric, or is this one. */
static bool is_near(int rank)
{
	return modex.node ? boot_is_local(modex.job, rank)
			  : rank == modex.job->rank;
}

static void modex_place(int rank, const struct head *head, int cache)
{
	if (modex.places[rank].node < 0)
		modex.unplaced--;
	modex.places[rank] =
	    (struct place){head->node, cache, head->cpu, head->software != 0};
}

/* Writes into a head what the ranks of this node have opened. */
static void head_open(struct head *head)
{
	const struct boot_job *job = modex.job;

	for (int k = 0; k < job->node_size; k++) {
		const struct fab_home *home =
		    modex.node->ops->home_of(modex.node, job->node_ranks[k]);

		if (!k || home->far_provider < head->least)
			head->least = home->far_provider;
		if (!k || home->far_provider > head->most)
			head->most = home->far_provider;
		if (!k)
			head->software = home->far_software;
	}
}

/* Returns the head of the blob with n ranks in which this rank is. */
static struct head own_head(int n)
{
	const struct boot_job *job = modex.job;
	const struct fab *far = modex.far;
	struct head head = {.node = job->node_ranks[0],
			    .n = n,
			    .cpu = modex.near->node_cpus * 100 / job->node_size,
			    .software = far && far->software,
			    .text = strlen(modex.why) + 1};

	if (modex.node)
		head_open(&head);
	return head;
}

/* ---- publishing ---- */

/* Copies the card of a rank for which this one speaks into `card`, unless that
 * is NULL, and returns its length, or MRT_ERR_* (logged). */
static ssize_t card_of(int rank, void *card)
{
	const struct fab *far = modex.far;

	if (!far)
		return 0;
	if (rank != modex.job->rank)
		return modex.node->ops->card_of(modex.node, rank, card);
	if (card)
		memcpy(card, far->card, far->card_len);
	return (ssize_t)far->card_len;
}

/* Fills in the entries and returns the length of the blob. */
static ssize_t modex_measure(struct entry *entries, const int *ranks, int n)
{
	size_t len = sizeof(struct head) + (size_t)n * sizeof(*entries);

	for (int i = 0; i < n; i++) {
		ssize_t card = card_of(ranks[i], NULL);

		if (card < 0)
			return card;
		entries[i] = (struct entry){
		    ranks[i], modex.places[ranks[i]].cache, (uint64_t)card};
		len += modex_padded((size_t)card);
	}
	return (ssize_t)(len + modex_padded(strlen(modex.why) + 1));
}

static int write_cards(const struct entry *entries, int n, char *at)
{
	for (int i = 0; i < n; i++) {
		ssize_t len = card_of(entries[i].rank, at);

		if (len < 0)
			return (int)len;
		at += modex_padded((size_t)len);
	}
	strcpy(at, modex.why);
	return 0;
}

static int write_and_put(const struct entry *entries, int n, size_t len)
{
	struct head head = own_head(n);
	size_t list = (size_t)n * sizeof(*entries);
	char *blob = calloc(1, len);
	int rc;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoints of %d ranks", n);
	memcpy(blob, &head, sizeof(head));
	memcpy(blob + sizeof(head), entries, list);
	rc = write_cards(entries, n, blob + sizeof(head) + list)
		 ?: boot_put(modex_key(), blob, len);
	free(blob);
	return rc;
}

static int modex_put(const int *ranks, int n)
{
	struct entry *entries = malloc((size_t)n * sizeof(*entries));
	ssize_t len;
	int rc;

	if (!entries)
		return log_error(MRT_ERR_NO_MEM, "endpoints of %d ranks", n);
	len = modex_measure(entries, ranks, n);
	rc = len < 0 ? (int)len : write_and_put(entries, n, (size_t)len);
	free(entries);
	return rc;
}

/* Publishes what this rank speaks for. */
static int modex_publish(void)
{
	const struct boot_job *job = modex.job;
	int rc = 0;

	if (!modex.node)
		rc = modex_put(&job->rank, 1);
	else if (job->node_rank == 0)
		rc = modex_put(job->node_ranks, job->node_size);
	return rc ? rc : boot_fence();
}

/* ---- asking ---- */

/* Whether the list of a blob agrees with what is known: ascending ranks of
 * which nothing was known, the first of them the one that was asked. */
static bool is_list(const struct head *head, const struct entry *entries,
		    int rank)
{
	int below = rank - 1;

	if (head->n < 1 || head->node < 0 || head->node > rank ||
	    head->cpu < 0 || entries[0].rank != rank)
		return false;
	if (head->least < 0 || head->least > head->most ||
	    head->most > FAB_NOTHING)
		return false;
	for (int i = 0; i < head->n; i++) {
		int r = entries[i].rank;

		if (r <= below || r >= modex.job->size || is_near(r) ||
		    modex.cards[r].at)
			return false;
		below = r;
	}
	return true;
}

/* Whether the lengths of the cards and of the text add up to what follows the
 * list, and the text ends there. */
static bool is_filled(const struct head *head, const char *at, size_t left)
{
	const struct entry *entries = (const void *)(head + 1);

	for (int i = 0; i < head->n; i++) {
		if (entries[i].len > left ||
		    modex_padded(entries[i].len) > left)
			return false;
		at += modex_padded(entries[i].len);
		left -= modex_padded(entries[i].len);
	}
	return head->text && head->text <= MODEX_TEXT &&
	       modex_padded(head->text) == left && !at[head->text - 1];
}

/* Learns what a rank has published. */
static int modex_learn(int rank, char *bytes, size_t len)
{
	const struct head *head = (const void *)bytes;
	const struct entry *entries = (const void *)(head + 1);
	size_t list = sizeof(*head);
	char *at;

	if (len >= list && head->n >= 0)
		list += (size_t)head->n * sizeof(*entries);
	if (len < list || len < sizeof(*head) + sizeof(*entries) ||
	    !is_list(head, entries, rank) ||
	    !is_filled(head, bytes + list, len - list))
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d has published damaged endpoints (%zu "
				 "bytes)",
				 rank, len);
	at = bytes + list;
	for (int i = 0; i < head->n; i++) {
		const struct entry *e = &entries[i];

		modex_place(e->rank, head, e->cache);
		modex.cards[e->rank] = (struct card){at, e->len};
		at += modex_padded(e->len);
	}
	return 0;
}

/* Returns the most bytes that the blob of a node may have. */
static size_t most_bytes(void)
{
	size_t ranks = (size_t)modex.job->size;
	size_t mesh = ranks <= (size_t)env.mesh_max ? ranks : 0;
	size_t card = FAB_CARD_MAX + modex_padded(mesh * sizeof(uint32_t));

	return sizeof(struct head) + ranks * (sizeof(struct entry) + card) +
	       MODEX_TEXT;
}

/* Reads what a rank has published and keeps it. */
static int read_blob(int rank, struct blob *blob)
{
	size_t len = most_bytes();
	char *bytes = malloc(len);
	int rc;

	if (!bytes)
		return log_error(MRT_ERR_NO_MEM, "endpoint of rank %d", rank);
	rc = boot_get(rank, modex_key(), bytes, &len);
	/* shorter, if that fails it may stay as it is */
	blob->bytes = rc ? NULL : realloc(bytes, len + !len);
	if (!blob->bytes)
		blob->bytes = bytes;
	blob->next = modex.blobs;
	modex.blobs = blob;
	return rc ? rc : modex_learn(rank, blob->bytes, len);
}

/* Asks the lowest rank of which nothing is known: it is the lowest of its node,
 * or one that speaks for itself alone. */
static int modex_ask(void)
{
	struct blob *blob = malloc(sizeof(*blob));
	int *rank = &modex.first_unknown;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoints of other nodes");
	while (is_near(*rank) || modex.cards[*rank].at)
		++*rank;
	return read_blob(*rank, blob);
}

/* ---- the interface ---- */

/* Whether this rank knows all that it needs without asking. */
static bool knows_all(void)
{
	return modex.node && modex.job->nnodes == 1;
}

static void place_near(void)
{
	const struct boot_job *job = modex.job;
	const struct head head = own_head(0);

	for (int r = 0; r < job->size; r++)
		modex.places[r].node = -1;
	for (int i = 0; i < job->node_size; i++) {
		int r = job->node_ranks[i];

		if (modex.node)
			modex_place(
			    r, &head,
			    modex.node->ops->home_of(modex.node, r)->cache);
		else if (r == job->rank)
			modex_place(r, &head, modex.near->sink.cache);
	}
}

int modex_open(const struct boot_job *job, struct fab *near, struct fab *far,
	       const char *why)
{
	size_t n = (size_t)job->size;

	modex.job = job;
	modex.near = near;
	modex.far = far;
	modex.node = near->node;
	modex.why = why;
	modex.places = malloc(n * sizeof(*modex.places));
	if (!knows_all())
		modex.cards = calloc(n, sizeof(*modex.cards));
	if (!modex.places || (!knows_all() && !modex.cards))
		return log_error(MRT_ERR_NO_MEM, "places of %d ranks",
				 job->size);
	modex.unplaced = job->size;
	place_near();
	return knows_all() ? 0 : modex_publish();
}

int modex_renew(struct fab *far)
{
	int rc = 0;

	modex_forget();
	modex.far = far;
	modex.round++;
	if (modex.node)
		rc = modex.node->ops->put_far(modex.node, far);
	if (!rc)
		rc = boot_fence();
	return rc ? rc : modex_publish();
}

int modex_card(int rank, void **card, size_t *len)
{
	int rc = 0;

	while (!modex.cards[rank].at && !rc)
		rc = modex_ask();
	*card = modex.cards[rank].at;
	*len = modex.cards[rank].len;
	return rc;
}

int modex_places(const struct place **places)
{
	int rc = 0;

	while (modex.unplaced && !rc)
		rc = modex_ask();
	*places = modex.places;
	return rc;
}

/* Counts the ranks for which one of them has published this head. */
static void census_add(struct census *all, const struct head *head,
		       const char *why)
{
	if (head->least < all->least)
		all->least = head->least;
	if (head->most <= all->most)
		return;
	all->most = head->most;
	all->why = why;
}

int modex_census(struct census *all)
{
	const struct boot_job *job = modex.job;
	const struct head own = own_head(0);
	const struct place *places;
	int rc = modex_places(&places);

	*all = (struct census){.least = own.least, .most = -1};
	census_add(all, &own, modex.why);
	for (int r = 0; !rc && r < job->size; r++) {
		void *card;
		size_t len;

		if (places[r].node == r && !is_near(r))
			rc = modex_card(r, &card, &len);
	}
	for (struct blob *b = rc ? NULL : modex.blobs; b; b = b->next) {
		const struct head *head = (const void *)b->bytes;
		const struct entry *last =
		    (const struct entry *)(head + 1) + head->n - 1;

		census_add(all, head,
			   modex.cards[last->rank].at +
			       modex_padded(last->len));
	}
	return rc;
}

void modex_forget(void)
{
	for (struct blob *b = modex.blobs, *next; b; b = next) {
		next = b->next;
		free(b->bytes);
		free(b);
	}
	modex.blobs = NULL;
	modex.first_unknown = 0;
	if (modex.cards)
		memset(modex.cards, 0,
		       (size_t)modex.job->size * sizeof(*modex.cards));
}

void modex_close(void)
{
	modex_forget();
	free(modex.places);
	free(modex.cards);
	memset(&modex, 0, sizeof(modex));
}
