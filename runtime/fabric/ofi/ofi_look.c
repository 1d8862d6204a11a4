/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_look.c sorts what libfabric offers: of the providers that
 * MRT_OFI_PROVIDER names, in this order, or of those that are known to serve
 * MPI, in the order below, the interfaces that MRT_OFI_IFACE names, or else all
 * that may reach other nodes, the fastest first. Of several cards that are as
 * good in one network, each rank of a node takes one near its CPUs, in turn.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/fabric/ofi/ofi.h"
#include "runtime/topo/topo.h"

/* The version of libfabric's interface that libmrt is written for. */
#define OFI_API FI_VERSION(1, 11)

/* libfabric 1.17 reaches others by TCP in two ways: by tcp;ofi_rxm and by net,
 * which is faster and which 1.18 calls tcp. */
static const char *const preferred[] = {
    "cxi", "efa", "opx", "tcp", "net", "tcp;ofi_rxm", "verbs;ofi_rxm"};
enum { PREFERRED = sizeof(preferred) / sizeof(*preferred) };

/* Copies the next word of a list like "eth0,ib0" and returns what follows it,
 * or NULL at the end. */
static const char *list_next(const char *list, char word[64])
{
	size_t n;

	list += strspn(list, ", ");
	n = strcspn(list, ", ");
	snprintf(word, 64, "%.*s", (int)n, list);
	return n ? list + n : NULL;
}

/* Returns the place of a provider in the order of preference; -1: it is not to
 * be used. A name in MRT_OFI_PROVIDER stands also for what libfabric puts on
 * top of this provider, "tcp" for "tcp;ofi_rxm", and for "net". */
static int provider_rank(const char *name)
{
	const char *list = env.ofi_provider;
	size_t core = strcspn(name, ";");
	char word[64];

	for (int k = 0; *env.ofi_provider && (list = list_next(list, word));
	     k += 3) {
		if (!strcmp(word, name))
			return k;
		if (!strcmp(word, "tcp") && !strcmp(name, "net"))
			return k + 1;
		if (strlen(word) == core && !strncmp(word, name, core))
			return k + 2;
	}
	for (int k = 0; !*env.ofi_provider && k < PREFERRED; k++)
		if (!strcmp(preferred[k], name))
			return k;
	return -1;
}

/* Returns the bytes of an IP address and sets *len to 4 or 16; NULL if it is
 * none. */
static const uint8_t *address_of(const struct fi_info *info, size_t *len)
{
	const struct sockaddr *sa = info->src_addr;

	if (!sa || info->src_addrlen < sizeof(struct sockaddr_in) ||
	    (info->addr_format != FI_SOCKADDR_IN &&
	     info->addr_format != FI_SOCKADDR_IN6))
		return NULL;
	*len = sa->sa_family == AF_INET6 ? 16 : 4;
	if (*len == 4)
		return (const uint8_t *)&(
			   (const struct sockaddr_in *)info->src_addr)
		    ->sin_addr;
	return (const uint8_t *)&((const struct sockaddr_in6 *)info->src_addr)
	    ->sin6_addr;
}

/* Whether an address lies in a network like "192.0.2.0/24". */
static bool is_within(const struct fi_info *info, char *network)
{
	char *slash = strchr(network, '/');
	size_t len, bits = slash ? (size_t)atoi(slash + 1) : 0;
	const uint8_t *have = address_of(info, &len);
	uint8_t want[16];

	if (!slash || !have)
		return false;
	*slash = 0;
	if (inet_pton(len == 16 ? AF_INET6 : AF_INET, network, want) != 1)
		return false;
	for (size_t k = 0; k < bits && k < len * 8; k++)
		if ((want[k / 8] ^ have[k / 8]) & 0x80 >> k % 8)
			return false;
	return true;
}

/* Whether MRT_OFI_IFACE names an interface, or the network of its address. */
static bool is_named(const struct fi_info *info)
{
	const char *list = env.ofi_iface;
	char word[64];

	while ((list = list_next(list, word)))
		if (!strcmp(word, info->domain_attr->name) ||
		    is_within(info, word))
			return true;
	return false;
}

static bool is_loopback(const struct fi_info *info)
{
	size_t len;
	const uint8_t *a = address_of(info, &len);

	return a &&
	       (len == 4 ? a[0] == 127 : IN6_IS_ADDR_LOOPBACK((const void *)a));
}

