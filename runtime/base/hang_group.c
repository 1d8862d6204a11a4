/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang_group.c: ranks whose texts are equal are one group. If that makes too
 * many groups, texts are compared without the ranks that they name, and at last
 * without any number; the line of a group then names all of these numbers.
 */
#include "runtime/base/hang_group.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of a text that may differ inside a group. */
enum likeness { NOTHING, RANKS, NUMBERS };

enum {
	SLOTS = 6,  /* places in a text at which numbers may differ */
	VARIES = 1, /* stands for such a place; not in a text */
};

/* The numbers that stand at each of these places in the texts of a group. */
struct slots {
	long *numbers[SLOTS];
	int n[SLOTS], room[SLOTS];
};

static void hang_group_keep(struct slots *slots, int slot, long number)
{
	if (!slots || slot >= SLOTS)
		return;
	if (slots->n[slot] == slots->room[slot]) {
		int room = 2 * slots->room[slot] + 64;
		long *more =
		    realloc(slots->numbers[slot], (size_t)room * sizeof(*more));

		if (!more)
			return;
		slots->numbers[slot] = more;
		slots->room[slot] = room;
	}
	slots->numbers[slot][slots->n[slot]++] = number;
}

/* Skips numbers as in "3", and with `list` as in "3, 5 and 2 more". */
static const char *skip_numbers(const char *text, bool list,
				struct slots *slots, int slot)
{
	int end = 0, more;
	char *after;

	hang_group_keep(slots, slot, strtol(text, &after, 10));
	while (list && after[0] == ',' && after[1] == ' ' &&
	       isdigit((unsigned char)after[2]))
		hang_group_keep(slots, slot, strtol(after + 2, &after, 10));
	if (list && sscanf(after, " and %d more%n", &more, &end) == 1 && end)
		after += end;
	return after;
}

static bool follows_rank(const char *text, const char *begin)
{
	return text - begin >= 5 && !memcmp(text - 5, "rank ", 5);
}

/* Writes the text with VARIES in place of what may differ, and keeps those
 * numbers if `slots` is not NULL. */
static void hang_group_generalize(const char *text, enum likeness likeness,
				  char key[HANG_TEXT], struct slots *slots)
{
	const char *p = text;
	int n = 0, slot = 0;

	while (*p && n < HANG_TEXT - 1) {
		bool rank = follows_rank(p, text);

		if (isdigit((unsigned char)*p) &&
		    (likeness == NUMBERS || (likeness == RANKS && rank))) {
			p = skip_numbers(p, rank, slots, slot++);
			key[n++] = VARIES;
		} else {
			key[n++] = *p++;
		}
	}
	key[n] = '\0';
}

/* Gives each line its group, the number of groups, in the order of first
 * members; -1 to those for whom there is no room. Returns whether there was
 * room for all. */
static bool make_groups(struct hang_line *lines, int n, enum likeness likeness)
{
	static char keys[HANG_GROUPS][HANG_TEXT];
	enum hang_kind kinds[HANG_GROUPS];
	int groups = 0;
	bool all = true;

	for (int i = 0; i < n; i++) {
		char key[HANG_TEXT];
		int g = 0;

		hang_group_generalize(lines[i].text, likeness, key, NULL);
		while (g < groups &&
		       (kinds[g] != lines[i].kind || strcmp(keys[g], key)))
			g++;
		if (g == groups && groups < HANG_GROUPS) {
			kinds[groups] = lines[i].kind;
			strcpy(keys[groups++], key);
		}
		lines[i].group = g < groups ? g : -1;
		all &= g < groups;
	}
	return all;
}

void hang_group_ranges(const long *numbers, int n, char *text, int len)
{
	int used = 0, ranges = 0, i, k;

	text[0] = '\0';
	for (i = 0; i < n && used < len - 48; i = k) {
		for (k = i + 1; k < n && numbers[k] <= numbers[k - 1] + 1;)
			k++;
		if (++ranges >= HANG_RANGES && k < n) {
			snprintf(text + used, (size_t)(len - used), ",...,%ld",
				 numbers[n - 1]);
			return;
		}
		used += snprintf(text + used, (size_t)(len - used), "%s%ld",
				 i ? "," : "", numbers[i]);
		if (numbers[k - 1] > numbers[i])
			used += snprintf(text + used, (size_t)(len - used),
					 "-%ld", numbers[k - 1]);
	}
}

