/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_cost.c measures what an event of a trace costs: it writes many of each
 * sort into the file of one rank, as calls, steps of plans and waits do, and
 * prints the nanoseconds of one, which are to be GOAL at most. Other programs
 * disturb a mean, so it is that of the fastest of many short series; and it is
 * printed, not judged, since machines differ.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/trace.h"
#include "runtime/base/trace_file.h"
#include "tests/tap.h"

enum { SERIES = 2000, EVENTS = 1000, GOAL = 25 /* ns */ };

static const struct trace_head *head; /* of the file, mapped */

static void write_events(void)
{
	for (int k = 0; k < EVENTS; k++)
		trace_write(TRACE_WAIT, -1, 0, 0);
}

static void put_steps(void)
{
	for (int k = 0; k < EVENTS; k++)
		trace_put(&(struct trace_event){
		    .kind = TRACE_BEGIN, .peer = k, .number = (uint32_t)k});
}

/* A call is two events. */
static void call(void)
{
	for (int k = 0; k < EVENTS / 2; k++) {
		trace_enter("mrt_", "send");
		trace_is_message(k, 8, 0, 1);
		trace_leave();
	}
}

static double fastest(void (*series)(void))
{
	uint64_t least = UINT64_MAX;

	for (int k = 0; k < SERIES; k++) {
		uint64_t begin = clock_ns(), took;

		series();
		took = clock_ns() - begin;
		least = took < least ? took : least;
	}
	return (double)least / EVENTS;
}

static void test(const char *name, void (*series)(void))
{
	uint64_t before = head->written;
	double ns = fastest(series);

	ok(head->written - before == (uint64_t)SERIES * EVENTS,
	   "%s: all events are written", name);
	printf("# %s: %.1f ns an event, %.2f of the goal\n", name, ns,
	       ns / GOAL);
}

static bool map_head(const char *path)
{
	int fd = open(path, O_RDONLY);
	void *at = mmap(NULL, TRACE_HEAD_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	close(fd);
	head = at;
	return at != MAP_FAILED;
}

int main(void)
{
	char folder[] = "/tmp/mrt-trace-XXXXXX", path[64], why[256];
	const char *tool = getenv("SANITIZER");

	if (tool && *tool) {
		printf("1..0 # SKIP times say nothing with a sanitizer\n");
		return 0;
	}
	if (!mkdtemp(folder) || setenv("MRT_TRACE", folder, 1))
		return 1;
	ok(!env_load(why, sizeof(why)), "MRT_TRACE is read");
	trace_open(0, 1, "job", "host");
	snprintf(path, sizeof(path), "%s/rank.0.trace", folder);
	if (!ok(trace_on && map_head(path), "the file is open"))
		return tap_done();
	test("waits", write_events);
	test("steps of plans", put_steps);
	test("calls", call);
	trace_close(true);
	ok(!unlink(path) && !rmdir(folder), "one file was written");
	return tap_done();
}
