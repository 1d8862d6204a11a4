/* SPDX-License-Identifier: Apache-2.0 */
/* vb_rails.c: the network that joins all nodes is found, whatever else they
 * have; all ranks choose the same one, also from random ports in any order. */
#include "tests/unit/runtime/fabric/vb_nodes.h"

/* ---- tests ---- */

static struct vb_net read_net(const char *text)
{
	static const struct vb_port unnamed;

	return net_of(text, &unnamed);
}

static void texts(void)
{
	static const char *const pairs[][2] = {
	    {"ib:fe80::", "InfiniBand fe80::/64"},
	    {"10.1.2.3/24", "Ethernet 10.1.2.0/24"},
	    {"10.1.2.255/31", "Ethernet 10.1.2.254/31"},
	    {"10.129.2.3/9", "Ethernet 10.128.0.0/9"},
	    {"10.1.2.3/32", "Ethernet 10.1.2.3/32"},
	    {"fd00:1:2:3:4::1/64", "Ethernet fd00:1:2:3::/64"},
	    {"fd00:1:2:ff::1/57", "Ethernet fd00:1:2:80::/57"},
	    {"v4", "Ethernet IPv4"},
	    {"v6", "Ethernet IPv6"},
	};
	char text[VB_PORT_TEXT];

	for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs); k++) {
		struct vb_net n = read_net(pairs[k][0]);

		is_str(vb_net_text(&n, text), pairs[k][1], "%s", pairs[k][0]);
	}
	no_nodes();
	node("mlx5_0=10.0.0.1/24@25");
	is_str(vb_port_text(&ports[0][0], text),
	       "mlx5_0 port 1 (Ethernet 10.0.0.0/24, 25 Gb/s)", "a port");
}

static void beside(void)
{
	no_nodes();
	node("mlx5_0=ib:fe80::@200 mlx5_1=10.0.0.1/24@25");
	node("mlx5_0=10.0.0.2/24@25 mlx5_1=ib:fe80::@200");
	joins("InfiniBand fe80::/64", "mlx5_0 | mlx5_1",
	      "Ethernet beside InfiniBand");
	is_int(guesses(), 2, "all guess that");
	why(1, "the network used, InfiniBand fe80::/64, is faster");

	no_nodes();
	node("mlx5_0=10.0.0.1/24@100 mlx5_1=ib:fe80::@100");
	joins("InfiniBand fe80::/64", "mlx5_1", "equally fast: InfiniBand");
	why(0, "the network used, InfiniBand fe80::/64, is as fast, and comes "
	       "first");

	no_nodes();
	node("mlx5_0=ib:fe80::@200 mlx5_1=10.0.0.1/24@25");
	node("mlx5_0=ib:fe80::@200 mlx5_1=10.0.0.2/24@25");
	node("mlx5_1=10.0.0.3/24@25");
	joins("Ethernet 10.0.0.0/24", "mlx5_1 | mlx5_1 | mlx5_1",
	      "one node without InfiniBand");
	is_int(guesses(), 1, "only that one has guessed so");
	why(0, "node3 has no port in its network");

	no_nodes();
	node("rxe0=10.0.0.1/24@1 rxe1=9.9.9.1/24@1");
	node("rxe0=10.0.0.2/24@1");
	joins("Ethernet 10.0.0.0/24", "rxe0 | rxe0", "another IP network");
	is_int(guesses(), 1, "the first guessed the lower one");
	why(1, "node2 has no port in its network");

	no_nodes();
	node("a=10.0.0.1/24@400 b=10.1.0.1/24@100");
	node("a=10.0.0.2/24@50 b=10.1.0.2/24@100");
	joins("Ethernet 10.1.0.0/24", "b | b", "the slowest node counts");

	no_nodes();
	node("a=10.0.0.1/24@100 b=10.0.0.1/16@100");
	node("b=10.0.0.2/16@100");
	joins("Ethernet 10.0.0.0/16", "b | b", "a network of another length");
}

