/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_ports.c: looks at the ports of all devices: active or not, which address
 * (MRT_GID_INDEX or the best one), which network, how fast. Verbs do not tell
 * the IP network of a RoCE address; it is that of the interface that has this
 * address, if one is seen here: a container may not see it.
 */

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/fabric/verbs/vb_device.h"
#include "runtime/topo/topo.h"

static __attribute__((format(printf, 2, 3))) void note(struct vb_ports *ports,
						       const char *format, ...)
{
	size_t len = strlen(ports->unfit);
	va_list args;

	if (len && len < sizeof(ports->unfit) - 2)
		len += (size_t)sprintf(ports->unfit + len, ", ");
	va_start(args, format);
	vsnprintf(ports->unfit + len, sizeof(ports->unfit) - len, format, args);
	va_end(args);
}

static void note_failed(struct vb_ports *ports, const char *device,
			const char *call, int err)
{
	note(ports, "%s: %s: %s%s", device, call, strerror(err),
	     vb_advice(err));
}

static bool is_near(const struct ibv_device *device)
{
	char path[sizeof(device->ibdev_path) + 32];

	snprintf(path, sizeof(path), "%s/device/local_cpus",
		 device->ibdev_path);
	return topo_is_local(path);
}

/* ---- speed ---- */

/* Returns Mb/s: the rates of lanes and their numbers of the InfiniBand
 * specification, 14.2.5.6. */
static uint32_t speed_of(const struct ibv_port_attr *attr)
{
	static const uint32_t rates[] = {2500,	5000,  10000, 10000,
					 14000, 25000, 50000, 100000};
	static const uint8_t widths[] = {1, 4, 8, 12, 2};
	int rate = attr->active_speed ? __builtin_ctz(attr->active_speed) : 0;
	int width = attr->active_width ? __builtin_ctz(attr->active_width) : 0;

	return rates[rate & 7] * (width < 5 ? widths[width] : 1);
}

/* ---- addresses ---- */

static bool gid_is_ipv4(const uint8_t raw[16])
{
	static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};

	return memcmp(raw, prefix, sizeof(prefix)) == 0;
}

static bool gid_is_link_local(const uint8_t raw[16])
{
	return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80;
}

/* Returns the worth of an address, 0 if it is not for RoCE version 2; the first
 * of the highest worth is used. IPv4 is routed and present on every host;
 * link-local addresses need the right interface. */
static int ports_worth(const struct ibv_gid_entry *entry)
{
	const uint8_t *raw = entry->gid.raw;

	if (entry->gid_type != IBV_GID_TYPE_ROCE_V2)
		return 0;
	if (gid_is_ipv4(raw))
		return 3;
	return gid_is_link_local(raw) ? 1 : 2;
}

static int find_gid(struct ibv_context *context, const struct vb_port *port,
		    const struct ibv_port_attr *attr)
{
	int found = 0, at = -1;

	for (int i = 0; i < attr->gid_tbl_len; i++) {
		struct ibv_gid_entry entry;

		if (ibv_query_gid_ex(context, port->number, (uint32_t)i, &entry,
				     0) ||
		    ports_worth(&entry) <= found)
			continue;
		found = ports_worth(&entry);
		at = i;
	}
	return at;
}

static bool choose_gid(struct vb_ports *ports, struct ibv_context *context,
		       const struct ibv_port_attr *attr, struct vb_port *port,
		       union ibv_gid *gid)
{
	int at = env.gid_index >= 0 ? (int)env.gid_index
		 : attr->link_layer == IBV_LINK_LAYER_ETHERNET
		     ? find_gid(context, port, attr)
		     : 0;

	if (at < 0) {
		note(ports,
		     "%s port %d has no RoCE v2 address (give its network "
		     "interface an IP address, or set MRT_GID_INDEX)",
		     port->device, port->number);
		return false;
	}
	port->gid_index = (uint32_t)at;
	/* an empty entry of the table may be read as zeros */
	if (!ibv_query_gid(context, port->number, at, gid) &&
	    (gid->global.subnet_prefix || gid->global.interface_id))
		return true;
	if (env.gid_index < 0)
		note(ports, "%s port %d: GID %d: ibv_query_gid: %s",
		     port->device, port->number, at, strerror(errno));
	else
		note(ports,
		     "%s port %d has no GID %d (MRT_GID_INDEX must name one "
		     "that mrt-info lists)",
		     port->device, port->number, at);
	return false;
}

