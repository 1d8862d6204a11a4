/* SPDX-License-Identifier: Apache-2.0 */
/* vb_subnets.c: nodes whose ports are each in a network of its own use all of
 * them if routes join these; fabrics of InfiniBand that look alike are told
 * apart as far as can be. */
#include "tests/unit/runtime/fabric/vb_nodes.h"

/* Adds a node with eight ports at 400 Gb/s and one at 25, each in a network of
 * its own, of which some, from `first` on, are joined by routes. */
static void eight_rails(int host, int first, bool routes)
{
	char text[600] = "";

	for (int k = first; k < 9; k++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "m%d=10.0.%d.%d/24@%s ", k, k, host,
			 k == 8	  ? "25"
			 : routes ? "400+1"
				  : "400");
	node(text);
}

#define EIGHT "m0,m1,m2,m3,m4,m5,m6,m7"

static void eight(void)
{
	no_nodes();
	eight_rails(1, 0, true);
	eight_rails(2, 0, true);
	joins("Ethernet IPv4", EIGHT " | " EIGHT, "eight subnets, routed");
	is_int(guesses(), 2, "which all guess");
	why(8, "it is slower than others of its network");

	no_nodes();
	eight_rails(1, 0, false);
	eight_rails(2, 0, false);
	joins("Ethernet 10.0.0.0/24", "m0 | m0", "eight subnets, not routed");
	is_int(guesses(), 2, "which all guess");
	why(1, "the network used, Ethernet 10.0.0.0/24, is as fast, comes "
	       "first, and no route joins them");

	no_nodes();
	node("a=10.0.1.1/24@400+1 b=10.9.0.1/16@25+2");
	node("a=10.0.2.1/24@400+1 b=10.9.0.2/16@25+2");
	joins("Ethernet 10.9.0.0/16", "b | b",
	      "a fast rail without a route to any other");

	no_nodes();
	eight_rails(1, 0, true);
	eight_rails(2, 0, false);
	joins("Ethernet 10.0.0.0/24", "m0 | m0", "routed at one node only");
	is_int(guesses(), 1, "which one does not guess");

	no_nodes();
	eight_rails(1, 0, true);
	eight_rails(2, 1, true);
	joins("Ethernet IPv4", EIGHT " | m1,m2,m3,m4,m5,m6,m7",
	      "one node with a port less");
	is_int(guesses(), 2, "which all guess");

	no_nodes();
	eight_rails(1, 0, false);
	eight_rails(2, 1, false);
	joins("Ethernet 10.0.1.0/24", "m1 | m1",
	      "one node with a port less, not routed");
	is_int(guesses(), 1, "which that one guesses");
	why(0, "node2 has no port in its network");
}

static void unequal(void)
{
	no_nodes();
	node("a=10.0.0.1/24@400+1 b=10.0.1.1/24@400+1 c=10.0.2.1/24@25+1");
	node("a=10.0.0.2/24@400+1 b=10.0.1.2/24@200+1 c=10.0.2.2/24@25+1");
	joins("Ethernet 10.0.0.0/24", "a | a",
	      "unequal speeds: the fast one has a network of its own");

	no_nodes();
	node("a=10.0.0.1/24@400+1 b=10.0.1.1/24@400+1");
	node("a=10.0.0.2/24@200+1 b=10.0.1.2/24@200+1");
	joins("Ethernet IPv4", "a,b | a,b", "one node slower than the other");

	no_nodes();
	node("a=10.0.0.1/24@100 b=10.0.1.1/24@100 c=10.0.1.2/24@100");
	node("a=10.0.0.2/24@100 b=10.0.1.3/24@100 c=10.0.1.4/24@100");
	joins("Ethernet 10.0.1.0/24", "b,c | b,c", "the one with more ports");
	why(0, "the network used, Ethernet 10.0.1.0/24, has more ports");

	no_nodes();
	node("a=10.0.0.1/24@100+1 b=10.0.0.2/24@100+1");
	node("a=10.0.0.3/24@100+1 b=10.0.0.4/24@100+1");
	joins("Ethernet 10.0.0.0/24", "a,b | a,b",
	      "one network has no name but its own");
}

/* Ports and routes: 0 and 1 by each other, 2 one way only, 3 is of another
 * kind, 4 is in the network of 0. */
static void groups(void)
{
	static bool routes[VB_PORTS_MAX][VB_PORTS_MAX];
	static const uint16_t want[] = {1, 1, 2, 3, 1};

	no_nodes();
	node("a=10.0.0.1/24@1 b=10.0.1.1/24@1 c=10.0.2.1/24@1 d=fd00::1/64@1 "
	     "e=10.0.0.2/24@1");
	routes[0][1] = routes[1][0] = routes[4][1] = routes[1][4] = true;
	routes[0][2] = routes[1][2] = true;
	vb_rails_join(ports[0], nodes[0].n, routes);
	for (int k = 0; k < nodes[0].n; k++)
		is_int(ports[0][k].joined, want[k], "group of %s",
		       ports[0][k].device);
}

/* Whether a LID shows that there are two fabrics, and to how many bits the
 * network is known. */
static void one_fabric(bool want, int bits, const char *what)
{
	const struct vb_port *pair[2];
	struct vb_net all =
	    vb_net_of(VB_INFINIBAND, net.addr, (int)VB_IB_MANAGER);

	ok(vb_rails_clash(nodes, nnodes, &all, pair) != want, "%s: %s", what,
	   want ? "no LID twice" : "a LID twice");
	is_int(net.bits, bits, "%s: bits", what);
}

