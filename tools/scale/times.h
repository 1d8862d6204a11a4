/* SPDX-License-Identifier: Apache-2.0 */
/*
 * times.h: tables of measured times, of any library on any machine, and what a
 * fabric predicts for them. A table is one of
 *
 *	CSV	rows of system, nodes, ranks_per_node, collective, algorithm,
 *		bytes, us, after a line with these names; # begins a comment.
 *		bytes are those of a rank's largest buffer: the vector of a
 *		reduction, the gathered result, all blocks of an alltoall.
 *		Elements have 4 bytes.
 *	OSU	what osu_latency, osu_bw, osu_mbw_mr and osu_<collective> print;
 *		nodes, ranks per node and algorithm are not in it.
 */
#ifndef TOOLS_SCALE_TIMES_H
#define TOOLS_SCALE_TIMES_H

#include <stdbool.h>

#include "tools/scale/study.h"
#include "tools/sim/sim.h"

enum times_kind {
	TIMES_COLLECTIVE,
	TIMES_MESSAGE, /* one way, between two nodes */
	TIMES_GAP      /* of a train of messages between pairs of two nodes */
};

struct times_row {
	char system[STUDY_NAME], algorithm[STUDY_NAME]; /* as in the table */
	enum times_kind kind;
	enum collective collective;
	struct choice choice; /* algorithm NULL: libmrt's choice */
	int nodes, ppn;	      /* of TIMES_GAP, ppn is the number of pairs */
	bool in_turn, no_exchange; /* struct sim_job */
	int cpus;
	size_t bytes;	/* of a message, or as in CSV */
	size_t element; /* bytes of an element */
	double us, predicted;
	double low, high; /* the band of the prediction; 0: not known */
	double work;	  /* messages that the prediction simulated */
};

#define TIMES_OSU "osu" /* the system of a table of OSU */

struct times {
	struct times_row *rows;
	int n, room;
	int unknown; /* rows left out: algorithms that libmrt does not have, */
	int empty;   /* and blocks without an element */
};

/* The run that a table belongs to, where the table itself does not tell, and
 * the rows of a CSV to take. */
struct times_run {
	int nodes, ppn;	       /* of OSU's collectives */
	int cpus;	       /* of a node, as in struct sim_job */
	const char *algorithm; /* or NULL */
	const char *system;    /* or NULL: all */
	struct sim_topology topology;
};

/* Options of the run, for app_parse_options; times_option applies one, or
 * returns -1 if its value is not valid. */
#define TIMES_IDS "Pcs"
#define TIMES_USAGE                                                            \
	"  -T, --topology TEXT   as in simulate\n"                             \
	"  -N, --nodes N         nodes, ranks per node and algorithm of the "  \
	"tables\n"                                                             \
	"      --ppn N           of OSU's collectives\n"                       \
	"  -a, --algorithm NAME\n"                                             \
	"      --cpus N          as in simulate\n"                             \
	"      --system NAME     take the rows of this system only\n"
int times_option(int option, struct times_run *run);
/* Parses a topology on the command line: 0, or -1 after a message. */
int times_topology(struct sim_topology *topology);

/*
 * Adds the rows of a file. Returns 0, or APP_NOINPUT or APP_DATAERR after a
 * message that names file, line and field. Rows whose algorithm libmrt does not
 * have are left out, those of another library's default, too.
 */
int times_read(struct times *t, const char *path, const struct times_run *run);
void times_fini(struct times *t);

static inline int times_ranks(const struct times_row *r)
{
	return r->nodes * r->ppn;
}

/* Returns whether the file is a table, not the folder of a study. */
bool times_is_table(const char *path);

/*
 * times_algorithm sets a row's choice to what its algorithm is called here, and
 * how others run it: libmrt's own name, or another library's, perhaps with a
 * suffix (ring_ompi), shorter (neighbor) or a synonym (pipeline). Returns false
 * if libmrt has no such algorithm.
 */
bool times_algorithm(struct times_row *row);

/* Finds a collective: 0 or -1. reduce_scatter means one of equal blocks. */
int times_collective(const char *name, enum collective *collective);

/* Sets the prediction of a row, NAN if there is none. */
void times_predict(struct times_row *row, const struct sim_fabric *fabric,
		   const struct sim_topology *topology);

/* Returns the name of a collective, "message" or "gap". */
const char *times_name(const struct times_row *row);

/* Prints how far the predictions of all rows are right: errors by collective
 * and size, and which algorithm they call the fastest. bands: if predictions
 * have bands, also how many times are inside. */
void times_report(const struct times *t, bool bands);

/* ---- Between the files ---- */

/* times_read.c: appends a row. */
struct times_row *times_add(struct times *t);
/* Reports a line of a file. Returns APP_DATAERR. */
int times_wrong(const char *path, int line, const char *what);
/* times_osu.c: reads the rest of a table whose first line is `title`. */
int times_read_osu(struct times *t, FILE *f, const char *path,
		   const char *title, const struct times_run *run);
/* Returns whether a row has at least one element in each block. */
bool times_has_elements(const struct times_row *row);

#endif
