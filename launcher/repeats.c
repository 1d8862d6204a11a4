/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeats.c: a ring of the last texts, with what each rank has said of it. A
 * rank that says a text twice begins a new round, so that nothing is counted
 * that was not printed, and of two equal lines of one rank none is lost.
 * Errors and warnings only: who asks for more by MRT_LOG wants to see each
 * rank.
 */

#include "launcher/repeats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/loop.h"
#include "runtime/base/clock.h"
#include "runtime/base/hang_group.h"

enum { SAID_NOTHING, SAID_HELD, SAID_TOLD };

enum { SHOWN = 100 }; /* bytes of a text that a count repeats */

int repeats_init(struct repeats *r, int nranks,
		 void (*put)(void *arg, const char *line, size_t len),
		 void *arg)
{
	size_t n = (size_t)nranks;
	unsigned char *said;

	memset(r, 0, sizeof(*r));
	r->ranks = calloc(n, sizeof(*r->ranks) + REPEATS_ROWS);
	if (!r->ranks)
		return -1;
	said = (unsigned char *)(r->ranks + n);
	for (int k = 0; k < REPEATS_ROWS; k++)
		r->rows[k].said = said + (size_t)k * n;
	r->nranks = nranks;
	r->put = put;
	r->arg = arg;
	return 0;
}

void repeats_fini(struct repeats *r)
{
	free(r->ranks);
	r->ranks = NULL;
}

/* Returns what follows the name of the rank in a line of the runtime, or NULL
 * if the line is another. What ends with a colon has lines that belong to it
 * and are the rank's own. */
static const char *repeats_text(const char *line, size_t *len)
{
	static const char name[] = "libmrt";
	const char *end = line + *len - 1, *text;

	if (*len < sizeof(name) + 2 || memcmp(line, name, sizeof(name) - 1) ||
	    *end != '\n' || end[-1] == ':')
		return NULL;
	text = line + sizeof(name) - 1;
	if (*text == '[')
		text = memchr(text, ']', (size_t)(end - text));
	else if (*text != ':')
		return NULL;
	if (!text || end - text < 3 || text[1] != ' ')
		return NULL;
	text += 2;
	*len = (size_t)(end - text);
	return *len > REPEATS_TEXT ? NULL : text;
}

static bool text_begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

static void row_tell(struct repeats *r, struct repeats_row *row)
{
	char list[256], line[SHOWN + 400];
	int n = 0, len;

	if (!row->held)
		return;
	for (int rank = 0; rank < r->nranks; rank++)
		if (row->said[rank] == SAID_HELD) {
			row->said[rank] = SAID_TOLD;
			r->ranks[n++] = rank;
		}
	r->held -= row->held;
	row->held = 0;
	hang_group_ranges(r->ranks, n, list, sizeof(list));
	len = snprintf(line, sizeof(line),
		       "mrun: the same from %d more rank%s (%s): %.*s%s\n", n,
		       n == 1 ? "" : "s", list,
		       row->len > SHOWN ? SHOWN : (int)row->len, row->text,
		       row->len > SHOWN ? "..." : "");
	r->put(r->arg, line, (size_t)len);
}

void repeats_tell(struct repeats *r)
{
	for (int k = 0; r->held && k < REPEATS_ROWS; k++)
		row_tell(r, &r->rows[(r->oldest + k) % REPEATS_ROWS]);
}

static struct repeats_row *row_find(struct repeats *r, const char *text,
				    size_t len)
{
	for (int k = 0; k < REPEATS_ROWS; k++)
		if (r->rows[k].len == len &&
		    !memcmp(r->rows[k].text, text, len))
			return &r->rows[k];
	return NULL;
}

/* Begins to count what a rank says in a line that is shown. */
static void row_begin(struct repeats *r, struct repeats_row *row, int rank)
{
	row_tell(r, row);
	memset(row->said, SAID_NOTHING, (size_t)r->nranks);
	row->said[rank] = SAID_TOLD;
}

/* Tells what was held back of a rank that says something else. */
static void rank_tell(struct repeats *r, int rank)
{
	for (int k = 0; r->held && k < REPEATS_ROWS; k++) {
		int at = (r->oldest + k) % REPEATS_ROWS;

		if (r->rows[at].said[rank] == SAID_HELD)
			row_tell(r, &r->rows[at]);
	}
}

bool repeats_hold(struct repeats *r, int rank, const char *line, size_t len)
{
	const char *text = repeats_text(line, &len);
	struct repeats_row *row;

	if (!text)
		return false;
	if (text_begins(text, len, "info: ") ||
	    text_begins(text, len, "debug: ")) {
		rank_tell(r, rank);
		return false;
	}
	row = row_find(r, text, len);
	if (row && row->said[rank] == SAID_NOTHING) {
		row->said[rank] = SAID_HELD;
		row->held++;
		r->held++;
		r->held_ns = clock_ns();
		return true;
	}
	rank_tell(r, rank);
	if (!row) {
		row = &r->rows[r->oldest];
		row_tell(r, row);
		r->oldest = (r->oldest + 1) % REPEATS_ROWS;
		memcpy(row->text, text, len);
		row->len = len;
	}
	row_begin(r, row, rank);
	return false;
}

static uint64_t quiet_at(const struct repeats *r)
{
	return r->held ? r->held_ns + REPEATS_QUIET_MS * 1000000ull : 0;
}

int repeats_timeout_ms(const struct repeats *r)
{
	return loop_ms_until(quiet_at(r));
}

void repeats_tell_quiet(struct repeats *r)
{
	if (r->held && clock_ns() >= quiet_at(r))
		repeats_tell(r);
}
