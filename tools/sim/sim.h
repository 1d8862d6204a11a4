/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim.h: how long a collective takes on a machine that need not be there: the
 * plans of all ranks, walked in virtual time under LogGP. No job runs, nothing
 * communicates; one thread.
 *
 * Source: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, "LogGP",
 * SPAA 1995; T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim", LSAP 2010.
 */
#ifndef APPS_SIM_H
#define APPS_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/plan/select.h"

/* ---- The fabric ---------------------------------------------------------- */

/* How far apart two ranks are: in one cache, on one node, on nodes of one leaf
 * switch, farther. */
enum sim_level { SIM_CACHE, SIM_NODE, SIM_LEAF, SIM_OTHER, SIM_LEVELS };
extern const char *const sim_level_names[SIM_LEVELS]; /* "cache", ... */

/*
 * Messages of up to max_bytes (and more than the range before), in nanoseconds
 * and nanoseconds per byte. A message of n bytes, no less than 1, takes
 *
 *	o_s + n O_s + L + (n - 1) G + o_r + n O_r
 *
 * from the start of its send to the end of its receive; the first two and the
 * last two keep the CPUs of the sender and the receiver. Between nodes each NIC
 * is kept for g + (n - 1) G on its way out, and the same on its way in.
 *
 * rendezvous: what travels first is a request, answered when the receive has
 * begun, so that it takes o_s + L + o_r + L + L + (n - 1) G + o_r + n O_r at
 * least; the sender has finished another L + o_r after the receiver's NIC has
 * the data.
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
	int nranges; /* 1 .. SIM_RANGES, ascending */
	struct sim_range ranges[SIM_RANGES];
	double atomic; /* ns that one atomic keeps its 64-bit word */
	/* measured between these sizes; max 0: not measured, assumed */
	uint64_t measured_min, measured_max;
};

struct sim_fabric {
	char name[64];
	struct sim_link levels[SIM_LEVELS];
	double reduce, copy; /* ns per byte of the result */
	double turn; /* ns that a CPU takes from one waiting rank to the next */
	int measured_nodes; /* up to so many nodes; 0: none */
};

/* Is it a possible one? False: why (of whyl bytes) names level, range and
 * field. */
bool sim_fabric_check(const struct sim_fabric *fabric, char *why, size_t whyl);

/* ---- The topology -------------------------------------------------------- */

/*
 * Groups of nodes, and groups of these; all traffic that leaves or enters a
 * group shares its links, which are one pool each way. Texts:
 *
 *	flat				all nodes on one switch
 *	fattree:NODES			so many nodes on a leaf, any number of
 *					leaves
 *	fattree:NODESxLEAVES		three stages: so many leaves in a pod
 *	dragonfly:NODESxROUTERS		so many nodes on a router, routers in
 *					a group, any number of groups
 *
 * followed by any of
 *
 *	,taper=T	a group has one link out for each T nodes of it (1);
 *			0: as many as are wanted
 *	,hop=NS		each link between switches adds so much latency (0)
 *
 * Level leaf is within the first group, everything else is level other.
 */
enum { SIM_TIERS = 2 };
struct sim_tier {
	long nodes;   /* in a group */
	double links; /* of a group, each way; as fast as a node's */
	int hops;     /* links between switches if the groups differ */
};

struct sim_topology {
	int tiers; /* 0: flat */
	struct sim_tier tier[SIM_TIERS];
	double hop; /* ns */
};

/* False: why names the field. */
bool sim_topology_parse(const char *text, struct sim_topology *topology,
			char *why, size_t whyl);

/* ---- What is simulated --------------------------------------------------- */

struct sim_job {
	const struct sim_fabric *fabric;
	struct sim_topology topology; /* zeroed: flat */
	int nodes, ppn;		      /* ranks are nodes * ppn */
	bool cyclic;		      /* ranks go to the nodes in turn */
	int caches;		      /* groups of a node; 0: 1 */
	int cpus; /* of a node, which its ranks share; 0: one for each */
	enum collective collective;
	struct choice choice; /* algorithm NULL: the library's own choice */
	int root;
	size_t count, type_size; /* as in a shape (coll/plan/shape.h) */
	bool in_order;		 /* the operation does not commute */
	uint8_t combine;	 /* enum combine */
	/*
	 * A part of all uses of CPUs, by chance, is interrupted: each takes
	 * longer by an exponentially distributed time of mean `noise` ns with
	 * probability noise_chance. The same seed, the same result.
	 */
	double noise, noise_chance;
	uint64_t seed;
	/* SIM_AUTO: the fastest engine that is exact for this job. */
	enum sim_engine {
		SIM_AUTO,
		SIM_HEAP,    /* all events in the order of time */
		SIM_FLOW,    /* rank by rank, as far as its messages are here */
		SIM_SYMMETRY /* one rank (or node) for all that do the same */
	} engine;
	bool hashes; /* wanted in the result */
};

enum sim_part {
	SIM_OVERHEAD,  /* CPUs: o_s, o_r, O_s, O_r, copies, noise */
	SIM_LATENCY,   /* L, hops */
	SIM_BANDWIDTH, /* (n - 1) G */
	SIM_QUEUEING,  /* waiting for a NIC, a pool of links, a word, a CPU */
	SIM_REDUCTION,
	SIM_PARTS
};
extern const char *const sim_part_names[SIM_PARTS]; /* "overhead", ... */

struct sim_result {
	double time;		/* ns until the last rank has finished */
	double part[SIM_PARTS]; /* of the critical path; they make `time` */
	int last_rank;
	/* messages and one-sided operations of all ranks, and their bytes */
	double messages[SIM_LEVELS], bytes[SIM_LEVELS];
	/* NULL: every message has a size that was measured at its level, on
	 * no more nodes; else what lies outside. Static text. */
	const char *outside;
	struct choice choice;	/* what was simulated */
	enum sim_engine engine; /* what has done it */
	/* [ranks] of each rank's steps, in plan order (coll/plan/step_hash.h),
	 * for sim_result_fini; NULL if not asked for */
	uint64_t *hashes;
	uint64_t hash; /* of all of them; 0 if not asked for */
};

/*
 * MRT_SUCCESS; MRT_ERR_ARG: impossible, and why says what (algorithm that does
 * not fit, more than 2^24 ranks, ...); MRT_ERR_NO_MEM; MRT_ERR_UNSUPPORTED:
 * the engine that was asked for cannot do this job, or none can, and why says
 * so; MRT_ERR_INTERNAL: plans that do not fit each other. On errors result is
 * not set.
 */
int sim_run(const struct sim_job *job, struct sim_result *result, char *why,
	    size_t whyl);
void sim_result_fini(struct sim_result *result);
#endif
