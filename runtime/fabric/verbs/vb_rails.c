/* SPDX-License-Identifier: Apache-2.0 */
/* vb_rails.c implements vb_rails.h. */
#include "runtime/fabric/verbs/vb_rails.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

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

struct vb_net vb_net_of_infiniband(const uint8_t prefix[8], unsigned manager,
				   const struct vb_port *port)
{
	static const uint8_t standard[8] = {0xfe, 0x80};
	uint32_t name = (uint32_t)hash_text(port->device) + port->number;
	uint8_t addr[14];

	memcpy(addr, prefix, 8);
	/* another prefix has been chosen to tell the subnet from others */
	if (memcmp(prefix, standard, sizeof(standard)) != 0)
		manager = 0;
	addr[8] = (uint8_t)(manager >> 8);
	addr[9] = (uint8_t)manager;
	memcpy(addr + 10, &name, sizeof(name));
	return vb_net_of(VB_INFINIBAND, addr, VB_IB_NAME);
}

bool vb_net_is_same(const struct vb_net *a, const struct vb_net *b)
{
	return a->kind == b->kind && a->bits == b->bits &&
	       !memcmp(a->addr, b->addr, sizeof(a->addr));
}

/* Whether it is all of its kind. */
static bool is_class(const struct vb_net *net)
{
	return net->bits ==
	       (net->kind == VB_INFINIBAND ? (int)VB_IB_PREFIX : 0);
}

bool vb_net_has(const struct vb_net *net, const struct vb_port *port)
{
	struct vb_net part;

	if (net->kind != port->net.kind)
		return false;
	if (is_class(net) || net->kind == VB_INFINIBAND) {
		part = vb_net_of(net->kind, port->net.addr, net->bits);
		return vb_net_is_same(net, &part);
	}
	return vb_net_is_same(net, &port->net);
}

bool vb_net_may_reach(const struct vb_net *a, const struct vb_net *b)
{
	return a->kind == b->kind &&
	       (a->kind != VB_INFINIBAND ||
		!memcmp(a->addr, b->addr, VB_IB_PREFIX / 8));
}

bool vb_net_may_route(const struct vb_net *a, const struct vb_net *b)
{
	return a->kind != VB_INFINIBAND && a->kind == b->kind && a->bits &&
	       b->bits && !vb_net_is_same(a, b);
}

