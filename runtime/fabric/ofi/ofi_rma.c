/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_rma.c: reads and writes by libfabric, one part at a time of at most what
 * its endpoint takes; atomics by messages, which the peer's CPU applies in its
 * progress, so that they are atomic with respect to those of the node.
 */
#include <stdio.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/ofi/ofi.h"

#define PART_MAX (1ull << 30)

/* Payload of OFI_RESULT. */
struct ofi_result {
	uint64_t value;
	int64_t status;
};

/* An answer that has found no room. */
struct answer {
	struct list link;
	struct ofi_ep *ep;
	uint64_t id;
	struct ofi_result result;
};

void ofi_rma_open(struct ofi *ofi)
{
	list_init(&ofi->mems);
	list_init(&ofi->atomics);
	list_init(&ofi->answers);
	list_init(&ofi->stalled);
	pool_init(&ofi->op_pool, sizeof(struct ofi_op), 64);
	pool_init(&ofi->answer_pool, sizeof(struct answer), 64);
	pool_init(&ofi->mem_pool, sizeof(struct fab_mem), 64);
}

void ofi_rma_close(struct ofi *ofi)
{
	list_for_each (it, &ofi->mems) {
		const struct fab_mem *m = list_entry(it, struct fab_mem, link);

		if (m->mr)
			fi_close(&m->mr->fid);
	}
	pool_fini(&ofi->op_pool);
	pool_fini(&ofi->answer_pool);
	pool_fini(&ofi->mem_pool);
}

/* ---- memory ---- */

static int rma_register(struct ofi *ofi, const void *addr, size_t len,
			uint64_t access, struct fid_mr **mr)
{
	int rc = fi_mr_reg(ofi->domain, addr, len, access, 0, ++ofi->next_id, 0,
			   mr, NULL);

	if (!rc && ofi->info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
		rc = fi_mr_bind(*mr, &ofi->end->fid, 0);
		if (!rc)
			rc = fi_mr_enable(*mr);
		if (rc)
			fi_close(&(*mr)->fid);
	}
	return rc ? ofi_refused(ofi, "fi_mr_reg", rc) : 0;
}

int ofi_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
		     struct fab_mem **mem, struct fab_key *key)
{
	struct ofi *ofi = (struct ofi *)fab;
	struct fab_mem *m = pool_get_zeroed(&ofi->mem_pool);
	int rc;

	if (!m)
		return log_error(MRT_ERR_NO_MEM, "registration of %zu bytes",
				 len);
	rc = len ? rma_register(ofi, addr, len,
				FI_REMOTE_READ | FI_REMOTE_WRITE, &m->mr)
		 : 0;
	if (rc) {
		pool_put(&ofi->mem_pool, m);
		return rc;
	}
	m->start = (uintptr_t)addr;
	m->len = len;
	m->key = m->mr ? fi_mr_key(m->mr) : 0;
	list_append(&ofi->mems, &m->link);
	*key = (struct fab_key){{m->key, m->start}};
	*mem = m;
	return 0;
}

void ofi_mem_deregister(struct fab *fab, struct fab_mem *mem)
{
	struct ofi *ofi = (struct ofi *)fab;

	list_remove(&mem->link);
	if (mem->mr)
		fi_close(&mem->mr->fid);
	pool_put(&ofi->mem_pool, mem);
}

/* Returns the word that a peer names, or NULL if it may not access it. */
static uint64_t *find_word(struct ofi *ofi, uint64_t key, uint64_t remote)
{
	list_for_each (it, &ofi->mems) {
		const struct fab_mem *m = list_entry(it, struct fab_mem, link);

		if (m->mr && m->key == key && remote >= m->start &&
		    m->len >= 8 && remote - m->start <= m->len - 8)
			return remote % 8 ? NULL
					  : (uint64_t *)(uintptr_t)remote;
	}
	return NULL;
}

/* ---- the asking end ---- */

static void op_finish(struct ofi_op *op, int status)
{
	struct ofi *ofi = ofi_of(op->ep);
	struct fab_op *user = op->user;

	if (op->mr)
		fi_close(&op->mr->fid);
	list_remove(&op->link);
	ofi->under_way--;
	pool_put(&ofi->op_pool, op);
	user->done(user, status);
}

static int op_fail(const struct ofi_op *op, int error)
{
	return ofi_failed(op->ep, op->reads ? "a read" : "a write", error);
}

/* Posts the next part of a read or write. Returns 0, ERR_AGAIN or
 * MRT_ERR_PEER. */
