/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deny.c: `deny ERROR CALL[,CALL...] PROGRAM...` runs the program, and all it
 * starts, without some system calls, as containers and older kernels do. ERROR
 * is the number of the errno. The exit code is 77 if this kernel has no such
 * filters.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS = 32, CANNOT = 77 };

static const struct {
	const char *name;
	int number;
} known[] = {
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"memfd_create", SYS_memfd_create},
    {"userfaultfd", SYS_userfaultfd},
    {"membarrier", SYS_membarrier},
    {"fallocate", SYS_fallocate},
    {"close_range", SYS_close_range},
    {"getrandom", SYS_getrandom},
    {"eventfd2", SYS_eventfd2},
    {"signalfd4", SYS_signalfd4},
    {"epoll_create1", SYS_epoll_create1},
    {"sched_getaffinity", SYS_sched_getaffinity},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"clone", SYS_clone},
    {"clone3", SYS_clone3},
    {"statx", SYS_statx},
    {"rseq", SYS_rseq},
};

static int number_of(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == len &&
		    !strncmp(known[i].name, name, len))
			return known[i].number;
	fprintf(stderr, "deny: unknown call %.*s\n", (int)len, name);
	exit(64);
}

static int install(const char *names, unsigned error)
{
	struct sock_filter code[2 * CALLS + 2];
	struct sock_fprog program = {0, code};
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t len; *names && n < 2 * CALLS;
	     names += len + (names[len] == ',')) {
		len = strcspn(names, ",");
		code[n++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number_of(names, len),
		    0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(
		    BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	code[n++] =
	    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: deny ERROR CALL[,CALL] PROGRAM...\n");
		return 64;
	}
	if (install(argv[2], (unsigned)atoi(argv[1])))
		return CANNOT;
	execvp(argv[3], argv + 3);
	return 126;
}