static void routed(void)
{
	no_nodes();
	node("a=10.0.1.1/31@100 b=10.1.1.1/31@100");
	node("a=10.0.2.1/31@100 b=10.1.2.1/31@100");
	joins("Ethernet IPv4", "a,b | a,b", "no common network: all of IPv4");
	is_int(guesses(), 0, "which nobody guesses");

	no_nodes();
	node("a=10.0.1.1/24@100");
	node("a=10.0.2.1/24@100");
	joins("Ethernet IPv4", "a | a", "one port each, routed");
	is_int(guesses(), 2, "costs no second round");

	no_nodes();
	node("a=v4@100 b=fd00::1/64@200");
	node("a=10.0.2.1/24@100 b=fd01::1/64@50");
	joins("Ethernet IPv4", "a | a", "unknown here, known there");

	no_nodes();
	node("a=10.0.1.1/24@400 b=10.9.0.1/16@25");
	node("a=10.0.2.1/24@400 b=10.9.0.2/16@25");
	joins("Ethernet 10.9.0.0/16", "b | b",
	      "what surely joins comes before what is faster");
	why(0, "node2 has no port in its network");

	no_nodes();
	node("a=v6@100 b=10.9.0.1/16@25");
	node("a=v6@100 b=10.9.0.2/16@25");
	joins("Ethernet 10.9.0.0/16", "b | b", "and before what is unknown");
	why(0, "its IP network is unknown");
}

static void apart(void)
{
	no_nodes();
	node("a=10.0.0.1/24@100");
	node("a=10.0.0.2/24@100");
	node("a=ib:fe80::@100");
	is_int(vb_rails_choose(nodes, 3, &net), 2, "the third is not joined");

	no_nodes();
	node("a=ib:fe80::@100");
	node("a=ib:fe81::@100");
	is_int(vb_rails_choose(nodes, 2, &net), 1, "subnets of InfiniBand");
	ok(!vb_net_may_reach(&ports[0][0].net, &ports[1][0].net),
	   "are not joined");

	no_nodes();
	node("a=10.0.0.1/24@100");
	node("a=fd00::1/64@100");
	is_int(vb_rails_choose(nodes, 2, &net), 1, "IPv4 and IPv6");

	no_nodes();
	node("a=10.0.0.1/24@1 b=10.1.0.1/24@1");
	node("a=10.0.0.1/24@1 c=ib:fe80::@1");
	node("b=ib:fe80::@1 c=fd00::1/64@1");
	is_int(vb_rails_choose(nodes, 3, &net), 2, "each two, but not all");
	ok(vb_net_may_reach(&ports[0][0].net, &ports[0][1].net),
	   "IPv4 networks may reach each other");
}

static void picks(void)
{
	static const char *const far[] = {"a", "b", "d", "a"};
	static const char *const near[] = {"b", "d", "b", "d"};

	no_nodes();
	node(
	    "a=ib:fe80::@200 b=ib:fe80::@200 c=ib:fe80::@100* d=ib:fe80::@200");
	joins("InfiniBand fe80::/64", "a,b,d", "the fastest of a network");
	why(2, "it is slower than others of its network");
	for (int k = 0; k < 4; k++)
		is_str(vb_rails_pick(&nodes[0], &net, k)->device, far[k],
		       "none near: rank %d", k);
	ports[0][1].near = ports[0][3].near = 1;
	for (int k = 0; k < 4; k++)
		is_str(vb_rails_pick(&nodes[0], &net, k)->device, near[k],
		       "the near ones in turn: rank %d", k);
}

/* ---- random nodes ---- */

static uint32_t seed = 7;

