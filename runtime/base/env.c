/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: parses and describes the MRT_* variables from the rows of env_defs.h.
 */
#include "runtime/base/env.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/fabrics.h"

enum kind { INT, SIZE, ENUM, STR };

struct env env = {
#define ENV_INT(f, n, d, lo, hi, h) .f = (d),
#define ENV_SIZE(f, n, d, lo, hi, h) .f = (d),
#define ENV_ENUM(f, n, d, c, h) .f = (d),
#define ENV_STR(f, n, d, h) .f = (d),
#include "runtime/base/env_defs.h"
};

static const struct def {
	enum kind kind;
	const char *name, *choices, *help, *text;
	size_t offset;
	long long fallback, min, max;
} defs[] = {
#define ENV_INT(f, n, d, lo, hi, h)                                            \
	{INT, n, NULL, h, NULL, offsetof(struct env, f), d, lo, hi},
#define ENV_SIZE(f, n, d, lo, hi, h)                                           \
	{SIZE, n, NULL, h, NULL, offsetof(struct env, f), d, lo, hi},
#define ENV_ENUM(f, n, d, c, h)                                                \
	{ENUM, n, c, h, NULL, offsetof(struct env, f), d, 0, 0},
#define ENV_STR(f, n, d, h)                                                    \
	{STR, n, NULL, h, d, offsetof(struct env, f), 0, 0, 0},
#include "runtime/base/env_defs.h"
};
enum { N_DEFS = sizeof(defs) / sizeof(defs[0]) };

/* Returns the k-th of "a|b|c" and its length in *len; NULL past the last. */
static const char *choice_env(const char *choices, int k, size_t *len)
{
	for (; k > 0 && choices; k--) {
		choices = strchr(choices, '|');
		choices = choices ? choices + 1 : NULL;
	}
	if (choices)
		*len = strcspn(choices, "|");
	return choices;
}

/* Parses a number and, with units, a suffix K, M or G. */
static bool parse_scaled(const char *text, bool units, long long *out)
{
	static const char names[] = {'K', 'M', 'G'};
	const char *u;
	char *end;
	long long v, unit = 1;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || errno)
		return false;
	if (units && *end) {
		u = memchr(names, *end & ~0x20, sizeof(names));
		if (!u)
			return false;
		unit = 1LL << (10 * (u - names + 1));
		end++;
	}
	return !*end && !__builtin_mul_overflow(v, unit, out);
}

bool env_parse_int(const char *text, long lo, long hi, int *out)
{
	long long v;

	if (!parse_scaled(text, false, &v) || v < lo || v > hi)
		return false;
	*out = (int)v;
	return true;
}

bool env_parse_bytes(const char *text, size_t *bytes)
{
	long long v;

	if (!parse_scaled(text, true, &v) || v < 0)
		return false;
	*bytes = (size_t)v;
	return true;
}

static bool parse_number(const struct def *d, const char *text, long long *out)
{
	return parse_scaled(text, d->kind == SIZE, out) && *out >= d->min &&
	       *out <= d->max;
}

/* Accepts a choice by name or by position, counted from 0: MRT_STATS=1,
 * MRT_SM_CMA=0. */
static bool parse_choice(const struct def *d, const char *text, long long *out)
{
	const char *c;
	size_t len;

	for (int k = 0; (c = choice_env(d->choices, k, &len)); k++) {
		char position[2] = {(char)('0' + k), '\0'};

		if ((strlen(text) == len && !strncmp(text, c, len)) ||
		    !strcmp(text, position)) {
			*out = k;
			return true;
		}
	}
	return false;
}

static void env_store(const struct def *d, long long value, const char *text)
{
	void *field = (char *)&env + d->offset;

	switch (d->kind) {
	case INT:
		*(long *)field = (long)value;
		break;
	case SIZE:
		*(size_t *)field = (size_t)value;
		break;
	case ENUM:
		*(int *)field = (int)value;
		break;
	case STR:
		*(const char **)field = text;
		break;
	}
}

static void describe_range(const struct def *d, char *out, size_t len)
{
	if (d->kind == ENUM)
		snprintf(out, len, "%s", d->choices);
	else if (d->kind == STR)
		snprintf(out, len, "text");
	else
		snprintf(out, len, "%lld..%lld", d->min, d->max);
}

