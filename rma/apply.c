/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.c: accumulates on memory that is mapped here. Integers of 4 and 8 bytes
 * are changed by atomics of the CPU; all else under a lock beside the memory,
 * floating-point numbers because a lock and vector instructions take a fiftieth
 * of the time of a compare-and-swap for each. Which of the two depends on the
 * type alone, so that accumulates of one type never meet in both ways.
 */
#include <string.h>

#include "coll/op/kernels.h"
#include "rma/win.h"
#include "runtime/base/copy.h"
#include "runtime/engine/wait.h"

enum { BLOCK = 4096 }; /* bytes that are accumulated at a time under the lock */

static bool is_aligned(const struct mrt_type *type, const void *at)
{
	return (uintptr_t)at % type->align == 0;
}

/* Whether this element, and so any other that is aligned as it, has them. */
static bool has_atomics(const struct mrt_type *type, const void *at)
{
	return (type->size == 4 || type->size == 8) &&
	       type->align == type->size && type->kind != TYPE_FLOAT &&
	       type->kind != TYPE_DOUBLE && is_aligned(type, at);
}

void win_combine(const struct win_update *u, const void *left,
		 const void *right, void *sum)
{
	if (u->op->kernel == KERNEL_REPLACE)
		memcpy(sum, right, u->type->size);
	else if (u->op->kernel == KERNEL_NO_OP)
		memcpy(sum, left, u->type->size);
	else
		op_apply(u->op, u->type, left, right, sum, 1);
}

/* One element by the CPU's atomics, for words of 4 and of 8 bytes. */
#define UPDATE(bits)                                                           \
	static void update##bits(const struct win_update *u, void *at,         \
				 const char *in, char *out)                    \
	{                                                                      \
		uint##bits##_t *word = at, old, value = 0, sum;                \
                                                                               \
		if (in)                                                        \
			memcpy(&value, in, sizeof(value));                     \
		if (u->op->kernel == KERNEL_NO_OP) {                           \
			old = __atomic_load_n(word, __ATOMIC_ACQUIRE);         \
		} else if (u->op->kernel == KERNEL_REPLACE) {                  \
			old = __atomic_exchange_n(word, value,                 \
						  __ATOMIC_ACQ_REL);           \
		} else if (u->op->kernel == KERNEL_SUM) {                      \
			old =                                                  \
			    __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL); \
		} else {                                                       \
			old = __atomic_load_n(word, __ATOMIC_ACQUIRE);         \
			do                                                     \
				win_combine(u, &old, &value, &sum);            \
			while (!__atomic_compare_exchange_n(                   \
			    word, &old, sum, true, __ATOMIC_ACQ_REL,           \
			    __ATOMIC_ACQUIRE));                                \
		}                                                              \
		if (out)                                                       \
			memcpy(out, &old, sizeof(old));                        \
	}
UPDATE(32)
UPDATE(64)
#undef UPDATE

static void apply_atomics(const struct win_update *u, const struct iovec *run,
			  const char *in, char *out)
{
	size_t size = u->type->size;
	char *at = run->iov_base;

	for (size_t k = run->iov_len / size; k; k--, at += size) {
		(size == 4 ? update32 : update64)(u, at, in, out);
		in = in ? in + size : NULL;
		out = out ? out + size : NULL;
	}
}

/* ---- Under the lock ------------------------------------------------------ */

/* Takes the lock, which is held for some microseconds, unless its holder has
 * lost its CPU or is dead. */
static int take(struct shared_lock *lock)
{
	WAIT(wait, wait_text, "another rank's accumulate");
	int rc = 0;

	while (!rc && __atomic_exchange_n(&lock->updates, 1, __ATOMIC_ACQUIRE))
		rc = wait_briefly(&wait);
	return rc;
}

static void give(struct shared_lock *lock)
{
	__atomic_store_n(&lock->updates, 0, __ATOMIC_RELEASE);
}

/* A place in a list of runs. */
struct cursor {
	const struct iovec *run;
	size_t at; /* bytes into it */
};

/* Copies the next len bytes between the runs and a block. */
static void copy(struct cursor *c, char *block, size_t len, bool back)
{
	while (len) {
		size_t part = c->run->iov_len - c->at;
		char *there = (char *)c->run->iov_base + c->at;

		if (part > len)
			part = len;
		if (back)
			copy_bytes(there, block, part);
		else
			copy_bytes(block, there, part);
		block += part;
		len -= part;
		c->at += part;
		if (c->at == c->run->iov_len)
			*c = (struct cursor){c->run + 1, 0};
	}
}

