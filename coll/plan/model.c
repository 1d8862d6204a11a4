/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the cost model and its shipped parameters. */
#include "coll/plan/model.h"

#include <stddef.h>
#include <string.h>

#include "coll/plan/topology.h"

/* The nanoseconds from one message to the next on a link that ranks share:
 * assumed, of the size of the 200 million messages a second that vendors
 * quote. */
enum { GAP = 5 };

/* The nanoseconds of a byte that is copied from memory to memory: assumed, as
 * copy_far in tools/scale/fabrics. */
static const double PACKED = 0.12;

/* The bytes that a node's caches keep of what its ranks receive: assumed, of
 * the size of the third level of two sockets, as in tools/scale/fabrics. */
enum { NODE_CACHE = 640 << 20 };

const char *const medium_names[MEDIA] = {"sm", "busy", "net", "soft"};

/*
 * sm, busy: fitted to the least times of `MRT_COLL_DIRECT=no mrun -n N mrt-tune
 * --csv` on two cores of an AMD EPYC, N = 2 and N = 3, 4, 5, 8, such that the
 * model's choice is little slower than the fastest algorithm. sm's overhead is
 * the one of busy: with it the choice is nearest to the fastest predicted for
 * nodes of 8 and of 64 ranks (tests/system/default_choice.t). The parameters of
 * atomics are assumed.
 *
 * net: HDR InfiniBand, not measured. 600 ns and 200 Gb/s are the vendor's
 * figures for ConnectX-6 (user manual, introduction). 500 ns for switches and
 * this library, two more latencies for a rendezvous, and an atomic that takes a
 * round trip with the target's PCIe are assumed; reductions are as in sm.
 *
 * soft: Soft-RoCE, whose messages take CPU time for each packet and for each
 * control message of a rendezvous. Of the size that a machine of its own takes
 * (ib_send_lat there 11 us), and such that the choice is nearest to the fastest
 * of `mrun -n 8 mrt-tune -m 8,4K,64K --csv` on two and on four virtual machines
 * of one CPU, where many values do equally well.
 *
 * memory: two sockets of 8 and of 12 channels, as in tools/scale/fabrics, of
 * which what is received is half of the traffic at most.
 *
 * eager: the defaults of MRT_SM_EAGER_MAX and MRT_IB_EAGER_MAX.
 *
 * connected: VB_PEERS_MOST, the default of MRT_IB_PEERS in large jobs. connect
 * of net is assumed: X. Wei et al., "KRCORE", USENIX ATC 2022, call their 10 us
 * hundreds or thousands of times faster than verbs, and 1 ms is a hundred times
 * as much. connect of soft is the least of 4 to 9 ms, measured where all ranks
 * shared two CPUs.
 */
static const struct model shipped[MEDIA] = {
    [MEDIUM_SM] = {.latency = 150,
		   .byte = 0.065,
		   .reduced = 0.03,
		   .atomic = 100,
		   .overhead = 90,
		   .copied = 0.12,
		   .rendezvous = 2400,
		   .eager = 8192,
		   .memory = 0.002},
    [MEDIUM_BUSY] = {.latency = 650,
		     .byte = 0.01,
		     .reduced = 0.015,
		     .atomic = 100,
		     .overhead = 90,
		     .copied = 0.35,
		     .rendezvous = 250,
		     .eager = 8192},
    [MEDIUM_NET] = {.latency = 1100,
		    .byte = 0.04,
		    .reduced = 0.03,
		    .atomic = 1800,
		    .overhead = 150,
		    .copied = 0,
		    .rendezvous = 2200,
		    .eager = 8176,
		    .connect = 1000000,
		    .connected = 256,
		    .taper = 1},
    [MEDIUM_SOFT] = {.latency = 5000,
		     .byte = 0.1,
		     .reduced = 0.03,
		     .atomic = 15000,
		     .overhead = 5000,
		     .copied = 1.5,
		     .rendezvous = 20000,
		     .eager = 8176,
		     .connect = 4000000,
		     .connected = 256,
		     .taper = 1},
};

