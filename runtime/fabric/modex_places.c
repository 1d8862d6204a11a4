/* SPDX-License-Identifier: Apache-2.0 */
/* modex_places.c keeps an array of ranges that cover all ranks, which it makes
 * anew with each list of ranks that is added. */
#include "runtime/fabric/modex_places.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"

/* `struct span` begins a range, which ends where the next one begins. */
struct span {
	int first;
	int spot; /* index; -1: nothing is known */
};

struct spans {
	struct span *of; /* [n] */
	int n;
};

static struct {
	struct spans spans;
	struct spot *spots; /* [nspots] those of a speaker follow each other */
	int nspots;
	int size;
} places;

static int span_end(int k)
{
	return k + 1 < places.spans.n ? places.spans.of[k + 1].first
				      : places.size;
}

/* spans_put begins a range after all others, in place of one that is empty, or
 * goes on with the last one. */
static void spans_put(struct spans *s, int first, int spot)
{
	if (s->n && s->of[s->n - 1].first == first)
		s->n--;
	if (!s->n || s->of[s->n - 1].spot != spot)
		s->of[s->n++] = (struct span){first, spot};
}

int places_open(int size)
{
	places.size = size;
	places.spans.of = malloc(sizeof(*places.spans.of));
	if (!places.spans.of)
		return MRT_ERR_NO_MEM;
	places.spans.of[0] = (struct span){0, -1};
	places.spans.n = 1;
	return 0;
}

void places_close(void)
{
	free(places.spans.of);
	free(places.spots);
	memset(&places, 0, sizeof(places));
}

/* spot_index returns the index of a spot, for which there is room if it is
 * new. */
static int spot_index(int speaker, int cache)
{
	int k = places.nspots - 1;

	while (k >= 0 && places.spots[k].speaker == speaker &&
	       places.spots[k].cache != cache)
		k--;
	if (k >= 0 && places.spots[k].speaker == speaker)
		return k;
	places.spots[places.nspots] = (struct spot){speaker, cache};
	return places.nspots++;
}

/* span_copy copies range k, with those of entries[n] that are in it if nothing
 * is known of it. It returns the number of entries that are in it. */
static int span_copy(int k, int speaker, const struct entry *entries, int n,
		     struct spans *new)
{
	int end = span_end(k), i = 0;
	const struct span *s = &places.spans.of[k];

	spans_put(new, s->first, s->spot);
	for (; i < n && entries[i].rank < end; i++) {
		if (s->spot >= 0)
			continue;
		spans_put(new, entries[i].rank,
			  spot_index(speaker, entries[i].cache));
		if (entries[i].rank + 1 < end)
			spans_put(new, entries[i].rank + 1, -1);
	}
	return i;
}

int places_add(int speaker, const struct entry *entries, int n)
{
	struct spans new = {0};
	size_t room = (size_t)(places.spans.n + 2 * n);
	struct spot *spots =
	    realloc(places.spots, (size_t)(places.nspots + n) * sizeof(*spots));

	if (!spots)
		return MRT_ERR_NO_MEM;
	places.spots = spots;
	new.of = malloc(room * sizeof(*new.of));
	if (!new.of)
		return MRT_ERR_NO_MEM;
	for (int k = 0, at = 0; k < places.spans.n; k++)
		at += span_copy(k, speaker, entries + at, n - at, &new);
	free(places.spans.of);
	places.spans.n = new.n;
	places.spans.of =
	    realloc(new.of, (size_t) new.n * sizeof(*new.of)) ?: new.of;
	return 0;
}

struct spot places_find(int rank)
{
	int low = 0, high = places.spans.n - 1, spot;

	while (low < high) {
		int middle = (low + high + 1) / 2;

		if (places.spans.of[middle].first <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	spot = places.spans.of[low].spot;
	return spot < 0 ? (struct spot){-1, -1} : places.spots[spot];
}

int places_unknown(void)
{
	for (int k = 0; k < places.spans.n; k++)
		if (places.spans.of[k].spot < 0)
			return places.spans.of[k].first;
	return places.size;
}
