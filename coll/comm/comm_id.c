/* SPDX-License-Identifier: Apache-2.0 */
/* comm_id.c: the ids of communicators. */
#include "coll/comm/comm_id.h"

#include <string.h>

#include "coll/comm/comm_create.h"
#include "p2p/comm.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"

enum { MAP_WORDS = COMM_MAX / 64 };

/* Flags; the word that is told stands above them. */
enum {
	FLAG_FAILED = 1,  /* a rank cannot make the communicator */
	FLAG_CROWDED = 2, /* a rank may give the id to another search first */
	FLAG_REFUSED = 4, /* it did */
	FLAG_PARTING = 8, /* a rank has ids that may soon be free */
	FLAG_BITS = 32
};

/* All ranks wait so often for ids that may soon be free. */
enum { ATTEMPTS = 1000 };

static unsigned searches; /* under way in this process */

static bool is_free(int id)
{
	return !(comm_ids[id / 64] >> (id % 64) & 1);
}

void id_give_back(int id)
{
	comm_ids[id / 64] &= ~(1ull << (id % 64));
}

static void comm_id_take(struct id_search *s, int id)
{
	comm_ids[id / 64] |= 1ull << (id % 64);
	s->id = id;
}

/* Offers the next words of the map. */
static void comm_id_offer(struct id_search *s)
{
	size_t n = s->at ? s->most - 1 : ID_FEW - 1;

	if (n > MAP_WORDS - s->at)
		n = MAP_WORDS - s->at;
	memset(s->words, 0, sizeof(s->words));
	memcpy(s->words, comm_ids + s->at, n * sizeof(*s->words));
	/* if rounds have a fixed length, ids beyond the map are taken */
	if (s->most == ID_FEW && n < ID_FEW - 1) {
		memset(s->words + n, 0xff,
		       (ID_FEW - 1 - n) * sizeof(*s->words));
		n = ID_FEW - 1;
	}
	s->n = n + 1;
	s->words[n] =
	    (s->failed ? FLAG_FAILED : 0) | (s->crowded ? FLAG_CROWDED : 0) |
	    (comm_parting() || comm_has_retired() ? FLAG_PARTING : 0) |
	    (uint64_t)s->told << FLAG_BITS;
}

static void comm_id_confirm(struct id_search *s)
{
	memset(s->words, 0, sizeof(s->words));
	s->n = ID_FEW;
	s->words[s->n - 1] = s->id < 0 ? FLAG_REFUSED : 0;
	s->confirming = true;
}

static void comm_id_again(struct id_search *s)
{
	if (s->id >= 0)
		id_give_back(s->id);
	s->id = -1;
	s->confirming = false;
	s->attempt++;
	s->at = 0;
	comm_id_offer(s);
}

void id_search_begin(struct id_search *s, const struct id_plan *plan)
{
	s->id = -1;
	s->told = plan->told;
	s->at = 0;
	s->most = plan->most;
	s->key = plan->key;
	/* ids stay low if no other search competes */
	s->attempt = plan->blocking ? 0 : 1;
	s->failed = plan->failed;
	s->crowded = !plan->blocking || proc.locked || searches;
	s->confirming = false;
	searches++;
	comm_id_offer(s);
}

/* Returns which of the free ids to try; other searches try others. */
static uint32_t comm_id_wish(const struct id_search *s)
{
	uint32_t x = s->key * 2654435761u + s->attempt * 2246822519u;

	return s->attempt ? (x ^ x >> 15) * 3266489917u >> 8 : 0;
}

/* Returns the k-th free id of n words, modulo their number, or -1. */
static int comm_id_pick(const uint64_t *words, size_t n, uint32_t k)
{
	unsigned nfree = 0;
	size_t i = 0;
	uint64_t bits;

	for (size_t w = 0; w < n; w++)
		nfree += (unsigned)__builtin_popcountll(~words[w]);
	if (!nfree)
		return -1;
	for (k %= nfree;; i++) {
		unsigned here = (unsigned)__builtin_popcountll(~words[i]);

		if (k < here)
			break;
		k -= here;
	}
	for (bits = ~words[i]; k; k--)
		bits &= bits - 1;
	return (int)(i * 64) + __builtin_ctzll(bits);
}

/* Chooses an id when all ranks have offered. True: the search is over. */
static bool comm_id_choose(struct id_search *s, int *rc)
{
	size_t n = s->n - 1;
	uint64_t flags = s->words[n];
	int k = comm_id_pick(s->words, n, comm_id_wish(s));

	s->told = (uint32_t)(flags >> FLAG_BITS);
	if (flags & FLAG_FAILED) {
		*rc = s->failed ? s->failed
				: proc_fail(MRT_ERR_NO_MEM,
					    "another rank has no memory for "
					    "the communicator");
		return true;
	}
	if (k < 0) {
		s->at += n;
		if (s->at >= MAP_WORDS && flags & FLAG_PARTING &&
		    s->attempt < ATTEMPTS) {
			/* the rounds themselves may not make progress */
			progress_poll();
			comm_free_retired();
			comm_id_again(s);
			return false;
		}
		if (s->at >= MAP_WORDS) {
			*rc = proc_fail(
			    MRT_ERR_RESOURCE,
			    "%d communicators exist, the most there can be",
			    COMM_MAX);
			return true;
		}
		comm_id_offer(s);
		return false;
	}
	k += (int)(s->at * 64);
	if (is_free(k))
		comm_id_take(s, k);
	if (flags & FLAG_CROWDED)
		comm_id_confirm(s);
	return !(flags & FLAG_CROWDED);
}

bool id_search_next(struct id_search *s, int *rc)
{
	if (!s->confirming)
		return comm_id_choose(s, rc);
	if (s->words[s->n - 1] & FLAG_REFUSED) {
		comm_id_again(s);
		return false;
	}
	return true;
}

void id_search_end(struct id_search *s, int rc)
{
	searches--;
	if (rc && s->id >= 0)
		id_give_back(s->id);
}
