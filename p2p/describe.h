/* SPDX-License-Identifier: Apache-2.0 */
/* describe.h: descriptions of what a wait is for (wait.h). Ranks are world
 * ranks. */
#ifndef P2P_DESCRIBE_H
#define P2P_DESCRIBE_H

#include "p2p/request.h"
#include "runtime/engine/wait.h"

/* Writes such as "a message from rank 3 with tag 7". */
void describe_receive(int peer, int tag, uint32_t context, char *text,
		      size_t len);
/* Describes any active request. */
void describe_request(const struct mrt_request *req, char *text, size_t len);

/* Returns what a describe function of WAIT returns (wait.h) for a wait that a
 * message from or to this world rank ends. */
int describe_needed(int peer);

/* For WAIT: w->what is a request of mrt_wait, or one of a blocking call. */
int describe_wait(const struct wait *w, char *text, size_t len);
int describe_call(const struct wait *w, char *text, size_t len);

/* For WAIT in a call that waits for all, or for one, of a list's requests:
 * w->what is one of these, of which the first incomplete request is described.
 */
struct described_list {
	const char *call;
	size_t n;
	struct mrt_request *const *requests;
};
int describe_all(const struct wait *w, char *text, size_t len);
int describe_any(const struct wait *w, char *text, size_t len);
#endif
