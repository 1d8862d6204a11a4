/* SPDX-License-Identifier: Apache-2.0 */
/* idle_timeout.c: tests how long a wait with a time limit lasts. */
#include "runtime/base/clock.h"
#include "runtime/engine/wait.h"
#include "tests/tap.h"

static const uint64_t MS = 1000000;

/* Waits with events (idle is 0) or without until it is over; returns ns. */
static uint64_t lasts(uint64_t quiet_ns, uint64_t most_ns, uint32_t idle)
{
	struct wait w = {.idle = idle};
	struct idle_timeout p;
	uint64_t began = clock_ns();

	idle_timeout_begin(&p, quiet_ns, most_ns);
	while (!idle_timeout_over(&p, &w))
		;
	return clock_ns() - began;
}

int main(void)
{
	uint64_t quiet = lasts(20 * MS, 60000 * MS, 1);
	uint64_t events = lasts(20 * MS, 100 * MS, 0);

	ok(quiet >= 20 * MS && quiet < 50000 * MS,
	   "nothing happens: till it has been quiet");
	ok(events >= 100 * MS, "events: longer, to the most");
	return tap_done();
}
