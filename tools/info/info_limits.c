/* SPDX-License-Identifier: Apache-2.0 */
/* info_limits.c: limits of the system on which libmrt depends. */

#include "tools/info/info_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/info/info_out.h"

static void print_rlimit(const char *key, int which, double unit,
			 const char *unit_name)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)which, &limit))
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		info_text(key, "unlimited");
	else
		info_text(key, "%.15g%s", (double)limit.rlim_cur / unit,
			  unit_name);
}

/* Buffers and memory of RDMA are locked; root is not limited. Long messages
 * among a few ranks take 64 MiB. */
static void print_memlock(void)
{
	struct rlimit limit;

	print_rlimit("locked memory", RLIMIT_MEMLOCK, 1024, " KiB");
	if (geteuid() != 0 && !getrlimit(RLIMIT_MEMLOCK, &limit) &&
	    limit.rlim_cur < 64 << 20)
		info_text("locked memory hint",
			  "little for RDMA: what cannot be locked is copied; "
			  "raise it (ulimit -l, limits.conf)");
}

static void print_shm(void)
{
	struct statvfs fs;

	if (statvfs("/dev/shm", &fs)) {
		info_text("/dev/shm", "%s", strerror(errno));
		return;
	}
	info_text("/dev/shm", "%.0f MiB, %.0f MiB free",
		  (double)fs.f_blocks * (double)fs.f_frsize / (1 << 20),
		  (double)fs.f_bavail * (double)fs.f_frsize / (1 << 20));
}

static void print_yama(void)
{
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope;

	if (f && fscanf(f, "%d", &scope) == 1)
		info_number("Yama ptrace_scope", scope);
	else
		info_text("Yama ptrace_scope", "no Yama");
	if (f)
		fclose(f);
}

/*
 * Tests whether a process may read the memory of one that is not its
 * descendant: a child reads from its parent. (Yama always lets a parent read
 * from its child, but ranks are siblings.) Returns 0 or an errno.
 */
static int try_cma(void)
{
	static volatile int mark = 4711;
	int copy = 0, status;
	struct iovec to = {&copy, sizeof(copy)};
	struct iovec from = {(void *)&mark, sizeof(mark)};
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		ssize_t n = process_vm_readv(parent, &to, 1, &from, 1, 0);

		_exit(n < 0 ? errno : copy == mark ? 0 : EIO);
	}
	if (pid < 0)
		return errno;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return ECHILD;
	return WEXITSTATUS(status);
}

static void print_cma(void)
{
	int error = try_cma();

	if (error)
		info_text("process_vm_readv",
			  "denied (%s): large messages are "
			  "copied twice",
			  strerror(error));
	else
		info_text("process_vm_readv", "works");
	if (error == EPERM || error == EACCES)
		info_text("process_vm_readv hint",
			  "allow it: in a container --cap-add SYS_PTRACE, "
			  "else sysctl kernel.yama.ptrace_scope=0");
	else if (error)
		info_text("process_vm_readv hint",
			  "use a kernel with CONFIG_CROSS_MEMORY_ATTACH; in a "
			  "container, a seccomp profile that allows the call");
}

void info_limits(void)
{
	info_open("limits", INFO_OBJECT);
	print_memlock();
	print_rlimit("open files", RLIMIT_NOFILE, 1, "");
	print_rlimit("processes", RLIMIT_NPROC, 1, "");
	print_rlimit("core file", RLIMIT_CORE, 1024, " KiB");
	print_shm();
	print_yama();
	print_cma();
	info_close(INFO_OBJECT);
}
