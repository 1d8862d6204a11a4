/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_post.c: messages. A short one is copied by libfabric (fi_inject), a
 * longer one by this rank into a buffer that a completion gives back. Each
 * receive buffer takes one message. (One that takes many, by FI_MULTI_RECV,
 * libfabric gives back too early over TCP before 1.20: messages of other peers
 * may still be coming into it.)
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/base/pieces.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/ofi/ofi.h"

enum {
	BATCH = 16, /* completions taken per poll */
	INJECT_MOST = 4096,
	RECV_MEMORY = 2 << 20
};

static void *memory_desc(const struct ofi *ofi)
{
	return ofi->memory_mr ? fi_mr_desc(ofi->memory_mr) : NULL;
}

/* ---- receiving ---- */

static int post_recv(struct ofi *ofi, struct ofi_buf *buf)
{
	return (int)fi_recv(ofi->end, buf->data, ofi->message_max,
			    memory_desc(ofi), FI_ADDR_UNSPEC, &buf->context);
}

static void post_bad(const struct ofi_head *head, size_t len)
{
	fault_raise_text(MRT_ERR_PROTOCOL,
			 "a message of %zu bytes that cannot be has come from "
			 "rank %u by libfabric: do all ranks run the same "
			 "libmrt?",
			 len, head->rank);
}

static void post_arrived(struct ofi *ofi, const char *data, size_t len)
{
	struct ofi_head head = {.rank = UINT32_MAX};
	enum ofi_kind kind;
	struct ofi_ep *ep;

	if (len >= sizeof(head))
		memcpy(&head, data, sizeof(head));
	if (head.rank >= (uint32_t)ofi->job->size ||
	    (head.check & ~(uint32_t)OFI_KINDS) != ofi->check) {
		post_bad(&head, len);
		return;
	}
	data += sizeof(head);
	len -= sizeof(head);
	kind = head.check & OFI_KINDS;
	if (kind == OFI_MSG)
		ofi->base.sink.recv((int)head.rank, head.hdr, data, len);
	else if ((ep = ofi_ep_get(ofi, (int)head.rank)))
		ofi_rma_arrived(ep, kind, head.hdr, data, len);
	else
		fault_raise(MRT_ERR_NO_MEM, "a peer cannot be answered");
}

/* ---- sending ---- */

static size_t post_gather(char *to, const struct ofi_head *head,
			  const struct iovec *iov, int n)
{
	memcpy(to, head, sizeof(*head));
	return (size_t)(pieces_gather(to + sizeof(*head), iov, n) - to);
}

static int send_copied(struct ofi_ep *ep, const struct ofi_head *head,
		       const struct iovec *iov, int n)
{
	char message[INJECT_MOST];
	size_t len = post_gather(message, head, iov, n);

	return (int)fi_inject(ofi_of(ep)->end, message, len, ep->addr);
}

static int send_buffer(struct ofi_ep *ep, const struct ofi_head *head,
		       const struct iovec *iov, int n)
{
	struct ofi *ofi = ofi_of(ep);
	struct ofi_buf *buf;
	int rc;

	if (!ofi->nfree)
		return -FI_EAGAIN;
	buf = ofi->free[ofi->nfree - 1];
	buf->ep = ep;
	rc = (int)fi_send(ofi->end, buf->data,
			  post_gather(buf->data, head, iov, n),
			  memory_desc(ofi), ep->addr, &buf->context);
	ofi->nfree -= !rc;
	return rc;
}

int ofi_message(struct ofi_ep *ep, enum ofi_kind kind, uint64_t hdr,
		const struct iovec *iov, int n)
{
	struct ofi *ofi = ofi_of(ep);
	const struct ofi_head head = {hdr, (uint32_t)ofi->job->rank,
				      ofi->check | kind};
	size_t len = sizeof(head);
	int rc;

	if (__builtin_expect(ep->addr == FI_ADDR_NOTAVAIL, 0)) {
		rc = ofi_reach(ep);
		if (rc)
			return rc;
	}
	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	rc = (len <= ofi->inject_max ? send_copied : send_buffer)(ep, &head,
								  iov, n);
	if (rc == -FI_EAGAIN)
		return ERR_AGAIN;
	if (rc)
		return ofi_failed(ep, "a message", rc);
	ofi->messages++;
	ofi->bytes += len;
	return 0;
}

int ofi_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n)
{
	return ofi_message((struct ofi_ep *)ep, OFI_MSG, hdr, iov, n);
}

/* ---- completions ---- */

