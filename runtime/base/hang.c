/* SPDX-License-Identifier: Apache-2.0 */
/* hang.c: writes a rank's record of what it waits for. One thread at a time
 * (the lock of the process). */
#include "runtime/base/hang.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang_record.h"
#include "runtime/base/log.h"
#include "runtime/base/names.h"

static const uint64_t SECOND = 1000000000;

static int fd = -1;
static ino_t inode;	/* of the file behind fd */
static char path[4096]; /* of the launcher's file; empty: none */
static off_t place;	/* of the own record */
static struct hang_record record;
/* where the launcher has made no file: the wait last warned of, and when to
 * warn again */
static uint64_t warned_wait, next_warning;
/* the records of this node */
static off_t first_place;
static int node_ranks; /* 0: the launcher's file, or none */

static void use_file(int file)
{
	struct stat st;

	fd = file;
	inode = file >= 0 && !fstat(file, &st) ? st.st_ino : 0;
}

static void open_file(void)
{
	use_file(*path ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1);
}

/* A program may close all descriptors, and open files of its own in their
 * places. */
static bool is_file_open(void)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && st.st_ino == inode;
}

static void write_record(void)
{
	record.seq_end = ++record.seq;
	if (!is_file_open())
		open_file();
	if (fd >= 0 && pwrite(fd, &record, sizeof(record), place) < 0) {
		/* without it the report lacks this rank */
	}
}

void hang_open(const char *dir, int rank)
{
	if (!*dir)
		return;
	snprintf(path, sizeof(path), "%s/" HANG_FILE, dir);
	open_file();
	place = (off_t)rank * (off_t)sizeof(record);
	record.rank = rank;
	record.pid = getpid();
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
	*path = '\0';
}

void hang_rest(bool rests)
{
	record.left = rests;
	write_record();
}

static off_t place_of(int k)
{
	return first_place + k * (off_t)sizeof(record);
}

void hang_share(int file, off_t at, int ranks, int rank, int mine)
{
	if (fd >= 0)
		return;
	use_file(file);
	first_place = at;
	node_ranks = ranks;
	place = place_of(mine);
	record.rank = rank;
	record.pid = getpid();
	write_record();
}

void hang_unshare(void)
{
	if (!node_ranks)
		return;
	record.began = 0;
	record.left = 1;
	write_record();
	fd = -1;
	node_ranks = 0;
}

/* Tells whether a rank before this one on the node warns of a wait about as
 * long. */
static bool another_warns(void)
{
	struct hang_record r;

	for (int k = 0; place_of(k) < place; k++)
		if (hang_record_read(fd, place_of(k), &r) &&
		    hang_record_waited(&r, false) >=
			(uint64_t)env.hang_warn * SECOND / 2)
			return true;
	return false;
}

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	char text[1400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_warn("%s", text);
}

/* Says what the ranks of this node do. */
static void report_node(void)
{
	struct hang_line *lines = calloc((size_t)node_ranks, sizeof(*lines));
	struct hang_record r;
	int n = 0;

	for (int k = 0; lines && k < node_ranks; k++) {
		if (!hang_record_read(fd, place_of(k), &r) || !r.pid)
			continue;
		lines[n].rank = r.rank;
		lines[n].pid = r.pid;
		hang_record_describe(&r, r.pid, &lines[n]);
		if (r.left)
			lines[n].kind = HANG_FINALIZED;
		n++;
	}
	if (lines)
		hang_group_print(lines, n, say);
	free(lines);
}

static void warn_hang(const char *text, uint64_t began, uint64_t waited)
{
	uint64_t first = (uint64_t)env.hang_warn * SECOND;

	if (!first)
		return;
	if (began != warned_wait)
		next_warning = first;
	warned_wait = began;
	if (waited < next_warning)
		return;
	next_warning = 2 * waited;
	if (node_ranks < 2) {
		log_warn("has waited for %llu s in %s (MRT_HANG_WARN)",
			 (unsigned long long)(waited / SECOND), text);
	} else if (!another_warns()) {
		log_warn("has waited for %llu s (MRT_HANG_WARN); the ranks of "
			 "this node:",
			 (unsigned long long)(waited / SECOND));
		report_node();
	}
}

static void give_up(const char *text, uint64_t waited)
{
	if (env.hang_timeout && waited >= (uint64_t)env.hang_timeout * SECOND)
		fault_raise_text(
		    MRT_ERR_PEER,
		    "waited longer than MRT_HANG_TIMEOUT (%ld s) in %s",
		    env.hang_timeout, text);
}

void hang_note(const char *text, int needs, uint64_t began, uint64_t now)
{
	const uint64_t fresh = 3 * HANG_NOTE_MS * 1000000ull;

	if (record.began && record.began < began && now - record.noted < fresh)
		return;
	record.began = began;
	record.noted = now;
	record.needs = needs;
	names_copy(record.text, sizeof(record.text), text);
	write_record();
	if (fd < 0 || node_ranks) {
		warn_hang(text, began, now - began);
		give_up(text, now - began);
	}
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
