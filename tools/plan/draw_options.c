/* SPDX-License-Identifier: Apache-2.0 */
/* draw_options.c: parses the command line of mrt-plan. */
#include "config.h"

#include "tools/plan/draw.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/rules.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"

static const char usage[] =
    "Usage: mrt-plan [COLLECTIVE [ALGORITHM[:ARGUMENT] [OPTIONS]]]\n"
    "       mrt-plan COLLECTIVE [ALGORITHM[:ARGUMENT]] -f html [OPTIONS]\n"
    "Prints or draws what each rank does in a collective. Without ALGORITHM,\n"
    "lists the algorithms of the collective; without arguments, the\n"
    "collectives.\n\n"
    "  -n, --ranks N          ranks (8)\n"
    "  -c, --count N          elements of the vector (one per rank), or of\n"
    "                         one block (1)\n"
    "  -t, --type-size BYTES  bytes of an element (8)\n"
    "      --root R           the root (0)\n"
    "      --in-place         ranks pass MRT_IN_PLACE\n"
    "      --non-commutative  operands keep the order of ranks\n"
    "      --combine HOW      what atomics can do: add, swap or none (add;\n"
    "                         none for ordered or long operands)\n"
    "      --nodes K          number of nodes, or their sizes: 3,3,2\n"
    "      --cyclic           place ranks on the nodes in turn\n"
    "      --no-boards        inside nodes messages only\n"
    "      --caches K         caches per node (1)\n"
    "      --torus RxC        neighbours on a torus (a ring)\n"
    "  -r, --rank R           show this rank only, as text or JSON\n"
    "  -f, --format FORMAT    text, json, svg, goal or html (text);\n"
    "                         html is a page to step through all algorithms\n"
    "  -p, --ports N          messages that a rank sends, and receives, at\n"
    "                         once in the picture; 0: unlimited (1)\n"
    "  -l, --label WHAT       labels of messages in the picture: bytes,\n"
    "                         blocks or none\n"
    "      --calc-per-byte NS ns to reduce or copy a byte, for goal (0.1)\n"
    "  -o, --output FILE      write to FILE\n"
    "  -h, --help             print this text\n"
    "  -V, --version          print the version\n"
    "Exit code: 0; 64 wrong usage; 71 no memory, or output cannot be "
    "written.\n";

enum {
	OPT_ROOT = 256,
	OPT_IN_PLACE,
	OPT_ORDER,
	OPT_COMBINE,
	OPT_NODES,
	OPT_CYCLIC,
	OPT_NO_BOARDS,
	OPT_CACHES,
	OPT_TORUS,
	OPT_CALC
};

static const struct option longs[] = {
    {"ranks", required_argument, NULL, 'n'},
    {"count", required_argument, NULL, 'c'},
    {"type-size", required_argument, NULL, 't'},
    {"root", required_argument, NULL, OPT_ROOT},
    {"in-place", no_argument, NULL, OPT_IN_PLACE},
    {"non-commutative", no_argument, NULL, OPT_ORDER},
    {"combine", required_argument, NULL, OPT_COMBINE},
    {"nodes", required_argument, NULL, OPT_NODES},
    {"cyclic", no_argument, NULL, OPT_CYCLIC},
    {"no-boards", no_argument, NULL, OPT_NO_BOARDS},
    {"caches", required_argument, NULL, OPT_CACHES},
    {"torus", required_argument, NULL, OPT_TORUS},
    {"rank", required_argument, NULL, 'r'},
    {"format", required_argument, NULL, 'f'},
    {"ports", required_argument, NULL, 'p'},
    {"label", required_argument, NULL, 'l'},
    {"calc-per-byte", required_argument, NULL, OPT_CALC},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0}};

/* ---- Values ---- */

/* Returns the index of the word in a list that ends with NULL, or -1. */
static int find_word(const char *const *list, const char *word)
{
	for (int i = 0; list[i]; i++)
		if (!strcmp(list[i], word))
			return i;
	return -1;
}

static bool parse_torus(const char *text, struct draw_options *o)
{
	char x, more;

	return sscanf(text, "%4d%c%4d%c", &o->rows, &x, &o->columns, &more) ==
		   3 &&
	       x == 'x' && o->rows > 0 && o->columns > 0;
}