struct model models[MEDIA];

void model_reset(void)
{
	memcpy(models, shipped, sizeof(models));
}

void model_keep(double connected)
{
	models[MEDIUM_NET].connected = connected;
	models[MEDIUM_SOFT].connected = connected;
}

double *model_parameter(enum medium medium, const char *name)
{
	static const struct {
		const char *name;
		size_t offset;
	} fields[] = {
	    {"latency", offsetof(struct model, latency)},
	    {"byte", offsetof(struct model, byte)},
	    {"reduced", offsetof(struct model, reduced)},
	    {"atomic", offsetof(struct model, atomic)},
	    {"overhead", offsetof(struct model, overhead)},
	    {"copied", offsetof(struct model, copied)},
	    {"rendezvous", offsetof(struct model, rendezvous)},
	    {"memory", offsetof(struct model, memory)},
	    {"connect", offsetof(struct model, connect)},
	    {"connected", offsetof(struct model, connected)},
	    {"taper", offsetof(struct model, taper)},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!strcmp(fields[i].name, name))
			return (double *)(void *)((char *)&models[medium] +
						  fields[i].offset);
	return NULL;
}

static double model_least(double a, double b)
{
	return a < b ? a : b;
}

static double model_most(double a, double b)
{
	return a > b ? a : b;
}

/* Returns how many of `messages` that carry `bytes` together go by rendezvous:
 * some may be short, as where lengths are halved. */
static double long_ones(const struct model *m, double messages, double bytes)
{
	return bytes > messages * m->eager
		   ? model_least(messages, bytes / m->eager / 2)
		   : 0;
}

double model_fetched(const struct cost *c)
{
	return long_ones(&models[MEDIUM_SM], c->rounds, c->bytes);
}

/* together: as in struct cost; a message right behind another one costs only
 * the overhead of one end. */
static double model_messages(const struct model *m, double rounds,
			     double together, double bytes)
{
	return rounds * m->latency - together * (m->latency - m->overhead / 2) +
	       bytes * m->byte;
}

/* Returns the time of the messages of a chain between nodes, or on the only
 * one. There, if it has a CPU, the receiver fetches one after the other. */
static double model_between(const struct model *m, double rounds,
			    double together, double bytes)
{
	double more = long_ones(m, rounds, bytes) * m->rendezvous;

	if (m != &models[MEDIUM_SM] && rounds > 0)
		more *= 1 - together / rounds;
	return model_messages(m, rounds, together, bytes) + more;
}

/* Returns the time of the connections that so many messages of a chain open.
 * They follow one another in the same order in each call, so that each finds
 * its connection closed for those after it. */
static double model_connecting(const struct cost *c, const struct model *m,
			       double rounds)
{
	return m->connected > 0 && c->peers > m->connected ? rounds * m->connect
							   : 0;
}

/* Returns the time of the longest chain of steps, as if every rank had a CPU of
 * its own. `sharing` chains go over the same link. intra: the parameters inside
 * a node. memory: the least time of what is done there. */
static double model_path(const struct cost *c, const struct model *m,
			 const struct model *intra, int sharing, double memory)
{
	double inside = model_messages(intra, c->intra_rounds,
				       c->intra_together, c->intra_bytes) -
			c->intra_sent * intra->overhead / 4 +
			c->fetched * intra->rendezvous +
			c->reduced * m->reduced;
	double rounds = c->rounds - c->intra_rounds;
	double together = c->together - c->intra_together;
	double bytes = c->bytes - c->intra_bytes;
	double sent = c->sent - c->intra_sent;
	double others = sharing > 1 ? sharing - 1 : 0;

	return model_between(m, rounds, together, bytes) +
	       model_connecting(c, m, rounds) - sent * m->overhead / 4 +
	       others * (rounds * GAP + bytes * m->byte) +
	       model_most(inside, memory) + c->atomics * m->atomic +
	       c->packed * PACKED;
}

