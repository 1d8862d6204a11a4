/* SPDX-License-Identifier: Apache-2.0 */
/* vb_rails.c implements vb_rails.h. */
#include "runtime/fabric/verbs/vb_rails.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- networks ---- */

struct vb_net vb_net_of(enum vb_net_kind kind, const uint8_t *addr, int bits)
{
	struct vb_net net = {.kind = (uint8_t)kind, .bits = (uint8_t)bits};

	for (int k = 0; k < bits; k += 8)
		net.addr[k / 8] =
		    (uint8_t)(addr[k / 8] &
			      (bits - k < 8 ? 0xff00 >> (bits - k) : 0xff));
	return net;
}

static bool is_same(const struct vb_net *a, const struct vb_net *b)
{
	return a->kind == b->kind && a->bits == b->bits &&
	       !memcmp(a->addr, b->addr, sizeof(a->addr));
}

static bool is_class(const struct vb_net *net)
{
	return net->bits == 0;
}

bool vb_net_has(const struct vb_net *net, const struct vb_port *port)
{
	return is_class(net) ? net->kind == port->net.kind
			     : is_same(net, &port->net);
}

bool vb_net_may_reach(const struct vb_net *a, const struct vb_net *b)
{
	return a->kind == VB_INFINIBAND ? is_same(a, b) : a->kind == b->kind;
}

const char *vb_net_text(const struct vb_net *net, char out[VB_NET_TEXT])
{
	static const char *const layers[] = {"InfiniBand", "Ethernet",
					     "Ethernet"};
	char addr[INET6_ADDRSTRLEN];

	inet_ntop(net->kind == VB_IPV4 ? AF_INET : AF_INET6, net->addr, addr,
		  sizeof(addr));
	if (is_class(net))
		snprintf(out, VB_NET_TEXT, "%s%s", layers[net->kind],
			 net->kind == VB_IPV4	? " IPv4"
			 : net->kind == VB_IPV6 ? " IPv6"
						: "");
	else
		snprintf(out, VB_NET_TEXT, "%s %s/%d", layers[net->kind], addr,
			 net->bits);
	return out;
}

const char *vb_port_text(const struct vb_port *port, char out[VB_PORT_TEXT])
{
	char net[VB_NET_TEXT];

	snprintf(out, VB_PORT_TEXT, "%.31s port %d (%s, %g Gb/s)", port->device,
		 port->number, vb_net_text(&port->net, net),
		 port->speed / 1000.);
	return out;
}

/* ---- the choice ---- */

/* Returns the speed of a node's fastest port in a network, -1 without one. */
static int64_t speed_of(const struct vb_node *node, const struct vb_net *net)
{
	int64_t most = -1;

	for (int k = 0; k < node->n; k++)
		if (vb_net_has(net, &node->ports[k]) &&
		    node->ports[k].speed > most)
			most = node->ports[k].speed;
	return most;
}

/* Returns the speed of the slowest node, -1 if one has no port there. */
static int64_t least_speed(const struct vb_node *nodes, int n,
			   const struct vb_net *net)
{
	int64_t least = INT64_MAX;

	for (int k = 0; k < n && least >= 0; k++) {
		int64_t speed = speed_of(&nodes[k], net);

		if (speed < least)
			least = speed;
	}
	return least;
}

struct candidate {
	struct vb_net net;
	int64_t speed; /* least_speed */
};

/* Whether a is better than b. Any two networks differ, so that all ranks find
 * the same one to be best, whatever the order of their ports. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
	if (is_class(&a->net) != is_class(&b->net))
		return is_class(&b->net);
	if (a->speed != b->speed)
		return a->speed > b->speed;
	if (a->net.kind != b->net.kind)
		return a->net.kind < b->net.kind;
	if (a->net.bits != b->net.bits)
		return a->net.bits > b->net.bits;
	return memcmp(a->net.addr, b->net.addr, sizeof(a->net.addr)) < 0;
}

static void rails_consider(const struct vb_node *nodes, int n,
			   const struct vb_net *net, struct candidate *best)
{
	struct candidate c = {*net, least_speed(nodes, n, net)};

	if (c.speed >= 0 && (best->speed < 0 || is_better(&c, best)))
		*best = c;
}

static bool rails_choose(const struct vb_node *nodes, int n, struct vb_net *net)
{
	struct candidate best = {.speed = -1};

	for (int k = 0; k < nodes[0].n; k++) {
		const struct vb_net *own = &nodes[0].ports[k].net;
		struct vb_net all = vb_net_of(own->kind, NULL, 0);

		rails_consider(nodes, n, own, &best);
		/* no router is expected between subnets of InfiniBand */
		if (own->kind != VB_INFINIBAND)
			rails_consider(nodes, n, &all, &best);
	}
	if (best.speed >= 0)
		*net = best.net;
	return best.speed >= 0;
}

