/* SPDX-License-Identifier: Apache-2.0 */
/* switches.c: looks for this node in Slurm's variables and in files. */
#include "runtime/topo/switches.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/topo/hostlist.h"

enum { NAME = 128, DEPTH = 8 };

/* `struct search` is a file that is read more than once. */
struct search {
	FILE *file;
	char *line;
	size_t room;
	const char *host; /* the node's name, without a domain */
	char *text;	  /* [SWITCHES_TEXT] what is found */
};

static bool next_line(struct search *s)
{
	return getline(&s->line, &s->room, s->file) >= 0;
}

/* Puts the name of a switch before those that are found inside it. */
static void put_before(struct search *s, const char *name)
{
	char inner[SWITCHES_TEXT];

	strcpy(inner, s->text);
	snprintf(s->text, SWITCHES_TEXT, "%.*s%s%s", NAME, name,
		 *inner ? "." : "", inner);
}

/* ---- topology.conf ------------------------------------------------------- */

/* Returns the value of a key in a line, "Nodes=", or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	for (; *line; line += strcspn(line, " \t\r\n")) {
		line += strspn(line, " \t\r\n");
		if (*line == '#')
			return NULL;
		if (!strncasecmp(line, key, len))
			return line + len;
	}
	return NULL;
}

/* Finds the switch that lists a name under this key. */
static bool find_switch(struct search *s, const char *key, const char *name,
			char found[NAME])
{
	rewind(s->file);
	while (next_line(s)) {
		const char *list = value_of(s->line, key);
		const char *own = value_of(s->line, "SwitchName=");

		if (!list || !own || !hostlist_has(list, name))
			continue;
		snprintf(found, NAME, "%.*s", (int)strcspn(own, " \t\r\n"),
			 own);
		return true;
	}
	return false;
}

static void search_slurm(struct search *s)
{
	const char *key = "Nodes=";
	char name[NAME];

	snprintf(name, sizeof(name), "%s", s->host);
	for (int k = 0; k < DEPTH && find_switch(s, key, name, name); k++) {
		put_before(s, name);
		key = "Switches=";
	}
}

/* ---- ibnetdiscover ------------------------------------------------------- */

