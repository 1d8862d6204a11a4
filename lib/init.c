/* SPDX-License-Identifier: Apache-2.0 */
/*
 * init.c: start-up and the end as tables. Start-up is undone in reverse: by
 * mrt_finalize, or from the step that failed.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coll/run/same_choice.h"
#include "coll/comm/coll_comm.h"
#include "lib/leftovers.h"
#include "lib/drain.h"
#include "coll/call/check.h"
#include "p2p/comm.h"
#include "p2p/p2p.h"
#include "rma/win.h"
#include "runtime/base/clock.h"
#include "runtime/base/crash.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang.h"
#include "runtime/base/log.h"
#include "runtime/base/trace.h"
#include "runtime/boot/boot.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress_thread.h"
#include "runtime/engine/slice.h"
#include "lib/stats.h"
#include "runtime/engine/wait.h"
#include "runtime/topo/topo.h"

static int env_start(void)
{
	char err[256];

	if (env_load(err, sizeof(err)))
		return log_error(MRT_ERR_ENV, "%s", err);
	return 0;
}

/* A rank's stdout is a pipe, which the C library would fill before it writes:
 * what a program prints before it hangs or crashes would not be seen. */
static __attribute__((constructor)) void stdout_show_lines(void)
{
	static const int modes[] = {[STREAM_NONE] = _IONBF,
				    [STREAM_LINE] = _IOLBF,
				    [STREAM_FULL] = _IOFBF};

	if (boot_is_launched())
		setvbuf(stdout, NULL, modes[env_choice("MRT_STREAM_BUFFERING")],
			0);
}

/* This and the next precede boot, since PMIx has threads. */
static int slice_start(void)
{
	slice_shorten((unsigned)env.slice_us);
	return 0;
}

static int fabrics_prepare(void)
{
	fab_prepare();
	return 0;
}

static int boot_start(void)
{
	return boot_init(&proc.job);
}

static void boot_stop(void)
{
	boot_finalize(&proc.job, proc.state != PROC_STARTING);
}

/* Warns of unknown variables, once per job: on rank 0. */
static int env_warn(void)
{
	struct env_unknown unknown;

	for (int k = 0; proc.job.rank == 0 && env_unknown(k, &unknown); k++)
		log_warn("%s", unknown.text);
	return 0;
}

static int hang_start(void)
{
	hang_open(proc.job.dir, proc.job.rank);
	return 0;
}

static void hang_stop(void)
{
	hang_close(proc.state != PROC_STARTING);
}

static int hang_node_start(void)
{
	const struct fab_node *node = proc.node;

	if (node && node->records_at)
		hang_share(node->records_fd, node->records_at,
			   proc.job.node_size, proc.job.rank,
			   proc.job.node_rank);
	return 0;
}

static int trace_start(void)
{
	trace_open(proc.job.rank, proc.job.size, proc.job.id, proc.job.host);
	trace_enter("mrt_", "init");
	return 0;
}

static void trace_stop(void)
{
	trace_close(proc.state == PROC_DONE);
}

static void wake_self(void)
{
	if (proc.fab)
		proc.fab->ops->wake(proc.fab);
}

static void start_waiting(void)
{
	bool crowded = false, metered = false, software = false;

	for (const struct fab *fab = proc.fab; fab; fab = fab->next) {
		crowded |= fab->crowded;
		metered |= fab->metered;
		software |= fab->software;
	}
	wait_init(crowded, metered, software && proc.job.nnodes > 1);
}

/* Returns the cache of this rank: a group if the user wants so many consecutive
 * ranks of the node each. */
static int own_cache(void)
{
	return env.coll_group ? proc.job.node_rank / (int)env.coll_group
			      : topo_cache();
}

static int fabric_start(void)
{
	struct fab_sink sink = {.recv = p2p_deliver,
				.wake = wake_self,
				.threads =
				    proc.thread_level > MRT_THREAD_SINGLE ||
				    env.progress == PROGRESS_THREAD,
				.cache = own_cache()};
	int rc;

	same_choice_words(sink.words);
	rc = fab_open(&proc.job, &sink, &proc.fab);
	if (rc)
		return rc;
	proc.node = proc.fab->node;
	for (proc.far = proc.fab; proc.far->next;)
		proc.far = proc.far->next;
	start_waiting();
	fault_set_wakeup(wake_self);
	return 0;
}

static void fabric_stop(void)
{
	fault_set_wakeup(NULL);
	fab_close(proc.fab);
	proc.fab = proc.far = NULL;
	proc.node = NULL;
}

