/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_json.c: the spans as JSON, one event on a line. A rank is a process,
 * its threads are threads; calls and waits are complete events (X), rendezvous,
 * plans and their steps asynchronous ones (b, e). Times are in microseconds.
 */
#include <stdio.h>

#include "coll/plan/plan.h"
#include "coll/plan/select.h"
#include "runtime/base/error.h"
#include "runtime/base/json_text.h"
#include "tools/trace/trace_print.h"
#include "tools/trace/trace_walk.h"

struct json {
	const struct trace_set *set;
	int rank;
	unsigned ids; /* of asynchronous events so far */
};

/* Begins an event; its name has been printed. */
static void put_event(const struct json *j, const char *phase, int64_t at,
		      const struct span *s)
{
	printf(",\"ph\":\"%s\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d", phase,
	       (double)(at - j->set->begin) / 1000, j->rank, s->event->thread);
}

static void put_arguments(const struct json *j, const struct span *s)
{
	const struct trace_event *e = s->event;
	bool call = s->kind == SPAN_CALL, together = call && e->collective;

	printf(",\"args\":{\"bytes\":%llu", (unsigned long long)e->bytes);
	if (e->peer >= 0)
		printf(",\"%s\":%d", together ? "first rank" : "peer", e->peer);
	if (call && e->comm != TRACE_NO_COMM)
		printf(",\"communicator\":%d,\"%s\":%d", e->comm,
		       together ? "number" : "tag", (int)e->number);
	printf("%s}", s->open ? ",\"unfinished\":true" : "");
}

static void put_call(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"call\",\"name\":");
	json_text(stdout, s->name);
	put_event(j, "X", s->begin, s);
	printf(",\"dur\":%.3f", (double)(s->end - s->begin) / 1000);
	put_arguments(j, s);
	putchar('}');
}

static void put_wait(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"wait\",\"name\":\"wait\"");
	put_event(j, "X", s->begin, s);
	printf(",\"dur\":%.3f,\"args\":{\"for\":",
	       (double)(s->end - s->begin) / 1000);
	json_text(stdout, s->name);
	printf("%s}}", s->open ? ",\"unfinished\":true" : "");
}

/* Prints an asynchronous event. */
static void put_ends(struct json *j, const char *category, const char *name,
		     const struct span *s)
{
	j->ids++;
	for (int end = 0; end < (s->open ? 1 : 2); end++) {
		printf(",\n{\"cat\":\"%s\",\"id\":\"%d.%u\",\"name\":",
		       category, j->rank, j->ids);
		json_text(stdout, name);
		put_event(j, end ? "e" : "b", end ? s->end : s->begin, s);
		if (s->kind == SPAN_PLAN)
			printf(",\"args\":{\"communicator\":%d}",
			       s->event->comm);
		else
			put_arguments(j, s);
		putchar('}');
	}
}

static void put_move(struct json *j, const struct span *s)
{
	char name[32];

	snprintf(name, sizeof(name), "%s %d", s->event->number ? "from" : "to",
		 s->event->peer);
	put_ends(j, "rendezvous", name, s);
}

static void put_plan(struct json *j, const struct span *s)
{
	char name[2 * TRACE_NAME_LENGTH];

	snprintf(name, sizeof(name), "%s %s",
		 coll_tables[s->event->collective].name, s->name);
	put_ends(j, "plan", name, s);
}

static void put_step(struct json *j, const struct span *s)
{
	char name[64];

	snprintf(name, sizeof(name), "step %u: %s", s->event->number + 1,
		 step_kind_names[s->event->step]);
	put_ends(j, "step", name, s);
}

static void put_fail(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"error\",\"name\":\"%s\",\"s\":\"p\"",
	       error_name((int)s->event->number));
	put_event(j, "i", s->begin, s);
	putchar('}');
}

static void put_span(void *to, const struct span *s)
{
	static void (*const put[])(struct json *, const struct span *) = {
	    [SPAN_CALL] = put_call, [SPAN_WAIT] = put_wait,
	    [SPAN_MOVE] = put_move, [SPAN_PLAN] = put_plan,
	    [SPAN_STEP] = put_step, [SPAN_FAIL] = put_fail};

	put[s->kind](to, s);
}

static void put_rank(struct json *j, const struct rank_trace *r, bool first)
{
	j->rank = r->head->rank;
	j->ids = 0;
	printf("%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,"
	       "\"args\":{\"name\":\"rank %d\"}},\n"
	       "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,"
	       "\"args\":{\"labels\":",
	       first ? "" : ",", j->rank, j->rank, j->rank);
	json_text(stdout, r->head->host);
	printf("}}");
}

void trace_json(const struct trace_set *set)
{
	struct json j = {.set = set};

	printf("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	for (int k = 0; k < set->n; k++) {
		put_rank(&j, &set->rank[k], !k);
		trace_walk(&set->rank[k], put_span, &j);
	}
	printf("\n]}\n");
}
