/* SPDX-License-Identifier: Apache-2.0 */
/* device.h: accumulates by the atomics of the network's device (device.c). */
#ifndef RMA_DEVICE_H
#define RMA_DEVICE_H

#include "rma/access.h"

/* Sets w->loop if the device joins all ranks of the window and has atomics on
 * this rank's memory and lock, which it registers. Returns 0 or MRT_ERR_*. */
int win_device_open(struct mrt_win *w, struct fab_key *lock_key);
/* Whether the device does accumulates of these elements, of a predefined type.
 */
bool win_device_does(const struct mrt_win *w, const struct target *t,
		     const struct mrt_type *type);

/* Like win_request for an update, and a compare and swap, by the device; runs
 * and at are addresses of the target. The former values go to op->packed, if
 * there is any. */
int win_device_update(struct win_op *op, const struct win_update *u,
		      const struct iovec *runs, size_t n, const char *in);
int win_device_swap(struct win_op *op, const void *at, const char *in);
/* Adds to a 64-bit word of a rank's lock, in order with other accumulates
 * there; *former gets its value before that, unless it is NULL. */
int win_device_add(struct mrt_win *w, int rank, size_t word, uint64_t add,
		   uint64_t *former);
/* Takes a rank's lock; gives it back, without waiting until it is. */
int win_device_lock(struct mrt_win *w, int rank, bool exclusive);
int win_device_unlock(struct mrt_win *w, int rank, bool exclusive);
/* Starts again what was to be repeated; returns the number of events. */
int win_device_poll(struct mrt_win *w);
#endif