int env_load(char *err, size_t len)
{
	for (int i = 0; i < N_DEFS; i++) {
		const struct def *d = &defs[i];
		const char *text = getenv(d->name);
		long long v = d->fallback;
		bool ok = true;
		char range[128];

		if (!text || !*text)
			text = d->text;
		else if (d->kind == ENUM)
			ok = parse_choice(d, text, &v);
		else if (d->kind != STR)
			ok = parse_number(d, text, &v);
		if (!ok) {
			describe_range(d, range, sizeof(range));
			snprintf(err, len, "%s=%.64s is not valid: use %s",
				 d->name, text, range);
			return MRT_ERR_ENV;
		}
		env_store(d, v, text);
	}
	return MRT_SUCCESS;
}

int env_choice(const char *name)
{
	const char *text = getenv(name);
	const struct def *d = defs;
	long long v;

	while (strcmp(d->name, name) != 0)
		d++;
	return text && parse_choice(d, text, &v) ? (int)v : (int)d->fallback;
}

static size_t env_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

enum { MAX_NAME = 63 };

/* Returns the edits that turn a into b, of at most MAX_NAME characters each:
 * one character inserted, deleted or replaced, or two adjacent ones swapped
 * (the optimal string alignment distance). */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[3][MAX_NAME + 1], n = strlen(a), m = strlen(b);

	for (size_t i = 0; i <= n; i++) {
		size_t *now = row[i % 3], *above = row[(i + 2) % 3];

		for (size_t j = 0; j <= m; j++) {
			if (!i || !j) {
				now[j] = i + j;
				continue;
			}
			now[j] =
			    env_least(env_least(above[j], now[j - 1]) + 1,
				      above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = env_least(now[j],
						   row[(i + 1) % 3][j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

/* Returns the row with the name closest to `name`, or NULL if more than a third
 * of the characters after MRT_ differ. */
static const struct def *env_closest(const char *name)
{
	size_t best = (strlen(name) - 4 + 2) / 3 + 1;
	const struct def *found = NULL;

	for (int i = 0; i < N_DEFS; i++) {
		size_t d = edit_distance(name, defs[i].name);

		if (d < best) {
			best = d;
			found = &defs[i];
		}
	}
	return found;
}

static bool has_row(const char *entry, size_t len)
{
	for (int i = 0; i < N_DEFS; i++)
		if (strlen(defs[i].name) == len &&
		    !strncmp(defs[i].name, entry, len))
			return true;
	return false;
}

bool env_is_name(const char *name, size_t n)
{
	char copy[MAX_NAME + 1];

	snprintf(copy, sizeof(copy), "%.*s", (int)env_least(n, MAX_NAME), name);
	return has_row(name, n) || getenv(copy);
}

bool env_unknown(int k, struct env_unknown *unknown)
{
	extern char **environ;
	const struct def *meant;
	char **e = environ;

	for (; e && *e; e++)
		if (!strncmp(*e, "MRT_", 4) && !has_row(*e, strcspn(*e, "=")) &&
		    k-- == 0)
			break;
	if (!e || !*e)
		return false;
	snprintf(unknown->name, sizeof(unknown->name), "%.*s",
		 (int)env_least(strcspn(*e, "="), MAX_NAME), *e);
	meant = env_closest(unknown->name);
	snprintf(unknown->text, sizeof(unknown->text),
		 meant ? "%s is no variable of libmrt; did you mean %s?"
		       : "%s is no variable of libmrt; %s lists them",
		 unknown->name, meant ? meant->name : "mrun --help-env");
	return true;
}

static void print_value(const struct def *d, long long v, char *out, size_t n)
{
	size_t len = 0;
	const char *c;

	if (d->kind != ENUM) {
		snprintf(out, n, "%lld", v);
		return;
	}
	c = choice_env(d->choices, (int)v, &len);
	snprintf(out, n, "%.*s", (int)len, c ? c : "?");
}

bool env_row(int k, struct env_row *row)
{
	const struct def *d;
	const char *text;
	const void *field;

	if (k < 0 || k >= N_DEFS)
		return false;
	d = &defs[k];
	field = (const char *)&env + d->offset;
	text = getenv(d->name);
	row->name = d->name;
	row->help = d->help;
	row->set = text && *text;
	describe_range(d, row->range, sizeof(row->range));
	if (d->kind == STR) {
		snprintf(row->value, sizeof(row->value), "%s",
			 *(const char *const *)field);
		snprintf(row->fallback, sizeof(row->fallback), "%s", d->text);
		return true;
	}
	print_value(d,
		    d->kind == INT    ? *(const long *)field
		    : d->kind == SIZE ? (long long)*(const size_t *)field
				      : *(const int *)field,
		    row->value, sizeof(row->value));
	print_value(d, d->fallback, row->fallback, sizeof(row->fallback));
	return true;
}
