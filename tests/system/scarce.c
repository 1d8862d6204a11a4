/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scarce.c is a tour through the library in which a chosen call for memory
 * ("mem") or of the system ("sys") fails. It is linked so that only the
 * library's own calls come here (the linker's --wrap); see scarce_calls.c.
 *
 *   scarce [return|hide]   one tour, as SCARCE=KIND:N[+]:RANK says: the Nth
 *                          call (+: and all later ones) of that rank fails;
 *                          "hide" only starts and ends
 *   scarce alone KIND [+]  as a job of one, for every N, without a launcher:
 *                          mrt_init either works or returns the error, leaves
 *                          no descriptor open, and works when called again
 *
 * The exit code is 0; in mode "return" it is that of the error, in mode "hide"
 * that rank's is 0 even after an error.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mrt_lib.h>

#include "runtime/base/error.h"
#include "tests/system/scarce.h"

#define W MRT_COMM_WORLD
enum { BIG = 1 << 18, SEVERAL = 4, HUNG_S = 20 };

static int me, np, rc;
static const char *failed_at;
static int from[BIG], to[BIG];

/* The first call that fails ends the tour. */
#define TRY(call) try_to(#call, rc ? rc : (call))

static void try_to(const char *what, int code)
{
	if (code && !rc)
		failed_at = what;
	rc = rc ? rc : code;
}

static void messages(void)
{
	int right = (me + 1) % np, left = (me + np - 1) % np;
	struct mrt_request *r[SEVERAL] = {NULL};
	struct mrt_status status[SEVERAL] = {{0}};
	struct iovec pieces[2] = {{from, 60000}, {from + BIG / 2, 60000}};

	/* messages: unexpected, posted before, long, of pieces */
	for (int k = 0; k < SEVERAL; k++)
		TRY(mrt_isend(from, (size_t)k * 1000, MRT_INT, right, k, W,
			      &r[k]));
	TRY(mrt_barrier(W));
	for (int k = 0; k < SEVERAL; k++)
		TRY(mrt_recv(to, BIG, MRT_INT, left, k, W, MRT_STATUS_IGNORE));
	TRY(mrt_waitall(SEVERAL, r, status));
	for (int k = 0; k < SEVERAL && rc == MRT_ERR_IN_STATUS; k++)
		rc = status[k].error ? status[k].error : rc;
	TRY(mrt_sendrecv(from, BIG, MRT_INT, right, 9, to, BIG, MRT_INT, left,
			 9, W, MRT_STATUS_IGNORE));
	TRY(mrt_isendv(pieces, 2, right, 10, W, &r[0]));
	TRY(mrt_recv(to, BIG, MRT_INT, left, 10, W, MRT_STATUS_IGNORE));
	TRY(mrt_wait(&r[0], MRT_STATUS_IGNORE));
	TRY(mrt_sendrecv_replace(to, 5000, MRT_INT, right, 11, left, 11, W,
				 MRT_STATUS_IGNORE));
}

static void types(void)
{
	int right = (me + 1) % np, left = (me + np - 1) % np;
	static struct mrt_type
	    *t; /* static, so that LeakSanitizer still reaches it */
	struct mrt_request *r = NULL;

	TRY(mrt_type_vector(BIG / 4, 1, 4, MRT_INT, &t));
	TRY(mrt_type_commit(t));
	TRY(mrt_isend(from, 1, t, right, 12, W, &r));
	TRY(mrt_recv(to, 1, t, left, 12, W, MRT_STATUS_IGNORE));
	TRY(mrt_wait(&r, MRT_STATUS_IGNORE));
	TRY(mrt_type_free(&t));
}

static void buffered(void)
{
	int right = (me + 1) % np, left = (me + np - 1) % np;
	static char storage[100000];
	void *room;
	size_t bytes;

	TRY(mrt_buffer_attach(MRT_BUFFER_PROCESS, storage, sizeof(storage)));
	TRY(mrt_bsend(from, 1000, MRT_INT, right, 13, W));
	TRY(mrt_recv(to, BIG, MRT_INT, left, 13, W, MRT_STATUS_IGNORE));
	TRY(mrt_buffer_detach(MRT_BUFFER_PROCESS, &room, &bytes));
}

