/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_conn.h: connections over the device of a rank (vb_device.h).
 *
 *   vb_card.c   what a rank publishes about itself, and checks of others'
 *   vb_agree.c  the ranks agree on the network that joins their nodes
 *   vb_bufs.c   registered buffers of one size
 *   vb_srq.c    the shared receive queue and its buffers
 *   vb_qp.c     RC queue pairs: RESET -> INIT -> RTR -> RTS
 *   vb_mesh.c   connections at start, where the ranks are few
 *   vb_cache.c  how many there are at a time, and which are closed for others
 *   vb_dial.c   the exchange that connects at first use
 *   vb_mail.c   short messages to peers that are not connected
 *   vb_ud.c     the queue pair for datagrams
 */
#ifndef VERBS_VB_CONN_H
#define VERBS_VB_CONN_H

#include "runtime/fabric/verbs/vb_device.h"

/* vb_card.c: makes the card that is published, with what follows it, in
 * vb->base. MRT_ERR_NO_MEM (logged). */
int vb_card_make(struct vb *vb);
void vb_card_free(struct vb *vb);
/* Reads the peer's card into ep->card and its queue pair number for this rank
 * into ep->peer_qpn. *node gets its node, without ports unless the peer is the
 * lowest rank there; valid until modex_forget. NULL: not wanted.
 * MRT_ERR_PROTOCOL (logged). */
int vb_card_read(struct vb_ep *ep, struct vb_node *node);

/* vb_agree.c: sets vb->dev.net to the network that joins the nodes, the same on
 * all ranks. It reads cards of other nodes, and sets *again on all ranks if the
 * guess of one node was wrong. MRT_ERR_NO_FABRIC, MRT_ERR_PROTOCOL (logged). */
int vb_agree(struct vb *vb, bool *again);

/* vb_qp.c */
int vb_qp_create(struct vb_ep *ep); /* to INIT, with receive buffers */
/* Brings the queue pair to RTS by ep->card, which must have been read. Returns
 * ERR_AGAIN if vb_qp_may_retry allows another try. */
int vb_qp_connect(struct vb_ep *ep, uint32_t qpn);
/* Whether a call of the set-up that failed with err may succeed if it is
 * repeated within a minute, or MRT_TIMEOUT, of the first failure: on RoCE the
 * kernel resolves the peer's address meanwhile. */
bool vb_qp_may_retry(struct vb_ep *ep, int err);
void vb_qp_destroy(struct vb_ep *ep);
/* Makes the device complete all that is posted to ep with an error. */
void vb_qp_stop(struct vb_ep *ep);
/* Destroys the queue pair of an endpoint that may be connected again. */
void vb_qp_end(struct vb_ep *ep);
/* Makes the endpoint as before it was connected, once it has no queue pair and
 * nothing posted. */
void vb_qp_forget(struct vb_ep *ep);
struct vb_ep *vb_qp_find(const struct vb *vb, uint32_t qpn);
/* Fills in the path to a peer, for RC and UD. */
void vb_qp_address(const struct vb *vb, const struct vb_card *card,
		   struct ibv_ah_attr *ah);

/* vb_mesh.c */
int vb_mesh_open(struct vb *vb);
/* Returns the connection to a rank, which is made at the first call, or NULL
 * (logged) without memory. */
struct vb_ep *vb_ep_get(struct vb *vb, int rank);
int vb_mesh_wire(struct vb *vb);
void vb_mesh_close(struct vb *vb);

/* vb_cache.c */
/* Sets how many others are connected at a time; after the device is open. */
void vb_cache_init(struct vb *vb);
/* Returns how many connections may be being closed at a time; for each of them
 * there is one receive buffer more. */
uint32_t vb_cache_closings(const struct vb *vb);
/* Whether there is room to connect a peer. If not, another connection begins to
 * be closed; `late`: also if many of them are, and do not end. */
