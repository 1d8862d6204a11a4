/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_label.c: labels of the messages in a picture: the numbers of the blocks
 * that a message carries, if the vector is cut into one block per rank and each
 * message carries consecutive blocks; or else its bytes.
 */
#include "coll/plan/rules.h"
#include "tools/plan/draw.h"

static struct block block_of(const struct draw_options *o, int i)
{
	const struct shape *s = &o->shape;

	if (rule_is_vector(&rules[o->collective]))
		return plan_block(s->count, s->size, i);
	return (struct block){(size_t)i * s->count, s->count};
}

/* Returns the block that begins (or ends) at `at`; -1 if none does. */
static int find_block(const struct draw_options *o, size_t at, bool end)
{
	int low = 0, high = o->shape.size - 1;

	while (low <= high) {
		int i = low + (high - low) / 2;
		struct block b = block_of(o, i);
		size_t edge = end ? b.at + b.count : b.at;

		if (edge == at)
			return b.count ? i : -1;
		if (edge < at)
			low = i + 1;
		else
			high = i - 1;
	}
	return -1;
}

/* Finds where the data of a message lies in SEND or RECV, on either of its two
 * ranks. */
static bool find_place(const struct drawing *d, size_t step,
		       const struct step *s, struct ref *place)
{
	const struct plan *peer = &d->plans[s->peer];
	const struct step *t;

	*place = s->src;
	if (place->buf == BUF_SEND || place->buf == BUF_RECV)
		return true;
	t = &peer->steps[d->timeline.of[step].mate -
			 d->timeline.first[s->peer]];
	*place = t->dst;
	return t->kind == STEP_RECV && place->buf == BUF_RECV;
}

static bool find_blocks(const struct drawing *d, size_t step,
			const struct step *s, int *first, int *last)
{
	struct ref place;

	if (!s->count || s->kind != STEP_SEND ||
	    !find_place(d, step, s, &place))
		return false;
	*first = find_block(d->options, place.at, false);
	*last = find_block(d->options, place.at + s->count, true);
	return *first >= 0 && *last >= *first;
}

/* Counts each message once, at its sender. */
static bool carries_data(const struct step *s)
{
	return step_has_peer(s->kind) && s->kind != STEP_RECV &&
	       s->kind != STEP_RECV_REDUCE && s->kind != STEP_SIGNAL;
}

struct draw_labels draw_labels_choose(const struct drawing *d)
{
	struct draw_labels l = {
	    .what = d->options->label, .same = true, .bytes = -1};
	bool blocks = true, parts = false;
	int first, last;

	for (int r = 0; r < d->options->shape.size; r++)
		for (uint32_t i = 0; i < d->plans[r].nsteps; i++) {
			const struct step *s = &d->plans[r].steps[i];

			if (!carries_data(s))
				continue;
			if (l.bytes >= 0 && (draw_bytes(d, s) > l.bytes ||
					     draw_bytes(d, s) < l.bytes))
				l.same = false;
			l.bytes = draw_bytes(d, s);
			blocks =
			    blocks && find_blocks(d, d->timeline.first[r] + i,
						  s, &first, &last);
			parts = parts || (blocks && last - first + 1 <
							d->options->shape.size);
		}
	if (l.what == LABEL_AUTO)
		l.what = blocks && parts ? LABEL_BLOCKS
			 : l.same	 ? LABEL_NONE
					 : LABEL_BYTES;
	return l;
}

struct label_text draw_label(const struct drawing *d,
			     const struct draw_labels *labels, int rank,
			     uint32_t i)
{
	const struct step *s = &d->plans[rank].steps[i];
	struct label_text label = {""};
	size_t room = sizeof(label.text);
	int first, last;

	if (labels->what == LABEL_BYTES && carries_data(s))
		snprintf(label.text, room, "%.0f", draw_bytes(d, s));
	if (labels->what == LABEL_BLOCKS &&
	    find_blocks(d, d->timeline.first[rank] + i, s, &first, &last)) {
		if (first == last)
			snprintf(label.text, room, "%d", first);
		else if (last - first + 1 == d->options->shape.size)
			snprintf(label.text, room, "all");
		else
			snprintf(label.text, room, "%d-%d", first, last);
	}
	return label;
}
