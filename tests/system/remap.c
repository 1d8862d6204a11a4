/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remap.c sends long messages from and into memory whose mapping changes
 * between them: freed, unmapped, moved, given back to the system, or shared
 * with a child after fork. Cached registrations must never be used for the
 * memory that is now at these addresses. The job has 2 ranks; each case goes
 * both ways; rank 0 prints a line per case.
 */
#include <mrt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEN = 256 << 10, TIMES = 12 };

static int me, failed;
static unsigned generation;

static void fill(unsigned char *p, size_t len, unsigned seed)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (unsigned char)(i * 7 + seed);
}

static bool filled(const unsigned char *p, size_t len, unsigned seed)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] != (unsigned char)(i * 7 + seed))
			return false;
	return true;
}

/* Sends new contents from one rank's p to the other's, and back. */
static bool exchange(unsigned char *p, size_t len)
{
	bool good = true;

	for (int from = 0; from < 2; from++) {
		unsigned seed = ++generation * 13;

		fill(p, len, me == from ? seed : seed + 1);
		if (me == from)
			mrt_send(p, len, MRT_BYTE, 1 - me, 0, MRT_COMM_WORLD);
		else
			mrt_recv(p, len, MRT_BYTE, 1 - me, 0, MRT_COMM_WORLD,
				 NULL);
		good &= filled(p, len, seed);
	}
	return good;
}

static void *map(void *at, size_t len)
{
	void *p =
	    mmap(at, len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static bool free_and_malloc(void)
{
	bool good = true;

	for (int k = 0; k < TIMES; k++) {
		/* above malloc's threshold for mmap, or below it */
		size_t len = k % 2 ? LEN : LEN / 4;
		unsigned char *p = malloc(len);

		good &= p && exchange(p, len);
		free(p);
	}
	return good;
}

static bool unmap_and_map(void)
{
	unsigned char *p = map(NULL, LEN);
	bool good = true;

	for (int k = 0; k < TIMES && p; k++) {
		good &= exchange(p, LEN);
		munmap(p, LEN);
		p = map(p, LEN);
	}
	munmap(p, LEN);
	return good;
}

static bool map_over(void)
{
	unsigned char *p = map(NULL, LEN);
	bool good = p;

	for (int k = 0; k < TIMES && good; k++)
		good = exchange(p, LEN) && map(p + LEN / 2, LEN / 4);
	munmap(p, LEN);
	return good;
}

static bool move(void)
{
	unsigned char *p = map(NULL, LEN), *q = map(NULL, LEN);
	bool good = p && q;

	for (int k = 0; k < TIMES && good; k++) {
		void *moved;

		good = exchange(p, LEN) && exchange(q, LEN);
		/* q's pages go to p's addresses; new ones to q's */
		moved = mremap(q, LEN, LEN, MREMAP_MAYMOVE | MREMAP_FIXED, p);
		good &= moved == p && map(q, LEN);
	}
	munmap(p, LEN);
	munmap(q, LEN);
	return good;
}

static bool give_back(void)
{
	unsigned char *p = map(NULL, LEN);
	bool good = p;

	for (int k = 0; k < TIMES && good; k++)
		good = exchange(p, LEN) && !madvise(p, LEN, MADV_DONTNEED);
	munmap(p, LEN);
	return good;
}

/* Sends what cannot be written, and receives there when it can. */
static bool protect(void)
{
	unsigned char *p = map(NULL, LEN), *q = map(NULL, LEN);
	bool good = p && q;

	for (int k = 0; k < TIMES && good; k++) {
		int from = k % 2;

		fill(p, LEN, (unsigned)k);
		good = !mprotect(p, LEN, PROT_READ);
		if (me == from)
			mrt_send(p, LEN, MRT_BYTE, 1 - me, 0, MRT_COMM_WORLD);
		else
			mrt_recv(q, LEN, MRT_BYTE, from, 0, MRT_COMM_WORLD,
				 NULL);
		good &= me == from || filled(q, LEN, (unsigned)k);
		good &= !mprotect(p, LEN, PROT_READ | PROT_WRITE) &&
			exchange(p, LEN);
	}
	munmap(p, LEN);
	munmap(q, LEN);
	return good;
}

/* The child writes too, and lives on while the parent sends: neither sees the
 * pages of the other. */
static bool share_with_child(void)
{
	unsigned char *p = malloc(LEN);
	int pipe_fds[2], status = 0;
	bool good = p && exchange(p, LEN);

	for (int k = 0; k < 4 && good; k++) {
		pid_t child;

		if (pipe(pipe_fds))
			return false;
		child = fork();
		if (child == 0) {
			char byte;

			close(pipe_fds[1]);
			memset(p, 'c', LEN);
			/* until the parent is done */
			_exit(read(pipe_fds[0], &byte, 1) == 0 &&
				      p[LEN - 1] == 'c'
				  ? 0
				  : 1);
		}
		close(pipe_fds[0]);
		good = child > 0 && exchange(p, LEN) && exchange(p, LEN);
		close(pipe_fds[1]);
		good &= waitpid(child, &status, 0) == child && status == 0;
	}
	free(p);
	return good;
}

static bool other_program(void)
{
	unsigned char *p = malloc(LEN);
	bool good = true;

	for (int k = 0; k < 4; k++)
		good &= exchange(p, LEN) && system("true") == 0;
	free(p);
	return good;
}

static const struct {
	const char *name;
	bool (*run)(void);
} cases[] = {
    {"free and malloc", free_and_malloc}, {"munmap and mmap", unmap_and_map},
    {"mmap over it", map_over},		  {"mremap onto it", move},
    {"MADV_DONTNEED", give_back},	  {"mprotect", protect},
    {"fork", share_with_child},		  {"system", other_program}};

int main(int argc, char **argv)
{
	if (mrt_init(&argc, &argv) || mrt_size(MRT_COMM_WORLD) != 2)
		return 1;
	me = mrt_rank(MRT_COMM_WORLD);
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		int good = cases[c].run(), all;

		mrt_allreduce(&good, &all, 1, MRT_INT, MRT_MIN, MRT_COMM_WORLD);
		failed += !all;
		if (me == 0)
			printf("%sok - %s\n", all ? "" : "not ", cases[c].name);
	}
	return mrt_finalize() || failed;
}