static void collectives(void)
{
	struct mrt_request *r = NULL;

	TRY(mrt_allreduce(from, to, 4, MRT_INT, MRT_SUM, W));
	TRY(mrt_allreduce(from, to, BIG, MRT_INT, MRT_SUM, W));
	TRY(mrt_bcast(to, BIG, MRT_INT, 0, W));
	TRY(mrt_iallreduce(from, to, 5000, MRT_INT, MRT_SUM, W, &r));
	TRY(mrt_wait(&r, MRT_STATUS_IGNORE));
	TRY(mrt_allreduce_init(from, to, 100, MRT_INT, MRT_SUM, W, &r));
	TRY(mrt_start(&r));
	TRY(mrt_wait(&r, MRT_STATUS_IGNORE));
	TRY(mrt_request_free(&r));
	TRY(mrt_alltoall(from, 100, MRT_INT, to, 100, MRT_INT, W));
	TRY(mrt_scan(from, to, 100, MRT_INT, MRT_SUM, W));
}

static void communicators(void)
{
	struct mrt_comm *dup = NULL, *half = NULL;
	struct mrt_request *r = NULL;
	struct mrt_group *group = NULL;

	TRY(mrt_comm_dup(W, &dup));
	TRY(mrt_comm_split(W, me % 2, me, &half));
	TRY(mrt_allreduce(from, to, 4, MRT_INT, MRT_SUM, half));
	/* long enough to need buffers */
	TRY(mrt_bcast(to, 1000, MRT_INT, 0, dup));
	TRY(mrt_ibarrier(dup, &r));
	TRY(mrt_wait(&r, MRT_STATUS_IGNORE));
	TRY(mrt_comm_group(half, &group));
	TRY(mrt_group_free(&group));
	TRY(mrt_comm_free(&half));
	TRY(mrt_comm_free(&dup));
}

static void heap(void)
{
	void *p[SEVERAL] = {NULL};

	for (size_t k = 0; k < SEVERAL; k++)
		TRY(mrt_alloc((k + 1) << 20, &p[k]));
	TRY(mrt_barrier(W));
	for (int k = 0; k < SEVERAL; k++)
		TRY(mrt_free(p[k]));
}

/* Starts, and ends at once. */
static void start_only(void)
{
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	TRY(mrt_init(NULL, NULL));
	if (!rc)
		TRY(mrt_finalize());
}

/* Returns 0 or the error; failed_at says where. */
static int tour(enum mrt_error_mode mode)
{
	rc = 0;
	mrt_set_error_mode(mode);
	TRY(mrt_init(NULL, NULL));
	if (rc)
		return rc;
	me = mrt_rank(W);
	np = mrt_size(W);
	messages();
	types();
	buffered();
	collectives();
	communicators();
	heap();
	TRY(mrt_finalize());
	return rc;
}

static int open_files(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += !dup2(fd, fd) || errno != EBADF;
	return n;
}

static int complain(const char *what, long n)
{
	fprintf(stderr, "scarce: %s, failing call %ld (%s)\n", what, n,
		scarce.what ? scarce.what : "none");
	return 1;
}

/* Tries one N in a job of one; returns 0 if good, 1 if bad, 2 if there are
 * fewer calls. */
static int alone(long n, bool all_later)
{
	int before, code;

	/* what the C library opens and allocates once is in place by now */
	before = open_files();
	scarce_arm(n, all_later);
	code = tour(MRT_ERRORS_RETURN);
	scarce_disarm();
	if (!scarce.what && !code)
		return 2;
	if (code && code != MRT_ERR_NO_MEM && code != MRT_ERR_RESOURCE)
		return complain(mrt_error_string(code), n);
	if (!code || mrt_initialized())
		return 0;
	if (open_files() != before)
		return complain("descriptors leak", n);
	if (tour(MRT_ERRORS_RETURN))
		return complain("a second mrt_init does not work", n);
	return 0;
}

static int run_alone(long n, bool all_later)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(HUNG_S);
		exit(alone(n, all_later));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "scarce: call %ld: signal %d\n", n, WTERMSIG(status));
	return 1;
}

static int all_alone(bool all_later)
{
	int bad = 0, result = 0;
	long n;

	for (n = 1; result != 2; n++) {
		result = run_alone(n, all_later);
		bad += result != 0 && result != 2;
	}
	printf("%ld calls, %d bad\n", n - 2, bad);
	return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
	bool hides = argc > 1 && !strcmp(argv[1], "hide");
	bool returns = argc > 1 && !strcmp(argv[1], "return");

	if (argc > 2 && !strcmp(argv[1], "alone")) {
		scarce_kind(argv[2]);
		return all_alone(argc > 3);
	}
	if (!scarce_from_environment())
		return 64;
	if (hides)
		start_only();
	else
		tour(returns ? MRT_ERRORS_RETURN : MRT_ERRORS_FATAL);
	scarce_disarm();
	if (rc)
		fprintf(stderr, "scarce: rank %d: %s: %s\n", me, failed_at,
			mrt_error_string(rc));
	else if (scarce.mine && !scarce.what)
		puts("not so many calls");
	return hides && scarce.mine ? 0 : error_exit_code(rc);
}
