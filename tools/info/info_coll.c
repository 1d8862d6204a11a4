/* SPDX-License-Identifier: Apache-2.0 */
/* info_coll.c: the part of mrt-info that lists the collective algorithms, their
 * costs, and where each is chosen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/plan/select.h"
#include "tools/info/info_out.h"
#include "tools/info/info_parts.h"
#include "runtime/topo/topo.h"

enum { ELEMENT = 8, DOUBLINGS = 28, RANKS_MAX = 1 << 24 };

/* A communicator, as the choice of algorithms sees it. */
struct setting {
	enum collective collective;
	int ranks;
	struct machine machine;
};

static struct choice info_coll_choose(const struct setting *s, size_t count)
{
	struct shape shape = {.size = s->ranks,
			      .count = count,
			      .type_size = ELEMENT,
			      .commutative = true};

	return select_algorithm(s->collective, &shape, &s->machine, false);
}

static bool info_coll_same(struct choice a, struct choice b)
{
	return a.algorithm == b.algorithm && a.arg == b.arg;
}

/*
 * Returns the smallest count above `count` for which another algorithm is
 * chosen; 0 if there is none. Tries powers of two, and bisects where two of
 * them differ.
 */
static size_t next_change(const struct setting *s, size_t count)
{
	struct choice here = info_coll_choose(s, count);
	size_t low = count, high = count ? 2 * count : 1;

	while (high >> DOUBLINGS == 0 &&
	       info_coll_same(here, info_coll_choose(s, high))) {
		low = high;
		high *= 2;
	}
	if (high >> DOUBLINGS)
		return 0;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (info_coll_same(here, info_coll_choose(s, mid)))
			low = mid;
		else
			high = mid;
	}
	return high;
}

static void print_range(const char *name, size_t count, size_t next)
{
	if (!info_is_json()) {
		printf("  %zu: %s", count * ELEMENT, name);
		return;
	}
	info_open(NULL, INFO_OBJECT);
	info_number("from", (double)(count * ELEMENT));
	if (next)
		info_number("below", (double)(next * ELEMENT));
	info_text("algorithm", "%s", name);
	info_close(INFO_OBJECT);
}

static void print_ranges(const struct setting *s)
{
	size_t count = 0, next;
	struct choice here;
	char name[128];

	do {
		next =
		    s->collective == COLL_BARRIER ? 0 : next_change(s, count);
		here = info_coll_choose(s, count);
		select_print(s->collective, &here, name, sizeof(name));
		print_range(name, count, next);
		count = next;
	} while (next);
}

static void print_setting(const struct setting *s)
{
	const char *medium = medium_names[s->machine.medium];

	if (!info_is_json()) {
		printf("    %7d ranks, %-5s", s->ranks, medium);
		print_ranges(s);
		putchar('\n');
		return;
	}
	info_open(NULL, INFO_OBJECT);
	info_number("ranks", s->ranks);
	info_text("medium", "%s", medium);
	info_open("ranges", INFO_LIST);
	print_ranges(s);
	info_close(INFO_LIST);
	info_close(INFO_OBJECT);
}

static struct machine on_this_node(int ranks)
{
	uint64_t mask[TOPO_MASK_WORDS];
	int cpus;

	topo_affinity(mask);
	cpus = topo_usable_cpus(mask, topo_quota());
	return ranks > cpus
		   ? (struct machine){.medium = MEDIUM_BUSY, .cpus = cpus}
		   : (struct machine){.medium = MEDIUM_SM};
}

static void print_choices(enum collective collective,
			  const struct info_coll *query)
{
	info_open("chosen", INFO_LIST);
	for (int i = 0; i < query->nranks; i++) {
		struct setting s = {.collective = collective,
				    .ranks = query->ranks[i]};

		s.machine = on_this_node(s.ranks);
		if (query->sm)
			print_setting(&s);
		s.machine = (struct machine){.medium = MEDIUM_NET};
		if (query->net)
			print_setting(&s);
	}
	info_close(INFO_LIST);
}

static void print_algorithm(const struct algorithm *a)
{
	char name[128];

	if (info_is_json()) {
		info_open(NULL, INFO_OBJECT);
		info_text("name", "%s", a->name);
		if (a->arg) {
			info_text("argument", "%s", a->arg);
			info_number("default", (double)a->arg_default);
		}
		info_text("cost", "%s", a->formula);
		info_close(INFO_OBJECT);
		return;
	}
	snprintf(name, sizeof(name), a->arg ? "%s:%s" : "%s", a->name, a->arg);
	printf("    %-32s %s", name, a->formula);
	if (a->arg && a->arg_default)
		printf(", %s is %zu", a->arg, a->arg_default);
	putchar('\n');
}

static void print_collective(enum collective collective,
			     const struct info_coll *query)
{
	const struct coll_table *t = &coll_tables[collective];

	info_open(NULL, INFO_OBJECT);
	if (info_is_json()) {
		info_text("name", "%s", t->name);
		info_text("variable", "%s", t->variable);
	} else {
		printf("  %s (%s)%s\n", t->name, t->variable,
		       select_forced(collective) ? ", forced" : "");
	}
	info_open("algorithms", INFO_LIST);
	for (size_t i = 0; i < t->nrows; i++)
		print_algorithm(t->rows[i]);
	info_close(INFO_LIST);
	print_choices(collective, query);
	info_close(INFO_OBJECT);
}

static void print_parameters(void)
{
	info_open("model", INFO_OBJECT);
	for (int medium = 0; medium < MEDIA; medium++) {
		const struct model *m = &models[medium];

		info_text(medium_names[medium],
			  "latency %g, byte %g, reduced %g, atomic %g, "
			  "overhead %g, copied %g, rendezvous %g ns "
			  "above %g bytes, memory %g, connect %g ns "
			  "above %g peers, taper %g",
			  m->latency, m->byte, m->reduced, m->atomic,
			  m->overhead, m->copied, m->rendezvous, m->eager,
			  m->memory, m->connect, m->connected, m->taper);
	}
	info_close(INFO_OBJECT);
}

static int parse_ranks(const char *text, struct info_coll *query)
{
	char *end;

	for (query->nranks = 0; query->nranks < INFO_RANKS; text = end + 1) {
		long n = strtol(text, &end, 10);

		if (end == text || n < 1 || n > RANKS_MAX)
			return -1;
		query->ranks[query->nranks++] = (int)n;
		if (!*end)
			return 0;
		if (*end != ',')
			return -1;
	}
	return -1;
}

int info_coll_option(struct info_coll *query, char option, const char *value)
{
	if (option == 'n')
		return parse_ranks(value, query);
	query->sm = !strcmp(value, "sm");
	query->net = !strcmp(value, "verbs");
	return query->sm || query->net ? 0 : -1;
}

int info_coll(const struct info_coll *query)
{
	int rc = select_init();

	if (rc)
		return rc;
	info_open(NULL, INFO_OBJECT);
	print_parameters();
	info_open("collectives", INFO_LIST);
	if (!info_is_json())
		puts("  n ranks, m bytes; a latency, b time of a byte, c of a "
		     "byte reduced; chosen, from\n  which bytes on; inside a "
		     "node shared memory comes before all these");
	for (int c = 0; c < COLLECTIVES; c++)
		if (coll_tables[c].nrows)
			print_collective(c, query);
	info_close(INFO_LIST);
	info_close(INFO_OBJECT);
	return 0;
}
