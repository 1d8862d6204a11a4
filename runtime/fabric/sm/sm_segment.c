/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_segment.c: the one shared segment of a node's ranks.
 *
 *   header | homes [slots] | cards [slots] | flags of collectives |
 *   rings [to][from], of small ones first all lines, then all data ||
 *   buffers of collectives [slots] ||
 *   bounce buffers [slots] || second rings [to][from]
 *
 * Parts behind || are mapped by the ranks that need them, when they do; of the
 * second rings (sm_grow.c) each by its two ranks.
 *
 * The lowest rank creates the segment as a memfd, which has no name that could
 * be squatted or left behind, and publishes where it is; the others open it
 * through /proc/PID/fd, which the kernel allows to the same user only, or ask
 * for it (sm_pass.c). With MRT_SM_BACKING=shm it is a file in /dev/shm, created
 * exclusively with mode 0600, preallocated so that a full file system is an
 * error and not a SIGBUS, and unlinked as soon as all have attached.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang_record.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/page.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/sm/sm_segment.h"

#define SM_MAGIC 0x6d72742d736d3031ull /* "mrt-sm01" */
static const char key[] = "mrt.sm";
enum { SM_VERSION = 12 };
enum { BACKING_AUTO, BACKING_MEMFD, BACKING_SHM };
enum { FAULT_US = 20000 }; /* between checks for faults */

/* The creator publishes this about the segment. */
struct address {
	uint32_t version;
	int32_t pid, fd;
	uint64_t nonce, size;
	char path[SM_PATH]; /* of the file, or of a socket to ask by; or "" */
	bool in_shm;	    /* it is a file in /dev/shm */
};

