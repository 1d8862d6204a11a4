/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c: the numbering of k-nomial, binary and double trees. */
#include "coll/plan/tree.h"

/* ---- k-nomial ----------------------------------------------------------- */

/* Returns the weight of the lowest nonzero digit of v, which is not 0. */
static size_t tree_weight(size_t radix, int v)
{
	size_t w = 1;

	while ((size_t)v / w % radix == 0)
		w *= radix;
	return w;
}

int knomial_size(int n, size_t radix, int v)
{
	size_t w = v ? tree_weight(radix, v) : (size_t)n;

	return w < (size_t)(n - v) ? (int)w : n - v;
}

int knomial_parent(int n, size_t radix, int v)
{
	size_t k = radix < (size_t)n ? radix : (size_t)n;

	return v - (int)((size_t)v % (tree_weight(k, v) * k));
}

int knomial_next(size_t radix, int off)
{
	return off + (int)tree_weight(radix, off);
}

int knomial_last(size_t radix, int size)
{
	size_t w = 1, most = (size_t)size - 1;

	while (most / w >= radix)
		w *= radix;
	return (int)(most / w * w);
}

int knomial_previous(size_t radix, int off)
{
	size_t w = tree_weight(radix, off);

	return off - (int)((size_t)off == w && w > 1 ? w / radix : w);
}

int knomial_rounds(int n, size_t radix)
{
	int rounds = 0;

	for (int off = 1; off < n; off = knomial_next(radix, off))
		rounds++;
	return rounds;
}

int knomial_depth(int n, size_t radix)
{
	size_t deepest =
	    1; /* the least deep v of its length: all digits are 1 */
	int depth = 0;

	/* the highest v has as many digits, or one more and a lower one */
	for (; deepest < (size_t)n; deepest = deepest * radix + 1)
		depth++;
	return depth;
}

struct subtree tree_subtree(const struct shape *s, int rank)
{
	int n = s->size, v = tree_number(s, rank);
	struct subtree t = {
	    .parent = -1, .first = rank, .size = knomial_size(n, 2, v)};

	if (v)
		t.parent = tree_rank(s, knomial_parent(n, 2, v));
	for (int off = knomial_last(2, t.size); off;
	     off = knomial_previous(2, off)) {
		int child = tree_rank(s, v + off);

		t.children[t.nchildren++] = (struct subtree_child){
		    child, child, knomial_size(n, 2, v + off)};
	}
	return t;
}

/* Returns the sum of the sizes of all subtrees but the whole tree. */
static double all_sizes(int n, size_t radix)
{
	size_t last = (size_t)n - 1;
	double sum = 0;

	for (size_t w = 1; w <= last; w *= radix) {
		size_t v = last / w * w;
		size_t of_weight = last / w - last / w / radix;

		/* each has w ranks, except the last one */
		sum += (double)(of_weight * w);
		if (v / w % radix)
			sum -=
			    (double)(v + w > (size_t)n ? v + w - (size_t)n : 0);
	}
	return sum;
}

void binomial_cost_blocks(const struct shape *s, struct cost *c)
{
	double m = shape_bytes(s);

	c->rounds = knomial_rounds(s->size, 2);
	c->together = c->rounds - knomial_depth(s->size, 2);
	c->bytes = (s->size - 1) * m;
	c->sends = s->size - 1;
	c->moved = all_sizes(s->size, 2) * m;
}

/* ---- Binary ------------------------------------------------------------- */

/* Returns the neighbours of v as numbers. A v with lowest bit `low` is a child
 * of v - low or v + low; if that is beyond the last rank, the next one below it
 * moves up. */
static struct tree binary_tree(int n, int v)
{
	int low = v ? v & -v : 1 << 30, step = low / 2;
	struct tree t = {-1, -1, -1};

	if (v)
		t.parent = v & 2 * low || v + low >= n ? v - low : v + low;
	if (v && step)
		t.left = v - step;
	while (step && v + step >= n)
		step /= 2;
	if (step)
		t.right = v + step;
	return t;
}

static int rank_or_none(const struct shape *s, int v)
{
	return v < 0 ? -1 : tree_rank(s, v);
}

struct tree tree_binary(const struct shape *s, int rank)
{
	struct tree t = binary_tree(s->size, tree_number(s, rank));

	t.parent = rank_or_none(s, t.parent);
	t.left = rank_or_none(s, t.left);
	t.right = rank_or_none(s, t.right);
	return t;
}

/* Returns the position of v in the second tree, where odd and even numbers
 * change places. */
static int tree_moved(int n, int v)
{
	if (v <= 0)
		return v;
	if (n % 2)
		return n - v;
	return v == 1 ? n - 1 : v - 1;
}

