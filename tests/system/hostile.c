/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile.c puts strings of any length and content where a user, or whoever
 * sets a user's environment, can put them: MRT_* and PMIX_* variables, options
 * of mrun, its host files. All strings are drawn from a seed.
 *
 *   hostile SEED N PROGRAM MRUN   N programs are run, and N * 100 environments
 *                                 are read in this process
 *
 * A program may refuse with an exit code of sysexits.h; it must not crash, run
 * for more than 20 s, or write what a terminal takes for a command.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mrt.h>

#include "runtime/base/env.h"
#include "runtime/base/printable.h"
#include "tests/system/storm.h"

enum { LONGEST = 100000, HUNG_S = 20, OUTPUT = 1 << 16, WORDS = 4 };

static uint64_t state;
static const char *program, *mrun;
static char text[LONGEST + 1], file[64] = "/tmp/mrt-hostile.XXXXXX";
static char output[OUTPUT];
static int bad;

static unsigned below(unsigned n)
{
	return storm_below(&state, n);
}

/* ---- values ---- */

/* clang-format off */
static const char *const classics[] = {
    "", " ", "%s%n%s%n%s%n", "%99999d", "-1", "0", "1", "+1", "0x7fffffff",
    "2147483648", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "1e308", "nan", "inf",
    "1K", "8388608T", "99999999999G", "K", "auto", "AUTO", "auto|sm", "sm|",
    "yes", "../../../etc/passwd", "/dev/full", "/dev/null/x", "/", "~",
    "$(reboot)", ";", "a=b", "=", "\033[2J\033]0;x\007", "\x9b" "31m",
    "\xc2\x9b" "31m", "\xff\xfe", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\r",
    "a\nb", "\b\b\b", "\xe2\x80\xae" "x", "0,1,2", "0-", "-", "--", "a:b:c",
    "localhost:0", "localhost:99999999999", ",,,", ":", "localhost:1,",
};
/* clang-format on */
enum { CLASSICS = sizeof(classics) / sizeof(classics[0]) };

static const char *value(void)
{
	size_t n = 0, len = below(10) ? below(60) : below(LONGEST);

	switch (below(4)) {
	case 0:
		return classics[below(CLASSICS)];
	case 1:
		snprintf(text, sizeof(text), "%lld%c",
			 (long long)storm_random(&state) >> below(64),
			 "  KMGTkx"[below(8)]);
		return text;
	case 2: /* characters that are special to some program */
		while (n < len)
			text[n++] =
			    "%sdn\033[\\'\"$:,=-/ \t\n.0123456789"[below(29)];
		break;
	default:
		while (n < len)
			text[n++] = (char)(1 + below(255));
	}
	text[n] = '\0';
	return text;
}

/* ---- in this process ---- */

static void check_plain(void)
{
	size_t n = strlen(text);

	make_printable(text, n);
	for (size_t k = 0; k < n; k++)
		if ((unsigned char)text[k] < 0x20 || text[k] == 0x7f)
			bad++;
}

static void read_environment(void)
{
	struct env_row row;
	char err[64];
	int k = 0;

	while (env_row(k, &row))
		k++;
	env_row((int)below((unsigned)k), &row);
	setenv(row.name, value(), 1);
	*err = '\0';
	if (env_load(err, sizeof(err)) && !strstr(err, row.name) &&
	    strlen(err) < sizeof(err) - 1)
		bad++;
	unsetenv(row.name);
	check_plain();
}

/* ---- programs ---- */

static void child(char *const *argv, int to)
{
	struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	setpgid(0, 0);
	dup2(to, STDOUT_FILENO);
	dup2(to, STDERR_FILENO);
	close_range(3, ~0u, 0);
	alarm(HUNG_S);
	execv(argv[0], argv);
	_exit(99);
}

static bool code_is_good(int status)
{
	static const int good[] = {0, 64, 69, 71, 75, 76, 77, 78, 126, 127};

	for (size_t k = 0; WIFEXITED(status) && k < sizeof(good) / sizeof(int);
	     k++)
		if (WEXITSTATUS(status) == good[k])
			return true;
	return false;
}

static bool is_plain(const char *bytes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if ((unsigned char)bytes[k] < 0x20 && bytes[k] != '\n' &&
		    bytes[k] != '\t')
			return false;
	return true;
}

