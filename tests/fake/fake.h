/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake.h: a provider that misbehaves on a seed. It stands before the real one
 * of this node and keeps its promises - reliable, ordered per peer - but no
 * more than those: messages of different peers overtake each other, sends and
 * reads are refused with ERR_AGAIN, completions come late, progress does only
 * part of its work. On request it also breaks promises: completions fail,
 * peers die.
 *
 * Linked into a test program (with libmrt-core.la) it takes the place of the
 * built-in providers before main. FAKE_PLAIN in the environment leaves out
 * what only fabrics inside a node offer.
 */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include <stdint.h>

/* Chances are in thousandths. */
struct fake_knobs {
	unsigned again; /* refuse a send, read, write or atomic */
	unsigned hold;	/* keep a message or completion for later */
	unsigned skip;	/* progress that does nothing */
	unsigned fail;	/* completion with fail_code, nothing done */
	int fail_code;	/* MRT_ERR_* */
};

extern struct fake_knobs fake_knobs;

/* Draws knobs (fail excepted) and all that follows from a seed. */
void fake_seed(uint64_t seed);

/* What has been done since the start: proof that a test tested something. */
struct fake_counts {
	unsigned long refused, held, overtaken, skipped, failed;
};
extern struct fake_counts fake_counts;

/* The death of a peer, as a provider reports it. */
void fake_kill(int peer);
#endif