static size_t segment_align64(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

static size_t cards_offset(const struct sm *sm)
{
	return segment_align64(sizeof(struct sm_header)) +
	       (size_t)sm->slots * sizeof(struct fab_home);
}

static size_t coll_offset(const struct sm *sm)
{
	return cards_offset(sm) + (size_t)sm->slots * sizeof(struct sm_card);
}

static size_t records_offset(const struct sm *sm)
{
	return segment_align64(coll_offset(sm) +
			       (size_t)sm->slots * SM_COLL_SLOT);
}

static size_t rings_offset(const struct sm *sm)
{
	return page_align(records_offset(sm) +
			  (size_t)sm->slots * sizeof(struct hang_record));
}

void *sm_coll_area(struct sm *sm, size_t *len)
{
	*len = (size_t)sm->slots * SM_COLL_SLOT;
	return (char *)sm->seg + coll_offset(sm);
}

/* Returns the bytes of the data of a ring of usual size. All rings that are
 * there from the start take at most 64 MiB. */
static size_t choose_data_size(int slots)
{
	size_t size = 4096, most = (size_t)64 << 20;

	most /= (size_t)slots * (size_t)slots;
	while (size * 2 <= env.sm_ring &&
	       (slots > SM_SCAN_MAX || size * 2 <= most))
		size *= 2;
	return size;
}

int sm_no_memory(const struct sm *sm, const char *what, size_t size)
{
	int err = errno;
	char also[64] = "";

	if (err == ENOSPC && sm->slots <= SM_SCAN_MAX &&
	    sm_rings_bytes(sm) > sm_reserved_size(sm) / 2)
		snprintf(also, sizeof(also), ", or lower MRT_SM_RING (%zu)",
			 env.sm_ring);
	return log_error(error_from_errno(err),
			 "cannot %s the shared memory of this node's %d ranks, "
			 "%zu KiB: %s; %s%s",
			 what, sm->slots, size >> 10, strerror(err),
			 err == ENOSPC && env.sm_backing == BACKING_SHM
			     ? "unset MRT_SM_BACKING, or enlarge /dev/shm"
			     : limit_advice(err),
			 also);
}

int sm_memfd(size_t size)
{
	int fd = memfd_create("libmrt", MFD_CLOEXEC | MFD_ALLOW_SEALING), err;

	if (fd < 0)
		return -1;
	/* sealed: nobody can truncate it in use */
	if (!limit_allows_file(size) || ftruncate(fd, (off_t)size) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW)) {
		err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

/* Chooses a name, in the job's own directory if that is in /dev/shm: the
 * launcher removes it should this rank be killed before all have attached. */
static void choose_path(struct address *a, const char *dir)
{
	static const char shm[] = "/dev/shm";
	size_t room = sizeof(a->path) - sizeof("/libmrt-0123456789abcdef");

	if (strncmp(dir, shm, sizeof(shm) - 1) || strlen(dir) > room)
		dir = shm;
	snprintf(a->path, sizeof(a->path), "%.*s/libmrt-%016llx", (int)room,
		 dir, (unsigned long long)a->nonce);
}

static int create_file(struct address *a, size_t now)
{
	int fd = open(a->path,
		      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int err;
	if (fd < 0)
		return -1;
	err = limit_allows_file(a->size) ? posix_fallocate(fd, 0, (off_t)now)
					 : EFBIG;
	if (!err && ftruncate(fd, (off_t)a->size))
		err = errno;
	if (err) {
		unlink(a->path);
		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

/* Lets ranks ask for the segment, in the job's directory if there is one. */
static void listen_in(struct sm *sm, struct address *a)
{
	const char *dir = sm->job->dir;

	if (!dir[0] || strlen(dir) + sizeof("/libmrt") > sizeof(a->path))
		return;
	snprintf(a->path, sizeof(a->path), "%.50s/libmrt", dir);
	sm->listener = sm_pass_listen(a->path);
	if (sm->listener < 0)
		a->path[0] = 0;
}

static int segment_create(struct sm *sm, struct address *a)
{
	memset(a, 0, sizeof(*a));
	a->version = SM_VERSION;
	a->pid = getpid();
	a->size = sm_file_size(sm);
	if (getrandom(&a->nonce, sizeof(a->nonce), 0) < 0)
		a->nonce = clock_ns() ^ (uint64_t)a->pid << 32;
	if (env.sm_backing != BACKING_SHM)
		sm->fd = sm_memfd(a->size);
	if (sm->fd >= 0) {
		listen_in(sm, a);
	} else if (env.sm_backing != BACKING_MEMFD) {
		choose_path(a, sm->job->dir);
		sm->fd = create_file(a, sm_reserved_size(sm));
		a->in_shm = true;
	}
	sm->in_shm = a->in_shm;
	a->fd = sm->fd;
	memcpy(sm->path, a->path, sizeof(sm->path));
	if (sm->fd >= 0)
		return 0;
	return sm_no_memory(sm, a->in_shm ? "create in /dev/shm" : "create",
			    sm_reserved_size(sm));
}

/* Opens a file if it may be the published segment; -1 with errno. */
static int open_checked(const char *path, const struct address *a)
{
	/* careful flags: that PID may have any file there by now */
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    (uint64_t)st.st_size == a->size)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* Opens the published segment; -1 with errno. */
static int open_published(const struct address *a)
{
	char path[64];
	int fd;

	if (a->in_shm)
		return open_checked(a->path, a);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", a->pid, a->fd);
	fd = open_checked(path, a);
	return fd < 0 && a->path[0] ? sm_pass_ask(a->path) : fd;
}

static int segment_map(struct sm *sm)
{
	void *p = mmap(NULL, sm->seg_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       sm->fd, 0);

	if (p == MAP_FAILED)
		return sm_no_memory(sm, "map", sm->seg_size);
	sm->seg = p;
	sm->homes =
	    (void *)((char *)p + segment_align64(sizeof(struct sm_header)));
	sm->cards = (void *)((char *)p + cards_offset(sm));
	sm->card = &sm->cards[sm->slot];
	sm->rings.first = (char *)p + rings_offset(sm);
	sm->node.records_fd = sm->fd;
	sm->node.records_at = (off_t)records_offset(sm);
	return 0;
}

static int check_address(const struct sm *sm, const struct address *a,
			 size_t len)
{
	if (len != sizeof(*a) || a->version != SM_VERSION)
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d runs a libmrt with shared-memory "
				 "layout %u, this one has %d: use one version",
				 sm->job->node_ranks[0],
				 len >= 4 ? a->version : 0, SM_VERSION);
	if (a->size != sm_file_size(sm))
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d has a segment of %llu bytes, this "
				 "one %zu: set MRT_SM_RING alike on all ranks",
				 sm->job->node_ranks[0],
				 (unsigned long long)a->size, sm_file_size(sm));
	if (!memchr(a->path, 0, sizeof(a->path)))
		return log_error(MRT_ERR_PROTOCOL,
				 "the address of the shared memory of rank %d "
				 "is damaged",
				 sm->job->node_ranks[0]);
	return 0;
}

/* Logs why the segment cannot be opened; if its rank has died, that is the
 * error. */
static int cannot_open(const struct sm *sm, const struct address *a)
{
	int error = errno;

	fault_suspect(0);
	if (fault_resolve(0))
		return fault_report();
	return log_error(error_from_errno(error),
			 "cannot open the shared memory of rank %d (pid %d): "
			 "%s; ranks in namespaces of their own need the job's "
			 "directory in common, or /dev/shm and "
			 "MRT_SM_BACKING=shm",
			 sm->job->node_ranks[0], a->pid, strerror(error));
}

static int attach_other(struct sm *sm)
{
	struct address a = {0};
	size_t len = sizeof(a);
	int rc = boot_get_node(sm->job, key, &a, &len);

	if (!rc)
		rc = check_address(sm, &a, len);
	if (rc)
		return rc;
	sm->in_shm = a.in_shm;
	sm->fd = open_published(&a);
	if (sm->fd < 0)
		return cannot_open(sm, &a);
	rc = segment_map(sm);
	if (!rc && (sm->seg->magic != SM_MAGIC || sm->seg->nonce != a.nonce ||
		    sm->seg->slots != (uint32_t)sm->slots))
		rc = log_error(MRT_ERR_PROTOCOL,
			       "the shared memory of rank %d is not of this "
			       "job",
			       sm->job->node_ranks[0]);
	return rc;
}

static void write_card(struct sm *sm)
{
	struct fab_home *home = &sm->homes[sm->slot];

	sm->probe = sm->seg->nonce ^ (uint64_t)sm->slot;
	sm->card->pid = getpid();
	sm->card->rank = sm->job->rank;
	sm->card->nonce = sm->probe;
	/* else Yama lets only the parents of a process copy its memory */
	if (env.sm_cma)
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	sm->card->probe = (uintptr_t)&sm->probe;
	topo_affinity(home->cpus);
	home->quota = topo_quota();
	home->cache = sm->base.sink.cache;
	home->switches = sm->base.sink.switches;
	memcpy(home->words, sm->base.sink.words, sizeof(home->words));
	sm_liveness_init(sm);
}

/* Waits until all ranks of the node have written their cards. The last one
 * wakes the others. */
static int wait_attached(struct sm *sm)
{
	uint64_t end = clock_ns() + (uint64_t)env.timeout_s * 1000000000u;
	_Atomic uint32_t *count = &sm->seg->attached;
	/* acq_rel: pairs with the acquire below, and that of the last rank with
	 * all others' releases: cards before the count */
	uint32_t n =
	    1 + atomic_fetch_add_explicit(count, 1, memory_order_acq_rel);

	if (n == (uint32_t)sm->slots)
		sm_wake_all(count);
	while (n < (uint32_t)sm->slots) {
		int rc = fault_report();

		if (rc)
			return rc;
		if (clock_ns() > end)
			return log_error(MRT_ERR_SERVICE,
					 "only %u of %d ranks of this node "
					 "attached within %ld s (MRT_TIMEOUT)",
					 n, sm->slots, env.timeout_s);
		/* the kernel compares the count again, so no arrival is missed;
		 * a fault does not wake this sleep */
		sm_sleep(count, n, FAULT_US);
		sm_pass_answer(sm->listener, sm->fd);
		/* acquire: pairs with the releases of the additions above */
		n = atomic_load_explicit(count, memory_order_acquire);
	}
	return 0;
}

static int create_and_publish(struct sm *sm)
{
	struct address a;
	int rc = segment_create(sm, &a);

	if (!rc)
		rc = segment_map(sm);
	if (!rc) {
		sm->seg->magic = SM_MAGIC;
		sm->seg->nonce = a.nonce;
		sm->seg->version = SM_VERSION;
		sm->seg->slots = (uint32_t)sm->slots;
		sm->seg->size = sm->seg_size;
		/* ranks that share no PID or user namespace may see another
		 * directory of the job, too */
		rc = a.in_shm ? boot_put(key, &a, sizeof(a))
			      : boot_put_node(sm->job, key, &a, sizeof(a));
	}
	return rc;
}

int sm_segment_open(struct sm *sm)
{
	if (sm->slots > SM_SLOTS_MAX)
		return log_error(MRT_ERR_RESOURCE,
				 "%d ranks on this node: at most %d can share "
				 "memory; spread them over more nodes",
				 sm->slots, SM_SLOTS_MAX);
	sm->rings.data_size = choose_data_size(sm->slots);
	sm->seg_size = page_align(rings_offset(sm) + sm_rings_bytes(sm));
	sm->rings.second_at = sm_second_offset(sm);
	return sm->slot == 0 ? create_and_publish(sm) : 0;
}

/* Removes what others have found the segment by; on slot 0. */
static void remove_names(struct sm *sm)
{
	if (sm->slot == 0)
		boot_drop_node(sm->job, key);
	if (sm->path[0])
		unlink(sm->path);
	sm->path[0] = 0;
	if (sm->listener >= 0)
		close(sm->listener);
	sm->listener = -1;
}

int sm_segment_attach(struct sm *sm)
{
	int rc = sm->slot == 0 ? 0 : attach_other(sm);

	if (!rc) {
		write_card(sm);
		rc = sm_put_far(&sm->node, sm->base.next);
	}
	if (!rc)
		rc = wait_attached(sm);
	remove_names(sm);
	return rc;
}

void sm_segment_close(struct sm *sm)
{
	remove_names(sm);
	sm_buffers_close(sm);
	if (sm->fd >= 0)
		close(sm->fd);
	if (sm->seg && !sm->held) /* kept while a thread has a mutex there
				     (sm_liveness.c) */
		munmap(sm->seg, sm->seg_size);
	sm->seg = NULL;
}
