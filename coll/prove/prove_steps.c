/* SPDX-License-Identifier: Apache-2.0 */
/* prove_steps.c: each step by itself: what it uses, and that it keeps the rules
 * of plan.h. */
#include "coll/prove/prove_state.h"

/* A kind of step does this with one of its three references. */
enum what {
	UNUSED,
	IN,	 /* reads elements, of any buffer */
	OUT,	 /* writes elements, not of SEND or CELLS */
	POSTED,	 /* elements of its board, for others */
	LOADED,	 /* elements of the peer's board */
	COUNTER, /* one of its own cells */
	CELL,	 /* a cell of the peer */
	CELLS,	 /* a cell of the peer for each element */
	PACKED,	 /* cells of the peer, filled */
	SUMS	 /* an own cell for each element */
};

static const struct uses {
	uint8_t src, with, dst;
} uses[STEP_KINDS] = {
    [STEP_SEND] = {IN, UNUSED, UNUSED},
    [STEP_RECV] = {UNUSED, UNUSED, OUT},
    [STEP_RECV_REDUCE] = {OUT, IN, OUT},
    [STEP_SIGNAL] = {UNUSED, UNUSED, CELL},
    [STEP_WRITE] = {IN, UNUSED, PACKED},
    [STEP_FETCH_ADD] = {IN, UNUSED, CELLS},
    [STEP_COMPARE_SWAP] = {IN, UNUSED, CELLS},
    [STEP_LOAD] = {LOADED, UNUSED, OUT},
    [STEP_LOAD_REDUCE] = {LOADED, IN, OUT},
    [STEP_POST] = {POSTED, UNUSED, UNUSED},
    [STEP_COPY] = {IN, UNUSED, OUT},
    [STEP_REDUCE] = {IN, IN, OUT},
    [STEP_WAIT_MEMORY] = {UNUSED, UNUSED, COUNTER},
    [STEP_TAKE] = {SUMS, UNUSED, OUT},
};

/* Returns the words that packed elements take. */
static size_t prove_steps_words(const struct proof *p, size_t count)
{
	return (count * prove_shape(p, 0)->type_size + 7) / 8;
}

static struct access access_of(const struct proof *p, uint32_t step,
			       struct ref ref, enum what what)
{
	int owner = what == LOADED ? p->step[step]->peer : p->rank_of[step];
	const struct prove_rank *r = &p->ranks[owner];
	size_t count = p->step[step]->count;
	bool reads =
	    what == IN || what == COUNTER || what == POSTED || what == LOADED;
	struct access a = {.use = reads ? READS : WRITES,
			   .cells = what >= COUNTER || ref.buf == BUF_CELLS,
			   .remote = what == LOADED ||
				     (what >= CELL && what <= PACKED),
			   .at = ref.at,
			   .count = count};

	if (what == COUNTER || what == CELL)
		a.count = 1;
	else if (what == PACKED || (what == IN && a.cells))
		a.count = prove_steps_words(p, count);
	else if (!a.cells)
		a.at += r->base[ref.buf];
	if (what == LOADED)
		a.at += p->step[p->partner[step]]->src.at;
	return a;
}

static bool prove_steps_same(const struct proof *p, uint32_t step, struct ref a,
			     struct ref b)
{
	const struct prove_rank *r = &p->ranks[p->rank_of[step]];

	return (a.buf == BUF_CELLS) == (b.buf == BUF_CELLS) &&
	       r->base[a.buf] + a.at == r->base[b.buf] + b.at;
}

int prove_accesses(const struct proof *p, uint32_t step,
		   struct access out[ACCESSES])
{
	const struct step *s = p->step[step];
	const struct uses *u = &uses[s->kind];
	int n = 0;

	/* a step reads before it writes */
	if (u->src && u->src != OUT)
		out[n++] = access_of(p, step, s->src, u->src);
	if (u->with)
		out[n++] = access_of(p, step, s->with, u->with);
	if (u->src == OUT)
		out[n++] = access_of(p, step, s->src, u->src);
	if (u->dst && (s->kind != STEP_COPY ||
		       !prove_steps_same(p, step, s->src, s->dst)))
		out[n++] = access_of(p, step, s->dst, u->dst);
	for (int i = n; i-- > 0;)
		if (!out[i].count)
			out[i] = out[--n];
	return n;
}

static bool prove_ref(struct proof *p, uint32_t step, struct ref ref,
		      enum what what)
{
	const struct prove_rank *r = &p->ranks[p->rank_of[step]];
	struct access a;

