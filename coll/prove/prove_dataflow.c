/* SPDX-License-Identifier: Apache-2.0 */
/* prove_dataflow.c: computes what the elements are made of in the end, by
 * letting all steps happen in an order in which they may. */
#include "coll/prove/prove_state.h"
#include "coll/prove/prove_value.h"

/* Elements that RECV must keep have another `who` than garbage, which nobody
 * wrote. */
static const struct value garbage = {0, 0, 0}, kept = {0, 0, 1};

struct dataflow {
	struct proof *p;
	struct values values;
	struct value **memory;	/* [n] */
	struct value *combined; /* [n * ncells] accumulators */
	/* [n * ncells * 8] the bytes of buffer cells: the element that each
	 * byte belongs to, and its offset in it. NULL if no step writes
	 * there. */
	struct packed {
		struct value value;
		size_t byte;
	} * packed;
};

static bool prove_dataflow_combine(struct dataflow *f, uint32_t step,
				   struct value left, struct value right,
				   struct value *result)
{
	char l[VALUE_TEXT], r[VALUE_TEXT];

	if (values_join(&f->values, left, right, result))
		return true;
	values_describe(&f->values, left, l);
	values_describe(&f->values, right, r);
	return prove_wrong(f->p, step, "combines %s with %s", l, r);
}

/* ---- Memory ------------------------------------------------------------- */

static struct value *prove_dataflow_at(const struct dataflow *f, int rank,
				       struct ref ref)
{
	return f->memory[rank] + f->p->ranks[rank].base[ref.buf] + ref.at;
}

static size_t prove_dataflow_cell(const struct dataflow *f, int rank, size_t at)
{
	return (size_t)rank * f->p->ncells + at;
}

static size_t type_size(const struct dataflow *f)
{
	return prove_shape(f->p, 0)->type_size;
}

static struct value prove_dataflow_unpack(const struct dataflow *f, int rank,
					  size_t at, size_t i)
{
	const struct packed *p;

	if (!f->packed)
		return garbage;
	p = &f->packed[8 * prove_dataflow_cell(f, rank, at) + i * type_size(f)];
	for (size_t b = 0; b < type_size(f); b++)
		if (p[b].byte != b || !values_equal(p[b].value, p[0].value))
			return garbage;
	return p[0].value;
}

static void prove_dataflow_pack(struct dataflow *f, int rank, size_t at,
				size_t i, struct value value)
{
	struct packed *p =
	    &f->packed[8 * prove_dataflow_cell(f, rank, at) + i * type_size(f)];

	for (size_t b = 0; b < type_size(f); b++)
		p[b] = (struct packed){value, b};
}

/* Reads element i of one of the step's references. False if it is garbage. */
static bool prove_dataflow_get(struct dataflow *f, uint32_t step,
			       const struct ref *of, size_t i,
			       struct value *value)
{
	const struct step *s = f->p->step[step];
	int rank = f->p->rank_of[step];
	struct ref ref = *of;

	if (step_is_load(s->kind) && of == &s->src) {
		rank = s->peer;
		ref.at += f->p->step[f->p->partner[step]]->src.at;
	}
	*value = ref.buf == BUF_CELLS
		     ? prove_dataflow_unpack(f, rank, ref.at, i)
		     : prove_dataflow_at(f, rank, ref)[i];
	return value->count ||
	       prove_wrong(f->p, step,
			   "reads garbage, element %zu of buffer %u",
			   ref.at + i, ref.buf);
}

/* ---- Steps -------------------------------------------------------------- */

static bool prove_dataflow_copy(struct dataflow *f, uint32_t from, uint32_t to,
				struct ref dst)
{
	const struct step *s = f->p->step[from];
	struct value *out;

	if (!s->count)
		return true;
	out = prove_dataflow_at(f, f->p->rank_of[to], dst);
	for (size_t i = 0; i < s->count; i++)
		if (!prove_dataflow_get(f, from, &s->src, i, &out[i]))
			return false;
	return true;
}

static bool prove_dataflow_reduce(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];
	struct value a, b;

	for (size_t i = 0; i < s->count; i++)
		if (!prove_dataflow_get(f, step, &s->src, i, &a) ||
		    !prove_dataflow_get(f, step, &s->with, i, &b) ||
		    !prove_dataflow_combine(
			f, step, s->flip ? b : a, s->flip ? a : b,
			&prove_dataflow_at(f, f->p->rank_of[step], s->dst)[i]))
			return false;
	return true;
}

