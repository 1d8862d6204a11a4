/* SPDX-License-Identifier: Apache-2.0 */
/* flow_state.h: ranks and messages of the engine of flow.h; for flow*.c alone.
 */
#ifndef APPS_SIM_FLOW_STATE_H
#define APPS_SIM_FLOW_STATE_H

#include "tools/sim/flow.h"

#define NO_MAIL UINT32_MAX

enum {
	WINDOW = 64,	  /* steps from the first that has not finished */
	SOON = UINT32_MAX /* ps: no difference of times may be more */
};

enum state { FRESH, BLOCKED, WOKEN };

/* A moment with its parts as 65535ths of the time: most of the memory is
 * these. */
struct brief {
	int64_t t;
	uint16_t part[SIM_PARTS - 1];
};

/*
 * Times are relative to others where they can be; a rank has finished all steps
 * before `base` and those that have their bit.
 */
struct flow_rank {
	struct brief cpu;
	int64_t head;	    /* of the last message that its NIC took in, ... */
	int head_from;	    /* whose it was, ... */
	uint16_t head_step; /* ... and by which step */
	uint64_t finished;
	uint32_t in_after;   /* after head: the NIC can take the next */
	uint32_t out_after;  /* after cpu: the NIC can send the next */
	uint32_t key_before; /* before cpu: the last message was there */
	int key_from;	     /* whose it was, ... */
	uint16_t key_step : 14, state : 2; /* ... and by which step */
	uint16_t base;
	uint32_t inbox; /* messages, the last one sent first */
};

struct mail {
	struct brief at; /* of its head; once taken in, of all of it */
	int from;
	uint32_t next;
	uint16_t step, tag; /* of the sender */
	bool taken_in;
};

struct ranks {
	int *ranks;
	size_t n, room;
};

struct flow {
	const struct sim_machine *m;
	struct flow_plans plans;
	struct flow_rank *ranks;
	struct mail *mails;
	size_t nmails, room;
	uint32_t free;
	struct ranks warm, cold; /* woken, with and without their plans */
	enum flow_way way;
	bool bold; /* do not wait for the messages that are next in the plan */
	struct sim_result *result;
	int rc;
};

/* A rank while it is looked at. */
struct visit {
	struct flow *f;
	struct flow_rank *r;
	const struct flow_plan *plan;
	int rank, missing;
	struct moment cpu;
	int64_t began; /* cpu.t then */
	uint16_t ready[WINDOW];
	unsigned head, tail;
	/* by step modulo WINDOW: the receives that have begun in this visit,
	 * and when */
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

static inline bool flow_receives(const struct flow_step *s)
{
	return s->kind == STEP_RECV || s->kind == STEP_RECV_REDUCE;
}

static inline uint64_t flow_bytes(const struct flow *f,
				  const struct flow_step *s)
{
	return (uint64_t)s->count * f->m->job->type_size;
}

/* flow.c */
struct brief brief_of(const struct moment *m);
struct moment brief_moment(const struct brief *b);
/* It ends, with this. */
void flow_give_up(struct flow *f, int rc);
/* A difference of times, to be kept in short; none if it is negative. */
uint32_t flow_short(struct flow *f, int64_t ps);
/* Into a rank's inbox, which may wake it. */
void flow_post(struct flow *f, int to, struct mail mail);

/* flow_visit.c: as far as it comes. Returns whose message it waits for, or -1.
 */
int flow_visit(struct flow *f, int rank);
/* The CPU has come from `before` to where it is. */
void flow_passed(struct visit *v, int64_t before);
void flow_noise(struct visit *v, int64_t begin, uint32_t step, unsigned use);
/* The step has finished: what comes after it may begin. */
void flow_finish(struct visit *v, uint32_t step);

/* flow_mail.c: receives one message. False: there is none, now. */
bool flow_receive(struct visit *v);
#endif
