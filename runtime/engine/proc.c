/* SPDX-License-Identifier: Apache-2.0 */
/* proc.c: the lock of MRT_THREAD_MULTIPLE, and how a failing call ends. */
#include "runtime/engine/proc.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/base/names.h"
#include "runtime/base/trace.h"
#include "runtime/engine/progress_thread.h"

struct proc proc;

/* Recursive: a user's operation runs with the lock held and may, like any
 * callback, query its type. */
static pthread_mutex_t lock;
static pthread_cond_t signalled; /* proc_lock_signal */
/* MRT_CHECK: the thread that called mrt_init last, and the one inside calls.
 * Accessed under the lock. */
static pthread_t first, caller;
/* The description of the last error; told: set by proc_fail and not yet
 * used. */
static _Thread_local struct {
	bool told;
	int code;
	char text[256];
	struct mrt_comm *comm, *failed_comm; /* recorded, and of */
} detail = {.failed_comm = MRT_COMM_NULL};

struct fab_ep *proc_ep_make(int rank)
{
	int rc = fab_connect(proc.fab, rank, &proc.eps[rank]);

	if (rc)
		boot_abort(error_exit_code(rc), error_name(rc));
	return proc.eps[rank];
}

struct fab *proc_fab_of(int rank)
{
	if (proc.eps[rank] != &fab_unmade || boot_is_local(&proc.job, rank))
		return proc_ep(rank)->fab;
	return proc.far;
}

static void set_open(void)
{
	proc.framed = proc.locked || trace_on;
	proc.open = proc.state == PROC_READY && !proc.framed && !proc.callbacks;
}

void proc_use_lock(bool check)
{
	pthread_mutexattr_t attr;
	pthread_condattr_t cond_attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	pthread_mutexattr_destroy(&attr);
	pthread_condattr_init(&cond_attr);
	pthread_condattr_setclock(&cond_attr, CLOCK_MONOTONIC);
	pthread_cond_init(&signalled, &cond_attr);
	pthread_condattr_destroy(&cond_attr);
	proc.checked = check;
	proc.locked = true;
	set_open();
}

void proc_set_state(enum proc_state state)
{
	if (state == PROC_READY)
		first = pthread_self();
	proc.state = state;
	set_open();
}

void proc_callback_begin(void)
{
	proc.callbacks++;
	proc.open = false;
}

void proc_callback_end(void)
{
	proc.callbacks--;
	set_open();
}

/* Runs in the child, which shares the job's memory but has no threads of PMIx.
 * Whatever it did would count as done by its parent. */
static void proc_forked(void)
{
	/* also after a failed start */
	boot_forked();
	trace_on = false;
	if (proc.state == PROC_STARTING || proc.state == PROC_READY ||
	    proc.state == PROC_RESTING)
		proc_set_state(PROC_CHILD);
}

void proc_watch_forks(void)
{
	pthread_atfork(NULL, NULL, proc_forked);
}

void proc_lock(void)
{
	pthread_mutex_lock(&lock);
}

void proc_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void proc_give_way(void)
{
	proc_unlock();
	sched_yield();
	proc_lock();
}

void proc_lock_wait(unsigned us)
{
	struct timespec end = clock_in(CLOCK_MONOTONIC, us * 1000l);

	if (us)
		pthread_cond_timedwait(&signalled, &lock, &end);
	else
		pthread_cond_wait(&signalled, &lock);
}

void proc_lock_signal(void)
{
	pthread_cond_signal(&signalled);
}

/* Checks, under the lock, that the thread level allows this call. */
static int check_thread(void)
{
	pthread_t self = pthread_self();

	if (proc.thread_level < MRT_THREAD_SERIALIZED &&
	    !pthread_equal(self, first))
		return proc_fail(
		    MRT_ERR_STATE,
		    "called by another thread than mrt_init, which "
		    "MRT_THREAD_%s does not allow; ask "
		    "mrt_init_thread for a higher level",
		    proc.thread_level == MRT_THREAD_SINGLE ? "SINGLE"
							   : "FUNNELED");
	if (proc.inside && !pthread_equal(self, caller))
		return proc_fail(
		    MRT_ERR_STATE,
		    "called while another thread is inside a call, "
		    "which MRT_THREAD_SERIALIZED does not allow; "
		    "ask mrt_init_thread for MRT_THREAD_MULTIPLE");
	caller = self;
	return 0;
}

/* Checks, under the lock, that no callback forbids this call. */
static int check_caller(bool from_callbacks)
{
	if (proc.callbacks && !from_callbacks)
		return proc_fail(MRT_ERR_STATE,
				 "called from inside an operation of a "
				 "reduction, which may only compute");
	return proc.checked ? check_thread() : 0;
}

