/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c: tests runtime/base/fault.c: the first of many threads wins, a
 * removed hook no longer runs, and one of the ranks that share a word tells. */
#include "runtime/base/fault.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "tests/tap.h"

enum { THREADS = 8, LONG_US = 20000 };

static atomic_int woken, inside, removing;
static pthread_barrier_t start;

static void wake(void)
{
	atomic_fetch_add(&woken, 1);
	atomic_store(&inside, 1);
	while (!atomic_load(&removing))
		sched_yield();
	/* time enough for a thread that does not wait to be gone */
	usleep(LONG_US);
	atomic_store(&inside, 0);
}

static void *raise_one(void *arg)
{
	char text[32];
	int k = (int)(intptr_t)arg;

	snprintf(text, sizeof(text), "thread %d", k);
	pthread_barrier_wait(&start);
	fault_raise(k % 2 ? MRT_ERR_PEER : MRT_ERR_SERVICE, text);
	return NULL;
}

/* Returns how many lines three ranks of a node write about a fault that each
 * learns of; one of them leaves the word before. */
static int count_lines(int code, bool told, enum log_level level)
{
	_Atomic uint32_t *word =
	    mmap(NULL, sizeof(*word), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fds[2], n = 0;
	char c;

	if (pipe(fds))
		return -1;
	for (int k = 0; k < 3; k++) {
		if (fork())
			continue;
		env.log = level;
		dup2(fds[1], STDERR_FILENO);
		fault_share(word);
		if (k == 2)
			fault_share(NULL);
		if (told)
			fault_raise_told(code, "told");
		else
			fault_raise(code, "seen");
		fault_report();
		_exit(0);
	}
	close(fds[1]);
	while (read(fds[0], &c, 1) == 1)
		n += c == '\n';
	close(fds[0]);
	while (wait(NULL) > 0)
		;
	return n;
}

static void test_lines(void)
{
	is_int(count_lines(MRT_ERR_PEER, false, LOG_WARN), 2,
	       "a dead peer: one rank tells, and one that shares no word");
	is_int(count_lines(MRT_ERR_SERVICE, false, LOG_WARN), 2,
	       "a lost launcher: so they do");
	is_int(count_lines(MRT_ERR_PROTOCOL, false, LOG_WARN), 3,
	       "a rank's own fault: each tells");
	is_int(count_lines(MRT_ERR_PEER, true, LOG_WARN), 0,
	       "the launcher has told: nobody does");
	is_int(count_lines(MRT_ERR_PEER, true, LOG_INFO), 3,
	       "MRT_LOG=info: all tell");
}

int main(void)
{
	pthread_t threads[THREADS];
	int code;

	test_lines();
	env.log = -1; /* keeps the line off stderr */
	is_int(fault_report(), 0, "no fault at first");
	is_int(fault_resolve(MRT_ERR_TAG), MRT_ERR_TAG, "nothing is suspected");
	fault_suspect(0);
	is_int(fault_resolve(MRT_ERR_TAG), MRT_ERR_TAG, "nobody says why");
	fault_suspect(MRT_ERR_PEER);
	is_int(fault_resolve(MRT_ERR_TAG), MRT_ERR_PEER, "it is what it seems");
	fault_suspect(MRT_ERR_PEER);
	fault_set_wakeup(wake);
	pthread_barrier_init(&start, NULL, THREADS);
	for (intptr_t k = 0; k < THREADS; k++)
		pthread_create(&threads[k], NULL, raise_one, (void *)k);
	while (!atomic_load(&inside))
		sched_yield();
	atomic_store(&removing, 1);
	fault_set_wakeup(NULL);
	is_int(atomic_load(&inside), 0, "the hook is over when it is removed");
	for (int k = 0; k < THREADS; k++)
		pthread_join(threads[k], NULL);
	code = fault_report();
	ok(code == MRT_ERR_PEER || code == MRT_ERR_SERVICE, "a fault is there");
	is_int(atomic_load(&woken), 1, "one wake-up for all");
	fault_raise(MRT_ERR_INTERNAL, "late");
	is_int(fault_report(), code, "the first fault stays");
	is_int(atomic_load(&woken), 1, "no wake-up without a hook");
	is_int(fault_resolve(MRT_ERR_TAG), code, "the fault is why");
	return tap_done();
}
