/* SPDX-License-Identifier: Apache-2.0 */
/*
 * env_defs.h: every MRT_* variable, one row each. Included several times: the
 * struct (env.h), the parser (env.c), and through it mrt-info, mrun
 * --help-env and the man page mrt-env(7) come from these rows alone.
 *
 *   ENV_INT(field, NAME, default, min, max, help)    an integer
 *   ENV_SIZE(field, NAME, default, min, max, help)   bytes; K, M, G suffixes
 *   ENV_ENUM(field, NAME, default, choices, help)    index into a|b|c; a
 *                                                    number is taken as one
 *   ENV_STR(field, NAME, default, help)              any text
 */
#ifndef ENV_INT
#define ENV_INT(f, n, d, lo, hi, h)
#endif
#ifndef ENV_SIZE
#define ENV_SIZE(f, n, d, lo, hi, h)
#endif
#ifndef ENV_ENUM
#define ENV_ENUM(f, n, d, c, h)
#endif
#ifndef ENV_STR
#define ENV_STR(f, n, d, h)
#endif

ENV_ENUM(log, "MRT_LOG", 1, "error|warn|info|debug",
	 "How much libmrt prints on stderr")
ENV_ENUM(stats, "MRT_STATS", 0, "no|job|rank|peer",
	 "Print counters at the end: of the job, also of each rank or peer")
ENV_STR(stats_file, "MRT_STATS_FILE", "",
	"File for the counters of all ranks as CSV; empty: none")
ENV_ENUM(fabric, "MRT_FABRIC", 0, "auto|sm|verbs",
	 "Which fabric carries all messages; auto: the nearest to each peer")
ENV_SIZE(sm_eager_max, "MRT_SM_EAGER_MAX", 8192, 0, 393216,
	 "Longest message, in bytes, that shared memory sends eagerly")
ENV_SIZE(sm_ring, "MRT_SM_RING", 32768, 8192, 1048576,
	 "Bytes of the data ring between two ranks; rounded to a power of two")
ENV_ENUM(sm_backing, "MRT_SM_BACKING", 0, "auto|memfd|shm",
	 "Where the shared segment lives: a memfd, or a file in /dev/shm")
ENV_SIZE(sm_chunk, "MRT_SM_CHUNK", 524288, 4096, 16777216,
	 "Most bytes of a large copy moved between two looks at the rings")
ENV_ENUM(sm_cma, "MRT_SM_CMA", 1, "no|yes",
	 "Copy large messages once, by process_vm_readv; no: through the rings")
ENV_STR(ib_device, "MRT_IB_DEVICE", "",
	"RDMA device to use; empty: the nearest with an active port")
ENV_INT(ib_port, "MRT_IB_PORT", 0, 0, 255,
	"Port of the RDMA device; 0: an active one")
ENV_INT(gid_index, "MRT_GID_INDEX", -1, -1, 255,
	"Address of the RDMA port; -1: RoCE v2 and IPv4 if there is one")
ENV_SIZE(ib_eager_max, "MRT_IB_EAGER_MAX", 8176, 0, 65536,
	 "Longest message, in bytes, that verbs sends eagerly")
ENV_SIZE(ib_pool, "MRT_IB_POOL", 4194304, 65536, 1073741824,
	 "Bytes up to which receive buffers, and send buffers, grow with use")
ENV_INT(ib_timeout, "MRT_IB_TIMEOUT", 17, 8, 24,
	"Wait for an acknowledgement is 4.096 us times 2 to this")
ENV_INT(ib_retry, "MRT_IB_RETRY", 6, 0, 6,
	"Times that a packet without acknowledgement is sent again")
ENV_INT(mesh_max, "MRT_MESH_MAX", 256, 0, 65536,
	"Ranks up to which all connect at start; above, at first use")
ENV_SIZE(reg_cache, "MRT_REG_CACHE", 1073741824, 0, 1099511627776,
	 "Bytes of memory that stay registered after use; 0: none")
ENV_INT(reg_cache_entries, "MRT_REG_CACHE_ENTRIES", 1024, 1, 16384,
	"Ranges of memory that stay registered after use")
ENV_SIZE(gather_min, "MRT_GATHER_MIN", 1024, 0, 1099511627776,
	 "Mean bytes of a piece from which the fabric gathers, not libmrt")
ENV_INT(spin, "MRT_SPIN", -1, -1, 1000000000,
	"Polls before yielding the core; -1: by ranks and cores of the node")
