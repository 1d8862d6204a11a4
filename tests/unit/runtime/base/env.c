/* SPDX-License-Identifier: Apache-2.0 */
/*
 * env.c: tests runtime/base/env.c. Walks the rows of the table, so that a new
 * variable is tested unasked.
 */
#include "runtime/base/env.h"

#include <limits.h>

#include "mrt.h"
#include "tests/tap.h"

static char message[512];

/* Calls env_load with only name=value of our own set. */
static int load_with(const char *name, const char *value)
{
	int rc;

	setenv(name, value, 1);
	message[0] = '\0';
	rc = env_load(message, sizeof(message));
	unsetenv(name);
	return rc;
}

static void clear_environment(void)
{
	struct env_row row;

	for (int k = 0; env_row(k, &row); k++)
		unsetenv(row.name);
}

static void test_defaults(void)
{
	struct env_row row;
	int k;

	is_int(env_load(message, sizeof(message)), 0, "defaults are valid");
	for (k = 0; env_row(k, &row); k++) {
		is_str(row.value, row.fallback, "%s has its default", row.name);
		ok(!row.set, "%s is not set", row.name);
		ok(strlen(row.help) > 10 && strlen(row.help) < 80,
		   "%s has one line of help", row.name);
	}
	ok(k > 5, "there are rows");
	ok(!env_row(-1, &row), "no row before the first");
}

static void test_bad_value(const struct env_row *row, const char *value)
{
	is_int(load_with(row->name, value), MRT_ERR_ENV, "%s=%s is refused",
	       row->name, value);
	has_str(message, row->name, "the message names %s", row->name);
	has_str(message, row->range, "the message gives its range");
}

static void test_number_row(const struct env_row *row)
{
	long long min, max;
	char text[64];

	sscanf(row->range, "%lld..%lld", &min, &max);
	snprintf(text, sizeof(text), "%lld", min - 1);
	test_bad_value(row, text);
	snprintf(text, sizeof(text), "%lld", max + 1);
	test_bad_value(row, text);
	test_bad_value(row, "12x");
	test_bad_value(row, "x");
	test_bad_value(row, "99999999999999999999");
	test_bad_value(row, "0x10");
	snprintf(text, sizeof(text), "%lld", max);
	is_int(load_with(row->name, text), 0, "%s=%s (largest) is taken",
	       row->name, text);
	snprintf(text, sizeof(text), "%lld", min);
	is_int(load_with(row->name, text), 0, "%s=%s (smallest) is taken",
	       row->name, text);
}

static void test_choice_row(const struct env_row *row)
{
	char choices[128], longer[160], position[16];
	int n = 0;

	test_bad_value(row, "nonsense");
	snprintf(choices, sizeof(choices), "%s", row->range);
	for (char *c = strtok(choices, "|"); c; c = strtok(NULL, "|")) {
		snprintf(position, sizeof(position), "%d", n++);
		is_int(load_with(row->name, position), 0, "%s=%s is taken",
		       row->name, position);
		is_int(load_with(row->name, c), 0, "%s=%s is taken", row->name,
		       c);
		snprintf(longer, sizeof(longer), "%sx", c);
		test_bad_value(row, longer);
	}
	snprintf(position, sizeof(position), "%d", n);
	test_bad_value(row, position);
	test_bad_value(row, "-1");
	test_bad_value(row, "01");
}

static void test_rows(void)
{
	struct env_row row;

	for (int k = 0; env_row(k, &row); k++) {
		if (strstr(row.range, ".."))
			test_number_row(&row);
		else if (strchr(row.range, '|'))
			test_choice_row(&row);
		else
			is_int(load_with(row.name, "any text"), 0,
			       "%s takes any text", row.name);
		is_int(load_with(row.name, ""), 0, "empty %s is the default",
		       row.name);
	}
}

static void test_units(void)
{
	setenv("MRT_SM_CHUNK", "64k", 1);
	is_int(env_load(message, sizeof(message)), 0, "64k is taken");
	is_int((long long)env.sm_chunk, 65536, "k is 1024");
	setenv("MRT_SM_CHUNK", "1M", 1);
	is_int(env_load(message, sizeof(message)), 0, "1M is taken");
	is_int((long long)env.sm_chunk, 1048576, "M is 1024 k");
	unsetenv("MRT_SM_CHUNK");
	is_int(load_with("MRT_SM_CHUNK", "1T"), MRT_ERR_ENV, "1T is no unit");
	is_int(load_with("MRT_SM_CHUNK", "1Kb"), MRT_ERR_ENV, "1Kb neither");
	is_int(load_with("MRT_SM_CHUNK", "9999999999G"), MRT_ERR_ENV,
	       "a unit cannot overflow");
	is_int(load_with("MRT_SM_CHUNK", "-9999999999G"), MRT_ERR_ENV,
	       "nor below zero");
}

/* Returns what env_unknown says of the only unknown variable, `name`. */
static const char *said_of(const char *name)
{
	static struct env_unknown unknown, next;

	setenv(name, "1", 1);
	ok(env_unknown(0, &unknown), "%.30s is unknown", name);
	ok(!env_unknown(1, &next), "nothing else is");
	unsetenv(name);
	ok(!strncmp(unknown.name, name, sizeof(unknown.name) - 1),
	   "it is named");
	return unknown.text;
}

static void test_nearest(void)
{
	static const struct {
		const char *name, *meant;
	} cases[] = {
	    {"MRT_ALLREDUC", "MRT_ALLREDUCE?"}, /* deleted */
	    {"MRT_ALREDUCE", "MRT_ALLREDUCE?"}, /* deleted */
	    {"MRT_LOGG", "MRT_LOG?"},		/* inserted */
	    {"MRT_FABRIX", "MRT_FABRIC?"},	/* replaced */
	    {"MRT_LGO", "MRT_LOG?"},		/* swapped */
	    {"MRT_REGCACHEENTRIES", "MRT_REG_CACHE_ENTRIES?"},
	    {"MRT_", "--help-env"},
	    {"MRT_X", "--help-env"},
	    {"MRT_NOTHING_LIKE_IT", "--help-env"},
	};
	char long_name[200] = "MRT_";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		has_str(said_of(cases[i].name), cases[i].meant, "%s: %s",
			cases[i].name, cases[i].meant);
	memset(long_name + 4, 'A', sizeof(long_name) - 5);
	has_str(said_of(long_name), "--help-env", "a long name");
}

static void test_unknown(void)
{
	struct env_unknown found[2], none;
	struct env_row row;

	for (int k = 0; env_row(k, &row); k++)
		setenv(row.name, "", 1);
	ok(!env_unknown(0, &none), "no row is unknown");
	setenv("MRT_ALREDUCE", "ring", 1);
	setenv("MRT_LOGG", "1", 1);
	ok(env_unknown(0, &found[0]) && env_unknown(1, &found[1]) &&
	       !env_unknown(2, &none),
	   "two misspellings are found");
	ok(!strcmp(found[0].name, "MRT_ALREDUCE") ||
	       !strcmp(found[1].name, "MRT_ALREDUCE"),
	   "one of them by name");
	unsetenv("MRT_ALREDUCE");
	unsetenv("MRT_LOGG");
	clear_environment();
}

int main(void)
{
	clear_environment();
	test_defaults();
	test_rows();
	test_units();
	test_unknown();
	test_nearest();
	return tap_done();
}
