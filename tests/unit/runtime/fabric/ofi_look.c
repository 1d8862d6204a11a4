/* SPDX-License-Identifier: Apache-2.0 */
/* ofi_look.c: what is used of what libfabric offers, from lists of this test's
 * own. */
#include "runtime/fabric/ofi/ofi.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "runtime/base/env.h"
#include "runtime/topo/topo.h"
#include "tests/tap.h"

enum { MOST = 8 };
struct env env = {.ofi_provider = "", .ofi_iface = ""};
static struct {
	struct fi_info info;
	struct fi_fabric_attr fabric;
	struct fi_domain_attr domain;
	struct fid_nic nic;
	struct fi_bus_attr bus;
	struct fi_link_attr link;
	struct sockaddr_in in;
} made[MOST];
static int count, copies;
static unsigned near_buses; /* bit k: bus k is near this process */

/* ---- stand-ins for libfabric and for the machine ---- */

int fi_getinfo(uint32_t version, const char *node, const char *service,
	       uint64_t flags, const struct fi_info *hints,
	       struct fi_info **info)
{
	*info = count ? &made[0].info : NULL;
	return count ? 0 : -FI_ENODATA;
}

void fi_freeinfo(struct fi_info *info)
{
	if (info == &made[0].info)
		return;
	copies--;
	free(info);
}

/* Returns a copy that shares what its members point to. */
struct fi_info *fi_dupinfo(const struct fi_info *info)
{
	static struct fi_domain_attr domain;
	static struct fi_ep_attr ep;
	static struct fi_tx_attr tx;
	static struct fi_rx_attr rx;
	struct fi_info *copy = malloc(sizeof(*copy));

	copies++;
	*copy = info ? *info
		     : (struct fi_info){.domain_attr = &domain,
					.ep_attr = &ep,
					.tx_attr = &tx,
					.rx_attr = &rx};
	return copy;
}

bool topo_is_local(const char *local_cpus)
{
	unsigned bus;

	return sscanf(local_cpus,
		      "/sys/bus/pci/devices/0000:%x:00.0/local_cpus",
		      &bus) == 1 &&
	       near_buses & 1u << bus;
}

/* Adds an offer; its address is NULL or like "10.0.0.1", its bus and speed
 * (Gb/s) 0 if libfabric does not tell them. */
static void offer(const char *provider, const char *domain, const char *network,
		  const char *address, int bus, int gbits)
{
	struct fi_info *info = &made[count].info;

	memset(&made[count], 0, sizeof(made[count]));
	info->fabric_attr = &made[count].fabric;
	info->domain_attr = &made[count].domain;
	info->fabric_attr->prov_name = (char *)provider;
	info->fabric_attr->name = (char *)network;
	info->fabric_attr->prov_version = FI_VERSION(117, 0);
	info->domain_attr->name = (char *)domain;
	if (address) {
		made[count].in.sin_family = AF_INET;
		inet_pton(AF_INET, address, &made[count].in.sin_addr);
		info->addr_format = FI_SOCKADDR_IN;
		info->src_addr = &made[count].in;
		info->src_addrlen = sizeof(made[count].in);
	}
	if (bus || gbits) {
		info->nic = &made[count].nic;
		info->nic->bus_attr = &made[count].bus;
		info->nic->link_attr = &made[count].link;
		made[count].bus.bus_type = bus ? FI_BUS_PCI : FI_BUS_UNKNOWN;
		made[count].bus.attr.pci.bus_id = (uint8_t)bus;
		made[count].link.speed = (size_t)gbits * 1000000000;
	}
	if (count)
		made[count - 1].info.next = info;
	count++;
}

/* Checks the domains of all offers for one rank of the node, in order. */
static void looks(int rank, const char *want, const char *name)
{
	struct ofi_offers found;
	char got[256] = "";

	ofi_look(&found, true, rank);
	for (int k = 0; k < found.n; k++) {
		strcat(got, k ? " " : "");
		strcat(got, found.infos[k]->domain_attr->name);
	}
	is_str(got, want, "%s", name);
	ofi_offers_free(&found);
}

static void interfaces(void)
{
	count = 0;
	looks(0, "", "nothing is offered");
	offer("tcp;ofi_rxm", "any0", "10.0.0.0/24", "10.0.0.1", 0, 0);
	offer("net", "any0", "10.0.0.0/24", "10.0.0.1", 0, 0);
	offer("sockets", "any0", "10.0.0.0/24", "10.0.0.1", 0, 0);
	offer("net", "lo", "127.0.0.0/8", "127.0.0.1", 0, 0);
	offer("net", "docker-any", "172.17.0.0/16", "172.17.0.1", 0, 0);
	offer("net", "any9", "169.254.0.0/16", "169.254.7.7", 0, 0);
	looks(0, "any0 any0", "those that reach nothing are left out");
	made[1].fabric.prov_version = FI_VERSION(116, 0);
	looks(0, "any0", "the first libfabric that has net");
	made[1].fabric.prov_version = FI_VERSION(117, 0);
	env.ofi_provider = "tcp";
	looks(0, "any0 any0", "tcp stands for all of TCP");
	env.ofi_provider = "sockets";
	looks(0, "any0", "one that is named alone");
	env.ofi_provider = "";
	env.ofi_iface = "docker-any,169.254.0.0/16";
	looks(0, "docker-any any9", "interfaces that are named");
	env.ofi_iface = "";
}

static void cards(void)
{
	count = 0;
	offer("cxi", "cxi0", "cxi", NULL, 1, 200);
	offer("cxi", "cxi1", "cxi", NULL, 2, 200);
	offer("cxi", "cxi2", "cxi", NULL, 3, 200);
	offer("cxi", "slow", "cxi", NULL, 4, 100);
	near_buses = 1 << 2 | 1 << 3 | 1 << 4;
	looks(0, "cxi1", "the first rank takes a near card");
	looks(1, "cxi2", "the next one another");
	looks(2, "cxi1", "in turn");
	near_buses = 0;
	looks(0, "cxi0", "none is near: all");
	looks(5, "cxi2", "in turn, but not one that is slower");

	count = 0;
	offer("tcp", "any0", "10.0.0.0/24", "10.0.0.1", 0, 0);
	offer("tcp", "any1", "10.0.0.0/24", "10.0.0.2", 0, 0);
	looks(1, "any0", "what libfabric says nothing of stays in its order");
}

int main(void)
{
	interfaces();
	cards();
	is_int(copies, 0, "all is freed");
	return tap_done();
}