int proc_enter_slow(const char *call, bool from_callbacks)
{
	int rc;

	if (proc.state != PROC_READY)
		return MRT_ERR_STATE;
	if (proc.locked)
		proc_lock();
	/* another thread may have finalized while this one waited */
	rc = proc.state == PROC_READY ? check_caller(from_callbacks)
				      : MRT_ERR_STATE;
	if (proc.locked && rc)
		proc_unlock();
	else if (proc.locked)
		proc.inside++;
	if (!rc)
		trace_enter("mrt_", call);
	return rc;
}

void proc_leave_slow(void)
{
	trace_leave();
	if (!proc.locked)
		return;
	proc.calls++;
	if (--proc.inside == 0 && proc.threaded)
		progress_thread_resume();
	proc_unlock();
}

int(proc_fail)(int code, const char *format, ...)
{
	va_list args;
	char *nil;

	detail.told = true;
	detail.code = code;
	va_start(args, format);
	vsnprintf(detail.text, sizeof(detail.text), format, args);
	va_end(args);
	/* the C library's word for NULL */
	while ((nil = strstr(detail.text, "(nil)"))) {
		memcpy(nil, "NULL", 4);
		memmove(nil + 4, nil + 5, strlen(nil + 5) + 1);
	}
	return code;
}

int proc_fail_handle(int code, const void *handle, const char *what)
{
	static const struct {
		const void *handle;
		const char *name;
	} constants[] = {{MRT_COMM_NULL, "MRT_COMM_NULL"},
			 {MRT_COMM_WORLD, "MRT_COMM_WORLD"},
			 {MRT_COMM_SELF, "MRT_COMM_SELF"},
			 {MRT_REQUEST_NULL, "MRT_REQUEST_NULL"},
			 {MRT_TYPE_NULL, "MRT_TYPE_NULL"},
			 {MRT_OP_NULL, "MRT_OP_NULL"},
			 {MRT_GROUP_NULL, "MRT_GROUP_NULL"},
			 {MRT_MESSAGE_NULL, "MRT_MESSAGE_NULL"},
			 {MRT_WIN_NULL, "MRT_WIN_NULL"}};

	for (size_t k = 0; k < sizeof(constants) / sizeof(*constants); k++)
		if (constants[k].handle == handle)
			return proc_fail(code, "%s is not %s",
					 constants[k].name, what);
	return proc_fail(code,
			 handle ? "%p is not %s, or is freed" : "%p is not %s",
			 handle, what);
}

void proc_fail_comm(struct mrt_comm *comm)
{
	detail.comm = comm;
}

/* The call has left, and may have no lock. */
static void trace_failure(int code)
{
	if (proc.locked)
		proc_lock();
	trace_write(TRACE_FAIL, -1, 0, (uint32_t)code);
	if (proc.locked)
		proc_unlock();
}

int proc_failed(const char *call, int code)
{
	if (proc.state == PROC_CHILD && code == MRT_ERR_STATE)
		proc_fail(code, "called in a child that the rank has made by "
				"fork(); only the rank itself may");
	else if (!detail.told || detail.code != code)
		proc_fail(code, "%s",
			  code == fault_code ? fault_message()
					     : error_text(code));
	detail.told = false;
	if (trace_on)
		trace_failure(code);
	detail.failed_comm = detail.comm ? detail.comm : MRT_COMM_NULL;
	detail.comm = NULL;
	if (proc.error_mode != MRT_ERRORS_RETURN &&
	    proc.error_mode != MRT_ERRORS_MPI)
		mrt_error_fatal(call, code);
	return code;
}

void mrt_error_fatal(const char *call, int code)
{
	/* the reader of the output may be gone: flushing must not end the
	 * process before its exit code does */
	signal(SIGPIPE, SIG_IGN);
	code = fault_resolve(code);
	/* a fault has its own message */
	if (code == fault_code)
		fault_report();
	else
		/* MPI's call comes with its error class */
		log_line(LOG_ERROR, names_are_mpi() ? 0 : code, "%s: %s", call,
			 mrt_error_detail());
	fflush(NULL);
	/* the launcher knows of these */
	if (code == fault_code &&
	    (code == MRT_ERR_PEER || code == MRT_ERR_SERVICE))
		_exit(error_exit_code(code));
	boot_abort(error_exit_code(code),
		   names_are_mpi() ? call : error_name(code));
}

const char *mrt_error_detail(void)
{
	return detail.text;
}

void mrt_set_error_detail(const char *text)
{
	if (text != detail.text)
		snprintf(detail.text, sizeof(detail.text), "%s", text);
}

struct mrt_comm *mrt_error_comm(void)
{
	return detail.failed_comm;
}

enum mrt_error_mode mrt_set_error_mode(enum mrt_error_mode mode)
{
	enum mrt_error_mode before = proc.error_mode;

	proc.error_mode = mode;
	names_use_mpi(mode == MRT_ERRORS_MPI);
	return before;
}
