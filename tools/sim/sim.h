/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim.h: predicts how long a collective takes on a machine that need not exist:
 * the plans of all ranks, simulated in virtual time under LogGP. No job runs,
 * nothing communicates; one thread.
 *
 * Source: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, "LogGP", SPAA
 * 1995; T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim", LSAP 2010.
 */
#ifndef TOOLS_SIM_SIM_H
#define TOOLS_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/plan/select.h"

/* ---- The fabric ---- */

/* The distance of two ranks: in one cache, on one node, on nodes of one leaf
 * switch, or farther. */
enum sim_level { SIM_CACHE, SIM_NODE, SIM_LEAF, SIM_OTHER, SIM_LEVELS };
extern const char *const sim_level_names[SIM_LEVELS]; /* "cache", ... */

/* The parts of which the time of a call is the sum. */
enum sim_part {
	SIM_OVERHEAD,  /* CPUs: o_s, o_r, O_s, O_r, copies, noise */
	SIM_LATENCY,   /* L, hops */
	SIM_BANDWIDTH, /* (n - 1) G */
	SIM_QUEUEING,  /* waiting for a NIC, a link, a word or a CPU */
	SIM_REDUCTION,
	SIM_PARTS
};
extern const char *const sim_part_names[SIM_PARTS]; /* "overhead", ... */

/*
 * Parameters of messages of up to max_bytes (and more than the range before),
 * in nanoseconds and nanoseconds per byte. A message of n bytes (at least 1)
 * takes
 *
 *	o_s + n O_s + L + (n - 1) G + o_r + n O_r
 *
 * from the start of its send to the end of its receive. The first two terms
 * occupy the sender's CPU, and the last two the receiver's. Between nodes the
 * message occupies each NIC for g + (n - 1) G.
 *
 * With rendezvous, a request travels first and is answered once the receive has
 * begun, so that the message takes at least o_s + L + o_r + L + L + (n - 1) G +
 * o_r + n O_r; the sender finishes L + o_r after the receiver's NIC has the
 * data.
 */
struct sim_range {
	uint64_t max_bytes; /* SIM_NO_LIMIT in the last range */
	bool rendezvous;
	double L, o_s, o_r, g; /* ns */
	double G, O_s, O_r;    /* ns per byte */
};
enum { SIM_RANGES = 8 };
#define SIM_NO_LIMIT UINT64_MAX

struct sim_link {
	int nranges; /* 1 .. SIM_RANGES; ascending by max_bytes */
	struct sim_range ranges[SIM_RANGES];
	double atomic; /* ns that an atomic operation occupies its word */
	/* measured between these sizes; max 0: assumed, not measured */
	uint64_t measured_min, measured_max;
};

struct sim_fabric {
	char name[64];
	struct sim_link levels[SIM_LEVELS];
	double reduce, copy; /* ns per byte of the result */
	/*
	 * Costs like the two above, of vectors that do not fit a cache of
	 * `cache` bytes: of v bytes, cache / v are reduced and copied at the
	 * costs above, and the rest at these. cache 0: all vectors fit.
	 */
	double reduce_far, copy_far, cache;
	/*
	 * ns per byte that the ranks of a node together read from memory and
	 * write there, half of it to read one: memory serves one after the
	 * other. Caches of node_cache bytes on each node keep what was used
	 * last (sim_caches.h), which costs none of this. memory 0: no limit.
	 */
	double memory, node_cache;
	double call; /* ns of a rank before its first step: the library's */
	/*
	 * ns that are added to the latency between two nodes for each factor of
	 * 4 in their distance, in node numbers and round the job: the switches
	 * between them, and the traffic of others.
	 */
	double spread;
	/*
	 * Factor on G between nodes for rendezvous messages that two ranks send
	 * each other at a time; 0: none. Such messages may share what messages
	 * of two pairs do not: a queue pair, or one of several adapters.
	 */
	double exchange;
	/*
	 * Bytes. A NIC that sends several longer messages by rendezvous sends a
	 * part of each in turn, of these bytes or an eighth of the message,
	 * since each goes through a queue pair of its own. 0: one message after
	 * the other.
	 */
	double nic_turn;
	/*
	 * ns per byte that a rank allocates for a call and returns to the
	 * system (struct sim_job): pages of 4 KiB that are made and registered
	 * anew, and those of 2 MiB.
	 */
	double fresh, fresh_huge;
	/*
	 * Jitter: the ranks of a job begin late, by the expected order
	 * statistics of times of mean `jitter` ns, dealt to the ranks by the
	 * seed. The times have a generalized Pareto distribution: with
	 * jitter_tail 0 it is exponential, and the latest of n ranks is late by
	 * jitter (1 + 1/2 + ... + 1/n); with a heavier tail, below 1, by a time
	 * that grows with n to the power of it.
	 */
	double jitter, jitter_tail;
	/*
	 * ns of a CPU for each message between nodes, before it is sent, of a
	 * rank with more than `connected` peers on other nodes: the message
	 * closes the connection to another one and opens its own. If only the
	 * receiver has so many, its CPU pays when the message arrives.
	 * connected 0: all connections stay open.
	 */
	double connect, connected;
	double turn; /* ns that a CPU takes from one waiting rank to the next */
	/*
	 * Where the fabric was fitted to measured times of collectives: the 10
	 * and 90 % quantiles of measured to predicted times, on more nodes than
	 * the fit had seen. 0: not known.
	 */
	double p10, p90;
	/*
	 * Where it was not: factors that make a prediction's parts those of its
	 * 10 and 90 % quantiles, if all parts are as good or as bad. 0: not
	 * known.
	 */
	double low[SIM_PARTS], high[SIM_PARTS];
	int measured_nodes; /* measured with up to that many nodes; 0: not */
};

