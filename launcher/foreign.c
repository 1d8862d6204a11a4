/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c: the names of the libraries that a program needs stand in it as
 * texts, so its file is searched for one instead of being parsed. */

#include "launcher/foreign.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/say.h"

/* Copies the name of another MPI's library among n bytes, such as libmpi.so.40,
 * libmpich.so.12 or libmpi_mpifh.so.40. Returns false if there is none. */
static bool library_find(const char *bytes, size_t n, char name[64])
{
	static const char begin[] = "\0libmpi", version[] = ".so.";
	const char *end = bytes + n, *at = bytes, *dot;

	while ((at = memmem(at, (size_t)(end - at), begin, 7))) {
		at++;
		for (dot = at; dot < end &&
			       (isalnum((unsigned char)*dot) || *dot == '_');)
			dot++;
		if (end - dot < 6 || dot - at > 32 || memcmp(dot, version, 4) ||
		    memmem(at, (size_t)(dot - at), "_abi", 4))
			continue;
		snprintf(name, 64, "%.*s%.*s", (int)(dot - at), at,
			 (int)strnlen(dot, (size_t)(end - dot)) % 24, dot);
		return true;
	}
	return false;
}

static bool file_search(const char *path, char name[64])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st = {0};
	bool found = false;
	char *bytes;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 4) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			     fd, 0);
		if (bytes != MAP_FAILED) {
			found = !memcmp(bytes, "\177ELF", 4) &&
				library_find(bytes, (size_t)st.st_size, name);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}

void foreign_warn(const struct job *job)
{
	char name[64];

	for (int r = 0; r < job->nranks; r++)
		if (job->ranks[r].connected)
			return;
	if (job->nranks < 2)
		return;
	for (int a = 0; a < job->opt->napps; a++) {
		const struct app *app = &job->opt->apps[a];

		if (!file_search(app->path, name))
			continue;
		say("%s needs %s of another MPI, so these were %d jobs of one "
		    "rank: compile it with mrtcc, or start it by that MPI's "
		    "mpirun",
		    app->argv[0], name, job->nranks);
		return;
	}
}
