/* SPDX-License-Identifier: Apache-2.0 */
/* boot_file.c: what ranks of a node publish to each other: a file for each rank
 * and key in the job's directory, sealed like all that is published, and the
 * same by the launcher. The fence separates writer and readers, so that a file
 * is complete when it is read, and is not that of an earlier program of the
 * same rank. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/boot/boot.h"
#include "runtime/boot/boot_seal.h"
#include "runtime/boot/boot_way.h"

struct path {
	char text[512]; /* "": there is no directory */
};

static struct path path_of(const struct boot_job *job, const char *key)
{
	struct path path = {""};

	if (*job->dir && job->node_size > 1)
		snprintf(path.text, sizeof(path.text), "%s/%s.%d", job->dir,
			 key, job->node_ranks[0]);
	return path;
}

/* Returns the seal of the file, without its length. */
static struct seal seal_for(const struct boot_job *job, const char *key)
{
	return seal_of(job->id, (uint32_t)job->node_ranks[0], key);
}

/* Writes the file; where that is impossible there is none. */
static void write_file(const struct boot_job *job, const char *key,
		       const void *blob, size_t len)
{
	struct path path = path_of(job, key);
	struct seal seal = seal_for(job, key);
	struct iovec iov[] = {{&seal, sizeof(seal)}, {(void *)blob, len}};
	ssize_t written;
	int fd;

	seal.length = (uint32_t)len;
	boot_drop_node(job, key); /* that of an earlier program */
	fd = open(path.text,
		  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	written = writev(fd, iov, 2);
	close(fd);
	if (written != (ssize_t)(sizeof(seal) + len))
		boot_drop_node(job, key);
}

static enum boot_fetched read_file(int fd, const struct seal *should,
				   void *blob, size_t *len, const char **why)
{
	struct seal is = {0};
	struct iovec iov[] = {{&is, sizeof(is)}, {blob, *len}};
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return FETCH_NOTHING;
	got = readv(fd, iov, 2);
	if (got < 0)
		return FETCH_NOTHING;
	*why = seal_broken(should, &is, (size_t)st.st_size);
	if (*why)
		return FETCH_BROKEN;
	if (got != st.st_size)
		return FETCH_UNFIT;
	*len = (size_t)got - sizeof(is);
	return FETCH_DONE;
}

int boot_put_node(const struct boot_job *job, const char *key, const void *blob,
		  size_t len)
{
	write_file(job, key, blob, len);
	return boot_put(key, blob, len);
}

int boot_get_node(const struct boot_job *job, const char *key, void *blob,
		  size_t *len)
{
	enum boot_fetched result = FETCH_NOTHING;
	struct seal should = seal_for(job, key);
	const char *why = "";
	int fd =
	    open(path_of(job, key).text,
		 O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0) {
		result = read_file(fd, &should, blob, len, &why);
		close(fd);
	}
	return result == FETCH_NOTHING
		   ? boot_get(job->node_ranks[0], key, blob, len)
		   : boot_fetch_result(result, job->node_ranks[0], key, why);
}

void boot_drop_node(const struct boot_job *job, const char *key)
{
	unlink(path_of(job, key).text);
}
