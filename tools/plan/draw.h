/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw.h: mrt-plan prints and draws the plans of a collective. This header says
 * what is to be drawn, and declares one function for each output format. The
 * program has one thread and runs no job.
 */
#ifndef TOOLS_PLAN_DRAW_H
#define TOOLS_PLAN_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/plan/select.h"
#include "tools/plan/timeline.h"
#include "coll/plan/topology.h"

/* The most ranks for which all plans are printed, that a picture shows, and of
 * which one rank's plan can be printed. */
enum { DRAW_RANKS = 1024, DRAW_LINES = 256, DRAW_ONE_RANK = 1 << 20 };

enum draw_label { LABEL_AUTO, LABEL_BYTES, LABEL_BLOCKS, LABEL_NONE };

/* The command line, parsed. */
struct draw_options {
	enum collective collective;
	struct choice choice;
	struct shape shape; /* of every rank, except in_place and neighbours */
	struct topology *topo;
	int rows, columns; /* of a torus of neighbours; rows 0: a ring */
	int rank;	   /* print this rank's plan alone; -1: all */
	int ports;	   /* ports per rank; see timeline.h */
	enum draw_label label;
	double calc_per_byte; /* GOAL: ns of computation per byte */
};

struct draw_totals {
	size_t messages, onesided; /* summed over all ranks */
	double bytes;		   /* in the messages */
	double rounds; /* rounds until the end, as timeline.h counts them */
	size_t tmps, tmp_bytes; /* the most on any rank */
};

struct drawing {
	const struct draw_options *options;
	struct plan *plans; /* [shape.size]; empty if not needed */
	int *line; /* [shape.size] line of a rank; a node's are adjacent */
	struct timeline
	    timeline; /* rounds of all ranks; not if `rank` is set */
	struct draw_totals totals;
};

/* Builds the plans. On MRT_ERR_NO_MEM or MRT_ERR_INTERNAL there is nothing to
 * fini. */
int drawing_make(struct drawing *d, const struct draw_options *options);
void drawing_fini(struct drawing *d);

/* Each writes the drawing in one format to `out`. */
void draw_text(const struct drawing *d, FILE *out);
void draw_json(const struct drawing *d, FILE *out);
void draw_svg(const struct drawing *d, FILE *out);
void draw_goal(const struct drawing *d, FILE *out);

/* ---- Shared by the formats (drawing.c) ---- */

/* Returns the name of a step's kind, such as "recv_reduce". A copy of no
 * elements is a "join". */
const char *draw_kind(const struct step *step);
/* The name of a buffer, such as "send" or "tmp0". */
struct buffer_name {
	char text[8];
};
struct buffer_name draw_buffer(uint8_t buf);
/* Returns the bytes that a step sends, receives, copies or reduces. */
double draw_bytes(const struct drawing *d, const struct step *step);
/* The argument of an algorithm as it follows the colon; may be empty. */
struct argument {
	char text[32];
};
struct argument draw_argument(const struct drawing *d);
/* Writes, for example, "allreduce ring, 8 ranks, 64 elements of 8 bytes",
 * without what does not matter for this collective. */
void draw_title(const struct drawing *d, FILE *out);
/* Returns the cost that the algorithm states for this shape. */
struct cost draw_cost(const struct drawing *d);
/* Returns what libmrt would choose for this call. */
struct choice draw_choice(const struct draw_options *o,
			  const struct machine *machine);
/* Sets the argument by which o->choice is fastest, unless it has one. */
void draw_argue(struct draw_options *o, const struct machine *machine);
/* Returns the ns that the model predicts. */
double draw_time(const struct drawing *d, const struct machine *machine);

/* ---- Labels of messages (draw_label.c) ---- */

struct draw_labels {
	enum draw_label what; /* never LABEL_AUTO */
	bool same;	      /* all messages have `bytes` bytes */
	double bytes;
};
struct label_text {
	char text[24];
};
/* Replaces LABEL_AUTO by what suits this drawing. */
struct draw_labels draw_labels_choose(const struct drawing *d);
/* Returns the label of step i (from 0) of a rank, which must have a peer. The
 * label may be empty. */
struct label_text draw_label(const struct drawing *d,
			     const struct draw_labels *labels, int rank,
			     uint32_t i);

/* ---- The command line (draw_options.c) ---- */

/* Options that a shape follows from only together with its ranks. */
struct draw_words {
	const char *nodes; /* NULL: not given */
	bool cyclic, counted, no_boards;
	int caches, combine; /* combine -1: not given */
};

struct draw_command {
	struct draw_options options;
	struct draw_words words;
	void (*draw)(const struct drawing *d, FILE *out);
	const char *file; /* NULL: stdout */
	enum { SHOW_COLLECTIVES, SHOW_ALGORITHMS, SHOW_PLAN, SHOW_PAGE } show;
};

/* Parses the command line into *c. Returns -1 to go on, or an exit code, after
 * printing help or a message. */
int draw_parse(int argc, char **argv, struct draw_command *c);
void draw_command_fini(struct draw_command *c);
/* Completes a shape of which ranks and element are known; o->topo is then the
 * caller's. Returns false where the nodes do not make the ranks. */
bool draw_complete(struct draw_options *o, const struct draw_words *w);

/* ---- The page (draw_html.c) ---- */

/* The most ranks that a page shows. */
enum { PAGE_RANKS = 32 };
/* Writes the page of a collective: the plans of all algorithms that fit, at
 * several numbers of ranks and lengths of elements, and what they cost. Returns
 * an mrt error. */
int draw_html(const struct draw_command *c, FILE *out);

/* Places n ranks on nodes by the values of --nodes (NULL: one node) and
 * --caches (groups per node). Returns NULL if the ranks do not fit. */
struct topology *draw_topology(int n, const char *nodes, bool cyclic,
			       int caches);
#endif
