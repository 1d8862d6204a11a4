/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject_table.c lists the faults, one per row. Rank 1 of 3 fails unless the
 * row says otherwise. Places are defined in victim.c, functions by the library.
 */
#include "tests/faults/inject.h"

#define KILLED "^mrun: rank 1 .*was killed by signal 9"
#define SURVIVE .others = END_75, .named = true
#define KILL(n, a, p)                                                          \
	{                                                                      \
		.name = n, .kind = "rank killed", .ranks = 3, .rank = 1,       \
		.args = a, .at = p, .what = "kill", .code = 137,               \
		.says = KILLED, SURVIVE                                        \
	}
/* asynchronously, within a phase that is repeated for ever */
#define KILL_IN(phase, us, environment)                                        \
	{                                                                      \
		.name = "killed in " phase " (" environment ")",               \
		.kind = "rank killed", .ranks = 3, .rank = 1,                  \
		.args = "-l " phase " " phase, .at = "place:" phase,           \
		.what = "kill", .after_us = us, .env = environment,            \
		.code = 137, .says = KILLED, SURVIVE, .peers = true            \
	}
/* in start-up a rank that has not yet joined is ended by a signal */
#define START_AS(function, r, environment)                                     \
	{                                                                      \
		.name = "killed in init: " function,                           \
		.kind = "rank killed in init", .ranks = 3, .rank = r,          \
		.args = "barrier", .at = "step:" function ":1",                \
		.what = "kill", .env = environment, .code = 137,               \
		.says = "^mrun: rank " #r " .*was killed by signal 9",         \
		.others = END_75 | END_STARTING, .named = true                 \
	}
#define START(function) START_AS(function, 1, NULL)
/* in finalize other ranks may have come through */
#define STOP(function)                                                         \
	{                                                                      \
		.name = "killed in finalize: " function,                       \
		.kind = "rank killed in finalize", .ranks = 3, .rank = 1,      \
		.args = "barrier", .at = "step:" function ":1",                \
		.what = "kill", .code = 137, .says = KILLED,                   \
		.others = END_75 | END_0, .named = true                        \
	}
#define ENDS(n, p, w, c, text)                                                 \
	{                                                                      \
		.name = n, .kind = "rank ends by itself", .ranks = 3,          \
		.rank = 1, .args = "barrier", .at = p, .what = w, .code = c,   \
		.says = "^mrun: rank 1 .*" text, SURVIVE, .peers = true        \
	}
#define LAUNCHER(n, p, w, c, o)                                                \
	{                                                                      \
		.name = n, .kind = "launcher ended", .ranks = 3, .rank = 1,    \
		.args = "-l barrier barrier", .at = p, .what = w,              \
		.after_us = 20000, .code = c, .others = o, .peers = true       \
	}
#define LAUNCHER_AS(function, r, environment)                                  \
	{                                                                      \
		.name = "launcher killed at " function,                        \
		.kind = "launcher ended", .ranks = 3, .rank = r,               \
		.args = "barrier", .at = "step:" function ":1",                \
		.what = "launcher:kill", .env = environment, .code = 137,      \
		.others = END_69 | END_0 | END_STARTING | END_LEAVING          \
	}
#define LAUNCHER_AT(function) LAUNCHER_AS(function, 1, NULL)
/* a segment with a name is asked for by boot_get */
#define ASKS "MRT_SM_BACKING=shm"
/* what the program does; the job must end well, or by itself */
#define ODD(n, a, c, o, text)                                                  \
	{                                                                      \
		.name = n, .kind = "program errs", .ranks = 3, .rank = 1,      \
		.args = a, .code = c, .others = o, .says = text                \
	}
#define BARRIER "place:barrier"

