/* SPDX-License-Identifier: Apache-2.0 */
/* simulated_clock.h replaces the clock of clock_ns in the program that includes
 * it: time passes as the program says. */
#ifndef TESTS_FUZZ_SIMULATED_CLOCK_H
#define TESTS_FUZZ_SIMULATED_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now = 1000000000; /* ns */

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (id != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, id, t);
	*t = (struct timespec){(time_t)(now / 1000000000),
			       (long)(now % 1000000000)};
	return 0;
}
#endif
