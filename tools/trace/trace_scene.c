/* SPDX-License-Identifier: Apache-2.0 */
/* trace_scene.c: finds a collective in the traces and what each rank did in
 * it. */
#include "tools/trace/trace_scene.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

enum { NAME = 64 };

/* ---- Which collective ---------------------------------------------------- */

struct choosing {
	struct matches matches;
	int k; /* the rank that is walked */
	char name[NAME];
	long number, comm; /* -1: any */
	struct instance best;
};

/* Parses NAME[:NUMBER[:COMMUNICATOR]]; the name may lack "mrt_". */
static bool trace_scene_parse(const char *which, struct choosing *c)
{
	char name[NAME - 4] = "";
	int end[3] = {-1, -1, -1};

	c->number = c->comm = -1;
	sscanf(which, "%59[a-z_]%n:%9ld%n:%9ld%n", name, &end[0], &c->number,
	       &end[1], &c->comm, &end[2]);
	snprintf(c->name, sizeof(c->name), "%s%s",
		 strncmp(name, "mrt_", 4) ? "mrt_" : "", name);
	for (int k = 0; k < 3; k++)
		if (end[k] == (int)strlen(which))
			return true;
	return false;
}

static void see_call(void *to, const struct span *s)
{
	struct choosing *c = to;

	if (s->kind == SPAN_CALL && s->event->collective &&
	    !strcmp(s->name, c->name))
		match_add(&c->matches, c->k, s);
}

static void trace_scene_choose(void *to, const struct instance *i)
{
	struct choosing *c = to;
	const struct instance *best = &c->best;

	if ((c->number >= 0 && i->number != (uint32_t)c->number) ||
	    (c->comm >= 0 && i->comm != (uint16_t)c->comm))
		return;
	if (!best->arrived ||
	    i->left_at - i->last_at > best->left_at - best->last_at)
		c->best = *i;
}

static int trace_scene_find(struct scene *s, const struct trace_set *set,
			    const char *which)
{
	struct choosing c = {0};
	bool failed;

	if (!trace_scene_parse(which, &c)) {
		fprintf(stderr,
			"mrt-trace: %s is not NAME[:NUMBER[:COMMUNICATOR]]\n",
			which);
		return EXIT_USAGE;
	}
	for (c.k = 0; c.k < set->n; c.k++)
		trace_walk(&set->rank[c.k], see_call, &c);
	match_each(&c.matches, trace_scene_choose, &c);
	failed = c.matches.failed;
	match_free(&c.matches);
	s->of = c.best;
	if (!failed && s->of.arrived)
		return 0;
	fprintf(stderr, "mrt-trace: %s: %s\n", which,
		failed ? "out of memory" : "no such collective in the traces");
	return failed ? EXIT_RESOURCE : EXIT_USAGE;
}

/* ---- What each rank did -------------------------------------------------- */

struct scene_step *scene_step(struct scene_rank *r, uint32_t number)
{
	uint32_t room = r->nsteps;

	if (number >= r->nsteps) {
		struct scene_step *more =
		    realloc(r->steps, (number + 1ul) * sizeof(*more));

		if (!more)
			return NULL;
		r->steps = more;
		r->nsteps = number + 1;
		memset(more + room, 0, (r->nsteps - room) * sizeof(*more));
	}
	return &r->steps[number];
}

/* Adds an event of a step, whose peer has no row yet. */
static bool add_step(struct scene_rank *r, const struct trace_event *e,
		     double at)
{
	struct scene_step *s = scene_step(r, e->number);

	if (!s)
		return false;
	if (e->kind == TRACE_BEGIN)
		*s = (struct scene_step){.begun = true,
					 .kind = e->step,
					 .rank = e->peer,
					 .bytes = e->bytes,
					 .begin = at};
	s->ended = e->kind == TRACE_STEP;
	s->end = at;
	return true;
}

/* A call under the eyes of its rank. */
struct looking {
	struct scene *s;
	struct span call; /* event NULL: not found yet */
	const struct trace_event *plan, *shape;
};

static void trace_scene_see(void *to, const struct span *s)
{
	struct looking *l = to;
	const struct instance *i = &l->s->of;

	if (s->kind == SPAN_CALL && s->event->collective &&
	    s->event->number == i->number && s->event->comm == i->comm &&
	    s->event->peer == i->first && s->begin >= i->first_at &&
	    s->begin <= i->last_at && !strcmp(s->name, i->name))
		l->call = *s;
}

/* Finds the plan that begins inside the call, and adds its steps until it ends.
 */
