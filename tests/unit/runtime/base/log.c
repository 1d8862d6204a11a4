/* SPDX-License-Identifier: Apache-2.0 */
/* log.c: tests runtime/base/log.c: one line, its form, levels, length. */
#include "runtime/base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/names.h"
#include "tests/tap.h"

static char text[4096];

/* Redirects stderr to a pipe until caught(). */
static int pipe_fds[2], saved_stderr;

static void catch (void)
{
	if (pipe(pipe_fds))
		tap_skip_all("no pipe");
	saved_stderr = dup(STDERR_FILENO);
	dup2(pipe_fds[1], STDERR_FILENO);
	close(pipe_fds[1]);
}

static const char *caught(void)
{
	ssize_t n;
	size_t len = 0;

	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	while ((n = read(pipe_fds[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	close(pipe_fds[0]);
	text[len] = '\0';
	return text;
}

static void test_prefix(void)
{
	char want[256];

	catch ();
	log_line(LOG_ERROR, MRT_ERR_TRUNCATE, "%d bytes from rank %d", 9, 3);
	snprintf(want, sizeof(want),
		 "libmrt[%d] MRT_ERR_TRUNCATE: 9 bytes from rank 3\n",
		 (int)getpid());
	is_str(caught(), want, "before the rank is known");

	log_identify(2, 8, "node7");
	catch ();
	log_line(LOG_ERROR, MRT_ERR_PEER, "rank 5 is gone");
	snprintf(want, sizeof(want),
		 "libmrt[2/8 node7 %d] MRT_ERR_PEER: rank 5 is gone\n",
		 (int)getpid());
	is_str(caught(), want, "rank, size, host, pid, code, text");

	catch ();
	log_warn("odd");
	has_str(caught(), "] warning: odd\n", "without a code: the level");
}

static void test_levels(void)
{
	for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
		int lines = 0;

		env.log = level;
		catch ();
		log_line(LOG_ERROR, 0, "a");
		log_line(LOG_WARN, 0, "b");
		log_line(LOG_INFO, 0, "c");
		log_line(LOG_DEBUG, 0, "d");
		for (const char *p = caught(); *p; p++)
			lines += *p == '\n';
		is_int(lines, level + 1, "lines printed at level %d", level);
	}
	env.log = LOG_WARN;
}

static void test_long(void)
{
	char big[3000];
	size_t len;

	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	catch ();
	log_line(LOG_ERROR, 0, "%s", big);
	len = strlen(caught());
	ok(len <= 1024, "a long line is cut");
	ok(text[len - 1] == '\n' && strchr(text, '\n') == text + len - 1,
	   "and is still one line");
}

static void test_results(void)
{
	int rc;

	catch ();
	errno = 42;
	rc = log_error(MRT_ERR_ARG, "no");
	ok(errno == 42, "errno is left alone");
	caught();
	is_int(rc, MRT_ERR_ARG, "log_error is its code");
}

/* A text of libmrt, and of an MPI program; NULL: the same. */
static void test_names(void)
{
	static const char *const texts[][2] = {
	    {"mrt_send of 3 MRT_INT; (mrt_win_lock)",
	     "MPI_Send of 3 MPI_INT; (MPI_Win_lock)"},
	    {"mrt_alloc, MRT_2INT, MRT_INT8",
	     "MPI_Alloc_mem, MPI_2INT, MPI_INT8_T"},
	    {"MRT_CHECK=1 and MRT_MISSPELT", NULL},
	    {"/mrt_dir/mrt_file a.mrt_b smrt_send mrt_ mrt", NULL},
	};
	char to[64];

	setenv("MRT_MISSPELT", "1", 1);
	for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++) {
		names_copy(to, sizeof(to), texts[k][0]);
		is_str(to, texts[k][0], "libmrt's names");
		names_use_mpi(true);
		names_copy(to, sizeof(to), texts[k][0]);
		is_str(to, texts[k][1] ? texts[k][1] : texts[k][0],
		       "MPI's names");
		for (size_t n = 1; n < 20; n++)
			if (names_copy(to, n, texts[k][0]) >= n ||
			    strlen(to) >= n)
				ok(0, "a copy of %zu bytes", n);
		names_use_mpi(false);
	}
	names_use_mpi(true);
	catch ();
	log_line(LOG_ERROR, MRT_ERR_ARG, "mrt_wait: no");
	has_str(caught(), "] MRT_ERR_ARG: MPI_Wait: no\n",
		"a line with MPI's names");
	names_use_mpi(false);
}

int main(void)
{
	test_names();
	test_prefix();
	test_levels();
	test_long();
	test_results();
	return tap_done();
}
