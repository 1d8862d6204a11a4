/* SPDX-License-Identifier: Apache-2.0 */
/* message.h: the messages of windows, shared by message.c, which sends them,
 * and serve.c, which does what they ask for. */
#ifndef RMA_MESSAGE_H
#define RMA_MESSAGE_H

#include "rma/win.h"

enum {
	MESSAGE_MOST = 8192, /* bytes of a message */
	MESSAGE_RUNS = 64    /* in a message */
};

/* A message: this head, the runs, the data. */
struct head {
	uint32_t kind; /* enum message_kind */
	uint32_t id;   /* of the origin's operation */
	uint32_t runs;
	uint32_t type, op; /* handles of predefined ones */
	int32_t status;	   /* of a reply: 0 or MRT_ERR_* */
	uint32_t flag;	   /* lock: exclusive; reply: the last one */
	uint32_t bytes;	   /* of data */
	uint64_t at;	   /* in the packed data of the operation */
};
struct run {
	uint64_t addr, len;
};

/* Raises a fault, since the peer waits for an answer that it does not get. */
void win_cannot_answer(const struct mrt_win *w, int rank, int error);
/* Sends the replies to a request, as many as the data take. A failure is a
 * fault, since the peer waits for them. */
void win_reply(struct mrt_win *w, int rank, const struct head *request,
	       int status, const char *data, size_t len);
/* Tells a peer that it has the lock for which its operation `id` asked. */
void win_grant(struct mrt_win *w, int rank, uint32_t id);
#endif
