/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.c counts steps: in a build with -finstrument-functions every entry of a
 * function of the library is one, also of inlined functions. Steps of threads
 * other than the first (PMIx's) are counted by name only, not in the number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/fault_act.h"

#define PLAIN __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

extern const char __executable_start;

enum { SLOTS = 1 << 14 };

static struct {
	bool ready, record;
	unsigned long target, nth, number; /* the chosen steps; 0: none */
	unsigned long at_target, count;
	struct {
		unsigned long offset, count;
	} seen[SLOTS];
} steps;

static _Thread_local bool other_thread;

static PLAIN void write_record(void)
{
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s.%d", getenv("FAULT_LOG"),
		 fault_rank());
	file = fopen(name, "w");
	if (!file)
		return;
	fprintf(file, "0 %lu\n", steps.count);
	for (int k = 0; k < SLOTS; k++)
		if (steps.seen[k].count)
			fprintf(file, "%lx %lu\n", steps.seen[k].offset,
				steps.seen[k].count);
	fclose(file);
}

static PLAIN void prepare(void)
{
	const char *at = fault_at("step:");
	char *end;

	steps.ready = true;
	if (at) {
		steps.target = strtoul(at, &end, 16);
		steps.nth = *end == ':' ? strtoul(end + 1, NULL, 10) : 1;
	}
	at = fault_at("number:");
	if (at)
		steps.number = strtoul(at, NULL, 10);
	steps.record = fault_at("record") != NULL;
	if (steps.record)
		atexit(write_record);
}

static PLAIN void record(unsigned long offset)
{
	unsigned long k = offset / 4 % SLOTS;

	while (steps.seen[k].count && steps.seen[k].offset != offset)
		k = (k + 1) % SLOTS;
	steps.seen[k].offset = offset;
	steps.seen[k].count++;
}

PLAIN void __cyg_profile_func_enter(void *function, void *caller)
{
	unsigned long offset =
	    (unsigned long)((char *)function - &__executable_start);

	(void)caller;
	if (!steps.ready)
		prepare();
	if (!other_thread && gettid() != getpid())
		other_thread = true;
	if (offset == steps.target && ++steps.at_target == steps.nth)
		fault_now();
	if (other_thread)
		return;
	if (++steps.count == steps.number)
		fault_now();
	if (steps.record)
		record(offset);
}

PLAIN void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
}