	if (what == UNUSED)
		return true;
	if (ref.buf >= BUF_TMP + r->plan.ntmp)
		return prove_wrong(p, step, "there is no buffer %u", ref.buf);
	if ((what == POSTED || what == LOADED) && ref.buf != BUF_BOARD)
		return prove_wrong(p, step, "buffer %u is no board", ref.buf);
	if (what == LOADED) /* prove_posts has compared the two */
		return true;
	a = access_of(p, step, ref, what);
	if (!a.count)
		return true;
	if (what >= COUNTER && ref.buf != BUF_CELLS)
		return prove_wrong(p, step, "buffer %u is no cell", ref.buf);
	if (what == OUT && ref.buf == BUF_SEND)
		return prove_wrong(p, step, "writes SEND");
	if (what == OUT && ref.buf == BUF_CELLS)
		return prove_wrong(p, step, "writes CELLS as if memory");
	if (ref.at > r->len[ref.buf] || a.count > r->len[ref.buf] - ref.at)
		return prove_wrong(p, step,
				   "%zu from %zu of buffer %u, which has %zu",
				   a.count, ref.at, ref.buf, r->len[ref.buf]);
	return true;
}

static bool prove_steps_overlap(const struct proof *p, uint32_t step,
				struct ref a, struct ref b)
{
	const struct prove_rank *r = &p->ranks[p->rank_of[step]];
	size_t x = r->base[a.buf] + a.at, y = r->base[b.buf] + b.at;
	size_t count = p->step[step]->count;

	return a.buf != BUF_CELLS && b.buf != BUF_CELLS && x < y + count &&
	       y < x + count;
}

static bool prove_overlap(struct proof *p, uint32_t step)
{
	const struct step *s = p->step[step];
	const struct uses *u = &uses[s->kind];
	bool good = true;

	if (u->dst != OUT || !s->count)
		return true;
	if (u->src && u->src != LOADED &&
	    prove_steps_overlap(p, step, s->src, s->dst))
		good = prove_steps_same(p, step, s->src, s->dst);
	if (u->with && prove_steps_overlap(p, step, s->with, s->dst))
		good &= prove_steps_same(p, step, s->with, s->dst);
	if (s->kind == STEP_RECV_REDUCE)
		good &= !prove_steps_overlap(p, step, s->src, s->with);
	return good || prove_wrong(p, step, "its operands overlap");
}

static bool prove_peer(struct proof *p, uint32_t step)
{
	const struct step *s = p->step[step];

	if (!step_has_peer(s->kind))
		return true;
	if (s->peer < 0 || s->peer >= p->n)
		return prove_wrong(p, step, "there is no rank %d", s->peer);
	if (s->peer == p->rank_of[step])
		return prove_wrong(p, step, "its peer is itself");
	if (step_is_message(s->kind) && s->tag >= PLAN_TAGS)
		return prove_wrong(p, step, "tag %u", s->tag);
	return true;
}

static bool prove_combine(struct proof *p, uint32_t step)
{
	uint8_t kind = p->step[step]->kind, can = prove_shape(p, 0)->combine;

	if ((kind == STEP_FETCH_ADD && can != COMBINE_ADD) ||
	    (kind == STEP_COMPARE_SWAP && can == COMBINE_NONE))
		return prove_wrong(p, step, "atomics cannot combine that");
	return true;
}

static bool prove_step(struct proof *p, uint32_t step)
{
	const struct step *s = p->step[step];
	uint32_t number = step - p->ranks[p->rank_of[step]].first + 1;

	if (s->kind >= STEP_KINDS)
		return prove_wrong(p, step, "kind %u", s->kind);
	if ((step_is_load(s->kind) || s->kind == STEP_POST) &&
	    !prove_shape(p, 0)->board)
		return prove_wrong(p, step, "there is no board");
	for (int a = 0; a < 2; a++)
		if (s->after[a] >= number)
			return prove_wrong(p, step, "after step %u",
					   s->after[a]);
	return prove_peer(p, step) && prove_combine(p, step) &&
	       prove_ref(p, step, s->src, uses[s->kind].src) &&
	       prove_ref(p, step, s->with, uses[s->kind].with) &&
	       prove_ref(p, step, s->dst, uses[s->kind].dst) &&
	       prove_overlap(p, step);
}

static bool prove_board(struct proof *p, int rank)
{
	const struct prove_rank *r = &p->ranks[rank];
	const struct shape *s = prove_shape(p, rank);

	return r->plan.board * s->type_size <= s->board ||
	       prove_wrong(p, NO_STEP,
			   "rank %d uses %zu bytes of a board of %zu", rank,
			   r->plan.board * s->type_size, s->board);
}

bool prove_steps(struct proof *p)
{
	for (int r = 0; r < p->n; r++)
		if (!prove_board(p, r))
			return false;
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (!prove_step(p, i))
			return false;
	return true;
}