double model_chain(const struct cost *cost)
{
	return model_path(cost, &models[MEDIUM_NET], &models[MEDIUM_SM],
			  cost->leaders, 0);
}

/* Returns the bytes that all ranks reduce. The cost does not say how many: no
 * more than they receive, and no more than if all reduced as much as those of
 * the longest chain. */
static double model_reduced(const struct cost *c, int ranks)
{
	return model_least(c->moved, c->reduced * ranks);
}

/* Returns the CPU time of messages, both ends together. The control messages of
 * a rendezvous take CPU time unless a device handles them; then they only take
 * time on the way. */
static double model_handled(double sends, double moved, const struct model *m)
{
	double overhead = m->overhead;

	if (m != &models[MEDIUM_NET] && moved > sends * m->eager)
		overhead += m->rendezvous;
	return sends * overhead + moved * m->copied;
}

/* Returns the CPU time of all ranks together. intra: the parameters for what
 * stays inside nodes. */
static double model_work(const struct cost *c, const struct model *m,
			 const struct model *intra, int ranks)
{
	double sends = intra == m ? 0 : c->intra_sends;
	double moved = intra == m ? 0 : c->intra_moved;

	return model_handled(c->sends - sends, c->moved - moved, m) +
	       model_handled(sends, moved, intra) +
	       model_reduced(c, ranks) * m->reduced;
}

/* Returns the time that the memory of a node needs. */
static double model_memory(const struct cost *c, const struct model *intra,
			   int ranks, int nodes)
{
	double bytes = c->moved / nodes;

	if (ranks == nodes || bytes <= NODE_CACHE)
		return 0;
	return (bytes + model_reduced(c, ranks) / nodes) *
	       (1 - NODE_CACHE / bytes) * intra->memory;
}

/* The parts that stay inside groups: of the rounds and bytes of the longest
 * chain, and of the bytes of all. */
struct inside {
	double rounds, bytes, moved;
};

/* Returns what of a plan of `size` stays inside so many groups of them, which
 * are ranges of it if `ordered`. */
static struct inside model_inside(enum reach reach, int size, int groups,
				  bool ordered)
{
	double n = groups, share = n / size;
	double levels =
	    log2_ceil(size / groups) / model_most(1, log2_ceil(size));

	switch (ordered || reach == REACH_NEXT ? reach : REACH_ALL) {
	case REACH_NEXT:
		return (struct inside){1 - share, 1 - share, 1 - share};
	case REACH_RANGES:
		return (struct inside){levels, levels,
				       model_most(0, 1 - 2 * share)};
	case REACH_EQUAL:
		return (struct inside){levels, levels, levels};
	case REACH_LONGER:
	case REACH_NEAR: /* in nodes, whose edges it crosses in all rounds */
		return (struct inside){levels, 1 / n, 1 / n};
	case REACH_SHORTER:
		return (struct inside){levels, 1 - share, 1 - share};
	default:
		return (struct inside){0, 0, 1 / n};
	}
}

/* Returns the time that the links between switches need, which are tapered:
 * of a plan that looks at places, for what goes between nodes. */
static double model_tapered(const struct cost *c, const struct model *m,
			    const struct shape *s)
{
	const struct topology *t = s->topo;
	bool by_node = c->intra_rounds > 0;
	int size = by_node ? t->nodes : t->size;
	bool ordered = s->order || !(by_node ? t->node_order : t->order);
	double leaving =
	    1 - model_inside(c->reach, size, t->switches, ordered).moved;

	if (c->reach == REACH_NEAR && ordered)
		leaving = model_least(1, 2.0 * t->switches / size);
	return (c->moved - c->intra_moved) * leaving * m->byte * m->taper /
	       t->nodes;
}