/* Copies the text between the first quotes from `at` on. */
static bool find_quoted(const char *at, char name[NAME])
{
	const char *open = strchr(at, '"');
	const char *close = open ? strchr(open + 1, '"') : NULL;

	if (!close || close - open > NAME)
		return false;
	snprintf(name, NAME, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

/* Tells whether a line is of a port that leads to this host, whose name begins
 * the comment: "node01 HCA-1". */
static bool leads_to_host(const struct search *s)
{
	const char *comment = strchr(s->line, '#');
	char name[NAME];

	if (!comment || !find_quoted(comment, name))
		return false;
	name[strcspn(name, " .")] = '\0';
	return !strcmp(name, s->host);
}

enum port { PORT_NONE, PORT_HOST, PORT_SWITCH };

/* Looks at the line, and keeps the name of the switch whose ports follow in
 * `at`; "": of none. Returns what the port leads to, if it is one of a switch,
 * and its name. */
static enum port read_port(const struct search *s, char at[NAME], char to[NAME])
{
	bool head = isalpha((unsigned char)*s->line);

	if (head &&
	    (strncmp(s->line, "Switch", 6) || !find_quoted(s->line, at)))
		*at = '\0';
	if (head || *s->line != '[' || !*at || !find_quoted(s->line, to))
		return PORT_NONE;
	return *to == 'S' ? PORT_SWITCH : PORT_HOST;
}

/* Finds the switch with a port to this host. */
static bool find_leaf(struct search *s, char leaf[NAME])
{
	char to[NAME];

	*leaf = '\0';
	rewind(s->file);
	while (next_line(s))
		if (read_port(s, leaf, to) == PORT_HOST && leads_to_host(s))
			return true;
	return false;
}

/* Tells whether hosts are connected to a switch, or it is not listed. */
static bool has_hosts(struct search *s, const char *name)
{
	char at[NAME] = "", to[NAME];
	bool listed = false;

	rewind(s->file);
	while (next_line(s)) {
		enum port port = read_port(s, at, to);

		if (strcmp(at, name) != 0)
			continue;
		listed = true;
		if (port == PORT_HOST)
			return true;
	}
	return !listed;
}

/* Finds the first, by name, of a switch's neighbours that come after `after`.
 */
static bool find_neighbour(struct search *s, const char *leaf,
			   const char *after, char found[NAME])
{
	char at[NAME] = "", to[NAME];

	*found = '\0';
	rewind(s->file);
	while (next_line(s))
		if (read_port(s, at, to) == PORT_SWITCH && !strcmp(at, leaf) &&
		    strcmp(to, after) > 0 && (!*found || strcmp(to, found) < 0))
			strcpy(found, to);
	return *found;
}

/* Leaves of one group have the same switches above them, of which the first
 * names it. Those above these are not looked for: all groups reach them. */
static void search_ibnetdiscover(struct search *s)
{
	char leaf[NAME], above[NAME] = "", last[NAME];

	if (!find_leaf(s, leaf))
		return;
	put_before(s, leaf);
	do
		strcpy(last, above);
	while (find_neighbour(s, leaf, last, above) && has_hosts(s, above));
	if (*above)
		put_before(s, above);
}

/* ---- lines of nodes and switches ----------------------------------------- */

static void search_lines(struct search *s)
{
	rewind(s->file);
	while (next_line(s)) {
		const char *list = s->line + strspn(s->line, " \t");
		const char *names = list + strcspn(list, " \t\r\n#");

		names += strspn(names, " \t");
		if (*list != '#' && hostlist_has(list, s->host)) {
			snprintf(s->text, SWITCHES_TEXT, "%.*s",
				 (int)strcspn(names, " \t\r\n#"), names);
			return;
		}
	}
}

/* ---- the interface ------------------------------------------------------- */

/* Each search finds nothing in the file of another kind. */
static void search_all(struct search *s)
{
	search_slurm(s);
	if (!*s->text)
		search_ibnetdiscover(s);
	if (!*s->text)
		search_lines(s);
}

static int search_file(const char *host, char text[SWITCHES_TEXT])
{
	const char *node = getenv("SLURMD_NODENAME");
	struct search s = {
	    .file = fopen(env.topology, "r"), .host = host, .text = text};
	int error;

	if (!s.file)
		return log_error(MRT_ERR_ENV, "MRT_TOPOLOGY=%s: %s",
				 env.topology, strerror(errno));
	errno = 0;
	search_all(&s);
	if (!*text && node) { /* Slurm may have another name for it */
		s.host = node;
		search_all(&s);
	}
	error = ferror(s.file) ? errno : 0;
	fclose(s.file);
	free(s.line);
	if (error)
		return log_error(MRT_ERR_ENV, "MRT_TOPOLOGY=%s: %s",
				 env.topology, strerror(error));
	if (!*text)
		log_warn("MRT_TOPOLOGY=%s has no node %s: trees and rings do "
			 "not know its switches",
			 env.topology, host);
	return 0;
}

/* Copies what Slurm tells, "core.leaf1.node01", without the node. */
static void from_slurm(char text[SWITCHES_TEXT])
{
	const char *address = getenv("SLURM_TOPOLOGY_ADDR");
	char *dot;

	snprintf(text, SWITCHES_TEXT, "%s", address ? address : "");
	dot = strrchr(text, '.');
	*(dot ? dot : text) = '\0';
}

int switches_find(const char *host, char text[SWITCHES_TEXT])
{
	char name[NAME];

	*text = '\0';
	if (!*env.topology)
		from_slurm(text);
	if (!*env.topology || !strcmp(env.topology, "none"))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(host, "."), host);
	return search_file(name, text);
}

/* The innermost names take the lower half of the number, those around them have
 * equal parts of the upper one. */
uint64_t switches_number(const char *text)
{
	uint64_t number = 0;
	unsigned outer = 0, bits;

	if (!*text)
		return 0;
	for (const char *at = text; *at; at++)
		outer += *at == '.';
	outer = outer > DEPTH ? DEPTH : outer;
	bits = outer ? 32 / outer : 0;
	for (size_t k = 0, len = 0; k < outer; k++, len++) {
		len += strcspn(text + len, ".");
		number = number << bits | (hash_bytes(HASH_BEGIN, text, len) &
					   ((1ull << bits) - 1));
	}
	return number << 32 | (uint32_t)hash_text(text) | 1;
}

int switches_learn(const char *host, uint64_t *number)
{
	char text[SWITCHES_TEXT];
	int rc = switches_find(host, text);

	if (rc)
		return rc;
	*number = switches_number(text);
	if (*text)
		log_info("the switches of node %s: %s", host, text);
	return 0;
}