int vb_rails_choose(const struct vb_node *nodes, int n, struct vb_net *net)
{
	int joined = 0;
	struct vb_net some;

	if (rails_choose(nodes, n, net))
		return n;
	while (rails_choose(nodes, joined + 1, &some))
		joined++;
	return joined;
}

uint64_t vb_rails_used(const struct vb_node *node, const struct vb_net *net)
{
	int64_t speed = speed_of(node, net);
	uint64_t used = 0;

	for (int k = 0; k < node->n; k++)
		if (vb_net_has(net, &node->ports[k]) &&
		    node->ports[k].speed == speed)
			used |= 1ull << k;
	return used;
}

const struct vb_port *vb_rails_pick(const struct vb_node *node,
				    const struct vb_net *net, int k)
{
	uint64_t used = vb_rails_used(node, net), near = 0;

	for (int i = 0; i < node->n; i++)
		if (node->ports[i].near)
			near |= used & 1ull << i;
	if (near)
		used = near;
	for (k %= __builtin_popcountll(used); k > 0; k--)
		used &= used - 1;
	return &node->ports[__builtin_ctzll(used)];
}

bool vb_rails_guessed(const struct vb_node *node, const struct vb_net *net)
{
	struct vb_net alone;

	return rails_choose(node, 1, &alone) &&
	       vb_rails_used(node, &alone) == vb_rails_used(node, net);
}

/* ---- why not ---- */

void vb_rails_why(const struct vb_node *nodes, int n, const struct vb_net *net,
		  const struct vb_port *port, char *out, size_t len)
{
	char text[VB_NET_TEXT];
	int k = 0;

	if (vb_net_has(net, port)) {
		snprintf(out, len, "it is slower than others of its network");
		return;
	}
	while (k < n && speed_of(&nodes[k], &port->net) >= 0)
		k++;
	if (is_class(&port->net))
		snprintf(out, len, "its IP network is unknown");
	else if (k < n)
		snprintf(out, len, "%.63s has no port in its network",
			 nodes[k].host);
	else
		snprintf(out, len, "the network used, %s, is %s",
			 vb_net_text(net, text),
			 least_speed(nodes, n, net) >
				 least_speed(nodes, n, &port->net)
			     ? "faster"
			     : "as fast, and comes first");
}

/* ---- MRT_IB_DEVICE ---- */

/* Whether an item of the list, "mlx5_0" or "mlx5_0:1", names a port; 0: a whole
 * device. */
static bool rails_names(const char *item, size_t len, const char *device,
			int port)
{
	size_t name = strlen(device);

	if (len < name || strncmp(item, device, name) != 0)
		return false;
	if (len == name)
		return true;
	item += name + 1;
	return item[-1] == ':' && port && *item >= '1' && *item <= '9' &&
	       strspn(item, "0123456789") == len - name - 1 &&
	       atoi(item) == port;
}

bool vb_rails_allow(const char *list, const char *device, int port)
{
	bool excludes = *list == '^';

	if (!*list)
		return true;
	for (list += excludes; *list; list += strspn(list, ", ")) {
		size_t len = strcspn(list, ", ");

		if (rails_names(list, len, device, port))
			return !excludes;
		list += len;
	}
	return excludes;
}

/* ---- MRT_IB_PKEY ---- */

int vb_pkey_find(const uint16_t *keys, int n, uint16_t key)
{
	int found = -1;

	for (int k = 0; k < n; k++) {
		if ((keys[k] ^ key) & 0x7fff)
			continue;
		if (keys[k] & 0x8000)
			return k;
		if (found < 0)
			found = k;
	}
	return found;
}
