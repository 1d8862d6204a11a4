/* SPDX-License-Identifier: Apache-2.0 */
/* ofi.c: the provider on libfabric; see ofi.h for its parts. */
#include "runtime/fabric/ofi/ofi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/counters.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"

#define OFI_MAGIC 0x6d72746fu /* "mrto" */
enum {
	OFI_VERSION = 3,
	QUEUE = 4096,	 /* entries of the completion queue */
	ADDRESSES = 256, /* for which memory is taken at first */
};

/* ---- errors ---- */

int ofi_refused(const struct ofi *ofi, const char *call, int error)
{
	char text[160];

	return log_error(
	    error == -FI_ENOMEM ? MRT_ERR_NO_MEM : MRT_ERR_RESOURCE,
	    "%s of libfabric's %s: %s", call,
	    ofi_text(ofi->info, text, sizeof(text)), fi_strerror(-error));
}

int ofi_failed(const struct ofi_ep *ep, const char *what, int error)
{
	const struct ofi *ofi = ofi_of(ep);
	char text[160];

	if (ofi->closing)
		return MRT_ERR_PEER;
	return fault_raise_text(MRT_ERR_PEER,
				"rank %d on %s by libfabric's %s: %s failed: "
				"%s",
				ep->base.peer, *ep->host ? ep->host : "?",
				ofi_text(ofi->info, text, sizeof(text)), what,
				fi_strerror(error < 0 ? -error : error));
}

/* ---- opening ---- */

static struct ofi_offers found; /* by ofi_unfit, for ofi_open */

static const char *ofi_unfit(const struct boot_job *job)
{
	if (!strcmp(env.ofi_provider, "none"))
		return "MRT_OFI_PROVIDER=none";
	if (ofi_lib_open())
		return "libfabric is not installed, or too old";
	ofi_offers_free(&found); /* of a provider that was not opened */
	ofi_look(&found, job->nnodes > 1, job->node_rank);
	return found.n ? NULL
		       : "libfabric has no provider that libmrt can use, and "
			 "that MRT_OFI_PROVIDER and MRT_OFI_IFACE allow";
}

