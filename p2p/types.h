/* SPDX-License-Identifier: Apache-2.0 */
/* types.h: MRT_CHECK's comparison of the types that are sent and received. The
 * sender adds to its message what the elements consist of, and the receiver
 * compares. A message that fills a message of the fabric goes without. */
#ifndef P2P_TYPES_H
#define P2P_TYPES_H

#include <sys/uio.h>

#include "p2p/request.h"
#include "p2p/type/type_sequence.h"
#include "p2p/wire.h"
#include "runtime/base/env.h"

/* Notes that a request is about to send or receive `count` elements of this
 * sequence. Without memory nothing is compared. */
void types_note(const struct mrt_request *req, const struct type_sequence *one,
		size_t count);
/* Notes that what a request sends has no types. */
void types_note_none(const struct mrt_request *req);
/* Notes of one request what is noted of another. */
void types_copy(const struct mrt_request *from, const struct mrt_request *to);
void types_fini(void);

/* Sends a user's eager message. Takes the place of eager_send. */
int types_send_eager(struct mrt_request *req);

/* Adds the types, which the caller has room for, to a first message of n
 * pieces, behind which there is room for one more, and their bit to its header.
 * Returns the number of pieces. */
int types_add(const struct mrt_request *req, uint64_t *hdr,
	      struct type_sequence *types, struct iovec *iov, int n);

/* Returns how many bytes at the end of a message of this kind are MRT_CHECK's,
 * or -1 if a message of this context can have none. */
static inline ssize_t types_bytes(unsigned kind, uint32_t context)
{
	if (__builtin_expect(!(kind & WIRE_TYPED), 1))
		return 0;
	return env.check && !context_is_internal(context)
		   ? (ssize_t)sizeof(struct type_sequence)
		   : -1;
}

/* Compares a receive with the types, at `data`, of the message that it has
 * matched. If they differ the receive takes no byte, so that it ends with
 * MRT_ERR_TRUNCATE, of which types_report makes MRT_ERR_TYPE. */
void types_compare(struct mrt_request *req, const void *data);

/* Whether a request is a receive that has failed by its types; then its error
 * becomes MRT_ERR_TYPE, and is reported (proc_fail). */
bool types_report(struct mrt_request *req);
#endif