/* clang-format off */
const struct fault fault_table[] = {
    /* ---- killed ---- */
    {.name = "killed while computing", .kind = "rank killed", .ranks = 3,
     .rank = 1, .args = "idle barrier", .at = "place:idle",
     .what = "kill", .code = 137, .says = KILLED,
     SURVIVE, .peers = true},
    KILL("killed in a send", "send barrier", "step:sm_send:2"),
    KILL("killed while it writes into a ring", "eager", "step:ring_push:5"),
    KILL("killed in a barrier", "barrier", "step:direct_barrier:1"),
    KILL("killed in a direct allreduce", "direct", "step:coll_run:3"),
    KILL("killed in a plan", "plan", "step:coll_start:2"),
    KILL("killed in a READ", "rendezvous", "step:step_cma:1"),
    KILL("killed in the READ itself", "rendezvous", "step:sm_cma_copy:1"),
    KILL("killed as it offers memory", "rendezvous",
	 "step:sm_mem_register:1"),
    KILL("killed as it makes a communicator", "comms",
	 "step:comm_make_prepared:1"),
    KILL_IN("eager", 20000, "MRT_LOG=error"),
    KILL_IN("barrier", 20000, "MRT_LOG=error"),
    KILL_IN("direct", 20000, "MRT_LOG=error"),
    KILL_IN("direct_long", 20000, "MRT_LOG=error"),
    KILL_IN("rendezvous", 20000, "MRT_LOG=error"),
    KILL_IN("rendezvous", 20000, "MRT_SM_CMA=no"),
    KILL_IN("direct_long", 20000, "MRT_SM_CMA=no"),
    KILL_IN("direct_long", 20000, "MRT_COLL_DIRECT=no"),
    KILL_IN("comms", 20000, "MRT_LOG=error"),
    KILL_IN("nonblocking", 20000, "MRT_LOG=error"),
    KILL_IN("bsend", 20000, "MRT_LOG=error"),
    /* ---- killed in init ---- */
    START("env_start"), START("fabrics_prepare"), START("boot_start"),
    START("boot_events_start"),
    START("same_choice_start"), START("fabric_start"), START("modex_open"),
    START_AS("boot_put", 0, NULL), START("boot_fence"),
    START("boot_get_node"), START_AS("boot_get", 1, ASKS),
    START("sm_segment_open"), START("sm_segment_attach"),
    START("wait_attached"), START("mesh_start"), START("p2p_init"),
    START("comm_init"), START("coll_init"),
    {.name = "killed in init with a file in /dev/shm",
     .kind = "rank killed in init", .ranks = 3, .rank = 0, .args = "barrier",
     .at = "step:boot_fence:1", .what = "kill", .env = "MRT_SM_BACKING=shm",
     .code = 137, .says = "^mrun: rank 0 .*was killed by signal 9",
     .others = END_75 | END_STARTING, .named = true},
    /* ---- killed in finalize ---- */
    STOP("mrt_finalize"), STOP("requests_drain"), STOP("stats_report"),
    STOP("coll_fini"), STOP("comm_fini"), STOP("p2p_fini"),
    STOP("mesh_stop"), STOP("fabric_stop"), STOP("same_choice_stop"),
    STOP("boot_stop"),
    {.name = "killed after finalize", .kind = "rank killed in finalize",
     .ranks = 3, .rank = 1, .args = "barrier", .at = "place:end",
     .what = "kill", .code = 137, .says = KILLED, .others = END_0 | END_75,
     .peers = true},
    /* ---- ends by itself ---- */
    ENDS("exit(0) without finalize", BARRIER, "exit:0", 75,
	 "exited without finalize"),
    ENDS("exit(3) without finalize", BARRIER, "exit:3", 3,
	 "exited with code 3"),
    ENDS("_exit(0) without finalize", BARRIER, "_exit:0", 75,
	 "exited without finalize"),
    ENDS("_exit(3) without finalize", BARRIER, "_exit:3", 3,
	 "exited with code 3"),
    ENDS("MPI_Abort", BARRIER, "abort:9", 9, "aborted the job with code 9"),
    ENDS("segmentation fault", BARRIER, "segv", 139,
	 "was killed by signal 11"),
    ENDS("abort()", BARRIER, "abrt", 134, "was killed by signal 6"),
    {.name = "exit(0) before init", .kind = "rank ends by itself", .ranks = 3,
     .rank = 1, .args = "barrier", .at = "place:before", .what = "exit:0",
     .code = 75, .says = "^mrun: rank 1 .*ended without joining the job",
     .others = END_75 | END_STARTING, .named = true, .peers = true},
    {.name = "exit(3) before init", .kind = "rank ends by itself", .ranks = 3,
     .rank = 1, .args = "barrier", .at = "place:before", .what = "exit:3",
     .code = 3, .says = "^mrun: rank 1 .*exited with code 3",
     .others = END_75 | END_STARTING, .named = true, .peers = true},
    {.name = "exit(3) after finalize", .kind = "rank ends by itself",
     .ranks = 3, .rank = 1, .args = "barrier", .at = "place:end",
     .what = "exit:3", .code = 3, .says = "^mrun: rank 1 .*exited with code 3",
     .others = END_0 | END_75, .peers = true},
    {.name = "stopped, and goes on", .kind = "rank stopped", .ranks = 3,
     .rank = 1, .args = "barrier all", .at = BARRIER, .what = "stop",
     .resume_ms = 3000, .code = 0, .others = END_0, .peers = true},
    {.name = "stopped in finalize, which rank 2 has left", .ranks = 3,
     .kind = "rank stopped", .rank = 1, .args = "apart barrier",
     .at = "step:round_with:2", .what = "stop", .resume_ms = 1500, .code = 0,
     .others = END_0},
    /* ---- the launcher ---- */
    LAUNCHER("launcher killed", BARRIER, "launcher:kill", 137, END_69),
    {.name = "launcher and guard killed", .kind = "launcher ended",
     .ranks = 3, .rank = 1, .args = "-l barrier barrier", .at = BARRIER,
     .what = "both:kill", .after_us = 20000, .code = 137, .others = END_69,
     .swept = true},
    {.name = "launcher and guard killed as ranks ask", .ranks = 2, .rank = -1,
     .kind = "launcher ended", .args = "barrier", .at = "step:boot_get:1",
     .what = "both:kill", .env = ASKS, .code = 137,
     .others = END_69 | END_0, .swept = true},
    {.name = "guard killed", .kind = "launcher ended", .ranks = 3, .rank = 1,
     .args = "barrier all", .at = BARRIER, .what = "guard:kill", .code = 0,
     .others = END_0},
    LAUNCHER("launcher gets SIGINT", BARRIER, "launcher:int", 130, END_KILLED),
    LAUNCHER("launcher gets SIGTERM", BARRIER, "launcher:term", 143,
	     END_KILLED),
    LAUNCHER("launcher gets SIGHUP", BARRIER, "launcher:hup", 129, END_KILLED),
    {.name = "launcher killed while ranks compute", .kind = "launcher ended",
     .ranks = 3, .rank = 1, .args = "-l idle idle", .at = "place:idle",
     .what = "launcher:kill", .after_us = 20000, .code = 137,
     .others = END_KILLED, .peers = true},
    LAUNCHER_AT("boot_init"), LAUNCHER_AT("boot_events_start"),
    LAUNCHER_AS("boot_put", 0, NULL), LAUNCHER_AT("boot_fence"),
    LAUNCHER_AT("boot_get_node"), LAUNCHER_AS("boot_get", 1, ASKS),
    LAUNCHER_AT("sm_wire"),
    LAUNCHER_AT("wait_attached"), LAUNCHER_AT("mrt_finalize"),
    LAUNCHER_AT("boot_stop"),
    /* ---- what programs do ---- */
    ODD("fork, a child that calls nothing", "fork_quiet barrier", 0, END_0,
	"^child ended with 5"),
    ODD("fork, a child that ends by exit", "fork_exit barrier", 0, END_0,
	"^child ended with 6"),
    ODD("fork, a child in a barrier", "fork_barrier barrier", 0, END_0,
	"MPI_ERR_OTHER: .*fork"),
    ODD("fork, a child that sends", "fork_send barrier", 0, END_0,
	"MPI_ERR_OTHER: .*fork"),
    ODD("fork, a child in finalize", "fork_finalize barrier", 0, END_0,
	"MPI_ERR_OTHER: .*fork"),
    ODD("fork, a child that aborts", "fork_abort barrier", 0, END_0,
	"^libmrt.1/3.*MPI_Abort.9. by a child"),
    ODD("fork, a child that stays", "fork_stay barrier", 0, END_0, NULL),
    ODD("system()", "system barrier", 0, END_0, "^system gives 7"),
    ODD("popen()", "popen barrier", 0, END_0, "^read from a pipe"),
    ODD("system() of a program of the library", "system_same barrier", 0,
	END_0, "^system gives 64"),
    ODD("exec of a program of the library", "exec_same barrier", 64, END_75,
	"this program was started by a rank"),
    ODD("exec of another program", "exec_other barrier", 75, END_75,
	"rank 1"),
    ODD("init twice", "init_twice barrier", 64, END_75,
	"libmrt.1/3.*MPI_Init.*before"),
    ODD("finalize twice", "barrier finalize_twice", 64, END_75 | END_0,
	"libmrt.1/3.*MPI_Finalize.*after MPI_Finalize"),
    ODD("a call after finalize", "barrier call_after", 64, END_75 | END_0,
	"libmrt.1/3.*MPI_Barrier.*after MPI_Finalize"),
    ODD("init after finalize", "barrier init_again", 64, END_75 | END_0,
	"libmrt.1/3.*MPI_Init"),
    /* success, or an error if the other thread is still there */
    {.name = "a thread calls during finalize", .kind = "program errs",
     .ranks = 3, .rank = 1, .args = "threads barrier thread_calls", .code = 0,
     .or_code = 64, .others = END_0 | END_75 | END_LEAVING},
    ODD("no init, and exit(0)", "noinit", 75, END_75 | END_STARTING,
	"rank 1 .*ended without joining the job"),
};
/* clang-format on */
const int fault_table_size = sizeof(fault_table) / sizeof(fault_table[0]);
