/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake.h: a provider that misbehaves according to a seed. It wraps the real one
 * of this node and keeps its promises - reliable, ordered per peer - but no
 * more than those: messages of different peers overtake each other, sends and
 * reads are refused with ERR_AGAIN, completions come late, progress does only
 * part of its work. On request it also breaks promises: sends, completions and
 * registrations fail, peers die.
 *
 * Linked into a test program (with libmrt-core.la), it replaces the built-in
 * providers before main. FAKE_PLAIN in the environment leaves out what only
 * fabrics inside a node offer.
 */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include <stdint.h>

/* Each chance is in thousandths. */
struct fake_knobs {
	unsigned again; /* refuse a send, read, write or atomic */
	unsigned jam;	/* refuse the next 300 operations to that peer */
	unsigned hold;	/* hold back a message or completion */
	unsigned skip;	/* do nothing in a call of progress */
	unsigned fail;	/* complete with fail_code, nothing done */
	unsigned late;	/* complete with fail_code, all done */
	unsigned
	    refuse; /* fail a read, write or atomic at once with fail_code */
	unsigned
	    fail_send; /* fail a send of a message with fail_code, unsent */
	unsigned fail_answer; /* as fail_send, for CTS, ACK, FIN and FAILED */
	unsigned fail_register;
	unsigned fail_heap; /* fail heap_alloc and heap_map */
	int fail_code;	    /* MRT_ERR_* */
	unsigned die_at;    /* die_peer dies at this operation; 0: never */
	int die_peer;
};

extern struct fake_knobs fake_knobs;

/* Draws `again`, `hold` and `skip`, and all later misbehaviour, from a seed. */
void fake_seed(uint64_t seed);
/* Like fake_seed, and also draws failures, except that of answers, which would
 * end the job. */
void fake_seed_faults(uint64_t seed);
/* Ends all misbehaviour. */
void fake_calm(void);

/* Counts what the provider has done since the start, so that a test can prove
 * that it tested something. */
struct fake_counts {
	unsigned long refused, jammed, held, overtaken, skipped, failed, late;
	unsigned long unsent, unregistered, heapless, lost, operations;
	long registered; /* and not deregistered */
};
extern struct fake_counts fake_counts;

/* Reports the death of a peer as a provider does; nothing comes from it any
 * more. */
void fake_kill(int peer);
#endif
