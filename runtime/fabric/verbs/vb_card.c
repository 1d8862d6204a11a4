/* SPDX-License-Identifier: Apache-2.0 */
/* vb_card.c: makes and reads the endpoint of a rank as one blob: what peers
 * need to connect; in jobs that connect at start, the number of the queue pair
 * for each of them, or 0; and if it is the lowest of its node, the ports of
 * that (vb_agree.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/fabric/verbs/vb_conn.h"

#define VB_MAGIC 0x6d727476u /* "mrtv" */
enum { VB_VERSION = 9 };

static void card_fill(struct vb *vb)
{
	struct vb_card *card = &vb->conn.card;

	card->magic = VB_MAGIC;
	card->version = VB_VERSION;
	card->length = sizeof(*card);
	card->job = hash_text(vb->job->id);
	memcpy(card->gid, vb->dev.gid.raw, sizeof(card->gid));
	card->net = vb->dev.own.net;
	card->lid = vb->dev.port_attr.lid;
	card->buf_len = (uint32_t)vb->conn.rx.len;
	card->window = vb->conn.window;
	card->mtu = (uint8_t)vb->dev.port_attr.active_mtu;
	card->reads = vb->dev.attr.max_qp_rd_atom < VB_READS
			  ? (uint8_t)vb->dev.attr.max_qp_rd_atom
			  : VB_READS;
	card->atomics = vb->dev.attr.atomic_cap != IBV_ATOMIC_NONE;
	snprintf(card->device, sizeof(card->device), "%s", vb_port_name(vb));
	snprintf(card->host, sizeof(card->host), "%.63s", vb->job->host);
}

/* Returns the bytes of a blob before the ports. */
static size_t head_len(const struct vb *vb, const struct vb_card *card)
{
	return sizeof(*card) +
	       (card->mesh ? (size_t)vb->job->size * sizeof(uint32_t) : 0);
}

static size_t blob_len(const struct vb *vb, const struct vb_card *card)
{
	return head_len(vb, card) + card->nports * sizeof(struct vb_port) +
	       card->unfit + card->second;
}

static void write_blob(const struct vb *vb, char *blob)
{
	const struct vb_card *card = &vb->conn.card;
	size_t n = card->mesh ? (size_t)vb->job->size : 0;

	memcpy(blob, card, sizeof(*card));
	for (size_t r = 0; r < n; r++)
		if (vb->conn.eps[r] && vb->conn.eps[r]->qp)
			memcpy(blob + sizeof(*card) + r * sizeof(uint32_t),
			       &vb->conn.eps[r]->qp->qp_num, sizeof(uint32_t));
	blob += head_len(vb, card);
	n = card->nports * sizeof(*vb->dev.ports.all);
	memcpy(blob, vb->dev.ports.all, n);
	memcpy(blob + n, vb->dev.ports.unfit, card->unfit);
	if (card->second)
		memcpy(blob + n + card->unfit, &vb->second->conn.card,
		       card->second);
}

int vb_card_make(struct vb *vb)
{
	bool tells =
	    vb->job->nnodes > 1 && !vb->job->node_rank && !vb->dev.again;
	size_t text = strlen(vb->dev.ports.unfit);
	char *blob;

	card_fill(vb);
	vb->conn.card.nports = tells ? (uint16_t)vb->dev.ports.n : 0;
	vb->conn.card.unfit = tells && text ? (uint16_t)(text + 1) : 0;
	vb->conn.card.second = vb->second ? sizeof(struct vb_card) : 0;
	vb->base.card_len = blob_len(vb, &vb->conn.card);
	_Static_assert(2 * sizeof(struct vb_card) +
			       VB_PORTS_MAX * sizeof(struct vb_port) +
			       sizeof(vb->dev.ports.unfit) <=
			   FAB_CARD_MAX,
		       "a card is too long");
	blob = calloc(1, vb->base.card_len);
	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	write_blob(vb, blob);
	vb->base.card = blob;
	return 0;
}

void vb_card_free(struct vb *vb)
{
	free((void *)vb->base.card);
	vb->base.card = NULL;
}

static int card_refuse(const struct vb_ep *ep, const struct vb_card *card,
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
	if (len >= sizeof(*card) && card->job != vb->conn.card.job)
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d on %.63s is of another job "
				 "(%016llx, this one %016llx): refused",
				 ep->base.peer, card->host,
				 (unsigned long long)card->job,
				 (unsigned long long)vb->conn.card.job);
	return log_error(MRT_ERR_PROTOCOL,
			 "the endpoint of rank %d is damaged (%zu bytes): "
			 "refused",
			 ep->base.peer, len);
}

