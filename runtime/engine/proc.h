/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.h: what this process is in its job, set by init.c, read by all above
 * base, and the frame around every public call.
 */
#ifndef RUNTIME_PROC_H
#define RUNTIME_PROC_H

#include <stdbool.h>

#include "mrt_lib.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

/* PROC_CHILD: made by fork(), of a rank between init and finalize */
enum proc_state { PROC_NEW, PROC_STARTING, PROC_READY, PROC_DONE, PROC_CHILD };

struct proc {
	enum proc_state state;
	bool locked; /* MRT_THREAD_MULTIPLE or MRT_CHECK: calls take the lock */
	bool checked; /* MRT_CHECK: and are of a thread that may call */
	bool open; /* PROC_READY, calls take no lock, and it is no callback */
	int callbacks; /* users' operations that run, one inside the other */
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

/*
 * Around a user's function that is called from inside progress or a collective:
 * the message that it is about may still be at the head of its ring, and
 * nothing moves, so the calls of the function fail.
 */
void proc_callback_begin(void);
void proc_callback_end(void);

/* The slow parts of the three below. */
int proc_enter_slow(bool from_callbacks);
void proc_leave_locked(void);

/*
 * Every public call that moves messages stands between these two. enter
 * fails with MRT_ERR_STATE outside of init..finalize and in a callback. No more
 * than that unless MRT_THREAD_MULTIPLE or MRT_CHECK.
 */
static inline int proc_enter(void)
{
	return __builtin_expect(proc.open, 1) ? 0 : proc_enter_slow(false);
}

/* For what moves nothing: in a callback too. */
static inline int proc_enter_local(void)
{
	return __builtin_expect(proc.open, 1) ? 0 : proc_enter_slow(true);
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
#ifdef __clang_analyzer__ /* sees no further than this file: it is not 0 */
#define proc_fail(code, ...) ((proc_fail)((code), __VA_ARGS__), (code))
#endif

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
