/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_json.c: the spans as JSON, one event on a line. A rank is a process,
 * its threads are threads; calls and waits are complete events (X), rendezvous,
 * plans and their steps asynchronous ones (b, e). Times are in microseconds.
 *
 * A limit on the bytes leaves out ranks, evenly, until each of the others has
 * room for some hundred events, and then the shortest spans. To find which fit,
 * the ranks are walked twice: the first walk prints each span into a buffer and
 * counts its bytes by its length in time, and the second one prints those that
 * are long enough.
 */
#include <stdio.h>
#include <stdlib.h>

#include "coll/plan/plan.h"
#include "coll/plan/select.h"
#include "runtime/base/error.h"
#include "runtime/base/json_text.h"
#include "tools/trace/trace_print.h"
#include "tools/trace/trace_walk.h"

enum {
	PER_OCTAVE = 8,		  /* classes of lengths in time */
	ALWAYS = 64 * PER_OCTAVE, /* failures, and what has no end */
	CLASSES,
	RANK_ROOM = 16384, /* bytes that a rank is to have at least */
	END_ROOM = 256	   /* of the end of the file */
};

struct json {
	const struct trace_set *set;
	FILE *out;
	int rank;
	unsigned ids; /* of asynchronous events so far */

	/* What follows serves a limit on the bytes. Each span is first printed
	 * to `out`, which then is a stream into the memory `text`. */
	char *text;
	size_t text_bytes;
	size_t left;		 /* bytes that may be printed */
	uint64_t bytes[CLASSES]; /* of the spans of each class */
	int from;		 /* spans of lower classes are left out */
	uint64_t spans_out;
	int ranks_out;
};

/* Begins an event; its name has been printed. */
static void put_event(const struct json *j, const char *phase, int64_t at,
		      const struct span *s)
{
	fprintf(j->out, ",\"ph\":\"%s\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d",
		phase, (double)(at - j->set->begin) / 1000, j->rank,
		s->event->thread);
}

static void put_arguments(const struct json *j, const struct span *s)
{
	const struct trace_event *e = s->event;
	bool call = s->kind == SPAN_CALL, together = call && e->collective;

	fprintf(j->out, ",\"args\":{\"bytes\":%llu",
		(unsigned long long)e->bytes);
	if (e->peer >= 0)
		fprintf(j->out, ",\"%s\":%d", together ? "first rank" : "peer",
			e->peer);
	if (call && e->comm != TRACE_NO_COMM)
		fprintf(j->out, ",\"communicator\":%d,\"%s\":%d", e->comm,
			together ? "number" : "tag", (int)e->number);
	fprintf(j->out, "%s}", s->open ? ",\"unfinished\":true" : "");
}

static void put_call(struct json *j, const struct span *s)
{
	fprintf(j->out, ",\n{\"cat\":\"call\",\"name\":");
	json_text(j->out, s->name);
	put_event(j, "X", s->begin, s);
	fprintf(j->out, ",\"dur\":%.3f", (double)(s->end - s->begin) / 1000);
	put_arguments(j, s);
	fputc('}', j->out);
}

static void put_wait(struct json *j, const struct span *s)
{
	fprintf(j->out, ",\n{\"cat\":\"wait\",\"name\":\"wait\"");
	put_event(j, "X", s->begin, s);
	fprintf(j->out, ",\"dur\":%.3f,\"args\":{\"for\":",
		(double)(s->end - s->begin) / 1000);
	json_text(j->out, s->name);
	fprintf(j->out, "%s}}", s->open ? ",\"unfinished\":true" : "");
}

