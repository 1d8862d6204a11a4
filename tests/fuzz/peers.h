/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peers.h: a provider whose peers are the fuzzer: they send whatever its bytes
 * say, and let operations on their memory be refused, fail or wait. A process
 * alone is rank 0 of it; what it sends to itself arrives.
 */
#ifndef TESTS_FUZZ_PEERS_H
#define TESTS_FUZZ_PEERS_H

#include "tests/fuzz/input.h"

/* Takes the place of the built-in providers, before mrt_init. */
void peers_install(void);

/* One input begins, whose bytes both peers and the application take. */
void peers_begin(struct input *in);
/* It is over: what is under way will never be done. */
void peers_end(void);

/* Registrations that have not been taken back. */
extern int peers_mems;
/* The input has come to its end inside progress: a fault, so that a call that
 * waits returns. */
extern bool peers_exhausted;
#endif