/* Opens what the endpoint is bound to. */
static int open_domain(struct ofi *ofi)
{
	struct fi_av_attr av = {.type = FI_AV_TABLE, .count = ADDRESSES};
	struct fi_cq_attr cq = {
	    .size = QUEUE, .format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
	int rc = fi_fabric(ofi->info->fabric_attr, &ofi->fabric, NULL);

	if (rc)
		return ofi_refused(ofi, "fi_fabric", rc);
	rc = fi_domain(ofi->fabric, ofi->info, &ofi->domain, NULL);
	if (rc)
		return ofi_refused(ofi, "fi_domain", rc);
	rc = fi_av_open(ofi->domain, &av, &ofi->av, NULL);
	if (rc)
		return ofi_refused(ofi, "fi_av_open", rc);
	rc = fi_cq_open(ofi->domain, &cq, &ofi->cq, NULL);
	return rc ? ofi_refused(ofi, "fi_cq_open", rc) : 0;
}

static int open_end(struct ofi *ofi)
{
	int rc = fi_endpoint(ofi->domain, ofi->info, &ofi->end, NULL);

	if (rc)
		return ofi_refused(ofi, "fi_endpoint", rc);
	rc = fi_ep_bind(ofi->end, &ofi->av->fid, 0);
	if (!rc)
		rc = fi_ep_bind(ofi->end, &ofi->cq->fid, FI_TRANSMIT | FI_RECV);
	if (rc)
		return ofi_refused(ofi, "fi_ep_bind", rc);
	rc = fi_enable(ofi->end);
	return rc ? ofi_refused(ofi, "fi_enable", rc) : 0;
}

static int make_card(struct ofi *ofi)
{
	bool tells = ofi->job->nnodes > 1 && !ofi->job->node_rank;
	uint32_t n = tells ? (uint32_t)ofi->offers.n : 0;
	size_t len = OFI_ADDRESS_MAX, list = n * sizeof(*ofi->offers.all);
	struct ofi_card *card = calloc(1, sizeof(*card) + len + list);
	int rc;

	if (!card)
		return log_error(MRT_ERR_NO_MEM, "address of this rank");
	rc = fi_getname(&ofi->end->fid, card + 1, &len);
	if (rc) {
		free(card);
		return ofi_refused(ofi, "fi_getname", rc);
	}
	card->magic = OFI_MAGIC;
	card->version = OFI_VERSION;
	card->job = hash_text(ofi->job->id);
	card->address_len = (uint32_t)len;
	card->offers = n;
	ofi_pulse_open(ofi, card);
	snprintf(card->provider, sizeof(card->provider), "%s",
		 ofi->info->fabric_attr->prov_name);
	snprintf(card->host, sizeof(card->host), "%.63s", ofi->job->host);
	ofi->check = (uint32_t)card->job & ~(uint32_t)OFI_KINDS;
	ofi->base.card = card;
	ofi->base.card_len = sizeof(*card) + len + list;
	memcpy((char *)(card + 1) + len, ofi->offers.all, list);
	_Static_assert(sizeof(*card) + OFI_ADDRESS_MAX +
			       sizeof(ofi->offers.all) <=
			   FAB_CARD_MAX,
		       "a card is too long");
	return 0;
}

static struct ofi_ep *make_ep(struct ofi *ofi, int rank)
{
	size_t most = ofi->message_max - sizeof(struct ofi_head);
	struct ofi_ep *ep = malloc(sizeof(*ep));

	if (ep)
		*ep = (struct ofi_ep){.base = {.ops = ofi->base.ops,
					       .fab = &ofi->base,
					       .peer = rank,
					       .send_max = most,
					       .eager_max = most},
				      .addr = FI_ADDR_NOTAVAIL};
	else
		log_line(LOG_ERROR, MRT_ERR_NO_MEM, "connection to rank %d",
			 rank);
	return ep;
}

struct ofi_ep *ofi_ep_get(struct ofi *ofi, int rank)
{
	if (!ofi->eps[rank])
		ofi->eps[rank] = make_ep(ofi, rank);
	return ofi->eps[rank];
}

static int make_eps(struct ofi *ofi)
{
	ofi->eps = calloc((size_t)ofi->job->size, sizeof(*ofi->eps));
	return ofi->eps ? 0
			: log_error(MRT_ERR_NO_MEM, "table of %d connections",
				    ofi->job->size);
}

/* Makes ofi as if nothing had been opened, except what it offers. */
static void ofi_reset(struct ofi *ofi)
{
	*ofi = (struct ofi){.base = ofi->base,
			    .job = ofi->job,
			    .offers = ofi->offers,
			    .stop = -1,
			    .arm = -1,
			    .edges = -1,
			    .door = -1,
			    .pulse = -1};
	ofi->base.card = NULL;
	own_heap_init(&ofi->heap);
	ofi_rma_open(ofi);
}

static struct ofi *ofi_create(const struct boot_job *job,
			      const struct fab_sink *sink)
{
	struct ofi *ofi = calloc(1, sizeof(*ofi));

	if (!ofi)
		return NULL;
	ofi->base.ops = &ofi_ops;
	ofi->base.sink = *sink;
	ofi->job = job;
	ofi_reset(ofi);
	ofi->offers = found;
	found.n = 0;
	return ofi;
}

/* ---- the end ---- */

/* Runs while the end of all ranks is awaited: libfabric may still have to send,
 * or to serve a peer. */
static void ofi_meanwhile(void *arg)
{
	ofi_progress(arg);
}

static void ofi_drop(int peer, uint64_t hdr, const void *data, size_t len)
{
}

static void wait_for_all(struct ofi *ofi)
{
	ofi->base.sink.recv = ofi_drop;
	while (!fault_code && (ofi->under_way || ofi->nfree < OFI_SENDS))
		ofi_progress(&ofi->base);
	if (fault_code)
		return;
	ofi->closing = true;
	boot_fence_last(ofi_meanwhile, ofi);
}

/* Undoes ofi_start. */
static void ofi_stop(struct ofi *ofi)
{
	ofi_watch_close(ofi);
	ofi_pulse_close(ofi);
	if (ofi->end)
		fi_close(&ofi->end->fid);
	ofi_rma_close(ofi);
	ofi_post_close(ofi);
	if (ofi->cq)
		fi_close(&ofi->cq->fid);
	if (ofi->av)
		fi_close(&ofi->av->fid);
	if (ofi->domain)
		fi_close(&ofi->domain->fid);
	if (ofi->fabric)
		fi_close(&ofi->fabric->fid);
	own_heap_fini(&ofi->heap);
	free((void *)ofi->base.card);
	for (int r = 0; ofi->eps && r < ofi->job->size; r++)
		free(ofi->eps[r]);
	free(ofi->eps);
}

static void ofi_close(struct fab *fab)
{
	struct ofi *ofi = (struct ofi *)fab;

	if (!ofi)
		return;
	if (ofi->wired && !fault_code)
		wait_for_all(ofi);
	ofi_stop(ofi);
	ofi_offers_free(&ofi->offers);
	free(ofi);
}

/* Opens the endpoint for one of the offers. */
static int ofi_start(struct ofi *ofi, int offer)
{
	const char *provider = ofi->offers.all[offer].provider;
	int rc;

	ofi->info = ofi->offers.infos[offer];
	/* TCP is the work of the node's CPUs */
	ofi->base.software = ofi_is_tcp(provider);
	/* ofi_rxm sends longer ones in pieces */
	ofi->message_max = ofi->base.software && !strstr(provider, "rxm")
			       ? OFI_TCP_MESSAGE
			       : OFI_CARD_MESSAGE;
	fab_count_cpus(&ofi->base, ofi->job);
	rc = open_domain(ofi);
	if (!rc)
		rc = open_end(ofi);
	if (!rc)
		rc = make_card(ofi);
	if (!rc)
		rc = make_eps(ofi);
	return rc ? rc : ofi_post_open(ofi);
}

static int ofi_open(const struct boot_job *job, const struct fab_sink *sink,
		    struct fab **fab)
{
	struct ofi *ofi = ofi_create(job, sink);
	int rc;

	if (!ofi)
		return log_error(MRT_ERR_NO_MEM, "libfabric");
	rc = ofi_start(ofi, 0);
	if (rc) {
		ofi_close(&ofi->base);
		return rc;
	}
	*fab = &ofi->base;
	return 0;
}

/* Takes the offer that the nodes have agreed on. */
static int ofi_follow(struct ofi *ofi)
{
	bool again;
	int offer, rc = ofi_agree(ofi, &offer, &again);

	if (rc || !again)
		return rc;
	if (offer) {
		ofi_stop(ofi);
		ofi_reset(ofi);
		rc = ofi_start(ofi, offer);
	}
	return rc ? rc : modex_renew(&ofi->base);
}

static int ofi_wire(struct fab *fab)
{
	struct ofi *ofi = (struct ofi *)fab;
	char text[160];
	int rc = ofi->job->nnodes > 1 ? ofi_follow(ofi) : 0;

	if (!rc)
		rc = ofi_pulse_connect(ofi);
	if (!rc)
		rc = ofi_watch_open(ofi);
	if (rc)
		return rc;
	log_info("uses libfabric's %s",
		 ofi_text(ofi->info, text, sizeof(text)));
	ofi->wired = true;
	return 0;
}

/* ---- peers ---- */

static bool is_whole(const struct ofi_card *card, size_t len)
{
	return len >= sizeof(*card) && card->magic == OFI_MAGIC &&
	       card->version == OFI_VERSION && card->offers <= OFI_OFFERS &&
	       card->address_len <= OFI_ADDRESS_MAX &&
	       len - sizeof(*card) ==
		   card->address_len + card->offers * sizeof(struct ofi_offer);
}

bool ofi_is_card(const struct ofi *ofi, const struct ofi_card *card, size_t len)
{
	const struct ofi_card *own = ofi->base.card;

	return is_whole(card, len) && card->job == own->job;
}

int ofi_refuse_card(const struct ofi_ep *ep, const struct ofi_card *card,
		    size_t len)
{
	const struct ofi *ofi = ofi_of(ep);

	if (!is_whole(card, len))
		return log_error(MRT_ERR_PROTOCOL,
				 "what rank %d has published is no address of "
				 "libfabric: start all ranks with one libmrt, "
				 "and with the same MRT_FABRIC",
				 ep->base.peer);
	if (card->job != hash_text(ofi->job->id))
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d on %.63s is of another job: refused",
				 ep->base.peer, card->host);
	return log_error(MRT_ERR_NO_FABRIC,
			 "rank %d on %.63s uses libfabric's provider %.31s, "
			 "this rank %s: set MRT_OFI_PROVIDER to one that all "
			 "nodes have",
			 ep->base.peer, card->host, card->provider,
			 ofi->info->fabric_attr->prov_name);
}

