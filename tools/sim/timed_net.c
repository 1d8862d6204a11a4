/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed_net.c: the path of a message: out of its node's NIC, through the link
 * pools of the groups that it leaves and enters, or from router to router, into
 * the receiver's NIC. Its head moves on as soon as there is room for the whole
 * message; the latency is before the receiver's NIC. Inside a node there is
 * nothing to wait for.
 *
 * A NIC sends the data of long messages by turns, a part of each, as it does
 * with those of several queue pairs: two that begin together end together.
 */
#include <math.h>
#include <stdlib.h>

#include "tools/sim/timed.h"

/* Waits for a server, then occupies it. */
static void timed_net_serve(struct item *i, int64_t *server, int64_t keep)
{
	moment_queue(&i->at, *server);
	*server = i->at.t + keep;
}

/* Returns the node of a rank, or the simulated one that stands for it. */
static int node_of(const struct timed *e, int rank)
{
	return machine_node(e->m, symmetry_first(rank, e->period));
}

/* Returns the NICs of the node of a rank, or of the one that stands for it. */
static int64_t *nics_of(const struct timed *e, int64_t *nics, int rank)
{
	return nics + (long)node_of(e, rank) * e->rails;
}

/* Returns the NIC of a rank among those of its node. */
static uint8_t rail_of(const struct timed *e, int rank)
{
	return (uint8_t)((long)machine_place(e->m, rank) * e->rails /
			 e->m->job->ppn);
}

/* Returns the NIC of a rank's node that is free first. */
static uint8_t free_rail(const struct timed *e, int rank)
{
	const int64_t *nics = nics_of(e, e->nic_out, rank);
	int first = 0;

	for (int k = 1; k < e->rails; k++)
		if (nics[k] < nics[first])
			first = k;
	return (uint8_t)first;
}

/* Stages go up through the tiers, then down. */
static int tier_of(int stage)
{
	return stage < SIM_TIERS ? stage : 2 * SIM_TIERS - 1 - stage;
}

/* Returns the group whose pool the stage is; -1 if the message stays inside. */
static long group_of(const struct timed *e, const struct item *i, int stage)
{
	const struct sim_topology *t = &e->m->job->topology;
	int tier = tier_of(stage);
	long from, to;

	if (tier >= t->tiers || !isfinite(t->tier[tier].links))
		return -1;
	from = machine_group(e->m, machine_node(e->m, i->from), tier);
	to = machine_group(e->m, machine_node(e->m, i->to), tier);
	if (from == to)
		return -1;
	return machine_group(
	    e->m, node_of(e, stage < SIM_TIERS ? i->from : i->to), tier);
}

/* Moves the item to this stage, or to the next one where it has to wait. */
static void move_to(const struct timed *e, struct item *i, int stage)
{
	while (stage < STAGE_NIC && group_of(e, i, stage) < 0)
		stage++;
	i->stage = (uint8_t)stage;
}

static void timed_net_latency(const struct timed *e, struct item *i)
{
	moment_add(&i->at, SIM_LATENCY, i->range->L);
	if (i->far)
		moment_add(&i->at, SIM_LATENCY,
			   machine_hops(e->m, machine_node(e->m, i->from),
					machine_node(e->m, i->to)));
}

/* Returns how many messages of equal length this item stands for. */
static int64_t timed_net_repeats(const struct item *i)
{
	return i->kind == ITEM_ACT && i->step_kind != STEP_WRITE
		   ? (int64_t)(i->bytes / sizeof(uint64_t))
		   : 1;
}

static uint64_t bytes_each(const struct item *i)
{
	return (i->left ? i->left : i->bytes) / (uint64_t)timed_net_repeats(i);
}

/* Sends an item, or the part of it that is left, through a NIC of its node. */
static void leave_nic(const struct timed *e, struct item *i)
{
	timed_net_serve(i, &nics_of(e, e->nic_out, i->from)[i->rail],
			timed_net_repeats(i) *
			    range_gap(i->range, bytes_each(i)));
	move_to(e, i, STAGE_POOL);
	if (e->torus) {
		i->stage = STAGE_POOL;
		i->router = (int)machine_router(e->m, node_of(e, i->from));
	}
	if (i->stage == STAGE_NIC)
		timed_net_latency(e, i);
}

/* Returns the most bytes that a NIC sends of an item at a time: an eighth is
 * enough for messages of one length to end nearly together, and for all NICs
 * of a node. */
static uint64_t part_of(const struct timed *e, const struct item *i)
{
	uint64_t least = (uint64_t)e->m->job->fabric->nic_turn;
	uint64_t part = i->bytes / (uint64_t)(e->rails > 8 ? e->rails : 8);

	return part > least ? part : least;
}

/* Lets an item wait for its turn, or for the end of those before it that go to
 * the same rank: a queue pair sends one after the other. */
