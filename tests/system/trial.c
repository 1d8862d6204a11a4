/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c has what all trials have in common, see trial.h. */
#include "tests/system/trial.h"

_Thread_local size_t trial_max = 3000;
size_t trial_exact;

uint64_t trial_hash(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t h = seed * 0x9e3779b97f4a7c15u + a;

	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u + b;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	return h ^ h >> 31;
}

void trial_bytes(char *at, size_t bytes, const struct trial *t, int from,
		 int to)
{
	uint64_t h = trial_hash(t->seed, (uint64_t)from, (uint64_t)to);

	uint64_t word = 0;

	for (size_t k = 0; k < bytes; k++) {
		if (k % 8 == 0)
			word = trial_hash(h, k / 8, 0);
		at[k] = (char)(word >> k % 8 * 8);
	}
}

static char *pattern(size_t bytes, unsigned first)
{
	char *p = malloc(bytes + 1);

	for (size_t k = 0; k < bytes; k++)
		p[k] = (char)(first + k % 101);
	return p;
}

void trial_room(struct trial *t, size_t send_bytes, size_t recv_bytes)
{
	const size_t bytes[2] = {send_bytes, recv_bytes};
	bool null = trial_hash(t->seed, 1, 77) % 2;

	for (int k = 0; k < 2; k++) {
		t->bytes[k] = bytes[k];
		t->before[k] = pattern(bytes[k], k ? 17 : 5);
		t->after[k] = pattern(bytes[k], k ? 17 : 5);
		/* the bytes behind the buffer must stay unchanged */
		t->memory[k] = malloc(bytes[k] + 8);
	}
	t->send = send_bytes || !null ? t->memory[0] : NULL;
	t->recv = recv_bytes || !null ? t->memory[1] : NULL;
	t->compared = recv_bytes;
}

/* Nothing drawn here depends on the rank. */
void trial_make(struct trial *t, const struct trial_kind *kind, uint64_t seed,
		struct mrt_comm *comm)
{
	static struct mrt_type *const types[] = {MRT_BYTE, MRT_INT, MRT_DOUBLE,
						 MRT_SHORT};
	static const size_t some[] = {0, 1, 2, 7, 64, 500};
	uint64_t draw = trial_hash(seed, 2, 0);
	size_t size;

	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->request = MRT_REQUEST_NULL;
	t->comm = comm;
	t->rank = mrt_rank(comm);
	t->size = mrt_size(comm);
	t->root = (int)(draw % (unsigned)t->size);
	t->in_place = draw >> 8 & 1;
	t->type = types[draw >> 12 & 3];
	size = mrt_type_size(t->type);
	t->count = draw >> 16 & 7;
	t->count = t->count < 6 ? some[t->count]
				: (draw >> 20) % (trial_max / size + 1);
	if (t->count > trial_max / size)
		t->count = trial_max / size;
	if (trial_exact) {
		t->type = MRT_DOUBLE;
		t->count = trial_exact / 8;
	}
	kind->draw(t);
	trial_fill(t);
}

void trial_fill(struct trial *t)
{
	for (int k = 0; k < 2; k++) {
		memcpy(t->memory[k], t->before[k], t->bytes[k]);
		memset(t->memory[k] + t->bytes[k], 0x6b, 8);
	}
}

static void forget(struct layout *l)
{
	for (int i = 0; i < l->n; i++) {
		l->counts[i] = 1 << 30;
		if (l->displs)
			l->displs[i] = 1 << 30;
	}
}

void trial_call(struct trial *t, const struct trial_kind *kind, enum form form)
{
	int rc = kind->call(t, form);

	if (rc) {
		fprintf(stderr, "rank %d: %s: %s\n", me, kind->name,
			mrt_error_string(rc));
		mrt_abort(W, 1);
	}
	forget(&t->to);
	forget(&t->from);
	for (int r = 0; t->types && r < t->size; r++)
		t->types[r] = NULL;
	for (int k = 0; t->lists && k < 4 * t->size; k++)
		t->lists[k] = -1;
	t->near.nsources = t->near.ndests = -1;
}

static bool all_right(const struct trial *t, int k, size_t bytes)
{
	const char *end = t->memory[k] + t->bytes[k];

	for (int i = 0; i < 8; i++)
		if (end[i] != 0x6b)
			return false;
	return !memcmp(t->memory[k], t->after[k], bytes);
}

bool trial_right(const struct trial *t)
{
	return all_right(t, 1, t->compared) && all_right(t, 0, t->bytes[0]);
}

void trial_check(const struct trial *t, const struct trial_kind *kind,
		 const char *when)
{
	const char *bad = !all_right(t, 1, t->compared) ? "recvbuf" : "sendbuf";

	if (trial_right(t))
		return;
	api_failures++;
	fprintf(stderr,
		"rank %d (%d of %d): %s, %s: wrong %s; root %d, %zu "
		"elements of %zu bytes%s, seed %llu\n",
		me, t->rank, t->size, kind->name, when, bad, t->root, t->count,
		mrt_type_size(t->type), t->in_place ? ", in place" : "",
		(unsigned long long)t->seed);
}

void trial_free(struct trial *t)
{
	for (int k = 0; k < 2; k++) {
		free(t->before[k]);
		free(t->after[k]);
		free(t->memory[k]);
	}
	free(t->to.counts);
	free(t->to.displs);
	free(t->from.counts);
	free(t->from.displs);
	free(t->types);
	free(t->lists);
}