static int by_number(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Writes the key of a group with all of its numbers. */
static void hang_group_specialize(const char *key, struct slots *slots,
				  char *text, int len)
{
	int n = 0, slot = 0;

	for (; *key && n < len - 1; key++) {
		long *numbers = slot < SLOTS ? slots->numbers[slot] : NULL;
		char c = *key;

		if (c == VARIES && !numbers)
			c = '?';
		if (c != VARIES) {
			text[n++] = c;
			continue;
		}
		qsort(numbers, (size_t)slots->n[slot], sizeof(long), by_number);
		hang_group_ranges(numbers, slots->n[slot], text + n, len - n);
		n += (int)strlen(text + n);
		slot++;
	}
	text[n] = '\0';
}

/* A group under way to its line. */
struct group {
	const struct hang_line *first;
	int n;		    /* members */
	double least, most; /* seconds */
	long *ranks;
	struct slots slots;
	char key[HANG_TEXT];
};

static void hang_group_add(struct group *g, const struct hang_line *line,
			   enum likeness likeness)
{
	if (!g->n) {
		g->first = line;
		g->least = g->most = line->seconds;
	}
	if (line->seconds < g->least)
		g->least = line->seconds;
	if (line->seconds > g->most)
		g->most = line->seconds;
	g->ranks[g->n++] = line->rank;
	hang_group_generalize(line->text, likeness, g->key, &g->slots);
}

static void write_seconds(const struct group *g, char *text, size_t len)
{
	int n = snprintf(text, len, "%.1f", g->least);

	if (g->most >= g->least + 0.1)
		snprintf(text + n, len - (size_t)n, " to %.1f", g->most);
}

static void print_hang_group(const struct group *g, const char *who,
			     const char *text, hang_say *say)
{
	static const struct {
		const char *one, *many;
	} does[] = {
	    [HANG_WAITS] = {"has waited", "have waited"},
	    [HANG_STOPPED_WAITS] = {"is stopped, while it waited",
				    "are stopped, while they waited"},
	    [HANG_STOPPED] = {"is stopped", "are stopped"},
	    [HANG_ENDED] = {"has ended", "have ended"},
	    [HANG_RUNS] = {"does not wait in libmrt", "do not wait in libmrt"},
	    [HANG_FINALIZED] = {"has called mrt_finalize and runs",
				"have called mrt_finalize and run"},
	    [HANG_NEW] = {"has not called mrt_init",
			  "have not called mrt_init"},
	};
	enum hang_kind kind = g->first->kind;
	const char *verb = g->n == 1 ? does[kind].one : does[kind].many;
	char time[48];

	write_seconds(g, time, sizeof(time));
	if (kind == HANG_WAITS)
		say("%s %s for %s s in %s", who, verb, time, text);
	else if (kind == HANG_STOPPED_WAITS)
		say("%s %s in %s", who, verb, text);
	else if (kind == HANG_STOPPED || kind == HANG_ENDED)
		say("%s %s", who, verb);
	else
		say("%s %s (state %s, %s s of CPU time)", who, verb, text,
		    time);
}

static void print_events(const struct hang_line *line, hang_say *say)
{
	char text[HANG_EVENTS * (HANG_EVENT + 24)] = "";
	size_t n = 0;

	for (int k = 0; k < line->nevents; k++) {
		const struct hang_event *e = &line->event[k];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
				      k ? "; " : "", e->text);
		if (e->ago >= 0)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      " (%.1f s ago)", e->ago);
	}
	if (n)
		say("rank %d before: %s", line->rank, text);
}

/* Prints one group; that of the lines that are in none is -1. */
static void print_group(const struct hang_line *lines, int n, int group,
			enum likeness likeness, long *ranks, hang_say *say)
{
	struct group g = {.ranks = ranks};
	char list[256], who[320], text[1024];

	for (int i = 0; i < n; i++)
		if (lines[i].group == group)
			hang_group_add(&g, &lines[i], likeness);
	if (!g.n)
		return;
	if (g.n == 1) {
		snprintf(who, sizeof(who), "rank %d (pid %d)", g.first->rank,
			 g.first->pid);
		snprintf(text, sizeof(text), "%s", g.first->text);
	} else {
		hang_group_ranges(ranks, g.n, list, sizeof(list));
		snprintf(who, sizeof(who), "%d ranks (%s)", g.n, list);
		hang_group_specialize(g.key, &g.slots, text, sizeof(text));
	}
	if (group >= 0 || g.n == 1)
		print_hang_group(&g, who, text, say);
	else
		say("%s each do something else", who);
	print_events(g.first, say);
	for (int slot = 0; slot < SLOTS; slot++)
		free(g.slots.numbers[slot]);
}

void hang_group_print(struct hang_line *lines, int n, hang_say *say)
{
	long *ranks = malloc((size_t)n * sizeof(*ranks));
	enum likeness likeness = NOTHING;

	if (!ranks)
		return;
	while (!make_groups(lines, n, likeness) && likeness < NUMBERS)
		likeness++;
	for (int g = 0; g < HANG_GROUPS; g++)
		print_group(lines, n, g, likeness, ranks, say);
	print_group(lines, n, -1, likeness, ranks, say);
	hang_cycle_print(lines, n, say);
	free(ranks);
}
