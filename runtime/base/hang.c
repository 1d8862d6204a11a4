/* SPDX-License-Identifier: Apache-2.0 */
/* hang.c: writes a rank's record of what it waits for. One thread at a time
 * (the lock of the process). */
#include "runtime/base/hang.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"

static int fd = -1;
static off_t place;
static struct hang_record record;
/* without a file: the wait last warned of, and when to warn again */
static uint64_t warned_wait, next_warning;

static void write_record(void)
{
	record.seq_end = ++record.seq;
	if (fd >= 0 && pwrite(fd, &record, sizeof(record), place) < 0) {
		/* without it the report lacks this rank */
	}
}

void hang_open(const char *dir, int rank)
{
	char path[4096];

	if (!*dir)
		return;
	snprintf(path, sizeof(path), "%s/" HANG_FILE, dir);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	place = (off_t)rank * (off_t)sizeof(record);
	/* erases the record of an earlier program that had this rank */
	write_record();
}

void hang_close(bool for_good)
{
	record.began = 0;
	record.left = for_good;
	write_record();
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static void warn(const char *text, uint64_t began, uint64_t waited)
{
	uint64_t first = (uint64_t)env.hang_warn * 1000000000u;

	if (!first)
		return;
	if (began != warned_wait)
		next_warning = first;
	warned_wait = began;
	if (waited < next_warning)
		return;
	next_warning = 2 * waited;
	log_warn("has waited for %llu s in %s (MRT_HANG_WARN)",
		 (unsigned long long)(waited / 1000000000u), text);
}

static void give_up(const char *text, uint64_t waited)
{
	if (env.hang_timeout &&
	    waited >= (uint64_t)env.hang_timeout * 1000000000u)
		fault_raise_text(
		    MRT_ERR_PEER,
		    "waited longer than MRT_HANG_TIMEOUT (%ld s) in %s",
		    env.hang_timeout, text);
}

void hang_note(const char *text, uint64_t began, uint64_t now)
{
	const uint64_t fresh = 3 * HANG_NOTE_MS * 1000000ull;

	if (record.began && record.began < began && now - record.noted < fresh)
		return;
	record.began = began;
	record.noted = now;
	if (fd < 0) {
		warn(text, began, now - began);
		give_up(text, now - began);
		return;
	}
	snprintf(record.text, sizeof(record.text), "%s", text);
	write_record();
}

static void add_past(void)
{
	struct hang_wait *w = &record.wait[record.waits++ % HANG_PAST];

	w->began = record.began;
	w->noted = record.noted;
	snprintf(w->text, sizeof(w->text), "%.*s", (int)sizeof(w->text) - 1,
		 record.text);
}

void hang_clear(uint64_t began, bool keep)
{
	if (record.began != began)
		return;
	if (keep)
		add_past();
	record.began = 0;
	write_record();
}