static bool is_net(const struct vb_net *net)
{
	static const uint8_t bits[] = {VB_IB_NAME, 32, 128};

	return net->kind < VB_NET_KINDS && net->bits <= bits[net->kind];
}

static bool is_right(const struct vb *vb, const struct vb_card *card,
		     size_t len)
{
	return len >= sizeof(*card) && card->nports <= VB_PORTS_MAX &&
	       card->unfit <= sizeof(vb->dev.ports.unfit) &&
	       (!card->second || card->second == sizeof(*card)) &&
	       len == blob_len(vb, card) && card->magic == VB_MAGIC &&
	       card->version == VB_VERSION && card->length == sizeof(*card) &&
	       card->job == vb->conn.card.job && card->buf_len >= VB_BUF_MIN &&
	       card->window >= VB_WINDOW_MIN && card->window <= VB_WINDOW_MAX &&
	       card->mtu >= IBV_MTU_256 && card->mtu <= IBV_MTU_4096 &&
	       card->reads > 0 && is_net(&card->net);
}

/* Finds the ports in a blob. False: they are damaged. */
static bool find_ports(const struct vb *vb, char *blob, struct vb_node *node)
{
	const struct vb_card *card = (const void *)blob;
	struct vb_port *ports = (void *)(blob + head_len(vb, card));

	node->n = card->nports;
	node->ports = ports;
	node->unfit = card->unfit ? (char *)(ports + card->nports) : "";
	memcpy(node->host, card->host, sizeof(card->host));
	for (int k = 0; k < card->nports; k++) {
		ports[k].device[sizeof(ports[k].device) - 1] = 0;
		if (!is_net(&ports[k].net))
			return false;
	}
	return !card->unfit || !node->unfit[card->unfit - 1];
}

/* Copies the own card, as without a launcher nobody keeps what was
 * published. */
static int read_own(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	ep->card = malloc(sizeof(*ep->card));
	if (!ep->card)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	*ep->card = vb->conn.card;
	ep->peer_qpn = ep->qp ? ep->qp->qp_num : 0;
	return 0;
}

static int read_blob(struct vb_ep *ep, char *blob, size_t len,
		     struct vb_node *node)
{
	struct vb *vb = vb_of(ep);
	struct vb_card *card = (void *)blob;

	if (!is_right(vb, card, len))
		return card_refuse(ep, card, len);
	card->device[sizeof(card->device) - 1] = 0;
	card->host[sizeof(card->host) - 1] = 0;
	if (!find_ports(vb, blob, node))
		return card_refuse(ep, card, len);
	ep->peer_qpn = 0;
	if (card->mesh)
		memcpy(&ep->peer_qpn,
		       blob + sizeof(*card) +
			   (size_t)vb->job->rank * sizeof(uint32_t),
		       sizeof(uint32_t));
	ep->card = malloc(sizeof(*ep->card));
	if (!ep->card)
		return log_error(MRT_ERR_NO_MEM, "endpoint of rank %d",
				 ep->base.peer);
	*ep->card = *card;
	return 0;
}

/* Reads the card of the peer's second rail, which follows that of its first. */
static int read_second(struct vb_ep *ep, char *blob, size_t len)
{
	const struct vb *first = vb_of(ep)->first;
	const struct vb_card *card = (const void *)blob;
	struct vb_card own;
	struct vb_node unused;

	if (!is_right(first, card, len))
		return card_refuse(ep, card, len);
	if (!card->second)
		return MRT_ERR_NO_FABRIC;
	memcpy(&own, blob + len - sizeof(own), sizeof(own));
	return read_blob(ep, (char *)&own, sizeof(own), &unused);
}

int vb_card_read(struct vb_ep *ep, struct vb_node *node)
{
	struct vb_node unused;
	void *blob;
	size_t len;
	int rc;

	if (ep->base.peer == vb_of(ep)->job->rank)
		return read_own(ep);
	rc = modex_card(ep->base.peer, &blob, &len);
	if (!rc && vb_of(ep)->rail)
		return read_second(ep, blob, len);
	return rc ? rc : read_blob(ep, blob, len, node ? node : &unused);
}
