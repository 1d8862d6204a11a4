/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_rails.h: which network of RDMA ports a job uses, and which of its ports a
 * rank. Pure: lists of ports in, a choice out, the same on all ranks.
 *
 * A network is what a port can tell of its own: InfiniBand by the prefix of its
 * subnet, and if that is the default one by the LID of its subnet manager, too;
 * RoCE by the IP network of its address. Ports of one network are taken to
 * reach each other. RoCE ports in several IP networks count as one if every
 * node has routes between those that it would use. If no such network has a
 * port on every node, all ports of InfiniBand with one prefix count as one, all
 * RoCE ports with IPv4 addresses, and all with IPv6. Of several networks the
 * one whose slowest node is fastest is used, where a node is as fast as its
 * fastest port, and of equally fast nodes the one with more such ports.
 *
 * A LID that two ports of one network have shows that two fabrics look alike.
 * Then ports of one name, as "mlx5_0 port 1", are taken to be in one of them.
 */
#ifndef VERBS_VB_RAILS_H
#define VERBS_VB_RAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VB_PORTS_MAX = 64, VB_NET_TEXT = 80, VB_PORT_TEXT = 160 };

enum vb_net_kind { VB_INFINIBAND, VB_IPV4, VB_IPV6, VB_NET_KINDS };

/* It travels between ranks, as does struct vb_port. */
struct vb_net {
	uint8_t kind;	  /* enum vb_net_kind */
	uint8_t bits;	  /* of addr; 0: unknown, or all of this kind */
	uint8_t addr[16]; /* zeros behind the bits; IPv4: 4 bytes; InfiniBand:
			     prefix, LID of the manager, port's name */
};
enum { VB_IB_PREFIX = 64, VB_IB_MANAGER = 80, VB_IB_NAME = 112 };

/* An active port with an address. */
struct vb_port {
	struct vb_net net;
	uint8_t number;
	uint8_t near;	/* local to the CPUs of the rank that has looked */
	uint32_t speed; /* Mb/s */
	uint32_t gid_index;
	char device[32];
	uint8_t guid[8]; /* InfiniBand */
	uint16_t lid;	 /* 0: others of the fabric may have it, too */
	/* RoCE: between the networks of ports of a node with one number there
	 * are routes */
	uint16_t joined;
};
_Static_assert(sizeof(struct vb_port) == 72, "travels between ranks");

/* The ports that a node may use. */
struct vb_node {
	char host[64];
	const struct vb_port *ports;
	int n;
	const char *unfit; /* why it may not use others; "" */
};

/* Returns a network of the first bits of an address of 16 bytes, IPv4: 4. */
struct vb_net vb_net_of(enum vb_net_kind kind, const uint8_t *addr, int bits);
/* Returns that of a port whose device and number are known. */
struct vb_net vb_net_of_infiniband(const uint8_t prefix[8], unsigned manager,
				   const struct vb_port *port);
/* Whether the port is of this network. */
bool vb_net_has(const struct vb_net *net, const struct vb_port *port);
/* Whether a and b are one network. */
bool vb_net_is_same(const struct vb_net *a, const struct vb_net *b);
/* Whether ports of the two networks may reach each other, by routers. */
bool vb_net_may_reach(const struct vb_net *a, const struct vb_net *b);
/* Whether they are two IP networks, between which there may be routes. */
bool vb_net_may_route(const struct vb_net *a, const struct vb_net *b);
/* Write "Ethernet 10.0.0.0/24" and "mlx5_0 port 1 (Ethernet 10.0.0.0/24, 100
 * Gb/s)" to `out`, and return it. */
const char *vb_net_text(const struct vb_net *net, char out[VB_NET_TEXT]);
const char *vb_port_text(const struct vb_port *port, char out[VB_PORT_TEXT]);

/* Numbers the ports of a node in `joined`, by the routes from one to the
 * network of another. */
void vb_rails_join(struct vb_port *ports, int n,
		   bool routes[VB_PORTS_MAX][VB_PORTS_MAX]);
/* Chooses the network that joins the nodes. Returns n; if there is none, how
 * many of the first nodes have one, and *net is unchanged. */
int vb_rails_choose(const struct vb_node *nodes, int n, struct vb_net *net);
/* Returns which ports of a node its ranks use in a network, the fastest: bit k
 * is port k. */
uint64_t vb_rails_used(const struct vb_node *node, const struct vb_net *net);
/* Returns the port of the k-th rank of a node: of those used the near ones in
 * turn, or all if none is near. The node must have a port in this network. */
const struct vb_port *vb_rails_pick(const struct vb_node *node,
				    const struct vb_net *net, int k);
/* Finds the network of the second rail of each rank, beside `net` of the first:
 * the same one if every node uses several of its ports, else the best other one
 * that joins the nodes for sure, if it is half as fast at least. False: there
 * is none. */
bool vb_rails_second(const struct vb_node *nodes, int n,
		     const struct vb_net *net, struct vb_net *second);
/* Returns the port of the second rail of the k-th rank of a node. */
const struct vb_port *vb_rails_pick_second(const struct vb_node *node,
					   const struct vb_net *net,
					   const struct vb_net *second, int k);
/* Returns two ports of the network that cannot be in one fabric, as their LID
 * is the same, in pair[]; false: there are none. */
bool vb_rails_clash(const struct vb_node *nodes, int n,
		    const struct vb_net *net, const struct vb_port *pair[2]);
/* Whether a node that knows nothing of the others would use the ports that it
 * uses in the network of all. */
bool vb_rails_guessed(const struct vb_node *node, const struct vb_net *net);
/* Says why a port of nodes[0] that is not used is left out. */
void vb_rails_why(const struct vb_node *nodes, int n, const struct vb_net *net,
		  const struct vb_port *port, char *out, size_t len);

/* Whether a list like MRT_IB_DEVICE allows a port: "mlx5_0,mlx5_2:1" names
 * devices and ports; with '^' before it, those not to be used. */
bool vb_rails_allow(const char *list, const char *device, int port);

/* Returns where a port's table has the key of a partition, -1 if nowhere. The
 * highest bit, full membership, is not compared; a full member comes first. */
int vb_pkey_find(const uint16_t *keys, int n, uint16_t key);
#endif
