/* SPDX-License-Identifier: Apache-2.0 */
/* vb_card.c: publishes and reads the endpoint of a rank as one blob: what peers
 * need to connect; in a full mesh, the number of the queue pair for each of
 * them; and if it is the lowest of its node, a tail for all of that: its ports
 * and its ranks (vb_agree.c). */
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
enum { VB_VERSION = 2 };

/* A key is published once: a rank may have kept what it has read. */
static const char *key(const struct vb *vb)
{
	return vb->again ? "mrt.verbs.2" : "mrt.verbs";
}

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
	card->net = vb->own.net;
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

static size_t tail_len(const struct vb_card *card)
{
	return card->nports * sizeof(struct vb_port) +
	       card->nranks * sizeof(int32_t);
}

/* Returns the bytes of a blob before its tail. */
static size_t head_len(const struct vb *vb, const struct vb_card *card)
{
	return sizeof(*card) +
	       (card->mesh ? (size_t)vb->job->size * sizeof(uint32_t) : 0);
}

static void write_blob(const struct vb *vb, const struct vb_card *card,
		       char *blob)
{
	size_t n = card->mesh ? (size_t)vb->job->size : 0;

	memcpy(blob, card, sizeof(*card));
	for (size_t r = 0; r < n; r++)
		if (vb->eps[r].qp)
			memcpy(blob + sizeof(*card) + r * sizeof(uint32_t),
			       &vb->eps[r].qp->qp_num, sizeof(uint32_t));
	blob += head_len(vb, card);
	memcpy(blob, vb->ports.all, card->nports * sizeof(*vb->ports.all));
	blob += card->nports * sizeof(*vb->ports.all);
	if (card->nranks)
		memcpy(blob, vb->job->node_ranks,
		       card->nranks * sizeof(*vb->job->node_ranks));
}

int vb_card_publish(struct vb *vb)
{
	struct vb_card card;
	size_t len;
	char *blob;
	int rc;

	fill(vb);
	card = vb->card;
	if (vb->job->nnodes > 1 && !vb->job->node_rank && !vb->again) {
		card.nports = (uint16_t)vb->ports.n;
		card.nranks = (uint32_t)vb->job->node_size;
	}
	len = head_len(vb, &card) + tail_len(&card);
	blob = calloc(1, len);
	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	write_blob(vb, &card, blob);
	rc = boot_put(key(vb), blob, len);
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

static bool is_net(const struct vb_net *net)
{
	static const uint8_t bits[] = {64, 32, 128};

	return net->kind < VB_NET_KINDS && net->bits <= bits[net->kind];
}

static bool is_right(const struct vb *vb, const struct vb_card *card,
		     size_t len)
{
	return len >= sizeof(*card) && card->nports <= VB_PORTS_MAX &&
	       card->nranks <= (uint32_t)vb->job->size &&
	       len == head_len(vb, card) + tail_len(card) &&
	       card->magic == VB_MAGIC && card->version == VB_VERSION &&
	       card->length == sizeof(*card) && card->job == vb->card.job &&
	       card->buf_len >= VB_BUF_MIN && card->window >= VB_WINDOW_MIN &&
	       card->window <= VB_WINDOW_MAX && card->mtu >= IBV_MTU_256 &&
	       card->mtu <= IBV_MTU_4096 && card->reads > 0 &&
	       is_net(&card->net);
}

/* Finds the tail in a blob. False: it is damaged. */
static bool find_tail(const struct vb_ep *ep, char *blob, struct vb_tail *tail)
{
	const struct vb *vb = vb_of(ep);
	const struct vb_card *card = (const void *)blob;
	char *at = blob + head_len(vb, card);
	struct vb_port *ports = (void *)at;

	tail->nranks = card->nranks;
	tail->ranks = (void *)(at + card->nports * sizeof(*ports));
	tail->node.n = card->nports;
	tail->node.ports = ports;
	memcpy(tail->node.host, card->host, sizeof(card->host));
	for (int k = 0; k < card->nports; k++) {
		ports[k].device[sizeof(ports[k].device) - 1] = 0;
		if (!is_net(&ports[k].net))
			return false;
	}
	for (uint32_t k = 0; k < card->nranks; k++)
		if (tail->ranks[k] >= vb->job->size ||
		    (k ? tail->ranks[k] <= tail->ranks[k - 1]
		       : tail->ranks[k] != ep->base.peer))
			return false;
	return !card->nports == !card->nranks;
}

/* Copies the own card, as without a launcher nobody keeps what was
 * published. */
static int read_own(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	ep->card = malloc(sizeof(*ep->card));
	if (!ep->card)
		return log_error(MRT_ERR_NO_MEM, "endpoint of this rank");
	*ep->card = vb->card;
	ep->peer_qpn = vb->card.mesh ? ep->qp->qp_num : 0;
	return 0;
}

static int read_blob(struct vb_ep *ep, char *blob, size_t len,
		     struct vb_tail *tail)
{
	struct vb *vb = vb_of(ep);
	struct vb_card *card = (void *)blob;
	int rc = boot_get(ep->base.peer, key(vb), blob, &len);

	if (rc)
		return rc;
	if (!is_right(vb, card, len))
		return refuse(ep, card, len);
	card->device[sizeof(card->device) - 1] = 0;
	card->host[sizeof(card->host) - 1] = 0;
	if (!find_tail(ep, blob, tail))
		return refuse(ep, card, len);
	ep->peer_qpn = 0;
	if (card->mesh)
		memcpy(&ep->peer_qpn,
		       blob + sizeof(*card) +
			   (size_t)vb->job->rank * sizeof(uint32_t),
		       sizeof(uint32_t));
	return 0;
}

static int read_peer(struct vb_ep *ep, struct vb_tail *tail)
{
	size_t n = (size_t)vb_of(ep)->job->size;
	size_t len = sizeof(*ep->card) + n * sizeof(uint32_t) +
		     VB_PORTS_MAX * sizeof(struct vb_port) +
		     n * sizeof(int32_t);
	int rc;

	tail->blob = calloc(1, len);
	ep->card = malloc(sizeof(*ep->card));
	if (tail->blob && ep->card)
		rc = read_blob(ep, tail->blob, len, tail);
	else
		rc = log_error(MRT_ERR_NO_MEM, "endpoint of rank %d",
			       ep->base.peer);
	if (!rc) {
		memcpy(ep->card, tail->blob, sizeof(*ep->card));
		return 0;
	}
	free(tail->blob);
	free(ep->card);
	ep->card = NULL;
	return rc;
}

int vb_card_read(struct vb_ep *ep, struct vb_tail *tail)
{
	struct vb_tail unused;
	int rc;

	if (ep->base.peer == vb_of(ep)->job->rank)
		return read_own(ep);
	rc = read_peer(ep, tail ? tail : &unused);
	if (!rc && !tail)
		free(unused.blob);
	return rc;
}
