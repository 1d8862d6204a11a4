/* SPDX-License-Identifier: Apache-2.0 */
/* info_fabrics.c: shared memory and RDMA devices. */
#include "config.h"

#include "launcher/info_parts.h"

#ifdef HAVE_VERBS
#include <infiniband/verbs.h>
#endif
#include <stdio.h>
#include <unistd.h>

#include "launcher/info_out.h"

#ifdef HAVE_VERBS
static const char *layer_name(const struct ibv_port_attr *port)
{
	return port->link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet"
							   : "InfiniBand";
}

static void print_port(struct ibv_context *context, int number)
{
	struct ibv_port_attr port;
	char key[32];

	snprintf(key, sizeof(key), "port %d", number);
	if (ibv_query_port(context, (uint8_t)number, &port)) {
		info_text(key, "cannot be asked");
		return;
	}
	info_text(key, "%s, %s, MTU %d, LID %d, %d GIDs",
		  ibv_port_state_str(port.state), layer_name(&port),
		  128 << port.active_mtu, port.lid, port.gid_tbl_len);
}

static void print_device(struct ibv_device *device)
{
	struct ibv_context *context = ibv_open_device(device);
	struct ibv_device_attr attr;

	info_open(NULL, INFO_OBJECT);
	info_text("device", "%s", ibv_get_device_name(device));
	if (!context || ibv_query_device(context, &attr)) {
		info_text("state", "cannot be opened");
	} else {
		info_text("firmware", "%s", attr.fw_ver);
		info_number("queue pairs", attr.max_qp);
		info_bool("atomics", attr.atomic_cap != IBV_ATOMIC_NONE);
		for (int p = 1; p <= attr.phys_port_cnt; p++)
			print_port(context, p);
	}
	if (context)
		ibv_close_device(context);
	info_close(INFO_OBJECT);
}

static void print_devices(void)
{
	int n = 0;
	struct ibv_device **devices = ibv_get_device_list(&n);

	if (n > 0)
		info_text("verbs", "%d device%s", n, n == 1 ? "" : "s");
	else
		info_text("verbs", "no device found");
	info_open("devices", INFO_LIST);
	for (int i = 0; devices && i < n; i++)
		print_device(devices[i]);
	info_close(INFO_LIST);
	if (devices)
		ibv_free_device_list(devices);
}
#else
static void print_devices(void)
{
	info_text("verbs", "built without");
	info_open("devices", INFO_LIST);
	info_close(INFO_LIST);
}
#endif

void info_fabrics(void)
{
	info_open("fabrics", INFO_OBJECT);
	info_text("sm", access("/dev/shm", W_OK)
			    ? "/dev/shm cannot be written"
			    : "shared memory inside this node");
	print_devices();
	info_close(INFO_OBJECT);
}