/* Returns whether the fabric is valid. If not, why (of whyl bytes) names level,
 * range and field. */
bool sim_fabric_check(const struct sim_fabric *fabric, char *why, size_t whyl);

/* ---- The topology ---- */

/*
 * Groups of nodes, and groups of these. All traffic that leaves or enters a
 * group shares its links, which are one pool for each direction. Texts:
 *
 *	flat				all nodes on one switch
 *	fattree:NODES			NODES on a leaf, any number of leaves
 *	fattree:NODESxLEAVES		three stages: LEAVES in a pod
 *	dragonfly:NODESxROUTERS		NODES on a router, ROUTERS in a group,
 *					any number of groups
 *	dragonfly+:NODESxLEAVES		NODES on a leaf, LEAVES in a group
 *					that is a fat tree
 *	torus:A[xB[xC]]			a node on each router, and a link each
 *					way to the next router of each dimension
 *
 * followed by any of
 *
 *	,taper=T	a group has one link out for each T of its nodes (1);
 *			0: unlimited links. In a torus, a link has the speed of
 *			a node's divided by T
 *	,hop=NS		latency of each link between switches (0)
 *	,load=F		other jobs take this part of the links, below 1 (0)
 *	,rails=R	each node has R NICs, each a node's links (1). A rank
 *			uses the nearest, the ranks of a node in equal parts;
 *			messages that take turns use all (nic_turn)
 *
 * Nodes of one innermost group are at level leaf, all others at level other;
 * all nodes of a torus are at level leaf. In a torus messages go the shorter
 * way, along one dimension after the other.
 */
enum { SIM_TIERS = 2, SIM_DIMENSIONS = 3, SIM_RAILS = 64 };
struct sim_tier {
	long nodes;   /* in a group */
	double links; /* out of a group and into it; each as fast as a node's */
	int hops;     /* links between switches if the groups differ */
};

struct sim_topology {
	int tiers; /* 0: flat, or a torus */
	struct sim_tier tier[SIM_TIERS];
	int dimensions; /* of a torus; 0: none */
	long size[SIM_DIMENSIONS];
	double link; /* speed of a torus's links, as parts of a NIC's */
	int rails;   /* NICs of a node; 0: one */
	double hop;  /* ns */
};

/* Parses a topology. If it is not valid, returns false, and why names the
 * field. */
bool sim_topology_parse(const char *text, struct sim_topology *topology,
			char *why, size_t whyl);

/* sim_torus_step returns the router after `at` on the way to another one, and
 * sets *way to the number of the link to it, below twice the dimensions. */
long sim_torus_step(const struct sim_topology *topology, long at, long to,
		    int *way);
/* sim_torus_routers returns the number of routers of a torus. */
long sim_torus_routers(const struct sim_topology *topology);
/* sim_torus_hops returns the number of links between two routers. */
int sim_torus_hops(const struct sim_topology *topology, long a, long b);

/* sim_scatter draws the places of a job's nodes among `of` of a network,
 * ascending, as a scheduler gives a job what is free. They depend on the seed
 * only. */
void sim_scatter(long *places, int nodes, long of, uint64_t seed);

/* ---- Jobs and results ---- */

/* A step that has been simulated. */
struct sim_seen {
	int rank, peer; /* peer -1: none */
	uint32_t step;	/* from 0 */
	uint8_t kind;	/* enum step_kind */
	uint64_t bytes;
	double begin, end; /* ns */
};

