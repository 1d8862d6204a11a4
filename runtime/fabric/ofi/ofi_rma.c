/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_rma.c: reads and writes by libfabric, one part at a time of at most what
 * its endpoint takes; atomics by messages, which the peer's CPU applies in its
 * progress, so that they are atomic with respect to those of the node. Where
 * the peer's CPU does libfabric's work, too, reads and writes that fit into a
 * message are messages as well: they take half to two thirds of the time.
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

/* Returns up to how many bytes a read or write is a message. */
static size_t short_max(const struct ofi *ofi)
{
	return ofi->base.software ? ofi->message_max - sizeof(struct ofi_head) -
					sizeof(struct ofi_request)
				  : 0;
}

/* OFI_RESULT carries this, and behind it what has been read. */
struct ofi_result {
	uint64_t value;
	int64_t status;
};

/* An answer waits in ofi->answers if there is no room to send it. */
struct answer {
	struct list link;
	struct ofi_ep *ep;
	uint64_t id;
	struct ofi_result result;
	struct iovec data;
};

void ofi_rma_open(struct ofi *ofi)
{
	list_init(&ofi->mems);
	list_init(&ofi->asked);
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

/* Returns memory that a peer names, or NULL if it may not access all of it. */
static void *find_memory(struct ofi *ofi, const struct ofi_request *what,
			 size_t len)
{
	uint64_t remote = what->remote;

	list_for_each (it, &ofi->mems) {
		const struct fab_mem *m = list_entry(it, struct fab_mem, link);

		if (m->mr && m->key == what->key && remote >= m->start &&
		    m->len >= len && remote - m->start <= m->len - len)
			return (void *)(uintptr_t)remote;
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
	struct fi_rma_iov there = {op->remote + op->moved, 0, op->key.word[0]};
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

static int post_request(struct ofi_op *op)
{
	struct iovec iov[] = {{&op->what, sizeof(op->what)},
			      {op->local, op->len}};

	return ofi_message(op->ep, op->kind, op->id, iov,
			   op->kind == OFI_PUT ? 2 : 1);
}

/* Posts an operation or its next part. False: there is no room now. */
static bool op_post(struct ofi_op *op)
{
	int rc = op->kind ? post_request(op) : post_part(op);

	if (rc == ERR_AGAIN)
		return false;
	list_remove(&op->link);
	if (rc)
		op_finish(op, rc);
	else if (op->kind)
		list_append(&ofi_of(op->ep)->asked, &op->link);
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
	if (!op->kind && ofi->info->domain_attr->mr_mode & FI_MR_LOCAL)
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

/* Asks the peer for op->what. */
static int request_begin(struct fab_ep *ep, struct ofi_op *op)
{
	op->id = ++((struct ofi *)ep->fab)->next_id;
	return op_begin((struct ofi_ep *)ep, op);
}

static int copy_begin(struct fab_ep *ep, struct ofi_op *op)
{
	struct ofi *ofi = (struct ofi *)ep->fab;
	bool absolute = ofi->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;

	if (!op->len) {
		op->user->done(op->user, 0);
		return 0;
	}
	if (op->reads)
		ofi->reads++;
	else
		ofi->writes++;
	op->remote = op->what.remote - (absolute ? 0 : op->key.word[1]);
	if (op->len > short_max(ofi))
		return op_begin((struct ofi_ep *)ep, op);
	op->kind = op->reads ? OFI_GET : OFI_PUT;
	return request_begin(ep, op);
}

int ofi_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	     size_t len, struct fab_op *user)
{
	return copy_begin(
	    ep, &(struct ofi_op){.user = user,
				 .reads = true,
				 .local = dst,
				 .key = key,
				 .len = len,
				 .what = {key.word[0], remote, {len, 0}}});
}

int ofi_write(struct fab_ep *ep, const void *src, uint64_t remote,
	      struct fab_key key, size_t len, struct fab_op *user)
{
	return copy_begin(
	    ep, &(struct ofi_op){.user = user,
				 .local = (void *)(uintptr_t)src,
				 .key = key,
				 .len = len,
				 .what = {key.word[0], remote, {len, 0}}});
}

static int atomic_begin(struct fab_ep *ep, enum ofi_kind kind,
			const struct ofi_request *what, uint64_t *result,
			struct fab_op *user)
{
	((struct ofi *)ep->fab)->atomics_sent++;
	return request_begin(ep, &(struct ofi_op){.user = user,
						  .local = (char *)result,
						  .kind = kind,
						  .what = *what});
}

int ofi_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		  uint64_t add, uint64_t *result, struct fab_op *user)
{
	const struct ofi_request what = {key.word[0], remote, {add, 0}};

	return atomic_begin(ep, OFI_ADD, &what, result, user);
}

int ofi_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		     const uint64_t exchange[2], uint64_t *result,
		     struct fab_op *user)
{
	const struct ofi_request what = {
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

static struct ofi_op *find_asked(struct ofi *ofi, const struct ofi_ep *ep,
				 uint64_t id)
{
	list_for_each (it, &ofi->asked) {
		struct ofi_op *op = list_entry(it, struct ofi_op, link);

		if (op->id == id && op->ep == ep)
			return op;
	}
	return NULL;
}

static int take_result(struct ofi_ep *ep, uint64_t id, const void *data,
		       size_t len)
{
	struct ofi_op *op = find_asked(ofi_of(ep), ep, id);
	struct ofi_result result;
	size_t read;

	if (!op || len < sizeof(result))
		return MRT_ERR_PROTOCOL;
	memcpy(&result, data, sizeof(result));
	read = op->kind == OFI_GET && !result.status ? op->len : 0;
	if (len != sizeof(result) + read)
		return MRT_ERR_PROTOCOL;
	if (read)
		memcpy(op->local, (const char *)data + sizeof(result), read);
	else if (op->kind == OFI_ADD || op->kind == OFI_SWAP)
		memcpy(op->local, &result.value, sizeof(result.value));
	if (result.status)
		log_line(LOG_ERROR, MRT_ERR_BUFFER,
			 "rank %d refused an operation on its memory",
			 ep->base.peer);
	op_finish(op, error_from_peer(result.status));
	return 0;
}

/* ---- the serving end ---- */

static int answer_send(const struct answer *a)
{
	struct iovec iov[] = {
	    {(void *)(uintptr_t)&a->result, sizeof(a->result)}, a->data};

	return ofi_message(a->ep, OFI_RESULT, a->id, iov, 2);
}

static void answer_keep(const struct answer *answer)
{
	struct ofi *ofi = ofi_of(answer->ep);
	struct answer *a = pool_get(&ofi->answer_pool);

	if (!a) {
		fault_raise_text(MRT_ERR_NO_MEM, "no memory to answer rank %d",
				 answer->ep->base.peer);
		return;
	}
	*a = *answer;
	list_append(&ofi->answers, &a->link);
}

static void serve_atomic(struct ofi *ofi, enum ofi_kind kind,
			 const struct ofi_request *what,
			 struct ofi_result *result)
{
	uint64_t *word = find_memory(ofi, what, sizeof(*word));

	ofi->atomics_served++;
	if (!word || what->remote % sizeof(*word))
		return;
	result->value = fab_apply_atomic(word, kind == OFI_SWAP, what->operand);
	result->status = 0;
}

/* Reads or writes memory for a peer. */
static void serve_copy(struct answer *a, enum ofi_kind kind,
		       const struct ofi_request *what, const void *data)
{
	size_t len = what->operand[0];
	void *memory = find_memory(ofi_of(a->ep), what, len);

	if (!memory)
		return;
	if (kind == OFI_GET)
		a->data = (struct iovec){memory, len};
	else
		memcpy(memory, data, len);
	a->result.status = 0;
}

/* Does what a peer asks for. */
static int serve_request(struct ofi_ep *ep, enum ofi_kind kind, uint64_t id,
			 const char *data, size_t len)
{
	struct ofi *ofi = ofi_of(ep);
	struct answer a = {
	    .ep = ep, .id = id, .result = {.status = MRT_ERR_BUFFER}};
	struct ofi_request what;

	if (len < sizeof(what))
		return MRT_ERR_PROTOCOL;
	memcpy(&what, data, sizeof(what));
	if (len - sizeof(what) != (kind == OFI_PUT ? what.operand[0] : 0) ||
	    (kind == OFI_GET && what.operand[0] > short_max(ofi)))
		return MRT_ERR_PROTOCOL;
	if (kind == OFI_ADD || kind == OFI_SWAP)
		serve_atomic(ofi, kind, &what, &a.result);
	else
		serve_copy(&a, kind, &what, data + sizeof(what));
	if (!list_empty(&ofi->answers) || answer_send(&a) == ERR_AGAIN)
		answer_keep(&a);
	return 0;
}

void ofi_rma_arrived(struct ofi_ep *ep, enum ofi_kind kind, uint64_t id,
		     const void *data, size_t len)
{
	int rc = MRT_ERR_PROTOCOL;

	if (kind == OFI_RESULT)
		rc = take_result(ep, id, data, len);
	else if (kind < OFI_RESULT)
		rc = serve_request(ep, kind, id, data, len);
	if (rc)
		fault_raise_text(MRT_ERR_PROTOCOL,
				 "rank %d sent %zu bytes about memory that "
				 "cannot be: do all ranks run the same libmrt?",
				 ep->base.peer, len);
}

int ofi_rma_progress(struct ofi *ofi)
{
	int n = 0;

	list_for_each_safe (it, &ofi->answers) {
		struct answer *a = list_entry(it, struct answer, link);

		if (answer_send(a) == ERR_AGAIN)
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