static bool write_cells(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];
	struct value value;

	for (size_t i = 0; i < s->count; i++) {
		if (!prove_dataflow_get(f, step, &s->src, i, &value))
			return false;
		prove_dataflow_pack(f, s->peer, s->dst.at, i, value);
	}
	return true;
}

static bool prove_dataflow_add(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];
	struct value value;

	for (size_t i = 0; i < s->count; i++) {
		struct value *sum = &f->combined[prove_dataflow_cell(
		    f, s->peer, s->dst.at + i)];

		if (f->values.ordered)
			return prove_wrong(f->p, step, "adds in any order");
		if (!prove_dataflow_get(f, step, &s->src, i, &value))
			return false;
		if (!sum->count)
			*sum = value;
		else if (!prove_dataflow_combine(f, step, *sum, value, sum))
			return false;
	}
	return true;
}

static bool prove_dataflow_take(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];
	int rank = f->p->rank_of[step];

	for (size_t i = 0; i < s->count; i++) {
		struct value *sum =
		    &f->combined[prove_dataflow_cell(f, rank, s->src.at + i)];

		if (!sum->count)
			return prove_wrong(f->p, step,
					   "takes nothing, of cell %zu",
					   s->src.at + i);
		prove_dataflow_at(f, rank, s->dst)[i] = *sum;
		*sum = garbage;
	}
	return true;
}

/* Afterwards src is garbage: a rank may reduce what it receives without storing
 * it there first. */
static bool recv_reduce(struct dataflow *f, uint32_t send, uint32_t step)
{
	const struct step *s = f->p->step[step];
	bool in_place = s->src.buf == s->dst.buf && s->src.at == s->dst.at;

	if (!prove_dataflow_copy(f, send, step, s->src) ||
	    !prove_dataflow_reduce(f, step))
		return false;
	for (size_t i = 0; i < s->count && !in_place; i++)
		prove_dataflow_at(f, f->p->rank_of[step], s->src)[i] = garbage;
	return true;
}

static bool prove_dataflow_happen(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];
	uint32_t send = f->p->partner[step];

	switch (s->kind) {
	case STEP_RECV:
		return prove_dataflow_copy(f, send, step, s->dst);
	case STEP_RECV_REDUCE:
		return recv_reduce(f, send, step);
	case STEP_COPY:
	case STEP_LOAD:
		return prove_dataflow_copy(f, step, step, s->dst);
	case STEP_REDUCE:
	case STEP_LOAD_REDUCE:
		return prove_dataflow_reduce(f, step);
	case STEP_WRITE:
		return write_cells(f, step);
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return prove_dataflow_add(f, step);
	case STEP_TAKE:
		return prove_dataflow_take(f, step);
	default:
		return true;
	}
}

/* ---- Before and after --------------------------------------------------- */

static void fill_recv(struct dataflow *f, int rank)
{
	struct value *recv = prove_dataflow_at(f, rank, ref(BUF_RECV, 0));
	bool root = f->p->c->collective == COLL_BCAST &&
		    rank == prove_shape(f->p, rank)->root;

	for (size_t i = 0; i < f->p->ranks[rank].len[BUF_RECV]; i++)
		recv[i] = kept;
	for (int i = 0; i < prove_blocks(f->p, rank, BUF_RECV); i++) {
		struct block b = prove_block(f->p, rank, BUF_RECV, i);

		if (!prove_origin(f->p, rank, i).n)
			continue;
		for (size_t e = b.at; e < b.at + b.count; e++)
			recv[e] =
			    root ? values_of(&f->values, rank, 1, e) : garbage;
	}
}

static void fill_send(struct dataflow *f, int rank)
{
	struct value *send = prove_dataflow_at(f, rank, ref(BUF_SEND, 0));

	for (int i = 0; i < prove_blocks(f->p, rank, BUF_SEND); i++) {
		struct block b = prove_block(f->p, rank, BUF_SEND, i);

		for (size_t e = b.at; e < b.at + b.count; e++)
			send[e] = values_of(&f->values, rank, 1, e);
	}
}

