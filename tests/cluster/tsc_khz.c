/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tsc_khz.c prints the frequency of this machine's time stamp counter in kHz.
 * QEMU's emulated one is the same. A guest that measures it by itself on a busy
 * host may be wrong by a factor of three, and then its clock is for good.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <x86intrin.h>

struct sample {
	uint64_t ns, ticks;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Reads clock and counter at one moment: of many attempts the one that took the
 * least time. */
static struct sample sample(void)
{
	struct sample best = {0, 0};
	uint64_t shortest = UINT64_MAX;

	for (int k = 0; k < 1000; k++) {
		uint64_t before = now(), ticks = __rdtsc(), after = now();

		if (after - before < shortest) {
			shortest = after - before;
			best = (struct sample){before + shortest / 2, ticks};
		}
	}
	return best;
}

int main(void)
{
	struct sample a = sample(), b;

	nanosleep(&(struct timespec){0, 20000000}, NULL);
	b = sample();
	printf("%.0f\n",
	       (double)(b.ticks - a.ticks) * 1e6 / (double)(b.ns - a.ns));
	return 0;
}
