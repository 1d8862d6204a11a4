/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_names.c gets names of functions from nm(1), once per program. Static
 * functions of one name in several files would need "file.c/name"; the first
 * one is taken, so the table of faults names only functions whose name is
 * unique.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/inject.h"

struct symbol {
	unsigned long offset;
	char name[64];
};

static struct symbol *symbols;
static int count;
static char loaded[512];

static int by_offset(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void load(const char *program)
{
	char command[600], line[512], type;
	unsigned long base = 0;
	FILE *nm;

	if (!strcmp(loaded, program))
		return;
	snprintf(loaded, sizeof(loaded), "%s", program);
	snprintf(command, sizeof(command), "nm '%s' 2>/dev/null", program);
	free(symbols);
	symbols = NULL;
	count = 0;
	nm = popen(command, "r");
	while (nm && fgets(line, sizeof(line), nm)) {
		struct symbol s;

		if (sscanf(line, "%lx %c %63s", &s.offset, &type, s.name) != 3)
			continue;
		if (!strcmp(s.name, "__executable_start"))
			base = s.offset;
		if (type != 't' && type != 'T')
			continue;
		if (count % 256 == 0)
			symbols = realloc(symbols, ((size_t)count + 256) *
						       sizeof(*symbols));
		if (!symbols)
			exit(99);
		symbols[count++] = s;
	}
	if (nm)
		pclose(nm);
	for (int k = 0; k < count; k++)
		symbols[k].offset -= base;
	if (symbols)
		qsort(symbols, (size_t)count, sizeof(*symbols), by_offset);
}

unsigned long name_offset(const char *program, const char *function)
{
	load(program);
	for (int k = 0; k < count; k++)
		if (!strcmp(symbols[k].name, function))
			return symbols[k].offset;
	return 0;
}

const char *name_of(const char *program, unsigned long offset)
{
	const struct symbol key = {.offset = offset}, *found;

	load(program);
	found = symbols ? bsearch(&key, symbols, (size_t)count, sizeof(key),
				  by_offset)
			: NULL;
	return found ? found->name : "?";
}