static bool make_cells(struct dataflow *f)
{
	struct proof *p = f->p;
	size_t cells = (size_t)p->n * p->ncells;
	bool written = false;

	for (uint32_t i = 0; i < p->nsteps; i++)
		written |= p->step[i]->kind == STEP_WRITE;
	f->combined = prove_alloc(p, cells, sizeof(*f->combined));
	if (written)
		f->packed = prove_alloc(p, 8 * cells, sizeof(*f->packed));
	return f->combined && (f->packed || !written);
}

static bool set_up(struct dataflow *f)
{
	struct proof *p = f->p;
	size_t n = (size_t)p->n;

	f->memory = prove_alloc(p, n, sizeof(*f->memory));
	if (!f->memory || !values_init(&f->values, p) || !make_cells(f))
		return false;
	for (size_t r = 0; r < n; r++) {
		f->memory[r] =
		    prove_alloc(p, p->ranks[r].size, sizeof(**f->memory));
		if (!f->memory[r])
			return false;
		fill_recv(f, (int)r);
		fill_send(f, (int)r);
	}
	return true;
}

static bool prove_dataflow_element(struct dataflow *f, int rank, size_t i,
				   struct value want)
{
	struct value got = prove_dataflow_at(f, rank, ref(BUF_RECV, i))[0];
	char g[VALUE_TEXT], w[VALUE_TEXT];

	if (values_equal(got, want))
		return true;
	values_describe(&f->values, got, g);
	values_describe(&f->values, want, w);
	return prove_wrong(f->p, NO_STEP,
			   "rank %d gets in RECV[%zu] %s, not %s", rank, i, g,
			   w);
}

/* Returns what RECV held before; at rank 0 of an exscan in place that is its
 * own vector. */
static struct value left_alone(const struct dataflow *f, int rank, size_t i)
{
	return prove_shape(f->p, rank)->in_place &&
		       f->p->c->collective == COLL_EXSCAN
		   ? values_of(&f->values, rank, 1, i)
		   : kept;
}

static bool prove_dataflow_results(struct dataflow *f, int rank)
{
	struct proof *p = f->p;
	struct value *recv = prove_dataflow_at(f, rank, ref(BUF_RECV, 0));

	for (int i = 0; i < prove_blocks(p, rank, BUF_RECV); i++) {
		struct block b = prove_block(p, rank, BUF_RECV, i);
		struct origin o = prove_origin(p, rank, i);

		for (size_t e = 0; e < b.count; e++) {
			struct value want =
			    o.n ? values_of(&f->values, o.first, o.n, o.at + e)
				: left_alone(f, rank, e);

			if (!prove_dataflow_element(f, rank, b.at + e, want))
				return false;
			recv[b.at + e] = kept;
		}
	}
	/* now only elements between the blocks can differ */
	for (size_t i = 0; i < p->ranks[rank].len[BUF_RECV]; i++)
		if (!values_equal(recv[i], kept))
			return prove_wrong(p, NO_STEP,
					   "rank %d: RECV[%zu] is of no block",
					   rank, i);
	return true;
}

static bool is_taken(struct dataflow *f, uint32_t step)
{
	const struct step *s = f->p->step[step];

	for (size_t i = 0; i < s->count; i++)
		if (f->combined[prove_dataflow_cell(f, s->peer, s->dst.at + i)]
			.count)
			return prove_wrong(f->p, step, "nobody takes cell %zu",
					   s->dst.at + i);
	return true;
}

static bool all_taken(struct dataflow *f)
{
	for (uint32_t i = 0; i < f->p->nsteps; i++)
		if ((f->p->step[i]->kind == STEP_FETCH_ADD ||
		     f->p->step[i]->kind == STEP_COMPARE_SWAP) &&
		    !is_taken(f, i))
			return false;
	return true;
}

bool prove_dataflow(struct proof *p)
{
	struct dataflow f = {.p = p};

	if (!set_up(&f))
		return false;
	for (uint32_t i = 0; i < p->norder; i++)
		if (!prove_dataflow_happen(&f, p->order[i]))
			return false;
	if (!all_taken(&f))
		return false;
	for (int r = 0; r < p->n; r++)
		if (!prove_dataflow_results(&f, r))
			return false;
	return true;
}