static uint32_t below(uint32_t n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* plain: no LIDs, no routes. */
static void draw_node(int k, bool plain)
{
	static const char *const nets[] = {
	    "ib:fe80::",   "ib:fe81::",	 "10.0.0.1/24", "10.0.1.1/24",
	    "10.0.0.1/16", "fd00::1/64", "v4",		"v6"};
	uint16_t some = plain ? 0 : 0xffff;

	nodes[k].n = 1 + (int)below(4);
	nodes[k].ports = ports[k];
	for (int i = 0; i < nodes[k].n; i++)
		ports[k][i] =
		    (struct vb_port){.net = read_net(nets[below(8)]),
				     .joined = (uint16_t)below(3) & some,
				     .lid = (uint16_t)below(40) & some,
				     .guid = {(uint8_t)below(200)},
				     .speed = below(3)};
}

static bool has(const struct vb_node *n, const struct vb_net *want)
{
	for (int i = 0; i < n->n; i++)
		if (vb_net_has(want, &n->ports[i]))
			return true;
	return false;
}

/* Whether nodes that all guess one network choose it: only what none of them
 * sees alone, as a LID used twice, may prevent that. */
static bool agrees_if_all_do(void)
{
	struct vb_net first, other;

	vb_rails_choose(&nodes[0], 1, &first);
	for (int k = 1; k < nnodes; k++) {
		vb_rails_choose(&nodes[k], 1, &other);
		if (memcmp(&first, &other, sizeof(first)) != 0)
			return true;
	}
	return guesses() == nnodes && !memcmp(&first, &net, sizeof(net));
}

/* Every node, wherever it begins and in whatever order its ports are, chooses
 * the network of the first, which has a port everywhere. */
static void random_nodes(void)
{
	int joined = 0, wrong = 0, lacking = 0, disloyal = 0;

	for (int round = 0; round < 20000; round++) {
		struct vb_node turned[NODES];
		struct vb_port last;
		struct vb_net other;
		bool found;

		nnodes = 2 + (int)below(NODES - 1);
		for (int k = 0; k < nnodes; k++)
			draw_node(k, round % 2);
		found = vb_rails_choose(nodes, nnodes, &net) == nnodes;
		joined += found;
		for (int k = 0; found && k < nnodes; k++)
			lacking += !has(&nodes[k], &net);
		disloyal += round % 2 && found && !agrees_if_all_do();
		for (int k = 1; k < nnodes; k++) {
			for (int i = 0; i < nnodes; i++)
				turned[i] = nodes[(i + k) % nnodes];
			last = ports[k][0];
			ports[k][0] = ports[k][nodes[k].n - 1];
			ports[k][nodes[k].n - 1] = last;
			if ((vb_rails_choose(turned, nnodes, &other) ==
			     nnodes) != found ||
			    (found && memcmp(&net, &other, sizeof(net)) != 0))
				wrong++;
		}
	}
	ok(joined > 1000 && joined < 19000, "%d of 20000 are joined", joined);
	is_int(wrong, 0, "all ranks choose the same network");
	is_int(lacking, 0, "and every node has a port in it");
	is_int(disloyal, 0, "which is what all guess, if they guess the same");
}

/* ---- MRT_IB_DEVICE ---- */

static void lists(void)
{
	static const struct {
		const char *list, *device;
		int port;
		bool allowed;
	} cases[] = {
	    {"", "mlx5_0", 1, true},
	    {"mlx5_0", "mlx5_0", 1, true},
	    {"mlx5_0", "mlx5_0", 2, true},
	    {"mlx5_0", "mlx5_01", 1, false},
	    {"mlx5_01", "mlx5_0", 1, false},
	    {"mlx5_0:1", "mlx5_0", 1, true},
	    {"mlx5_0:1", "mlx5_0", 2, false},
	    {"mlx5_0:12", "mlx5_0", 1, false},
	    {"mlx5_0:12", "mlx5_0", 12, true},
	    {"mlx5_0:", "mlx5_0", 1, false},
	    {"mlx5_0:x", "mlx5_0", 1, false},
	    {"mlx5_0,mlx5_2", "mlx5_2", 1, true},
	    {"mlx5_0, mlx5_2", "mlx5_2", 1, true},
	    {"mlx5_0,mlx5_2", "mlx5_1", 1, false},
	    {",mlx5_0,", "mlx5_0", 1, true},
	    {"mlx5_0:2,mlx5_0:1", "mlx5_0", 1, true},
	    {"^mlx5_3", "mlx5_3", 1, false},
	    {"^mlx5_3", "mlx5_2", 1, true},
	    {"^mlx5_3,mlx5_2:1", "mlx5_2", 1, false},
	    {"^mlx5_3,mlx5_2:1", "mlx5_2", 2, true},
	};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++)
		ok(vb_rails_allow(cases[k].list, cases[k].device,
				  cases[k].port) == cases[k].allowed,
		   "'%s' %s %s port %d", cases[k].list,
		   cases[k].allowed ? "allows" : "does not allow",
		   cases[k].device, cases[k].port);
}

static void keys(void)
{
	static const uint16_t table[] = {0xffff, 0x0001, 0, 0x8001, 0x0002};

	is_int(vb_pkey_find(table, 5, 0x7fff), 0, "the default partition");
	is_int(vb_pkey_find(table, 5, 0x8001), 3, "a full member");
	is_int(vb_pkey_find(table, 5, 0x0001), 3, "comes first");
	is_int(vb_pkey_find(table, 3, 0x8001), 1, "before a limited one");
	is_int(vb_pkey_find(table, 5, 0x8002), 4, "which will do");
	is_int(vb_pkey_find(table, 5, 0x8003), -1, "no such partition");
}

int main(void)
{
	texts();
	beside();
	routed();
	apart();
	picks();
	random_nodes();
	lists();
	keys();
	return tap_done();
}
