/* SPDX-License-Identifier: Apache-2.0 */
/* trace_json.c: the spans as JSON, one event on a line. A rank is a process,
 * its threads are threads; calls and waits are complete events (X), rendezvous
 * asynchronous ones (b, e), steps instants (i). Times are in microseconds. */
#include <stdio.h>

#include "runtime/base/error.h"
#include "tools/common/json_text.h"
#include "tools/trace/trace_print.h"
#include "tools/trace/trace_walk.h"

struct json {
	const struct trace_set *set;
	int rank;
	unsigned moves; /* rendezvous so far */
};

/* Begins an event; its name has been printed. */
static void put_event(const struct json *j, const char *phase, int64_t at,
		      const struct span *s)
{
	printf(",\"ph\":\"%s\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d", phase,
	       (double)(at - j->set->begin) / 1000, j->rank, s->event->thread);
}

static void put_arguments(const struct span *s)
{
	const struct trace_event *e = s->event;

	printf(",\"args\":{\"bytes\":%llu", (unsigned long long)e->bytes);
	if (e->peer >= 0)
		printf(",\"%s\":%d", e->collective ? "first rank" : "peer",
		       e->peer);
	if (e->comm != TRACE_NO_COMM)
		printf(",\"communicator\":%d,\"%s\":%d", e->comm,
		       e->collective ? "number" : "tag", (int)e->number);
	printf("%s}", s->open ? ",\"unfinished\":true" : "");
}

static void put_call(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"call\",\"name\":");
	json_text(s->name);
	put_event(j, "X", s->begin, s);
	printf(",\"dur\":%.3f", (double)(s->end - s->begin) / 1000);
	put_arguments(s);
	putchar('}');
}

static void put_wait(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"wait\",\"name\":\"wait\"");
	put_event(j, "X", s->begin, s);
	printf(",\"dur\":%.3f,\"args\":{\"for\":",
	       (double)(s->end - s->begin) / 1000);
	json_text(s->name);
	printf("%s}}", s->open ? ",\"unfinished\":true" : "");
}

static void put_move_end(struct json *j, const char *phase, int64_t at,
			 const struct span *s)
{
	printf(",\n{\"cat\":\"rendezvous\",\"id\":\"%d.%u\",\"name\":\"%s %d\"",
	       j->rank, j->moves, s->event->number ? "from" : "to",
	       s->event->peer);
	put_event(j, phase, at, s);
	put_arguments(s);
	putchar('}');
}

static void put_move(struct json *j, const struct span *s)
{
	j->moves++;
	put_move_end(j, "b", s->begin, s);
	if (!s->open)
		put_move_end(j, "e", s->end, s);
}

static void put_step(struct json *j, const struct span *s)
{
	printf(",\n{\"cat\":\"step\",\"name\":\"step %u\",\"s\":\"t\"",
	       s->event->number);
	put_event(j, "i", s->begin, s);
	put_arguments(s);
	putchar('}');
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
	    [SPAN_CALL] = put_call,
	    [SPAN_WAIT] = put_wait,
	    [SPAN_MOVE] = put_move,
	    [SPAN_STEP] = put_step,
	    [SPAN_FAIL] = put_fail};

	put[s->kind](to, s);
}

void trace_json(const struct trace_set *set)
{
	printf("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	for (int k = 0; k < set->n; k++) {
		const struct rank_trace *r = &set->rank[k];
		struct json j = {set, r->head->rank, 0};

		printf("%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,"
		       "\"args\":{\"name\":\"rank %d\"}},\n"
		       "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,"
		       "\"args\":{\"labels\":",
		       k ? "," : "", j.rank, j.rank, j.rank);
		json_text(r->head->host);
		printf("}}");
		trace_walk(r, put_span, &j);
	}
	printf("\n]}\n");
}
