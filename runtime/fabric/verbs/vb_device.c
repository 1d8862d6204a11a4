/* SPDX-License-Identifier: Apache-2.0 */
/* vb_device.c: opens the device, port, GID and partition of a rank: those that
 * MRT_IB_DEVICE, MRT_IB_PORT and MRT_GID_INDEX allow (vb_ports.h), in the
 * network that joins the nodes, the nearest to its CPUs (vb_rails.h). */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_device.h"

enum {
	PKEYS_MAX = 128,
	SOFT_RETRIES = 6,
	SOONER = 2 /* the loss of a second rail is seen four times as fast */
};

/* Completes the reasons why there is no port. */
static void no_port(struct vb_ports *ports)
{
	if (ports->devices < 0)
		snprintf(ports->unfit, sizeof(ports->unfit),
			 "no RDMA device can be listed (ibv_get_device_list: "
			 "%s)",
			 strerror(errno));
	else if (env.ib_device[0] && !ports->unfit[0])
		snprintf(ports->unfit, sizeof(ports->unfit),
			 "MRT_IB_DEVICE=%.400s: there is no such device among "
			 "the %d here",
			 env.ib_device, ports->devices);
}

/* ---- opening ---- */

bool vb_device_is_software(const struct vb *vb)
{
	const struct ibv_device *device = vb->dev.context->device;
	char path[sizeof(device->ibdev_path) + 32];

	/* a software device is on no bus */
	snprintf(path, sizeof(path), "%s/device", device->ibdev_path);
	return access(path, F_OK) != 0;
}

bool vb_is_global(const struct vb *vb)
{
	return vb->dev.port_attr.link_layer == IBV_LINK_LAYER_ETHERNET ||
	       vb->dev.port_attr.flags & IBV_QPF_GRH_REQUIRED ||
	       env.gid_index >= 0;
}

const char *vb_port_name(const struct vb *vb)
{
	static _Thread_local char name[IBV_SYSFS_NAME_MAX + 16];

	if (!vb->dev.context)
		return "no port";
	snprintf(name, sizeof(name), "%s port %d",
		 ibv_get_device_name(vb->dev.context->device), vb->dev.port);
	return name;
}

/* Opens a device by its name; NULL with errno. */
static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int err = list ? ENODEV : errno;

	for (int i = 0; list && list[i] && !context; i++) {
		if (strncmp(ibv_get_device_name(list[i]), name, 31) != 0)
			continue;
		context = ibv_open_device(list[i]);
		err = errno;
	}
	if (list)
		ibv_free_device_list(list);
	errno = err;
	return context;
}

static int no_pkey(const struct vb *vb, const uint16_t *keys, int n)
{
	char list[200] = "";
	size_t at = 0;

	for (int k = 0; k < n && at < sizeof(list); k++)
		if (keys[k] & 0x7fff)
			at += (size_t)snprintf(list + at, sizeof(list) - at,
					       " 0x%04x", keys[k]);
	return log_error(MRT_ERR_NO_FABRIC,
			 "%s is not in partition MRT_IB_PKEY=%s, but in those "
			 "of the keys%s: set one of these, or let the subnet "
			 "manager add the port",
			 vb_port_name(vb), env.ib_pkey, list);
}

static int find_pkey(struct vb *vb, uint16_t want)
{
	uint16_t keys[PKEYS_MAX] = {0};
	int n = 0;

	for (; n < vb->dev.port_attr.pkey_tbl_len && n < PKEYS_MAX; n++) {
		__be16 key;

		if (ibv_query_pkey(vb->dev.context, vb->dev.port, n, &key))
			return vb_refused(vb, "ibv_query_pkey",
					  "its partitions", errno);
		keys[n] = be16toh(key);
	}
	vb->dev.pkey = want;
	vb->dev.pkey_index = vb_pkey_find(keys, n, want);
	return vb->dev.pkey_index < 0 ? no_pkey(vb, keys, n) : 0;
}

static int choose_pkey(struct vb *vb)
{
	__be16 first;
	const char *text = env.ib_pkey;
	char *end;
	long key = strtol(text, &end, strncmp(text, "0x", 2) ? 10 : 16);

	if (!*text && !ibv_query_pkey(vb->dev.context, vb->dev.port, 0, &first))
		vb->dev.pkey = be16toh(first);
	if (!*text)
		return 0;
	if (*end || key < 1 || key > 0xffff)
		return log_error(MRT_ERR_ENV,
				 "MRT_IB_PKEY=%s is not valid: use the key of "
				 "a partition, such as 0x8001",
				 text);
	return find_pkey(vb, (uint16_t)key);
}