static int mesh_start(void)
{
	proc.eps = malloc((size_t)proc.job.size * sizeof(*proc.eps));
	if (!proc.eps)
		return log_error(MRT_ERR_NO_MEM, "table of %d connections",
				 proc.job.size);
	for (int r = 0; r < proc.job.size; r++)
		proc.eps[r] = &fab_unmade;
	return 0;
}

static void mesh_stop(void)
{
	free(proc.eps);
	proc.eps = NULL;
}

/* Is the last but one step: until then there is one thread, and waits release
 * the lock. */
static int lock_start(void)
{
	bool multiple = proc.thread_level == MRT_THREAD_MULTIPLE;

	trace_leave(); /* mrt_init; what follows adds no events */
	if (multiple || env.check || env.progress == PROGRESS_THREAD)
		proc_use_lock(env.check && !multiple);
	return 0;
}

static int progress_start(void)
{
	return env.progress == PROGRESS_THREAD ? progress_thread_start() : 0;
}

/* The steps of start-up. stop follows each start, also one that has failed. */
static const struct startup {
	const char *name;
	int (*start)(void);
	void (*stop)(void);
} steps[] = {
    {"environment", env_start, NULL},
    {"time slice", slice_start, NULL},
    {"fabrics", fabrics_prepare, NULL},
    {"boot", boot_start, boot_stop},
    {"unknown variables", env_warn, NULL},
    {"crashes", crash_watch, crash_unwatch},
    {"hang report", hang_start, hang_stop},
    {"trace", trace_start, trace_stop},
    {"choices", same_choice_start, same_choice_stop},
    {"fabric", fabric_start, fabric_stop},
    {"hang report of the node", hang_node_start, hang_unshare},
    {"mesh", mesh_start, mesh_stop},
    {"p2p", p2p_init, p2p_fini},
    {"communicators", comm_init, comm_fini},
    {"collectives", coll_init, coll_fini},
    {"windows", win_init, win_fini},
    {"lock", lock_start, NULL},
    {"progress", progress_start, progress_thread_stop},
};
enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static void stop_from(int k)
{
	for (; k >= 0; k--)
		if (steps[k].stop)
			steps[k].stop();
}

static int start_all(void)
{
	for (int k = 0; k < STEPS; k++) {
		int rc = steps[k].start();

		log_debug("start %s: %d", steps[k].name, rc);
		if (rc && fault_code == 0 &&
		    proc.error_mode == MRT_ERRORS_FATAL)
			/* the cause is already logged */
			boot_abort(error_exit_code(rc), error_name(rc));
		if (rc) {
			stop_from(k);
			return rc;
		}
	}
	return 0;
}

static bool is_level(enum mrt_thread_level level)
{
	return level == MRT_THREAD_SINGLE || level == MRT_THREAD_FUNNELED ||
	       level == MRT_THREAD_SERIALIZED || level == MRT_THREAD_MULTIPLE;
}

static int runtime_check(enum mrt_thread_level required)
{
	if (proc.state == PROC_CHILD)
		return MRT_ERR_STATE;
	if (proc.state == PROC_STARTING || proc.state == PROC_READY)
		return proc_fail(MRT_ERR_STATE, "it has been called before");
	return is_level(required)
		   ? 0
		   : proc_fail(MRT_ERR_ARG, "no such thread level: %d",
			       (int)required);
}

static int runtime_start(enum mrt_thread_level required)
{
	static bool watched;
	int rc;

	proc.locked = proc.checked = false; /* as an earlier start left it */
	proc_set_state(PROC_STARTING);
	proc.thread_level = required;
	if (!watched)
		proc_watch_forks();
	watched = true;
	rc = start_all();
	proc_set_state(rc ? PROC_NEW : PROC_READY);
	return rc ? proc_fail(rc, "%s", log_last_error()) : 0;
}

/* Ends a rest, unless a fault has ended the job meanwhile. */
static int runtime_wake(void)
{
	int rc = fault_report();

	if (rc)
		return rc;
	if (proc.locked)
		proc_lock();
	hang_rest(false);
	proc_set_state(PROC_READY);
	if (proc.locked)
		proc_unlock();
	return 0;
}

int mrt_init_thread(int *argc, char ***argv, enum mrt_thread_level required,
		    enum mrt_thread_level *provided)
{
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
	int rc;

	pthread_mutex_lock(&once);
	rc = runtime_check(required);
	if (!rc)
		rc = proc.state == PROC_RESTING ? runtime_wake()
						: runtime_start(required);
	if (!rc && provided)
		*provided = proc.thread_level;
	pthread_mutex_unlock(&once);
	return proc_result("mrt_init", rc);
}