ENV_INT(sleep_us, "MRT_SLEEP_US", -1, -1, 1000000000,
	"Microseconds of nothing before a rank sleeps; -1: by the CPU quota")
ENV_INT(timeout_s, "MRT_TIMEOUT", 60, 1, 86400,
	"Seconds that start-up waits for the other ranks before it fails")
ENV_INT(hang_warn, "MRT_HANG_WARN", 60, 0, 86400,
	"Seconds that a rank waits before a report says for whom; 0: none")
ENV_INT(hang_timeout, "MRT_HANG_TIMEOUT", 0, 0, 86400,
	"Seconds that a rank waits before the job is ended; 0: for ever")
ENV_ENUM(check, "MRT_CHECK", 0, "no|yes",
	 "Check collectives of all ranks, calls of threads, and what is left")
ENV_ENUM(tty, "MRT_TTY", 0, "no|yes",
	 "Programs show progress on stderr; mrun says yes on a terminal")
ENV_STR(barrier, "MRT_BARRIER", "", "Algorithm of barrier; empty: chosen")
ENV_STR(bcast, "MRT_BCAST", "", "Algorithm of bcast; empty: chosen")
ENV_STR(reduce, "MRT_REDUCE", "", "Algorithm of reduce; empty: chosen")
ENV_STR(allreduce, "MRT_ALLREDUCE", "", "Algorithm of allreduce; empty: chosen")
ENV_STR(gather, "MRT_GATHER", "", "Algorithm of gather; empty: chosen")
ENV_STR(gatherv, "MRT_GATHERV", "", "Algorithm of gatherv; empty: chosen")
ENV_STR(scatter, "MRT_SCATTER", "", "Algorithm of scatter; empty: chosen")
ENV_STR(scatterv, "MRT_SCATTERV", "", "Algorithm of scatterv; empty: chosen")
ENV_STR(allgather, "MRT_ALLGATHER", "", "Algorithm of allgather; empty: chosen")
ENV_STR(allgatherv, "MRT_ALLGATHERV", "",
	"Algorithm of allgatherv; empty: chosen")
ENV_STR(alltoall, "MRT_ALLTOALL", "", "Algorithm of alltoall; empty: chosen")
ENV_STR(alltoallv, "MRT_ALLTOALLV", "",
	"Algorithm of alltoallv and alltoallw; empty: chosen")
ENV_STR(reduce_scatter_block, "MRT_REDUCE_SCATTER_BLOCK", "",
	"Algorithm of reduce_scatter_block; empty: chosen")
ENV_STR(reduce_scatter, "MRT_REDUCE_SCATTER", "",
	"Algorithm of reduce_scatter; empty: chosen")
ENV_STR(scan, "MRT_SCAN", "", "Algorithm of scan; empty: chosen")
ENV_STR(exscan, "MRT_EXSCAN", "", "Algorithm of exscan; empty: chosen")
ENV_STR(neighbor_allgather, "MRT_NEIGHBOR_ALLGATHER", "",
	"Algorithm of neighbor_allgather; empty: chosen")
ENV_STR(neighbor_alltoall, "MRT_NEIGHBOR_ALLTOALL", "",
	"Algorithm of neighbor_alltoall; empty: chosen")
ENV_INT(coll_group, "MRT_COLL_GROUP", 0, 0, 65536,
	"Ranks of a node that hierarchies take as one group; 0: by cache")
ENV_STR(tune_file, "MRT_TUNE_FILE", "",
	"Choices of algorithms, written by mrt-tune; empty: none")
ENV_ENUM(coll_direct, "MRT_COLL_DIRECT", 1, "no|yes",
	 "Collectives inside a node through shared memory, not messages")
ENV_ENUM(engine, "MRT_ENGINE", 0, "auto|local|slurm|prterun|mpirun",
	 "Who starts the ranks for mrun, as its option --engine says")
ENV_STR(cc, "MRT_CC", "", "Compiler that mrtcc runs; empty: the configured one")
ENV_STR(cxx, "MRT_CXX", "",
	"C++ compiler that mrtcc runs; empty: the configured one")
ENV_STR(prefix, "MRT_PREFIX", "",
	"Where mrtcc finds libmrt; empty: where it was configured to be")

#undef ENV_INT
#undef ENV_SIZE
#undef ENV_ENUM
#undef ENV_STR
