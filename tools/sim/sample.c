/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c: chooses the ranks that are simulated. */
#include "tools/sim/sample.h"

#include <stdlib.h>
#include <string.h>

#include "tools/sim/flow.h"
#include "coll/plan/step_hash.h"
#include "mrt.h"

enum {
	FIRST = 128,	 /* random samples at first, */
	KINDS_MAX = 16,	 /* of which no more neighbours may differ in steps */
	CHECKED = 1024,	 /* random samples at the end */
	SAMPLES = 16384, /* at most so many, */
	PART = 64,	 /* and one in so many ranks */
	ROUNDS = 200
};

/* Where a sample gets a message from: the rank, its step, and its kind. */
struct source {
	uint64_t kind;
	int rank;
	uint16_t step;
};

struct picked {
	int rank;  /* first, for by_order */
	bool here; /* whether it is a sample at this time */
	uint32_t nsources;
	uint64_t kind; /* hash of the steps, without their peers */
	struct source *sources;
};

struct sampler {
	const struct sim_machine *m;
	const struct algorithm *algorithm;
	const struct shape *shape;
	struct picked *picked; /* [n] in the order of flow.h */
	int *at;	       /* [sample.n] where the samples are in picked */
	int *wanted;	       /* ranks that are to become samples */
	size_t n, room, nwanted, wanted_room, at_room;
	bool more;     /* ranks have become samples since the last simulation */
	bool thorough; /* what was a sample before becomes one again */
	uint32_t steps; /* of the longest plan */
	uint64_t random;
	struct plan plan, other;
	struct flow_sample sample;
	int rc;
};

/* Orders ranks, or samples: even ones come first. */
static int by_order(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x % 2 != y % 2 ? x % 2 - y % 2 : (x > y) - (x < y);
}

static void fail(struct sampler *s, int rc)
{
	if (!s->rc)
		s->rc = rc;
}

/* Makes room for one more element. */
static bool grow(struct sampler *s, void *array, size_t n, size_t *room,
		 size_t size)
{
	void **at = array, *grown;

	if (n < *room)
		return true;
	grown = realloc(*at, (2 * n + FIRST) * size);
	if (!grown) {
		fail(s, MRT_ERR_NO_MEM);
		return false;
	}
	*at = grown;
	*room = 2 * n + FIRST;
	return true;
}

/* ---- Samples ---- */

static void build(struct sampler *s, int rank, struct plan *plan)
{
	fail(s, plan_rebuild(s->algorithm, s->shape, rank, plan));
	if (plan->nsteps > FLOW_STEPS)
		fail(s, MRT_ERR_UNSUPPORTED);
	if (plan->nsteps > s->steps)
		s->steps = plan->nsteps;
}

static uint64_t kind_of(const struct plan *plan)
{
	uint64_t hash = plan->nsteps;

	for (uint32_t i = 0; i < plan->nsteps; i++) {
		struct step step = plan->steps[i];
		bool in_place = step.kind == STEP_COPY &&
				step.src.buf == step.dst.buf &&
				step.src.at == step.dst.at;

		step.peer = 0;
		hash = step_hash_mix(hash ^ step_hash(i, &step)) + in_place;
	}
	return hash;
}

/* Finds out where a message comes from. */
static struct source source_of(struct sampler *s, int rank,
			       const struct step *receive)
{
	struct source source = {.rank = receive->peer};
	const struct step *steps;
	uint32_t i = 0;

	build(s, receive->peer, &s->other);
	steps = s->other.steps;
	while (i < s->other.nsteps &&
	       !(steps[i].kind == STEP_SEND && steps[i].peer == rank &&
		 steps[i].tag == receive->tag))
		i++;
	if (i == s->other.nsteps)
		fail(s, MRT_ERR_INTERNAL);
	source.kind = kind_of(&s->other);
	source.step = (uint16_t)i;
	return source;
}

