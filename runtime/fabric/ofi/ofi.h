/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi.h reaches peers by any network that libfabric (OFI) drives: TCP, and the
 * fabrics that its other providers are written for. One reliable,
 * connectionless endpoint (RDM) reaches all peers.
 *
 *   ofi_lib.c     libfabric, loaded when it is needed
 *   ofi_look.c    what libfabric offers on this node
 *   ofi_agree.c   the provider and the network that all nodes have
 *   ofi.c         opens the endpoint, and reaches peers
 *   ofi_post.c    messages
 *   ofi_rma.c     reads and writes by libfabric, atomics by the peer's CPU, as
 *                 are short reads and writes where those of libfabric are the
 *                 work of CPUs, too
 *   ofi_watch.c   wakes a rank that sleeps
 *   ofi_pulse.c   notices that a node has vanished
 */
#ifndef OFI_OFI_H
#define OFI_OFI_H

#include <poll.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdatomic.h>

#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/nap.h"
#include "runtime/fabric/own_heap.h"

enum {
	/* A message has at most so many bytes with its head: more over TCP,
	 * where CPUs copy long ones, too. */
	OFI_CARD_MESSAGE = 16384 - 64,
	OFI_TCP_MESSAGE = 65536 + 256,
	OFI_SENDS = 128, /* buffers of messages under way */
	OFI_RECVS = 128, /* most buffers that receive, one message each */
	OFI_HOST = 64,
	OFI_NAME = 32, /* of a libfabric provider */
	OFI_NETWORK = 48,
	OFI_ADDRESS_MAX = 256,
	OFI_OFFERS = 16
};

/* An offer is a provider of libfabric together with a network in which it
 * reaches other nodes. */
struct ofi_offer {
	char provider[OFI_NAME];
	char network[OFI_NETWORK]; /* "10.0.0.0/24"; "": all that it reaches */
	uint8_t address[16];	   /* of this node there; 0 without a network */
	uint64_t cost;		   /* less is better */
};

/* A node has these offers, in order of their cost. */
struct ofi_offers {
	int n;
	struct ofi_offer all[OFI_OFFERS];
	struct fi_info *infos[OFI_OFFERS]; /* as libfabric describes each */
};

enum ofi_kind { OFI_MSG, OFI_ADD, OFI_SWAP, OFI_PUT, OFI_GET, OFI_RESULT };
enum { OFI_KINDS = 7 }; /* masks the kind in a message's head */

/* Each message begins with this head. */
struct ofi_head {
	uint64_t hdr;	/* the message's, or the number of an atomic */
	uint32_t rank;	/* of the sender */
	uint32_t check; /* the job's, and the kind in the lowest bits */
};

/* Each rank publishes this card, with its address behind it, and the lowest of
 * a node also the offers of the node. */
struct ofi_card {
	uint32_t magic, version;
	uint64_t job;
	uint32_t address_len, offers;
	uint32_t door; /* port of ofi_pulse.c, in network order; 0: none */
	char provider[OFI_NAME], host[OFI_HOST];
};

/* A completion of libfabric names the buffer or operation that it ends by the
 * context that it begins with. */
enum ofi_use { OFI_SEND, OFI_RECV, OFI_RMA };
struct ofi_context {
	struct fi_context2 fi; /* libfabric's own */
	enum ofi_use use;
};

struct ofi_ep {
	struct fab_ep base;
	fi_addr_t addr;	     /* FI_ADDR_NOTAVAIL: not looked up yet */
	char host[OFI_HOST]; /* known with addr */
};

/* A buffer that is on its way to one peer, or that receives. */
struct ofi_buf {
	struct ofi_context context;
	struct ofi_ep *ep; /* of a send */
	char *data;
};

/* Registered memory that peers may access. */
struct fab_mem {
	struct list link;
	uintptr_t start;
	size_t len;
	struct fid_mr *mr; /* NULL: no bytes */
	uint64_t key;
};

/* A request asks the peer's CPU for an atomic, a read or a write. The data of a
 * write follows it. */
struct ofi_request {
	uint64_t key, remote;
	uint64_t operand[2]; /* of an atomic, or the length of a read */
};

/* A read, write or atomic in progress. */
struct ofi_op {
	struct ofi_context context;
	struct list link; /* in ofi->stalled or ofi->asked, or in none */
	struct ofi_ep *ep;
	struct fab_op *user;
	bool reads;
	enum ofi_kind kind; /* of the request; OFI_MSG: libfabric does it */
	char *local;
	uint64_t remote; /* of a read or write, as libfabric has it */
	struct fab_key key;
	size_t len, moved, part;
	struct fid_mr *mr; /* of local memory; NULL: none is needed */
	struct ofi_request what;
	uint64_t id; /* numbers the request */
};

struct ofi {
	struct fab base;
	const struct boot_job *job;
	struct ofi_offers offers;
	struct fi_info *info; /* of the offer in use */
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *end;
	struct ofi_ep **eps; /* [job->size] NULL: not used yet */
	uint32_t check;
	size_t message_max; /* longest message with its head */
	size_t inject_max;  /* the same, of those that libfabric copies */

	char *memory; /* of all buffers */
	size_t memory_len;
	struct fid_mr *memory_mr;
	struct ofi_buf sends[OFI_SENDS], recvs[OFI_RECVS];
	struct ofi_buf *free[OFI_SENDS];
	int nfree;