/* ---- networks ---- */

static int count_bits(const uint8_t *mask, int len)
{
	int n = 0;

	for (int k = 0; k < len; k++)
		n += __builtin_popcount(mask[k]);
	return n;
}

/* Returns the bytes of an interface's address or mask, NULL for others. */
static const uint8_t *bytes_of(const struct sockaddr *at, bool ipv4)
{
	const void *found = NULL;

	if (at && ipv4 && at->sa_family == AF_INET)
		found =
		    &((const struct sockaddr_in *)(const void *)at)->sin_addr;
	else if (at && !ipv4 && at->sa_family == AF_INET6)
		found =
		    &((const struct sockaddr_in6 *)(const void *)at)->sin6_addr;
	return found;
}

/* Finds the interface with the address of a link. Returns the bits of its IP
 * network, 0 if none is seen. */
static int find_link(struct vb_link *link, bool ipv4)
{
	struct ifaddrs *list, *i;
	int bits = 0;

	if (getifaddrs(&list))
		return 0;
	for (i = list; i && !bits; i = i->ifa_next) {
		const uint8_t *own = bytes_of(i->ifa_addr, ipv4);
		const uint8_t *mask = bytes_of(i->ifa_netmask, ipv4);

		if (!own || !mask || memcmp(own, link->addr, ipv4 ? 4 : 16))
			continue;
		bits = count_bits(mask, ipv4 ? 4 : 16);
		link->index = (int)if_nametoindex(i->ifa_name);
	}
	freeifaddrs(list);
	return bits;
}

static struct vb_net net_of_ethernet(const union ibv_gid *gid,
				     struct vb_link *link)
{
	bool ipv4 = gid_is_ipv4(gid->raw);

	memcpy(link->addr, gid->raw + (ipv4 ? 12 : 0), ipv4 ? 4 : 16);
	/* all interfaces of all nodes have the same link-local network */
	return vb_net_of(ipv4 ? VB_IPV4 : VB_IPV6, link->addr,
			 gid_is_link_local(gid->raw) ? 0
						     : find_link(link, ipv4));
}

/* ---- routes ---- */

/* Whether packets of one port have a way to the network of another. */
static bool has_route(const struct vb_ports *ports, int fd, int from, int to)
{
	const struct vb_link *link = &ports->links[from];
	bool ipv4 = ports->all[to].net.kind == VB_IPV4;
	uint8_t addr[16];

	memcpy(addr, ports->links[to].addr, sizeof(addr));
	/* by IPv6 an own address is reached from everywhere */
	addr[15] ^= ipv4 ? 0 : 0x55;
	return link->index && vb_route_exists(fd, ipv4, link, addr);
}

static void find_routes(struct vb_ports *ports)
{
	static bool routes[VB_PORTS_MAX][VB_PORTS_MAX];
	int fd = vb_route_open();

	if (fd < 0)
		return;
	for (int k = 0; k < ports->n; k++)
		for (int i = 0; i < ports->n; i++)
			routes[k][i] = vb_net_may_route(&ports->all[k].net,
							&ports->all[i].net) &&
				       has_route(ports, fd, k, i);
	close(fd);
	vb_rails_join(ports->all, ports->n, routes);
}

/* ---- traffic class ---- */

/* Returns the traffic class in a file, 0 if there is none: neither no default
 * nor one of 0 is anybody's choice. */
static uint8_t read_class(const char *path)
{
	static const char key[] = "Global tclass=";
	char line[64] = "", *value = line;
	FILE *f = fopen(path, "re");
	long class;

	if (f && !fgets(line, sizeof(line), f))
		line[0] = '\0';
	if (f)
		fclose(f);
	if (!strncmp(line, key, sizeof(key) - 1))
		value += sizeof(key) - 1;
	class = strtol(value, NULL, 10);
	return class < 0 || class > UINT8_MAX ? 0 : (uint8_t) class;
}

