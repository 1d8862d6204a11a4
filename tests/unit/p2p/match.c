/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c: tests p2p/match.c against the definition of matching written as two
 * plain arrays: receives in posting order, messages in order of arrival.
 */
#include "p2p/match.h"

#include <stdbool.h>

#include "tests/tap.h"

enum { MAX = 3000, STEPS = 60000, SOURCES = 5, CONTEXTS = 3 };

struct message {
	uint32_t context;
	int source, tag;
	uint64_t id;
};

static struct mrt_request requests[MAX];
static struct mrt_request *free_requests[MAX], *posted[MAX];
static struct message arrived[MAX];
static int n_free, n_posted, n_arrived, wrong;
static int tags; /* few, or so many that the tables grow */

static bool matches(const struct mrt_request *r, uint32_t context, int source,
		    int tag)
{
	return r->context == context &&
	       (r->peer == MRT_ANY_SOURCE || r->peer == source) &&
	       (r->tag == MRT_ANY_TAG || r->tag == tag);
}

static void take_posted(int k)
{
	free_requests[n_free++] = posted[k];
	memmove(&posted[k], &posted[k + 1],
		(size_t)(--n_posted - k) * sizeof(posted[0]));
}

static void take_arrived(int k)
{
	memmove(&arrived[k], &arrived[k + 1],
		(size_t)(--n_arrived - k) * sizeof(arrived[0]));
}

/* A message comes: the first posted receive that matches, else kept. */
static void arrive(uint64_t id)
{
	struct message m = {(uint32_t)(rand() % CONTEXTS), rand() % SOURCES,
			    rand() % tags, id};
	struct mrt_request *got = match_arrived(m.context, m.source, m.tag);
	struct unexpected head = {.context = m.context,
				  .source = m.source,
				  .tag = m.tag,
				  .len = sizeof(id),
				  .bytes = sizeof(id)};
	int k = 0;

	while (k < n_posted && !matches(posted[k], m.context, m.source, m.tag))
		k++;
	if (got != (k < n_posted ? posted[k] : NULL))
		wrong++;
	if (got) {
		take_posted(k);
		return;
	}
	if (!match_keep(&head, &id))
		wrong++;
	arrived[n_arrived++] = m;
}

/* A receive is made: the oldest message that matches, else posted. */
static void receive(bool only_look)
{
	struct mrt_request *r = free_requests[n_free - 1];
	struct unexpected *got;
	uint64_t id = 0;
	int k = 0;

	memset(r, 0, sizeof(*r));
	list_init(&r->link);
	r->kind = REQ_RECV;
	r->context = (uint32_t)(rand() % CONTEXTS);
	r->peer = rand() % 3 ? rand() % SOURCES : MRT_ANY_SOURCE;
	r->tag = rand() % 3 ? rand() % tags : MRT_ANY_TAG;
	while (k < n_arrived && !matches(r, arrived[k].context,
					 arrived[k].source, arrived[k].tag))
		k++;
	got = match_find(r->context, r->peer, r->tag);
	if (!got != (k == n_arrived)) {
		wrong++;
		return;
	}
	if (got) {
		memcpy(&id, got->data, sizeof(id));
		wrong += id != arrived[k].id ||
			 got->source != arrived[k].source ||
			 got->tag != arrived[k].tag || got->len != sizeof(id);
	}
	if (only_look)
		return;
	if (got) {
		match_take(got);
		match_discard(got);
		take_arrived(k);
		return;
	}
	match_post(r);
	posted[n_posted++] = r;
	n_free--;
}

static void withdraw(void)
{
	int k;

	if (!n_posted)
		return;
	k = rand() % n_posted;
	match_withdraw(posted[k]);
	take_posted(k);
}

static void test_random(unsigned seed)
{
	int most_posted = 0, most_arrived = 0;

	srand(seed);
	tags = seed % 2 ? 4 : 1000;
	match_init();
	for (int i = 0; i < MAX; i++)
		free_requests[i] = &requests[i];
	n_free = MAX;
	n_posted = n_arrived = wrong = 0;
	for (uint64_t step = 0; step < STEPS && !wrong; step++) {
		/* long phases in which one side is ahead */
		bool ahead = step / 2000 % 2;
		int die = rand() % 16;

		if (die == 0)
			withdraw();
		else if (die == 1 && n_free)
			receive(true);
		else if (die < (ahead ? 12 : 6) && n_arrived < MAX)
			arrive(step);
		else if (n_free)
			receive(false);
		most_posted = n_posted > most_posted ? n_posted : most_posted;
		most_arrived =
		    n_arrived > most_arrived ? n_arrived : most_arrived;
	}
	ok(!wrong, "seed %u: %d steps agree with the definition", seed, STEPS);
	ok(most_posted > 50 && most_arrived > 50,
	   "seed %u: long queues on both sides (%d, %d)", seed, most_posted,
	   most_arrived);
	match_fini();
}

int main(void)
{
	for (unsigned seed = 1; seed <= 8; seed++)
		test_random(seed);
	return tap_done();
}