const char *vb_net_text(const struct vb_net *net, char out[VB_NET_TEXT])
{
	static const char *const layers[] = {"InfiniBand", "Ethernet",
					     "Ethernet"};
	struct vb_net shown = *net;
	int manager = net->addr[8] << 8 | net->addr[9];
	char addr[INET6_ADDRSTRLEN];

	if (net->kind == VB_INFINIBAND)
		shown = vb_net_of(VB_INFINIBAND, net->addr, VB_IB_PREFIX);
	inet_ntop(net->kind == VB_IPV4 ? AF_INET : AF_INET6, shown.addr, addr,
		  sizeof(addr));
	if (net->kind == VB_INFINIBAND && manager)
		snprintf(out, VB_NET_TEXT, "InfiniBand %s/64, SM lid %d", addr,
			 manager);
	else if (net->kind != VB_INFINIBAND && is_class(net))
		snprintf(out, VB_NET_TEXT, "%s%s", layers[net->kind],
			 net->kind == VB_IPV4	? " IPv4"
			 : net->kind == VB_IPV6 ? " IPv6"
						: "");
	else
		snprintf(out, VB_NET_TEXT, "%s %s/%d", layers[net->kind], addr,
			 shown.bits);
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

/* Returns the network of a port, without the names of ports. */
static struct vb_net net_of_port(const struct vb_port *port)
{
	const struct vb_net *own = &port->net;

	return vb_net_of(own->kind, own->addr,
			 own->kind == VB_INFINIBAND ? VB_IB_MANAGER
						    : own->bits);
}

/* ---- what joins networks, and what tells them apart ---- */

static bool reach_all(const struct vb_port *ports, int k, uint16_t number,
		      bool routes[VB_PORTS_MAX][VB_PORTS_MAX])
{
	for (int i = 0; i < k; i++)
		if (ports[i].joined == number &&
		    !vb_net_is_same(&ports[i].net, &ports[k].net) &&
		    !(routes[i][k] && routes[k][i]))
			return false;
	return true;
}

void vb_rails_join(struct vb_port *ports, int n,
		   bool routes[VB_PORTS_MAX][VB_PORTS_MAX])
{
	for (int k = 0; k < n; k++) {
		uint16_t number = 1;

		while (!reach_all(ports, k, number, routes))
			number++;
		ports[k].joined = number;
	}
}

/* Whether there are routes between those ports of a node that it would use, and
 * so, it is supposed, to those of others. */
static bool is_routed(const struct vb_node *node, const struct vb_net *net)
{
	uint64_t used = vb_rails_used(node, net);
	const struct vb_port *one = &node->ports[__builtin_ctzll(used)];
	bool apart = false;

	for (int k = 0; k < node->n; k++) {
		const struct vb_port *port = &node->ports[k];
		bool joined = port->joined && port->joined == one->joined;

		if (used & 1ull << k && !joined)
			return false;
		apart |= joined && vb_net_may_route(&port->net, &one->net);
	}
	return apart;
}

bool vb_rails_clash(const struct vb_node *nodes, int n,
		    const struct vb_net *net, const struct vb_port *pair[2])
{
	const struct vb_port **owners = calloc(1 << 16, sizeof(*owners));
	bool found = false;

	for (int k = 0; owners && k < n && !found; k++)
		for (int i = 0; i < nodes[k].n && !found; i++) {
			const struct vb_port *port = &nodes[k].ports[i];
			const struct vb_port **owner = &owners[port->lid];

			if (!port->lid || !vb_net_has(net, port))
				continue;
			found = *owner &&
				memcmp((*owner)->guid, port->guid, 8) != 0;
			pair[0] = *owner;
			pair[1] = *owner = port;
		}
	free(owners);
	return found;
}

/* Whether it is known that all ports of a network which the nodes would use
 * reach each other. */
static bool is_sure(const struct vb_node *nodes, int n,
		    const struct vb_net *net)
{
	const struct vb_port *pair[2];

	if (!is_class(net))
		return net->kind != VB_INFINIBAND ||
		       !vb_rails_clash(nodes, n, net, pair);
	for (int k = 0; k < n; k++)
		if (net->kind == VB_INFINIBAND || !is_routed(&nodes[k], net))
			return false;
	return true;
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

/* Returns how good a network is for the node that it serves worst: by the speed
 * of its ports, then by their number; -1 if a node has none there. */
static int64_t least_worth(const struct vb_node *nodes, int n,
			   const struct vb_net *net)
{
	int64_t least = INT64_MAX;

	for (int k = 0; k < n && least >= 0; k++) {
		uint64_t used = vb_rails_used(&nodes[k], net);
		int64_t worth = used ? speed_of(&nodes[k], net) << 8 |
					   __builtin_popcountll(used)
				     : -1;

		if (worth < least)
			least = worth;
	}
	return least;
}

struct candidate {
	struct vb_net net;
	int64_t worth; /* least_worth */
	bool sure;     /* is_sure */
};

/* Whether a is better than b. Any two networks differ, so that all ranks find
 * the same one to be best, whatever the order of their ports. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
	if (a->sure != b->sure)
		return a->sure;
	if (!a->sure && is_class(&a->net) != is_class(&b->net))
		return is_class(&b->net);
	if (a->worth != b->worth)
		return a->worth > b->worth;
	if (a->net.kind != b->net.kind)
		return a->net.kind < b->net.kind;
	if (a->net.bits != b->net.bits)
		return a->net.bits > b->net.bits;
	return memcmp(a->net.addr, b->net.addr, sizeof(a->net.addr)) < 0;
}

/* Returns whether the network joins all nodes, but not for sure. */
static bool rails_consider(const struct vb_node *nodes, int n,
			   const struct vb_net *net, struct candidate *best)
{
	struct candidate c = {*net, least_worth(nodes, n, net), false};

	if (c.worth < 0)
		return false;
	c.sure = is_sure(nodes, n, net);
	if (best->worth < 0 || is_better(&c, best))
		*best = c;
	return !c.sure;
}

/* Considers all networks of which this port is. */
static void consider_port(const struct vb_node *nodes, int n,
			  const struct vb_port *port, struct candidate *best)
{
	struct vb_net net = net_of_port(port);

	if (rails_consider(nodes, n, &net, best) && net.kind == VB_INFINIBAND)
		rails_consider(nodes, n, &port->net, best);
	net = vb_net_of(net.kind, net.addr,
			net.kind == VB_INFINIBAND ? VB_IB_PREFIX : 0);
	rails_consider(nodes, n, &net, best);
}

static bool rails_choose(const struct vb_node *nodes, int n, struct vb_net *net)
{
	struct candidate best = {.worth = -1};

	for (int k = 0; k < nodes[0].n; k++)
		consider_port(nodes, n, &nodes[0].ports[k], &best);
	if (best.worth >= 0)
		*net = best.net;
	return best.worth >= 0;
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

/* Returns the port of the k-th rank: the near ones of `used` in turn, or all if
 * none is near. */
static const struct vb_port *rails_in_turn(const struct vb_node *node,
					   uint64_t used, int k)
{
	uint64_t near = 0;

	for (int i = 0; i < node->n; i++)
		if (node->ports[i].near)
			near |= used & 1ull << i;
	if (near)
		used = near;
	for (k %= __builtin_popcountll(used); k > 0; k--)
		used &= used - 1;
	return &node->ports[__builtin_ctzll(used)];
}

const struct vb_port *vb_rails_pick(const struct vb_node *node,
				    const struct vb_net *net, int k)
{
	return rails_in_turn(node, vb_rails_used(node, net), k);
}

bool vb_rails_guessed(const struct vb_node *node, const struct vb_net *net)
{
	struct vb_net alone;

	return rails_choose(node, 1, &alone) &&
	       vb_rails_used(node, &alone) == vb_rails_used(node, net);
}

/* ---- the second rail ---- */

bool vb_rails_second(const struct vb_node *nodes, int n,
		     const struct vb_net *net, struct vb_net *second)
{
	struct candidate best = {.worth = -1};
	bool several = true;

	for (int k = 0; k < n; k++)
		several &=
		    __builtin_popcountll(vb_rails_used(&nodes[k], net)) > 1;
	for (int k = 0; !several && k < nodes[0].n; k++) {
		struct vb_net own = net_of_port(&nodes[0].ports[k]);

		if (!vb_net_has(net, &nodes[0].ports[k]) && !is_class(&own))
			rails_consider(nodes, n, &own, &best);
	}
	if (!several &&
	    (best.worth < 0 || !best.sure ||
	     (best.worth >> 8) * 2 < least_worth(nodes, n, net) >> 8))
		return false;
	*second = several ? *net : best.net;
	return true;
}

const struct vb_port *vb_rails_pick_second(const struct vb_node *node,
					   const struct vb_net *net,
					   const struct vb_net *second, int k)
{
	const struct vb_port *first = vb_rails_pick(node, net, k);
	uint64_t left = vb_rails_used(node, second);

	if (vb_net_is_same(net, second))
		left &= ~(1ull << (first - node->ports));
	return rails_in_turn(node, left, k);
}

/* ---- why not ---- */

/* Returns how a network that is used excels another. */
static const char *net_excels(const struct vb_node *nodes, int n,
			      const struct vb_net *used,
			      const struct vb_net *other)
{
	int64_t a = least_worth(nodes, n, used);
	int64_t b = least_worth(nodes, n, other);

	if (a >> 8 > b >> 8)
		return "is faster";
	if (a > b)
		return "has more ports";
	return vb_net_may_route(used, other)
		   ? "is as fast, comes first, and no route joins them"
		   : "is as fast, and comes first";
}

void vb_rails_why(const struct vb_node *nodes, int n, const struct vb_net *net,
		  const struct vb_port *port, char *out, size_t len)
{
	struct vb_net own = net_of_port(port);
	char text[VB_NET_TEXT];
	int k = 0;

	if (vb_net_has(net, port)) {
		snprintf(out, len, "it is slower than others of its network");
		return;
	}
	while (k < n && speed_of(&nodes[k], &own) >= 0)
		k++;
	if (is_class(&own))
		snprintf(out, len, "its IP network is unknown");
	else if (k < n)
		snprintf(out, len, "%.63s has no port in its network",
			 nodes[k].host);
	else if (net->bits == VB_IB_NAME && vb_net_may_reach(net, &own))
		snprintf(out, len,
			 "it is taken to be in another fabric, as its name is "
			 "another");
	else
		snprintf(out, len, "the network used, %s, %s",
			 vb_net_text(net, text),
			 net_excels(nodes, n, net, &own));
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
