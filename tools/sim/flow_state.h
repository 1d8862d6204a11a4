/* SPDX-License-Identifier: Apache-2.0 */
/* flow_state.h: ranks and messages of the engine of flow.h; included by flow*.c
 * alone. */
#ifndef TOOLS_SIM_FLOW_STATE_H
#define TOOLS_SIM_FLOW_STATE_H

#include "tools/sim/flow.h"

#define NO_MAIL UINT32_MAX

enum {
	WINDOW = 64,	  /* steps from the first unfinished one */
	SOON = UINT32_MAX /* ps: limit of differences of times */
};

enum state {
	FRESH,
	BLOCKED,
	WOKEN,
	PARKED /* before a send to a rank that is far */
};

/* A moment whose parts are 65535ths of its time; most of the memory consists of
 * these. */
struct brief {
	int64_t t;
	uint16_t part[SIM_PARTS - 1];
};

/* Times are relative to others where possible. A rank has finished all steps
 * before `base`, and those whose bit in `finished` is set. */
struct flow_rank {
	struct brief cpu;
	int64_t head;	    /* time of the last message that its NIC took in, */
	int head_from;	    /* its sender, */
	uint16_t head_step; /* and the sender's step */
	uint16_t key_step : 14, state : 2; /* of the key_ below */
	uint64_t finished;
	uint32_t in_after;  /* after head: when the NIC can take the next one */
	uint32_t out_after; /* after cpu: when the NIC can send the next one */
	uint32_t key_before; /* before cpu: when the last message was there */
	int key_from;	     /* its sender; the sender's step is key_step */
	/* before cpu, or less: when the first unfinished receive began, and
	 * those after the same steps; and when the last one of the others */
	uint32_t first_before, rest_before;
	uint32_t inbox; /* list of messages, the last one sent first */
	uint16_t base;
};

struct mail {
	struct brief at; /* arrival of its head; once taken in, of its end */
	int from;
	uint32_t next;
	uint16_t step, tag; /* of the sender */
	bool taken_in;
};

struct ranks {
	int *ranks;
	size_t n, capacity;
};

struct flow {
	const struct sim_machine *m;
	int n; /* ranks */
	struct flow_plans plans;
	struct flow_rank *ranks; /* [n] */
	struct mail *mails;
	size_t nmails, capacity;
	uint32_t free;
	struct ranks warm,
	    cold; /* woken ranks whose plans are, or are not, in memory */
	enum flow_way way;
	bool parks;	  /* not all have begun, and ranks that send far wait */
	bool out_of_turn; /* take messages although earlier ones may come */
	struct sim_result *result;
	int rc;
};

/* A rank while it is visited. */
struct visit {
	struct flow *f;
	struct flow_rank *r;
	const struct flow_plan *plan;
	int rank;
	int missing;
	struct moment cpu;
	/* of receives that began before the visit: the first one, and the last
	 * times at which it began, and any other after other steps */
	uint32_t first;
	int64_t first_began, rest_began;
	uint16_t ready[WINDOW];
	unsigned head, tail;
	/* by step modulo WINDOW: receives that have begun in this visit, and
	 * the time */
	uint64_t begun;
	int64_t when[WINDOW];
};

static inline bool flow_finished(const struct flow_rank *r, uint32_t step)
{
	return step < r->base ||
	       (step - r->base < WINDOW && r->finished >> (step - r->base) & 1);
}

static inline bool flow_may_begin(const struct flow_rank *r,
				  const struct flow_step *s)
{
	return (!s->after[0] || flow_finished(r, s->after[0] - 1u)) &&
	       (!s->after[1] || flow_finished(r, s->after[1] - 1u));
}

static inline uint64_t flow_bytes(const struct flow *f,
				  const struct flow_step *s)
{
	return (uint64_t)s->count * f->m->job->type_size;
}

/* flow.c: conversion to and from the compact form */
struct brief brief_of(const struct moment *m);
struct moment brief_moment(const struct brief *b);
/* Ends the engine with this code. */
void flow_give_up(struct flow *f, int rc);
/* Converts a difference of times; negative ones become 0. */
uint32_t flow_short(struct flow *f, int64_t ps);
/* Puts a message into the inbox of a rank, which may wake it. */
void flow_post(struct flow *f, int to, struct mail mail);

/* flow_visit.c: simulates a rank as far as possible. Returns the one whose
 * message it waits for, or -1. */
int flow_visit(struct flow *f, int rank);
/* Adjusts times relative to the CPU, which has advanced from `before`. */
void flow_passed(struct visit *v, int64_t before);
void flow_noise(struct visit *v, int64_t begin, uint32_t step, unsigned use);
/* Marks the step finished, and lets the steps after it begin. */
void flow_finish(struct visit *v, uint32_t step);

/* flow_mail.c: returns the first receive that has begun; nsteps: none. */
uint32_t flow_first_receive(const struct visit *v);
/* Returns a time at which, or before which, a receive began that had begun
 * before the visit. */
int64_t flow_began(const struct visit *v, uint32_t step);
/* Receives one message; false if there is none to receive now. */
bool flow_receive(struct visit *v);
#endif
