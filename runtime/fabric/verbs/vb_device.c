/* SPDX-License-Identifier: Apache-2.0 */
/* vb_device.c: chooses the device, port and GID of a rank: those that
 * MRT_IB_DEVICE, MRT_IB_PORT and MRT_GID_INDEX name, or an active port local to
 * the CPUs that the rank may use, else any active port. Several equal ones are
 * used by the ranks of a node in turn. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/gid.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/verbs.h"
#include "runtime/topo/topo.h"

enum { PORTS_MAX = 64 };

/* An active port that may be used. */
struct candidate {
	struct ibv_device *device;
	uint8_t port;
	bool local;
};

struct candidates {
	struct candidate all[PORTS_MAX];
	int n, local;	 /* all; the local ones */
	char unfit[400]; /* the others, for the message if there is none */
};

static void note(struct candidates *c, const char *device, int port,
		 const char *state)
{
	size_t len = strlen(c->unfit);

	snprintf(c->unfit + len, sizeof(c->unfit) - len, "%s%s port %d is %s",
		 len ? ", " : "", device, port, state);
}

static void note_failed(struct candidates *c, const char *device,
			const char *call, int err)
{
	size_t len = strlen(c->unfit);

	snprintf(c->unfit + len, sizeof(c->unfit) - len, "%s%s: %s: %s%s",
		 len ? ", " : "", device, call, strerror(err), vb_advice(err));
}

static bool is_local(struct ibv_device *device)
{
	char path[sizeof(device->ibdev_path) + 32];

	snprintf(path, sizeof(path), "%s/device/local_cpus",
		 device->ibdev_path);
	return topo_is_local(path);
}

static void scan_ports(struct candidates *c, struct ibv_device *device,
		       struct ibv_context *context)
{
	const char *name = ibv_get_device_name(device);
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	int err = ibv_query_device(context, &attr);

	if (err) {
		note_failed(c, name, "ibv_query_device", err);
		return;
	}
	for (int p = 1; p <= attr.phys_port_cnt; p++) {
		if (env.ib_port && env.ib_port != p)
			continue;
		err = ibv_query_port(context, (uint8_t)p, &port);
		if (err) {
			note_failed(c, name, "ibv_query_port", err);
			continue;
		}
		if (port.state != IBV_PORT_ACTIVE) {
			note(c, name, p, ibv_port_state_str(port.state));
			continue;
		}
		if (c->n < PORTS_MAX) {
			bool local = is_local(device);

			c->all[c->n++] =
			    (struct candidate){device, (uint8_t)p, local};
			c->local += local;
		}
	}
}

static void scan_device(struct candidates *c, struct ibv_device *device)
{
	const char *name = ibv_get_device_name(device);
	struct ibv_context *context;

	if (env.ib_device[0] && strcmp(env.ib_device, name) != 0)
		return;
	context = ibv_open_device(device);
	if (!context) {
		note_failed(c, name, "ibv_open_device", errno);
		return;
	}
	scan_ports(c, device, context);
	ibv_close_device(context);
}

/* Returns candidate k, modulo their number, of the local ones if there are
 * any. */
static const struct candidate *choose(const struct candidates *c, int k)
{
	bool local = c->local > 0;

	k %= local ? c->local : c->n;
	for (int i = 0; i < c->n; i++)
		if (c->all[i].local == local && k-- == 0)
			return &c->all[i];
	return NULL;
}

static int no_port(const struct candidates *c, int devices)
{
	if (devices < 0)
		return log_error(MRT_ERR_NO_FABRIC,
				 "no RDMA device can be listed "
				 "(ibv_get_device_list: %s)",
				 strerror(errno));
	if (env.ib_device[0] && !c->unfit[0])
		return log_error(MRT_ERR_NO_FABRIC,
				 "MRT_IB_DEVICE=%s: there is no such device "
				 "among the %d here (mrt-info lists them)",
				 env.ib_device, devices);
	return log_error(MRT_ERR_NO_FABRIC,
			 "no active port of an RDMA device%s"
			 "%s (mrt-info lists them)",
			 c->unfit[0] ? ": " : "", c->unfit);
}

/* ---- GID ---- */

/* Returns the worth of an address (gid.h), 0 if it is not for RoCE version
 * 2. */
static int worth(const struct ibv_gid_entry *entry)
{
	return entry->gid_type == IBV_GID_TYPE_ROCE_V2
		   ? gid_worth(entry->gid.raw)
		   : 0;
}