int ofi_find_card(const struct ofi_ep *ep, const struct ofi_card **card,
		  size_t *len)
{
	const struct ofi *ofi = ofi_of(ep);
	void *blob;
	int rc;

	if (ep->base.peer == ofi->job->rank) {
		*card = ofi->base.card;
		*len = ofi->base.card_len;
		return 0;
	}
	rc = modex_card(ep->base.peer, &blob, len);
	*card = blob;
	return rc;
}

int ofi_reach(struct ofi_ep *ep)
{
	struct ofi *ofi = ofi_of(ep);
	const struct ofi_card *card, *own = ofi->base.card;
	size_t len;
	int rc = ofi_find_card(ep, &card, &len);

	if (rc)
		return rc;
	if (!ofi_is_card(ofi, card, len) ||
	    memcmp(card->provider, own->provider, sizeof(own->provider)) != 0)
		return ofi_refuse_card(ep, card, len);
	if (!*ep->host) /* which the watcher may read */
		snprintf(ep->host, sizeof(ep->host), "%.63s", card->host);
	if (fi_av_insert(ofi->av, card + 1, 1, &ep->addr, 0, NULL) == 1)
		return 0;
	ep->addr = FI_ADDR_NOTAVAIL;
	return log_error(MRT_ERR_PROTOCOL,
			 "the address of rank %d on %s is not one of "
			 "libfabric's %s",
			 ep->base.peer, ep->host, card->provider);
}

