/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_agree.c: the ranks agree on the network that joins their nodes
 * (vb_rails.h). The ports of a node follow the card of its lowest rank. Each
 * node first guesses the network that is best for itself, and opens and
 * publishes that. If the ports that all nodes would use are those that they
 * have guessed, as on nodes that are alike or have one port, the job is
 * connected at no cost. Otherwise all publish again, those with another port
 * after opening it, which costs two fences and a second request to each node.
 *
 * Ranks of a node may be allowed different devices, as by a script that sets
 * MRT_IB_DEVICE for each. Each chooses among its own and the others' ports, and
 * a peer in a network out of reach is refused (vb_qp.c). One that alone finds
 * its guess wrong fails when it asks for second cards.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/fabric/verbs/vb_conn.h"

/* The nodes, this one first. Their ports lie in the modex. */
struct nodes {
	struct vb_node *all; /* [job->nnodes] */
	int n;
};

/* Adds the node whose lowest rank this is. */
static int agree_add(const struct vb *vb, struct nodes *nodes, int rank)
{
	struct vb_node *node = &nodes->all[nodes->n];
	struct vb_ep ep = {
	    .base = {.fab = (struct fab *)&vb->base, .peer = rank}};
	int rc;

	if (nodes->n == vb->job->nnodes)
		return log_error(MRT_ERR_PROTOCOL,
				 "more nodes publish endpoints than the %d "
				 "that the launcher tells",
				 vb->job->nnodes);
	rc = vb_card_read(&ep, node);
	free(ep.card);
	nodes->n += !rc;
	return rc;
}

/* Learns of the other nodes from the lowest rank of each. */
static int add_others(const struct vb *vb, struct nodes *nodes)
{
	int rc = modex_places();

	for (int r = 0; !rc && r < vb->job->size; r++)
		if (modex_place_of(r).node == r && !boot_is_local(vb->job, r))
			rc = agree_add(vb, nodes, r);
	return rc;
}

static int nodes_init(const struct vb *vb, struct nodes *nodes)
{
	size_t n = (size_t)vb->job->nnodes;

	nodes->all = calloc(n, sizeof(*nodes->all));
	if (!nodes->all)
		return log_error(MRT_ERR_NO_MEM, "ports of %zu nodes", n);
	snprintf(nodes->all[0].host, sizeof(nodes->all[0].host), "%.63s",
		 vb->job->host);
	nodes->all[0].ports = vb->dev.ports.all;
	nodes->all[0].n = vb->dev.ports.n;
	nodes->all[0].unfit = vb->dev.ports.unfit;
	nodes->n = 1;
	return 0;
}

/* ---- what is said ---- */

static void list_ports(const struct vb_node *node, char *out, size_t len)
{
	char text[VB_PORT_TEXT];
	size_t at = 0;

	for (int k = 0; k < node->n && at < len; k++)
		at +=
		    (size_t)snprintf(out + at, len - at, "%s%s", k ? ", " : "",
				     vb_port_text(&node->ports[k], text));
	if (at < len && (!node->n || node->unfit[0]))
		snprintf(out + at, len - at, "%s%s%s",
			 node->n ? ", and of no use: " : "no usable port",
			 node->n || !node->unfit[0] ? "" : ": ", node->unfit);
}

static int no_network(struct vb *vb, const struct vb_node *nodes, int joined)
{
	static char text[1200];
	const struct vb_node *other = &nodes[joined ? joined : 1];
	char some[360], others[360];

	list_ports(&nodes[0], some, sizeof(some));
	list_ports(other, others, sizeof(others));
	snprintf(text, sizeof(text),
		 "no network joins %.63s, which has %s, and %.63s, which has "
		 "%s%s: bring up ports of one network on both, and let "
		 "MRT_IB_DEVICE, MRT_IB_PORT and MRT_GID_INDEX allow them",
		 nodes[0].host, some, other->host, others,
		 joined > 1 ? ", and those between" : "");
	vb->base.apart = text;
	return MRT_ERR_NO_FABRIC;
}

