/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.h: what this process is in its job, set by init.c, read by all above
 * base. `proc.fab` is the open fabric, `proc.eps[r]` the connection to r.
 */
#ifndef RUNTIME_PROC_H
#define RUNTIME_PROC_H

#include <stdbool.h>

#include "mrt.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

enum proc_state { PROC_NEW, PROC_STARTING, PROC_READY, PROC_DONE };

struct proc {
	struct boot_job job;
	struct fab *fab;
	struct fab_ep **eps; /* [job.size] */
	enum proc_state state;
	enum mrt_thread_level thread_level;
	enum mrt_error_mode error_mode;
	bool locked; /* MRT_THREAD_MULTIPLE: calls take proc_lock */
};

extern struct proc proc;

/*
 * Every public call that moves messages stands between these two. enter
 * fails with MRT_ERR_STATE outside of init..finalize. No-ops but for that
 * unless MRT_THREAD_MULTIPLE.
 */
int proc_enter(void);
void proc_leave(void);

/*
 * The end of every public call that can fail: code 0 is returned; an error is
 * reported as the error mode says (fatal: logs `call`: text of the code, ends
 * the job). Logs nothing when `logged` says that the detector has done so.
 */
int proc_result(const char *call, int code);
#endif