/* Prints an asynchronous event. */
static void put_ends(struct json *j, const char *category, const char *name,
		     const struct span *s)
{
	j->ids++;
	for (int end = 0; end < (s->open ? 1 : 2); end++) {
		fprintf(j->out, ",\n{\"cat\":\"%s\",\"id\":\"%d.%u\",\"name\":",
			category, j->rank, j->ids);
		json_text(j->out, name);
		put_event(j, end ? "e" : "b", end ? s->end : s->begin, s);
		if (s->kind == SPAN_PLAN)
			fprintf(j->out, ",\"args\":{\"communicator\":%d}",
				s->event->comm);
		else
			put_arguments(j, s);
		fputc('}', j->out);
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
	fprintf(j->out, ",\n{\"cat\":\"error\",\"name\":\"%s\",\"s\":\"p\"",
		error_name((int)s->event->number));
	put_event(j, "i", s->begin, s);
	fputc('}', j->out);
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
	fprintf(j->out,
		"%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,"
		"\"args\":{\"name\":\"rank %d\"}},\n"
		"{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,"
		"\"args\":{\"labels\":",
		first ? "" : ",", j->rank, j->rank, j->rank);
	json_text(j->out, r->head->host);
	fprintf(j->out, "}}");
}

static const char opening[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";

/* ---- With a limit -------------------------------------------------------- */

/* Returns the class of a span by its length, PER_OCTAVE to a factor of 2. */
static int class_of(const struct span *s)
{
	uint64_t ns = s->end > s->begin ? (uint64_t)(s->end - s->begin) : 1;
	int log2 = 63 - __builtin_clzll(ns);

	if (s->open || s->kind == SPAN_FAIL)
		return ALWAYS;
	/* the bits below the first one, as eighths */
	return log2 * PER_OCTAVE +
	       (int)((log2 < 3 ? ns << (3 - log2) : ns >> (log2 - 3)) & 7);
}

/* Returns the shortest length of a class, in ns. */
static uint64_t least_of(int class)
{
	uint64_t eighths = PER_OCTAVE + (uint64_t)(class % PER_OCTAVE);
	int log2 = class / PER_OCTAVE;

	return log2 < 3 ? (eighths + (1u << (3 - log2)) - 1) >> (3 - log2)
			: eighths << (log2 - 3);
}

/* Returns the bytes in the buffer, and empties it: what is printed next begins
 * at its start. */
static size_t take_text(struct json *j)
{
	size_t n;

	fflush(j->out);
	n = j->text_bytes;
	rewind(j->out);
	return n;
}

static void count_span(void *to, const struct span *s)
{
	struct json *j = to;

	put_span(j, s);
	j->bytes[class_of(s)] += take_text(j);
}

/* A rank that is still at work may have written other events over those that
 * were counted, so the limit is looked at again. */
static void put_kept_span(void *to, const struct span *s)
{
	struct json *j = to;
	size_t n;

	if (class_of(s) >= j->from) {
		put_span(j, s);
		n = take_text(j);
		if (n <= j->left) {
			fwrite(j->text, 1, n, stdout);
			j->left -= n;
			return;
		}
	}
	j->spans_out++;
}

/* Returns the trace of the k-th of `kept` ranks, which lie evenly. */
static const struct rank_trace *kept_rank(const struct trace_set *set, int k,
					  int kept)
{
	return &set->rank[kept > 1 ? (long)k * (set->n - 1) / (kept - 1) : 0];
}

/* Chooses the classes that are printed, after all were counted. */
static void choose_classes(struct json *j)
{
	uint64_t sum = 0;

	j->from = CLASSES;
	while (j->from > 0 && sum + j->bytes[j->from - 1] <= j->left)
		sum += j->bytes[--j->from];
}

static void put_end(const struct json *j)
{
	uint64_t ns = j->from > ALWAYS ? 0 : least_of(j->from);

	printf("\n]");
	if (j->spans_out || j->ranks_out)
		printf(",\"otherData\":{\"ranks left out\":%d,"
		       "\"spans left out\":%llu,\"all below us\":%.3f}",
		       j->ranks_out, (unsigned long long)j->spans_out,
		       (double)ns / 1000);
	printf("}\n");
	if (j->ranks_out)
		fprintf(stderr, "mrt-trace: %d ranks are left out\n",
			j->ranks_out);
	if (j->spans_out)
		fprintf(stderr,
			"mrt-trace: %llu spans of the others are left out: "
			"those shorter than %.3f us\n",
			(unsigned long long)j->spans_out, (double)ns / 1000);
}

static void put_limited(struct json *j, int kept)
{
	size_t n;

	for (int k = 0; k < kept; k++) {
		put_rank(j, kept_rank(j->set, k, kept), !k);
		j->left -= take_text(j);
		trace_walk(kept_rank(j->set, k, kept), count_span, j);
	}
	choose_classes(j);
	printf("%s", opening);
	for (int k = 0; k < kept; k++) {
		put_rank(j, kept_rank(j->set, k, kept), !k);
		n = take_text(j);
		fwrite(j->text, 1, n, stdout);
		trace_walk(kept_rank(j->set, k, kept), put_kept_span, j);
	}
	put_end(j);
}

/* ---- Both ---------------------------------------------------------------- */

static int with_limit(const struct trace_set *set, size_t limit)
{
	struct json j = {.set = set,
			 .left = limit - sizeof(opening) - END_ROOM};
	int kept = set->n;

	if ((size_t)kept > limit / RANK_ROOM)
		kept = limit < 2 * RANK_ROOM ? 1 : (int)(limit / RANK_ROOM);
	j.ranks_out = set->n - kept;
	j.out = open_memstream(&j.text, &j.text_bytes);
	if (!j.out) {
		perror("mrt-trace");
		return EXIT_RESOURCE;
	}
	put_limited(&j, kept);
	fclose(j.out);
	free(j.text);
	return 0;
}

int trace_json(const struct trace_set *set, size_t limit)
{
	struct json j = {.set = set, .out = stdout};

	if (limit)
		return with_limit(set, limit);
	printf("%s", opening);
	for (int k = 0; k < set->n; k++) {
		put_rank(&j, &set->rank[k], !k);
		trace_walk(&set->rank[k], put_span, &j);
	}
	printf("\n]}\n");
	return 0;
}
