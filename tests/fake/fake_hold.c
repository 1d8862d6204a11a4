/* SPDX-License-Identifier: Apache-2.0 */
/* fake_hold.c draws what the misbehaving provider does, and holds back, loses
 * and fails operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "tests/fake/fake_state.h"

/* A message that has arrived and is not delivered yet. */
struct held {
	struct list link;
	uint64_t hdr;
	size_t len;
	char data[];
};

struct fake_knobs fake_knobs = {.again = 200, .hold = 300, .skip = 100};
struct fake_counts fake_counts;
struct fake fake;

/* ---- chance ---- */

/* Each kind of event and each peer has a sequence of its own, so that the draw
 * for the nth send to a peer does not depend on the number of polls. */
enum { KINDS = sizeof(fake_counts) / sizeof(unsigned long), PEERS = 16 };
static uint64_t states[KINDS][PEERS];

static unsigned next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33);
}

unsigned fake_below(unsigned n)
{
	return next(&states[0][0]) % n;
}

bool fake_chance(unsigned thousandths, int peer, unsigned long *count)
{
	size_t kind = (size_t)(count - (unsigned long *)&fake_counts);
	bool yes = next(&states[kind][peer % PEERS]) % 1000 < thousandths;

	*count += yes;
	return yes;
}

static void seed_all(uint64_t seed)
{
	for (size_t k = 0; k < KINDS; k++)
		for (size_t r = 0; r < PEERS; r++) {
			uint64_t *s = &states[k][r];

			*s = (seed * 0x9e3779b97f4a7c15u + 1) ^
			     (k * PEERS + r) * 0xbf58476d1ce4e5b9u;
			next(s);
			next(s);
		}
}

void fake_seed(uint64_t seed)
{
	seed_all(seed);
	fake_knobs.again = fake_below(2) ? fake_below(600) : 0;
	fake_knobs.hold = fake_below(2) ? fake_below(900) : 0;
	fake_knobs.skip = fake_below(2) ? fake_below(500) : 0;
}

void fake_seed_faults(uint64_t seed)
{
	fake_seed(seed);
	fake_knobs.fail = fake_below(3) ? fake_below(200) : 0;
	fake_knobs.late = fake_below(3) ? fake_below(200) : 0;
	fake_knobs.refuse = fake_below(3) ? 0 : fake_below(100);
	fake_knobs.fail_send = fake_below(3) ? fake_below(100) : 0;
	fake_knobs.fail_register = fake_below(3) ? fake_below(200) : 0;
	fake_knobs.fail_heap = fake_below(3) ? fake_below(500) : 0;
	fake_knobs.jam = fake_below(4) ? 0 : 5;
	fake_knobs.fail_code = MRT_ERR_RESOURCE;
}

void fake_calm(void)
{
	fake_knobs = (struct fake_knobs){0};
	for (int r = 0; r < fake.size; r++)
		fake.eps[r]->jam = 0;
}

/* ---- death ---- */

void fake_kill(int peer)
{
	char text[64];

	if (peer < fake.size)
		fake.eps[peer]->dead = true;
	snprintf(text, sizeof(text), "rank %d has died (simulated)", peer);
	fault_raise(MRT_ERR_PEER, text);
}

void fake_step(void)
{
	fake_counts.operations++;
	if (fake_knobs.die_at && !--fake_knobs.die_at)
		fake_kill(fake_knobs.die_peer);
}

bool fake_jammed(struct fake_ep *ep)
{
	if (!ep->jam && fake_knobs.jam &&
	    fake_chance(fake_knobs.jam, ep->base.peer, &fake_counts.jammed))
		ep->jam = 300;
	if (ep->jam) {
		ep->jam--;
		fake_counts.refused++;
		return true;
	}
	return fake_chance(fake_knobs.again, ep->base.peer,
			   &fake_counts.refused);
}

/* ---- messages ---- */

static void hold_message(struct fake_ep *ep, uint64_t hdr, const void *data,
			 size_t len)
{
	struct held *h = malloc(sizeof(*h) + len);

	if (!h)
		abort();
	h->hdr = hdr;
	h->len = len;
	if (len)
		memcpy(h->data, data, len);
	list_append(&ep->inbox, &h->link);
	fake.held++;
}

void fake_recv(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct fake_ep *ep = fake.eps[peer];

	if (ep->dead) {
		fake_counts.lost++;
		return;
	}
	/* order per peer is the one promise that is always kept */
	if (!list_empty(&ep->inbox) ||
	    fake_chance(fake_knobs.hold, peer, &fake_counts.held)) {
		hold_message(ep, hdr, data, len);
		return;
	}
	fake_counts.overtaken += fake.held > 0;
	fake.base.sink.recv(peer, hdr, data, len);
}

int fake_release_messages(struct fake_ep *ep)
{
	int n = 0;
	struct list *it;

	while (
	    !ep->dead &&
	    !fake_chance(fake_knobs.hold, ep->base.peer, &fake_counts.held) &&
	    (it = list_pop(&ep->inbox))) {
		struct held *h = list_entry(it, struct held, link);

		fake.held--;
		fake.base.sink.recv(ep->base.peer, h->hdr, h->data, h->len);
		free(h);
		n++;
	}
	return n;
}

/* ---- operations ---- */

static void finish(struct fake_op *op)
{
	struct fab_op *user = op->user;
	int status = op->status;

	free(op);
	user->done(user, status);
}

static void inner_done(struct fab_op *inner, int status)
{
	struct fake_op *op = list_entry(inner, struct fake_op, op);

	op->status = status;
	/* all bytes have been moved, but the completion fails */
	if (!status && fake_knobs.late &&
	    fake_chance(fake_knobs.late, op->peer, &fake_counts.late))
		op->status = fake_knobs.fail_code;
	if (!fake_chance(fake_knobs.hold, op->peer, &fake_counts.held)) {
		finish(op);
		return;
	}
	list_append(&fake.done, &op->link);
	fake.held++;
}

int fake_release_completions(void)
{
	int n = 0;

	list_for_each_safe (it, &fake.done) {
		struct fake_op *op = list_entry(it, struct fake_op, link);

		if (fake_chance(fake_knobs.hold, op->peer, &fake_counts.held))
			continue; /* later ones may overtake it */
		list_remove(it);
		fake.held--;
		finish(op);
		n++;
		break; /* the callback may have changed the list */
	}
	return n;
}

struct fake_op *fake_wrap(struct fake_ep *ep, struct fab_op *user, int *rc)
{
	struct fake_op *op;

	fake_step();
	*rc = ERR_AGAIN;
	if (fake_jammed(ep))
		return NULL;
	*rc = fake_knobs.fail_code;
	if (fake_knobs.refuse &&
	    fake_chance(fake_knobs.refuse, ep->base.peer, &fake_counts.failed))
		return NULL;
	op = malloc(sizeof(*op));
	if (!op)
		abort();
	op->op.done = inner_done;
	op->user = user;
	op->peer = ep->base.peer;
	list_init(&op->link);
	if (fake_chance(fake_knobs.fail, op->peer, &fake_counts.failed)) {
		op->status = fake_knobs.fail_code;
		list_append(&fake.done, &op->link);
		fake.held++;
		*rc = 0;
		return NULL;
	}
	return op;
}

int fake_wrapped(struct fake_op *op, int rc)
{
	if (rc)
		free(op);
	return rc;
}
