/* SPDX-License-Identifier: Apache-2.0 */
/* modex_places.c: lists of ranks that are placed in blocks, in turn or at
 * random are added one after the other, and found as in a plain table. */
#include "runtime/fabric/modex_places.h"

#include <stdbool.h>

#include "tests/tap.h"

enum { MOST = 60, SPEAKERS = 6, CACHES = 3 };

static unsigned seed = 7;

static int draw(int below)
{
	seed = seed * 1664525u + 1013904223u;
	return (int)((seed >> 8) % (unsigned)below);
}

struct world {
	int size;
	struct spot of[MOST];
	bool known[MOST];
};

static void world_draw(struct world *w)
{
	int way = draw(3), block = 1 + draw(8);

	*w = (struct world){.size = 1 + draw(MOST)};
	for (int r = 0; r < w->size; r++) {
		w->of[r].speaker = way == 0   ? r / block % SPEAKERS
				   : way == 1 ? r % SPEAKERS
					      : draw(SPEAKERS);
		w->of[r].cache = draw(4) ? r / block % CACHES : draw(CACHES);
	}
}

/* Adds what one speaker tells. */
static bool tell(struct world *w, int speaker)
{
	struct entry list[MOST];
	int n = 0;

	for (int r = 0; r < w->size; r++)
		if (w->of[r].speaker == speaker) {
			list[n++] = (struct entry){r, w->of[r].cache, 0};
			w->known[r] = true;
		}
	return !n || !places_add(speaker, list, n);
}

static bool is_right(const struct world *w)
{
	int unknown = 0;

	while (unknown < w->size && w->known[unknown])
		unknown++;
	for (int r = 0; r < w->size; r++) {
		struct spot s = places_find(r);

		if (w->known[r] ? s.speaker != w->of[r].speaker ||
				      s.cache != w->of[r].cache
				: s.speaker != -1)
			return false;
	}
	return places_unknown() == unknown;
}

/* Lets the speakers tell in some order, and a few of them once more, with other
 * caches, which changes nothing. */
static bool try_world(struct world *w)
{
	int first = draw(SPEAKERS);
	bool good = !places_open(w->size) && is_right(w);

	for (int k = 0; k < SPEAKERS && good; k++) {
		int speaker = (first + k) % SPEAKERS;
		struct entry again = {places_unknown(), 99, 0};

		good = tell(w, speaker) && is_right(w);
		if (again.rank < w->size && w->known[again.rank] && draw(2))
			good &= !places_add(speaker, &again, 1) && is_right(w);
	}
	places_close();
	return good;
}

int main(void)
{
	bool good = true;

	for (int k = 0; k < 5000 && good; k++) {
		struct world w;

		world_draw(&w);
		good = try_world(&w);
	}
	ok(good, "places are found as they were told");
	return tap_done();
}
