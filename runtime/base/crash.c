/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crash.c: the handler runs once, on a stack of its own if the thread that
 * initialized has crashed, with the default action back in place. It returns to
 * the instruction that failed, which then fails for good: a core shows the
 * crash, and not the handler.
 */
#include "runtime/base/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"

enum {
	FRAMES = 16,
	OWN_FRAMES = 2, /* the handler, and what the kernel returns to */
	STACK = 65536	/* the registers alone may take 11 KiB */
};

/* The texts are strsignal's, which a handler must not call. */
static const struct {
	int number;
	const char *text;
} signals[] = {{SIGSEGV, "Segmentation fault"},
	       {SIGBUS, "Bus error"},
	       {SIGFPE, "Floating point exception"},
	       {SIGILL, "Illegal instruction"},
	       {SIGABRT, "Aborted"}};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static char crash_stack[STACK] __attribute__((aligned(64)));
static char name[128];
static pid_t pid; /* of the rank: a child that it forks is no rank */

/* Writes the place of the crash, and below it the place of each call. A return
 * address may belong to the next line or function, so the one before it is
 * written. */
static void places_write(void **frames, int n)
{
	for (int k = 1; k < n; k++)
		frames[k] = (char *)frames[k] - 1;
	if (n > 0)
		backtrace_symbols_fd(frames, n, STDERR_FILENO);
}

/* Neither allocates nor locks: glibc's snprintf does not for these formats, and
 * backtrace not after its first call. */
static __attribute__((noinline)) void crash_handle(int sig, siginfo_t *info,
						   void *context)
{
	void *frames[OWN_FRAMES + FRAMES];
	char line[256], at[40] = "";
	int n, k = 0;

	(void)context;
	if (getpid() == pid && fault_claim()) {
		signal(SIGPIPE, SIG_IGN);
		if (info->si_code > 0)
			snprintf(at, sizeof(at), ", address 0x%lx",
				 (unsigned long)info->si_addr);
		while (signals[k].number != sig)
			k++;
		n = snprintf(line, sizeof(line), "%s signal %d (%s)%s:\n", name,
			     sig, signals[k].text, at);
		if (write(STDERR_FILENO, line, (size_t)n) < 0) {
			/* nobody reads it */
		}
		n = backtrace(frames, OWN_FRAMES + FRAMES);
		places_write(frames + OWN_FRAMES, n - OWN_FRAMES);
	}
	if (info->si_code <= 0) /* sent by a process, so it does not recur */
		raise(sig);
}

int crash_watch(void)
{
	struct sigaction ours = {.sa_sigaction = crash_handle,
				 .sa_flags =
				     SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
	stack_t own = {.ss_sp = crash_stack, .ss_size = STACK}, old;
	struct sigaction now;
	void *frame;

	if (!env.backtrace)
		return 0;
	backtrace(&frame, 1); /* the first call loads the unwinder */
	pid = getpid();
	log_name(name, sizeof(name));
	if (!sigaltstack(NULL, &old) && old.ss_flags & SS_DISABLE)
		sigaltstack(&own, NULL);
	sigfillset(&ours.sa_mask);
	for (int k = 0; k < SIGNALS; k++)
		if (!sigaction(signals[k].number, NULL, &now) &&
		    now.sa_handler == SIG_DFL)
			sigaction(signals[k].number, &ours, NULL);
	return 0;
}

void crash_unwatch(void)
{
	stack_t none = {.ss_flags = SS_DISABLE}, now_stack;
	struct sigaction now;

	for (int k = 0; k < SIGNALS; k++)
		if (!sigaction(signals[k].number, NULL, &now) &&
		    now.sa_sigaction == crash_handle)
			signal(signals[k].number, SIG_DFL);
	if (!sigaltstack(NULL, &now_stack) && now_stack.ss_sp == crash_stack)
		sigaltstack(&none, NULL);
}