static int find_gid(const struct vb *vb, struct ibv_gid_entry *best)
{
	int found = 0;

	for (int i = 0; i < vb->port_attr.gid_tbl_len; i++) {
		struct ibv_gid_entry entry;

		if (ibv_query_gid_ex(vb->context, vb->port, (uint32_t)i, &entry,
				     0))
			continue;
		if (worth(&entry) > found) {
			found = worth(&entry);
			*best = entry;
		}
	}
	return found ? 0
		     : log_error(MRT_ERR_NO_FABRIC,
				 "%s has no RoCE v2 address: give its network "
				 "interface an IP address, or set "
				 "MRT_GID_INDEX",
				 vb_port_name(vb));
}

static int choose_gid(struct vb *vb)
{
	struct ibv_gid_entry entry = {.gid_index = 0};
	int rc = 0;

	if (env.gid_index < 0 &&
	    vb->port_attr.link_layer == IBV_LINK_LAYER_ETHERNET)
		rc = find_gid(vb, &entry);
	else if (env.gid_index >= 0)
		entry.gid_index = (uint32_t)env.gid_index;
	if (rc)
		return rc;
	vb->gid_index = (int)entry.gid_index;
	/* an empty entry of the table may be read as zeros */
	if (!ibv_query_gid(vb->context, vb->port, vb->gid_index, &vb->gid) &&
	    (vb->gid.global.subnet_prefix || vb->gid.global.interface_id))
		return 0;
	if (env.gid_index < 0)
		return log_error(MRT_ERR_NO_FABRIC,
				 "GID %d of %s cannot be "
				 "read (ibv_query_gid): %s",
				 vb->gid_index, vb_port_name(vb),
				 strerror(errno));
	return log_error(MRT_ERR_NO_FABRIC,
			 "%s has no GID %d: MRT_GID_INDEX must name one that "
			 "mrt-info lists",
			 vb_port_name(vb), vb->gid_index);
}

/* ---- opening ---- */

bool vb_device_is_software(const struct vb *vb)
{
	const struct ibv_device *device = vb->context->device;
	char path[sizeof(device->ibdev_path) + 32];

	/* a software device is on no bus */
	snprintf(path, sizeof(path), "%s/device", device->ibdev_path);
	return access(path, F_OK) != 0;
}

const char *vb_port_name(const struct vb *vb)
{
	static _Thread_local char name[IBV_SYSFS_NAME_MAX + 16];

	snprintf(name, sizeof(name), "%s port %d",
		 ibv_get_device_name(vb->context->device), vb->port);
	return name;
}

static int open_port(struct vb *vb, const struct candidate *c)
{
	int err;

	vb->port = c->port;
	vb->context = ibv_open_device(c->device);
	if (!vb->context)
		return log_error(MRT_ERR_NO_FABRIC,
				 "RDMA device %s cannot be opened "
				 "(ibv_open_device): %s%s",
				 ibv_get_device_name(c->device),
				 strerror(errno), vb_advice(errno));
	err = ibv_query_device(vb->context, &vb->attr);
	if (err)
		return vb_refused(vb, "ibv_query_device", "its limits", err);
	err = ibv_query_port(vb->context, vb->port, &vb->port_attr);
	if (err)
		return vb_refused(vb, "ibv_query_port", "its state", err);
	vb->pd = ibv_alloc_pd(vb->context);
	if (!vb->pd)
		return vb_refused(vb, "ibv_alloc_pd", "a protection domain",
				  errno);
	return choose_gid(vb);
}

int vb_device_open(struct vb *vb)
{
	struct candidates c = {.n = 0};
	struct ibv_device **list;
	int n = 0, rc = 0;

	/* needed only where the kernel does not itself copy registered pages at
	 * fork; it withholds them from the child */
	if (ibv_is_fork_initialized() == IBV_FORK_DISABLED)
		rc = ibv_fork_init();
	if (rc)
		log_info("fork is not safe with RDMA here: %s", strerror(rc));
	list = ibv_get_device_list(&n);
	if (!list)
		n = -1;
	for (int i = 0; i < n; i++)
		scan_device(&c, list[i]);
	rc = c.n ? open_port(vb, choose(&c, vb->job->node_rank))
		 : no_port(&c, n);
	if (list)
		ibv_free_device_list(list);
	if (!rc)
		log_info("uses %s, GID %d, MTU %d", vb_port_name(vb),
			 vb->gid_index, 128 << vb->port_attr.active_mtu);
	return rc;
}

void vb_device_close(struct vb *vb)
{
	if (vb->pd)
		ibv_dealloc_pd(vb->pd);
	if (vb->context)
		ibv_close_device(vb->context);
}
