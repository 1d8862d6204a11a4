/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wrong_thread.c makes calls that the thread level does not allow, with
 * MRT_CHECK: each gives an error that says so, after which all goes on.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <mrt_lib.h>

#include "tests/tap.h"

#define W MRT_COMM_WORLD
static int code;
static char detail[256];

static void *barrier_on_self(void *arg)
{
	code = mrt_barrier(MRT_COMM_SELF);
	snprintf(detail, sizeof(detail), "%s", mrt_error_detail());
	return arg;
}

static void elsewhere(void *(*call)(void *))
{
	pthread_t thread;

	detail[0] = '\0';
	pthread_create(&thread, NULL, call, NULL);
	pthread_join(thread, NULL);
}

static void *receive(void *arg)
{
	int x;

	do /* the other thread may be inside first */
		code = mrt_recv(&x, 1, MRT_INT, 0, 7, MRT_COMM_SELF,
				MRT_STATUS_IGNORE);
	while (code == MRT_ERR_STATE);
	return arg;
}

/* One thread waits for what the other sends. */
static void serialized(const char *name)
{
	const struct timespec pause = {0, 1000000};
	pthread_t thread;
	int x = 5, rc = 0, tries = 0;

	elsewhere(barrier_on_self);
	ok(code == 0, "%s: another thread, alone", name);
	pthread_create(&thread, NULL, receive, NULL);
	/* until the other thread is inside */
	while (!rc && tries++ < 10000) {
		rc = mrt_barrier(MRT_COMM_SELF);
		nanosleep(&pause, NULL);
	}
	ok(rc == MRT_ERR_STATE &&
	       strstr(mrt_error_detail(), "another thread is inside a call"),
	   "%s: at once with another: %s", name, mrt_error_detail());
	rc = mrt_send(&x, 1, MRT_INT, 0, 7, MRT_COMM_SELF);
	ok(rc == MRT_ERR_STATE, "%s: and so is a send", name);
	rc = tap_done();
	fflush(stdout);
	_Exit(rc); /* the other thread waits for ever */
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "SINGLE";
	enum mrt_thread_level level =
	    !strcmp(name, "SERIALIZED") ? MRT_THREAD_SERIALIZED
	    : !strcmp(name, "FUNNELED") ? MRT_THREAD_FUNNELED
					: MRT_THREAD_SINGLE;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init_thread(NULL, NULL, level, NULL))
		return 99;
	if (level == MRT_THREAD_SERIALIZED)
		serialized(name);
	ok(mrt_barrier(W) == 0, "%s: the first thread", name);
	elsewhere(barrier_on_self);
	ok(code == MRT_ERR_STATE && strstr(detail, name) &&
	       strstr(detail, "called by another thread than mrt_init"),
	   "%s: another thread: %s", name, detail);
	ok(mrt_barrier(W) == 0, "%s: the first thread goes on", name);
	ok(mrt_finalize() == 0, "%s: to the end", name);
	return tap_done();
}