/* NVIDIA's own driver has a class that it puts in the place of any other. The
 * kernel's default is one for librdmacm, seen if the site has made its folder.
 * 106 is DSCP 26 with ECN, which switches for RoCE are mostly set up for. */
uint8_t vb_ports_traffic_class(const struct vb_port *port, const char *sys)
{
	char path[256];
	uint8_t class;

	if (env.ib_tc >= 0)
		return (uint8_t)env.ib_tc;
	if (port->net.kind == VB_INFINIBAND)
		return 0;
	snprintf(path, sizeof(path),
		 "%s/class/infiniband/%s/tc/%d/traffic_class", sys,
		 port->device, port->number);
	class = read_class(path);
	if (class)
		return class;
	snprintf(path, sizeof(path),
		 "%s/kernel/config/rdma_cm/%s/ports/%d/default_roce_tos", sys,
		 port->device, port->number);
	return read_class(path) ?: 106;
}

/* ---- ports ---- */

static void port_of_infiniband(struct vb_port *port,
			       const struct ibv_port_attr *attr,
			       const union ibv_gid *gid)
{
	memcpy(port->guid, gid->raw + 8, sizeof(port->guid));
	/* virtual ports, which need a global header, share one */
	port->lid = attr->flags & IBV_QPF_GRH_REQUIRED ? 0 : attr->lid;
	port->net = vb_net_of_infiniband(gid->raw, attr->sm_lid, port);
}

static void scan_port(struct vb_ports *ports, struct ibv_context *context,
		      struct vb_port *port)
{
	struct ibv_port_attr attr;
	union ibv_gid gid;
	int err = ibv_query_port(context, port->number, &attr);

	if (err) {
		note_failed(ports, port->device, "ibv_query_port", err);
		return;
	}
	if (attr.state != IBV_PORT_ACTIVE) {
		note(ports, "%s port %d is %s", port->device, port->number,
		     ibv_port_state_str(attr.state));
		ports->inactive++;
		return;
	}
	if (ports->n == VB_PORTS_MAX ||
	    !choose_gid(ports, context, &attr, port, &gid))
		return;
	if (attr.link_layer == IBV_LINK_LAYER_ETHERNET)
		port->net = net_of_ethernet(&gid, &ports->links[ports->n]);
	else
		port_of_infiniband(port, &attr, &gid);
	port->speed = speed_of(&attr);
	port->near = is_near(context->device);
	ports->all[ports->n++] = *port;
}

static void scan_device(struct vb_ports *ports, struct ibv_context *context)
{
	const char *name = ibv_get_device_name(context->device);
	struct ibv_device_attr attr;
	struct vb_port port;
	int err = ibv_query_device(context, &attr);

	if (err) {
		note_failed(ports, name, "ibv_query_device", err);
		return;
	}
	/* iWARP connects otherwise, others not at all */
	if (context->device->transport_type != IBV_TRANSPORT_IB) {
		note(ports, "%s is neither InfiniBand nor RoCE", name);
		return;
	}
	for (int p = 1; p <= attr.phys_port_cnt; p++) {
		if ((env.ib_port && env.ib_port != p) ||
		    !vb_rails_allow(env.ib_device, name, p))
			continue;
		port = (struct vb_port){.number = (uint8_t)p};
		snprintf(port.device, sizeof(port.device), "%.31s", name);
		scan_port(ports, context, &port);
	}
}

void vb_ports_scan(struct vb_ports *ports)
{
	struct ibv_device **list;

	memset(ports, 0, sizeof(*ports));
	list = ibv_get_device_list(&ports->devices);
	if (!list)
		ports->devices = -1;
	for (int i = 0; i < ports->devices; i++) {
		struct ibv_context *context = ibv_open_device(list[i]);

		if (context)
			scan_device(ports, context);
		else
			note_failed(ports, ibv_get_device_name(list[i]),
				    "ibv_open_device", errno);
		if (context)
			ibv_close_device(context);
	}
	if (list)
		ibv_free_device_list(list);
	find_routes(ports);
}