static bool parse_format(const char *text, struct draw_command *c)
{
	static const char *const names[] = {"text", "json", "svg",
					    "goal", "html", NULL};
	static void (*const formats[])(const struct drawing *, FILE *) = {
	    draw_text, draw_json, draw_svg, draw_goal, NULL};
	int k = find_word(names, text);

	if (k >= 0)
		c->draw = formats[k];
	return k >= 0;
}

static bool parse_label(const char *text, struct draw_options *o)
{
	static const char *const names[] = {"auto", "bytes", "blocks", "none",
					    NULL};
	int k = find_word(names, text);

	o->label = (enum draw_label)k;
	return k >= 0;
}

static bool parse_combine(const char *text, struct draw_words *w)
{
	static const char *const names[] = {"none", "add", "swap", NULL};

	w->combine = find_word(names, text); /* in the order of enum combine */
	return w->combine >= 0;
}

static bool parse_nanoseconds(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value >= 0 && *value <= 1e6;
}

static bool parse_shape(int option, struct shape *s, struct draw_words *w)
{
	switch (option) {
	case 'n':
		return env_parse_int(optarg, 1, DRAW_ONE_RANK, &s->size);
	case 'c':
		w->counted = true;
		return env_parse_bytes(optarg, &s->count) &&
		       s->count <= SIZE_MAX >> 24;
	case 't':
		return env_parse_bytes(optarg, &s->type_size) &&
		       s->type_size > 0 && s->type_size <= 1 << 20;
	case OPT_ROOT:
		return env_parse_int(optarg, 0, DRAW_ONE_RANK, &s->root);
	case OPT_IN_PLACE:
		return s->in_place = true;
	default:
		s->commutative = false;
		return true;
	}
}

static bool parse_option(int option, struct draw_command *c)
{
	struct draw_options *o = &c->options;
	struct draw_words *w = &c->words;

	switch (option) {
	case OPT_COMBINE:
		return parse_combine(optarg, w);
	case OPT_NODES:
		w->nodes = optarg;
		return true;
	case OPT_CYCLIC:
		return w->cyclic = true;
	case OPT_NO_BOARDS:
		return w->no_boards = true;
	case OPT_CACHES:
		return env_parse_int(optarg, 1, 1024, &w->caches);
	case OPT_TORUS:
		return parse_torus(optarg, o);
	case 'r':
		return env_parse_int(optarg, 0, DRAW_ONE_RANK, &o->rank);
	case 'f':
		return parse_format(optarg, c);
	case 'p':
		return env_parse_int(optarg, 0, 1 << 20, &o->ports);
	case 'l':
		return parse_label(optarg, o);
	case OPT_CALC:
		return parse_nanoseconds(optarg, &o->calc_per_byte);
	case 'o':
		c->file = optarg;
		return true;
	default:
		return parse_shape(option, &o->shape, w);
	}
}

/* ---- What goes together ---- */

static int draw_options_fail(const char *what, const char *value)
{
	fprintf(stderr, "mrt-plan: %s%s; see mrt-plan --help\n", what, value);
	return EXIT_USAGE;
}

static int find_collective(const char *name)
{
	for (int c = 0; c < COLLECTIVES; c++)
		if (!strcmp(coll_tables[c].name, name))
			return c;
	return -1;
}

/* Returns the count used without -c: one element for each block. */
static size_t default_count(enum collective c, int n)
{
	if (rules[c].lengths == LENGTHS_NONE)
		return 0;
	return rule_is_vector(&rules[c]) ? (size_t)n : 1;
}

bool draw_complete(struct draw_options *o, const struct draw_words *w)
{
	struct shape *s = &o->shape;

	if (!w->counted || rules[o->collective].lengths == LENGTHS_NONE)
		s->count = default_count(o->collective, s->size);
	if (w->combine >= 0)
		s->combine = (uint8_t)w->combine;
	else if (s->commutative && s->type_size <= 8)
		s->combine = COMBINE_ADD;
	if (!w->nodes && w->caches == 1)
		return true;
	s->topo = o->topo =
	    draw_topology(s->size, w->nodes, w->cyclic, w->caches);
	return s->topo;
}

static int complete_shape(struct draw_options *o, const struct draw_words *w)
{
	struct shape *s = &o->shape;

	if (s->root >= s->size)
		return draw_options_fail("the root must be one of the ranks",
					 "");
	if (s->in_place && rules[o->collective].in_place == IN_PLACE_NEVER)
		return draw_options_fail("there is no in place for ",
					 coll_tables[o->collective].name);
	if (o->rows && o->rows * o->columns != s->size)
		return draw_options_fail(
		    "the torus must have as many places as ranks", "");
	if (!draw_complete(o, w))
		return draw_options_fail("these nodes do not make the ranks: ",
					 w->nodes ? w->nodes : "");
	return -1;
}

