/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.h: the provider contract. Shaped after verbs, so that the verbs
 * provider is a thin layer; shared memory (sm/) imitates it, and tests/fake
 * has one that misbehaves on a seed. A job over several nodes has two open:
 * one inside each node, one between them.
 *
 * Threads: all members are called by one thread at a time (the caller locks).
 * Errors: 0, a negative MRT_ERR_* (already logged by the provider), or
 * ERR_AGAIN: back-pressure, nothing has happened, call again after progress.
 * Completion: an operation with a struct fab_op calls op->done exactly once,
 * from inside progress() or from inside the call that starts it.
 */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct boot_job;
struct fab;	/* an open fabric */
struct fab_ep;	/* the connection to one peer */
struct fab_mem; /* registered memory; private to the provider */
struct counters;

/* What a peer needs to reach registered memory; travels on the wire. */
struct fab_key {
	uint64_t word[2];
};

/* A one-sided operation under way; owned by the caller until done. */
struct fab_op {
	/* status: 0 or MRT_ERR_* */
	void (*done)(struct fab_op *op, int status);
};

/* Where a fabric delivers. Called inside progress(); may call send. */
struct fab_sink {
	/*
	 * A message has arrived from world rank `peer`. data[len] is valid
	 * during the call only and must be taken then; hdr is the sender's.
	 */
	void (*recv)(int peer, uint64_t hdr, const void *data, size_t len);
	/*
	 * Ends the sleep of this rank, which may be in another fabric's wait:
	 * for fabrics whose events come on a thread of their own.
	 */
	void (*wake)(void);
	/* The application may have threads that do not call us. */
	bool threads;
};

struct fab_ops {
	const char *name; /* "sm": MRT_FABRIC, mrt-info, messages */
	bool node_only;	  /* joins the ranks of one node, not more */

	/*
	 * Before all else, while the process may still have one thread: what
	 * takes long once it has more. Nothing undoes it. NULL: nothing.
	 */
	void (*prepare)(void);

	/*
	 * Can this provider carry the job? Returns NULL if so, else the
	 * reason, as text of static storage. No side effects.
	 */
	const char *(*unfit)(const struct boot_job *job);

	/*
	 * Opens the fabric for this rank and publishes its address with
	 * boot_put. All ranks open the same fabrics; then comes one
	 * boot_fence for all, then wire, which reads the others' addresses.
	 * Peers are reachable after that. close undoes both.
	 */
	int (*open)(const struct boot_job *job, const struct fab_sink *sink,
		    struct fab **fab);
	int (*wire)(struct fab *fab);

	/* Releases everything. Peers have stopped using us (the caller has
	 * synchronised). NULL is fine. */
	void (*close)(struct fab *fab);

	/* The connection to world rank `peer`, which may be this rank.
	 * Owned by the fabric. MRT_ERR_NO_FABRIC (not logged) if this fabric
	 * does not reach it. */
	int (*connect)(struct fab *fab, int peer, struct fab_ep **ep);

	/*
	 * Sends one message of at most ep->send_max bytes gathered from
	 * iov[n], reliably and in order per peer. The buffers are free again
	 * at return. ERR_AGAIN when there is no credit.
	 */
	int (*send)(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov,
		    int n);

	/*
	 * If the peer's next message is here and has this header, is plainly
	 * one of send's and fits: copies it to buf and returns its length,
	 * else -1, and it goes to the sink as usual. Only the caller of
	 * progress, not from inside. NULL: not offered.
	 */
	ssize_t (*take)(struct fab_ep *ep, uint64_t hdr, void *buf,
			size_t room);

	/*
	 * Makes memory reachable by peers: *key goes to them on the wire.
	 * Never ERR_AGAIN; a provider without resources gives a key with
	 * which read still works, more slowly.
	 */
	int (*mem_register)(struct fab *fab, void *addr, size_t len,
			    struct fab_mem **mem, struct fab_key *key);
	/* Ends that; no operation of a peer on it may be under way. */
	void (*mem_deregister)(struct fab *fab, struct fab_mem *mem);

	/*
	 * Copies `len` bytes at `remote` (an address of the peer, inside the
	 * memory that `key` names) to dst. Any length; needs progress() here,
	 * and may need it at the peer.
	 */
	int (*read)(struct fab_ep *ep, void *dst, uint64_t remote,
		    struct fab_key key, size_t len, struct fab_op *op);
	/* The other way; once it is done the bytes are there. */
	int (*write)(struct fab_ep *ep, const void *src, uint64_t remote,
		     struct fab_key key, size_t len, struct fab_op *op);
	/*
	 * The same from iov[n], n > 0 pieces of which none is empty, to one
	 * range. List and pieces must stay until it is done. NULL: this fabric
	 * does not gather.
	 */
	int (*writev)(struct fab_ep *ep, const struct iovec *iov, int n,
		      uint64_t remote, struct fab_key key, struct fab_op *op);
	/*
	 * Atomics on an aligned uint64_t of the peer; *result gets the value
	 * before. Atomic with respect to the same provider only (DESIGN on
	 * NIC and CPU atomics).
	 */
	int (*fetch_add)(struct fab_ep *ep, uint64_t remote, struct fab_key key,
			 uint64_t add, uint64_t *result, struct fab_op *op);
	int (*compare_swap)(struct fab_ep *ep, uint64_t remote,
			    struct fab_key key, const uint64_t exchange[2],
			    uint64_t *result, struct fab_op *op);

