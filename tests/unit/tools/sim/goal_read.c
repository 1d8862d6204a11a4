/* SPDX-License-Identifier: Apache-2.0 */
/* goal_read.c: parses the text of a GOAL schedule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tools/sim/goal_text.h"

/* Returns the array of n elements with room for one more; the room doubles when
 * n is a power of two. */
static void *room(void *array, int n, size_t size)
{
	if (n & (n - 1))
		return array;
	array = realloc(array, (n ? 2 * (size_t)n : 1) * size);
	if (!array)
		abort();
	return array;
}

/* Finds an operation by its label, the newest first, since most lines refer to
 * one just before them. */
static int find(const struct goal_host *h, const char *label)
{
	int k = h->nops - 1;

	while (k >= 0 && strcmp(h->ops[k].label, label) != 0)
		k--;
	return k;
}

static bool add_op(struct goal_host *h, const struct goal_op *op)
{
	if (find(h, op->label) >= 0)
		return false;
	h->ops = room(h->ops, h->nops, sizeof(*h->ops));
	h->ops[h->nops] = *op;
	h->ops[h->nops].first = h->ops[h->nops].last = -1;
	h->nops++;
	return true;
}

static bool add_link(struct goal_host *h, const char *later, const char *sooner)
{
	int op = find(h, later), from = find(h, sooner);
	struct goal_op *before;

	if (op < 0 || from < 0)
		return false;
	h->links = room(h->links, h->nlinks, sizeof(*h->links));
	h->links[h->nlinks] = (struct goal_link){op, -1};
	before = &h->ops[from];
	if (before->last < 0)
		before->first = h->nlinks;
	else
		h->links[before->last].next = h->nlinks;
	before->last = h->nlinks++;
	h->ops[op].waits++;
	return true;
}

static bool read_in_host(struct goal_host *h, const char *line)
{
	struct goal_op op = {.waits = 0};
	char other[12], end;
	long size;
	int n = sscanf(line, "%11[a-z0-9]: send %ldb to %d tag %d %c", op.label,
		       &size, &op.peer, &op.tag, &end);

	op.kind = GOAL_SEND;
	if (n != 4) {
		n = sscanf(line, "%11[a-z0-9]: recv %ldb from %d tag %d %c",
			   op.label, &size, &op.peer, &op.tag, &end);
		op.kind = GOAL_RECV;
	}
	if (n != 4) {
		n = 2 + sscanf(line, "%11[a-z0-9]: calc %ld %c", op.label,
			       &size, &end);
		op.kind = GOAL_CALC;
	}
	op.size = n == 4 ? size : 0;
	if (n == 4)
		return add_op(h, &op);
	return sscanf(line, "%11[a-z0-9] requires %11[a-z0-9] %c", op.label,
		      other, &end) == 2 &&
	       add_link(h, op.label, other);
}

/* Reads a line. *host is the host whose operations are being read, or -1. */
static bool read_line(struct goal *g, int *host, const char *line)
{
	if (!*line || !strncmp(line, "//", 2))
		return true;
	if (*host >= 0 && !strcmp(line, "}")) {
		*host = -1;
		return true;
	}
	if (*host >= 0)
		return read_in_host(&g->hosts[*host], line);
	if (g->nhosts)
		return sscanf(line, "rank %d {", host) == 1 && *host >= 0 &&
		       *host < g->nhosts && !g->hosts[*host].nops;
	if (sscanf(line, "num_ranks %d", &g->nhosts) != 1 || g->nhosts < 1)
		return false;
	g->hosts = calloc((size_t)g->nhosts, sizeof(*g->hosts));
	return g->hosts;
}

/* Tells whether the peers of all operations are hosts of the schedule. */
static bool has_peers(const struct goal *g)
{
	for (int h = 0; h < g->nhosts; h++)
		for (int k = 0; k < g->hosts[h].nops; k++) {
			const struct goal_op *op = &g->hosts[h].ops[k];

			if (op->peer < 0 || op->peer >= g->nhosts)
				return false;
		}
	return g->nhosts;
}

bool goal_read(struct goal *g, char *text, const char **line)
{
	int host = -1;

	*g = (struct goal){0};
	while ((*line = strsep(&text, "\n")) != NULL)
		if (!read_line(g, &host, *line))
			return false;
	*line = "the end";
	return host < 0 && has_peers(g);
}

void goal_free(struct goal *g)
{
	for (int h = 0; g->hosts && h < g->nhosts; h++) {
		free(g->hosts[h].ops);
		free(g->hosts[h].links);
	}
	free(g->hosts);
}