static bool trace_scene_follow(struct looking *l, struct scene_rank *r)
{
	const struct rank_trace *t = r->trace;
	const struct trace_event *call = l->call.event, *plan = NULL;
	uint64_t place = (uint64_t)(call - t->ring);
	uint64_t k = t->first + ((place - t->first) & (t->head->room - 1));

	for (; k + 1 < t->end; k++) {
		const struct trace_event *e = trace_at(t, k + 1);
		int64_t at = trace_time(t, e);
		bool of_plan = plan && e->comm == call->comm;

		if (!plan && at > l->call.end)
			break;
		if (!plan && e->kind == TRACE_PLAN && e->comm == call->comm) {
			plan = l->plan = e;
			l->shape = trace_at(t, k + 2);
		} else if (of_plan && e->plan == plan->number &&
			   (e->kind == TRACE_BEGIN || e->kind == TRACE_STEP)) {
			if (!add_step(r, e, (double)(at - l->s->of.first_at)))
				return false;
		} else if (of_plan && e->kind == TRACE_END &&
			   e->number == plan->number) {
			break;
		}
	}
	return true;
}

/* Adds what a rank did. row[at]: its rank in the communicator, if it has a
 * plan.
 */
static bool add_rank(struct scene *s, const struct rank_trace *t, int at,
		     int *row)
{
	struct looking l = {.s = s};
	struct scene_rank r = {.trace = t};

	trace_walk(t, trace_scene_see, &l);
	if (!l.call.event)
		return true;
	r.arrive = (double)(l.call.begin - s->of.first_at);
	r.leave = (double)(l.call.end - s->of.first_at);
	r.left = !l.call.open;
	if (!trace_scene_follow(&l, &r))
		return false;
	if (l.shape && l.shape->kind == TRACE_SHAPE && !s->shape) {
		s->plan = l.plan;
		s->shape = l.shape;
		s->algorithm = t->head->name[l.plan->name];
	}
	row[at] = l.plan ? l.plan->peer : -1;
	s->ranks[at] = r;
	return true;
}

/* Puts the ranks of the set into the rows where they belong: row[], if there is
 * a plan. Gives the peers of steps their rows. */
static bool trace_scene_place(struct scene *s, const struct trace_set *set,
			      const int *row)
{
	int n = s->shape ? (int)s->shape->size : set->n;
	struct scene_rank *to = calloc((size_t)n, sizeof(*to));
	int *of = malloc((size_t)set->size * sizeof(*of));

	for (int k = 0; of && k < set->size; k++)
		of[k] = -1;
	for (int k = 0; to && of && k < set->n; k++) {
		int at = s->shape ? row[k] : k;

		if (!s->ranks[k].trace || at < 0 || at >= n || to[at].trace) {
			free(s->ranks[k].steps);
			continue;
		}
		to[at] = s->ranks[k];
		of[set->rank[k].head->rank] = at;
	}
	for (int k = 0; to && of && k < n; k++)
		for (uint32_t i = 0; i < to[k].nsteps; i++) {
			struct scene_step *t = &to[k].steps[i];
			bool has = t->rank >= 0 && t->rank < set->size;

			t->peer = has ? of[t->rank] : -1;
		}
	free(s->ranks);
	s->ranks = to;
	s->n = n;
	free(of);
	return to && of;
}

/* A step or wait without an end in the trace lasts until the trace ends. */
static void set_ends(struct scene *s)
{
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < s->n; k++) {
			struct scene_rank *r = &s->ranks[k];

			if (pass && !r->left)
				r->leave = s->end;
			s->end = r->leave > s->end ? r->leave : s->end;
			for (uint32_t i = 0; i < r->nsteps; i++) {
				if (pass && !r->steps[i].ended)
					r->steps[i].end = s->end;
				if (r->steps[i].end > s->end)
					s->end = r->steps[i].end;
			}
		}
}

int scene_make(struct scene *s, const struct trace_set *set, const char *which)
{
	int *row = malloc((size_t)set->n * sizeof(*row));
	int rc;
	bool ok;

	*s = (struct scene){.n = set->n};
	s->ranks = calloc((size_t)set->n, sizeof(*s->ranks));
	rc = s->ranks && row ? trace_scene_find(s, set, which) : EXIT_RESOURCE;
	ok = !rc;
	for (int k = 0; ok && k < set->n; k++)
		ok = add_rank(s, &set->rank[k], k, row);
	ok = ok && trace_scene_place(s, set, row);
	free(row);
	if (ok) {
		set_ends(s);
		return 0;
	}
	if (!rc)
		fputs("mrt-trace: out of memory\n", stderr);
	scene_free(s);
	return rc ? rc : EXIT_RESOURCE;
}

void scene_free(struct scene *s)
{
	for (int k = 0; s->ranks && k < s->n; k++)
		free(s->ranks[k].steps);
	free(s->ranks);
	*s = (struct scene){0};
}
