/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launcher_client.c is a rank made of PMIx alone, to test mrun without the
 * library. It joins, fences, then does what the first argument says:
 *	finalize		leaves as it should
 *	wait			waits for the event of a failure, prints
 *				"rank R: event about rank D: TEXT", exits 75
 *	die R SIGNAL		rank R kills itself, the others wait
 *	exit R CODE		rank R exits without finalize, the others wait
 *	abort R CODE		rank R calls PMIx_Abort, the others wait
 *	absent R CODE		rank R exits before PMIx_Init, the others fence
 *	locked R		rank R is killed while it holds a lock of the
 *				store that the ranks share; 0: it takes none
 *	gone			prints "joined", waits until the server is
 *				gone, exits 69
 *	info			prints what it knows of the job
 */
#include <dlfcn.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_SERVICE = 69, EXIT_INTERNAL = 70, EXIT_PEER = 75 };

static pmix_proc_t me;
static bool dies_locked;

/* Stands before that of the C library, for PMIx, too. The flag is glibc's
 * PTHREAD_MUTEX_PSHARED_BIT. */
__attribute__((visibility("default"))) int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*next)(pthread_mutex_t *);
	int rc;

	if (!next)
		next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT,
							 "pthread_mutex_lock");
	rc = next(mutex);
	if (dies_locked && mutex->__data.__kind & 128)
		raise(SIGKILL);
	return rc;
}

/* on_event runs in PMIx's thread. */
static void on_event(size_t handler, pmix_status_t status,
		     const pmix_proc_t *source, pmix_info_t info[],
		     size_t ninfo, pmix_info_t *results, size_t nresults,
		     pmix_event_notification_cbfunc_fn_t done, void *arg)
{
	const char *text = "no text";
	int dead = -1, code = EXIT_PEER;

	for (size_t i = 0; i < ninfo; i++) {
		if (PMIX_CHECK_KEY(&info[i], PMIX_EVENT_AFFECTED_PROC))
			dead = (int)info[i].value.data.proc->rank;
		if (PMIX_CHECK_KEY(&info[i], PMIX_EVENT_TEXT_MESSAGE))
			text = info[i].value.data.string;
	}
	if (status == PMIX_ERR_LOST_CONNECTION && dead < 0)
		code = EXIT_SERVICE;
	printf("rank %u: event %s about rank %d: %s\n", me.rank,
	       PMIx_Error_string(status), dead, text);
	fflush(stdout);
	_exit(code); /* the main thread may be in a fence for ever */
}

static void registered(pmix_status_t status, size_t handler, void *arg)
{
	if (write(*(int *)arg, "r", 1) < 0)
		_exit(EXIT_INTERNAL);
}

static void register_handler(pmix_status_t *codes, size_t n)
{
	int fds[2];
	char c;

	if (pipe(fds))
		_exit(EXIT_INTERNAL);
	PMIx_Register_event_handler(codes, n, NULL, 0, on_event, registered,
				    &fds[1]);
	if (read(fds[0], &c, 1) != 1)
		_exit(EXIT_INTERNAL);
}

/* The default handler gets what the client library itself notices; with PMIx
 * 4.2.2 events from the server reach only handlers that name the code. */
static void register_events(void)
{
	pmix_status_t codes[] = {PMIX_ERR_PROC_ABORTED_BY_SIG,
				 PMIX_ERR_PROC_REQUESTED_ABORT,
				 PMIX_ERR_PROC_TERM_WO_SYNC};

	register_handler(NULL, 0);
	register_handler(codes, 3);
}

static void fence(void)
{
	bool collect = true;
	pmix_info_t info;
	pmix_proc_t all;
	pmix_status_t rc;

	PMIX_LOAD_PROCID(&all, me.nspace, PMIX_RANK_WILDCARD);
	PMIx_Info_load(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
	/* PMIx 4.2.2 ends a fence that expects this rank when the connection
	 * of an earlier program of this rank is lost, so fence once more. */
	while ((rc = PMIx_Fence(&all, 1, &info, 1)) == PMIX_ERR_PARTIAL_SUCCESS)
		usleep(1000);
	if (rc) {
		fprintf(stderr, "fence: %s\n", PMIx_Error_string(rc));
		_exit(EXIT_SERVICE);
	}
}

static void print_key(pmix_rank_t rank, const char *key)
{
	pmix_value_t *value;
	pmix_proc_t proc;

	PMIX_LOAD_PROCID(&proc, me.nspace, rank);
	if (PMIx_Get(&proc, key, NULL, 0, &value)) {
		printf("%s=missing\n", key);
		return;
	}
	if (value->type == PMIX_STRING)
		printf("%s=%s\n", key, value->data.string);
	else if (value->type == PMIX_UINT16)
		printf("%s=%u\n", key, value->data.uint16);
	else
		printf("%s=%u\n", key, value->data.uint32);
	PMIX_VALUE_RELEASE(value);
}

static void print_info(void)
{
	static const char *const of_job[] = {
	    PMIX_JOB_SIZE,    PMIX_UNIV_SIZE, PMIX_LOCAL_SIZE, PMIX_NUM_NODES,
	    PMIX_LOCAL_PEERS, PMIX_NODE_LIST, PMIX_NSDIR,      PMIX_TMPDIR};
	static const char *const of_rank[] = {
	    PMIX_LOCAL_RANK, PMIX_NODE_RANK, PMIX_APPNUM, PMIX_APP_RANK,
	    PMIX_NODEID,     PMIX_HOSTNAME,  PMIX_CPUSET, PMIX_LOCALITY_STRING};

	for (size_t i = 0; i < sizeof(of_job) / sizeof(of_job[0]); i++)
		print_key(PMIX_RANK_WILDCARD, of_job[i]);
	for (size_t i = 0; i < sizeof(of_rank) / sizeof(of_rank[0]); i++)
		print_key(me.rank, of_rank[i]);
}

/* Does what rank R of "verb R NUMBER" has to do. */
static void misbehave(const char *verb, int number)
{
	if (!strcmp(verb, "die"))
		raise(number);
	else if (!strcmp(verb, "abort"))
		PMIx_Abort(number, "as asked", NULL, 0);
	_exit(number);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "finalize";
	const char *rank = getenv("PMIX_RANK");
	bool chosen = argc > 3 && rank && atoi(rank) == atoi(argv[2]);

	if (chosen && !strcmp(verb, "absent"))
		_exit(atoi(argv[3]));
	dies_locked = argc > 2 && !strcmp(verb, "locked") && rank &&
		      atoi(rank) == atoi(argv[2]);
	/* as in libmrt: a lost server is reported at once */
	setenv("PMIX_MCA_pmix_event_caching_window", "0", 0);
	if (PMIx_Init(&me, NULL, 0)) {
		fprintf(stderr, "no PMIx server\n");
		return EXIT_SERVICE;
	}
	register_events();
	fence();
	if (chosen)
		misbehave(verb, atoi(argv[3]));
	if (!strcmp(verb, "gone")) {
		printf("joined\n");
		fflush(stdout);
	}
	if (!strcmp(verb, "info"))
		print_info();
	else if (strcmp(verb, "finalize") && strcmp(verb, "locked"))
		for (;;)
			pause();
	fence();
	return PMIx_Finalize(NULL, 0) ? EXIT_INTERNAL : 0;
}
