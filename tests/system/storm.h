/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storm.h: a random message storm and the model it is checked against.
 *
 * Every rank derives the whole round from (seed, round): who sends what to
 * whom, in which communicator, with which tag, size and call. A receiver
 * therefore knows which messages must come, in which order, and every byte of
 * them, without a header in the message; and a failure can be repeated from its
 * seed.
 */
#ifndef TESTS_STORM_H
#define TESTS_STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mrt_lib.h>

enum { STORM_COMMS = 4, STORM_TAGS = 3, STORM_BURST = 48 };

/* One message of a round. Its ranks are ranks of the communicator. */
struct storm_msg {
	uint8_t comm, tag, call; /* call: enum storm_call */
	int src, dst;
	int src_world, dst_world;
	size_t size;
	uint32_t seq;  /* position in the round among those with its comm, src
			  and dst */
	uint64_t fill; /* the payload is fill_bytes(fill) */
	bool received;
};

enum storm_call { STORM_SEND, STORM_SSEND, STORM_CALLS };

/* A storm_plan says how a round sends and receives. */
struct storm_plan {
	bool blocking; /* sends block, so every receive is posted before */
	uint8_t mode[STORM_COMMS]; /* enum storm_mode */
	struct storm_msg *msgs;	   /* all messages of the round, by sender */
	int n;
};

/* A communicator gets receives of one mode in a round. Those of each mode cover
 * exactly the messages that come, so that no receive waits for ever. */
enum storm_mode {
	STORM_EXACT,	  /* source and tag given */
	STORM_ANY_SOURCE, /* only the tag given */
	STORM_ANY_TAG,	  /* only the source given */
	STORM_ANY,	  /* neither given */
	STORM_MIXED,	  /* exact ones posted before wildcards */
	STORM_MODES
};

struct storm_comm {
	struct mrt_comm *handle;
	int rank, size;
};

struct storm {
	int rank, size;
	uint64_t seed;
	size_t max_size;
	struct storm_comm comms[STORM_COMMS];
};

/* Returns the next number of a splitmix64 sequence. */
static inline uint64_t storm_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline unsigned storm_below(uint64_t *state, unsigned n)
{
	return (unsigned)(storm_random(state) >> 33) % n;
}

/* Draws round `round`; the caller frees plan->msgs. */
void storm_draw(const struct storm *s, unsigned round, struct storm_plan *plan);

/* storm_fill writes the bytes of a message; storm_filled returns whether buf
 * holds them. */
void storm_fill(void *buf, size_t len, uint64_t fill);
bool storm_filled(const void *buf, size_t len, uint64_t fill);

/* A program that injects faults (tests/fake) defines storm_reseed, which is
 * called for each seed. */
void storm_reseed(uint64_t seed) __attribute__((weak));
#endif
