/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.c: accumulates on memory that is mapped here, or that the kernel copies
 * to here and back. In the first, integers of 4 and 8 bytes are changed by
 * atomics of the CPU; all else under a lock beside the memory, floating-point
 * numbers because a lock and vector instructions take a fiftieth of the time of
 * a compare-and-swap for each. Which of the two depends on the type alone, or,
 * where ranks may copy (struct win_card, locked), is the lock for all types, so
 * that accumulates of one type never meet in both ways.
 */
#include <string.h>

#include "coll/op/kernels.h"
#include "rma/win.h"
#include "runtime/base/copy.h"
#include "runtime/base/pieces.h"
#include "runtime/engine/wait.h"

/* Bytes that are accumulated at a time under the lock. Of memory that is not
 * mapped they are more, as each time takes two system calls. */
enum { BLOCK = 4096, FAR_BLOCK = 65536 };

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
static int apply_take(struct shared_lock *lock)
{
	WAIT(wait, wait_text, "another rank's accumulate");
	int rc = 0;

	while (!rc && __atomic_exchange_n(&lock->updates, 1, __ATOMIC_ACQUIRE))
		rc = wait_briefly(&wait);
	return rc;
}

static void apply_give(struct shared_lock *lock)
{
	__atomic_store_n(&lock->updates, 0, __ATOMIC_RELEASE);
}

/* Copies the next len bytes between the runs and a block. */
static int apply_copy(const struct win_place *place, struct pieces *p,
		      char *block, size_t len, bool back)
{
	struct iovec piece = {NULL, 0};

	if (place->ep)
		return place->ep->fab->node->ops->copy_pieces(place->ep, back,
							      block, p, len);
	while (len) {
		size_t part = len;

		pieces_take(p, &piece, 1, &part);
		if (back)
			copy_bytes(piece.iov_base, block, part);
		else
			copy_bytes(block, piece.iov_base, part);
		block += part;
		len -= part;
	}
	return 0;
}

/* The next bytes of an update. */
struct step {
	struct pieces at;
	size_t len;
	const char *in;
	char *out;
};

/* Does a step by way of buffers. They are not on the stack, of which threads
 * may have little; one thread at a time is in the library. */
static int update_copy(const struct win_place *place,
		       const struct win_update *u, struct step *s)
{
	static _Alignas(16) char now[FAR_BLOCK], with[FAR_BLOCK];
	bool replaces = u->op->kernel == KERNEL_REPLACE;
	struct pieces from = s->at;
	int rc = 0;

	if (s->out || !replaces)
		rc = apply_copy(place, &from, now, s->len, false);
	if (rc)
		return rc;
	if (s->out)
		memcpy(s->out, now, s->len);
	if (u->op->kernel == KERNEL_NO_OP) {
		s->at = from;
		return 0;
	}
	memcpy(with, s->in, s->len);
	if (!replaces)
		op_apply(u->op, u->type, now, with, with,
			 s->len / u->type->size);
	return apply_copy(place, &s->at, with, s->len, true);
}

/* Does a step where the memory is. */
static void update_there(const struct win_update *u, char *there,
			 const struct step *s)
{
	if (s->out)
		memcpy(s->out, there, s->len);
	if (u->op->kernel == KERNEL_REPLACE)
		memcpy(there, s->in, s->len);
	else if (u->op->kernel != KERNEL_NO_OP)
		op_apply(u->op, u->type, there, s->in, there,
			 s->len / u->type->size);
}

static int update_block(const struct win_place *place,
			const struct win_update *u, struct step *s)
{
	struct pieces next = s->at;
	struct iovec piece = {NULL, 0};
	size_t part = s->len;

	pieces_take(&next, &piece, 1, &part);
	if (place->ep || part < s->len ||
	    !is_aligned(u->type, piece.iov_base) || !is_aligned(u->type, s->in))
		return update_copy(place, u, s);
	update_there(u, piece.iov_base, s);
	s->at = next;
	return 0;
}

static int apply_locked(const struct win_place *place,
			const struct win_update *u, const struct iovec *runs,
			size_t n, const char *in, char *out)
{
	size_t block = place->ep ? FAR_BLOCK : BLOCK, left = 0;
	size_t most = block / u->type->size * u->type->size;
	struct step s = {.at = {runs, 0}, .in = in, .out = out};
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		left += runs[i].iov_len;
	for (bool first = true; left && !rc; first = false) {
		s.len = left < most ? left : most;
		rc = apply_take(place->lock);
		if (rc)
			break;
		rc = update_block(place, u, &s);
		apply_give(place->lock);
		if (rc == MRT_ERR_NO_FABRIC && !first)
			rc = proc_fail(MRT_ERR_RESOURCE,
				       "the kernel has begun to deny copies "
				       "amid an accumulate");
		left -= s.len;
		s.in = s.in ? s.in + s.len : NULL;
		s.out = s.out ? s.out + s.len : NULL;
	}
	return rc;
}

int win_apply(const struct win_place *place, const struct win_update *u,
	      const struct iovec *runs, size_t n, const char *in, char *out)
{
	int rc = 0;

	/* elements of several runs have no atomics */
	if (place->locked || !n || !has_atomics(u->type, runs[0].iov_base))
		return apply_locked(place, u, runs, n, in, out);
	for (size_t i = 0; i < n && !rc; i++) {
		size_t len = runs[i].iov_len;

		if (has_atomics(u->type, runs[i].iov_base))
			apply_atomics(u, &runs[i], in, out);
		else
			rc = apply_locked(place, u, &runs[i], 1, in, out);
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

/* Compares and swaps an element under the lock; it has at most 16 bytes. */
static int swap_locked(const struct win_place *place, size_t size, char *at,
		       const char *in, char *out)
{
	const struct iovec run = {at, size};
	struct pieces from = {&run, 0}, to = from;
	char now[16];
	int rc = apply_take(place->lock);

	if (rc)
		return rc;
	rc = apply_copy(place, &from, now, size, false);
	if (!rc && !memcmp(now, in, size))
		rc = apply_copy(place, &to, (char *)(uintptr_t)in + size, size,
				true);
	apply_give(place->lock);
	if (!rc)
		memcpy(out, now, size);
	return rc;
}

int win_apply_swap(const struct win_place *place, const struct mrt_type *type,
		   char *at, const char *in, char *out)
{
	uint64_t old64, new64;
	uint32_t old32, new32;

	if (place->locked || !has_atomics(type, at))
		return swap_locked(place, type->size, at, in, out);
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