static bool receives(const struct step *step)
{
	return step->kind == STEP_RECV || step->kind == STEP_RECV_REDUCE;
}

static void pick(struct sampler *s, int rank)
{
	struct picked p = {.rank = rank, .here = true};

	build(s, rank, &s->plan);
	if (s->rc || !grow(s, &s->picked, s->n, &s->room, sizeof(p)))
		return;
	for (uint32_t i = 0; i < s->plan.nsteps; i++)
		p.nsources += receives(&s->plan.steps[i]);
	p.kind = kind_of(&s->plan);
	p.sources = malloc((p.nsources + 1) * sizeof(*p.sources));
	if (!p.sources) {
		fail(s, MRT_ERR_NO_MEM);
		return;
	}
	p.nsources = 0;
	for (uint32_t i = 0; i < s->plan.nsteps && !s->rc; i++)
		if (receives(&s->plan.steps[i]))
			p.sources[p.nsources++] =
			    source_of(s, rank, &s->plan.steps[i]);
	s->picked[s->n++] = p;
}

/* Makes a rank a sample; one that has been a sample only if `again`. */
static void want(struct sampler *s, int rank, bool again)
{
	struct picked *p = NULL;

	if (s->n)
		p = bsearch(&rank, s->picked, s->n, sizeof(*s->picked),
			    by_order);
	if (p && (p->here || !again))
		return;
	s->more = true;
	if (p)
		p->here = true;
	else if (grow(s, &s->wanted, s->nwanted, &s->wanted_room, sizeof(int)))
		s->wanted[s->nwanted++] = rank;
}

static void want_random(struct sampler *s, int n)
{
	for (int k = 0; k < n; k++) {
		s->random = step_hash_mix(s->random + (uint64_t)k + 1);
		want(s, (int)(s->random % (uint64_t)s->shape->size), true);
	}
}

/* Returns sample i. */
static struct picked *sample_at(const struct sampler *s, int i)
{
	return &s->picked[s->at[i]];
}

/* Picks the wanted ranks, and lists the samples. */
static void pick_wanted(struct sampler *s)
{
	size_t most = SAMPLES + (size_t)s->shape->size / PART;

	if (s->nwanted)
		qsort(s->wanted, s->nwanted, sizeof(int), by_order);
	for (size_t i = 0; i < s->nwanted && !s->rc; i++)
		if (!i || s->wanted[i] != s->wanted[i - 1])
			pick(s, s->wanted[i]);
	s->nwanted = 0;
	if (s->n)
		qsort(s->picked, s->n, sizeof(*s->picked), by_order);
	if (s->n > most)
		fail(s, MRT_ERR_UNSUPPORTED);
	s->more = false;
	s->sample.n = 0;
	if (s->rc || !grow(s, &s->at, s->n, &s->at_room, sizeof(int)))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (s->picked[i].here)
			s->at[s->sample.n++] = (int)i;
}

/* ---- One simulation ---- */

/* The arrays of a struct flow_sample. */
struct arrays {
	int *ranks, *weights;
	uint32_t *first;
	struct flow_reader *readers;
};

/* Returns whether sample i is the last even or odd one. */
static bool is_last(const struct sampler *s, int i)
{
	return i + 1 == s->sample.n ||
	       sample_at(s, i)->rank % 2 != sample_at(s, i + 1)->rank % 2;
}

/* Sets ranks and how many each stands for. */
static void set_ranks(struct sampler *s, const struct arrays *a)
{
	for (int i = 0; i < s->sample.n; i++) {
		int rank = sample_at(s, i)->rank, next = s->shape->size;

		if (!is_last(s, i))
			next = sample_at(s, i + 1)->rank;
		a->ranks[i] = rank;
		a->weights[i] = (next - rank + 1) / 2;
		s->sample.even += rank % 2 == 0;
	}
}

struct reading {
	int of; /* sample whose message it is */
	struct flow_reader reader;
};

