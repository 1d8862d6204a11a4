/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c: probes limits of the system and words advice about them. */
#include "runtime/base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/log.h"

/* PMIx opens 4 files and 4 more while it starts, and exits without them.
 * Without address space for its thread it waits for ever. */
enum { FILES_NEEDED = 9, SPACE_NEEDED = 16 << 20 };

static bool leaves_files(void)
{
	int fds[FILES_NEEDED], k = 0;

	fds[0] = open("/", O_PATH | O_CLOEXEC);
	while (fds[k] >= 0 && ++k < FILES_NEEDED)
		fds[k] = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
	for (int i = 0; i < k; i++)
		close(fds[i]);
	return k == FILES_NEEDED;
}

static unsigned long long limits_limit(int which)
{
	struct rlimit r;

	return getrlimit((enum __rlimit_resource)which, &r) ? RLIM_INFINITY
							    : r.rlim_cur;
}

bool limit_leaves_space(size_t bytes)
{
	void *p =
	    mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p != MAP_FAILED && !munmap(p, bytes);
}

static void *return_at_once(void *arg)
{
	return arg;
}

int limit_on_threads(void)
{
	pthread_t thread;
	int err = pthread_create(&thread, NULL, return_at_once, NULL);

	if (!err)
		pthread_join(thread, NULL);
	return err;
}

int limits_check(void)
{
	int err;

	if (!leaves_files())
		return log_error(MRT_ERR_RESOURCE,
				 "less than %d open files are left of the "
				 "limit of %llu: raise it (ulimit -n)",
				 FILES_NEEDED, limits_limit(RLIMIT_NOFILE));
	if (!limit_leaves_space(SPACE_NEEDED))
		return log_error(MRT_ERR_NO_MEM,
				 "less than %d MiB of address space are left: "
				 "raise the limit (ulimit -v)",
				 SPACE_NEEDED >> 20);
	err = limit_on_threads();
	return err ? log_error(
			 MRT_ERR_RESOURCE,
			 "cannot start a thread, which PMIx needs: %s; %s",
			 strerror(err), limit_advice(err))
		   : 0;
}

bool limit_allows_file(size_t bytes)
{
	if (bytes <= limits_limit(RLIMIT_FSIZE))
		return true;
	errno = EFBIG;
	return false;
}

const char *limit_advice(int err)
{
	switch (err) {
	case EMFILE:
		return "raise the limit of open files (ulimit -n)";
	case ENFILE:
		return "raise the machine's limit of open files (sysctl "
		       "fs.file-max)";
	case EFBIG:
		return "raise the limit of file sizes (ulimit -f)";
	case EAGAIN:
		return "raise the limit of processes and threads (ulimit -u, "
		       "or pids.max of the control group)";
	case ENOMEM:
		return limits_limit(RLIMIT_AS) != RLIM_INFINITY
			   ? "raise the limit of address space (ulimit -v)"
			   : "free memory, or start fewer ranks";
	case ENOSPC:
	case EDQUOT:
		return "free space there, or make it larger";
	case ENOENT:
	case EROFS:
	case EACCES:
		return "make it a directory that this user may write";
	case EPERM:
	case ENOSYS:
		return "allow the call (a container's profile may forbid it)";
	default:
		return "see the system's log";
	}
}
