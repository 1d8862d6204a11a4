/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_choose.c chooses among what libfabric offers: of the providers that
 * MRT_OFI_PROVIDER names, or of those that are known to serve MPI, the first in
 * the order below, on an interface that MRT_OFI_IFACE names, or else on the
 * fastest that reaches other nodes.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/fabric/ofi/ofi.h"

/* The version of libfabric's interface that libmrt is written for. */
#define OFI_API FI_VERSION(1, 11)

static const char *const preferred[] = {"cxi", "efa",	      "opx",
					"tcp", "tcp;ofi_rxm", "verbs;ofi_rxm"};
enum { PREFERRED = sizeof(preferred) / sizeof(*preferred) };

/* Whether a list like "eth0,ib0" has the word; an empty one has all. */
static bool list_has(const char *list, const char *word, size_t len)
{
	if (!*list)
		return true;
	for (; *list; list += strspn(list, ", ")) {
		size_t n = strcspn(list, ", ");

		if (n == len && !strncmp(list, word, n))
			return true;
		list += n;
	}
	return false;
}

/* Returns the place of a provider in the order of preference, PREFERRED if it
 * has none; -1: it is not to be used. */
static int provider_rank(const char *name)
{
	size_t core = strcspn(name, ";");

	if (*env.ofi_provider)
		return list_has(env.ofi_provider, name, strlen(name)) ||
			       list_has(env.ofi_provider, name, core)
			   ? PREFERRED
			   : -1;
	for (int k = 0; k < PREFERRED; k++)
		if (!strcmp(preferred[k], name))
			return k;
	return -1;
}

/* Whether ranks of other nodes can reach an address. */
static bool is_wide(const struct fi_info *info)
{
	const struct sockaddr *sa = info->src_addr;

	if (!sa || info->src_addrlen < sizeof(sa->sa_family))
		return true;
	if (sa->sa_family == AF_INET) {
		const struct sockaddr_in *in = info->src_addr;

		return ntohl(in->sin_addr.s_addr) >> 24 != 127 &&
		       ntohl(in->sin_addr.s_addr) >> 16 != 0xa9fe;
	}
	if (sa->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in = info->src_addr;

		return !IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr) &&
		       !IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
	}
	return true;
}

/* Whether an interface is one by which a host reaches its own containers and
 * virtual machines only. */
static bool is_inner(const char *name)
{
	static const char *const inner[] = {
	    "docker", "br-", "virbr", "veth", "cni", "flannel", "lxc"};

	for (size_t k = 0; k < sizeof(inner) / sizeof(*inner); k++)
		if (!strncmp(name, inner[k], strlen(inner[k])))
			return true;
	return false;
}

/* Returns how good an offer is, less is better; -1: of no use. */
static int64_t offer_cost(bool wide, const struct fi_info *info)
{
	const char *domain = info->domain_attr->name;
	int rank = provider_rank(info->fabric_attr->prov_name);
	bool named = *env.ofi_iface != 0;
	int64_t cost;

	if (rank < 0 ||
	    (named && !list_has(env.ofi_iface, domain, strlen(domain))))
		return -1;
	if (!named && wide && (!is_wide(info) || is_inner(domain)))
		return -1;
	cost = (int64_t)rank << 48;
	/* in one node the loopback interface, which needs no other to be up */
	if (!named && !wide && is_wide(info))
		cost += 1ll << 44;
	if (info->addr_format == FI_SOCKADDR_IN6)
		cost += 1ll << 40;
	if (info->nic && info->nic->link_attr && info->nic->link_attr->speed)
		cost += (1ll << 39) /
			(int64_t)(info->nic->link_attr->speed / 1000000 + 1);
	return cost;
}

static struct fi_info *choose_hints(void)
{
	struct fi_info *hints = fi_dupinfo(NULL);

	if (!hints)
		return NULL;
	hints->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = FI_EP_RDM;
	hints->tx_attr->msg_order = FI_ORDER_SAS;
	hints->rx_attr->msg_order = FI_ORDER_SAS;
	hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR |
				      FI_MR_ALLOCATED | FI_MR_PROV_KEY |
				      FI_MR_ENDPOINT;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
	return hints;
}

struct fi_info *ofi_choose(bool wide)
{
	struct fi_info *hints = choose_hints(), *all = NULL, *best = NULL;
	int64_t least = -1;

	if (!hints)
		return NULL;
	if (fi_getinfo(OFI_API, NULL, NULL, 0, hints, &all))
		all = NULL;
	fi_freeinfo(hints);
	for (struct fi_info *info = all; info; info = info->next) {
		int64_t cost = offer_cost(wide, info);

		if (cost < 0 || (best && cost >= least))
			continue;
		best = info;
		least = cost;
	}
	if (best)
		best = fi_dupinfo(best);
	if (all)
		fi_freeinfo(all);
	return best;
}

const char *ofi_text(const struct fi_info *info, char *out, size_t len)
{
	snprintf(out, len, "%s on %s (%s)", info->fabric_attr->prov_name,
		 info->domain_attr->name, info->fabric_attr->name);
	return out;
}