static int by_step(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->reader.step != y->reader.step)
		return x->reader.step < y->reader.step ? -1 : 1;
	return (x->reader.to > y->reader.to) - (x->reader.to < y->reader.to);
}

/* Sets the readers of all samples. A source that is of another kind than the
 * sample which stands for it becomes a sample. */
static void set_readers(struct sampler *s, const struct arrays *a,
			struct reading *readings)
{
	int samples = s->sample.n;
	size_t n = 0;

	for (int i = 0; i < samples; i++)
		for (uint32_t k = 0; k < sample_at(s, i)->nsources; k++) {
			const struct source *from =
			    &sample_at(s, i)->sources[k];
			int of = flow_sample_of(&s->sample, from->rank);

			if (sample_at(s, of)->kind != from->kind)
				want(s, from->rank, true);
			readings[n++] =
			    (struct reading){of, {i, from->rank, from->step}};
		}
	qsort(readings, n, sizeof(*readings), by_step);
	for (size_t k = n; k-- > 0;) {
		a->readers[k] = readings[k].reader;
		a->first[readings[k].of] = (uint32_t)k;
	}
	a->first[samples] = (uint32_t)n;
	for (int i = samples; i-- > 0;)
		if (a->first[i] == UINT32_MAX)
			a->first[i] = a->first[i + 1];
}

static void drop_sample(struct sampler *s)
{
	free((void *)s->sample.ranks);
	free((void *)s->sample.first);
	free((void *)s->sample.readers);
	free(s->sample.sent);
	s->sample = (struct flow_sample){.n = s->sample.n};
}

static void prepare(struct sampler *s)
{
	size_t n = (size_t)s->sample.n, total = 1;
	struct reading *readings;
	struct arrays a;

	for (int i = 0; i < s->sample.n; i++)
		total += sample_at(s, i)->nsources;
	drop_sample(s);
	a.ranks = malloc(2 * n * sizeof(int));
	a.first = malloc((n + 1) * sizeof(*a.first));
	a.readers = malloc(total * sizeof(*a.readers));
	readings = malloc(total * sizeof(*readings));
	s->sample = (struct flow_sample){.n = (int)n,
					 .ranks = a.ranks,
					 .first = a.first,
					 .readers = a.readers,
					 .stride = s->steps};
	s->sample.sent = calloc(n * (s->steps + 1), sizeof(int64_t));
	if (a.ranks && a.first && a.readers && readings && s->sample.sent) {
		s->sample.weights = a.weights = a.ranks + n;
		s->sample.ends = s->sample.sent + n * s->steps;
		memset(a.first, 0xff, (n + 1) * sizeof(*a.first));
		set_ranks(s, &a);
		set_readers(s, &a, readings);
	} else {
		fail(s, MRT_ERR_NO_MEM);
	}
	free(readings);
}

/* ---- Neighbours that differ ---- */

static const int64_t *sent_by(const struct sampler *s, int i)
{
	return &s->sample.sent[(size_t)i * s->sample.stride];
}

/* Returns whether samples i and i + 1 differ, in their kind or in anything. */
static bool differ(const struct sampler *s, int i, bool kinds)
{
	bool other = sample_at(s, i)->kind != sample_at(s, i + 1)->kind;

	if (kinds || other)
		return other;
	return s->sample.ends[i] != s->sample.ends[i + 1] ||
	       memcmp(sent_by(s, i), sent_by(s, i + 1),
		      s->sample.stride * sizeof(int64_t)) != 0;
}

/* Wants the peers of samples i and i + 1 that get messages at other times. */
static void want_peers(struct sampler *s, int i)
{
	const int64_t *x = sent_by(s, i), *y = sent_by(s, i + 1);
	bool all = differ(s, i, true);

	for (int k = i; k < i + 2; k++) {
		build(s, sample_at(s, k)->rank, &s->plan);
		for (uint32_t j = 0; j < s->plan.nsteps && !s->rc; j++)
			if (s->plan.steps[j].kind == STEP_SEND &&
			    (all || x[j] != y[j]))
				want(s, s->plan.steps[j].peer, s->thorough);
	}
}