/* Says what this node leaves out, and why. */
static void agree_tell(const struct vb *vb, const struct nodes *nodes)
{
	uint64_t used = vb_rails_used(&nodes->all[0], &vb->dev.net);
	char port[VB_PORT_TEXT], why[VB_PORT_TEXT];

	if (vb->job->node_rank)
		return;
	if (vb->dev.paired)
		used |= vb_rails_used(&nodes->all[0], &vb->dev.second);
	for (int k = 0; k < vb->dev.ports.n; k++) {
		if (used & 1ull << k)
			continue;
		vb_rails_why(nodes->all, nodes->n, &vb->dev.net,
			     &vb->dev.ports.all[k], why, sizeof(why));
		log_info("leaves out %s: %s",
			 vb_port_text(&vb->dev.ports.all[k], port), why);
	}
	if (vb->dev.ports.unfit[0])
		log_info("ports without use: %s", vb->dev.ports.unfit);
}

static const char *host_of(const struct nodes *nodes,
			   const struct vb_port *port)
{
	for (int k = 0; k < nodes->n; k++)
		if (port >= nodes->all[k].ports &&
		    port < nodes->all[k].ports + nodes->all[k].n)
			return nodes->all[k].host;
	return "?";
}

/* Warns of fabrics that only a person can tell apart. */
static void warn_of_clash(const struct vb *vb, const struct nodes *nodes)
{
	const struct vb_net *used = &vb->dev.net;
	const struct vb_port *pair[2];
	struct vb_net net =
	    vb_net_of(used->kind, used->addr, (int)VB_IB_MANAGER);
	char text[VB_NET_TEXT];

	if (vb->job->rank || used->kind != VB_INFINIBAND ||
	    used->bits == VB_IB_PREFIX ||
	    !vb_rails_clash(nodes->all, nodes->n, &net, pair))
		return;
	log_warn("two fabrics are %s: %s on %.63s and %s on %.63s have one "
		 "LID, %d; %s: let MRT_IB_DEVICE name the ports of one fabric, "
		 "or give each a prefix of its own",
		 vb_net_text(&net, text), pair[0]->device,
		 host_of(nodes, pair[0]), pair[1]->device,
		 host_of(nodes, pair[1]), pair[0]->lid,
		 used->bits == VB_IB_NAME
		     ? "ports of one name are taken to be in one of them"
		     : "all are taken to be one");
}

/* ---- the choice ---- */

/* Sets vb->dev.second and vb->dev.paired to what all ranks find. If a node has
 * guessed another network, there is no second rail, unless all open their ports
 * again. */
static void agree_second(struct vb *vb, const struct nodes *nodes, bool again)
{
	struct vb_net net, second;
	bool all = env.ib_rails > 1 &&
		   vb_rails_second(nodes->all, nodes->n, &vb->dev.net, &second);

	for (int k = 0; all && !again && k < nodes->n; k++) {
		struct vb_net guess;

		all = vb_rails_choose(&nodes->all[k], 1, &net) == 1 &&
		      vb_rails_second(&nodes->all[k], 1, &net, &guess) &&
		      vb_net_is_same(&guess, &second);
	}
	if (vb->dev.paired && !all && !vb->job->node_rank)
		log_info("no second rail joins all nodes");
	vb->dev.paired = all;
	if (all)
		vb->dev.second = second;
}

static int agree_choose(struct vb *vb, const struct nodes *nodes, bool *again)
{
	int joined = vb_rails_choose(nodes->all, nodes->n, &vb->dev.net);

	if (joined < nodes->n)
		return no_network(vb, nodes->all, joined);
	*again = false;
	for (int k = 0; k < nodes->n; k++)
		*again |= !vb_rails_guessed(&nodes->all[k], &vb->dev.net);
	agree_second(vb, nodes, *again);
	agree_tell(vb, nodes);
	warn_of_clash(vb, nodes);
	return 0;
}

int vb_agree(struct vb *vb, bool *again)
{
	struct nodes nodes = {.n = 0};
	int rc = nodes_init(vb, &nodes);

	if (!rc && vb->job->nnodes > 1)
		rc = add_others(vb, &nodes);
	if (!rc)
		rc = agree_choose(vb, &nodes, again);
	free(nodes.all);
	return rc;
}
