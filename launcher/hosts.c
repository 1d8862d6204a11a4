/* SPDX-License-Identifier: Apache-2.0 */
/* hosts.c: parses lists of nodes, from the command line and from files. */

#include "launcher/hosts.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/options.h"
#include "launcher/say.h"
#include "runtime/base/env.h"

enum { NAME_BYTES = 255 }; /* longest host name (RFC 1035) */

/* A node of hosts->by_name. */
struct known {
	const char *name;
	int at; /* in hosts->v */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct known *)a)->name,
		      ((const struct known *)b)->name);
}

static int hosts_append(struct hosts *hosts, const char *name, int slots)
{
	struct host *h = realloc(hosts->v, (size_t)(hosts->n + 1) * sizeof(*h));
	struct known *e = malloc(sizeof(*e));

	if (!h) {
		free(e);
		return EXIT_RESOURCE;
	}
	hosts->v = h;
	h += hosts->n;
	*h = (struct host){strdup(name), slots};
	if (e && h->name) {
		*e = (struct known){h->name, hosts->n};
		if (tsearch(e, &hosts->by_name, by_name)) {
			hosts->n++;
			return 0;
		}
	}
	free(h->name);
	free(e);
	return EXIT_RESOURCE;
}

/* Adds a host. A host that is named again gets more slots: "a,a" is "a:2". */
static int hosts_add(struct hosts *hosts, const char *name, int slots)
{
	const struct known key = {.name = name};
	struct known *const *found = tfind(&key, &hosts->by_name, by_name);
	struct host *h;

	if (!found)
		return hosts_append(hosts, name, slots);
	h = &hosts->v[(*found)->at];
	h->slots = (h->slots ? h->slots : 1) + (slots ? slots : 1);
	return 0;
}

/* Parses "name" or "name:slots", changing the text. A name that begins with '-'
 * is refused: the engine would take it for an option. */
static int add_entry(struct hosts *hosts, char *text, int slots)
{
	char *colon = strchr(text, ':');
	bool good = true;

	if (colon) {
		*colon = '\0';
		good = env_parse_int(colon + 1, 1, MAX_RANKS, &slots);
	}
	if (good && *text && *text != '-' && strlen(text) <= NAME_BYTES)
		return hosts_add(hosts, text, slots);
	return say_fail(EXIT_USAGE, "--host: %s%s%s is not HOST or HOST:SLOTS",
			text, colon ? ":" : "", colon ? colon + 1 : "");
}

int hosts_add_list(struct hosts *hosts, const char *text)
{
	char *copy = strdup(text), *rest = copy, *entry;
	int code = copy ? 0 : EXIT_RESOURCE;

	while (!code && (entry = strsep(&rest, ",")))
		code = add_entry(hosts, entry, 0);
	free(copy);
	return code;
}

/* Parses a line "host[:slots] [slots=N] [max_slots=N] [# comment]". */
static int add_line(struct hosts *hosts, char *line)
{
	static const char blank[] = " \t\r\n";
	char *name, *word, *rest;
	int slots = 0;

	line[strcspn(line, "#")] = '\0';
	name = strtok_r(line, blank, &rest);
	if (!name)
		return 0;
	while ((word = strtok_r(NULL, blank, &rest))) {
		if (!strncmp(word, "max_slots=", 10) ||
		    !strncmp(word, "max-slots=", 10))
			continue;
		if (strncmp(word, "slots=", 6) ||
		    !env_parse_int(word + 6, 1, MAX_RANKS, &slots))
			return say_fail(
			    EXIT_USAGE,
			    "--hostfile: %s behind %s is not slots=N", word,
			    name);
	}
	return add_entry(hosts, name, slots);
}

int hosts_add_file(struct hosts *hosts, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int code = 0, before = hosts->n;

	if (!file)
		return say_fail(EXIT_USAGE, "--hostfile %s: %s", path,
				strerror(errno));
	while (!code && getline(&line, &size, file) >= 0)
		code = add_line(hosts, line);
	free(line);
	fclose(file);
	if (!code && hosts->n == before)
		code =
		    say_fail(EXIT_USAGE, "--hostfile %s names no host", path);
	return code;
}

/* Returns whether the names are equal, or one is the other without
 * its domain. */
static bool same_host(const char *a, const char *b)
{
	size_t len = strcspn(a, ".");

	return !strcmp(a, b) || (!strncmp(a, b, len) &&
				 (a[len] ? !b[len] : !b[len] || b[len] == '.'));
}

bool hosts_name_here(const char *name)
{
	char own[256] = "";

	gethostname(own, sizeof(own) - 1);
	return !strcmp(name, "localhost") || !strcmp(name, "127.0.0.1") ||
	       same_host(name, own);
}

bool hosts_are_here(const struct hosts *hosts)
{
	for (int i = 0; i < hosts->n; i++)
		if (!hosts_name_here(hosts->v[i].name))
			return false;
	return true;
}

int hosts_slots(const struct hosts *hosts)
{
	int n = 0;

	for (int i = 0; i < hosts->n; i++)
		n += hosts->v[i].slots ? hosts->v[i].slots : 1;
	return n;
}

char *hosts_text(const struct hosts *hosts, bool with_slots)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int i = 0; i < hosts->n; i++) {
		fprintf(out, "%s%s", i ? "," : "", hosts->v[i].name);
		if (with_slots && hosts->v[i].slots)
			fprintf(out, ":%d", hosts->v[i].slots);
	}
	return fclose(out) ? NULL : text;
}
