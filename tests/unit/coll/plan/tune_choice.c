/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_choice.c: tests that MRT_TUNE_FILE decides the choice after what is
 * forced and before the model, and that errors in a file are reported with line
 * and field.
 */
#include "coll/plan/tune_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "mrt.h"
#include "runtime/base/env.h"
#include "tests/tap.h"

static char path[] = "/tmp/mrt-tune.XXXXXX";

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

/* Returns what select_init prints on stderr while it reads the file; *rc
 * becomes its result. */
static const char *hear(const char *text, int *rc)
{
	static char said[2048];
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	size_t n;

	write_file(text);
	dup2(fileno(f), STDERR_FILENO);
	*rc = select_init();
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(said, 1, sizeof(said) - 1, f);
	said[n] = '\0';
	fclose(f);
	return said;
}

static const char *chosen(int ranks, size_t bytes, bool commutative)
{
	static char name[128];
	struct shape s = {.size = ranks,
			  .count = bytes,
			  .type_size = 1,
			  .commutative = commutative};
	struct choice c = select_algorithm(COLL_ALLREDUCE, &s, NULL, false);

	select_print(COLL_ALLREDUCE, &c, name, sizeof(name));
	return name;
}

static void is_chosen(const char *want, int ranks, size_t bytes)
{
	const char *got = chosen(ranks, bytes, true);

	ok(!strcmp(got, want), "%d ranks, %zu bytes: %s (%s)", ranks, bytes,
	   want, got);
}

static void is_free(int ranks, size_t bytes, bool want)
{
	uint64_t classes = select_free_sizes(COLL_ALLREDUCE, ranks);

	ok((classes >> size_class(bytes) & 1) == want,
	   "%d ranks, %zu bytes: %sfree", ranks, bytes, want ? "" : "not ");
}

static const char good[] = "libmrt-tune 1\n"
			   "# a comment\n"
			   "\n"
			   "allreduce 4 6 1000 2000 ring # to here\n"
			   " allreduce\t4 4 0 1K rabenseifner\n"
			   "allreduce 8 max 0 64 default\n"
			   "allreduce 8 max 65 max ring\n"
			   "allreduce 2 2 0 10 default\n"
			   "allreduce 2 2 0 max ring\n"
			   "bcast 2 2 0 max chain:16K\n"
			   "model net latency 1234.5\n"
			   "model busy copied 0\n";

static void test_good(void)
{
	const char *model;
	char kept[128];
	int rc;

	env.tune_file = "";
	is_int(select_init(), 0, "no file");
	is_int((long)tune_checksum(), 0, "no file has no checksum");
	snprintf(kept, sizeof(kept), "%s", chosen(8, 64, true));
	env.tune_file = path;
	hear(good, &rc);
	is_int(rc, 0, "a good file is read");
	ok(tune_checksum() != 0, "and has a checksum");
	is_chosen("rabenseifner", 4, 0);
	is_chosen("rabenseifner", 4, 999);
	is_chosen("ring", 4, 1000); /* the first row counts */
	is_chosen("ring", 6, 2000);
	is_chosen("ring", 8, 65);
	is_chosen("ring", 100000, (size_t)1 << 40);
	is_chosen(kept, 8, 64);
	is_chosen("ring", 2, 11);
	ok(strcmp(chosen(2, 5, true), "ring"), "default hides rows below it");
	model = chosen(5, 1500, false);
	ok(strcmp(model, "ring"), "a row that does not fit gives way (%s)",
	   model);
	ok(*model_parameter(MEDIUM_NET, "latency") == 1234.5 &&
	       *model_parameter(MEDIUM_BUSY, "copied") == 0,
	   "model parameters");
	is_free(8, 64, false); /* row 65..max begins in this class */
	is_free(8, 63, true);
	is_free(8, 1 << 20, false);
	is_free(4, 0, false);
	is_free(5, 0, true);
	is_free(5, 511, true);
	is_free(5, 1024, false);
	is_free(5, 4096, true);
	is_free(3, 1000, true);
	is_free(2, 5, true);
	is_free(2, 10, false);
}

