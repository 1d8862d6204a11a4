/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c: mutations, each of which changes one field of a step, or drops the
 * step. */
#include "tests/unit/coll/prove/mutate.h"

#define STEP struct step *s = &plan->steps[i]

static bool has_src(const struct step *s)
{
	return s->count && s->kind != STEP_RECV && s->kind != STEP_SIGNAL &&
	       s->kind != STEP_WAIT_MEMORY;
}

static bool reduces(const struct step *s)
{
	return s->count && step_reduces(s->kind);
}

static bool has_dst(const struct step *s)
{
	return s->kind != STEP_SEND && s->kind != STEP_POST &&
	       (s->count || s->kind == STEP_SIGNAL);
}

/* Leaves nothing of the step. */
static bool drop(struct plan *plan, uint32_t i, int ranks)
{
	plan->steps[i] = (struct step){.kind = STEP_COPY};
	return true;
}

/* Leaves only the step's order. */
static bool skip(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	if (s->kind == STEP_COPY && !s->count)
		return false;
	*s = (struct step){.kind = STEP_COPY,
			   .after = {s->after[0], s->after[1]}};
	return true;
}

static bool twice(struct plan *plan, uint32_t i, int ranks)
{
	struct step again = plan->steps[i];

	again.after[0] = i + 1;
	again.after[1] = plan->nsteps;
	return again.count && plan_add(plan, again);
}

static bool forget(struct plan *plan, uint32_t i, int which)
{
	STEP;
	bool had = s->after[which];

	s->after[which] = 0;
	return had;
}

static bool forget_first(struct plan *plan, uint32_t i, int ranks)
{
	return forget(plan, i, 0);
}

static bool forget_second(struct plan *plan, uint32_t i, int ranks)
{
	return forget(plan, i, 1);
}

static bool after_earlier(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	return s->after[0] > 1 && s->after[0]--;
}

static bool after_later(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->after[0]++;
	return true;
}

static bool other_peer(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->peer = (s->peer + 1) % ranks;
	return step_has_peer(s->kind);
}

static bool other_tag(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->tag++;
	return step_is_message(s->kind) || step_is_load(s->kind) ||
	       s->kind == STEP_POST;
}

static bool later_src(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->src.at++;
	return has_src(s);
}

static bool later_with(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->with.at++;
	return reduces(s);
}

static bool later_dst(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->dst.at++;
	return has_dst(s);
}

static bool earlier_src(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	return has_src(s) && s->src.at && s->src.at--;
}

static bool earlier_dst(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	return has_dst(s) && s->dst.at && s->dst.at--;
}

static uint8_t next_buf(const struct plan *plan, uint8_t buf)
{
	return (uint8_t)((buf + 1) % (BUF_TMP + plan->ntmp));
}

static bool other_src(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->src.buf = next_buf(plan, s->src.buf);
	return has_src(s);
}

static bool other_with(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->with.buf = next_buf(plan, s->with.buf);
	return reduces(s);
}

static bool other_dst(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->dst.buf = next_buf(plan, s->dst.buf);
	return has_dst(s);
}

static bool shorter(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	return s->count && s->count--;
}

static bool longer(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->count++;
	return s->kind != STEP_SIGNAL;
}

static bool flip(struct plan *plan, uint32_t i, int ranks)
{
	STEP;

	s->flip = !s->flip;
	return reduces(s);
}

static bool other_kind(struct plan *plan, uint32_t i, int ranks)
{
	STEP;
	static const uint8_t other[STEP_KINDS] = {
	    [STEP_SEND] = STEP_RECV,	      [STEP_RECV] = STEP_SEND,
	    [STEP_RECV_REDUCE] = STEP_RECV,   [STEP_SIGNAL] = STEP_SEND,
	    [STEP_WRITE] = STEP_FETCH_ADD,    [STEP_FETCH_ADD] = STEP_WRITE,
	    [STEP_COMPARE_SWAP] = STEP_WRITE, [STEP_COPY] = STEP_TAKE,
	    [STEP_REDUCE] = STEP_COPY,	      [STEP_WAIT_MEMORY] = STEP_COPY,
	    [STEP_TAKE] = STEP_COPY,	      [STEP_LOAD] = STEP_COPY,
	    [STEP_LOAD_REDUCE] = STEP_LOAD,   [STEP_POST] = STEP_COPY};

	if (s->kind == STEP_COPY && !s->count)
		return false;
	s->kind = other[s->kind];
	return true;
}

const struct mutation mutations[] = {
    {"drop", drop},
    {"skip", skip},
    {"twice", twice},
    {"forget an order", forget_first},
    {"forget the other order", forget_second},
    {"after an earlier step", after_earlier},
    {"after a later step", after_later},
    {"another peer", other_peer},
    {"another tag", other_tag},
    {"src + 1", later_src},
    {"with + 1", later_with},
    {"dst + 1", later_dst},
    {"src - 1", earlier_src},
    {"dst - 1", earlier_dst},
    {"another src", other_src},
    {"another with", other_with},
    {"another dst", other_dst},
    {"count - 1", shorter},
    {"count + 1", longer},
    {"flip", flip},
    {"another kind", other_kind},
};
const size_t nmutations = sizeof(mutations) / sizeof(mutations[0]);