static void await_turn(struct timed *e, struct queue *turns, uint32_t n)
{
	struct item *i = &e->items[n];
	uint32_t k = turns->first;

	i->stage = STAGE_TURN;
	i->left = i->bytes;
	i->behind = NIL;
	while (k != NIL &&
	       (e->items[k].to != i->to || e->items[k].from != i->from))
		k = e->items[k].next;
	while (k != NIL && e->items[k].behind != NIL)
		k = e->items[k].behind;
	if (k != NIL) {
		e->items[k].behind = n;
		return;
	}
	if (turns->first == NIL)
		event_add(e, n);
	queue_add(e, turns, n);
}

/* Sends a part of the first item. */
static void send_part(struct timed *e, uint32_t n, uint64_t part)
{
	uint32_t k = item_new(e, &e->items[n]);
	struct item *i = &e->items[n];
	int64_t free_at;

	if (k == NIL)
		return;
	e->items[k].kind = ITEM_PART;
	e->items[k].left = part;
	leave_nic(e, &e->items[k]);
	event_add(e, k);
	i->left -= part;
	i->turned = true;
	free_at = nics_of(e, e->nic_out, i->from)[free_rail(e, i->from)];
	if (free_at > i->at.t)
		moment_add(&i->at, SIM_BANDWIDTH, free_at - i->at.t);
}

/* Sends what is left of the first item; the one behind it is the last now. */
static void send_rest(struct timed *e, struct queue *turns)
{
	uint32_t n = queue_take(e, turns);

	leave_nic(e, &e->items[n]);
	event_add(e, n);
	if (e->items[n].behind != NIL)
		queue_add(e, turns, e->items[n].behind);
}

/* Moves an item on to when the first NIC of its node is free, which it takes.
 */
static void await_rail(const struct timed *e, struct item *i)
{
	i->rail = free_rail(e, i->from);
	moment_queue(&i->at, nics_of(e, e->nic_out, i->from)[i->rail]);
}

/* A NIC has sent a part of item n, the first that waits there, or is free. */
static void take_turn(struct timed *e, uint32_t n)
{
	struct queue *turns = &e->turns[node_of(e, e->items[n].from)];
	uint64_t part;

	if (e->items[n].turned) {
		e->items[n].turned = false;
		queue_add(e, turns, queue_take(e, turns));
		n = turns->first;
	}
	await_rail(e, &e->items[n]);
	part = part_of(e, &e->items[n]);
	if (part < e->items[n].left)
		send_part(e, n, part);
	else
		send_rest(e, turns);
	n = turns->first;
	if (n != NIL) {
		await_rail(e, &e->items[n]);
		event_add(e, n);
	}
}

void net_send(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];

	if (i->far && i->kind == ITEM_DATA && e->turns &&
	    i->bytes > (uint64_t)e->m->job->fabric->nic_turn) {
		await_turn(e, &e->turns[node_of(e, i->from)], n);
		return;
	}
	if (i->far) {
		i->rail = rail_of(e, i->from);
		leave_nic(e, i);
	} else {
		timed_net_latency(e, i);
		moment_add(&i->at, SIM_BANDWIDTH,
			   range_body(i->range, bytes_each(i)));
		i->stage = STAGE_THERE;
	}
	event_add(e, n);
}

void net_notify(struct timed *e, uint32_t n, enum item_kind kind)
{
	struct item *i = &e->items[n];

	timed_net_latency(e, i);
	i->kind = (uint8_t)kind;
	i->stage = STAGE_THERE;
	event_add(e, n);
}

/* Occupies the link that is free first, links[0] of a heap of n, until then. */
static void keep_link(int64_t *links, long n, int64_t until)
{
	long k = 0, child;

	while ((child = 2 * k + 1) < n) {
		child += child + 1 < n && links[child + 1] < links[child];
		if (links[child] >= until)
			break;
		links[k] = links[child];
		k = child;
	}
	links[k] = until;
}

/* Pools have whole links; each is slower or faster to make up a fraction. */
static void in_pool(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	const struct sim_topology *t = &e->m->job->topology;
	int tier = tier_of(i->stage);
	long links = e->links[tier], group = group_of(e, i, i->stage);
	int64_t *pool = e->pools[i->stage] + group * links;
	uint64_t bytes = i->left ? i->left : i->bytes;
	double keep = (double)(bytes ? bytes : 1) * i->range->G *
		      (double)links / t->tier[tier].links;

	moment_queue(&i->at, *pool);
	keep_link(pool, links, i->at.t + (int64_t)(keep + 0.5));
	move_to(e, i, i->stage + 1);
	if (i->stage == STAGE_NIC)
		timed_net_latency(e, i);
	event_add(e, n);
}

/* Goes to the next router, or at the last one to the receiver's NIC. */
static void in_torus(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	const struct sim_topology *t = &e->m->job->topology;
	long to = machine_router(e->m, node_of(e, i->to));
	double keep =
	    (double)(i->bytes ? bytes_each(i) : 1) * i->range->G / t->link;
	int way;

	if (i->router == to) {
		i->stage = STAGE_NIC;
		timed_net_latency(e, i);
	} else {
		long next = sim_torus_step(t, i->router, to, &way);

		timed_net_serve(i,
				&e->torus[i->router * 2 * t->dimensions + way],
				(int64_t)(keep + 0.5));
		i->router = (int)next;
	}
	event_add(e, n);
}