int mrt_init(int *argc, char ***argv)
{
	return mrt_init_thread(argc, argv, MRT_THREAD_SINGLE, NULL);
}

static int end_report(void)
{
	if (env.check)
		leftovers_report();
	return 0;
}

static int end_check(void)
{
	return check_call(&comm_world, "mrt_finalize", -1);
}

/* mrt_finalize runs these before it undoes the steps of start-up, up to the
 * first error. The check brings all messages of users. Statistics come before
 * the messages of the end itself; no rank closes anything that another one
 * still uses. */
static const struct {
	const char *name;
	int (*run)(void);
} end[] = {
    {"leftovers", end_report},	  {"check", end_check},
    {"statistics", stats_report}, {"windows", win_drain},
    {"requests", drain_requests}, {"strays", leftovers_report_strays},
    {"cells", drain_cells},
};
enum { ENDS = sizeof(end) / sizeof(end[0]) };

int mrt_rest(void)
{
	int rc = proc_enter("mrt_rest");

	if (!rc) {
		rc = drain_requests();
		if (!rc) {
			hang_rest(true);
			proc_set_state(PROC_RESTING);
		}
		proc_leave();
	}
	return proc_result("mrt_rest", rc);
}

int mrt_finalize(void)
{
	int rc = proc.state == PROC_RESTING ? runtime_wake() : 0;

	if (!rc)
		rc = proc_enter("mrt_finalize");
	if (rc)
		return proc_result("mrt_finalize", rc);
	for (int k = 0; k < ENDS && !rc; k++) {
		rc = end[k].run();
		log_debug("end %s: %d", end[k].name, rc);
	}
	/* the ranks do not all call it, so the others go on */
	if (rc != MRT_ERR_COLLECTIVE)
		proc_set_state(PROC_DONE);
	proc_leave();
	if (!rc) {
		stop_from(STEPS - 1);
		/* what was sent last may not have arrived */
		rc = fault_report();
	}
	return proc_result("mrt_finalize", rc);
}

int mrt_initialized(void)
{
	return proc.state == PROC_READY || proc.state == PROC_DONE ||
	       proc.state == PROC_CHILD;
}

int mrt_finalized(void)
{
	/* a child of fork has nothing to finalize */
	return proc.state == PROC_DONE || proc.state == PROC_CHILD;
}

enum mrt_thread_level mrt_thread_level(void)
{
	return proc.thread_level;
}

/* The launcher tells of the rank, too, so it gets the name alone. */
void mrt_abort_by(const char *function, int code)
{
	log_line(LOG_ERROR, 0, "%s(%d) by %srank %d", function, code,
		 proc.state == PROC_CHILD ? "a child, which ends alone, of "
					  : "",
		 proc.job.rank);
	signal(SIGPIPE, SIG_IGN);
	fflush(NULL);
	/* an exit code keeps only the low byte, and must not say success */
	boot_abort(code & 0xff ? code & 0xff : 1, function);
}

void mrt_abort(struct mrt_comm *comm, int code)
{
	mrt_abort_by("mrt_abort", code);
}

int mrt_node_rank(void)
{
	return mrt_initialized() ? proc.job.node_rank
				 : proc_result("mrt_node_rank", MRT_ERR_STATE);
}

int mrt_node_size(void)
{
	return mrt_initialized() ? proc.job.node_size
				 : proc_result("mrt_node_size", MRT_ERR_STATE);
}

int mrt_processor_name(char *name, size_t len)
{
	int rc = mrt_initialized() ? 0 : MRT_ERR_STATE;

	if (!rc && !name)
		rc = proc_fail(MRT_ERR_ARG, "name is NULL");
	if (!rc && len <= strlen(proc.job.host))
		rc = proc_fail(MRT_ERR_ARG, "room for %zu bytes, %zu needed",
			       len, strlen(proc.job.host) + 1);
	if (!rc)
		strcpy(name, proc.job.host);
	return proc_result("mrt_processor_name", rc);
}

int mrt_is_within(int locality)
{
	if (proc.state != PROC_READY)
		return proc_result("mrt_is_within", MRT_ERR_STATE);
	if (locality == MRT_LOCALITY_NODE)
		return 1;
	if (locality == MRT_LOCALITY_CACHE)
		return topo_cache() >= 0;
	return proc_result(
	    "mrt_is_within",
	    proc_fail(MRT_ERR_ARG, "no such locality: %d", locality));
}

double mrt_wtime(void)
{
	return (double)clock_ns() * 1e-9;
}

double mrt_wtick(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *mrt_version(void)
{
	return "libmrt " PACKAGE_VERSION " (" BUILD_OPTIONS ")";
}