static void show(const char *what, const char *of)
{
	char head[160];
	size_t n;

	snprintf(head, sizeof(head), "%s: %s", what, of);
	n = strlen(head);
	make_printable(head, n);
	fprintf(stderr, "hostile: %s\n", head);
	n = strlen(output) < 400 ? strlen(output) : 400;
	make_printable(output, n);
	fprintf(stderr, "  it wrote: %.*s\n", (int)n, output);
	bad++;
}

/* Runs a program with its output in a file, and checks how it ends. */
static void run(char *const *argv, const char *what)
{
	int to = open(file, O_RDWR | O_TRUNC | O_CLOEXEC), status = 0;
	ssize_t n;
	pid_t pid = fork();

	if (pid == 0)
		child(argv, to);
	waitpid(pid, &status, 0);
	n = pread(to, output, sizeof(output) - 1, 0);
	output[n > 0 ? n : 0] = '\0';
	close(to);
	if (!code_is_good(status))
		show(WIFSIGNALED(status) ? "killed by a signal" : "bad code",
		     what);
	else if (!is_plain(output, n > 0 ? (size_t)n : 0))
		show("control characters on the terminal", what);
}

static void with_variable(void)
{
	static const char *const pmix[] = {"PMIX_NAMESPACE",	"PMIX_RANK",
					   "PMIX_SERVER_URI41", "TMPDIR",
					   "HWLOC_XMLFILE",	"PATH"};
	char *alone[] = {(char *)(uintptr_t)program, NULL};
	char *job[] = {(char *)(uintptr_t)mrun, (char *)"-n", (char *)"2",
		       (char *)(uintptr_t)program, NULL};
	struct env_row row;
	const char *name;
	int k = 0;

	while (env_row(k, &row))
		k++;
	env_row((int)below((unsigned)k), &row);
	name = below(5) ? row.name : pmix[below(6)];
	/* another launcher has its own exit codes */
	if (!strcmp(name, "MRT_ENGINE"))
		name = "MRT_LOG";
	setenv(name, value(), 1);
	run(below(2) ? job : alone, name);
	unsetenv(name);
	if (!strcmp(name, "PATH"))
		setenv("PATH", "/usr/bin:/bin", 1);
}

static void with_options(void)
{
	static const char *const options[] = {
	    "-n",	 "-x",	     "--wdir", "--bind-to",  "--map-by",
	    "--timeout", "--stdin",  "--host", "--hostfile", "--nodes",
	    "--ppn",	 "--engine", "-N",     "--output"};
	char *argv[2 * WORDS + 4] = {(char *)(uintptr_t)mrun}, *copy[WORDS];
	int n = 1, k;

	for (k = 0; k < WORDS && (!k || below(2)); k++) {
		copy[k] = strdup(value());
		argv[n++] = (char *)(uintptr_t)options[below(14)];
		argv[n++] = copy[k];
	}
	argv[n++] = (char *)"--show";
	argv[n++] = (char *)(uintptr_t)program;
	run(argv, argv[1]);
	while (k--)
		free(copy[k]);
}

static void with_hostfile(void)
{
	char *argv[] = {
	    (char *)(uintptr_t)mrun, (char *)"--hostfile",	 NULL,
	    (char *)"--show",	     (char *)(uintptr_t)program, NULL};
	char hosts[] = "/tmp/mrt-hostile.XXXXXX";
	int fd = mkstemp(hosts);

	for (unsigned lines = below(5) + 1; lines; lines--)
		dprintf(fd, "%s%s\n", below(2) ? "localhost slots=" : "",
			value());
	close(fd);
	argv[2] = hosts;
	run(argv, "host file");
	unlink(hosts);
}

int main(int argc, char **argv)
{
	long n;

	if (argc != 5)
		return 64;
	state = strtoull(argv[1], NULL, 0) + 1;
	n = atol(argv[2]);
	program = argv[3];
	mrun = argv[4];
	close(mkstemp(file));
	for (long k = 0; k < 100 * n; k++)
		read_environment();
	for (long k = 0; k < n; k++) {
		if (below(3) == 0)
			with_variable();
		else if (below(2))
			with_options();
		else
			with_hostfile();
	}
	unlink(file);
	printf("seed %s: %ld environments, %ld programs, %d bad\n", argv[1],
	       100 * n, n, bad);
	return bad ? 1 : 0;
}
