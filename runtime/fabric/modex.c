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
#include "runtime/fabric/modex_blob.h"
#include "runtime/fabric/modex_places.h"

/* `struct speaker` is a rank that has published, for itself and for others. */
struct speaker {
	int rank;
	bool whole; /* bytes have the cards of all, else of this rank alone */
	struct place place; /* of its node; cache -1 */
	char *bytes;	    /* its blob; NULL: not read, or freed */
};

static struct {
	const struct boot_job *job;
	struct fab *near, *far;
	struct fab_node *node; /* of near; NULL: it does not know this node */
	const char *why;       /* see modex_open */
	int round;	       /* how often the cards were published before */
	struct speaker *speakers; /* [room]; the first is of the near ranks */
	int nspeakers, room;
	int whole; /* the speaker whose blob is kept whole where others' are
		      not, or -1 */
} modex;

/* A key is published once, as a rank may have kept what it has read. */
static const char *modex_key(void)
{
	static char key[24];

	snprintf(key, sizeof(key), modex.round ? "mrt.modex.%d" : "mrt.modex",
		 modex.round + 1);
	return key;
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
		if (k)
			continue;
		head->software = home->far_software;
		head->switches = home->switches;
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
			    .switches = modex.near->sink.switches,
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
		    ranks[i], places_find(ranks[i]).cache, (uint64_t)card};
		len += blob_padded((size_t)card);
	}
	return (ssize_t)(len + blob_padded(strlen(modex.why) + 1));
}

