/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove_flow.c: what the elements are made of in the end, by letting all steps
 * happen in an order in which they may.
 */
#include "coll/prove/prove_state.h"
#include "coll/prove/prove_value.h"

/* What RECV must keep has a `who` that what nobody wrote has not. */
static const struct value garbage = {0, 0, 0}, kept = {0, 0, 1};

struct traffic {
	struct proof *k;
	struct values values;
	struct value **memory;	/* [n] */
	struct value *combined; /* [n * ncells] accumulators */
	/* [n * ncells * 8] the bytes of room: each has its element, and which
	 * byte of it it is. NULL when nobody writes there. */
	struct packed {
		struct value value;
		size_t byte;
	} * packed;
};

static bool combine(struct traffic *f, uint32_t step, struct value left,
		    struct value right, struct value *result)
{
	char l[VALUE_TEXT], r[VALUE_TEXT];

	if (values_join(&f->values, left, right, result))
		return true;
	values_describe(&f->values, left, l);
	values_describe(&f->values, right, r);
	return prove_wrong(f->k, step, "combines %s with %s", l, r);
}

/* ---- Memory ------------------------------------------------------------- */

static struct value *at(const struct traffic *f, int rank, struct ref ref)
{
	return f->memory[rank] + f->k->ranks[rank].base[ref.buf] + ref.at;
}

static size_t cell(const struct traffic *f, int rank, size_t at)
{
	return (size_t)rank * f->k->ncells + at;
}

static size_t type_size(const struct traffic *f)
{
	return prove_shape(f->k, 0)->type_size;
}

static struct value unpack(const struct traffic *f, int rank, size_t at,
			   size_t i)
{
	const struct packed *p;

	if (!f->packed)
		return garbage;
	p = &f->packed[8 * cell(f, rank, at) + i * type_size(f)];
	for (size_t b = 0; b < type_size(f); b++)
		if (p[b].byte != b || !values_equal(p[b].value, p[0].value))
			return garbage;
	return p[0].value;
}

static void pack(struct traffic *f, int rank, size_t at, size_t i,
		 struct value value)
{
	struct packed *p = &f->packed[8 * cell(f, rank, at) + i * type_size(f)];

	for (size_t b = 0; b < type_size(f); b++)
		p[b] = (struct packed){value, b};
}

/* Element i of what a step reads. */
static bool get(struct traffic *f, uint32_t step, struct ref ref, size_t i,
		struct value *value)
{
	int rank = f->k->rank_of[step];

	*value = ref.buf == BUF_CELLS ? unpack(f, rank, ref.at, i)
				      : at(f, rank, ref)[i];
	return value->count ||
	       prove_wrong(f->k, step,
			   "reads garbage, element %zu of buffer "
			   "%u",
			   ref.at + i, ref.buf);
}

/* ---- Steps -------------------------------------------------------------- */

static bool copy(struct traffic *f, uint32_t from, uint32_t to, struct ref dst)
{
	const struct step *s = f->k->step[from];
	struct value *out;

	if (!s->count)
		return true;
	out = at(f, f->k->rank_of[to], dst);
	for (size_t i = 0; i < s->count; i++)
		if (!get(f, from, s->src, i, &out[i]))
			return false;
	return true;
}

static bool reduce(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];
	struct value a, b;

	for (size_t i = 0; i < s->count; i++)
		if (!get(f, step, s->src, i, &a) ||
		    !get(f, step, s->with, i, &b) ||
		    !combine(f, step, s->flip ? b : a, s->flip ? a : b,
			     &at(f, f->k->rank_of[step], s->dst)[i]))
			return false;
	return true;
}

static bool write_cells(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];
	struct value value;

	for (size_t i = 0; i < s->count; i++) {
		if (!get(f, step, s->src, i, &value))
			return false;
		pack(f, s->peer, s->dst.at, i, value);
	}
	return true;
}

static bool add(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];
	struct value value;

	for (size_t i = 0; i < s->count; i++) {
		struct value *sum =
		    &f->combined[cell(f, s->peer, s->dst.at + i)];

		if (f->values.ordered)
			return prove_wrong(f->k, step, "adds in any order");
		if (!get(f, step, s->src, i, &value))
			return false;
		if (!sum->count)
			*sum = value;
		else if (!combine(f, step, *sum, value, sum))
			return false;
	}
	return true;
}

static bool take(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];
	int rank = f->k->rank_of[step];

	for (size_t i = 0; i < s->count; i++) {
		struct value *sum = &f->combined[cell(f, rank, s->src.at + i)];

		if (!sum->count)
			return prove_wrong(f->k, step,
					   "takes nothing, of cell %zu",
					   s->src.at + i);
		at(f, rank, s->dst)[i] = *sum;
		*sum = garbage;
	}
	return true;
}

static bool happen(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];
	uint32_t send = f->k->partner[step];

	switch (s->kind) {
	case STEP_RECV:
		return copy(f, send, step, s->dst);
	case STEP_RECV_REDUCE:
		return copy(f, send, step, s->src) && reduce(f, step);
	case STEP_COPY:
		return copy(f, step, step, s->dst);
	case STEP_REDUCE:
		return reduce(f, step);
	case STEP_WRITE:
		return write_cells(f, step);
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return add(f, step);
	case STEP_TAKE:
		return take(f, step);
	default:
		return true;
	}
}