static int open_port(struct vb *vb, const struct vb_port *port)
{
	int err;

	vb->dev.own = *port;
	vb->dev.context = open_device(port->device);
	if (!vb->dev.context)
		return log_error(MRT_ERR_NO_FABRIC,
				 "RDMA device %s cannot be opened "
				 "(ibv_open_device): %s%s",
				 port->device, strerror(errno),
				 vb_advice(errno));
	vb->dev.port = port->number;
	vb->dev.gid_index = (int)port->gid_index;
	vb->dev.timeout = (uint8_t)(env.ib_timeout - (vb->rail ? SOONER : 0));
	vb->dev.retries = (uint8_t)env.ib_retry;
	/* at 7, which is a number like any other, Soft-RoCE never ends */
	if (env.ib_retry > SOFT_RETRIES && vb_device_is_software(vb))
		vb->dev.retries = SOFT_RETRIES;
	vb->dev.traffic_class = vb_ports_traffic_class(port, "/sys");
	err = ibv_query_device(vb->dev.context, &vb->dev.attr);
	if (err)
		return vb_refused(vb, "ibv_query_device", "its limits", err);
	err = ibv_query_port(vb->dev.context, vb->dev.port, &vb->dev.port_attr);
	if (err)
		return vb_refused(vb, "ibv_query_port", "its state", err);
	if (ibv_query_gid(vb->dev.context, vb->dev.port, vb->dev.gid_index,
			  &vb->dev.gid))
		return vb_refused(vb, "ibv_query_gid", "its address", errno);
	vb->dev.pd = ibv_alloc_pd(vb->dev.context);
	if (!vb->dev.pd)
		return vb_refused(vb, "ibv_alloc_pd", "a protection domain",
				  errno);
	return choose_pkey(vb);
}

/* Finds ports. If all are down it looks again for as long as a connection would
 * retry: a link may flap while a job starts, too. */
static void scan_ports(const struct boot_job *job, struct vb_ports *ports)
{
	const struct timespec pause = {0, 100000000};
	uint64_t until = clock_ns() + vb_retry_ns();
	bool wait;

	vb_ports_scan(ports);
	wait = !ports->n && ports->inactive;
	if (wait && job->node_rank == 0)
		log_warn("%s; waiting %.1f s for it (MRT_IB_TIMEOUT, "
			 "MRT_IB_RETRY)",
			 ports->unfit, (double)vb_retry_ns() * 1e-9);
	while (wait && !ports->n && clock_ns() < until) {
		nanosleep(&pause, NULL);
		vb_ports_scan(ports);
	}
}

int vb_device_scan(struct vb *vb)
{
	struct vb_node here = {.ports = vb->dev.ports.all};
	int rc = 0;

	/* needed only where the kernel does not itself copy registered pages at
	 * fork; it withholds them from the child */
	if (ibv_is_fork_initialized() == IBV_FORK_DISABLED)
		rc = ibv_fork_init();
	if (rc)
		log_info("fork is not safe with RDMA here: %s", strerror(rc));
	scan_ports(vb->job, &vb->dev.ports);
	here.n = vb->dev.ports.n;
	if (!here.n)
		no_port(&vb->dev.ports);
	/* of several nodes each learns of the others' ports first */
	if (!here.n && vb->job->nnodes == 1)
		return log_error(MRT_ERR_NO_FABRIC,
				 "no usable port of an RDMA device%s%s "
				 "(mrt-info lists them)",
				 vb->dev.ports.unfit[0] ? ": " : "",
				 vb->dev.ports.unfit);
	/* a guess, before those of other nodes are known */
	vb_rails_choose(&here, 1, &vb->dev.net);
	vb->dev.paired =
	    here.n && env.ib_rails > 1 &&
	    vb_rails_second(&here, 1, &vb->dev.net, &vb->dev.second);
	return 0;
}

static const struct vb_port *device_choose(const struct vb *vb)
{
	const struct vb_ports *ports = &vb->first->dev.ports;
	const struct vb_node here = {.ports = ports->all, .n = ports->n};

	if (vb->rail)
		return vb_rails_pick_second(&here, &vb->first->dev.net,
					    &vb->dev.net, vb->job->node_rank);
	return vb_rails_pick(&here, &vb->dev.net, vb->job->node_rank);
}

int vb_device_open(struct vb *vb)
{
	int rc = open_port(vb, device_choose(vb));

	if (!rc)
		log_info("%s %s, GID %d, MTU %d, traffic class %d",
			 vb->rail ? "second rail:" : "uses", vb_port_name(vb),
			 vb->dev.gid_index, 128 << vb->dev.port_attr.active_mtu,
			 vb->dev.traffic_class);
	return rc;
}

bool vb_device_is_open(const struct vb *vb)
{
	return !memcmp(device_choose(vb), &vb->dev.own, sizeof(vb->dev.own));
}

void vb_device_close(struct vb *vb)
{
	if (vb->dev.pd)
		ibv_dealloc_pd(vb->dev.pd);
	if (vb->dev.context)
		ibv_close_device(vb->dev.context);
}