static int write_cards(const struct entry *entries, int n, char *at)
{
	for (int i = 0; i < n; i++) {
		ssize_t len = card_of(entries[i].rank, at);

		if (len < 0)
			return (int)len;
		at += blob_padded((size_t)len);
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

/* Tells whether the list of a blob agrees with what is known: ascending ranks
 * for which no other speaker speaks, itself first. */
static bool is_list(const struct head *head, const struct entry *entries, int k)
{
	int below = modex.speakers[k].rank - 1;

	if (head->n < 1 || head->node < 0 || head->node > below + 1 ||
	    head->cpu < 0 || entries[0].rank != below + 1)
		return false;
	if (head->least < 0 || head->least > head->most ||
	    head->most > FAB_NOTHING)
		return false;
	for (int i = 0; i < head->n; i++) {
		int r = entries[i].rank, speaker;

		if (r <= below || r >= modex.job->size)
			return false;
		speaker = places_find(r).speaker;
		if (speaker >= 0 && speaker != k)
			return false;
		below = r;
	}
	return true;
}

static int modex_place(int speaker, const struct entry *entries, int n)
{
	if (places_add(speaker, entries, n))
		return log_error(MRT_ERR_NO_MEM, "places of %d ranks", n);
	return 0;
}

static int modex_refuse(int rank, size_t len)
{
	return log_error(MRT_ERR_PROTOCOL,
			 "rank %d has published damaged endpoints (%zu bytes)",
			 rank, len);
}

static struct place head_place(const struct head *head)
{
	return (struct place){.node = head->node,
			      .cache = -1,
			      .cpu = head->cpu,
			      .software = head->software != 0,
			      .switches = head->switches};
}

/* Learns what speaker k has published. */
static int modex_learn(int k, char *bytes, size_t len)
{
	struct speaker *s = &modex.speakers[k];
	const struct head *head = (const void *)bytes;
	const struct entry *entries = (const void *)(head + 1);
	size_t list = sizeof(*head);

	if (len >= list && head->n >= 0)
		list += (size_t)head->n * sizeof(*entries);
	if (len < list || len < sizeof(*head) + sizeof(*entries) ||
	    !is_list(head, entries, k) ||
	    !blob_is_filled(head, bytes + list, len - list))
		return modex_refuse(s->rank, len);
	s->place = head_place(head);
	return modex_place(k, entries, head->n);
}

/* Keeps the blob of speaker k whole instead of that of another one, or does not
 * keep it whole. */
static void modex_keep(int k, bool whole)
{
	int before = whole ? modex.whole : k;

	if (before >= 0 && (before != k || !whole)) {
		struct speaker *s = &modex.speakers[before];

		s->bytes = blob_cut(s->bytes);
		s->whole = false;
	}
	if (whole)
		modex.whole = k;
	else if (modex.whole == k)
		modex.whole = -1;
}

/* Reads what speaker k has published, and keeps it, whole or with the card of
 * the speaker alone. */
static int modex_ask(int k, bool whole)
{
	struct speaker *s = &modex.speakers[k];
	void *bytes;
	size_t len;
	int rc = boot_get_whole(s->rank, modex_key(), &bytes, &len)
		     ?: modex_learn(k, bytes, len);

	if (rc) {
		free(bytes);
		return rc;
	}
	free(s->bytes);
	s->bytes = bytes;
	s->whole = true;
	if (modex.job->size > env.mesh_max)
		modex_keep(k, whole);
	return 0;
}

static int add_speaker(int rank)
{
	if (modex.nspeakers == modex.room) {
		size_t more = (size_t)modex.room * 2 + 16;
		void *new =
		    realloc(modex.speakers, more * sizeof(*modex.speakers));

		if (!new)
			return log_error(MRT_ERR_NO_MEM,
					 "endpoints of other nodes");
		modex.speakers = new;
		modex.room = (int)more;
	}
	modex.speakers[modex.nspeakers++] = (struct speaker){.rank = rank};
	return 0;
}

/* Asks the lowest rank of which nothing is known: it is the lowest of its node,
 * or one that speaks for itself alone. */
static int ask_next(void)
{
	int rc = add_speaker(places_unknown());

	if (rc)
		return rc;
	rc = modex_ask(modex.nspeakers - 1, false);
	if (rc)
		modex.nspeakers--;
	return rc;
}

/* Finds the card of a rank in the blob of its speaker. Returns false if it is
 * not kept. */
static bool find_card(int rank, void **card, size_t *len)
{
	const struct speaker *s = &modex.speakers[places_find(rank).speaker];

	return s->bytes && (s->whole || rank == s->rank) &&
	       blob_find(s->bytes, rank, card, len);
}

/* ---- the interface ---- */

/* Whether this rank knows all that it needs without asking. */
static bool knows_all(void)
{
	return modex.node && modex.job->nnodes == 1;
}

/* Makes the first speaker one of the ranks that nobody is asked for. */
static int place_near(void)
{
	const struct boot_job *job = modex.job;
	const struct head head = own_head(0);
	int n = modex.node ? job->node_size : 1, rc = add_speaker(job->rank);
	struct entry *near = malloc((size_t)n * sizeof(*near));

	if (rc || !near) {
		free(near);
		return rc ?: log_error(MRT_ERR_NO_MEM, "places of %d ranks", n);
	}
	modex.speakers[0].place = head_place(&head);
	for (int i = 0; i < n; i++) {
		int r = modex.node ? job->node_ranks[i] : job->rank;

		near[i] = (struct entry){
		    r,
		    modex.node ? modex.node->ops->home_of(modex.node, r)->cache
			       : modex.near->sink.cache,
		    0};
	}
	rc = modex_place(0, near, n);
	free(near);
	return rc;
}

int modex_open(const struct boot_job *job, struct fab *near, struct fab *far,
	       const char *why)
{
	int rc;

	modex.job = job;
	modex.near = near;
	modex.far = far;
	modex.node = near->node;
	modex.why = why;
	modex.whole = -1;
	if (places_open(job->size))
		return log_error(MRT_ERR_NO_MEM, "places");
	rc = place_near();
	return rc || knows_all() ? rc : modex_publish();
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

	while (places_find(rank).speaker < 0 && !rc)
		rc = ask_next();
	if (!rc && !find_card(rank, card, len)) {
		int k = places_find(rank).speaker;

		rc = modex_ask(k, true);
		if (!rc && !find_card(rank, card, len))
			rc = modex_refuse(modex.speakers[k].rank, 0);
	}
	return rc;
}

int modex_places(void)
{
	int rc = 0;

	while (!rc && places_unknown() < modex.job->size)
		rc = ask_next();
	return rc;
}

struct place modex_place_of(int rank)
{
	const struct spot spot = places_find(rank);
	struct place place = modex.speakers[spot.speaker].place;

	place.cache = spot.cache;
	return place;
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
	const struct head own = own_head(0);
	int rc = modex_places();

	*all = (struct census){.least = own.least, .most = -1};
	census_add(all, &own, modex.why);
	for (int k = 1; !rc && k < modex.nspeakers; k++) {
		struct speaker *s = &modex.speakers[k];

		rc = s->bytes ? 0 : modex_ask(k, false);
		if (!rc)
			census_add(all, (void *)s->bytes, blob_text(s->bytes));
	}
	return rc;
}

void modex_forget(void)
{
	for (int k = 0; k < modex.nspeakers; k++) {
		free(modex.speakers[k].bytes);
		modex.speakers[k].bytes = NULL;
	}
	modex.whole = -1;
}

void modex_close(void)
{
	modex_forget();
	free(modex.speakers);
	places_close();
	memset(&modex, 0, sizeof(modex));
}
