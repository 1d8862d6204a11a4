/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd.c: fork, system, exec, calls made twice, calls from a thread that nobody
 * joins. The library reports errors to the program; what a child found is
 * printed for the harness.
 */
#include "tests/faults/odd.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/fault_act.h"

static void say(const char *what, int n)
{
	printf("%s %d\n", what, n);
	fflush(stdout);
}

static int code_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs `child` in a forked process, waits, and prints how it ended. */
static void with_child(void (*child)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		child();
		exit(0);
	}
	waitpid(pid, &status, 0);
	say("child ended with", code_of(status));
}

static void leave(void)
{
	_exit(5);
}

/* Leaves by exit, so that handlers and destructors run, those of libraries
 * too. */
static void leave_slowly(void)
{
	exit(6);
}

static void call_barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void call_send(void)
{
	int x = 0;

	MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void call_finalize(void)
{
	MPI_Finalize();
}

static void call_abort(void)
{
	MPI_Abort(MPI_COMM_WORLD, 9);
}

static void fork_quiet(void)
{
	with_child(leave);
}

static void fork_exit(void)
{
	with_child(leave_slowly);
}

static void fork_barrier(void)
{
	with_child(call_barrier);
}

static void fork_send(void)
{
	with_child(call_send);
}

static void fork_finalize(void)
{
	with_child(call_finalize);
}

static void fork_abort(void)
{
	with_child(call_abort);
}

/* The parent goes on and dies; the child is in its process group. */
static void fork_stay(void)
{
	fflush(NULL);
	if (fork() == 0) {
		pause();
		_exit(0);
	}
}

static void run_system(void)
{
	say("system gives", code_of(system("exit 7")));
}

static void run_popen(void)
{
	char text[32] = "";
	FILE *pipe = popen("echo from a pipe", "r");

	if (pipe && fgets(text, sizeof(text), pipe))
		printf("read %s", text);
	say("pclose gives", pipe ? code_of(pclose(pipe)) : -1);
}

/* Starts another program of the library as a child, which must not join this
 * job. */
static void system_same(void)
{
	char command[4096];
	ssize_t n = readlink("/proc/self/exe", command, sizeof(command) - 16);

	if (n > 0)
		strcpy(command + n, " barrier");
	unsetenv("FAULT_LOG");
	unsetenv("FAULT_RANK");
	say("system gives", code_of(system(command)));
}

static void exec_same(void)
{
	execl("/proc/self/exe", "victim", "barrier", (char *)NULL);
}

static void exec_other(void)
{
	execlp("true", "true", (char *)NULL);
}

static void init_twice(void)
{
	MPI_Init(NULL, NULL);
}

static void finalize_twice(void)
{
	MPI_Finalize();
	MPI_Finalize();
}

static void call_after(void)
{
	MPI_Finalize();
	MPI_Barrier(MPI_COMM_WORLD);
}

static void init_again(void)
{
	MPI_Finalize();
	MPI_Init(NULL, NULL);
}

static void *call_for_ever(void *arg)
{
	(void)arg;
	for (;;) {
		int flag;

		MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_SELF, &flag,
			   MPI_STATUS_IGNORE);
	}
	return NULL;
}

/* Needs MPI_THREAD_MULTIPLE, so it follows the phase "threads". */
static void thread_calls(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, call_for_ever, NULL);
	usleep(10000);
	MPI_Finalize();
	exit(0);
}

static void leave_early(void)
{
	exit(0);
}

static void leave_early_3(void)
{
	exit(3);
}

static void abort_9(void)
{
	MPI_Abort(MPI_COMM_WORLD, 9);
}

static const struct odd {
	const char *name;
	void (*run)(void);
} all[] = {
    {"fork_quiet", fork_quiet},
    {"fork_exit", fork_exit},
    {"fork_barrier", fork_barrier},
    {"fork_send", fork_send},
    {"fork_finalize", fork_finalize},
    {"fork_abort", fork_abort},
    {"fork_stay", fork_stay},
    {"system", run_system},
    {"popen", run_popen},
    {"system_same", system_same},
    {"exec_same", exec_same},
    {"exec_other", exec_other},
    {"init_twice", init_twice},
    {"finalize_twice", finalize_twice},
    {"call_after", call_after},
    {"init_again", init_again},
    {"thread_calls", thread_calls},
    {"exit0", leave_early},
    {"exit3", leave_early_3},
    {"abort9", abort_9},
};

bool odd_run(const char *name)
{
	const char *mine = getenv("FAULT_RANK");

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		if (strcmp(all[k].name, name))
			continue;
		if (mine && atoi(mine) == fault_rank()) {
			fault_mark();
			all[k].run();
		}
		return true;
	}
	return false;
}

/* In the phase "noinit" the rank does nothing at all. */
bool odd_before(const char *name)
{
	const char *mine = getenv("FAULT_RANK");

	if (strcmp(name, "noinit") || !mine || atoi(mine) != fault_rank())
		return false;
	fault_mark();
	return true;
}