/* Wants ranks between samples that differ. Returns how many pairs of neighbours
 * do. */
static int want_between(struct sampler *s, bool kinds)
{
	int found = 0;

	for (int i = 0; i + 1 < s->sample.n; i++) {
		int a = sample_at(s, i)->rank, b = sample_at(s, i + 1)->rank;

		if (is_last(s, i) || !differ(s, i, kinds))
			continue;
		found++;
		if (b - a > 2) {
			want(s, a + 2, true);
			want(s, a + (b - a) / 4 * 2, true);
			want(s, b - 2, true);
		} else if (!kinds) {
			want_peers(s, i);
		}
	}
	return found;
}

/* Drops samples that do not differ from their neighbours, but the first ones.
 * They may become samples again. */
static void drop_alike(struct sampler *s)
{
	bool before = true;

	for (int i = 0; i < s->sample.n; i++) {
		bool after = !is_last(s, i) && differ(s, i, false);

		sample_at(s, i)->here = before || after;
		before = after || is_last(s, i);
	}
}

/* ---- The job ---- */

/* Simulates the samples, unless more are wanted. */
static void simulate(struct sampler *s, struct sim_result *made)
{
	pick_wanted(s);
	if (!s->rc)
		want_between(s, true);
	if (!s->rc && !s->more)
		prepare(s);
	if (!s->rc && !s->more)
		fail(s, flow_run(s->m, s->algorithm, s->shape, FLOW_PATIENT,
				 &s->sample, made));
}

/* Simulates samples, and more of them, until no neighbours differ but those
 * that are next to each other: first with the samples that are needed, then
 * with all that have been samples, and with random ones until these add
 * nothing. */
static void refine(struct sampler *s, struct sim_result *result)
{
	struct sim_result made;
	bool checked = false;

	for (int round = 0; round < ROUNDS; round++) {
		made = *result;
		simulate(s, &made);
		if (s->rc)
			return;
		if (s->more)
			continue;
		want_between(s, false);
		if (!s->more && checked) {
			*result = made;
			return;
		}
		checked = !s->more;
		if (checked) {
			s->thorough = true;
			want_random(s, CHECKED);
			want_between(s, false);
		} else if (!s->thorough) {
			drop_alike(s);
		}
	}
	fail(s, MRT_ERR_UNSUPPORTED);
}

static bool fits(const struct sim_machine *m, const struct algorithm *algorithm)
{
	const struct sim_job *j = m->job;

	return j->ppn == 1 && !j->topology.tiers && j->noise <= 0 &&
	       !j->hashes && j->fabric->jitter <= 0 && !m->spread &&
	       m->ranks > 1 && !algorithm->cells;
}

int sample_run(const struct sim_machine *m, const struct algorithm *algorithm,
	       const struct shape *shape, struct sim_result *result)
{
	struct sampler s = {.m = m, .algorithm = algorithm, .shape = shape};

	if (!fits(m, algorithm))
		return MRT_ERR_UNSUPPORTED;
	for (int k = 0; k < 2; k++) {
		want(&s, k, true);
		want(&s, shape->size - 1 - k, true);
	}
	want_random(&s, FIRST);
	pick_wanted(&s);
	if (!s.rc && want_between(&s, true) > KINDS_MAX)
		s.rc = MRT_ERR_UNSUPPORTED;
	if (!s.rc)
		refine(&s, result);
	drop_sample(&s);
	for (size_t i = 0; i < s.n; i++)
		free(s.picked[i].sources);
	free(s.picked);
	free(s.at);
	free(s.wanted);
	plan_fini(&s.plan);
	plan_fini(&s.other);
	/* some ranks do not tell whether plans match: other engines do */
	return s.rc == MRT_ERR_INTERNAL ? MRT_ERR_UNSUPPORTED : s.rc;
}
