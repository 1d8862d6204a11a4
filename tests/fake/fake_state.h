/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_state.h: between fake.c, which stands in the provider's place, and
 * fake_hold.c: what is drawn, kept for later, lost and made to fail.
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
	unsigned jam; /* so many refusals to come */
	bool dead;    /* nothing comes from it any more */
};

/* Stands for a caller's operation at the real provider. */
struct fake_op {
	struct fab_op op;
	struct fab_op *user;
	struct list link;
	int peer, status;
};

struct fake {
	struct fab base;
	struct fab *inner;
	struct fake_ep **eps;
	int size;
	int held; /* messages and completions */
	bool armed;
	struct list done; /* completions held */
};
extern struct fake fake;

unsigned fake_below(unsigned n);
/* count: of fake_counts, which is also what is drawn for. */
bool fake_chance(unsigned thousandths, int peer, unsigned long *count);

/* The peer, or all of it, dies at this operation, if it is the one. */
void fake_step(void);
/* Refused, for once or for long. */
bool fake_jammed(struct fake_ep *ep);

/* Called with what the real provider delivers. */
void fake_recv(int peer, uint64_t hdr, const void *data, size_t len);
int fake_release_messages(struct fake_ep *ep);
int fake_release_completions(void);

/* Our op for the user's, or NULL with *rc: refused, or failed at once. */
struct fake_op *fake_wrap(struct fake_ep *ep, struct fab_op *user, int *rc);
/* The real provider took the operation, or did not. */
int fake_wrapped(struct fake_op *op, int rc);
#endif
