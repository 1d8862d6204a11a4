/* SPDX-License-Identifier: Apache-2.0 */
/* option_env.c: the options that set the environment of ranks. */

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/option_table.h"
#include "launcher/say.h"

/* Returns the program that the option is for, or what all programs share. */
static struct app *env_target(const struct option_use *use)
{
	return *use->name == 'g' ? &use->options->all : use->app;
}

/* Returns the index of the variable that the entry sets, or nenv. */
static int env_find(const struct app *app, const char *entry)
{
	size_t len = strcspn(entry, "=") + 1;
	int i = 0;

	while (i < app->nenv && strncmp(app->env[i], entry, len))
		i++;
	return i;
}

/* Adds an entry "VAR=value" of the heap, or replaces that of the variable. */
static int env_add(struct app *app, char *entry)
{
	int at = entry ? env_find(app, entry) : 0;
	char **env = realloc(app->env, (size_t)(app->nenv + 1) * sizeof(*env));

	if (env)
		app->env = env;
	if (!env || !entry) {
		free(entry);
		return say_fail(EXIT_RESOURCE, "out of memory");
	}
	if (at < app->nenv)
		free(env[at]);
	env[at] = entry;
	app->nenv += at == app->nenv;
	return 0;
}

/* VAR=value, or VAR of mrun's own environment. */
int option_env_entry(const struct option_use *use)
{
	const char *text = use->value, *value;
	char *entry;

	if (*text == '=' || !*text)
		return option_bad_value(use, "VAR or VAR=value");
	if (strchr(text, '='))
		return env_add(env_target(use), strdup(text));
	/* Ranks inherit everything anyway; but who names a variable relies on
	 * it, so its absence is worth a warning. */
	value = getenv(text);
	if (!value) {
		say("-x %s: no such variable in the environment", text);
		return 0;
	}
	if (asprintf(&entry, "%s=%s", text, value) < 0)
		entry = NULL;
	return env_add(env_target(use), entry);
}

int option_env_pair(const struct option_use *use)
{
	char *entry;

	if (!use->second)
		return option_env_entry(use);
	if (!*use->value)
		return option_bad_value(use, "a name and a value");
	if (asprintf(&entry, "%s=%s", use->value, use->second) < 0)
		entry = NULL;
	return env_add(env_target(use), entry);
}

/* The ranks may run in another folder than mrun. */
int option_trace(const struct option_use *use)
{
	char here[PATH_MAX], *entry;

	if (!*use->value)
		return option_bad_value(use, "a folder");
	if (*use->value == '/')
		here[0] = '\0';
	else if (!getcwd(here, sizeof(here) - 1))
		return say_fail(EXIT_RESOURCE, "--trace: no working folder");
	else
		strcat(here, "/");
	if (asprintf(&entry, "MRT_TRACE=%s%s", here, use->value) < 0)
		entry = NULL;
	return env_add(&use->options->all, entry);
}

int option_env_list(const struct option_use *use)
{
	env_target(use)->inherit = use->value;
	return 0;
}

int option_env_none(const struct option_use *use)
{
	env_target(use)->inherit = "";
	return 0;
}

int option_env_all(const struct option_use *use)
{
	env_target(use)->inherit = "*";
	return 0;
}

/* The ranks take the name, in any case, from their environment. */
int option_errhandler(const struct option_use *use)
{
	static const char names[] =
	    "mpi_errors_are_fatal|mpi_errors_abort|mpi_errors_return";
	char *name = strdup(use->value), *entry = NULL;

	for (char *c = name; c && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (name && option_parse_word(name, strlen(name), names) < 0) {
		free(name);
		return option_bad_value(use, names);
	}
	if (name && asprintf(&entry, "MRT_INITIAL_ERRHANDLER=%s", name) < 0)
		entry = NULL;
	free(name);
	return env_add(use->app, entry);
}

/* The value is a word, or its position as with other mpiexecs. */
int option_buffering(const struct option_use *use)
{
	if (option_parse_word(use->value, strlen(use->value),
			      "none|line|full|0|1|2") < 0)
		return option_bad_value(use, "none, line or full");
	setenv("MRT_STREAM_BUFFERING", use->value, 1);
	return 0;
}

int option_env_share(struct options *o)
{
	int code = 0;

	for (int a = 0; a < o->napps; a++) {
		struct app *app = &o->apps[a];

		if (!app->inherit)
			app->inherit = o->all.inherit;
		for (int i = 0; !code && i < o->all.nenv; i++)
			if (env_find(app, o->all.env[i]) == app->nenv)
				code = env_add(app, strdup(o->all.env[i]));
	}
	return code;
}
