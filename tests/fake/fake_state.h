/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_state.h is shared by fake.c, which implements the provider's calls, and
 * fake_hold.c, which draws what is held back, lost and made to fail.
 */
#ifndef TESTS_FAKE_STATE_H
#define TESTS_FAKE_STATE_H

#include <stdbool.h>

#include "runtime/base/list.h"
#include "runtime/fabric/fabric.h"
#include "tests/fake/fake.h"

struct fake_ep {
	struct fab_ep base;
	struct fab_ep *inner;
	struct list inbox;
	unsigned jam; /* number of refusals to come */
	bool dead;    /* nothing comes from this peer any more */
};

/* Represents the caller's operation at the real provider. */
struct fake_op {
	struct fab_op op;
	struct fab_op *user;
	struct list link;
	int peer, status;
};

struct fake {
	struct fab base;
	struct fab_node node;
	struct fab *inner;
	struct fake_ep **eps;
	int size;
	int held; /* messages and completions held back */
	bool armed;
	struct list done; /* completions held back */
};
extern struct fake fake;

unsigned fake_below(unsigned n);
/* Draws whether something happens, and counts it. `count` is a member of
 * fake_counts and selects the sequence of the draw. */
bool fake_chance(unsigned thousandths, int peer, unsigned long *count);

/* Counts an operation; the peer, or all of this rank, dies if it is the chosen
 * one. */
void fake_step(void);
/* Returns whether an operation to this peer is refused, once or as part of a
 * jam. */
bool fake_jammed(struct fake_ep *ep);

/* Takes what the real provider delivers. */
void fake_recv(int peer, uint64_t hdr, const void *data, size_t len);
int fake_release_messages(struct fake_ep *ep);
int fake_release_completions(void);

/* Returns the provider's op for the user's, or NULL with *rc set: refused, or
 * failed at once. */
struct fake_op *fake_wrap(struct fake_ep *ep, struct fab_op *user, int *rc);
/* Must be called when the real provider has taken the operation or refused
 * it. */
int fake_wrapped(struct fake_op *op, int rc);
#endif
