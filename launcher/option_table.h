/* SPDX-License-Identifier: Apache-2.0 */
/* option_table.h: the options of mrun, each a row: its names, what follows
 * it, and what it does. */
#ifndef LAUNCHER_OPTION_TABLE_H
#define LAUNCHER_OPTION_TABLE_H

#include "launcher/options.h"

/* The words behind an option. PAIR is NAME VALUE, or NAME=VALUE in one word. */
enum option_values { FLAG, VALUE, TWO_VALUES, PAIR };

struct option_use;

struct option_row {
	const char *names; /* "a|b"; "-env" is meant by two dashes alone */
	enum option_values values;
	/* Returns 0, or an exit code after a message. */
	int (*apply)(const struct option_use *use);
	size_t field;	  /* of struct app or options, for some functions */
	const char *hint; /* what to use instead of one that is refused */
};

/* One use of an option on the command line. */
struct option_use {
	const struct option_row *row;
	char name[32]; /* as it was typed, without dashes */
	struct options *options;
	struct app *app;
	const char *value, *second; /* NULL: it has none */
};

/* Returns the row of an option, "-n=4" or "--n", or NULL. */
const struct option_row *option_find(const char *word);

/* Says that the value is not valid, and returns EXIT_USAGE. */
int option_bad_value(const struct option_use *use, const char *valid);

/* Returns the index of the word of this length in "a|b|c", or -1. */
int option_parse_word(const char *text, size_t len, const char *words);

/* Actions of --map-by, --rank-by and --bind-to (option_map.c). */
int option_map_by(const struct option_use *use);
int option_rank_by(const struct option_use *use);
int option_bind_to(const struct option_use *use);
int option_per_socket(const struct option_use *use);

/* Actions of -x, -env, -genv and their like (option_env.c). */
int option_env_entry(const struct option_use *use);
int option_env_pair(const struct option_use *use);
int option_env_list(const struct option_use *use);
int option_env_none(const struct option_use *use);
int option_env_all(const struct option_use *use);
int option_trace(const struct option_use *use);
int option_buffering(const struct option_use *use);
int option_errhandler(const struct option_use *use);
/* Gives each program what was set for all. */
int option_env_share(struct options *o);
#endif
