/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peers.h: a provider whose peers are the fuzzer: they send whatever its bytes
 * say, and let operations on their memory be refused, fail or wait. The process
 * is rank 0 and alone; what it sends to itself arrives.
 */
#ifndef TESTS_FUZZ_PEERS_H
#define TESTS_FUZZ_PEERS_H

#include "tests/fuzz/input.h"

/* Replaces the built-in providers; must be called before mrt_init. */
void peers_install(void);

/* Begins an input, whose bytes both peers and the application take. */
void peers_begin(struct input *in);
/* Ends the input: operations under way will never be done. */
void peers_end(void);

/* The number of registrations that have not been taken back. */
extern int peers_mems;
/* The input has ended inside progress; this is a fault, so that a call that
 * waits returns. */
extern bool peers_exhausted;
#endif
