/* SPDX-License-Identifier: Apache-2.0 */
/* faulty_plan.c: reads what faulty.c must do, counts its calls, and notes what
 * it sees. */
#include "tests/cluster/faulty_plan.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
#define X(name) #name,
    CALLS(X)
#undef X
};

struct plan plan;
static atomic_ulong calls[CALLS_N], total, failed;

static bool find_call(const char *text, size_t len)
{
	plan.all = len == 3 && !strncmp(text, "any", 3);
	for (int k = 0; k < CALLS_N; k++) {
		if (strlen(names[k]) != len || strncmp(names[k], text, len))
			continue;
		plan.call = (enum call)k;
		return true;
	}
	return plan.all;
}

static void bad(const char *what)
{
	fprintf(stderr, "faulty: cannot read %s\n", what);
	_exit(98);
}

static void read_nth(const char *text)
{
	size_t len = strcspn(text, ":");
	char *end;

	if (!find_call(text, len) || !text[len])
		bad(text);
	plan.nth = strtoul(text + len + 1, &end, 10);
	plan.more = *end == '+';
	end += plan.more;
	if (*end == ':')
		plan.err = atoi(end + 1);
	plan.on = true;
}

static void read_every(const char *text)
{
	size_t len = strcspn(text, ":");
	char *end;

	if (!find_call(text, len) || !text[len])
		bad(text);
	plan.every = strtoul(text + len + 1, &end, 10);
	if (*end++ != ':' || !plan.every)
		bad(text);
	plan.random = strtoull(end, &end, 10) * 0x9e3779b97f4a7c15u + 1;
	if (*end == ':')
		plan.err = atoi(end + 1);
	plan.on = true;
}

static __attribute__((constructor)) void read_plan(void)
{
	const char *mine = getenv("PMIX_RANK"), *rank = getenv("FAULTY_RANK");
	const char *nth = getenv("FAULTY"), *every = getenv("FAULTY_EVERY");
	const char *event = getenv("FAULTY_EVENT");
	const char *qps = getenv("FAULTY_QPS");

	if (!mine) /* a shell, or the launcher */
		return;
	plan.here = !rank || !strcmp(rank, mine);
	plan.err = ENOMEM;
	plan.qps = qps ? atoi(qps) : 0;
	if (nth)
		read_nth(nth);
	if (every)
		read_every(every);
	if (event && sscanf(event, "%d:%ld+%d", &plan.event, &plan.event_after,
			    &plan.next_event) < 2)
		bad(event);
}

static __attribute__((destructor)) void write_log(void)
{
	const char *path = getenv("FAULTY_LOG");
	FILE *f = path && plan.here && total ? fopen(path, "a") : NULL;

	for (int k = 0; f && k < CALLS_N; k++)
		if (calls[k])
			fprintf(f, "%s %lu\n", names[k], calls[k]);
	if (f)
		fclose(f);
}

static uint64_t draw(void)
{
	/* xorshift64, Marsaglia 2003 */
	plan.random ^= plan.random << 13;
	plan.random ^= plan.random >> 7;
	return plan.random ^= plan.random << 17;
}

bool strikes(enum call call)
{
	unsigned long n = ++calls[call], t = ++total;
	bool now;

	if (!plan.here || !plan.on || (!plan.all && call != plan.call))
		return false;
	if (plan.all)
		n = t;
	if (plan.every)
		now = draw() % plan.every == 0;
	else
		now = n == plan.nth || (plan.more && n > plan.nth);
	if (now && !failed++)
		fprintf(stderr, "faulty: %s fails (call %lu)\n", names[call],
			n);
	if (now)
		errno = plan.err;
	return now;
}

void note_seen(const char *what, unsigned value)
{
	const char *path = getenv("FAULTY_SEEN");
	FILE *f = path && plan.here ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "%s %u\n", what, value);
	fclose(f);
}
