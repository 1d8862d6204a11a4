/* SPDX-License-Identifier: Apache-2.0 */
/* vb_nodes.h: nodes with ports, written as text, and what they should choose;
 * shared by the tests of vb_rails.c. */
#ifndef TESTS_VB_NODES_H
#define TESTS_VB_NODES_H

#include "runtime/fabric/verbs/vb_rails.h"

#include <arpa/inet.h>

#include "tests/tap.h"

enum { PORTS = 9, NODES = 4 };

static struct vb_port ports[NODES][PORTS];
static struct vb_node nodes[NODES];
static int nnodes;
static struct vb_net net;

/* ---- nodes by text ---- */

/* Reads "ib:fe80::" or, with the LID of the subnet manager, "ib:fe80::.1",
 * "10.0.0.1/24", "fd00::1/64", or "v4" and "v6" for unknown networks. */
static struct vb_net net_of(const char *text, const struct vb_port *port)
{
	uint8_t addr[16] = {0};
	char name[64];
	unsigned manager = 0;
	int bits = 64;

	if (!strcmp(text, "v4") || !strcmp(text, "v6"))
		return vb_net_of(text[1] == '4' ? VB_IPV4 : VB_IPV6, addr, 0);
	if (!strncmp(text, "ib:", 3)) {
		sscanf(text + 3, "%63[^.].%u", name, &manager);
		inet_pton(AF_INET6, name, addr);
		return vb_net_of_infiniband(addr, manager, port);
	}
	sscanf(text, "%63[^/]/%d", name, &bits);
	if (inet_pton(AF_INET, name, addr) == 1)
		return vb_net_of(VB_IPV4, addr, bits);
	inet_pton(AF_INET6, name, addr);
	return vb_net_of(VB_IPV6, addr, bits);
}

/* Adds a node with ports like "mlx5_0=ib:fe80::@200 mlx5_1=10.0.0.1/24@25*",
 * where * marks those that are near, +N what `joined` is, and #N the LID. Each
 * has a GUID of its own. */
static void node(const char *text)
{
	struct vb_node *n = &nodes[nnodes];
	static uint8_t guids;
	char copy[600], *rest = copy, *word, *at;

	snprintf(n->host, sizeof(n->host), "node%d", nnodes + 1);
	snprintf(copy, sizeof(copy), "%s", text);
	for (n->n = 0; (word = strtok_r(rest, " ", &rest)); n->n++) {
		struct vb_port *p = &ports[nnodes][n->n];

		*p = (struct vb_port){.number = 1};
		at = strchr(word, '@');
		*at++ = '\0';
		p->speed = (uint32_t)atoi(at) * 1000;
		p->near = strchr(at, '*') != NULL;
		if (strchr(at, '+'))
			p->joined = (uint16_t)atoi(strchr(at, '+') + 1);
		if (strchr(at, '#'))
			p->lid = (uint16_t)atoi(strchr(at, '#') + 1);
		p->guid[7] = ++guids;
		at = strchr(word, '=');
		*at++ = '\0';
		snprintf(p->device, sizeof(p->device), "%s", word);
		p->net = net_of(at, p);
	}
	n->ports = ports[nnodes++];
}

static void no_nodes(void)
{
	nnodes = 0;
}

/* The network of all nodes is `want`, and node k's ports in use are used[k]. */
static void joins(const char *want, const char *used, const char *what)
{
	char text[VB_NET_TEXT], names[200] = "";

	is_int(vb_rails_choose(nodes, nnodes, &net), nnodes, "%s: joined",
	       what);
	is_str(vb_net_text(&net, text), want, "%s: by this", what);
	for (int k = 0; k < nnodes; k++) {
		uint64_t bits = vb_rails_used(&nodes[k], &net);

		strcat(names, k ? " | " : "");
		for (int i = 0; i < nodes[k].n; i++)
			if (bits & 1ull << i)
				snprintf(names + strlen(names), 40, "%s%s",
					 names[0] &&
						 names[strlen(names) - 1] != ' '
					     ? ","
					     : "",
					 ports[k][i].device);
	}
	is_str(names, used, "%s: with these ports", what);
}

static int guesses(void)
{
	int right = 0;

	for (int k = 0; k < nnodes; k++)
		right += vb_rails_guessed(&nodes[k], &net);
	return right;
}

static void why(int k, const char *want)
{
	char text[200];

	vb_rails_why(nodes, nnodes, &net, &ports[0][k], text, sizeof(text));
	is_str(text, want, "why not %s", ports[0][k].device);
}
#endif
