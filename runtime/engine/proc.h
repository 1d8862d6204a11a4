/* SPDX-License-Identifier: Apache-2.0 */
/* proc.h: the state of this process in its job, set by init.c and read by all
 * above base, and the frame around every public call. */
#ifndef RUNTIME_PROC_H
#define RUNTIME_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

/* PROC_RESTING: after mrt_rest; PROC_CHILD: created by fork() of a rank between
 * init and finalize */
enum proc_state {
	PROC_NEW,
	PROC_STARTING,
	PROC_READY,
	PROC_RESTING,
	PROC_DONE,
	PROC_CHILD
};

struct proc {
	enum proc_state state;
	bool locked; /* MRT_THREAD_MULTIPLE or MRT_CHECK: calls take the lock */
	bool checked;  /* MRT_CHECK: and check that the thread may call */
	bool threaded; /* MRT_PROGRESS=thread */
	/* Counted under the lock: the calls under way, nested ones too, also
	 * while they wait with the lock released, and those that have ended. */
	unsigned inside;
	uint32_t calls;
	/* PROC_READY, no lock is needed, nothing is traced, and no callback
	 * runs */
	bool open;
	bool framed;   /* locked or traced: proc_leave has something to do */
	int callbacks; /* user callbacks in progress, nested */
	enum mrt_thread_level thread_level;
	enum mrt_error_mode error_mode;
	struct fab *fab;       /* the first open fabric; the others follow */
	struct fab *far;       /* the last one, which reaches other nodes */
	struct fab_node *node; /* of the first one, or NULL */
	struct fab_ep **eps;   /* [job.size] see proc_ep */
	struct boot_job job;
};

extern struct proc proc;

/* Makes the connection to a world rank. If there is no memory for it the job
 * ends, as most callers have promised a peer to go on. */
struct fab_ep *proc_ep_make(int rank);
/* Returns the connection to a world rank. Who can bear fab_unmade takes
 * proc.eps[rank]. */
static inline struct fab_ep *proc_ep(int rank)
{
	struct fab_ep *ep = proc.eps[rank];

	return __builtin_expect(ep != &fab_unmade, 1) ? ep : proc_ep_make(rank);
}

/* proc_fab_of returns the fabric that joins this rank with a world rank. It
 * makes a connection to none but those of this node. */
struct fab *proc_fab_of(int rank);

/* Makes calls take the lock; called once in a start, before PROC_READY. `check`
 * makes them fail if the thread level forbids them. */
void proc_use_lock(bool check);
/* The thread that sets PROC_READY is the one that MRT_THREAD_FUNNELED allows to
 * call. */
void proc_set_state(enum proc_state state);
/* Makes calls fail in a child of fork(), which is no rank. */
void proc_watch_forks(void);
void proc_lock(void);
void proc_unlock(void);
/* Lets other threads have the lock. */
void proc_give_way(void);
/* Waits for proc_lock_signal with the lock released, at most `us` microseconds
 * unless that is 0; may return early. */
void proc_lock_wait(unsigned us);
void proc_lock_signal(void);

/* Enclose a user's function that is called from inside progress or a
 * collective. The message in question may still be at the head of its ring, and
 * nothing can progress, so calls of that function fail. */
void proc_callback_begin(void);
void proc_callback_end(void);

/* Slow paths of the three functions below. `call` lacks its first four
 * characters, mrt_, so that it is another constant than the name that
 * proc_result gets: the compiler would keep one constant in a register, which
 * costs the fast path instructions. */
int proc_enter_slow(const char *call, bool from_callbacks);
void proc_leave_slow(void);

/* Every public call that moves messages stands between proc_enter and
 * proc_leave. proc_enter fails with MRT_ERR_STATE outside of init..finalize and
 * in a callback. It does no more unless MRT_THREAD_MULTIPLE, MRT_CHECK or
 * MRT_TRACE is on. `call` is the call's name, a constant. */
static inline int proc_enter(const char *call)
{
	return __builtin_expect(proc.open, 1)
		   ? 0
		   : proc_enter_slow(call + 4, false);
}

/* Like proc_enter for calls that move no message: they may be made in a
 * callback. */
static inline int proc_enter_local(const char *call)
{
	return __builtin_expect(proc.open, 1) ? 0
					      : proc_enter_slow(call + 4, true);
}

static inline void proc_leave(void)
{
	if (__builtin_expect(proc.framed, 0))
		proc_leave_slow();
}

/* Leaves and returns rc, for `proc_enter(call) ?: proc_leave_with(work())`. */
static inline int proc_leave_with(int rc)
{
	proc_leave();
	return rc;
}

/* Records why a public call is about to fail: `return proc_fail(MRT_ERR_RANK,
 * "rank %d of %d", ..)`. The text is kept for the proc_result that follows on
 * this thread. Returns code. */
int proc_fail(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#ifdef __clang_analyzer__ /* it sees this file only: the result is not 0 */
#define proc_fail(code, ...) ((proc_fail)((code), __VA_ARGS__), (code))
#endif

/* Like proc_fail, for a handle that is not `what`, such as "a type", or is
 * freed. */
int proc_fail_handle(int code, const void *handle, const char *what);

/* Records the communicator of the request that has failed, for
 * mrt_error_comm. */
void proc_fail_comm(struct mrt_comm *comm);

/* Slow path of proc_result. */
int proc_failed(const char *call, int code);

/* Ends every public call that can fail. 0 is returned as it is; an error is
 * handled by the error mode: returned, or printed with the name of the call and
 * the text of proc_fail, and then the job ends. */
static inline int proc_result(const char *call, int code)
{
	return __builtin_expect(code == 0, 1) ? 0 : proc_failed(call, code);
}
#endif
