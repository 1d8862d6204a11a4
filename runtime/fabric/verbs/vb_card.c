/* SPDX-License-Identifier: Apache-2.0 */
/* vb_card.c: publishes and reads the endpoint of a rank as one blob: what peers
 * need to connect, followed, in a full mesh, by the number of the queue pair
 * for each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/verbs.h"

#define VB_MAGIC 0x6d727476u /* "mrtv" */
enum { VB_VERSION = 1 };
#define KEY "mrt.verbs"

static void fill(struct vb *vb)
{
	struct vb_card *card = &vb->card;

	card->magic = VB_MAGIC;
	card->version = VB_VERSION;
	card->length = sizeof(*card);
	card->job = hash_text(vb->job->id);
	if (getrandom(&card->nonce, sizeof(card->nonce), 0) < 0)
		card->nonce = clock_ns() ^ (uint64_t)getpid() << 40;
	memcpy(card->gid, vb->gid.raw, sizeof(card->gid));
	card->lid = vb->port_attr.lid;
	card->buf_len = (uint32_t)vb->rx.len;
	card->window = vb->window;
	card->shares = vb->shares;
	card->mtu = (uint8_t)vb->port_attr.active_mtu;
	card->reads = vb->attr.max_qp_rd_atom < VB_READS
			  ? (uint8_t)vb->attr.max_qp_rd_atom
			  : VB_READS;
	card->atomics = vb->attr.atomic_cap != IBV_ATOMIC_NONE;
	snprintf(card->device, sizeof(card->device), "%s", vb_port_name(vb));
	snprintf(card->host, sizeof(card->host), "%.63s", vb->job->host);
}

int vb_card_publish(struct vb *vb)
{
	size_t n = vb->card.mesh ? (size_t)vb->job->size : 0;
	size_t len = sizeof(vb->card) + n * sizeof(uint32_t);
	char *blob = calloc(1, len);
	int rc;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	fill(vb);
	memcpy(blob, &vb->card, sizeof(vb->card));
	for (size_t r = 0; r < n; r++)
		if (vb->eps[r].qp)
			memcpy(blob + sizeof(vb->card) + r * sizeof(uint32_t),
			       &vb->eps[r].qp->qp_num, sizeof(uint32_t));
	rc = boot_put(KEY, blob, len);
	free(blob);
	return rc;
}

static int refuse(const struct vb_ep *ep, const struct vb_card *card,
		  size_t len)
{
	const struct vb *vb = vb_of(ep);

	if (len < 8 || card->magic != VB_MAGIC)
		return log_error(MRT_ERR_PROTOCOL,
				 "the endpoint of rank %d is none of libmrt's "
				 "on a machine like this one",
				 ep->base.peer);
	if (card->version != VB_VERSION || card->length != sizeof(*card))
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d speaks version %d of the protocol "
				 "over verbs, this rank %d: start all ranks "
				 "with one libmrt",
				 ep->base.peer, card->version, VB_VERSION);
	if (card->job != vb->card.job)
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d on %.63s is of another job "
				 "(%016llx, this one %016llx): refused",
				 ep->base.peer, card->host,
				 (unsigned long long)card->job,
				 (unsigned long long)vb->card.job);
	return log_error(MRT_ERR_PROTOCOL,
			 "the endpoint of rank %d is damaged (%zu bytes): "
			 "refused",
			 ep->base.peer, len);
}

static bool is_right(const struct vb *vb, const struct vb_card *card,
		     size_t len)
{
	size_t n = card->mesh ? (size_t)vb->job->size : 0;

	return len == sizeof(*card) + n * sizeof(uint32_t) &&
	       card->magic == VB_MAGIC && card->version == VB_VERSION &&
	       card->length == sizeof(*card) && card->job == vb->card.job &&
	       card->buf_len >= VB_BUF_MIN && card->window >= VB_WINDOW_MIN &&
	       card->window <= VB_WINDOW_MAX && card->mtu >= IBV_MTU_256 &&
	       card->mtu <= IBV_MTU_4096 && card->reads > 0;
}

/* Copies the own card, as without a launcher nobody keeps what was
 * published. */
static int read_own(struct vb_ep *ep, uint32_t *qpn)
{
	struct vb *vb = vb_of(ep);

	ep->card = malloc(sizeof(*ep->card));
	if (!ep->card)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	*ep->card = vb->card;
	*qpn = vb->card.mesh ? ep->qp->qp_num : 0;
	return 0;
}

static int read_peer(struct vb_ep *ep, uint32_t *qpn)
{
	struct vb *vb = vb_of(ep);
	size_t len =
	    sizeof(struct vb_card) + (size_t)vb->job->size * sizeof(uint32_t);
	char *blob = calloc(1, len);
	struct vb_card *card = (struct vb_card *)(void *)blob;
	int rc;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoint of rank %d",
				 ep->base.peer);
	rc = boot_get(ep->base.peer, KEY, blob, &len);
	if (!rc && !is_right(vb, card, len))
		rc = refuse(ep, card, len);
	*qpn = 0;
	if (!rc && card->mesh)
		memcpy(qpn,
		       blob + sizeof(*card) +
			   (size_t)vb->job->rank * sizeof(*qpn),
		       sizeof(*qpn));
	if (rc) {
		free(blob);
		return rc;
	}
	card->device[sizeof(card->device) - 1] = 0;
	card->host[sizeof(card->host) - 1] = 0;
	/* drop the queue pair numbers for others */
	ep->card = realloc(blob, sizeof(*card));
	return 0;
}

int vb_card_read(struct vb_ep *ep, uint32_t *qpn)
{
	return ep->base.peer == vb_of(ep)->job->rank ? read_own(ep, qpn)
						     : read_peer(ep, qpn);
}