	/*
	 * Delivers what has arrived and moves what is under way. Returns the
	 * number of events; 0 is "nothing happened". Not re-entered from its
	 * own callbacks.
	 */
	int (*progress)(struct fab *fab);

	/*
	 * Sleeping: arm, then progress once more, then wait. wait returns
	 * when something may have happened since arm, or after timeout_us;
	 * spuriously as it likes. disarm ends an armed state without a wait.
	 */
	void (*arm)(struct fab *fab);
	void (*disarm)(struct fab *fab);
	void (*wait)(struct fab *fab, unsigned timeout_us);
	/* Ends a wait of this rank; async-signal- and thread-safe. */
	void (*wake)(struct fab *fab);
	/* Now and then in a long wait: raises a fault if a peer has died, where
	 * the fabric can tell without being asked. NULL: it cannot. */
	void (*check_peers)(struct fab *fab);

	/* Zero-filled memory that peers of the node can map, if the fabric
	 * shares memory (mrt_alloc). */
	int (*heap_alloc)(struct fab *fab, size_t len, void **ptr);
	int (*heap_free)(struct fab *fab, void *ptr);
	/* Local address of a peer's heap memory. MRT_ERR_BUFFER: it is none,
	 * MRT_ERR_NO_FABRIC: it cannot be mapped here. */
	int (*heap_map)(struct fab_ep *ep, uint64_t remote, size_t len,
			void **local);

	/*
	 * The rest is offered by fabrics inside a node, else NULL.
	 *
	 * shared: memory that all ranks of the node see at the same offset,
	 * zero-filled at open, for flags of collectives; *len gets its size.
	 */
	void *(*shared)(struct fab *fab, size_t *len);
	/*
	 * The same for payload: fab->bulk_len bytes, mapped at the first call,
	 * so that a job without long collectives does not pay for it. NULL
	 * (logged): no memory.
	 */
	void *(*shared_bulk)(struct fab *fab);
	/* After storing flags there: wakes the ranks of the node that sleep. */
	void (*notify)(struct fab *fab);
	/* May the scheduler put that rank on a CPU where it may put this one?
	 */
	bool (*shares_cpu)(const struct fab *fab, int rank);

	/* Adds rows of what it has counted since open (MRT_STATS). NULL: it
	 * counts nothing. */
	void (*stats)(struct fab *fab, struct counters *t);
};

/* First member of every provider's own struct. */
struct fab {
	const struct fab_ops *ops;
	struct fab *next; /* farther; NULL: none */
	struct fab_sink sink;
	size_t bulk_len; /* of shared_bulk */
	/* CPUs that the node's ranks may use together, without taking them
	 * from the fabric's own work; sm: the same on all of them */
	int node_cpus;
	/* a rank that polls may keep the CPU from another, or from the
	 * fabric's own work; CPUs alone count */
	bool crowded;
	/* the node's ranks have less CPU time than would keep them all busy,
	 * wherever they run: whoever polls uses up that of the others */
	bool metered;
};

/* The user's messages to a peer, by p2p's protocols. Two arrays, since a pair
 * of counters would be added to by more instructions, of vectors. */
enum fab_way { WAY_EAGER, WAY_SYNC, WAY_RENDEZVOUS, WAY_PUSH, WAYS };
struct fab_sent {
	uint64_t messages[WAYS], bytes[WAYS];
};

/* First member of every provider's own struct. */
struct fab_ep {
	const struct fab_ops *ops;
	struct fab *fab;
	int peer;	  /* world rank */
	size_t send_max;  /* longest message of send; may grow */
	size_t eager_max; /* up to here eager beats rendezvous; <= send_max */
	struct fab_sent sent; /* counted by p2p, here as the line is touched */
};

/* The providers, one per folder below. */
extern const struct fab_ops sm_ops;
extern const struct fab_ops verbs_ops;

/* Those built in, nearest first; ends with NULL. */
extern const struct fab_ops *const fab_providers[];
/* The list in force: fab_providers, or what a test has put there before init.
 */
extern const struct fab_ops *const *fab_list;

/* Calls all prepare, before it is known which ones the job needs. */
void fab_prepare(void);

/*
 * Opens what this job needs, nearest first: the provider that MRT_FABRIC names
 * alone, or providers in the order of the list until every rank is reached.
 * MRT_ERR_NO_FABRIC (logged with each one's reason) if one is not. *fabs is
 * the list of those open, also after an error: close it.
 */
int fab_open(const struct boot_job *job, const struct fab_sink *sink,
	     struct fab **fabs);
/* Closes all of the list, farthest first. */
void fab_close(struct fab *fabs);
/* The connection to a rank by the nearest fabric that reaches it. */
int fab_connect(struct fab *fabs, int peer, struct fab_ep **ep);
#endif
