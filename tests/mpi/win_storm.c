/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_storm.c mixes all operations of all ranks on a window, in epochs of all
 * kinds, and compares what they fetch and leave with a replay (MPI 4.1, 12.7).
 *
 *   win_storm [--seed N] [--rounds N] [CASE]    repeats a storm exactly
 */
#include "tests/mpi/win_storm.h"

enum { ROUNDS = 16, OPS = 50 };

enum kind { FENCE, GROUP, LOCK, LOCK_ALL, KINDS };

static int rounds = ROUNDS;

/* Compares this rank's memory with what the others have made of their words in
 * it; nobody changes it meanwhile. */
static void check_own_words(void)
{
	size_t bytes = (size_t)np * OWN * sizeof(long);
	long *is = malloc(bytes), *want = malloc(bytes);

	memcpy(is, s.mem, bytes); /* before the ranks meet */
	OK(MPI_Alltoall(s.own, OWN, MPI_LONG, want, OWN, MPI_LONG, W));
	for (int k = 0; k < np * OWN; k++)
		if (!CHECK_EQ(is[k], want[k]))
			fprintf(stderr, "word %d of rank %d\n", k % OWN,
				k / OWN);
	free(want);
	free(is);
}

/* ---- Epochs -------------------------------------------------------------- */

static void act_on_all(int ops)
{
	for (int k = 0; k < ops; k++)
		storm_act(draw(np));
}

static void fence(void)
{
	OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, s.win));
	for (int part = 0; part < 3; part++) {
		act_on_all(OPS / 3);
		OK(MPI_Win_fence(part == 2 ? MPI_MODE_NOSUCCEED : 0, s.win));
		storm_settle(-1);
		if (part == 0) {
			check_own_words();
			OK(MPI_Win_fence(0, s.win));
		}
	}
}

static void group(void)
{
	MPI_Group all;

	OK(MPI_Win_get_group(s.win, &all));
	OK(MPI_Win_post(all, 0, s.win));
	OK(MPI_Win_start(all, 0, s.win));
	act_on_all(OPS);
	OK(MPI_Win_complete(s.win));
	storm_settle(-1);
	OK(MPI_Win_wait(s.win));
	check_own_words();
	OK(MPI_Group_free(&all));
}

static void lock(void)
{
	for (int k = 0; k < 6; k++) {
		int rank = draw(np), ops = draw(OPS / 3);
		bool exclusive = draw(2);

		OK(MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE
					  : MPI_LOCK_SHARED,
				rank, 0, s.win));
		storm_act_on_pair(rank, exclusive);
		for (int op = 0; op < ops; op++)
			storm_act(rank);
		OK(MPI_Win_unlock(rank, s.win));
		storm_settle(rank);
	}
}

static void lock_all(int assertion)
{
	OK(MPI_Win_lock_all(assertion, s.win));
	for (int part = 0; part < 3; part++) {
		act_on_all(OPS / 3);
		storm_flush(draw(np));
	}
	OK(MPI_Win_unlock_all(s.win));
	storm_settle(-1);
}

static void play(void)
{
	uint64_t common = mpi_test_seed;

	for (int k = 0; k < rounds; k++) {
		enum kind kind = (enum kind)random_below(&common, KINDS);
		bool checks = random_below(&common, 2);

		s.passive = kind >= LOCK;
		if (kind == FENCE)
			fence();
		else if (kind == GROUP)
			group();
		else if (kind == LOCK)
			lock();
		else
			lock_all(checks ? 0 : MPI_MODE_NOCHECK);
		OK(MPI_Barrier(W));
	}
}

/* ---- The end ------------------------------------------------------------- */

/* Compares all of this rank's memory. */
static void compare(void)
{
	long(*did)[WORDS] = calloc((size_t)np, sizeof(*did)),
	total[WORDS] = {0};

	OK(MPI_Alltoall(s.did, WORDS, MPI_LONG, did, WORDS, MPI_LONG, W));
	OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, s.win));
	check_own_words();
	for (int r = 0; r < np; r++)
		for (int k = 0; k < WORDS; k++)
			if (k == XORS)
				total[k] ^= did[r][k];
			else if (k == MAXIMA)
				total[k] =
				    total[k] > did[r][k] ? total[k] : did[r][k];
			else
				total[k] += did[r][k];
	total[SQUARE] = total[PAIR] * total[PAIR];
	for (int k = 0; k < WORDS; k++)
		if (!CHECK_EQ(s.mem[np * OWN + k], total[k]))
			fprintf(stderr, "shared word %d\n", k);
	OK(MPI_Win_unlock(me, s.win));
	free(did);
}

