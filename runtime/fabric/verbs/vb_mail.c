/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_mail.c sends short messages to a peer that is not connected as datagrams
 * (vb_ud.c): the first MRT_IB_DATAGRAMS of them since the start, or since the
 * connection to the peer was closed. So a barrier needs no connection.
 *
 * The message that a peer has not acknowledged is kept, and sent again by the
 * timer of vb_dial.c. There is one at a time, with a number, and each datagram
 * says which was the last to arrive from its receiver (RFC 1350, section 2). No
 * connection is made meanwhile, so none of its messages overtakes this one; and
 * a connection that ends has delivered all of its own before CLOSE
 * (vb_close.c). tests/models/close.pml has this, too.
 */
#include <stdlib.h>

#include "runtime/base/env.h"
#include "runtime/base/pieces.h"
#include "runtime/fabric/verbs/vb_conn.h"

static size_t mail_len(const struct iovec *iov, int n)
{
	size_t len = 0;

	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	return len;
}

/* Tells whether the next message may go as a datagram. */
static bool may_mail(const struct vb_ep *ep, size_t len)
{
	return ep->state == VB_IDLE && !ep->called && list_empty(&ep->ops) &&
	       list_empty(&ep->dialing) && len <= VB_MAIL_MAX &&
	       ep->mails < env.ib_datagrams;
}

int vb_mail_send(struct vb_ep *ep, uint64_t hdr, const struct iovec *iov, int n)
{
	size_t len = mail_len(iov, n);
	struct vb_mail *mail = NULL;

	if (may_mail(ep, len) && !vb_dial_address(ep))
		mail = malloc(sizeof(*mail));
	if (!mail)
		return vb_dial(ep);
	mail->hdr = hdr;
	mail->len = (uint32_t)len;
	pieces_gather(mail->data, iov, n);
	ep->mail = mail;
	ep->mails++;
	ep->mailed++;
	vb_of(ep)->counts.mails++;
	vb_dial_list(ep);
	vb_ud_send(ep, VB_MAIL);
	return 0;
}

/* Delivers a message unless it has arrived before, and acknowledges it. */
static void mail_arrived(struct vb_ep *ep, const struct vb_datagram *m)
{
	struct vb *vb = vb_of(ep);
	/* the CLOSE of a peer comes after all of its connection */
	bool next = m->epoch == ep->epoch + 1 && ep->close_heard;
	bool idle = m->epoch == ep->epoch && ep->state < VB_HALF;

	if (m->mailed == ep->mail_heard + 1 && (idle || next) &&
	    m->mail.len <= VB_MAIL_MAX) {
		ep->mail_heard++;
		vb->base.sink.recv(ep->base.peer, m->mail.hdr, m->mail.data,
				   m->mail.len);
	}
	if (m->mailed == ep->mail_heard && !vb_dial_address(ep))
		vb_ud_send(ep, VB_HEARD);
}

void vb_mail_handle(struct vb_ep *ep, const struct vb_datagram *m)
{
	if (ep->mail && m->heard == ep->mailed) {
		free(ep->mail);
		ep->mail = NULL;
		vb_dial_unlist(ep);
		if (ep->called || !list_empty(&ep->ops))
			vb_dial(ep);
	}
	if (m->kind == VB_MAIL)
		mail_arrived(ep, m);
}