static void post_failed(struct ofi *ofi)
{
	struct fi_cq_err_entry error = {.err = 0};
	struct ofi_context *context;

	if (fi_cq_readerr(ofi->cq, &error, 0) <= 0)
		return;
	context = error.op_context;
	if (context && context->use == OFI_RMA) {
		ofi_rma_completed((struct ofi_op *)context, error.err);
	} else if (context && context->use == OFI_SEND) {
		struct ofi_buf *buf = (struct ofi_buf *)context;

		ofi_failed(buf->ep, "a message", error.err);
		ofi->free[ofi->nfree++] = buf;
	} else if (!ofi->closing && error.err != FI_ECANCELED) {
		fault_raise_text(
		    MRT_ERR_PEER, "libfabric's %s cannot receive: %s",
		    ofi->info->fabric_attr->prov_name, fi_strerror(error.err));
	}
}

static void post_completed(struct ofi *ofi, const struct fi_cq_msg_entry *entry)
{
	struct ofi_context *context = entry->op_context;
	struct ofi_buf *buf = (struct ofi_buf *)context;

	if (!context)
		return;
	if (context->use == OFI_RMA) {
		ofi_rma_completed((struct ofi_op *)context, 0);
		return;
	}
	if (context->use == OFI_SEND) {
		ofi->free[ofi->nfree++] = buf;
		return;
	}
	post_arrived(ofi, buf->data, entry->len);
	if (post_recv(ofi, buf))
		fault_raise_text(MRT_ERR_RESOURCE,
				 "libfabric's %s takes no receive buffer",
				 ofi->info->fabric_attr->prov_name);
}

int ofi_progress(struct fab *fab)
{
	struct ofi *ofi = (struct ofi *)fab;
	struct fi_cq_msg_entry entries[BATCH];
	ssize_t n = fi_cq_read(ofi->cq, entries, BATCH);

	if (__builtin_expect(n == -FI_EAVAIL, 0)) {
		post_failed(ofi);
		n = 1;
	}
	if (n < 0)
		n = 0;
	else
		for (ssize_t i = 0; i < n; i++)
			post_completed(ofi, &entries[i]);
	if (__builtin_expect(
		!list_empty(&ofi->answers) || !list_empty(&ofi->stalled), 0))
		n += ofi_rma_progress(ofi);
	return (int)n;
}

/* ---- start and end ---- */

/* Returns how many buffers receive. */
static int recv_count(const struct ofi *ofi)
{
	int n = (int)(RECV_MEMORY / ofi->message_max);

	return n < OFI_RECVS ? n : OFI_RECVS;
}

static int register_memory(struct ofi *ofi)
{
	int rc;

	ofi->memory_len =
	    (size_t)(OFI_SENDS + recv_count(ofi)) * ofi->message_max;
	ofi->memory = mmap(NULL, ofi->memory_len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ofi->memory == MAP_FAILED) {
		ofi->memory = NULL;
		return log_error(MRT_ERR_NO_MEM, "buffers of messages");
	}
	if (!(ofi->info->domain_attr->mr_mode & FI_MR_LOCAL))
		return 0;
	rc = fi_mr_reg(ofi->domain, ofi->memory, ofi->memory_len,
		       FI_SEND | FI_RECV, 0, ++ofi->next_id, 0, &ofi->memory_mr,
		       NULL);
	return rc ? ofi_refused(ofi, "fi_mr_reg", rc) : 0;
}

int ofi_post_open(struct ofi *ofi)
{
	size_t most = ofi->info->tx_attr->inject_size;
	char *at;
	int rc = register_memory(ofi);

	if (rc)
		return rc;
	ofi->inject_max = most < INJECT_MOST ? most : INJECT_MOST;
	at = ofi->memory;
	for (int i = 0; i < OFI_SENDS; i++, at += ofi->message_max) {
		ofi->sends[i].context.use = OFI_SEND;
		ofi->sends[i].data = at;
		ofi->free[ofi->nfree++] = &ofi->sends[i];
	}
	for (int i = 0; !rc && i < recv_count(ofi);
	     i++, at += ofi->message_max) {
		ofi->recvs[i].context.use = OFI_RECV;
		ofi->recvs[i].data = at;
		rc = post_recv(ofi, &ofi->recvs[i]);
	}
	return rc ? ofi_refused(ofi, "fi_recv", rc) : 0;
}

void ofi_post_close(struct ofi *ofi)
{
	if (ofi->memory_mr)
		fi_close(&ofi->memory_mr->fid);
	if (ofi->memory)
		munmap(ofi->memory, ofi->memory_len);
}
