/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_info_verbs.c: RDMA devices: their capabilities, their ports, and the
 * addresses and networks of these; marks the address that libmrt uses, and says
 * which ports a job on this node alone would use, and why not the others. */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/verbs.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "tools/info/info_out.h"
#include "tools/info/info_parts.h"
#include "runtime/base/env.h"
#include "runtime/fabric/verbs/vb_device.h"

enum { TEXT = 128 };

/* The ports that ranks would find, and the network that they would use. */
static struct vb_ports found;
static struct vb_node here = {.ports = found.all};
static struct vb_net net;

/* Reads the first line of the device's file in sysfs; false if it does not
 * exist. */
static bool read_sysfs(const struct ibv_device *device, const char *name,
		       char text[TEXT])
{
	char path[sizeof(device->ibdev_path) + 64];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", device->ibdev_path, name);
	f = fopen(path, "re");
	ok = f && fgets(text, TEXT, f);
	if (f)
		fclose(f);
	if (ok)
		text[strcspn(text, "\n")] = '\0';
	return ok;
}

static void print_sysfs(const char *key, const struct ibv_device *device,
			const char *name, const char *fallback)
{
	char text[TEXT];

	info_text(key, "%s", read_sysfs(device, name, text) ? text : fallback);
}

/* ---- addresses ---- */

static const char *type_name(const struct ibv_gid_entry *gid)
{
	if (gid->gid_type == IBV_GID_TYPE_ROCE_V2)
		return "RoCE v2";
	return gid->gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1" : "IB";
}

static bool get_gid(struct ibv_context *context, uint32_t port, int i,
		    struct ibv_gid_entry *gid)
{
	static const union ibv_gid none;

	return !ibv_query_gid_ex(context, port, (uint32_t)i, gid, 0) &&
	       memcmp(&gid->gid, &none, sizeof(none)) != 0;
}

static void print_gid(int i, const struct ibv_gid_entry *gid, bool used)
{
	char text[INET6_ADDRSTRLEN], netdev[IF_NAMESIZE], key[32];

	inet_ntop(AF_INET6, gid->gid.raw, text, sizeof(text));
	if (!gid->ndev_ifindex || !if_indextoname(gid->ndev_ifindex, netdev))
		netdev[0] = '\0';
	if (!info_is_json()) {
		snprintf(key, sizeof(key), "GID %d", i);
		info_text(key, "%s %s%s%s%s", type_name(gid), text,
			  *netdev ? ", " : "", netdev, used ? ", used" : "");
		return;
	}
	info_open(NULL, INFO_OBJECT);
	info_number("index", i);
	info_text("type", "%s", type_name(gid));
	info_text("value", "%s", text);
	info_text("netdev", "%s", netdev);
	info_bool("used", used);
	info_close(INFO_OBJECT);
}

/* used: the index of the address that libmrt uses; -1: none. */
static void print_gids(struct ibv_context *context, uint32_t port,
		       const struct ibv_port_attr *attr, int used)
{
	struct ibv_gid_entry gid;

	info_open("gids", INFO_LIST);
	for (int i = 0; i < attr->gid_tbl_len; i++)
		if (get_gid(context, port, i, &gid))
			print_gid(i, &gid, i == used);
	info_close(INFO_LIST);
}

/* ---- ports and devices ---- */

static const struct vb_port *find_port(const char *device, int number)
{
	for (int k = 0; k < found.n; k++)
		if (found.all[k].number == number &&
		    !strcmp(found.all[k].device, device))
			return &found.all[k];
	return NULL;
}

static void print_use(const char *device, int number,
		      const struct vb_port *port)
{
	char text[VB_PORT_TEXT];
	struct vb_net second;

	if (port) {
		info_text("network", "%s", vb_net_text(&port->net, text));
		info_number("traffic class",
			    vb_ports_traffic_class(port, "/sys"));
	}
	if (!port && !vb_rails_allow(env.ib_device, device, number))
		info_text("ranks", "leave it out: MRT_IB_DEVICE");
	else if (!port)
		info_text("ranks", "cannot use it");
	else if (vb_rails_used(&here, &net) & 1ull << (port - found.all))
		info_text("ranks", "use it if the other nodes are like this");
	else if (env.ib_rails > 1 && vb_rails_second(&here, 1, &net, &second) &&
		 vb_net_has(&second, port))
		info_text("ranks", "use it as their second port if the other "
				   "nodes are like this");
	else {
		vb_rails_why(&here, 1, &net, port, text, sizeof(text));
		info_text("ranks", "leave it out: %s", text);
	}
}