/* A page shows every element, and is of all algorithms. */
static int page_check(const struct draw_options *o)
{
	if (o->rank >= 0 || o->shape.in_place)
		return draw_options_fail(
		    "--rank and --in-place are not for html", "");
	if (o->shape.size > PAGE_RANKS || o->shape.count > 32)
		return draw_options_fail(
		    "a page shows at most 32 ranks and 32 elements", "");
	return -1;
}

static int draw_options_complete(struct draw_command *c)
{
	struct draw_options *o = &c->options;
	int rc = complete_shape(o, &c->words);

	/* hierarchies can do without boards, which GOAL cannot express */
	if (!c->words.no_boards &&
	    (c->draw != draw_goal || o->choice.algorithm->board))
		o->shape.board = BOARD_BYTES;
	if (rc < 0 && c->show == SHOW_PAGE)
		rc = page_check(o);
	if (rc >= 0)
		return rc;
	if (o->rank >= o->shape.size)
		return draw_options_fail("--rank must be one of the ranks", "");
	if (o->rank >= 0 && (c->draw == draw_svg || c->draw == draw_goal))
		return draw_options_fail("--rank is for text and JSON", "");
	if (o->rank < 0 && o->shape.size > DRAW_RANKS)
		return draw_options_fail(
		    "more than 1024 ranks: choose one by --rank", "");
	if (c->draw == draw_svg && o->shape.size > DRAW_LINES)
		return draw_options_fail(
		    "a picture of more than 256 ranks shows nothing", "");
	if (o->choice.algorithm &&
	    !select_fits(o->choice.algorithm, &o->shape)) {
		fprintf(stderr,
			"mrt-plan: %s %s is not for these ranks, "
			"elements, nodes or this operation\n",
			coll_tables[o->collective].name,
			o->choice.algorithm->name);
		return EXIT_USAGE;
	}
	return -1;
}

/* Parses the arguments that are not options. */
static int parse_names(int n, char **words, struct draw_command *c)
{
	struct draw_options *o = &c->options;
	char why[768];
	int k;

	c->show = n == 0     ? SHOW_COLLECTIVES
		  : !c->draw ? SHOW_PAGE
		  : n == 1   ? SHOW_ALGORITHMS
			     : SHOW_PLAN;
	if (n > 2)
		return draw_options_fail("one argument too many: ", words[2]);
	if (!n)
		return -1;
	k = find_collective(words[0]);
	if (k < 0)
		return draw_options_fail("no such collective: ", words[0]);
	o->collective = (enum collective)k;
	if (n < 2)
		return -1;
	if (!select_parse(o->collective, words[1], &o->choice, why,
			  sizeof(why))) {
		fprintf(stderr, "mrt-plan: %s names %s\n", words[1], why);
		return EXIT_USAGE;
	}
	o->shape.arg =
	    o->choice.arg ? o->choice.arg : o->choice.algorithm->arg_default;
	return -1;
}

int draw_parse(int argc, char **argv, struct draw_command *c)
{
	int option, rc;

	*c = (struct draw_command){.options = {.shape = {.size = 8,
							 .type_size = 8,
							 .commutative = true},
					       .rank = -1,
					       .ports = 1,
					       .calc_per_byte = 0.1},
				   .words = {.caches = 1, .combine = -1},
				   .draw = draw_text};
	argv[0] = "mrt-plan"; /* in messages of getopt_long */
	while ((option = getopt_long(argc, argv, "n:c:t:r:f:p:l:o:hV", longs,
				     NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option == 'V') {
			printf("mrt-plan (libmrt) %s\n", PACKAGE_VERSION);
			return 0;
		}
		if (option == '?')
			return EXIT_USAGE;
		if (!parse_option(option, c))
			return draw_options_fail("bad value: ", optarg);
	}
	rc = parse_names(argc - optind, argv + optind, c);
	return rc < 0 && c->show >= SHOW_PLAN ? draw_options_complete(c) : rc;
}

void draw_command_fini(struct draw_command *c)
{
	topology_destroy(c->options.topo);
}
