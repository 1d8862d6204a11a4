/* SPDX-License-Identifier: Apache-2.0 */
/* coll_trial.c draws, fills and checks trials. */
#include "tests/mpi/coll_trial.h"

/* bytes beyond both ends of a buffer */
enum { SLACK = 256 };

struct shape shapes[SHAPES] = {
    {1, {0}, 4, MPI_INT},
    {2, {0, 4}, 8, 0},		 /* contiguous: dense */
    {3, {0, 8, 16}, 20, 0},	 /* vector */
    {3, {4, 16, 20}, 32, 0},	 /* struct with holes at both ends */
    {1, {0}, 12, 0},		 /* resized, lower bound -4 */
    {2, {8, 0}, 12, 0},		 /* backwards */
    {4, {-8, -4, 8, 12}, 24, 0}, /* data before the beginning */
    {1, {0}, 4, 0},		 /* duplicate of int */
};

static void commit(int k, MPI_Datatype type)
{
	shapes[k].type = type;
	OK(MPI_Type_commit(&shapes[k].type));
}

void shapes_make(void)
{
	const int lengths[2] = {1, 2}, two[2] = {2, 2}, ones[2] = {1, 1};
	const MPI_Aint places[2] = {4, 16}, ends[2] = {-8, 8};
	const MPI_Aint back[2] = {8, 0};
	const MPI_Datatype ints[2] = {MPI_INT, MPI_INT};
	MPI_Datatype t, r;

	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	commit(1, t);
	OK(MPI_Type_vector(3, 1, 2, MPI_INT, &t));
	commit(2, t);
	OK(MPI_Type_create_struct(2, lengths, places, ints, &t));
	OK(MPI_Type_create_resized(t, 0, 32, &r));
	OK(MPI_Type_free(&t));
	commit(3, r);
	OK(MPI_Type_create_resized(MPI_INT, -4, 12, &t));
	commit(4, t);
	OK(MPI_Type_create_hindexed(2, ones, back, MPI_INT, &t));
	commit(5, t);
	OK(MPI_Type_create_hindexed(2, two, ends, MPI_INT, &t));
	commit(6, t);
	OK(MPI_Type_dup(MPI_INT, &t));
	commit(7, t);
}

void shapes_free(void)
{
	for (int k = 1; k < SHAPES; k++)
		OK(MPI_Type_free(&shapes[k].type));
}

int draw(const struct trial *t, int what, int a, int b, int n)
{
	uint64_t state = t->seed;

	state += (uint64_t)what << 40 | (uint64_t)(unsigned)a << 20 |
		 (uint64_t)(unsigned)b;
	mpi_test_random(&state);
	return random_below(&state, n);
}

/* ---- Blocks ------------------------------------------------------------- */

static void *array(int n, size_t size)
{
	return calloc((size_t)n + 1, size);
}

void blocks_make(struct blocks *b, int n)
{
	b->n = n;
	b->peer = array(n, sizeof(*b->peer));
	b->key = array(n, sizeof(*b->key));
	b->given = array(n, sizeof(*b->given));
	for (int i = 0; i < n; i++)
		b->given[i] = -1;
	b->ints = array(n, sizeof(*b->ints));
	b->shape = array(n, sizeof(*b->shape));
	b->counts = array(n, sizeof(*b->counts));
	b->at = array(n, sizeof(*b->at));
	b->displs = array(n, sizeof(*b->displs));
	b->far = array(n, sizeof(*b->far));
	b->types = array(n, sizeof(*b->types));
}

/* Places the blocks at random, in an order of its own, without overlap;
 * returns the number of bytes up to the end of the last one. */
static long scatter(struct trial *t, struct blocks *b, enum lie lie, int side)
{
	int first = b->n ? draw(t, 7, t->rank, side, b->n) : 0;
	long at = 0;

	for (int k = 0; k < b->n; k++) {
		int i = (first + k) % b->n, extent = b->shape[i]->extent;
		int gap = draw(t, 8, t->rank * 2 + side, i, 3);

		if (lie == BYTES)
			at += 8 * gap;
		else if (lie == ELEMENTS)
			at += (long)gap * extent;
		b->at[i] = at;
		at += (long)b->counts[i] * extent + (lie == BYTES ? 16 : 0);
	}
	return at;
}

