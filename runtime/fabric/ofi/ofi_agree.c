/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_agree.c: the ranks agree on a provider of libfabric and on a network.
 * Each node first takes its best offer and publishes all. If one network joins
 * all nodes, the one whose slowest node is the fastest is used. Otherwise
 * networks are taken to be routed, and each node uses its best of a provider
 * that all have. An address that two nodes share, as that by which hosts reach
 * their containers, joins nothing, unless all are: then the nodes are on one
 * host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/fabric/ofi/ofi.h"

/* What a node has published. */
struct node {
	char host[OFI_HOST];
	int n;
	struct ofi_offer all[OFI_OFFERS];
	bool shared[OFI_OFFERS]; /* another node has this address */
	int chosen;
};

/* What joins nodes, in order of preference. */
enum way { ONE_NETWORK, ROUTED, ONE_HOST };

/* All nodes, in one order on all ranks. */
struct nodes {
	struct node *all;
	int n, own;
};

static bool offer_has_address(const struct ofi_offer *o)
{
	static const uint8_t none[sizeof(o->address)];

	return memcmp(o->address, none, sizeof(none)) != 0;
}

/* Returns the place of the best offer of a node by the provider of another
 * offer; -1: there is none that joins the two in this way. */
static int node_find(const struct node *node, const struct ofi_offer *like,
		     enum way way)
{
	for (int k = 0; k < node->n; k++)
		if (!strcmp(node->all[k].provider, like->provider) &&
		    (way == ROUTED ||
		     !strcmp(node->all[k].network, like->network)) &&
		    (way == ONE_HOST || !node->shared[k]))
			return k;
	return -1;
}

/* Whether another node has the address of this offer, too. */
static bool nodes_share(const struct nodes *nodes, int own,
			const struct ofi_offer *o)
{
	for (int k = 0; offer_has_address(o) && k < nodes->n; k++) {
		int at = k == own ? -1 : node_find(&nodes->all[k], o, ONE_HOST);

		if (at >= 0 && !memcmp(nodes->all[k].all[at].address,
				       o->address, sizeof(o->address)))
			return true;
	}
	return false;
}

static void nodes_compare(struct nodes *nodes)
{
	for (int k = 0; k < nodes->n; k++)
		for (int i = 0; i < nodes->all[k].n; i++)
			nodes->all[k].shared[i] =
			    nodes_share(nodes, k, &nodes->all[k].all[i]);
}

/* Chooses for all nodes what is like an offer; returns the cost of the node
 * that fares worst, or UINT64_MAX if one has nothing like it. */
static uint64_t nodes_try(struct nodes *nodes, const struct ofi_offer *like,
			  enum way way)
{
	uint64_t worst = 0;

	for (int k = 0; k < nodes->n; k++) {
		struct node *node = &nodes->all[k];

		node->chosen = node_find(node, like, way);
		if (node->chosen < 0)
			return UINT64_MAX;
		if (node->all[node->chosen].cost > worst)
			worst = node->all[node->chosen].cost;
	}
	return worst;
}

/* Chooses for all nodes; false: nothing joins them. */
static bool nodes_choose(struct nodes *nodes, enum way way)
{
	const struct node *first = &nodes->all[0];
	const struct ofi_offer *best = NULL;
	uint64_t least = UINT64_MAX;

	for (int k = 0; k < first->n; k++) {
		const struct ofi_offer *o = &first->all[k];
		uint64_t cost = nodes_try(nodes, o, way);

		if (cost >= least)
			continue;
		best = o;
		least = cost;
	}
	return best && nodes_try(nodes, best, way) == least;
}

/* ---- what the nodes have published ---- */

/* The ranks of a node find the same. */
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
	const struct ofi_card *card;
	size_t len;
	int rc = ofi_find_card(&ofi->eps[rank], &card, &len);

	if (rc)
		return rc;
	if (!ofi_is_card(ofi, card, len) || !card->offers)
		return ofi_refuse_card(&ofi->eps[rank], card, len);
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
	const struct place *places;
	int rc = modex_places(&places);

	for (int r = 0; !rc && r < ofi->job->size; r++) {
		if (places[r].node != r)
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
	       node_find(&nodes->all[k], &nodes->all[0].all[0], ROUTED) >= 0)
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
	int rc = nodes_read(nodes, ofi);

	if (rc)
		return rc;
	nodes_compare(nodes);
	if (nodes_choose(nodes, ONE_NETWORK) || nodes_choose(nodes, ROUTED))
		return 0;
	if (!nodes_choose(nodes, ONE_HOST))
		return nodes_apart(nodes, ofi);
	if (!ofi->job->rank)
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