static int moved_back(int n, int at)
{
	if (at <= 0)
		return at;
	if (n % 2)
		return n - at;
	return at == n - 1 ? 1 : at + 1;
}

struct tree tree_double(const struct shape *s, int rank, int which)
{
	int n = s->size;
	struct tree t;

	if (!which)
		return tree_binary(s, rank);
	t = binary_tree(n, tree_moved(n, tree_number(s, rank)));
	t.parent = rank_or_none(s, moved_back(n, t.parent));
	t.left = rank_or_none(s, moved_back(n, t.left));
	t.right = rank_or_none(s, moved_back(n, t.right));
	return t;
}

/* ---- Segments ----------------------------------------------------------- */

void tree_down(struct plan *plan, const struct tree *tree, struct part part,
	       uint32_t after)
{
	if (tree->parent >= 0)
		after = plan_recv(plan, tree->parent, part, after, 0);
	if (tree->left >= 0)
		plan_send(plan, tree->left, part, after, 0);
	if (tree->right >= 0)
		plan_send(plan, tree->right, part, after, 0);
}

void tree_up_init(struct plan *plan, struct tree_up *up, struct tree tree,
		  size_t longest)
{
	*up = (struct tree_up){.tree = tree};
	for (int k = 0; k < 2; k++) {
		if (tree.left >= 0)
			up->left[k] = ref(plan_tmp(plan, longest), 0);
		if (tree.right >= 0)
			up->right[k] = ref(plan_tmp(plan, longest), 0);
	}
}

/* The left subtree holds ranks below v, the right one ranks above it. */
uint32_t tree_up(struct plan *plan, struct tree_up *up, struct block b,
		 unsigned tag)
{
	unsigned k = up->turn++ % 2;
	const struct tree *t = &up->tree;
	struct part left = {up->left[k], b.count, tag};
	struct part right = {up->right[k], b.count, tag};
	struct part own = {ref(BUF_SEND, b.at), b.count, tag};
	struct ref acc = t->parent < 0	? ref(BUF_RECV, b.at)
			 : t->left >= 0 ? left.ref
					: right.ref;
	uint32_t got, done = 0;

	if (t->left >= 0) {
		got = plan_recv(plan, t->left, left, up->free_after[k], 0);
		done = plan_reduce(
		    plan, (struct operands){left.ref, own.ref, acc, b.count},
		    got, 0);
		own.ref = acc;
	}
	if (t->right >= 0) {
		got = plan_recv(plan, t->right, right, up->free_after[k], 0);
		done = plan_reduce(
		    plan, (struct operands){own.ref, right.ref, acc, b.count},
		    got, done);
		own.ref = acc;
	}
	if (t->parent >= 0)
		done = plan_send(plan, t->parent, own, done, 0);
	up->free_after[k] = done;
	return done;
}

int tree_segments(const struct shape *s)
{
	return plan_segments(s, s->count, s->arg);
}

static void count_messages(const struct shape *s, struct cost *c)
{
	double m = shape_bytes(s), segments = tree_segments(s);

	c->bytes = c->rounds * m / segments;
	c->sends = segments * (s->size - 1);
	c->moved = (s->size - 1) * m;
	c->reach = REACH_RANGES;
}

void tree_cost_binary(const struct shape *s, struct cost *c)
{
	int n = s->size, segments = tree_segments(s);

	if (n < 2)
		return;
	/* from four ranks on a rank has two children */
	c->rounds =
	    n < 4 ? n - 2 + segments : 2 * (log2_ceil(n) + segments) - 3;
	c->together = c->rounds - log2_ceil(n);
	count_messages(s, c);
}

void tree_cost_double(const struct shape *s, struct cost *c)
{
	if (s->size < 2)
		return;
	c->rounds = 2 * log2_ceil(s->size) - 2 + tree_segments(s);
	c->together = c->rounds - log2_ceil(s->size);
	count_messages(s, c);
}

void tree_cost_chain(const struct shape *s, struct cost *c)
{
	double n = s->size, m = shape_bytes(s);
	double segments = plan_segments(s, s->count, s->arg);

	if (n < 2)
		return;
	c->rounds = n - 2 + segments;
	c->together = segments - 1;
	c->bytes = c->rounds * m / segments;
	c->sends = segments * (n - 1);
	c->moved = (n - 1) * m;
	c->reach = REACH_NEXT;
}

void tree_cost_flat(const struct shape *s, struct cost *c)
{
	c->rounds = c->sends = s->size - 1;
	c->together = c->rounds > 0 ? c->rounds - 1 : 0;
	c->bytes = c->moved = c->sends * shape_bytes(s);
	c->peers = s->size - 1;
}