/* Updates the next len bytes of the runs by way of buffers. */
static void update_copy(const struct win_update *u, struct cursor *c,
			size_t len, const char *in, char *out)
{
	_Alignas(16) char now[BLOCK], with[BLOCK];
	struct cursor back = *c;

	copy(c, now, len, false);
	if (out)
		memcpy(out, now, len);
	if (u->op->kernel == KERNEL_NO_OP)
		return;
	memcpy(with, in, len);
	if (u->op->kernel != KERNEL_REPLACE)
		op_apply(u->op, u->type, now, with, with, len / u->type->size);
	copy(&back, with, len, true);
}

/* Updates len bytes of memory where they are. */
static void update_there(const struct win_update *u, char *there, size_t len,
			 const char *in, char *out)
{
	if (out)
		memcpy(out, there, len);
	if (u->op->kernel == KERNEL_REPLACE)
		memcpy(there, in, len);
	else if (u->op->kernel != KERNEL_NO_OP)
		op_apply(u->op, u->type, there, in, there, len / u->type->size);
}

static void update_block(const struct win_update *u, struct cursor *c,
			 size_t len, const char *in, char *out)
{
	char *there = (char *)c->run->iov_base + c->at;

	if (c->run->iov_len - c->at < len || !is_aligned(u->type, there) ||
	    !is_aligned(u->type, in)) {
		update_copy(u, c, len, in, out);
		return;
	}
	update_there(u, there, len, in, out);
	c->at += len;
	if (c->at == c->run->iov_len)
		*c = (struct cursor){c->run + 1, 0};
}

static int apply_locked(struct shared_lock *lock, const struct win_update *u,
			const struct iovec *runs, size_t n, const char *in,
			char *out)
{
	size_t most = BLOCK / u->type->size * u->type->size, left = 0;
	struct cursor c = {runs, 0};
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		left += runs[i].iov_len;
	while (left && !rc) {
		size_t len = left < most ? left : most;

		rc = take(lock);
		if (rc)
			break;
		update_block(u, &c, len, in, out);
		give(lock);
		left -= len;
		in = in ? in + len : NULL;
		out = out ? out + len : NULL;
	}
	return rc;
}

int win_apply(struct shared_lock *lock, const struct win_update *u,
	      const struct iovec *runs, size_t n, const char *in, char *out)
{
	int rc = 0;

	/* elements of several runs have no atomics */
	if (!n || !has_atomics(u->type, runs[0].iov_base))
		return apply_locked(lock, u, runs, n, in, out);
	for (size_t i = 0; i < n && !rc; i++) {
		size_t len = runs[i].iov_len;

		if (has_atomics(u->type, runs[i].iov_base))
			apply_atomics(u, &runs[i], in, out);
		else
			rc = apply_locked(lock, u, &runs[i], 1, in, out);
		in = in ? in + len : NULL;
		out = out ? out + len : NULL;
	}
	return rc;
}

bool win_update_fits(const struct win_update *u)
{
	return u->op->kernel >= KERNEL_REPLACE ? !u->op->fn
					       : op_fits(u->op, u->type);
}

/* Compares and swaps an element that has no atomics; an element has at most 16
 * bytes. */
static int swap_locked(struct shared_lock *lock, size_t size, char *at,
		       const char *in, char *out)
{
	char now[16];
	int rc = take(lock);

	if (rc)
		return rc;
	memcpy(now, at, size);
	if (!memcmp(now, in, size))
		memcpy(at, in + size, size);
	give(lock);
	memcpy(out, now, size);
	return 0;
}

int win_apply_swap(struct shared_lock *lock, const struct mrt_type *type,
		   char *at, const char *in, char *out)
{
	uint64_t old64, new64;
	uint32_t old32, new32;

	if (!has_atomics(type, at))
		return swap_locked(lock, type->size, at, in, out);
	if (type->size == 4) {
		memcpy(&old32, in, 4);
		memcpy(&new32, in + 4, 4);
		__atomic_compare_exchange_n((uint32_t *)(void *)at, &old32,
					    new32, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE);
		memcpy(out, &old32, 4);
	} else {
		memcpy(&old64, in, 8);
		memcpy(&new64, in + 8, 8);
		__atomic_compare_exchange_n((uint64_t *)(void *)at, &old64,
					    new64, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE);
		memcpy(out, &old64, 8);
	}
	return 0;
}
