/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.h: the provider contract. Its shape follows verbs, so that the verbs
 * provider is a thin layer; shared memory (sm/) imitates it, and tests/fake has
 * one that misbehaves on a seed. A job over several nodes opens two: one inside
 * each node, one between them. struct fab_ops is what reaches a peer wherever
 * it is; struct node_ops is what ranks of one node can do besides.
 *
 * Threads: all members but wait and wake are called by one thread at a time
 * (the caller locks).
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

#include "runtime/base/fabrics.h"
#include "runtime/base/list.h"
#include "runtime/topo/topo.h"

struct boot_job;
struct pieces;
struct fab;	/* an open fabric */
struct fab_ep;	/* the connection to one peer */
struct fab_mem; /* registered memory; private to the provider */
struct counters;

/* A peer needs this to access registered memory; it travels on the wire. */
struct fab_key {
	uint64_t word[2];
};

/* A one-sided operation in progress; owned by the caller until done is
 * called. */
struct fab_op {
	/* status: 0 or MRT_ERR_* */
	void (*done)(struct fab_op *op, int status);
};

/*
 * A message whose bytes do not lie in one piece. copy moves bytes at .. at +
 * len - 1 of its packed form to buf, or from buf if it is a destination. Called
 * inside progress() or inside the call that starts the operation, for parts in
 * order, that begin at multiples of FAB_PART; an operation that begins anew
 * copies from byte 0 again.
 */
enum { FAB_PART = 64 };
struct fab_packer {
	void (*copy)(struct fab_packer *packer, size_t at, size_t len,
		     void *buf);
};

enum { FAB_WORDS = 4, FAB_CARD_MAX = 1 << 14 };

/* A fabric delivers messages to a sink, inside progress(); it may call send. */
struct fab_sink {
	/* A message from world rank `peer` has arrived. data[len] is valid
	 * during the call only; hdr is the sender's. */
	void (*recv)(int peer, uint64_t hdr, const void *data, size_t len);
	/* Ends the sleep of this rank, perhaps in another fabric's wait; for
	 * fabrics whose events arrive on a thread of their own. */
	void (*wake)(void);
	/* The application may have threads that do not call libmrt. */
	bool threads;
	/* Peers find these in struct fab_home: the cache that this rank is
	 * bound to, the switches of the node (struct place; set by fab_open),
	 * and words of whoever has opened the fabric. */
	int cache;
	uint64_t switches;
	uint64_t words[FAB_WORDS];
};

/* The use that peers make of memory is said when it is registered. */
enum fab_use {
	FAB_READ_ONCE,	  /* one of them reads it, once; the fabric may help */
	FAB_WRITTEN_ONCE, /* one of them writes it, once */
	FAB_KEPT	  /* anything, until it is deregistered */
};

struct fab_ops {
	const char *name; /* "sm": MRT_FABRIC, mrt-info, messages */
	bool node_only;	  /* connects only ranks of one node */

	/* Does what takes long once the process has several threads; called
	 * before all else, perhaps with one thread. Nothing undoes it. NULL:
	 * nothing to do. */
	void (*prepare)(void);

	/* Returns NULL if this provider can carry the job, else the reason, as
	 * text of static storage. It may keep what it has found for open, which
	 * follows at once or never. */
	const char *(*unfit)(const struct boot_job *job);

	/* Opens the fabric for this rank. Then follow a boot_fence, wire of the
	 * one inside the node, modex_open and, when all nodes have opened the
	 * same, wire of the one between nodes (choose.c). wire makes peers
	 * reachable: the first has published its address with boot_put in open,
	 * the second has left its card in struct fab. close undoes both; it may
	 * come before wire. */
	int (*open)(const struct boot_job *job, const struct fab_sink *sink,
		    struct fab **fab);
	int (*wire)(struct fab *fab);

	/* Releases everything. The caller has synchronised, so no peer uses
	 * this rank any more. Accepts NULL. */
	void (*close)(struct fab *fab);

	/* Gets the connection to world rank `peer`, which may be this rank,
	 * when it is used for the first time; the fabric owns it.
	 * MRT_ERR_NO_FABRIC (not logged): this fabric does not reach it. */
	int (*connect)(struct fab *fab, int peer, struct fab_ep **ep);

	/* Sends one message of at most ep->send_max bytes gathered from iov[n],
	 * reliably and in order per peer. The buffers are free again at return.
	 * ERR_AGAIN: no credit. */
	int (*send)(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov,
		    int n);

