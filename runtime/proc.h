/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.h: what this process is in its job, set by init.c, read by all above
 * base, and the frame around every public call.
 */
#ifndef RUNTIME_PROC_H
#define RUNTIME_PROC_H

#include <stdbool.h>

#include "mrt.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

/* PROC_CHILD: made by fork(), of a rank between init and finalize */
enum proc_state { PROC_NEW, PROC_STARTING, PROC_READY, PROC_DONE, PROC_CHILD };

struct proc {
	enum proc_state state;
	bool locked; /* MRT_THREAD_MULTIPLE or MRT_CHECK: calls take the lock */
	bool checked; /* MRT_CHECK: and are of a thread that may call */
	bool open;   /* PROC_READY, and calls take no lock */
	enum mrt_thread_level thread_level;
	enum mrt_error_mode error_mode;
	struct fab *fab;     /* the nearest open fabric; the others follow */
	struct fab_ep **eps; /* [job.size] the connection to each rank */
	struct boot_job job;
};

extern struct proc proc;

/* Calls take the lock: once, before PROC_READY, by the thread that starts.
 * check: they must be such as the thread level allows. */
void proc_use_lock(bool check);
void proc_set_state(enum proc_state state);
/* From now on a child of fork() is no rank: its calls fail. */
void proc_watch_forks(void);
void proc_lock(void);
void proc_unlock(void);
/* enter and leave where the lock is taken */
int proc_enter_locked(void);
void proc_leave_locked(void);

/*
 * Every public call that moves messages stands between these two. enter
 * fails with MRT_ERR_STATE outside of init..finalize. No more than that
 * unless MRT_THREAD_MULTIPLE or MRT_CHECK.
 */
static inline int proc_enter(void)
{
	if (__builtin_expect(proc.open, 1))
		return 0;
	if (proc.state != PROC_READY)
		return MRT_ERR_STATE;
	return proc_enter_locked();
}

static inline void proc_leave(void)
{
	if (__builtin_expect(proc.locked, 0))
		proc_leave_locked();
}

/*
 * Says why a public call is about to fail: `return proc_fail(MRT_ERR_RANK,
 * "rank %d of %d", ..)`. Kept for the proc_result that follows on this thread.
 */
int proc_fail(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says whose request it is that has failed; for mrt_error_comm. */
void proc_fail_comm(struct mrt_comm *comm);

/* The slow part of proc_result. */
int proc_failed(const char *call, int code);

/*
 * The end of every public call that can fail: 0 is returned as it is; an
 * error is treated as the error mode says: returned, or printed with the name
 * of the call and what proc_fail said, and the job ended.
 */
static inline int proc_result(const char *call, int code)
{
	return __builtin_expect(code == 0, 1) ? 0 : proc_failed(call, code);
}
#endif