/* Moves what stays inside nodes, by a plan that does not look at places, to the
 * parts of the cost for that. Returns the time that the links of the nodes
 * need; 0 for hierarchies: only leaders talk to other nodes, and model_path()
 * has it. */
static double model_traffic(struct cost *c, const struct model *m,
			    const struct shape *s, double gap)
{
	const struct topology *t = s->topo;
	struct inside in =
	    model_inside(c->reach, t->size, t->nodes, t->ordered || s->order);

	if (c->intra_rounds > 0)
		return 0;
	c->peers -= t->size / t->nodes - 1; /* those of the node itself */
	c->intra_rounds = in.rounds * c->rounds;
	c->intra_together = in.rounds * c->together;
	c->intra_sent = in.rounds * c->sent;
	c->intra_bytes = in.bytes * c->bytes;
	c->intra_sends = in.moved * c->sends;
	c->intra_moved = in.moved * c->moved;
	c->fetched =
	    long_ones(&models[MEDIUM_SM], c->intra_rounds, c->intra_bytes);
	if (in.rounds > 0 && c->reach >= REACH_EQUAL) {
		c->leaders = t->size / t->nodes; /* all ranks at a time */
		return 0;
	}
	return (c->moved * m->byte + c->sends * gap) * (1 - in.moved) /
	       t->nodes;
}

/* Returns the time of a call whose chain takes `chain` and whose links take
 * `links`. With several ranks per node some of the chain does not overlap. */
static double model_together(double chain, double links, bool shared)
{
	return shared ? model_most(chain, links) + model_least(chain, links) / 8
		      : model_most(chain, links);
}

/* Returns the time of a call that takes `time` if links between switches are
 * not tapered, and these need `tapered`. Rounds that wait for the one before
 * wait for the links, too; others do meanwhile what they can. */
static double model_with_taper(const struct cost *c, const struct model *m,
			       double time, double tapered)
{
	double more = tapered - (c->bytes - c->intra_bytes) * m->byte;
	double waiting = 1 - c->together / model_most(1, c->rounds);

	return model_most(time + waiting * model_most(0, more), tapered);
}

double model_time(const struct algorithm *algorithm, const struct shape *shape,
		  const struct machine *machine)
{
	bool network = machine->medium >= MEDIUM_NET;
	const struct model *m = &models[machine->medium];
	struct shape s = *shape;
	struct cost c = {0};
	int sharing = machine->sharing;
	double cpus = machine->cpus > 0 ? machine->cpus : s.size;
	double time, links = 0, tapered = 0, turns = s.size / cpus - 1;
	const struct model *intra =
	    network ? &models[turns > 0 ? MEDIUM_BUSY : MEDIUM_SM] : m;
	/* of the CPU time inside nodes; with a device's as between them the
	 * choice is nearest to the fastest */
	const struct model *inside = machine->medium == MEDIUM_SOFT ? intra : m;
	bool shared = s.topo && s.topo->nodes < s.size;

	if (!s.arg)
		s.arg = algorithm->arg_default;
	algorithm->cost(&s, &c);
	if (network && s.topo) {
		if (s.topo->switches > 1 && m->taper > 1)
			tapered = model_tapered(&c, m, &s);
		links = model_traffic(&c, m, &s, shared ? GAP : 0);
	}
	if (c.leaders)
		sharing = c.leaders;
	time = model_path(
	    &c, m, intra, sharing,
	    model_memory(&c, intra, s.size, s.topo ? s.topo->nodes : 1));
	/* if ranks share CPUs, a message waits until all have had their turn,
	 * and no rank works while others wait */
	if (turns > 0)
		time += (c.rounds - c.together) * turns * intra->latency +
			model_work(&c, m, inside, s.size) / cpus;
	else
		time =
		    model_most(time, model_work(&c, m, inside, s.size) / cpus);
	if (network && s.topo)
		time = model_together(time, links, shared);
	return model_with_taper(&c, m, time, tapered);
}
