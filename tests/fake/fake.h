/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake.h: a provider that misbehaves on a seed. It stands before the real one
 * of this node and keeps its promises - reliable, ordered per peer - but no
 * more than those: messages of different peers overtake each other, sends and
 * reads are refused with ERR_AGAIN, completions come late, progress does only
 * part of its work. On request it also breaks promises: sends, completions and
 * registrations fail, peers die.
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
	unsigned again;	      /* refuse a send, read, write or atomic */
	unsigned jam;	      /* refuse the next 300 to that peer */
	unsigned hold;	      /* keep a message or completion for later */
	unsigned skip;	      /* progress that does nothing */
	unsigned fail;	      /* completion with fail_code, nothing done */
	unsigned late;	      /* likewise, when all is done */
	unsigned refuse;      /* read, write or atomic: fail_code at once */
	unsigned fail_send;   /* send of a message: fail_code, not sent */
	unsigned fail_answer; /* of CTS, ACK, FIN and FAILED */
	unsigned fail_register;
	unsigned fail_heap; /* heap_alloc and heap_map */
	int fail_code;	    /* MRT_ERR_* */
	unsigned die_at;    /* die_peer dies at so many operations; 0: no */
	int die_peer;
};

extern struct fake_knobs fake_knobs;

/* Draws again, hold and skip, and all that follows from a seed. */
void fake_seed(uint64_t seed);
/* Draws failures too; not that of answers, which ends the job. */
void fake_seed_faults(uint64_t seed);
/* From now on all goes well. */
void fake_calm(void);

/* What has been done since the start: proof that a test tested something. */
struct fake_counts {
	unsigned long refused, jammed, held, overtaken, skipped, failed, late;
	unsigned long unsent, unregistered, heapless, lost, operations;
	long registered; /* and not taken back */
};
extern struct fake_counts fake_counts;

/* The death of a peer, as a provider reports it: nothing comes from it. */
void fake_kill(int peer);
#endif