static int post_part(struct ofi_op *op)
{
	struct ofi *ofi = ofi_of(op->ep);
	size_t most = ofi->info->ep_attr->max_msg_size;
	void *desc = op->mr ? fi_mr_desc(op->mr) : NULL;
	struct iovec iov = {op->local + op->moved, op->len - op->moved};
	struct fi_rma_iov there = {op->remote + op->moved, 0, op->key};
	const struct fi_msg_rma msg = {.msg_iov = &iov,
				       .desc = &desc,
				       .iov_count = 1,
				       .addr = op->ep->addr,
				       .rma_iov = &there,
				       .rma_iov_count = 1,
				       .context = &op->context};
	ssize_t rc;

	if (most > PART_MAX)
		most = PART_MAX;
	if (iov.iov_len > most)
		iov.iov_len = most;
	there.len = op->part = iov.iov_len;
	if (op->reads)
		rc = fi_readmsg(ofi->end, &msg, FI_COMPLETION);
	else
		rc = fi_writemsg(ofi->end, &msg,
				 FI_COMPLETION | FI_DELIVERY_COMPLETE);
	if (rc == -FI_EAGAIN)
		return ERR_AGAIN;
	return rc ? op_fail(op, (int)rc) : 0;
}

static int post_atomic(struct ofi_op *op)
{
	struct iovec iov = {&op->what, sizeof(op->what)};

	return ofi_message(op->ep, op->atomic, op->id, &iov, 1);
}

/* Posts an operation or its next part. False: there is no room now. */
static bool op_post(struct ofi_op *op)
{
	int rc = op->atomic ? post_atomic(op) : post_part(op);

	if (rc == ERR_AGAIN)
		return false;
	list_remove(&op->link);
	if (rc)
		op_finish(op, rc);
	else if (op->atomic)
		list_append(&ofi_of(op->ep)->atomics, &op->link);
	return true;
}

/* Posts an operation, now or in a later progress. */
static void op_advance(struct ofi_op *op)
{
	struct list *stalled = &ofi_of(op->ep)->stalled;

	if (!list_empty(stalled) || !op_post(op))
		list_append(stalled, &op->link);
}

/* Begins a copy of `op`. Never ERR_AGAIN. */
static int op_begin(struct ofi_ep *ep, const struct ofi_op *request)
{
	struct ofi *ofi = ofi_of(ep);
	struct ofi_op *op;
	int rc = ep->addr == FI_ADDR_NOTAVAIL ? ofi_reach(ep) : 0;

	if (rc)
		return rc;
	op = pool_get(&ofi->op_pool);
	if (!op)
		return log_error(MRT_ERR_NO_MEM, "an operation of %zu bytes",
				 request->len);
	*op = *request;
	op->context.use = OFI_RMA;
	op->ep = ep;
	list_init(&op->link);
	if (!op->atomic && ofi->info->domain_attr->mr_mode & FI_MR_LOCAL)
		rc = rma_register(ofi, op->local, op->len,
				  op->reads ? FI_READ : FI_WRITE, &op->mr);
	if (rc) {
		pool_put(&ofi->op_pool, op);
		return rc;
	}
	ofi->under_way++;
	op_advance(op);
	return 0;
}

static int copy_begin(struct fab_ep *ep, bool reads, void *local,
		      const struct fi_rma_iov *there, struct fab_op *user)
{
	struct ofi *ofi = (struct ofi *)ep->fab;

	if (!there->len) {
		user->done(user, 0);
		return 0;
	}
	if (reads)
		ofi->reads++;
	else
		ofi->writes++;
	return op_begin((struct ofi_ep *)ep,
			&(struct ofi_op){.user = user,
					 .reads = reads,
					 .local = local,
					 .remote = there->addr,
					 .key = there->key,
					 .len = there->len});
}

/* Returns memory of a peer as libfabric names it. */
static struct fi_rma_iov rma_name(const struct fab_ep *ep, uint64_t remote,
				  struct fab_key key, size_t len)
{
	const struct ofi *ofi = (const struct ofi *)ep->fab;
	bool absolute = ofi->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;

	return (struct fi_rma_iov){remote - (absolute ? 0 : key.word[1]), len,
				   key.word[0]};
}

int ofi_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	     size_t len, struct fab_op *user)
{
	struct fi_rma_iov there = rma_name(ep, remote, key, len);

	return copy_begin(ep, true, dst, &there, user);
}

int ofi_write(struct fab_ep *ep, const void *src, uint64_t remote,
	      struct fab_key key, size_t len, struct fab_op *user)
{
	struct fi_rma_iov there = rma_name(ep, remote, key, len);

	return copy_begin(ep, false, (void *)(uintptr_t)src, &there, user);
}

static int atomic_begin(struct fab_ep *ep, enum ofi_kind kind,
			const struct ofi_atomic *what, uint64_t *result,
			struct fab_op *user)
{
	struct ofi *ofi = (struct ofi *)ep->fab;

