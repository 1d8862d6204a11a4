/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server.c: start and callbacks of the PMIx server. Callbacks run in PMIx's
 * thread and only copy their arguments into a queue. No wait for PMIx is
 * unlimited, because a client may hold up its thread: for good if it is killed
 * while it holds the lock of the store that a large job shares (choose_store).
 */

#include "launcher/server.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <pmix.h>
#include <pmix_server.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "launcher/say.h"
#include "launcher/server_info.h"
#include "runtime/base/limits.h"
#include "runtime/base/list.h"

enum { REPLY_S = 20, FORGET_MS = 200 };
/* choose_store */
enum { HASH_MAX = 64, STORE_BYTES = 32 << 20 };

struct queued {
	struct list link;
	struct server_message message;
};

static struct {
	pthread_mutex_t lock;
	struct list messages;
	int fd;
	sem_t replies;	      /* posted for each call that PMIx has completed */
	struct info_vec info; /* read by PMIx until server_forget */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER,
	    .messages = LIST_INIT(server.messages),
	    .fd = -1};

static void server_enqueue(enum server_what what, const pmix_proc_t *proc,
			   int status, const char *text)
{
	struct queued *q = calloc(1, sizeof(*q));
	uint64_t one = 1;

	if (!q)
		return;
	q->message.what = what;
	q->message.rank = (int)proc->rank;
	q->message.status = status;
	snprintf(q->message.text, sizeof(q->message.text), "%s",
		 text ? text : "");
	pthread_mutex_lock(&server.lock);
	list_append(&server.messages, &q->link);
	pthread_mutex_unlock(&server.lock);
	if (write(server.fd, &one, sizeof(one)) < 0) {
		/* the counter is full, so it is readable anyway */
	}
}

