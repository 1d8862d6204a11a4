/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw.h: mrt-plan, which prints and draws the plans of a collective: what is
 * to be drawn, and one function for each format. A program of one thread;
 * no job runs.
 */
#ifndef COLL_DRAW_H
#define COLL_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/select.h"
#include "coll/prove/timeline.h"
#include "coll/plan/topology.h"

/* All plans are wanted up to DRAW_RANKS, a picture up to DRAW_LINES. */
enum { DRAW_RANKS = 1024, DRAW_LINES = 256, DRAW_ONE_RANK = 1 << 20 };

enum draw_label { LABEL_AUTO, LABEL_BYTES, LABEL_BLOCKS, LABEL_NONE };

/* What the command line says. */
struct draw_options {
	enum collective collective;
	struct choice choice;
	struct shape shape; /* of every rank, but for in_place and neighbours */
	struct topology *topo;
	int rows, columns; /* of a torus of neighbours; 0: a ring */
	int rank;	   /* this one alone; -1: all */
	int ports;	   /* of a rank, see timeline.h */
	enum draw_label label;
	double calc_per_byte; /* nanoseconds */
};

struct draw_totals {
	size_t messages, onesided; /* of all ranks */
	double bytes;		   /* in the messages */
	double rounds;		/* one after the other, as timeline.h has it */
	size_t tmps, tmp_bytes; /* the most on a rank */
};

struct drawing {
	const struct draw_options *options;
	struct plan *plans; /* [shape.size], empty where not wanted */
	int *line; /* [shape.size] in a picture: those of a node together */
	struct timeline
	    timeline; /* of all ranks, in rounds; only without `rank` */
	struct draw_totals totals;
};

/* Builds the plans. MRT_ERR_NO_MEM or MRT_ERR_INTERNAL: nothing to fini. */
int drawing_make(struct drawing *d, const struct draw_options *options);
void drawing_fini(struct drawing *d);

/* Each writes the drawing to `out`. */
void draw_text(const struct drawing *d, FILE *out);
void draw_json(const struct drawing *d, FILE *out);
void draw_svg(const struct drawing *d, FILE *out);
void draw_goal(const struct drawing *d, FILE *out);

/* ---- What the formats share (drawing.c) ---------------------------------- */

/* "recv_reduce". A copy of nothing is "join". */
const char *draw_kind(const struct step *step);
/* "send", "tmp0": the name of a buffer. */
struct buffer_name {
	char text[8];
};
struct buffer_name draw_buffer(uint8_t buf);
/* Bytes that a step sends, receives, copies or reduces. */
double draw_bytes(const struct drawing *d, const struct step *step);
/* The argument of the algorithm as it follows the colon; perhaps empty. */
struct argument {
	char text[32];
};
struct argument draw_argument(const struct drawing *d);
/* "allreduce ring, 8 ranks, 64 elements of 8 bytes", where they matter. */
void draw_title(const struct drawing *d, FILE *out);
/* What the algorithm says of its cost for this shape. */
struct cost draw_cost(const struct drawing *d);

/* ---- Labels of messages (draw_label.c) ----------------------------------- */

struct draw_labels {
	enum draw_label what; /* not auto */
	bool same;	      /* all messages have the same bytes */
	double bytes;
};
struct label_text {
	char text[24];
};
/* Fills in what `auto` means for this drawing. */
struct draw_labels draw_labels_choose(const struct drawing *d);
/* Of step i (from 0) of a rank, which has a peer. Perhaps empty. */
struct label_text draw_label(const struct drawing *d,
			     const struct draw_labels *labels, int rank,
			     uint32_t i);

/* ---- The command line (draw_options.c) ------------------------------------
 */

struct draw_command {
	struct draw_options options;
	void (*draw)(const struct drawing *d, FILE *out);
	const char *file; /* NULL: stdout */
	enum { SHOW_COLLECTIVES, SHOW_ALGORITHMS, SHOW_PLAN } show;
};

/* Reads it into *c. -1 to go on, else the exit code: help and mistakes have
 * been written. */
int draw_parse(int argc, char **argv, struct draw_command *c);
void draw_command_fini(struct draw_command *c);

/* Where n ranks are, from the words of --nodes (NULL: one node) and --caches
 * (groups in a node). NULL: they do not fit. */
struct topology *draw_topology(int n, const char *nodes, bool cyclic,
			       int caches);
#endif