struct sim_job {
	const struct sim_fabric *fabric;
	struct sim_topology topology; /* zeroed: flat */
	/* [nodes] where each node is in the network, counted through its
	 * innermost groups; NULL: node k is at k */
	const long *places;
	int nodes, ppn; /* ranks of a node */
	/* [nodes] ranks of each node, 1 .. ppn; NULL: ppn on all. Node after
	 * node, each rank with a CPU. */
	const int *node_ranks;
	bool cyclic; /* ranks are dealt to the nodes in turn */
	int caches;  /* caches of a node; 0 means 1 */
	int cpus;    /* of a node, shared by its ranks; 0: one per rank */
	enum collective collective;
	struct choice choice; /* algorithm NULL: the library's choice */
	int root;
	size_t count, type_size; /* as in a shape (coll/plan/shape.h) */
	bool in_order;		 /* the operation does not commute */
	/* a rank ends a send or a receive before it begins the next one, as a
	 * library does by MPI_Send and MPI_Recv */
	bool in_turn;
	/* no two ranks send to each other at a time, though they do in libmrt's
	 * plan: exchange, in struct sim_fabric */
	bool no_exchange;
	/* bytes that a rank allocates, in pages of 4 KiB and of 2 MiB: fresh in
	 * struct sim_fabric */
	double allocated, allocated_huge;
	bool no_boards;	  /* ranks of a node share no memory for plans */
	bool no_switches; /* ranks do not know to which switch nodes belong */
	uint8_t combine;  /* enum combine */
	/*
	 * Noise: each use of a CPU is interrupted with probability
	 * noise_chance, for an exponentially distributed time of mean `noise`
	 * ns. The result depends on the seed only, as with jitter.
	 */
	double noise, noise_chance;
	uint64_t seed; /* of the noise and the jitter */
	/* SIM_AUTO is the fastest engine that is exact for the job. */
	enum sim_engine {
		SIM_AUTO,
		SIM_HEAP,    /* all events in the order of time (timed.h) */
		SIM_SYMMETRY /* one rank (or node) for all that do alike
				(symmetry.h) */
	} engine;
	bool hashes; /* whether the result is to have hashes */
	bool in_place;
	/* [ranks] ns after the start of the job at which each rank begins;
	 * NULL: all at once. On the critical path it is SIM_QUEUEING. SIM_HEAP
	 * alone has it. */
	const double *begins;
	/* called at the end of each step, by SIM_HEAP alone; NULL: not */
	void (*see)(void *to, const struct sim_seen *step);
	void *to;
};

/* Returns the number of ranks of a job. */
static inline int sim_ranks(const struct sim_job *job)
{
	int ranks = 0;

	if (!job->node_ranks)
		return job->nodes * job->ppn;
	for (int k = 0; k < job->nodes; k++)
		ranks += job->node_ranks[k];
	return ranks;
}

struct sim_result {
	double time;		/* ns until the last rank has finished */
	double part[SIM_PARTS]; /* of the critical path; their sum is `time` */
	int last_rank;
	/* messages and one-sided operations of all ranks, and their bytes */
	double messages[SIM_LEVELS], bytes[SIM_LEVELS];
	/* bytes that leave an outermost group of nodes; in a torus, bytes of
	 * all links */
	double between;
	/*
	 * NULL if all messages have sizes that were measured at their level,
	 * and the nodes are no more than were measured; or else what is
	 * outside. Static text.
	 */
	const char *outside;
	struct choice choice;	/* what was simulated */
	enum sim_engine engine; /* the engine that was used */
	/*
	 * [ranks] hash of each rank's steps in plan order
	 * (coll/plan/step_hash.h), freed by sim_result_fini; NULL if not asked
	 * for
	 */
	uint64_t *hashes;
	uint64_t hash; /* hash of all of them; 0 if not asked for */
};

/*
 * Simulates a job. Returns MRT_SUCCESS; MRT_ERR_ARG if the job is not valid (an
 * algorithm that does not fit, more than 2^24 ranks, ...); MRT_ERR_UNSUPPORTED
 * if the engine that was asked for, or any engine, cannot do it;
 * MRT_ERR_NO_MEM; or MRT_ERR_INTERNAL if the plans do not match each other.
 * After the first two errors `why` (of whyl bytes) has the reason. *result is
 * set on success only.
 */
int sim_run(const struct sim_job *job, struct sim_result *result, char *why,
	    size_t whyl);

/* Sets the 10 and 90 % quantiles of what may be measured for a result, in ns.
 * Returns whether the fabric knows. */
bool sim_band(const struct sim_fabric *fabric, const struct sim_result *result,
	      double *low, double *high);
void sim_result_fini(struct sim_result *result);
#endif