static pmix_status_t server_connected(const pmix_proc_t *proc, void *object,
				      pmix_info_t info[], size_t ninfo,
				      pmix_op_cbfunc_t done, void *arg)
{
	server_enqueue(SERVER_CONNECTED, proc, 0, NULL);
	return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t server_finalized(const pmix_proc_t *proc, void *object,
				      pmix_op_cbfunc_t done, void *arg)
{
	server_enqueue(SERVER_FINALIZED, proc, 0, NULL);
	return PMIX_OPERATION_SUCCEEDED;
}

/* Answers at once: the calling rank continues and ends itself. */
static pmix_status_t server_aborted(const pmix_proc_t *proc, void *object,
				    int status, const char text[],
				    pmix_proc_t procs[], size_t nprocs,
				    pmix_op_cbfunc_t done, void *arg)
{
	server_enqueue(SERVER_ABORTED, proc, status, text);
	if (done)
		done(PMIX_SUCCESS, arg);
	return PMIX_SUCCESS;
}

/* All ranks are local: a key that a rank has not put does not exist. */
static pmix_status_t direct_modex(const pmix_proc_t *proc,
				  const pmix_info_t info[], size_t ninfo,
				  pmix_modex_cbfunc_t done, void *arg)
{
	return PMIX_ERR_NOT_FOUND;
}

/*
 * Must exist, or PMIx 4.2.2 calls through NULL: it asks the host to complete a
 * fence when a participant's connection is lost. All ranks are local, so no
 * other host has anything to add.
 */
static pmix_status_t server_fence(const pmix_proc_t procs[], size_t nprocs,
				  const pmix_info_t info[], size_t ninfo,
				  char *data, size_t ndata,
				  pmix_modex_cbfunc_t done, void *arg)
{
	if (done)
		done(PMIX_ERR_PARTIAL_SUCCESS, NULL, 0, arg, NULL, NULL);
	return PMIX_SUCCESS;
}

/* Must exist, for the same reason as fence. */
static pmix_status_t job_control(const pmix_proc_t *requestor,
				 const pmix_proc_t targets[], size_t ntargets,
				 const pmix_info_t directives[], size_t ndirs,
				 pmix_info_cbfunc_t done, void *arg)
{
	return PMIX_ERR_NOT_SUPPORTED;
}

static pmix_server_module_t callbacks = {
    .client_connected2 = server_connected,
    .client_finalized = server_finalized,
    .abort = server_aborted,
    .fence_nb = server_fence,
    .direct_modex = direct_modex,
    .job_control = job_control,
};

static void no_log(int severity, const char *text)
{
}

/* Silences PMIx and libevent, which write on stderr whenever a rank dies. */
static void server_silence(void)
{
	typedef void (*log_callback)(int severity, const char *text);
	void (*set)(log_callback);
	char number[16];
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	snprintf(number, sizeof(number), "%d", null);
	setenv("PMIX_OUTPUT_STDERR_FD", number, 1);
	*(void **)&set = dlsym(RTLD_DEFAULT, "event_set_log_callback");
	if (set)
		set(no_log);
}

static void unset_inherited(void)
{
	extern char **environ;

	for (char **e = environ; *e;) {
		char name[256];
		size_t len = strcspn(*e, "=");

		if (!strncmp(*e, "PMIX_", 5) && len < sizeof(name)) {
			memcpy(name, *e, len);
			name[len] = '\0';
			unsetenv(name);
			e = environ;
		} else {
			e++;
		}
	}
}

static void server_replied(pmix_status_t status, void *arg)
{
	sem_post(&server.replies);
}

/* Waits for n replies; returns false if they do not come within ms. */
static bool wait_replies(int n, long ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (n > 0) {
		if (!sem_timedwait(&server.replies, &until))
			n--;
		else if (errno != EINTR)
			return false;
	}
	return true;
}

static pmix_status_t init_library(const struct map *map, const struct job *job)
{
	pmix_topology_t topology = {.source = (char *)"hwloc",
				    .topology = map->topo};
	pmix_info_t info[6];
	pmix_rank_t rank = 0;
	bool tools = false;
	char nspace[PMIX_MAX_NSLEN + 1];

	snprintf(nspace, sizeof(nspace), "%.200s.server", job->name);
	PMIx_Info_load(&info[0], PMIX_SERVER_TMPDIR, job->dir, PMIX_STRING);
	PMIx_Info_load(&info[1], PMIX_SYSTEM_TMPDIR, job->dir, PMIX_STRING);
	PMIx_Info_load(&info[2], PMIX_SERVER_NSPACE, nspace, PMIX_STRING);
	PMIx_Info_load(&info[3], PMIX_SERVER_RANK, &rank, PMIX_PROC_RANK);
	PMIx_Info_load(&info[4], PMIX_SERVER_TOOL_SUPPORT, &tools, PMIX_BOOL);
	PMIx_Info_load(&info[5], PMIX_TOPOLOGY2, &topology, PMIX_TOPO);
	return PMIx_server_init(&callbacks, info, 6);
}

static pmix_status_t register_ranks(const struct job *job)
{
	pmix_proc_t proc;
	pmix_status_t rc;
	int waiting = 0;

	for (int r = 0; r < job->nranks; r++) {
		PMIX_LOAD_PROCID(&proc, job->name, (pmix_rank_t)r);
		rc = PMIx_server_register_client(&proc, geteuid(), getegid(),
						 NULL, server_replied, NULL);
		if (rc == PMIX_SUCCESS)
			waiting++;
		else if (rc != PMIX_OPERATION_SUCCEEDED)
			return rc;
	}
	return wait_replies(waiting, REPLY_S * 1000) ? PMIX_SUCCESS
						     : PMIX_ERR_TIMEOUT;
}

static int server_fail(const char *what, pmix_status_t rc)
{
	return say_fail(EXIT_SERVICE, "%s: %s", what, PMIx_Error_string(rc));
}

/* PMIx listens on a network interface, and prints a page of errors if there is
 * none. */
static bool has_interface(void)
{
	struct ifaddrs *all = NULL;
	bool found = false;

	if (getifaddrs(&all))
		return true; /* PMIx will find out */
	for (struct ifaddrs *i = all; i && !found; i = i->ifa_next)
		found = i->ifa_flags & IFF_UP && i->ifa_addr &&
			(i->ifa_addr->sa_family == AF_INET ||
			 i->ifa_addr->sa_family == AF_INET6);
	freeifaddrs(all);
	return found;
}

/*
 * Chooses where PMIx keeps what it tells every rank of every other one: in each
 * rank ("hash"), which takes time and memory in proportion to the square of the
 * number of ranks, or, by default, once for all in job->dir. PMIx 4.2 takes 8
 * MiB for that, and neither checks that they are there nor survives the limit
 * of file sizes.
 */
static void choose_store(const struct job *job)
{
	struct statvfs fs;

	if (job->nranks <= HASH_MAX || !limit_allows_file(STORE_BYTES) ||
	    statvfs(job->dir, &fs) ||
	    fs.f_bavail < STORE_BYTES / (fs.f_frsize ? fs.f_frsize : 1))
		setenv("PMIX_MCA_gds", "hash", 1);
}

int server_start(const struct map *map, const struct job *job)
{
	pmix_status_t rc;
	int err = limit_on_threads();

	if (!has_interface())
		return say_fail(
		    EXIT_SERVICE,
		    "no network interface is up, and the PMIx server "
		    "needs one: ip link set lo up");
	if (err)
		return say_fail(EXIT_RESOURCE, "cannot start a thread: %s; %s",
				strerror(err), limit_advice(err));
	server.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (server.fd < 0 || sem_init(&server.replies, 0, 0))
		return say_fail(EXIT_RESOURCE, "cannot make an eventfd: %s; %s",
				strerror(errno), limit_advice(errno));
	unset_inherited();
	choose_store(job);
	server_silence();
	rc = init_library(map, job);
	if (rc)
		return server_fail("cannot start the PMIx server", rc);
	if (server_info_fill(&server.info, map, job))
		return server_fail("cannot describe the job", PMIX_ERR_NOMEM);
	rc = PMIx_server_register_nspace(job->name, job->nranks,
					 server.info.items, server.info.n,
					 server_replied, NULL);
	if (rc == PMIX_SUCCESS && !wait_replies(1, REPLY_S * 1000))
		rc = PMIX_ERR_TIMEOUT;
	if (rc && rc != PMIX_OPERATION_SUCCEEDED)
		return server_fail("cannot register the job", rc);
	rc = register_ranks(job);
	if (rc)
		return server_fail("cannot register the ranks", rc);
	return 0;
}

int server_fd(void)
{
	return server.fd;
}

bool server_next(struct server_message *message)
{
	struct list *first;
	uint64_t count;

	pthread_mutex_lock(&server.lock);
	first = list_pop(&server.messages);
	if (!first && read(server.fd, &count, sizeof(count)) < 0) {
		/* no message had been signalled */
	}
	pthread_mutex_unlock(&server.lock);
	if (!first)
		return false;
	*message = list_entry(first, struct queued, link)->message;
	free(list_entry(first, struct queued, link));
	return true;
}

/* Adds the variables that tell a rank its place without an MPI library, under
 * mrun's own names and those of Open MPI and MPICH. All ranks are on one node,
 * so the local rank is the rank. */
static int add_place(const struct job *job, int rank, char ***env)
{
	static const char *const ranks[] = {
	    "MRUN_RANK", "MRUN_LOCAL_RANK", "OMPI_COMM_WORLD_RANK",
	    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"};
	static const char *const sizes[] = {
	    "MRUN_SIZE", "MRUN_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE",
	    "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
	char r[16], n[16];
	int bad = 0;

	snprintf(r, sizeof(r), "%d", rank);
	snprintf(n, sizeof(n), "%d", job->nranks);
	for (int k = 0; k < 5; k++) {
		int rc, second;

		PMIX_SETENV(rc, ranks[k], r, env);
		PMIX_SETENV(second, sizes[k], n, env);
		bad |= rc | second;
	}
	return bad;
}

char **server_make_env(const struct job *job, int rank, char **base)
{
	pmix_proc_t proc;
	char **env;
	int n = 0;

	while (base[n])
		n++;
	env = calloc((size_t)n + 1, sizeof(*env));
	for (int i = 0; env && i < n; i++)
		env[i] = strdup(base[i]);
	PMIX_LOAD_PROCID(&proc, job->name, (pmix_rank_t)rank);
	if (env && (add_place(job, rank, &env) ||
		    PMIx_server_setup_fork(&proc, &env))) {
		server_free_env(env);
		return NULL;
	}
	return env;
}

void server_free_env(char **env)
{
	for (int i = 0; env && env[i]; i++)
		free(env[i]);
	free(env);
}

void server_forget(const struct job *job)
{
	PMIx_server_deregister_nspace(job->name, server_replied, NULL);
	wait_replies(1, FORGET_MS);
}