	/*
	 * Receives the peer's next message directly: if it has arrived with
	 * this header, was sent by send and fits, copies it to buf and returns
	 * its length. Else returns -1, and the message goes to the sink as
	 * usual. Only for the caller of progress, not from inside it. NULL: not
	 * offered.
	 */
	ssize_t (*take)(struct fab_ep *ep, uint64_t hdr, void *buf,
			size_t room);

	/* Makes memory accessible to peers: *key goes to them on the wire.
	 * Never ERR_AGAIN; a provider without resources gives a key with which
	 * read still works, more slowly. */
	int (*mem_register)(struct fab *fab, void *addr, size_t len,
			    enum fab_use use, struct fab_mem **mem,
			    struct fab_key *key);
	/* Ends the access; no operation of a peer on it may be in progress. */
	void (*mem_deregister)(struct fab *fab, struct fab_mem *mem);

	/* Copies `len` bytes from `remote` (an address of the peer inside the
	 * memory that `key` names) to dst. Any length; needs progress() here
	 * and perhaps at the peer. */
	int (*read)(struct fab_ep *ep, void *dst, uint64_t remote,
		    struct fab_key key, size_t len, struct fab_op *op);
	/* Copies `len` bytes from src to `remote`; they are there once it is
	 * done. */
	int (*write)(struct fab_ep *ep, const void *src, uint64_t remote,
		     struct fab_key key, size_t len, struct fab_op *op);
	/* Like write from iov[n], n > 0 pieces of which none is empty, to one
	 * range. List and pieces must stay until it is done. NULL: this fabric
	 * does not gather. */
	int (*writev)(struct fab_ep *ep, const struct iovec *iov, int n,
		      uint64_t remote, struct fab_key key, struct fab_op *op);
	/* Gets the connection of this rank to itself by which its atomics on
	 * mem, registered here, or on any memory for NULL, are those of the
	 * device, as peers' are. MRT_ERR_NO_FABRIC (not logged): a CPU applies
	 * them. NULL: it always does. */
	int (*loopback)(struct fab *fab, const struct fab_mem *mem,
			struct fab_ep **ep);
	/* Atomics on an aligned uint64_t of the peer; *result gets the former
	 * value. Atomic only with respect to the same provider
	 * (docs/architecture.md on NIC and CPU atomics). */
	int (*fetch_add)(struct fab_ep *ep, uint64_t remote, struct fab_key key,
			 uint64_t add, uint64_t *result, struct fab_op *op);
	int (*compare_swap)(struct fab_ep *ep, uint64_t remote,
			    struct fab_key key, const uint64_t exchange[2],
			    uint64_t *result, struct fab_op *op);

	/* Delivers what has arrived and advances what is in progress. Returns
	 * the number of events, 0 if nothing happened. Not called from its own
	 * callbacks. */
	int (*progress)(struct fab *fab);

	/* To sleep, call arm, then progress once more, then wait. wait returns
	 * when something may have happened since arm, after timeout_us, or
	 * spuriously. disarm ends the armed state; before, the fabric may be
	 * armed anew, which costs less if nothing has happened. flags: the
	 * flags in shared memory that the rank waits for, as peers name them to
	 * notify; NULL: none. */
	void (*arm)(struct fab *fab, const void *flags);
	void (*disarm)(struct fab *fab);
	void (*wait)(struct fab *fab, unsigned timeout_us);
	/* Ends a wait of this rank. Async-signal-safe, any thread. */
	void (*wake)(struct fab *fab);
	/* Allocates memory that peers of the node can map, if the fabric shares
	 * memory (mrt_alloc); zeroed: filled with zeros, also if it is used
	 * again. heap_free returns MRT_ERR_BUFFER (not logged) for other
	 * memory. */
	int (*heap_alloc)(struct fab *fab, size_t len, bool zeroed, void **ptr);
	int (*heap_free)(struct fab *fab, void *ptr);
	/* Maps a peer's heap memory and gets its local address. MRT_ERR_BUFFER:
	 * it is no heap memory, MRT_ERR_NO_FABRIC: it cannot be mapped here. */
	int (*heap_map)(struct fab_ep *ep, uint64_t remote, size_t len,
			void **local);

	/* in order of preference; NULL: last */
	void (*stats)(struct fab *fab, struct counters *t);
};

/* FAB_NOTHING stands for a provider where a rank has opened none; it is the
 * number of providers. */
#define FABRIC_ONE(name) +1
enum { FAB_NOTHING = PROVIDERS(FABRIC_ONE) };
#undef FABRIC_ONE

/* A rank describes itself to the other ranks of its node by this, in memory
 * that they share. */
