/* SPDX-License-Identifier: Apache-2.0 */
/* info_out.c: indentation, commas and quotes of the output. */

#include "tools/info/info_out.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/base/json_text.h"

static bool as_json;
static int depth;
static bool first = true; /* the current object or list is still empty */

void info_set_json(bool json)
{
	as_json = json;
}

bool info_is_json(void)
{
	return as_json;
}

/* Begins a JSON line with comma, indentation and key. */
static void info_out_begin(const char *key)
{
	if (depth > 0)
		printf("%s\n%*s", first ? "" : ",", 2 * depth, "");
	first = false;
	if (!key || depth == 0)
		return;
	putchar('"');
	for (; *key; key++)
		putchar(*key == ' ' ? '_' : *key);
	fputs("\": ", stdout);
}

void info_open(const char *key, enum info_kind kind)
{
	if (as_json) {
		info_out_begin(key);
		putchar(kind == INFO_OBJECT ? '{' : '[');
		first = true;
	} else if (key && depth == 1) {
		printf("%s\n", key);
	}
	depth++;
}

void info_close(enum info_kind kind)
{
	depth--;
	if (as_json) {
		if (!first)
			printf("\n%*s", 2 * depth, "");
		putchar(kind == INFO_OBJECT ? '}' : ']');
		first = false;
		if (depth == 0)
			putchar('\n');
	} else if (depth == 1) {
		putchar('\n');
	}
}

void info_text(const char *key, const char *format, ...)
{
	char value[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	if (as_json) {
		info_out_begin(key);
		json_text(stdout, value);
	} else if (key) {
		printf("%*s%-22s %s\n", 2 * (depth - 1), "", key, value);
	} else {
		printf("%*s%s\n", 2 * (depth - 1), "", value);
	}
}

void info_number(const char *key, double value)
{
	if (as_json) {
		info_out_begin(key);
		printf("%.15g", value);
	} else {
		info_text(key, "%.15g", value);
	}
}

void info_bool(const char *key, bool value)
{
	if (as_json) {
		info_out_begin(key);
		fputs(value ? "true" : "false", stdout);
	} else {
		info_text(key, "%s", value ? "yes" : "no");
	}
}
