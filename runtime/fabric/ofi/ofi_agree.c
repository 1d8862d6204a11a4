/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_agree.c: the ranks agree on a provider of libfabric and on a network.
 * Each node first takes its cheapest offer and publishes all. A network that
 * joins all nodes is preferred, the one that costs least where it costs most.
 * Otherwise networks are taken to be routed, and each node uses its cheapest
 * offer of a provider that all have. An address that two nodes have, as that by
 * which hosts reach their containers, joins them only if they are on one host,
 * and comes last.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/fabric/ofi/ofi.h"

/* These are added to costs. */
#define COST_ROUTED (1ull << 61)
#define COST_SHARED (1ull << 62) /* another node has the address, too */

/* A node is described by the card of its lowest rank. */
struct node {
	char host[OFI_HOST];
	int n, chosen;
	struct ofi_offer all[OFI_OFFERS];
};

/* The nodes have the same order on all ranks. */
struct nodes {
	struct node *all;
	int n, own;
};

/* ---- the choice ---- */

/* Orders pointers to offers so that those of one address are neighbours. */
static int offer_order(const void *a, const void *b)
{
	const struct ofi_offer *x = *(const struct ofi_offer *const *)a;
	const struct ofi_offer *y = *(const struct ofi_offer *const *)b;

	return memcmp(x->address, y->address, sizeof(x->address))
		   ?: strcmp(x->network, y->network)
		   ?: strcmp(x->provider, y->provider);
}

/* Makes the addresses dear that several nodes have. */
static int nodes_compare(struct nodes *nodes)
{
	size_t most = (size_t)nodes->n * OFI_OFFERS, n = 0;
	struct ofi_offer **offers = malloc(most * sizeof(struct ofi_offer *));

	if (!offers)
		return log_error(MRT_ERR_NO_MEM, "networks of %d nodes",
				 nodes->n);
	for (int k = 0; k < nodes->n; k++)
		for (int i = 0; i < nodes->all[k].n; i++)
			if (*nodes->all[k].all[i].network)
				offers[n++] = &nodes->all[k].all[i];
	qsort(offers, n, sizeof(struct ofi_offer *), offer_order);
	for (size_t k = 1; k < n; k++)
		if (!offer_order(&offers[k - 1], &offers[k])) {
			offers[k - 1]->cost |= COST_SHARED;
			offers[k]->cost |= COST_SHARED;
		}
	free(offers);
	return 0;
}

/* Returns the place of the cheapest offer of a node by the provider of another
 * offer, and in its network unless the networks are routed; -1: it has none. */
static int node_find(const struct node *node, const struct ofi_offer *like,
		     bool routed)
{
	int best = -1;

	for (int k = 0; k < node->n; k++)
		if (!strcmp(node->all[k].provider, like->provider) &&
		    (routed || !strcmp(node->all[k].network, like->network)) &&
		    (best < 0 || node->all[k].cost < node->all[best].cost))
			best = k;
	return best;
}

/* Chooses for all nodes what is like an offer; returns the cost where it is
 * highest, or UINT64_MAX if a node has nothing like it. */
static uint64_t nodes_try(struct nodes *nodes, const struct ofi_offer *like,
			  bool routed)
{
	uint64_t worst = 0;

	for (int k = 0; k < nodes->n; k++) {
		struct node *node = &nodes->all[k];

		node->chosen = node_find(node, like, routed);
		if (node->chosen < 0)
			return UINT64_MAX;
		if (node->all[node->chosen].cost > worst)
			worst = node->all[node->chosen].cost;
	}
	return worst + (routed ? COST_ROUTED : 0);
}

/* Chooses for all nodes, and returns what that costs, or UINT64_MAX if nothing
 * joins them. */
static uint64_t nodes_choose(struct nodes *nodes)
{
	const struct node *first = &nodes->all[0];
	const struct ofi_offer *best = NULL;
	uint64_t least = UINT64_MAX;
	bool best_routed = false;

	for (int k = 0; k < 2 * first->n; k++) {
		bool routed = k >= first->n;
		const struct ofi_offer *o = &first->all[k % first->n];
		uint64_t cost = nodes_try(nodes, o, routed);

		if (cost >= least)
			continue;
		best = o;
		best_routed = routed;
		least = cost;
	}
	return best ? nodes_try(nodes, best, best_routed) : UINT64_MAX;
}

/* ---- what the nodes have published ---- */