static void fabrics(void)
{
	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.9@200#9");
	node("b=ib:fe80::.1@200#2 a=ib:fe80::.9@200#3");
	joins("InfiniBand fe80::/64, SM lid 1", "a | b",
	      "two fabrics, told apart by their managers");
	is_int(guesses(), 2, "which all guess");
	why(1, "the network used, InfiniBand fe80::/64, SM lid 1, is as fast, "
	       "and comes first");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.1@200#1");
	node("a=ib:fe80::.1@200#2 b=ib:fe80::.1@200#3");
	joins("InfiniBand fe80::/64, SM lid 1", "a | a",
	      "two fabrics, told apart by names, as a LID is used twice");
	one_fabric(false, VB_IB_NAME, "names");
	is_int(guesses(), 1, "which the one that sees both guesses");
	why(1, "it is taken to be in another fabric, as its name is another");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.1@200#2");
	node("a=ib:fe80::.1@200#2 b=ib:fe80::.1@200#1");
	joins("InfiniBand fe80::/64, SM lid 1", "a | a",
	      "a LID used twice, on two nodes");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.1@200#2");
	node("a=ib:fe80::.1@200#3 b=ib:fe80::.1@200#4");
	joins("InfiniBand fe80::/64, SM lid 1", "a,b | a,b", "one fabric");

	no_nodes();
	node("a=ib:fe80::.1@200 b=ib:fe80::.1@200");
	node("a=ib:fe80::.1@200 b=ib:fe80::.1@200");
	joins("InfiniBand fe80::/64, SM lid 1", "a,b | a,b",
	      "virtual ports, which share a LID");
	one_fabric(true, VB_IB_MANAGER, "virtual ports");

	no_nodes();
	node("a=ib:fe80::.1@200#7");
	node("a=ib:fe80::.1@200#7");
	memcpy(ports[1][0].guid, ports[0][0].guid, sizeof(ports[0][0].guid));
	joins("InfiniBand fe80::/64, SM lid 1", "a | a",
	      "two containers with one port");
	one_fabric(true, VB_IB_MANAGER, "containers");
	is_int(guesses(), 2, "see no second fabric");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.1@200#1");
	node("c=ib:fe80::.1@200#2 d=ib:fe80::.1@200#2");
	joins("InfiniBand fe80::/64, SM lid 1", "a,b | c,d",
	      "two fabrics without common names stay one");

	no_nodes();
	node("a=ib:fe80::.1@200#1");
	node("a=ib:fe80::.5@200#2");
	joins("InfiniBand fe80::/64", "a | a",
	      "a manager that is just replaced by another");

	no_nodes();
	node("a=ib:fec0::.1@200#1");
	node("a=ib:fec0::.5@200#2");
	joins("InfiniBand fec0::/64", "a | a", "a prefix of its own tells all");
	one_fabric(true, VB_IB_MANAGER, "a prefix of its own");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.9@200#9");
	node("b=ib:fe80::.9@200#3");
	joins("InfiniBand fe80::/64, SM lid 9", "b | b",
	      "two fabrics, and a node with a port of one");
	why(0, "node2 has no port in its network");
}

/* The second rails of node 1's first three ranks are `want`, in the network
 * `text`; "": there is none. */
static void second(const char *text, const char *want, const char *what)
{
	struct vb_net other;
	char names[200] = "", found[VB_NET_TEXT] = "";

	vb_rails_choose(nodes, nnodes, &net);
	if (vb_rails_second(nodes, nnodes, &net, &other)) {
		vb_net_text(&other, found);
		for (int k = 0; k < 3; k++)
			snprintf(
			    names + strlen(names), 40, "%s%s", k ? "," : "",
			    vb_rails_pick_second(&nodes[0], &net, &other, k)
				->device);
	}
	is_str(found, text, "%s: the network of the second rail", what);
	is_str(names, want, "%s: its ports", what);
}

static void pairs(void)
{
	no_nodes();
	eight_rails(1, 0, true);
	eight_rails(2, 0, true);
	second("Ethernet IPv4", "m1,m2,m3", "eight subnets, routed");

	no_nodes();
	eight_rails(1, 0, false);
	eight_rails(2, 0, false);
	second("Ethernet 10.0.1.0/24", "m1,m1,m1", "eight subnets, not routed");

	no_nodes();
	eight_rails(1, 0, false);
	eight_rails(2, 7, false);
	second("", "", "the common second network is much slower");

	no_nodes();
	node("a=10.0.0.1/24@100* b=10.0.0.2/24@100 c=10.0.0.3/24@100*");
	node("a=10.0.0.4/24@100 b=10.0.0.5/24@100");
	second("Ethernet 10.0.0.0/24", "c,a,c", "near ports first");

	no_nodes();
	node("a=10.0.0.1/24@100 b=10.0.0.2/24@100");
	node("a=10.0.0.4/24@100");
	second("", "", "one port at one node");

	no_nodes();
	node("a=ib:fe80::.1@200#1 b=ib:fe80::.9@200#9");
	node("a=ib:fe80::.1@200#2 b=ib:fe80::.9@200#3");
	second("InfiniBand fe80::/64, SM lid 9", "b,b,b", "two fabrics");
}

int main(void)
{
	pairs();
	eight();
	unequal();
	groups();
	fabrics();
	return tap_done();
}