static int ofi_connect(struct fab *fab, int peer, struct fab_ep **ep)
{
	struct ofi_ep *got = ofi_ep_get((struct ofi *)fab, peer);

	*ep = got ? &got->base : NULL;
	return got ? 0 : MRT_ERR_NO_MEM;
}

/* ---- the rest of the contract ---- */

static int ofi_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr)
{
	return own_heap_alloc(&((struct ofi *)fab)->heap, len, ptr);
}

static int ofi_heap_free(struct fab *fab, void *ptr)
{
	return own_heap_free(&((struct ofi *)fab)->heap, ptr);
}

static int ofi_heap_map(struct fab_ep *ep, uint64_t remote, size_t len,
			void **local)
{
	struct ofi *ofi = (struct ofi *)ep->fab;

	return own_heap_map(&ofi->heap, ep->peer == ofi->job->rank, remote, len,
			    local);
}

static void ofi_disarm(struct fab *fab)
{
	nap_disarm(&((struct ofi *)fab)->nap);
}

static void ofi_wait(struct fab *fab, unsigned timeout_us)
{
	nap_wait(&((struct ofi *)fab)->nap, timeout_us);
}

static void ofi_wake(struct fab *fab)
{
	nap_wake(&((struct ofi *)fab)->nap);
}

static void ofi_stats(struct fab *fab, struct counters *t)
{
	const struct ofi *ofi = (const struct ofi *)fab;

	counters_add(t, "ofi", "messages sent", ofi->messages);
	counters_add(t, "ofi", "bytes of messages sent", ofi->bytes);
	counters_add(t, "ofi", "reads", ofi->reads);
	counters_add(t, "ofi", "writes", ofi->writes);
	counters_add(t, "ofi", "atomics sent", ofi->atomics_sent);
	counters_add(t, "ofi", "atomics served", ofi->atomics_served);
}

const struct fab_ops ofi_ops = {
    .name = "ofi",
    .unfit = ofi_unfit,
    .open = ofi_open,
    .wire = ofi_wire,
    .close = ofi_close,
    .connect = ofi_connect,
    .send = ofi_send,
    .mem_register = ofi_mem_register,
    .mem_deregister = ofi_mem_deregister,
    .read = ofi_read,
    .write = ofi_write,
    .fetch_add = ofi_fetch_add,
    .compare_swap = ofi_compare_swap,
    .progress = ofi_progress,
    .arm = ofi_arm,
    .disarm = ofi_disarm,
    .wait = ofi_wait,
    .wake = ofi_wake,
    .heap_alloc = ofi_heap_alloc,
    .heap_free = ofi_heap_free,
    .heap_map = ofi_heap_map,
    .stats = ofi_stats,
};
