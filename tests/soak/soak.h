/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak.h: random operations for hours, all of whose bytes are checked.
 *
 * Time is divided into rounds. A round begins with the world alone, makes and
 * frees communicators, runs its operations on them, and gives everything back;
 * then each rank reads what it holds of the system (soak_watch.h). An operation
 * is a function of (seed, round, thread, its number) and of the rank and size
 * in its communicator, so a round can be repeated without those before it, and
 * ranks that share a communicator draw equal numbers without communication.
 */
#ifndef TESTS_SOAK_H
#define TESTS_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mrt_lib.h>

enum { SLOTS = 6, ONE_GROUP = -1 };

/* A communicator of the round, or MRT_COMM_NULL on ranks that are not in it. */
struct slot {
	struct mrt_comm *comm;
	int side; /* of an intercommunicator: 0 or 1 */
};

/* A struct soak is one thread's part of a round. */
struct soak {
	uint64_t seed; /* of the round and this thread */
	int thread, round, number;
	const char *doing;	/* for the message of a failure */
	uint64_t op;		/* the operation's seed */
	struct mrt_comm *world; /* this thread's own */
	struct slot slots[SLOTS];
};

/* A struct soak_options holds the command line. */
struct soak_options {
	uint64_t seed;
	int first, rounds, ops, threads;
	size_t max, leak; /* longest block in bytes; bytes leaked per round */
	double seconds, every;
	unsigned stall; /* seconds until a round counts as stalled */
	const char *json, *trace;
};
extern struct soak_options soak_options;

/* Returns a number below n that depends on the operation and `what` alone. */
uint64_t draw(const struct soak *s, uint64_t what, uint64_t n);
/* Draws a size up to the bound, of any order of magnitude; often small. */
size_t draw_bytes(const struct soak *s, uint64_t what, size_t max);

/* Ends the job with a line that says where it failed, what, and how to repeat
 * it. */
void soak_fail(const struct soak *s, const char *what)
    __attribute__((noreturn));
#define MUST(s, condition)                                                     \
	do {                                                                   \
		if (!(condition))                                              \
			soak_fail(s, #condition);                              \
	} while (0)
#define MUST_OK(s, call) MUST(s, (call) == MRT_SUCCESS)

/* Counts an operation of a kind and the bytes that this rank received by it. */
void soak_count(const char *kind, size_t bytes);

/* ---- Kinds of operations. Each gets a communicator that this rank is in. ----
 */

void run_trial(struct soak *s, const struct slot *slot);
void run_trials(struct soak *s, const struct slot *slot);
void run_typed(struct soak *s, const struct slot *slot);
void run_inter_reduce(struct soak *s, const struct slot *slot);
void run_messages(struct soak *s, const struct slot *slot);
void run_pairs(struct soak *s, const struct slot *slot);
void run_map(struct soak *s, const struct slot *slot);

/* Runs all operations of the round. */
void run_round(struct soak *s);

/* Gives slot k another communicator, made from the world or from another
 * slot. */
void slot_make(struct soak *s, int k);
void slot_free(struct soak *s, int k);
#endif
