/* SPDX-License-Identifier: Apache-2.0 */
/* vb_ports.h: the ports of this node's RDMA devices that a rank may use, and
 * why it may not use the others. The provider and mrt-info share this. */
#ifndef VERBS_VB_PORTS_H
#define VERBS_VB_PORTS_H

#include "runtime/fabric/verbs/vb_rails.h"

/* The network interface of a RoCE port, as far as it is seen here. */
struct vb_link {
	uint8_t addr[16]; /* IPv4: 4 bytes */
	int index;	  /* 0: not seen */
};

struct vb_ports {
	struct vb_port all[VB_PORTS_MAX];
	struct vb_link links[VB_PORTS_MAX];
	int n;
	int inactive;	 /* how many others are not active */
	int devices;	 /* of this node, -1: they cannot be listed (errno) */
	char unfit[600]; /* why others cannot be used; "" */
};

/* Finds the ports that MRT_IB_DEVICE and MRT_IB_PORT allow, that are active and
 * have an address. It opens each device for a moment. */
void vb_ports_scan(struct vb_ports *ports);

/* vb_route.c: opens a socket, -1: none. */
int vb_route_open(void);
/* Whether packets of this link have a way to an address. */
bool vb_route_exists(int fd, bool ipv4, const struct vb_link *from,
		     const uint8_t *to);

/* Returns the traffic class of what leaves a port: MRT_IB_TC, else what the
 * site has set for it below sys, else 106 of RoCE and 0 of InfiniBand. sys is
 * "/sys" but in tests. */
uint8_t vb_ports_traffic_class(const struct vb_port *port, const char *sys);
#endif