void blocks_place(struct trial *t, struct blocks *b, enum lie lie, int side)
{
	int one = t->derived ? draw(t, 5, t->rank, side, SHAPES) : 0;
	long shift = 0;

	for (int i = 0; i < b->n; i++) {
		int k = lie == BYTES && t->derived
			    ? draw(t, 6, t->rank * 2 + side, i, SHAPES)
			    : one;

		b->shape[i] = &shapes[k];
		b->types[i] = shapes[k].type;
		b->counts[i] = b->ints[i] / shapes[k].n;
	}
	b->types[b->n] = shapes[one].type;
	b->shape[b->n] = &shapes[one];
	if (lie != REGULAR)
		b->bytes = scatter(t, b, lie, side);
	else
		for (int i = 0; i < b->n;
		     i++, b->bytes = b->at[i - 1] + (long)b->counts[i - 1] *
							b->shape[i - 1]->extent)
			b->at[i] = (long)i * b->counts[i] * b->shape[i]->extent;
	/* displacements may be below 0 */
	if (lie != REGULAR && b->n)
		shift = b->bytes / 2 / shapes[one].extent * shapes[one].extent;
	if (lie == BYTES)
		shift = b->bytes / 8 * 4;
	b->bytes += 2 * SLACK;
	b->memory = malloc((size_t)b->bytes);
	b->buf = b->memory + SLACK + shift;
	for (int i = 0; i < b->n; i++) {
		b->at[i] -= shift;
		b->far[i] = b->at[i];
		b->displs[i] =
		    (int)(lie == BYTES ? b->at[i]
				       : b->at[i] / b->shape[i]->extent);
	}
}

void blocks_free(struct blocks *b)
{
	free(b->peer);
	free(b->key);
	free(b->given);
	free(b->ints);
	free(b->shape);
	free(b->counts);
	free(b->at);
	free(b->displs);
	free(b->far);
	free(b->types);
	free(b->memory);
}

/* ---- Contents ----------------------------------------------------------- */

/* Writes block i relative to base. */
static void put(const struct trial *t, const struct blocks *b, int i,
		int sender, int key, char *base)
{
	const struct shape *s = b->shape[i];

	for (int e = 0; e < b->ints[i]; e++) {
		int value =
		    draw(t, 100 + t->round, sender * 64 + key, e, 1 << 30);

		memcpy(base + b->at[i] + (long)(e / s->n) * s->extent +
			   s->at[e % s->n],
		       &value, sizeof(value));
	}
}

void trial_fill(struct trial *t)
{
	long offset = t->recv.buf - t->recv.memory;

	memset(t->send.memory, 0x2b, (size_t)t->send.bytes);
	memset(t->recv.memory, 0x4d, (size_t)t->recv.bytes);
	for (int i = 0; i < t->send.n; i++)
		put(t, &t->send, i, t->rank, t->send.key[i], t->send.buf);
	for (int i = 0; i < t->recv.n; i++)
		if (t->recv.given[i] >= 0)
			put(t, &t->recv, i, t->rank, t->recv.given[i],
			    t->recv.buf);
	free(t->expected);
	t->expected = malloc((size_t)t->recv.bytes);
	memcpy(t->expected, t->recv.memory, (size_t)t->recv.bytes);
	for (int i = 0; i < t->recv.n; i++)
		if (t->recv.peer[i] != MPI_PROC_NULL)
			put(t, &t->recv, i, t->recv.peer[i], t->recv.key[i],
			    t->expected + offset);
}

bool trial_check(const struct trial *t, const char *name, const char *when)
{
	long i = 0;

	while (i < t->recv.bytes && t->recv.memory[i] == t->expected[i])
		i++;
	if (i < t->recv.bytes)
		fprintf(stderr,
			"rank %d, MPI_%s, %s: byte %ld of %ld%s%s, "
			"seed %llu\n",
			t->rank, name, when,
			i - (long)(t->recv.buf - t->recv.memory), t->recv.bytes,
			t->in_place ? ", in place" : "",
			t->derived ? ", derived types" : "",
			(unsigned long long)t->seed);
	return CHECK(i == t->recv.bytes);
}

void trial_free(struct trial *t)
{
	blocks_free(&t->send);
	blocks_free(&t->recv);
	free(t->expected);
}
