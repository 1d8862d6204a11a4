/* SPDX-License-Identifier: Apache-2.0 */
/* hang_record.c: reads a rank's record and its state in /proc. */
#include "runtime/base/hang_record.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/clock.h"

enum { TORN = 100 }; /* attempts to read a record that is being written */

static void hang_record_clean(char *text, size_t len)
{
	text[len - 1] = '\0';
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
}

bool hang_record_read(int fd, off_t at, struct hang_record *r)
{
	int tries = 0;

	do {
		if (fd < 0 || tries++ == TORN ||
		    pread(fd, r, sizeof(*r), at) != (ssize_t)sizeof(*r))
			return false;
	} while (r->seq != r->seq_end);
	hang_record_clean(r->text, sizeof(r->text));
	for (int k = 0; k < HANG_PAST; k++)
		hang_record_clean(r->wait[k].text, sizeof(r->wait[k].text));
	return true;
}

uint64_t hang_record_waited(const struct hang_record *r, bool stopped)
{
	uint64_t now = clock_ns();

	if (!r->began || r->began > now || r->noted < r->began ||
	    (!stopped && r->noted + HANG_STALE_MS * 1000000ull < now))
		return 0;
	return r->noted -
	       r->began; /* noted: last time the rank was seen waiting */
}

char hang_read_stat(int pid, double *cpu_s, int *threads)
{
	unsigned long user = 0, system = 0;
	char path[64], line[1024] = "", state = '?';
	const char *after;
	FILE *f;

	*cpu_s = 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return state;
	after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	if (after &&
	    sscanf(after + 1,
		   " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu "
		   "%*d %*d %*d %*d %d",
		   &state, &user, &system, threads) == 4)
		*cpu_s = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	return state;
}

void hang_record_describe(const struct hang_record *r, int pid,
			  struct hang_line *line)
{
	int threads;
	char state = hang_read_stat(pid, &line->seconds, &threads);
	bool stopped = state == 'T' || state == 't';
	uint64_t waited = r ? hang_record_waited(r, stopped) : 0;

	snprintf(line->text, sizeof(line->text), "%c", state);
	line->kind = stopped ? HANG_STOPPED : HANG_RUNS;
	line->needs = -1;
	if (!waited)
		return;
	line->kind = stopped ? HANG_STOPPED_WAITS : HANG_WAITS;
	line->seconds = (double)waited / 1e9;
	line->needs = (int)r->needs;
	memcpy(line->text, r->text, sizeof(line->text));
}
