/* SPDX-License-Identifier: Apache-2.0 */
/* describe.h: what a wait is for, in words (wait.h); ranks are the world's. */
#ifndef P2P_DESCRIBE_H
#define P2P_DESCRIBE_H

#include "p2p/request.h"
#include "runtime/engine/wait.h"

/* "a message from rank 3 with tag 7" */
void describe_receive(int peer, int tag, uint32_t context, char *text,
		      size_t len);
/* The same of any active request. */
void describe_request(const struct mrt_request *req, char *text, size_t len);

/* For WAIT_FOR. what: a request of mrt_wait; of a call of its own. */
void describe_wait(const struct wait *w, char *text, size_t len);
void describe_call(const struct wait *w, char *text, size_t len);

/* what: one of these; its first request that is not over. */
struct described_list {
	const char *call;
	size_t n;
	struct mrt_request *const *requests;
};
void describe_list(const struct wait *w, char *text, size_t len);
#endif