struct fab_home {
	uint64_t cpus[TOPO_MASK_WORDS]; /* on which it may run */
	int32_t quota;			/* see topo.h */
	int32_t cache;			/* see struct fab_sink */
	uint64_t switches;
	uint64_t words[FAB_WORDS];
	/* `provider` and `software` of its farther fabric, see put_far */
	int32_t far_provider, far_software;
	uint64_t card_len; /* of the same */
} __attribute__((aligned(64)));

/* Whether two ranks may run on one CPU. */
static inline bool fab_share_cpu(const struct fab_home *a,
				 const struct fab_home *b)
{
	for (int w = 0; w < TOPO_MASK_WORDS; w++)
		if (a->cpus[w] & b->cpus[w])
			return true;
	return false;
}

/*
 * Ranks of one node have these operations because they share memory. The
 * nearest fabric offers all of them, or struct fab_node is absent: MRT_FABRIC
 * names a fabric that treats ranks of this node like all others. Peers (ep) are
 * those that this fabric reaches.
 */
struct fab_node;
struct node_ops {
	/* Like mem_register for FAB_READ_ONCE, for a message of len bytes that
	 * is packed while this peer reads it. Its addresses begin at 0.
	 * MRT_ERR_NO_FABRIC (not logged): it had better be packed first. */
	int (*pack_register)(struct fab_ep *ep, struct fab_packer *from,
			     size_t len, struct fab_mem **mem,
			     struct fab_key *key);
	/* Like read, to a message that is unpacked meanwhile. */
	int (*read_unpack)(struct fab_ep *ep, struct fab_packer *to,
			   uint64_t remote, struct fab_key key, size_t len,
			   struct fab_op *op);
	/* Copies the next len bytes of pieces of the peer's memory (pieces.h)
	 * to `here`, or back, at once and without the peer. MRT_ERR_NO_FABRIC
	 * (not logged): this rank may not, from now on. */
	int (*copy_pieces)(struct fab_ep *ep, bool back, void *here,
			   struct pieces *there, size_t len);

	/* Returns memory of node->bulk_len bytes for payload, which all ranks
	 * see, mapped at the first call so that a job without long collectives
	 * does not pay for it. NULL (logged): no memory. */
	void *(*bulk)(struct fab_node *node);
	/* Returns byte `at` of node->spare_len bytes more, which have memory
	 * only where a rank has reserved it: reserve gives it to `len` bytes
	 * from there. NULL (not logged): no memory. */
	void *(*spare)(struct fab_node *node, size_t at, size_t len,
		       bool reserve);
	/* Wakes the ranks of the node that sleep and wait for these flags, an
	 * address in node->shared, or all that sleep for NULL; to be called
	 * after storing them. */
	void (*notify)(struct fab_node *node, const void *flags);
	/* Raises a fault if a rank of the node has died. Called about ten times
	 * a second in long waits. */
	void (*check_peers)(struct fab_node *node);

	/* Returns what a world rank of the node has told. */
	const struct fab_home *(*home_of)(const struct fab_node *node,
					  int rank);
	/* Tells the ranks of the node of the farther fabric, NULL: none, and
	 * hands them its card; they have both after the next boot_fence. wire
	 * does it for fab->next. */
	int (*put_far)(struct fab_node *node, const struct fab *far);
	/* Copies the card of a world rank of the node, unless `card` is NULL,
	 * and returns its length, or MRT_ERR_* (logged). */
	ssize_t (*card_of)(struct fab_node *node, int rank, void *card);
};

/* Part of the struct of a provider that shares memory. Sizes are set by wire.
 */
struct fab_node {
	const struct node_ops *ops;
	/* memory that all ranks of the node see at the same offset, zero-filled
	 * at open, for flags of collectives */
	void *shared;
	size_t shared_len;
	size_t bulk_len, spare_len;
	/* a place of a file that the node's ranks share, for a record of each
	 * of them (hang_record.h); 0: none */
	off_t records_at;
	int records_fd;
};

static inline void node_notify(struct fab_node *node, const void *flags)
{
	if (node)
		node->ops->notify(node, flags);
}

