/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_machine.h: a job's fabric, topology and placement in the form that
 * engines use: times in whole picoseconds, nodes of ranks, ranges of messages.
 */
#ifndef TOOLS_SIM_SIM_MACHINE_H
#define TOOLS_SIM_SIM_MACHINE_H

#include "tools/sim/moment.h"
#include "tools/sim/sim_steps.h"

/* A struct sim_range in ps. */
struct range {
	uint64_t max_bytes;
	bool rendezvous;
	int64_t L, o_s, o_r, g;
	double G, O_s, O_r;
};

struct sim_machine {
	const struct sim_job *job;
	int ranks;
	/* [ranks] and [nodes], if nodes differ: where each rank is, and the
	 * first rank of each node; else NULL */
	int *node_of, *first;
	struct rotation rotation; /* of the ranks that functions get */
	struct range ranges[SIM_LEVELS][SIM_RANGES];
	/* of messages that two nodes exchange */
	struct range exchanged[SIM_LEVELS][SIM_RANGES];
	int64_t atomic[SIM_LEVELS], hop, turn, call, spread;
	int64_t connect;     /* 0: connections stay open */
	double reduce, copy; /* ps per byte */
	double memory; /* ps per byte read or written; 0: does not limit */
};

/* Returns the bytes of a rank's largest buffer. */
double machine_vector(const struct sim_job *job);
/* Returns MRT_SUCCESS or MRT_ERR_NO_MEM, which leaves nothing to fini. */
int machine_init(struct sim_machine *m, const struct sim_job *job);
void machine_fini(struct sim_machine *m);

int machine_node(const struct sim_machine *m, int rank);
/* machine_router returns the place of a node in the network. */
static inline long machine_router(const struct sim_machine *m, int node)
{
	return m->job->places ? m->job->places[node] : node;
}

/* machine_group returns the group of a tier of the network in which a node is.
 */
static inline long machine_group(const struct sim_machine *m, int node,
				 int tier)
{
	return machine_router(m, node) / m->job->topology.tier[tier].nodes;
}
int machine_place(const struct sim_machine *m,
		  int rank); /* index in its node */
int machine_rank(const struct sim_machine *m, int node, int place);
int machine_cache(const struct sim_machine *m,
		  int rank); /* index in its node */
enum sim_level machine_level(const struct sim_machine *m, int a, int b);
const struct range *machine_range(const struct sim_machine *m,
				  enum sim_level level, uint64_t bytes);

/* Returns the range of such a message if it has that one else. */
static inline const struct range *machine_exchanged(const struct sim_machine *m,
						    const struct range *r)
{
	return &m->exchanged[0][0] + (r - &m->ranges[0][0]);
}

/* Returns whether a node has fewer CPUs than ranks. */
static inline bool machine_shares_cpus(const struct sim_machine *m)
{
	return m->job->cpus && m->job->cpus < m->job->ppn;
}

/* Returns what the way between two nodes adds to the latency: the links between
 * switches, and the spread. */
int64_t machine_hops(const struct sim_machine *m, int node_a, int node_b);

/* Returns what the distance of two ranks' nodes adds to the latency. */
int64_t machine_spread(const struct sim_machine *m, int a, int b);

/* Return (n - 1) G, and how long a NIC is occupied. */
static inline int64_t range_body(const struct range *r, uint64_t bytes)
{
	return bytes > 1 ? (int64_t)((double)(bytes - 1) * r->G + 0.5) : 0;
}

static inline int64_t range_gap(const struct range *r, uint64_t bytes)
{
	return r->g + range_body(r, bytes);
}

/* Returns the bytes of a step's elements. */
static inline uint64_t machine_bytes(const struct sim_machine *m,
				     const struct sim_step *s)
{
	return (uint64_t)s->count * m->job->type_size;
}

/* Counts messages from one rank to another, and returns their range. */
const struct range *machine_count(const struct sim_machine *m,
				  struct sim_result *result, int from, int to,
				  uint64_t bytes, double messages);

/* Returns how long a node's memory is occupied. */
static inline int64_t machine_memory(const struct sim_machine *m, double bytes)
{
	return (int64_t)(bytes * m->memory + 0.5);
}

/* Advance *at by the CPU time of an operation. `use` tells a step's uses of the
 * CPU apart, for noise. */
void machine_send(struct moment *at, const struct range *r, uint64_t bytes);
void machine_receive(struct moment *at, const struct range *r, uint64_t bytes);
/* beside: ps in which the operand of a reduction is loaded from where it lies,
 * 0 if it is there. */
void machine_compute(const struct sim_machine *m, struct moment *at,
		     const struct sim_step *s, int64_t beside);
void machine_noise(const struct sim_machine *m, struct moment *at, int rank,
		   uint32_t step, unsigned use);

/* Return by how many ps the jitter makes a rank begin late, and the latest of
 * all ranks. */
int64_t machine_jitter(const struct sim_machine *m, int rank);
int64_t machine_latest(const struct sim_machine *m);
#endif