static void in_nic(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];
	int64_t gap = range_gap(i->range, bytes_each(i));

	timed_net_serve(i, &nics_of(e, e->nic_in, i->to)[i->rail],
			timed_net_repeats(i) * gap);
	moment_add(&i->at, SIM_BANDWIDTH, range_body(i->range, bytes_each(i)));
	i->stage = STAGE_THERE;
	event_add(e, n);
}

void net_fetch(const struct item *i, struct moment *at)
{
	moment_add(at, SIM_LATENCY, 2 * i->range->L);
	moment_add(at, SIM_BANDWIDTH, range_body(i->range, i->bytes));
}

void net_load(const struct item *i, struct moment *at)
{
	machine_receive(at, i->range, i->range->rendezvous ? 0 : i->bytes);
	if (i->bytes)
		moment_add(at, SIM_BANDWIDTH, range_body(i->range, i->bytes));
}

/* Rendezvous data have arrived; the sender is told, too. */
void net_have(struct timed *e, uint32_t n)
{
	uint32_t fin = item_new(e, &e->items[n]);

	e->items[n].kind = ITEM_DATA;
	rank_come(e, e->items[n].to, n);
	if (fin != NIL)
		net_notify(e, fin, ITEM_FIN);
}

static void timed_net_arrive(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];

	switch (i->kind) {
	case ITEM_EAGER:
	case ITEM_RTS:
		rank_match(e, n);
		break;
	case ITEM_READ:
		i->kind = ITEM_DATA;
		net_send(e, n);
		break;
	case ITEM_DATA:
		net_have(e, n);
		break;
	case ITEM_PART:
		item_free(e, n);
		break;
	case ITEM_LOAD:
		rank_come(e, i->to, n);
		break;
	case ITEM_ACT:
		cells_arrive(e, n);
		break;
	case ITEM_EFFECT:
		cells_effect(e, n);
		break;
	default: /* ITEM_FIN, ITEM_ACK */
		rank_come(e, i->from, n);
		break;
	}
}

void net_move(struct timed *e, uint32_t n)
{
	struct item *i = &e->items[n];

	if (i->stage == STAGE_TURN)
		take_turn(e, n);
	else if (i->stage < STAGE_NIC && e->torus)
		in_torus(e, n);
	else if (i->stage < STAGE_NIC)
		in_pool(e, n);
	else if (i->stage == STAGE_NIC)
		in_nic(e, n);
	else
		timed_net_arrive(e, n);
}

/* ---- The network --------------------------------------------------------- */

/* count_groups returns one more than the highest group of a tier in which there
 * is a node. */
static long count_groups(const struct sim_machine *m, int tier)
{
	long most = 0;

	for (int node = 0; node < m->job->nodes; node++)
		if (machine_group(m, node, tier) > most)
			most = machine_group(m, node, tier);
	return most + 1;
}

static bool add_pools(struct timed *e)
{
	const struct sim_topology *t = &e->m->job->topology;

	for (int k = 0; k < t->tiers; k++) {
		double links = t->tier[k].links;
		long groups = count_groups(e->m, k);
		int64_t **up = &e->pools[k];
		int64_t **down = &e->pools[2 * SIM_TIERS - 1 - k];

		if (!isfinite(links))
			continue;
		e->links[k] = links > 1 ? lround(links) : 1;
		*up = calloc((size_t)(groups * e->links[k]), sizeof(**up));
		*down = calloc((size_t)(groups * e->links[k]), sizeof(**down));
		if (!*up || !*down)
			return false;
	}
	return true;
}

static bool add_torus(struct timed *e)
{
	const struct sim_topology *t = &e->m->job->topology;

	if (!t->dimensions)
		return true;
	e->torus =
	    calloc((size_t)sim_torus_routers(t) * 2 * (size_t)t->dimensions,
		   sizeof(*e->torus));
	return e->torus;
}

static bool add_nics(struct timed *e)
{
	size_t nodes = (size_t)e->m->job->nodes, nics;

	e->rails = e->m->job->topology.rails ? e->m->job->topology.rails : 1;
	nics = nodes * (size_t)e->rails;
	e->nic_out = calloc(2 * nics, sizeof(*e->nic_out));
	e->nic_in = e->nic_out + nics;
	if (e->m->job->fabric->nic_turn > 0)
		e->turns = malloc(nodes * sizeof(*e->turns));
	for (size_t k = 0; e->turns && k < nodes; k++)
		e->turns[k] = (struct queue){NIL, NIL};
	return e->nic_out && (e->turns || !(e->m->job->fabric->nic_turn > 0));
}

bool net_init(struct timed *e)
{
	return add_nics(e) && add_pools(e) && add_torus(e);
}

void net_fini(struct timed *e)
{
	for (int k = 0; k < 2 * SIM_TIERS; k++)
		free(e->pools[k]);
	free(e->nic_out);
	free(e->turns);
	free(e->torus);
}