static void test_argument(void)
{
	struct shape s = {.size = 2, .count = 100, .type_size = 4};
	struct choice c = select_algorithm(COLL_BCAST, &s, NULL, false);
	int rc;

	hear(good, &rc);
	ok(!strcmp(c.algorithm->name, "chain") && c.arg == 16384,
	   "an algorithm with an argument");
}

static void test_precedence(void)
{
	uint64_t checksum, variables = select_checksum();
	int rc;

	env.allreduce = "recursive_doubling";
	hear(good, &rc);
	is_chosen("recursive_doubling", 4, 1500);
	ok(select_checksum() != variables, "variables change their checksum");
	is_free(3, 1000, false);
	env.allreduce = "";
	hear(good, &rc);
	is_chosen("ring", 4, 1500);
	checksum = tune_checksum();
	ok(select_checksum() == variables, "and back");
	hear("libmrt-tune 1\nallreduce 4 6 1000 2001 ring\n", &rc);
	ok(tune_checksum() != checksum, "another text, another checksum");
	ok(*model_parameter(MEDIUM_NET, "latency") != 1234.5,
	   "parameters of the file before are gone");
}

static void test_bad(void)
{
	static const struct {
		const char *line, *where, *what;
	} bad[] = {
	    {"allreduce 4 4 0 100 rign\n", ":2: rign:", "ring"},
	    {"alreduce 4 4 0 100 ring\n", ":2: alreduce:", "no collective"},
	    {"allreduce 0 4 0 100 ring\n", ":2: 0:", "less than 1"},
	    {"allreduce 4 3 0 100 ring\n", ":2: 3:", "less than 4"},
	    {"allreduce 4 4 8 7 ring\n", ":2: 7:", "less than 8"},
	    {"allreduce 4 4 x 7 ring\n", ":2: x:", "not a number"},
	    {"allreduce 4 4 0 -7 ring\n", ":2: -7:", "not a number"},
	    {"\n\nallreduce 4 4 0 ring\n", ":4: allreduce:", "5 fields"},
	    {"allreduce 4 4 0 8 ring x\n", ":2: allreduce:", "7 fields"},
	    {"allreduce 4 4 0 8 ring:7\n", ":2: ring:7:", "no argument"},
	    {"bcast 4 4 0 8 chain:0\n", ":2: chain:0:", "1 or more"},
	    {"model rope latency 5\n", ":2: rope:", "sm, busy, net, soft"},
	    {"model sm latncy 5\n", ":2: latncy:", "latency"},
	    {"model sm latency -5\n", ":2: -5:", "nanoseconds"},
	    {"model sm latency nan\n", ":2: nan:", "nanoseconds"},
	    {"model sm latency\n", ":2: model:", "3 fields"},
	};
	char text[256];
	const char *said;
	int rc;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "libmrt-tune 1\n%s", bad[i].line);
		said = hear(text, &rc);
		is_int(rc, MRT_ERR_ENV, "an error: %.*s",
		       (int)strcspn(bad[i].line, "\n"), bad[i].line);
		has_str(said, bad[i].where, "with line and field");
		has_str(said, bad[i].what, "and what is wrong");
	}
	ok(!tune_checksum(), "of a bad file nothing is kept");
}

static void test_not_a_file(void)
{
	char text[1024] = "libmrt-tune 1\n";
	int rc;

	has_str(hear("libmrt-tune 10\n", &rc), "libmrt-tune 1\"",
		"another version is refused");
	is_int(rc, MRT_ERR_ENV, "as an error");
	has_str(hear("", &rc), "empty", "an empty file");
	memset(text + strlen(text), '#', 600);
	has_str(hear(text, &rc), ":2: longer", "a long line");
	env.tune_file = "/nonexistent/tune";
	has_str(hear(good, &rc), "/nonexistent/tune", "no such file");
	is_int(rc, MRT_ERR_ENV, "is an error");
	env.tune_file = "/";
	hear(good, &rc);
	is_int(rc, MRT_ERR_ENV, "a folder is an error");
}

int main(void)
{
	char err[256];
	int fd = mkstemp(path);

	close(fd);
	env_load(err, sizeof(err));
	test_good();
	test_argument();
	test_precedence();
	test_bad();
	test_not_a_file();
	unlink(path);
	return tap_done();
}
