/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hang.c: ranks that wait for ever, for the tests of reports.
 *
 *   hang mixed          8 ranks, each in another call (alone: a receive)
 *   hang many           rank 7 waits for 13, which waits for nobody, and all
 *                       others in a barrier
 *   hang cycle          0 receives from 1, 1 sends to 2, and 2 waits for all of
 *                       its requests, the first one from 0; 3 receives from 2
 *                       and 4 from itself
 *   hang any            rank 1 receives from 0, which waits for any request
 *   hang threads        two ranks receive from each other and may have threads
 *   hang dead|exec DIR  rank 2 makes DIR/up, and kills itself or becomes
 *                       another program as soon as DIR/now exists; the others
 *                       wait
 *   hang passes         two ranks, neither of which hangs
 *   hang untold         as passes, but the server does not hear of their end
 *   hang quits          rank 0 ends without finalize
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;
static bool untold;

/* Acts as if the process had been stopped while it waited for the server's
 * answer: then PMIx gives up after two seconds, possibly before it has sent
 * anything. */
__attribute__((visibility("default"))) int PMIx_Finalize(const void *info,
							 size_t n);
int PMIx_Finalize(const void *info, size_t n)
{
	int (*real)(const void *, size_t);

	*(void **)&real = dlsym(RTLD_NEXT, "PMIx_Finalize");
	return untold || !real ? 0 : real(info, n);
}

static void mixed(void)
{
	static char big[1 << 20];
	struct mrt_request *r;
	int x = 0;

	switch (me) {
	case 0:
		mrt_recv(&x, 1, MRT_INT, np > 1, 7, W, MRT_STATUS_IGNORE);
		break;
	case 1:
		mrt_barrier(W);
		break;
	case 2:
		mrt_send(big, sizeof(big), MRT_BYTE, 0, 5, W);
		break;
	case 3:
		mrt_irecv(&x, 1, MRT_INT, MRT_ANY_SOURCE, MRT_ANY_TAG, W, &r);
		mrt_wait(&r, MRT_STATUS_IGNORE);
		break;
	case 4:
		mrt_ibarrier(W, &r);
		mrt_waitall(1, &r, MRT_STATUSES_IGNORE);
		break;
	case 5:
		pause();
		break;
	case 6:
		mrt_bcast(&x, 1, MRT_INT, 5, W);
		break;
	default:
		mrt_probe(6, 9, W, MRT_STATUS_IGNORE);
	}
}

static void many(void)
{
	int x;

	if (me == 7)
		mrt_recv(&x, 1, MRT_INT, 13, 5, W, MRT_STATUS_IGNORE);
	else if (me == 13)
		pause();
	else
		mrt_barrier(W);
}

static void cycle(void)
{
	static char big[1 << 20];
	struct mrt_request *r[2];
	int x = 0;

	if (me == 0) {
		mrt_recv(&x, 1, MRT_INT, 1, 5, W, MRT_STATUS_IGNORE);
	} else if (me == 1) {
		mrt_send(big, sizeof(big), MRT_BYTE, 2, 5, W);
	} else if (me == 2) {
		mrt_irecv(&x, 1, MRT_INT, 0, 6, W, &r[0]);
		mrt_irecv(big, 1, MRT_INT, MRT_ANY_SOURCE, 6, W, &r[1]);
		mrt_waitall(2, r, MRT_STATUSES_IGNORE);
	} else {
		mrt_probe(me == 3 ? 2 : me, 7, W, MRT_STATUS_IGNORE);
	}
}

static void wait_for_any(void)
{
	struct mrt_request *r[2];
	int x[2], index;

	if (me == 1)
		mrt_recv(x, 1, MRT_INT, 0, 5, W, MRT_STATUS_IGNORE);
	for (int k = 0; k < 2; k++)
		mrt_irecv(&x[k], 1, MRT_INT, 1, k, W, &r[k]);
	mrt_waitany(2, r, &index, MRT_STATUS_IGNORE);
}

static void die(const char *how, const char *dir)
{
	char up[512], now[512];

	snprintf(up, sizeof(up), "%s/up", dir);
	snprintf(now, sizeof(now), "%s/now", dir);
	if (creat(up, 0600) < 0)
		perror(up);
	while (access(now, F_OK))
		usleep(1000);
	if (!strcmp(how, "exec"))
		execlp("sleep", "sleep", "20", (char *)NULL);
	raise(SIGKILL);
}

/* Tests now and then, as a program does that has work to do. */
static void poll(void)
{
	struct mrt_request *r;
	int x, flag = 0;

	mrt_irecv(&x, 1, MRT_INT, 2, 0, W, &r);
	while (!flag)
		mrt_test(&r, &flag, MRT_STATUS_IGNORE);
}

/* Waits for two seconds, and then works for three. */
static void pass(void)
{
	int x = 0;

	if (me) {
		sleep(2);
		mrt_send(&x, 1, MRT_INT, 0, 0, W);
	} else {
		mrt_recv(&x, 1, MRT_INT, 1, 0, W, MRT_STATUS_IGNORE);
	}
	sleep(3);
}

int main(int argc, char **argv)
{
	bool threads = argc == 2 && !strcmp(argv[1], "threads");
	int x;

	mrt_init_thread(&argc, &argv,
			threads ? MRT_THREAD_MULTIPLE : MRT_THREAD_SINGLE,
			NULL);
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc == 2) {
		untold = !strcmp(argv[1], "untold");
		if (!strcmp(argv[1], "quits") && me == 0)
			exit(0);
		if (!strcmp(argv[1], "passes"))
			pass();
		if (!strcmp(argv[1], "many"))
			many();
		if (!strcmp(argv[1], "cycle"))
			cycle();
		if (!strcmp(argv[1], "any"))
			wait_for_any();
		if (threads)
			mrt_recv(&x, 1, MRT_INT, !me, 5, W, MRT_STATUS_IGNORE);
		return mrt_finalize();
	}
	if (argc > 2) /* nobody needs the launcher from here on */
		mrt_barrier(W);
	if (argc < 3)
		mixed();
	else if (me == 2)
		die(argv[1], argv[2]);
	else if (me == 1)
		poll();
	else
		mrt_barrier(W);
	return mrt_finalize();
}