/* The four flavors; base is NULL or memory of the caller's. */
static void make(int flavor, MPI_Aint bytes, long *given)
{
	MPI_Aint here;
	int unit = sizeof(long);

	s.mem = given;
	if (flavor == MPI_WIN_FLAVOR_CREATE)
		OK(MPI_Win_create(given, bytes, unit, MPI_INFO_NULL, W,
				  &s.win));
	else if (flavor == MPI_WIN_FLAVOR_ALLOCATE)
		OK(MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, W, &s.mem,
				    &s.win));
	else
		OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &s.win));
	if (flavor != MPI_WIN_FLAVOR_DYNAMIC)
		return;
	OK(MPI_Win_attach(s.win, given, bytes));
	OK(MPI_Get_address(given, &here));
	OK(MPI_Allgather(&here, 1, MPI_AINT, s.base, 1, MPI_AINT, W));
}

/* Plays a storm on s.win. */
static void storm(size_t words)
{
	size_t all = (size_t)np;

	if (me == 0)
		printf("# --seed %llu\n", (unsigned long long)mpi_test_seed);
	s.state = mpi_test_seed + 1000 * (uint64_t)me;
	s.own = calloc(all * OWN, sizeof(*s.own));
	s.access = calloc(all * OWN, sizeof(*s.access));
	s.did = calloc(all, sizeof(*s.did));
	s.fetched = calloc(all, sizeof(*s.fetched));
	for (int k = 1; k < OWN; k++) {
		OK(MPI_Type_vector(k, 1, 2, MPI_LONG, &s.every_second[k]));
		OK(MPI_Type_commit(&s.every_second[k]));
	}
	OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, s.win));
	memset(s.mem, 0, words * sizeof(long));
	OK(MPI_Win_unlock(me, s.win));
	OK(MPI_Barrier(W));
	play();
	compare();
	for (int k = 1; k < OWN; k++)
		OK(MPI_Type_free(&s.every_second[k]));
	free(s.own);
	free(s.access);
	free(s.did);
	free(s.fetched);
}

static void in_window(int flavor)
{
	size_t words = (size_t)(np * OWN + WORDS);
	MPI_Aint bytes = (MPI_Aint)(words * sizeof(long));
	long *given = calloc(words, sizeof(*given));

	s.base = calloc((size_t)np, sizeof(*s.base));
	make(flavor, bytes, given);
	storm(words);
	OK(MPI_Barrier(W));
	if (flavor == MPI_WIN_FLAVOR_DYNAMIC)
		OK(MPI_Win_detach(s.win, given));
	OK(MPI_Win_free(&s.win));
	free(given);
	free(s.base);
}

static void created(void)
{
	in_window(MPI_WIN_FLAVOR_CREATE);
}

static void allocated(void)
{
	in_window(MPI_WIN_FLAVOR_ALLOCATE);
}

static void dynamic(void)
{
	in_window(MPI_WIN_FLAVOR_DYNAMIC);
}

static void shared(void)
{
	size_t words = (size_t)(np * OWN + WORDS);
	int rc = MPI_Win_allocate_shared((MPI_Aint)(words * sizeof(long)),
					 sizeof(long), MPI_INFO_NULL, W, &s.mem,
					 &s.win);

	if (rc) {
		CHECK_ERROR(MPI_ERR_RMA_SHARED, rc);
		mpi_test_skip("the ranks cannot share memory");
		return;
	}
	s.base = calloc((size_t)np, sizeof(*s.base));
	storm(words);
	OK(MPI_Win_free(&s.win));
	free(s.base);
}

static const struct mpi_case cases[] = {{"a created window", created},
					{"an allocated window", allocated},
					{"a shared window", shared},
					{"a dynamic window", dynamic},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	while (argc > 2 && argv[1][0] == '-') {
		if (!strcmp(argv[1], "--seed"))
			setenv("MPI_TEST_SEED", argv[2], 1);
		else
			rounds = atoi(argv[2]);
		argv[2] = argv[0];
		argv += 2;
		argc -= 2;
	}
	return mpi_test_run(argc, argv, cases);
}
