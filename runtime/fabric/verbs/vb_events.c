/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_events.c: what the device tells of itself and its port (vb_async, on the
 * watching thread). Connections outlive a port that is down for less than their
 * retries, and a subnet manager that is restarted or replaced. They do not
 * outlive their device, their LID or their partition: then the job ends with
 * the reason, before the retries of peers end without one. What concerns one
 * connection shows in its next completion, which ends the job; the event says
 * more.
 */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/verbs/vb_device.h"

/* Ends the job, or the use of a second rail. */
static void end_job(struct vb *vb, int code, const char *what)
{
	if (!vb->rail)
		fault_raise_text(code, "%s: %s", vb_port_name(vb), what);
	else if (!atomic_exchange(&vb->dev.gone, true))
		log_warn("%s: %s; the job goes on without this rail",
			 vb_port_name(vb), what);
}

void vb_lost(struct vb *vb, const char *what)
{
	end_job(vb, MRT_ERR_RESOURCE, what);
}

/* ---- the port ---- */

static void port_went(struct vb *vb, const char *how)
{
	if (!atomic_load(&vb->dev.port_down))
		atomic_store(&vb->dev.port_down, clock_ns());
	if (vb->rail)
		log_warn("%s %s; the job goes on without this rail",
			 vb_port_name(vb), how);
	else
		log_warn("%s %s; the job goes on if it comes back within the "
			 "retries of the connections (MRT_IB_TIMEOUT, "
			 "MRT_IB_RETRY)",
			 vb_port_name(vb), how);
}

static void port_came_back(struct vb *vb)
{
	if (!atomic_load(&vb->dev.port_down))
		return;
	atomic_store(&vb->dev.port_up, clock_ns());
	atomic_store(&vb->dev.port_down, 0);
	log_warn("%s is up again", vb_port_name(vb));
}

/* Ends the job if the port has another LID than the one that peers send to. */
static void check_lid(struct vb *vb)
{
	struct ibv_port_attr attr;
	char text[120];

	if (ibv_query_port(vb->dev.context, vb->dev.port, &attr) || !attr.lid ||
	    attr.lid == vb->dev.port_attr.lid)
		return;
	snprintf(text, sizeof(text),
		 "the subnet manager has changed its LID from %d to %d: all "
		 "its connections are lost",
		 vb->dev.port_attr.lid, attr.lid);
	end_job(vb, MRT_ERR_RESOURCE, text);
}

/* Ends the job if the partition is no more where its connections look for it;
 * the highest bit, full membership, is not compared. */
static void check_pkey(struct vb *vb)
{
	__be16 key;
	char text[120];

	if (ibv_query_pkey(vb->dev.context, vb->dev.port, vb->dev.pkey_index,
			   &key) ||
	    !vb->dev.pkey || !((be16toh(key) ^ vb->dev.pkey) & 0x7fff))
		return;
	snprintf(text, sizeof(text),
		 "the subnet manager has taken it from partition 0x%04x: all "
		 "its connections are lost",
		 vb->dev.pkey);
	end_job(vb, MRT_ERR_RESOURCE, text);
}

/* Whether the port still has the address, at any index: connections use it. */
static bool has_address(const struct vb *vb)
{
	union ibv_gid gid;

	for (int i = 0; i < vb->dev.port_attr.gid_tbl_len; i++)
		if (!ibv_query_gid(vb->dev.context, vb->dev.port, i, &gid) &&
		    !memcmp(&gid, &vb->dev.gid, sizeof(gid)))
			return true;
	return false;
}

static void addresses_changed(struct vb *vb)
{
	bool lost = vb_is_global(vb) && !has_address(vb);

	if (atomic_exchange(&vb->dev.no_address, lost) == lost)
		return;
	if (lost)
		port_went(vb, "has lost its address");
	else
		port_came_back(vb);
}

static void port_event(struct vb *vb, enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_PORT_ERR:
		port_went(vb, "is down");
		break;
	case IBV_EVENT_PORT_ACTIVE:
		if (!atomic_load(&vb->dev.no_address))
			port_came_back(vb);
		check_lid(vb); /* it may have changed meanwhile */
		break;
	case IBV_EVENT_GID_CHANGE:
		addresses_changed(vb);
		break;
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
		check_lid(vb);
		break;
	default: /* IBV_EVENT_PKEY_CHANGE */
		check_pkey(vb);
	}
}

/* ---- the rest ---- */

void vb_async(struct vb *vb, const struct ibv_async_event *event)
{
	const char *text = ibv_event_type_str(event->event_type);

	switch (event->event_type) {
	case IBV_EVENT_PORT_ERR:
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_GID_CHANGE:
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
	case IBV_EVENT_PKEY_CHANGE:
		if (event->element.port_num != vb->dev.port)
			return;
		log_info("%s: %s", vb_port_name(vb), text);
		port_event(vb, event->event_type);
		break;
	case IBV_EVENT_DEVICE_FATAL:
		end_job(vb, MRT_ERR_RESOURCE, "the device is gone");
		break;
	case IBV_EVENT_CQ_ERR:
		end_job(vb, MRT_ERR_INTERNAL,
			"the completion queue has overflowed");
		break;
	case IBV_EVENT_SRQ_ERR:
		end_job(vb, MRT_ERR_RESOURCE,
			"the shared receive queue has failed");
		break;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_WQ_FATAL:
		log_warn("%s: %s: a connection fails", vb_port_name(vb), text);
		break;
	default: /* what is not asked for, or needs no answer */
		log_debug("%s: %s", vb_port_name(vb), text);
	}
}
