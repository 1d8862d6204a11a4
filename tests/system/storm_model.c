/* SPDX-License-Identifier: Apache-2.0 */
/* storm_model.c draws the rounds of a storm; it does not communicate. */
#include "tests/system/storm.h"

#include <stdlib.h>
#include <string.h>

/*
 * The communicators are world, a copy of it, the ranks in reverse, and the
 * ranks of the caller's parity: ranks are translated by arithmetic.
 */
static int comm_size(int comm, int world, int n)
{
	return comm == 3 ? (n + 1 - world % 2) / 2 : n;
}

static int comm_rank(int comm, int world, int n)
{
	return comm == 2 ? n - 1 - world : comm == 3 ? world / 2 : world;
}

static int world_rank(int comm, int rank, int parity, int n)
{
	return comm == 2 ? n - 1 - rank : comm == 3 ? 2 * rank + parity : rank;
}

/* Draws a size: most messages are small, one in some hundred is large. */
static size_t draw_size(uint64_t *rnd, size_t max)
{
	static const struct {
		unsigned upto, max;
	} classes[] = {{50, 0},	     {300, 16},	    {600, 64},
		       {850, 1024},  {920, 8192},   {960, 20000},
		       {990, 65536}, {997, 524288}, {1000, 4194304}};
	unsigned p = storm_below(rnd, 1000), k = 0;
	size_t size;

	while (p >= classes[k].upto)
		k++;
	size = storm_below(rnd, classes[k].max + 1);
	/* limits of protocols are at powers of two, so draw sizes there
	 * often */
	if (storm_below(rnd, 8) == 0)
		size = ((size_t)1 << storm_below(rnd, 23)) - 1 +
		       storm_below(rnd, 3);
	if (size > classes[k].max)
		size = classes[k].max;
	return size < max ? size : max;
}

static void draw_message(const struct storm *s, uint64_t *rnd, int world,
			 struct storm_msg *m)
{
	m->comm = (uint8_t)storm_below(rnd, STORM_COMMS);
	m->tag = (uint8_t)storm_below(rnd, STORM_TAGS);
	m->call = storm_below(rnd, 10) ? STORM_SEND : STORM_SSEND;
	m->src_world = world;
	m->src = comm_rank(m->comm, world, s->size);
	m->dst =
	    (int)storm_below(rnd, (unsigned)comm_size(m->comm, world, s->size));
	m->dst_world = world_rank(m->comm, m->dst, world % 2, s->size);
	m->size = draw_size(rnd, s->max_size);
	m->fill = storm_random(rnd);
	m->received = false;
}

void storm_draw(const struct storm *s, unsigned round, struct storm_plan *plan)
{
	uint64_t rnd = s->seed * 0x2545f4914f6cdd1du + round;
	int room = s->size * STORM_BURST;
	uint32_t *seq =
	    calloc((size_t)(STORM_COMMS * s->size * s->size), sizeof(*seq));

	plan->msgs = malloc((size_t)room * sizeof(*plan->msgs));
	if (!plan->msgs || !seq)
		abort();
	plan->n = 0;
	plan->blocking = storm_below(&rnd, 2);
	for (int c = 0; c < STORM_COMMS; c++)
		plan->mode[c] = (uint8_t)storm_below(&rnd, STORM_MODES);
	for (int r = 0; r < s->size; r++) {
		int burst = (int)storm_below(&rnd, STORM_BURST + 1);

		for (int k = 0; k < burst; k++) {
			struct storm_msg *m = &plan->msgs[plan->n++];

			draw_message(s, &rnd, r, m);
			m->seq =
			    seq[(m->comm * s->size + m->src_world) * s->size +
				m->dst_world]++;
		}
	}
	free(seq);
}

void storm_fill(void *buf, size_t len, uint64_t fill)
{
	unsigned char *p = buf;

	for (; len >= 8; len -= 8, p += 8) {
		fill = fill * 6364136223846793005u + 1442695040888963407u;
		memcpy(p, &fill, 8);
	}
	fill = fill * 6364136223846793005u + 1442695040888963407u;
	memcpy(p, &fill, len);
}

bool storm_filled(const void *buf, size_t len, uint64_t fill)
{
	const unsigned char *p = buf;

	for (; len >= 8; len -= 8, p += 8) {
		fill = fill * 6364136223846793005u + 1442695040888963407u;
		if (memcmp(p, &fill, 8))
			return false;
	}
	fill = fill * 6364136223846793005u + 1442695040888963407u;
	return !memcmp(p, &fill, len);
}