/* ---- Before and after --------------------------------------------------- */

static void fill_recv(struct traffic *f, int rank)
{
	struct value *recv = at(f, rank, ref(BUF_RECV, 0));
	bool root = f->k->c->collective == COLL_BCAST &&
		    rank == prove_shape(f->k, rank)->root;

	for (size_t i = 0; i < f->k->ranks[rank].len[BUF_RECV]; i++)
		recv[i] = kept;
	for (int i = 0; i < prove_blocks(f->k, rank, BUF_RECV); i++) {
		struct block b = prove_block(f->k, rank, BUF_RECV, i);

		if (!prove_origin(f->k, rank, i).n)
			continue;
		for (size_t e = b.at; e < b.at + b.count; e++)
			recv[e] =
			    root ? values_of(&f->values, rank, 1, e) : garbage;
	}
}

static void fill_send(struct traffic *f, int rank)
{
	struct value *send = at(f, rank, ref(BUF_SEND, 0));

	for (int i = 0; i < prove_blocks(f->k, rank, BUF_SEND); i++) {
		struct block b = prove_block(f->k, rank, BUF_SEND, i);

		for (size_t e = b.at; e < b.at + b.count; e++)
			send[e] = values_of(&f->values, rank, 1, e);
	}
}

static bool make_cells(struct traffic *f)
{
	struct proof *k = f->k;
	size_t cells = (size_t)k->n * k->ncells;
	bool written = false;

	for (uint32_t i = 0; i < k->nsteps; i++)
		written |= k->step[i]->kind == STEP_WRITE;
	f->combined = prove_room(k, cells, sizeof(*f->combined));
	if (written)
		f->packed = prove_room(k, 8 * cells, sizeof(*f->packed));
	return f->combined && (f->packed || !written);
}

static bool set_up(struct traffic *f)
{
	struct proof *k = f->k;
	size_t n = (size_t)k->n;

	f->memory = prove_room(k, n, sizeof(*f->memory));
	if (!f->memory || !values_init(&f->values, k) || !make_cells(f))
		return false;
	for (size_t r = 0; r < n; r++) {
		f->memory[r] =
		    prove_room(k, k->ranks[r].room, sizeof(**f->memory));
		if (!f->memory[r])
			return false;
		fill_recv(f, (int)r);
		fill_send(f, (int)r);
	}
	return true;
}

static bool element(struct traffic *f, int rank, size_t i, struct value want)
{
	struct value got = at(f, rank, ref(BUF_RECV, i))[0];
	char g[VALUE_TEXT], w[VALUE_TEXT];

	if (values_equal(got, want))
		return true;
	values_describe(&f->values, got, g);
	values_describe(&f->values, want, w);
	return prove_wrong(f->k, NO_STEP,
			   "rank %d gets in RECV[%zu] %s, not %s", rank, i, g,
			   w);
}

/* An exscan's rank 0 in place has what it had, its own. */
static struct value left_alone(const struct traffic *f, int rank, size_t i)
{
	return prove_shape(f->k, rank)->in_place &&
		       f->k->c->collective == COLL_EXSCAN
		   ? values_of(&f->values, rank, 1, i)
		   : kept;
}

static bool results(struct traffic *f, int rank)
{
	struct proof *k = f->k;
	struct value *recv = at(f, rank, ref(BUF_RECV, 0));

	for (int i = 0; i < prove_blocks(k, rank, BUF_RECV); i++) {
		struct block b = prove_block(k, rank, BUF_RECV, i);
		struct origin o = prove_origin(k, rank, i);

		for (size_t e = 0; e < b.count; e++) {
			struct value want =
			    o.n ? values_of(&f->values, o.first, o.n, o.at + e)
				: left_alone(f, rank, e);

			if (!element(f, rank, b.at + e, want))
				return false;
			recv[b.at + e] = kept;
		}
	}
	/* now only what lies between the blocks can be something else */
	for (size_t i = 0; i < k->ranks[rank].len[BUF_RECV]; i++)
		if (!values_equal(recv[i], kept))
			return prove_wrong(k, NO_STEP,
					   "rank %d: RECV[%zu] is of no block",
					   rank, i);
	return true;
}

static bool is_taken(struct traffic *f, uint32_t step)
{
	const struct step *s = f->k->step[step];

	for (size_t i = 0; i < s->count; i++)
		if (f->combined[cell(f, s->peer, s->dst.at + i)].count)
			return prove_wrong(f->k, step, "nobody takes cell %zu",
					   s->dst.at + i);
	return true;
}

static bool all_taken(struct traffic *f)
{
	for (uint32_t i = 0; i < f->k->nsteps; i++)
		if ((f->k->step[i]->kind == STEP_FETCH_ADD ||
		     f->k->step[i]->kind == STEP_COMPARE_SWAP) &&
		    !is_taken(f, i))
			return false;
	return true;
}

bool prove_flow(struct proof *k)
{
	struct traffic f = {.k = k};

	if (!set_up(&f))
		return false;
	for (uint32_t i = 0; i < k->norder; i++)
		if (!happen(&f, k->order[i]))
			return false;
	if (!all_taken(&f))
		return false;
	for (int r = 0; r < k->n; r++)
		if (!results(&f, r))
			return false;
	return true;
}