	struct pool op_pool, mem_pool, answer_pool;
	struct list mems, asked;
	struct list answers, stalled; /* what has found no room */
	int under_way;		      /* operations that a completion ends */
	uint64_t next_id;
	struct own_heap heap;

	struct nap nap;
	pthread_t watcher;
	bool watching;
	int stop, arm; /* eventfds of the watcher */
	int queue;     /* descriptor of the completion queue */
	int edges;     /* epoll of the watcher; -1: none is needed */
	atomic_bool armed;
	int door, pulse; /* sockets of ofi_pulse.c; -1: none */
	bool beats;	 /* the pulse has been connected */
	struct ofi_ep *watched;

	bool wired, closing;
	uint64_t messages, bytes, reads, writes, atomics_sent, atomics_served;
};

static inline struct ofi *ofi_of(const struct ofi_ep *ep)
{
	return (struct ofi *)ep->base.fab;
}

/* ofi_lib.c: returns 0, or -1 without libfabric after logging why at level
 * info. */
int ofi_lib_open(void);

/* ofi_look.c: finds what libmrt can use, and MRT_OFI_PROVIDER and MRT_OFI_IFACE
 * allow, and what reaches other nodes if it is to be `wide`, for the rank of
 * this number on its node. */
void ofi_look(struct ofi_offers *offers, bool wide, int rank);
void ofi_offers_free(struct ofi_offers *offers);
/* Whether a provider of libfabric is TCP, the work of the node's CPUs. */
bool ofi_is_tcp(const char *provider);
/* Writes "tcp;ofi_rxm on eth0 (192.0.2.0/24)". */
const char *ofi_text(const struct fi_info *info, char *out, size_t len);

/* ofi_agree.c: finds which of its offers this node is to use, so that all nodes
 * are joined, and whether all must publish again, because one has guessed
 * another. MRT_ERR_NO_FABRIC, with ofi->base.apart: nothing joins them. */
int ofi_agree(struct ofi *ofi, int *offer, bool *again);

/* ofi.c */
/* Returns the connection to a rank, which is made at the first call, or NULL
 * (logged) without memory. */
struct ofi_ep *ofi_ep_get(struct ofi *ofi, int rank);
/* Gets the card of a peer; of this rank its own, as without a launcher nobody
 * keeps what was published. It may be of any length. */
int ofi_find_card(const struct ofi_ep *ep, const struct ofi_card **card,
		  size_t *len);
/* Whether a card has been published by a rank of this job. */
bool ofi_is_card(const struct ofi *ofi, const struct ofi_card *card,
		 size_t len);
/* Says what is wrong with a card. Returns MRT_ERR_*. */
int ofi_refuse_card(const struct ofi_ep *ep, const struct ofi_card *card,
		    size_t len);
/* Looks up the peer's address. MRT_ERR_* (logged). */
int ofi_reach(struct ofi_ep *ep);
/* Ends the job: what a call of libfabric for this peer has failed with. Returns
 * MRT_ERR_PEER. */
int ofi_failed(const struct ofi_ep *ep, const char *what, int error);
/* Logs that a call of the set-up has failed. Returns MRT_ERR_*. */
int ofi_refused(const struct ofi *ofi, const char *call, int error);

/* ofi_post.c */
int ofi_post_open(struct ofi *ofi);
void ofi_post_close(struct ofi *ofi);
int ofi_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
int ofi_message(struct ofi_ep *ep, enum ofi_kind kind, uint64_t hdr,
		const struct iovec *iov, int n);
int ofi_progress(struct fab *fab);

/* ofi_rma.c */
void ofi_rma_open(struct ofi *ofi);
void ofi_rma_close(struct ofi *ofi);
int ofi_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
		     struct fab_mem **mem, struct fab_key *key);
void ofi_mem_deregister(struct fab *fab, struct fab_mem *mem);
int ofi_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	     size_t len, struct fab_op *user);
int ofi_write(struct fab_ep *ep, const void *src, uint64_t remote,
	      struct fab_key key, size_t len, struct fab_op *user);
int ofi_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		  uint64_t add, uint64_t *result, struct fab_op *user);
int ofi_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		     const uint64_t exchange[2], uint64_t *result,
		     struct fab_op *user);
/* A part of an operation is complete, or has failed with an error of
 * libfabric. */
void ofi_rma_completed(struct ofi_op *op, int error);
/* A message of another kind than OFI_MSG has arrived. */
void ofi_rma_arrived(struct ofi_ep *ep, enum ofi_kind kind, uint64_t id,
		     const void *data, size_t len);
/* Sends what has found no room; returns how much. */
int ofi_rma_progress(struct ofi *ofi);

/* ofi_watch.c */
int ofi_watch_open(struct ofi *ofi);
void ofi_watch_close(struct ofi *ofi);
void ofi_arm(struct fab *fab, const void *flags);

/* ofi_pulse.c: listens, and writes the port into the card; connects to the next
 * node; looks at the connection when poll has reported something. A node that
 * cannot be watched costs a line at most, not the job. */
void ofi_pulse_open(struct ofi *ofi, struct ofi_card *card);
int ofi_pulse_connect(struct ofi *ofi);
void ofi_pulse_look(struct ofi *ofi, struct pollfd *fd);
void ofi_pulse_close(struct ofi *ofi);
#endif
