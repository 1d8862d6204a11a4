/* SPDX-License-Identifier: Apache-2.0 */
/* bine.c: who is whose partner in Bine trees and butterflies. */
#include "coll/plan/bine.h"

/* ---- The tree ----------------------------------------------------------- */

/* A range of the line. Its root is in the lower half or in the upper one. */
struct bine_range {
	int first, size;
	bool upper;
};

static int larger_half(int size)
{
	return (size + 1) / 2;
}

/* In the half that it keeps, a root is as far from the middle as the root of a
 * range of that size is from the end. */
static int range_root(struct bine_range r)
{
	int size = r.size, from_end = 0;

	for (int sign = 1; size > 1; sign = -sign) {
		size = larger_half(size);
		from_end += sign * (size - 1);
	}
	return r.first + (r.upper ? r.size - 1 - from_end : from_end);
}

/* Returns the line of n ranks. Its root stands in the upper half if the number
 * of steps is even: then it meets the next rank in the last step, as in the
 * paper. */
static struct bine_range bine_line(int n)
{
	return (struct bine_range){0, n, log2_ceil(n) % 2 == 0};
}

int bine_top(int n)
{
	return range_root(bine_line(n));
}

/* Returns the half that the root gives to a child, and leaves the other. */
static struct bine_range range_split(struct bine_range *own)
{
	int kept = larger_half(own->size), given = own->size - kept;
	struct bine_range child = {own->first + kept, given, own->upper};

	if (own->upper) {
		child.first = own->first;
		own->first += given;
	}
	own->size = kept;
	own->upper = !own->upper;
	return child;
}

static bool range_has(struct bine_range r, int at)
{
	return at >= r.first && at < r.first + r.size;
}

/* Returns the rank at a place of the line. */
static int bine_rank(const struct shape *s, int at)
{
	return tree_rank(s, (at - bine_top(s->size) + s->size) % s->size);
}

struct subtree bine_subtree(const struct shape *s, int rank)
{
	struct bine_range own = bine_line(s->size), child;
	int at = (tree_number(s, rank) + bine_top(s->size)) % s->size, root;
	struct subtree t = {.parent = -1};

	while ((root = range_root(own)) != at) {
		child = range_split(&own);
		if (range_has(child, at)) {
			own = child;
			t.parent = bine_rank(s, root);
		}
	}
	t.first = bine_rank(s, own.first);
	t.size = own.size;
	while (own.size > 1) {
		child = range_split(&own);
		t.children[t.nchildren++] = (struct subtree_child){
		    bine_rank(s, range_root(child)), bine_rank(s, child.first),
		    child.size};
	}
	return t;
}

/* ---- The butterfly ------------------------------------------------------ */

static int bine_distance(int k)
{
	int d = 1;

	while (k-- > 0)
		d = 1 - 2 * d;
	return d;
}

int bine_partner(int p, int number, int k)
{
	int d = bine_distance(k);

	return (number + (number & 1 ? -d : d)) & (p - 1);
}

/* The last step joins pairs, an even number and an odd one. Below the highest
 * bit, which tells the two apart, a label is half the even number. */
int bine_label(int p, int number)
{
	int even = number;

	if (number & 1)
		even = bine_partner(p, number, log2_ceil(p) - 1);
	return even / 2 + (number & 1 ? p / 2 : 0);
}

int bine_number(int p, int label)
{
	int even = 2 * label & (p - 1);

	return label < larger_half(p) ? even
				      : bine_partner(p, even, log2_ceil(p) - 1);
}