/* First member of every provider's own struct. */
struct fab {
	const struct fab_ops *ops;
	struct fab *next;      /* farther; NULL: none */
	int index;	       /* in the list of open fabrics */
	int provider;	       /* its place in fab_list */
	struct fab_node *node; /* NULL: its ranks share no memory */
	struct fab_sink sink;
	/* what ranks of other nodes need to reach this one (modex.h), at most
	 * FAB_CARD_MAX bytes, and 4 for each rank if all connect at start;
	 * NULL: nothing */
	const void *card;
	size_t card_len;
	/* set by wire, which then returns MRT_ERR_NO_FABRIC (not logged): why
	 * no network of this kind joins all nodes, as all ranks find alike */
	const char *apart;
	/* CPUs that the node's ranks may use together; equal on all ranks with
	 * sm */
	int node_cpus;
	/* these CPUs do the work of the device, too, as with Soft-RoCE */
	bool software;
	/* connections are closed for others where a rank has many peers */
	bool closes;
	/* a rank that polls may keep a CPU from another rank or from the
	 * fabric's own work; counts CPUs, not quotas */
	bool crowded;
	/* the CPU quota is less than keeps all ranks of the node busy, wherever
	 * they run: a rank that polls uses up the time of others */
	bool metered;
};

/* The user's messages to a peer, by protocol of p2p. Two arrays: the compiler
 * would add to pairs of counters by vectors, in more instructions. */
enum fab_way { WAY_EAGER, WAY_SYNC, WAY_RENDEZVOUS, WAY_PUSH, WAYS };
struct fab_sent {
	uint64_t messages[WAYS], bytes[WAYS];
};

/* First member of every provider's own struct. */
struct fab_ep {
	const struct fab_ops *ops;
	struct fab *fab;
	int peer;	  /* world rank */
	size_t send_max;  /* longest message of send, bytes; may grow */
	size_t eager_max; /* eager beats rendezvous up to here; <= send_max */
	struct fab_sent sent; /* counted by p2p, in a line in use */
	/* p2p's outbox: requests held back for the peer, oldest first, as their
	 * order is guaranteed; and the link in p2p_blocked unless it is empty
	 */
	struct list held, blocked;
};

/* `fab_unmade` stands for a connection that is not made yet: it has no room for
 * a message, and takes none. */
extern struct fab_ep fab_unmade;

/* Applies an atomic to an aligned word by this CPU: fetch_add of operand[0], or
 * compare_swap of operand[0] with operand[1]. Returns the former value. */
static inline uint64_t fab_apply_atomic(uint64_t *word, bool swap,
					const uint64_t operand[2])
{
	uint64_t before = operand[0];

	if (!swap)
		return __atomic_fetch_add(word, before, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(word, &before, operand[1], false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return before;
}

/* The providers, one per folder below: sm_ops and so on. */
/* clang-format off */
#define FABRIC_OPS(name) extern const struct fab_ops name##_ops;
PROVIDERS(FABRIC_OPS)
/* clang-format on */
#undef FABRIC_OPS

/* The providers in order of preference; ends with NULL. */
extern const struct fab_ops *const fab_providers[];
/* The list in use: fab_providers, or what a test has set before init. */
extern const struct fab_ops *const *fab_list;

/* Calls prepare of all providers, before it is known which ones the job
 * needs. */
void fab_prepare(void);

/* Opens the fabrics of this job: the one that MRT_FABRIC names, or those of the
 * list, in order, until every rank is reached. MRT_ERR_NO_FABRIC (logged with
 * each provider's reason) if a rank is not. *fabs gets the list of open
 * fabrics, also after an error, for fab_close. */
int fab_open(const struct boot_job *job, const struct fab_sink *sink,
	     struct fab **fabs);
/* Returns the number of open fabrics. */
int fab_count(const struct fab *fabs);
/* Closes all fabrics of the list, the last opened first. */
void fab_close(struct fab *fabs);
/* Gets the connection to a rank by the first fabric that reaches it, once.
 * MRT_ERR_NO_FABRIC (logged): none does; MRT_ERR_NO_MEM (logged). */
int fab_connect(struct fab *fabs, int peer, struct fab_ep **ep);

/* Sets node_cpus, crowded and metered of a fabric that shares no memory with
 * its peers, from what this rank sees and from fab->software. */
void fab_count_cpus(struct fab *fab, const struct boot_job *job);

/* Memory of this rank that is registered with all open fabrics. */
struct fab_region;
/* keys[] gets one key for each open fabric; a peer that reaches this rank by
 * one of them uses fab_region_key(keys, fab). MRT_ERR_* (logged). */
int fab_region_open(struct fab *fabs, void *addr, size_t len,
		    struct fab_region **region, struct fab_key *keys);
/* No operation of a peer may be in progress. Accepts NULL. */
void fab_region_close(struct fab_region *region);
/* Returns the registration with one fabric; NULL for no region. */
const struct fab_mem *fab_region_mem(const struct fab_region *region,
				     const struct fab *fab);

static inline struct fab_key fab_region_key(const struct fab_key *keys,
					    const struct fab *fab)
{
	return keys[fab->index];
}
#endif