static bool is_link_local(const struct fi_info *info)
{
	size_t len;
	const uint8_t *a = address_of(info, &len);

	return a && (len == 4 ? a[0] == 169 && a[1] == 254
			      : IN6_IS_ADDR_LINKLOCAL((const void *)a));
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

bool ofi_is_tcp(const char *provider)
{
	return strstr(provider, "tcp") || !strcmp(provider, "net");
}

/* Whether an interface has no link. It keeps its address then. */
static bool is_unplugged(const char *domain)
{
	struct ifreq request = {.ifr_flags = 0};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool known;

	if (s < 0)
		return false;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", domain);
	known = !ioctl(s, SIOCGIFFLAGS, &request);
	close(s);
	return known && !(request.ifr_flags & IFF_RUNNING);
}

/* Returns how good an offer is, less is better; -1: of no use. */
static int64_t offer_cost(bool wide, const struct fi_info *info)
{
	const char *name = info->fabric_attr->prov_name;
	const char *domain = info->domain_attr->name;
	int rank = provider_rank(name);
	bool named = *env.ofi_iface != 0;
	int64_t cost;

	if (rank < 0 || (named && !is_named(info)) ||
	    (ofi_is_tcp(name) && is_unplugged(domain)))
		return -1;
	/* the first `net` cannot do what libmrt asks for */
	if (!strcmp(name, "net") &&
	    FI_MAJOR(info->fabric_attr->prov_version) < 117)
		return -1;
	if (!named && wide &&
	    (is_loopback(info) || is_link_local(info) || is_inner(domain)))
		return -1;
	/* such an address needs the number of the peer's interface */
	if (wide && info->addr_format == FI_SOCKADDR_IN6 && is_link_local(info))
		return -1;
	cost = (int64_t)rank << 48;
	/* in one node the loopback interface, which needs no other to be up */
	if (!named && !wide && !is_loopback(info))
		cost += 1ll << 44;
	if (info->addr_format == FI_SOCKADDR_IN6)
		cost += 1ll << 40;
	if (info->nic && info->nic->link_attr && info->nic->link_attr->speed)
		cost += (1ll << 39) /
			(int64_t)(info->nic->link_attr->speed / 1000000 + 1);
	return cost;
}

static struct fi_info *look_hints(void)
{
	struct fi_info *hints = fi_dupinfo(NULL);

	if (!hints)
		return NULL;
	hints->caps = FI_MSG | FI_RMA;
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

static struct ofi_offer look_describe(const struct fi_info *info, int64_t cost)
{
	struct ofi_offer o = {.cost = (uint64_t)cost};
	size_t len;
	const uint8_t *address = address_of(info, &len);

	snprintf(o.provider, sizeof(o.provider), "%s",
		 info->fabric_attr->prov_name);
	if (!address)
		return o;
	memcpy(o.address, address, len);
	snprintf(o.network, sizeof(o.network), "%s", info->fabric_attr->name);
	return o;
}

/* Adds an offer, unless there is a better one by its provider in its network,
 * or no room. */
static void look_add(struct ofi_offers *offers, const struct fi_info *info,
		     int64_t cost)
{
	struct ofi_offer o = look_describe(info, cost);
	int at = 0;

	for (int k = 0; k < offers->n; k++)
		if (!strcmp(offers->all[k].provider, o.provider) &&
		    !strcmp(offers->all[k].network, o.network))
			return;
	while (at < offers->n && offers->all[at].cost <= o.cost)
		at++;
	if (offers->n == OFI_OFFERS)
		return;
	for (int k = offers->n++; k > at; k--) {
		offers->all[k] = offers->all[k - 1];
		offers->infos[k] = offers->infos[k - 1];
	}
	offers->all[at] = o;
	offers->infos[at] = fi_dupinfo(info);
}

/* ---- cards ---- */

static bool card_is_near(const struct fi_info *info)
{
	const struct fi_pci_attr *pci = &info->nic->bus_attr->attr.pci;
	char path[80];

	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%04x:%02x:%02x.%x/local_cpus",
		 pci->domain_id, pci->bus_id, pci->device_id, pci->function_id);
	return topo_is_local(path);
}

/* Whether an offer of libfabric is another card that is as good as one. */
static bool card_is_like(const struct fi_info *info, const struct ofi_offer *o,
			 bool wide)
{
	const char *name = info->fabric_attr->prov_name;

	return info->nic && info->nic->bus_attr &&
	       info->nic->bus_attr->bus_type == FI_BUS_PCI &&
	       !strcmp(name, o->provider) &&
	       offer_cost(wide, info) == (int64_t)o->cost &&
	       !strcmp(look_describe(info, 0).network, o->network);
}

/* Returns the card of the k-th rank of the node; NULL: it is not known what
 * card the offer is. */
static const struct fi_info *card_pick(const struct fi_info *all,
				       const struct ofi_offer *o, bool wide,
				       int k)
{
	int n = 0, near = 0;

	for (const struct fi_info *info = all; info; info = info->next)
		if (card_is_like(info, o, wide)) {
			n++;
			near += card_is_near(info);
		}
	if (!n)
		return NULL;
	k %= near ? near : n;
	for (const struct fi_info *info = all; info; info = info->next)
		if (card_is_like(info, o, wide) &&
		    (!near || card_is_near(info)) && !k--)
			return info;
	return NULL;
}

static void look_pick(struct ofi_offers *offers, const struct fi_info *all,
		      bool wide, int rank)
{
	for (int k = 0; k < offers->n; k++) {
		const struct fi_info *info =
		    card_pick(all, &offers->all[k], wide, rank);

		if (!info)
			continue;
		fi_freeinfo(offers->infos[k]);
		offers->infos[k] = fi_dupinfo(info);
	}
}

void ofi_look(struct ofi_offers *offers, bool wide, int rank)
{
	struct fi_info *hints = look_hints(), *all = NULL;

	offers->n = 0;
	if (!hints)
		return;
	if (fi_getinfo(OFI_API, NULL, NULL, 0, hints, &all))
		all = NULL;
	fi_freeinfo(hints);
	for (struct fi_info *info = all; info; info = info->next) {
		int64_t cost = offer_cost(wide, info);

		if (cost >= 0)
			look_add(offers, info, cost);
	}
	look_pick(offers, all, wide, rank);
	if (all)
		fi_freeinfo(all);
}

void ofi_offers_free(struct ofi_offers *offers)
{
	while (offers->n)
		fi_freeinfo(offers->infos[--offers->n]);
}

const char *ofi_text(const struct fi_info *info, char *out, size_t len)
{
	snprintf(out, len, "%s on %s (%s)", info->fabric_attr->prov_name,
		 info->domain_attr->name, info->fabric_attr->name);
	return out;
}