static void print_port(struct ibv_context *context, int number)
{
	struct ibv_device *device = context->device;
	const char *device_name = ibv_get_device_name(device);
	const struct vb_port *port = find_port(device_name, number);
	struct ibv_port_attr attr;
	char name[32];

	info_open(NULL, INFO_OBJECT);
	info_number("port", number);
	if (ibv_query_port(context, (uint8_t)number, &attr)) {
		info_text("state", "cannot be asked");
		info_close(INFO_OBJECT);
		return;
	}
	info_text("state", "%s", ibv_port_state_str(attr.state));
	snprintf(name, sizeof(name), "ports/%d/phys_state", number);
	print_sysfs("physical state", device, name, "unknown");
	info_text("link layer", "%s",
		  attr.link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet"
							     : "InfiniBand");
	snprintf(name, sizeof(name), "ports/%d/rate", number);
	print_sysfs("rate", device, name, "unknown");
	info_number("MTU", 128 << attr.active_mtu);
	info_number("longest message", attr.max_msg_sz);
	info_number("LID", attr.lid);
	print_use(device_name, number, port);
	print_gids(context, (uint32_t)number, &attr,
		   port ? (int)port->gid_index : -1);
	info_close(INFO_OBJECT);
}

static const char *atomics_name(enum ibv_atomic_cap cap)
{
	return cap == IBV_ATOMIC_NONE ? "none"
	       : cap == IBV_ATOMIC_HCA
		   ? "among this device's (HCA)"
		   : "also with CPUs and other devices (global)";
}

static void print_limits(const struct ibv_device_attr *attr)
{
	info_number("queue pairs", attr->max_qp);
	info_number("work requests of each", attr->max_qp_wr);
	info_number("completion queue", attr->max_cqe);
	info_number("gather list", attr->max_sge);
	info_number("shared receive queue", attr->max_srq_wr);
	info_number("reads started", attr->max_qp_init_rd_atom);
	info_number("reads answered", attr->max_qp_rd_atom);
	info_number("registrations", attr->max_mr);
	info_number("GiB in a registration",
		    (double)attr->max_mr_size / (1 << 30));
	info_text("atomics", "%s", atomics_name(attr->atomic_cap));
}

static void print_device(struct ibv_device *device)
{
	struct ibv_context *context = ibv_open_device(device);
	unsigned long long guid = be64toh(ibv_get_device_guid(device));
	struct ibv_device_attr attr;

	info_open(NULL, INFO_OBJECT);
	info_text("device", "%s", ibv_get_device_name(device));
	info_text("node GUID", "%016llx", guid);
	print_sysfs("near CPUs", device, "device/local_cpulist", "all");
	if (!context || ibv_query_device(context, &attr)) {
		info_text("state", "cannot be opened");
	} else {
		info_text("firmware", "%s", attr.fw_ver);
		print_limits(&attr);
		info_open("ports", INFO_LIST);
		for (int p = 1; p <= attr.phys_port_cnt; p++)
			print_port(context, p);
		info_close(INFO_LIST);
	}
	if (context)
		ibv_close_device(context);
	info_close(INFO_OBJECT);
}

/* Returns what to do for jobs of several nodes, NULL if a port can be used. */
static const char *hint_of(bool loaded, int n)
{
	if (!loaded)
		return "jobs of several nodes need libibverbs.so.1 and the "
		       "driver of the device: install libibverbs1 and "
		       "ibverbs-providers";
	if (n <= 0)
		return "jobs of several nodes need an RDMA device on each; "
		       "for Soft-RoCE: rdma link add rxe0 type rxe netdev "
		       "ETHERNET";
	return found.n ? NULL
		       : "jobs of several nodes need an active port on each: "
			 "bring up a network interface, or InfiniBand's "
			 "subnet manager; or change MRT_IB_DEVICE, "
			 "MRT_IB_PORT";
}

static void print_summary(int n)
{
	bool loaded = !vb_lib_open();
	const char *hint = hint_of(loaded, n);

	if (!loaded)
		info_text("verbs", "libibverbs cannot be loaded");
	else if (n > 0)
		info_text("verbs", "%d device%s", n, n == 1 ? "" : "s");
	else
		info_text("verbs", "no device found");
	if (hint)
		info_text("verbs hint", "%s", hint);
}

void info_devices(void)
{
	int n = 0;
	struct ibv_device **devices = ibv_get_device_list(&n);

	vb_ports_scan(&found);
	here.n = found.n;
	if (found.n)
		vb_rails_choose(&here, 1, &net);
	print_summary(n);
	if (found.unfit[0])
		info_text("unusable", "%s", found.unfit);
	info_open("devices", INFO_LIST);
	for (int i = 0; devices && i < n; i++)
		print_device(devices[i]);
	info_close(INFO_LIST);
	if (devices)
		ibv_free_device_list(devices);
}
