/* SPDX-License-Identifier: Apache-2.0 */
/*
 * levels.c: proves hierarchies whose levels use each algorithm that a file
 * (MRT_TUNE_FILE) can ask for: one for reductions inside nodes and one between
 * the leaders; broadcasts alternate. Ranks, places and lengths are drawn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/plan/tune_file.h"
#include "tests/tap.h"
#include "tests/unit/coll/prove/cases.h"

enum { DRAWS = 40 };

static char path[] = "/tmp/mrt-levels.XXXXXX";
static unsigned seed = 7;

static const struct algorithm *hierarchy(enum collective collective)
{
	const struct coll_table *t = &coll_tables[collective];
	size_t i = 0;

	while (i < t->nrows && strcmp(t->rows[i]->name, "hierarchical"))
		i++;
	return i < t->nrows ? t->rows[i] : NULL;
}

static void use(enum collective collective, size_t row, FILE *f)
{
	const struct coll_table *t = &coll_tables[collective];

	fprintf(f, "%s 1 max 0 max %s\n", t->name,
		t->rows[row % t->nrows]->name);
}

/* Writes and reads a file; the first row that fits counts: between leaders,
 * `row` of `over`. */
static int choose(enum collective over, size_t row, size_t up, size_t down)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return -1;
	fputs("libmrt-tune 1\n", f);
	use(over, row, f);
	use(COLL_REDUCE, up, f);
	use(COLL_BCAST, down, f);
	return fclose(f) ? -1 : tune_read(path);
}

static const char *try_draws(enum collective collective)
{
	struct deal d = {.collective = collective,
			 .algorithm = hierarchy(collective),
			 .placed = true};
	const char *bad = NULL;

	for (int i = 0; i < DRAWS && !bad; i++) {
		d.shape = (struct shape){
		    .size = 4 + (int)draw(&seed, 28),
		    .count = collective == COLL_BARRIER ? 0 : draw(&seed, 30),
		    .type_size = draw(&seed, 2) ? 8 : 8192,
		    .board = draw(&seed, 2) ? 4 << 20 : 0,
		    .commutative = true};
		if (deal_rooted(collective))
			d.shape.root = (int)draw(&seed, (unsigned)d.shape.size);
		if (deal_reduces(collective))
			d.shape.commutative = draw(&seed, 3) > 0;
		if (d.shape.commutative && d.shape.type_size == 8)
			d.shape.combine = COMBINE_ADD;
		d.in_place = draw(&seed, 2);
		d.irregular = draw(&seed, 2);
		d.seed = draw(&seed, 1u << 30);
		bad = deal_prove(&d, NULL);
	}
	return bad;
}

static void test(enum collective collective, enum collective over)
{
	size_t n = coll_tables[over].nrows;
	const char *bad = NULL;

	for (size_t up = 0; up < coll_tables[COLL_REDUCE].nrows; up++)
		for (size_t row = 0; row < n && !bad; row++)
			bad = choose(over, row, up, up + row)
				  ? "no file"
				  : try_draws(collective);
	ok(!bad, "hierarchies of %s%s%s", coll_tables[collective].name,
	   bad ? ": " : "", bad ? bad : "");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return EXIT_FAILURE;
	close(fd);
	model_reset();
	test(COLL_BARRIER, COLL_BARRIER);
	test(COLL_BCAST, COLL_BCAST);
	test(COLL_REDUCE, COLL_REDUCE);
	test(COLL_ALLREDUCE, COLL_ALLREDUCE);
	test(COLL_ALLGATHER, COLL_ALLGATHERV);
	test(COLL_ALLGATHERV, COLL_ALLGATHERV);
	test(COLL_REDUCE_SCATTER_BLOCK, COLL_REDUCE_SCATTER);
	test(COLL_REDUCE_SCATTER, COLL_REDUCE_SCATTER);
	test(COLL_SCAN, COLL_EXSCAN);
	test(COLL_EXSCAN, COLL_EXSCAN);
	unlink(path);
	return tap_done();
}
