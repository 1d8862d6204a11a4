/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_hash.h: a hash of a step. The sum of the hashes of the steps that a rank
 * has executed does not depend on their order, so it tells whether the executor
 * (run.h) and a simulator have done the same. The hash covers what a step does,
 * with whom, how much and after what, but not where, except on the cells of its
 * peer.
 */
#ifndef COLL_STEP_HASH_H
#define COLL_STEP_HASH_H

#include "coll/plan/plan.h"

static inline uint64_t step_hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

/* number: the index of the step in its plan, from 0. */
static inline uint64_t step_hash(uint32_t number, const struct step *s)
{
	uint64_t words[] = {
	    (uint64_t)number << 32 | (uint64_t)s->kind << 16 | s->tag,
	    step_has_peer(s->kind) ? (uint64_t)s->peer + 1 : 0,
	    (uint64_t)s->after[0] << 32 | s->after[1],
	    s->count,
	    step_is_onesided(s->kind) ? s->dst.at : 0,
	};
	uint64_t h = 0x9e3779b97f4a7c15;

	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
		h = step_hash_mix(h ^ words[k]) + k;
	return h;
}
#endif