bool vb_cache_admit(const struct vb_ep *ep, bool late);
/* Notes that the device has refused a queue pair for ep; false: the rank cannot
 * do with those that it has. */
bool vb_cache_refused(const struct vb_ep *ep, int err);
/* Notes that ep is connected, and so may be closed. */
void vb_cache_connected(struct vb_ep *ep);
/* Begins to close a connection that is READY: nothing more is posted to it. */
void vb_cache_close(struct vb_ep *ep);

/* vb_dial.c */
enum vb_datagram_kind { VB_CALL, VB_ANSWER, VB_BYE, VB_MAIL, VB_HEARD };
enum { VB_MAIL_MAX = 160 };
struct vb_mail {
	uint64_t hdr;
	uint32_t len, pad;
	char data[VB_MAIL_MAX];
};
struct vb_datagram {
	uint32_t magic;
	uint8_t kind, pad[3];
	uint32_t from, qpn;
	uint32_t epoch;	 /* connections that have ended at its sender */
	uint32_t mailed; /* number of the last MAIL */
	uint32_t heard;	 /* number of the receiver's last MAIL to arrive */
	uint32_t pad2;
	uint64_t nonce; /* of the receiver's card */
	struct vb_mail mail;
};
_Static_assert(sizeof(struct vb_datagram) == 216, "travels between ranks");
/* Begins to connect unless begun before. Returns ERR_AGAIN or MRT_ERR_*
 * (logged). */
int vb_dial(struct vb_ep *ep);
int vb_dial_progress(struct vb *vb);
/* Reads the peer's card and sets ep->ah. ERR_AGAIN: the address is not resolved
 * yet; MRT_ERR_*, after raising the fault. */
int vb_dial_address(struct vb_ep *ep);
/* Lists the endpoint as one for which something is to be repeated. */
void vb_dial_list(struct vb_ep *ep);
void vb_dial_unlist(struct vb_ep *ep);
void vb_dial_handle(struct vb *vb, const struct vb_datagram *m);
/* Marks ep as connected, after the peer has shown that it is. */
void vb_dial_done(struct vb_ep *ep);
/* Lets those that wait for room try again at the next progress. */
void vb_dial_retry(struct vb *vb);

/* vb_mail.c */
/* Sends a message to a peer that is not connected, or begins to connect.
 * Returns 0, ERR_AGAIN or MRT_ERR_* (logged). */
int vb_mail_send(struct vb_ep *ep, uint64_t hdr, const struct iovec *iov,
		 int n);
/* Takes what a datagram says about messages. */
void vb_mail_handle(struct vb_ep *ep, const struct vb_datagram *m);

/* vb_ud.c */
int vb_ud_open(struct vb *vb);
void vb_ud_close(struct vb *vb);
/* Returns how many completions the queue pair may have at once. */
int vb_ud_completions(const struct vb *vb);
/* Sets ep->ah, which peers that use one port share. Returns 0 or an errno. */
int vb_ud_address(struct vb_ep *ep);
/* Sends a datagram to a peer now or when there is room. */
void vb_ud_send(struct vb_ep *ep, enum vb_datagram_kind kind);
void vb_ud_arrived(struct vb *vb, const struct ibv_wc *wc);

/* vb_srq.c */
int vb_srq_open(struct vb *vb, bool all); /* all: connect at start */
void vb_srq_close(struct vb *vb);
/* Posts the first buffers for a peer. */
int vb_srq_add(struct vb_ep *ep);
/* Grants a credit for the CLOSE of a peer that may have none left. */
void vb_srq_add_last(struct vb_ep *ep);
/* Gives up the buffers of a peer whose connection has ended. */
void vb_srq_drop(struct vb_ep *ep);
/* Posts n more buffers, or as many as there are; returns how many. Those that
 * were given up are posted already. */
uint32_t vb_srq_grow(struct vb *vb, uint32_t n);
/* Posts buffer k, again. Returns 0 or an errno. */
int vb_srq_post(struct vb *vb, uint32_t k);
#endif
