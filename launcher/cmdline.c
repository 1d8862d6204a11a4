/* SPDX-License-Identifier: Apache-2.0 */
/* cmdline.c: a command line as an array of words on the heap. */

#include "launcher/cmdline.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/printable.h"

void cmdline_add(struct cmdline *a, const char *format, ...)
{
	char **v = realloc(a->v, (size_t)(a->n + 2) * sizeof(*v));
	va_list list;

	if (v)
		a->v = v;
	va_start(list, format);
	if (!v || vasprintf(&v[a->n], format, list) < 0)
		a->failed = true;
	else
		v[++a->n] = NULL;
	va_end(list);
}

void cmdline_add_all(struct cmdline *a, char *const *list)
{
	for (; *list; list++)
		cmdline_add(a, "%s", *list);
}

/* Copies the word at *text without its quotes, and moves *text behind it. False
 * if a quote does not end. */
static bool copy_word(const char **text, char *to)
{
	char quote = '\0';
	const char *c = *text;

	for (; *c && (quote || !strchr(" \t\r\n", *c)); c++) {
		if (*c == quote)
			quote = '\0';
		else if (!quote && (*c == '"' || *c == '\''))
			quote = *c;
		else if (*c == '\\' && quote != '\'' && c[1])
			*to++ = *++c;
		else
			*to++ = *c;
	}
	*to = '\0';
	*text = c;
	return !quote;
}

void cmdline_add_line(struct cmdline *a, const char *line)
{
	char *word = malloc(strlen(line) + 1);
	bool first = true;

	a->failed |= !word;
	while (word && *(line += strspn(line, " \t\r\n")) && *line != '#') {
		if (first && a->n)
			cmdline_add(a, ":");
		first = false;
		if (!copy_word(&line, word))
			a->failed = true;
		cmdline_add(a, "%s", word);
	}
	free(word);
}

static bool cmdline_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-+=:,./%@")];
}

static void print_quoted(const char *word, FILE *to)
{
	char *copy = strdup(word);

	if (!copy)
		return;
	make_printable(copy, strlen(copy));
	putc('\'', to);
	for (const char *c = copy; *c; c++)
		if (*c == '\'')
			fputs("'\\''", to);
		else
			putc(*c, to);
	putc('\'', to);
	free(copy);
}

void cmdline_print(const struct cmdline *a, FILE *to)
{
	for (int i = 0; i < a->n; i++) {
		const char *word = a->v[i];

		fputs(i ? " " : "", to);
		if (cmdline_plain(word))
			fputs(word, to);
		else
			print_quoted(word, to);
	}
	putc('\n', to);
}

void cmdline_fini(struct cmdline *a)
{
	for (int i = 0; i < a->n; i++)
		free(a->v[i]);
	free(a->v);
	memset(a, 0, sizeof(*a));
}