/* Adds the node of this rank, whose ranks all find the same offers. */
static void nodes_add_own(struct nodes *nodes, const struct ofi *ofi)
{
	struct node *node = &nodes->all[nodes->n];

	snprintf(node->host, sizeof(node->host), "%.63s", ofi->job->host);
	node->n = ofi->offers.n;
	memcpy(node->all, ofi->offers.all, sizeof(node->all));
	nodes->own = nodes->n++;
}

static int nodes_add(struct nodes *nodes, struct ofi *ofi, int rank)
{
	struct node *node = &nodes->all[nodes->n];
	const struct ofi_ep ep = {.base = {.fab = &ofi->base, .peer = rank}};
	const struct ofi_card *card;
	size_t len;
	int rc = ofi_find_card(&ep, &card, &len);

	if (rc)
		return rc;
	if (!ofi_is_card(ofi, card, len) || !card->offers)
		return ofi_refuse_card(&ep, card, len);
	snprintf(node->host, sizeof(node->host), "%.63s", card->host);
	node->n = (int)card->offers;
	memcpy(node->all, (const char *)(card + 1) + card->address_len,
	       card->offers * sizeof(*node->all));
	for (int k = 0; k < node->n; k++) {
		node->all[k].provider[OFI_NAME - 1] = 0;
		node->all[k].network[OFI_NETWORK - 1] = 0;
	}
	nodes->n++;
	return 0;
}

static int nodes_read(struct nodes *nodes, struct ofi *ofi)
{
	int rc = modex_places();

	for (int r = 0; !rc && r < ofi->job->size; r++) {
		if (modex_place_of(r).node != r)
			continue;
		if (nodes->n == ofi->job->nnodes)
			return log_error(MRT_ERR_PROTOCOL,
					 "more nodes publish endpoints than "
					 "the %d that the launcher tells",
					 ofi->job->nnodes);
		if (boot_is_local(ofi->job, r))
			nodes_add_own(nodes, ofi);
		else
			rc = nodes_add(nodes, ofi, r);
	}
	return rc;
}

static void node_list(const struct node *node, char *out, size_t len)
{
	size_t at = 0;

	out[0] = 0;
	for (int k = 0; k < node->n && at < len; k++)
		at += (size_t)snprintf(out + at, len - at, "%s%s%s%s",
				       k ? ", " : "", node->all[k].provider,
				       *node->all[k].network ? " in " : "",
				       node->all[k].network);
}

static int nodes_apart(const struct nodes *nodes, struct ofi *ofi)
{
	static char text[900];
	char some[300], others[300];
	int k = 1;

	while (k < nodes->n - 1 &&
	       node_find(&nodes->all[k], &nodes->all[0].all[0], true) >= 0)
		k++;
	node_list(&nodes->all[0], some, sizeof(some));
	node_list(&nodes->all[k], others, sizeof(others));
	snprintf(text, sizeof(text),
		 "no provider of libfabric joins %s, which has %s, and %s, "
		 "which has %s: let MRT_OFI_PROVIDER and MRT_OFI_IFACE allow "
		 "one that all nodes have",
		 nodes->all[0].host, some, nodes->all[k].host, others);
	ofi->base.apart = text;
	return MRT_ERR_NO_FABRIC;
}

static int nodes_agree(struct nodes *nodes, struct ofi *ofi)
{
	int rc = nodes_read(nodes, ofi) ?: nodes_compare(nodes);
	uint64_t cost;

	if (rc)
		return rc;
	cost = nodes_choose(nodes);
	if (cost == UINT64_MAX)
		return nodes_apart(nodes, ofi);
	if (cost & COST_SHARED && !ofi->job->rank)
		log_warn("the nodes have one address in %s: they reach each "
			 "other only if they are on one host",
			 nodes->all[0].all[nodes->all[0].chosen].network);
	return 0;
}

int ofi_agree(struct ofi *ofi, int *offer, bool *again)
{
	size_t n = (size_t)ofi->job->nnodes;
	struct nodes nodes = {.all = calloc(n, sizeof(*nodes.all))};
	int rc;

	if (!nodes.all)
		return log_error(MRT_ERR_NO_MEM, "networks of %zu nodes", n);
	rc = nodes_agree(&nodes, ofi);
	*offer = nodes.all[nodes.own].chosen;
	*again = false;
	for (int k = 0; k < nodes.n; k++)
		*again |= nodes.all[k].chosen != 0;
	free(nodes.all);
	return rc;
}
