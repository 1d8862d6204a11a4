/* SPDX-License-Identifier: Apache-2.0 */
/*
 * env_defs.h: every MRT_* variable, one row each. It is included several times:
 * the struct (env.h) and the parser (env.c) come from these rows alone, and
 * through them mrt-info, mrun --help-env and the man page mrt-env(7).
 *
 *   ENV_INT(field, NAME, default, min, max, help)    an integer
 *   ENV_SIZE(field, NAME, default, min, max, help)   bytes; K, M, G suffixes
 *   ENV_ENUM(field, NAME, default, choices, help)    index into a|b|c; its
 *                                                    value may be a number
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
	 "Counters printed at the end: of the job, also per rank or peer")
ENV_STR(stats_file, "MRT_STATS_FILE", "",
	"CSV file for the counters of all ranks; empty: none")
ENV_STR(trace, "MRT_TRACE", "",
	"Folder in which each rank traces what it does, for mrt-trace")
ENV_SIZE(trace_size, "MRT_TRACE_SIZE", 4194304, 65536, 1073741824,
	 "Bytes of a rank's trace, which keeps the last events: 32 bytes each")
ENV_ENUM(fabric, "MRT_FABRIC", 0, "auto" FABRIC_NAMES,
	 "Fabric of all messages; auto: sm inside a node, verbs between nodes")
ENV_SIZE(sm_eager_max, "MRT_SM_EAGER_MAX", 8192, 0, 393216,
	 "Longest message, in bytes, sent eagerly through shared memory")
ENV_SIZE(sm_ring, "MRT_SM_RING", 32768, 8192, 1048576,
	 "Bytes of a ring from rank to rank, until it grows; a power of two")
ENV_ENUM(sm_backing, "MRT_SM_BACKING", 0, "auto|memfd|shm",
	 "Backing of the shared segment: a memfd, or a file in /dev/shm")
ENV_SIZE(sm_chunk, "MRT_SM_CHUNK", 524288, 4096, 16777216,
	 "Bytes of a large copy that are moved between two polls of the rings")
ENV_ENUM(sm_cma, "MRT_SM_CMA", 2, "no|yes|auto",
	 "Copy by process_vm_readv; no: by shared buffers; auto: by the faster")
ENV_STR(
    ib_device, "MRT_IB_DEVICE", "",
    "RDMA devices that may be used, as mlx5_0,mlx5_2:1; ^mlx5_3: all others")
ENV_INT(ib_port, "MRT_IB_PORT", 0, 0, 255,
	"Port of the RDMA devices that may be used; 0: any active one")
ENV_INT(gid_index, "MRT_GID_INDEX", -1, -1, 255,
	"GID index of the RDMA port; -1: a RoCE v2 address, IPv4 if possible")
ENV_STR(ib_pkey, "MRT_IB_PKEY", "",
	"Key of the InfiniBand partition, as 0x8001; empty: the port's first")
ENV_INT(ib_sl, "MRT_IB_SL", 0, 0, 15,
	"Service level of InfiniBand; priority of RoCE without a traffic class")
ENV_INT(ib_tc, "MRT_IB_TC", -1, -1, 255,
	"Traffic class: DSCP times 4, and ECN; -1: the port's, or 106 of RoCE")
ENV_SIZE(ib_eager_max, "MRT_IB_EAGER_MAX", 8176, 0, 65536,
	 "Longest message, in bytes, sent eagerly over verbs")
ENV_SIZE(ib_pool, "MRT_IB_POOL", 4194304, 65536, 1073741824,
	 "Most bytes that receive buffers, and send buffers, may grow to")
ENV_INT(ib_timeout, "MRT_IB_TIMEOUT", 19, 8, 24,
	"Timeout of an acknowledgement: 4.096 us times 2 to this power")
ENV_INT(ib_retry, "MRT_IB_RETRY", 7, 0, 7,
	"Times an unacknowledged packet is sent again; Soft-RoCE: 6 at most")
ENV_INT(ib_rails, "MRT_IB_RAILS", 2, 1, 2,
	"RDMA ports that a rank uses: long reads are spread over two")
ENV_STR(
    ofi_provider, "MRT_OFI_PROVIDER", "",
    "Providers of libfabric that may be used, as tcp, or none; empty: known")
ENV_STR(ofi_iface, "MRT_OFI_IFACE", "",
	"Interfaces libfabric may use, as eth0 or 10.1.0.0/16; empty: any")
ENV_INT(ib_peers, "MRT_IB_PEERS", 0, 0, 65536,
	"Most ranks that a rank is connected to over verbs; 0: by the device")
ENV_INT(ib_datagrams, "MRT_IB_DATAGRAMS", 8, 0, 65536,
	"Messages to a peer over verbs before it is connected")
ENV_INT(mesh_max, "MRT_MESH_MAX", 256, 0, 65536,
	"Most ranks that all connect at start; larger jobs: at first use")
ENV_SIZE(reg_cache, "MRT_REG_CACHE", 1073741824, 0, 1099511627776,
	 "Most bytes of memory that stay registered after use; 0: none")
ENV_INT(reg_cache_entries, "MRT_REG_CACHE_ENTRIES", 1024, 1, 16384,
	"Most ranges of memory that stay registered after use")
ENV_SIZE(gather_min, "MRT_GATHER_MIN", 1024, 0, 1099511627776,
	 "Mean bytes per piece from which the fabric gathers instead of libmrt")
ENV_INT(spin, "MRT_SPIN", -1, -1, 1000000000,
	"Polls before a rank yields; -1: by the node's ranks and cores")
ENV_INT(sleep_us, "MRT_SLEEP_US", -1, -1, 1000000000,
	"Idle microseconds before a rank sleeps; -1: by CPU quota and device")
ENV_INT(slice_us, "MRT_SLICE_US", 100, 0, 100000,
	"Microseconds of the time slice a rank asks for; 0: the system's")
ENV_INT(timeout_s, "MRT_TIMEOUT", 300, 1, 86400,
	"Seconds that start-up waits while no rank of the node is seen to come")
ENV_INT(hang_warn, "MRT_HANG_WARN", 60, 0, 86400,
	"Seconds a rank waits before a report says for what; 0: no report")
ENV_INT(hang_timeout, "MRT_HANG_TIMEOUT", 0, 0, 86400,
	"Seconds a rank waits before the job is ended; 0: no limit")
ENV_STR(hang_json, "MRT_HANG_JSON", "",
	"File that mrun writes each report of a job that hangs to, as JSON")
ENV_ENUM(backtrace, "MRT_BACKTRACE", 1, "no|yes",
	 "A rank that a signal such as SIGSEGV kills says where it crashed")
ENV_ENUM(check, "MRT_CHECK", 0, "no|yes",
	 "Check collectives, types, threads, windows, and what is left")
ENV_ENUM(tty, "MRT_TTY", 0, "no|yes",
	 "Programs show progress on stderr; mrun sets yes on a terminal")
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
	"Ranks per group inside a node in hierarchical plans; 0: by cache")
ENV_STR(
    topology, "MRT_TOPOLOGY", "",
    "File of the nodes' switches, or none; empty: what Slurm's variables tell")
ENV_STR(tune_file, "MRT_TUNE_FILE", "",
	"File of algorithm choices, written by mrt-tune; empty: none")
ENV_ENUM(progress, "MRT_PROGRESS", 0, "calls|thread",
	 "What makes progress: calls of the program alone, or a thread, too")
ENV_ENUM(win_atomics, "MRT_WIN_ATOMICS", 0, "auto|cpu",
	 "What accumulates 8-byte integers between nodes: the device, or a CPU")
ENV_ENUM(coll_direct, "MRT_COLL_DIRECT", 1, "no|yes",
	 "Collectives inside a node use shared memory instead of messages")
ENV_ENUM(engine, "MRT_ENGINE", 0, "auto|local|slurm|prterun|mpirun",
	 "Program that starts the ranks for mrun, as with option --engine")
ENV_ENUM(stream_buffering, "MRT_STREAM_BUFFERING", 1, "none|line|full",
	 "How much a rank's stdout holds back, as with --stream-buffering")
ENV_ENUM(initial_errhandler, "MRT_INITIAL_ERRHANDLER", 0,
	 "mpi_errors_are_fatal|mpi_errors_abort|mpi_errors_return",
	 "Error handler of an MPI program, until it sets another")
ENV_STR(cc, "MRT_CC", "", "Compiler that mrtcc runs; empty: the configured one")
ENV_STR(cxx, "MRT_CXX", "",
	"C++ compiler that mrtcc runs; empty: the configured one")
ENV_STR(prefix, "MRT_PREFIX", "",
	"Where mrtcc finds libmrt; empty: where it was configured to be")

#undef ENV_INT
#undef ENV_SIZE
#undef ENV_ENUM
#undef ENV_STR