	ofi->atomics_sent++;
	return op_begin((struct ofi_ep *)ep,
			&(struct ofi_op){.user = user,
					 .local = (char *)result,
					 .atomic = kind,
					 .what = *what,
					 .id = ++ofi->next_id});
}

int ofi_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		  uint64_t add, uint64_t *result, struct fab_op *user)
{
	const struct ofi_atomic what = {key.word[0], remote, {add, 0}};

	return atomic_begin(ep, OFI_ADD, &what, result, user);
}

int ofi_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		     const uint64_t exchange[2], uint64_t *result,
		     struct fab_op *user)
{
	const struct ofi_atomic what = {
	    key.word[0], remote, {exchange[0], exchange[1]}};

	return atomic_begin(ep, OFI_SWAP, &what, result, user);
}

void ofi_rma_completed(struct ofi_op *op, int error)
{
	op->moved += op->part;
	if (error)
		op_finish(op, op_fail(op, error));
	else if (op->moved == op->len)
		op_finish(op, 0);
	else
		op_advance(op);
}

static struct ofi_op *find_atomic(struct ofi *ofi, const struct ofi_ep *ep,
				  uint64_t id)
{
	list_for_each (it, &ofi->atomics) {
		struct ofi_op *op = list_entry(it, struct ofi_op, link);

		if (op->id == id && op->ep == ep)
			return op;
	}
	return NULL;
}

static int take_result(struct ofi_ep *ep, uint64_t id, const void *data,
		       size_t len)
{
	struct ofi_op *op = find_atomic(ofi_of(ep), ep, id);
	struct ofi_result result;

	if (!op || len != sizeof(result))
		return MRT_ERR_PROTOCOL;
	memcpy(&result, data, sizeof(result));
	memcpy(op->local, &result.value, sizeof(result.value));
	if (result.status)
		log_line(LOG_ERROR, MRT_ERR_BUFFER,
			 "rank %d refused an atomic operation on its memory",
			 ep->base.peer);
	op_finish(op, error_from_peer(result.status));
	return 0;
}

/* ---- the serving end ---- */

static int answer_send(struct ofi_ep *ep, uint64_t id,
		       const struct ofi_result *result)
{
	struct iovec iov = {(void *)(uintptr_t)result, sizeof(*result)};

	return ofi_message(ep, OFI_RESULT, id, &iov, 1);
}

static void answer_keep(struct ofi_ep *ep, uint64_t id,
			const struct ofi_result *result)
{
	struct ofi *ofi = ofi_of(ep);
	struct answer *a = pool_get(&ofi->answer_pool);

	if (!a) {
		fault_raise_text(MRT_ERR_NO_MEM, "no memory to answer rank %d",
				 ep->base.peer);
		return;
	}
	a->ep = ep;
	a->id = id;
	a->result = *result;
	list_append(&ofi->answers, &a->link);
}

static int serve_atomic(struct ofi_ep *ep, enum ofi_kind kind, uint64_t id,
			const void *data, size_t len)
{
	struct ofi *ofi = ofi_of(ep);
	struct ofi_result result = {.status = MRT_ERR_BUFFER};
	struct ofi_atomic what;
	uint64_t *word;

	if (len != sizeof(what))
		return MRT_ERR_PROTOCOL;
	memcpy(&what, data, sizeof(what));
	word = find_word(ofi, what.key, what.remote);
	if (word) {
		result.value =
		    fab_apply_atomic(word, kind == OFI_SWAP, what.operand);
		result.status = 0;
	}
	ofi->atomics_served++;
	if (!list_empty(&ofi->answers) ||
	    answer_send(ep, id, &result) == ERR_AGAIN)
		answer_keep(ep, id, &result);
	return 0;
}

void ofi_rma_arrived(struct ofi_ep *ep, enum ofi_kind kind, uint64_t id,
		     const void *data, size_t len)
{
	int rc = kind == OFI_RESULT ? take_result(ep, id, data, len)
				    : serve_atomic(ep, kind, id, data, len);

	if (rc)
		fault_raise_text(MRT_ERR_PROTOCOL,
				 "rank %d sent %zu bytes about an atomic "
				 "operation that cannot be: do all ranks run "
				 "the same libmrt?",
				 ep->base.peer, len);
}

int ofi_rma_progress(struct ofi *ofi)
{
	int n = 0;

	list_for_each_safe (it, &ofi->answers) {
		struct answer *a = list_entry(it, struct answer, link);

		if (answer_send(a->ep, a->id, &a->result) == ERR_AGAIN)
			break;
		list_remove(&a->link);
		pool_put(&ofi->answer_pool, a);
		n++;
	}
	list_for_each_safe (it, &ofi->stalled) {
		if (!op_post(list_entry(it, struct ofi_op, link)))
			break;
		n++;
	}
	return n;
}
