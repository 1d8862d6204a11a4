/* SPDX-License-Identifier: Apache-2.0 */
/* api_misc.c tests ranks and places, time, texts, types and memory. */
#include "tests/system/api.h"

#include <sys/mman.h>

static void test_identity(void)
{
	char host[MRT_PROCESSOR_NAME_MAX], small[1];

	CHECK(mrt_initialized() && !mrt_finalized());
	CHECK(me >= 0 && me < np);
	CHECK(mrt_rank(MRT_COMM_SELF) == 0 && mrt_size(MRT_COMM_SELF) == 1);
	CHECK(mrt_node_size() >= 1 && mrt_node_size() <= np);
	CHECK(mrt_node_rank() >= 0 && mrt_node_rank() < mrt_node_size());
	OK(mrt_processor_name(host, sizeof(host)));
	CHECK(strlen(host) > 0);
	FAILS(MRT_ERR_ARG, mrt_processor_name(small, sizeof(small)));
	CHECK(mrt_thread_level() == MRT_THREAD_SINGLE);
	CHECK(!strncmp(mrt_version(), "libmrt ", 7));
	FAILS(MRT_ERR_COMM, mrt_rank(MRT_COMM_NULL));
	FAILS(MRT_ERR_COMM, mrt_size((struct mrt_comm *)8));
}

static void test_time(void)
{
	double start = mrt_wtime(), now = start;

	CHECK(mrt_wtick() > 0 && mrt_wtick() < 1e-3);
	for (int i = 0; i < 1000; i++) {
		double t = mrt_wtime();

		CHECK(t >= now);
		now = t;
	}
	CHECK(now > start && now - start < 10);
}

static void test_error_texts(void)
{
	for (int code = 0; code > MRT_ERR_LAST; code--)
		CHECK(strlen(mrt_error_string(code)) > 3);
	CHECK(mrt_error_string(12345));
	CHECK(mrt_set_error_mode(MRT_ERRORS_RETURN) == MRT_ERRORS_RETURN);
}

static void test_variables(void)
{
	struct mrt_variable v;
	int k = 0, stats = 0;

	for (; mrt_variable(k, &v); k++) {
		CHECK(!strncmp(v.name, "MRT_", 4) && *v.help && *v.range);
		if (!strcmp(v.name, "MRT_STATS")) {
			CHECK(!strcmp(v.value, "no"));
			CHECK(!strcmp(v.range, "no|job|rank|peer"));
			stats++;
		}
	}
	CHECK(k > 10 && stats == 1);
	CHECK(!mrt_variable(-1, &v));
}

static uint64_t received(void)
{
	struct mrt_counter c[200];
	int n = mrt_counters(c, 200);

	CHECK(n > 10 && n < 200);
	for (int k = 0; k < n; k++)
		if (!strcmp(c[k].group, "p2p") &&
		    !strcmp(c[k].name, "received messages") && !c[k].level)
			return c[k].value;
	CHECK(!"no such counter");
	return 0;
}

static void test_counters(void)
{
	struct mrt_counter c[2] = {{.name = "a"}, {.name = "b"}};
	uint64_t before = received();
	int x;

	for (int k = 0; k < 3; k++)
		OK(mrt_sendrecv(&k, 1, MRT_INT, 0, 0, &x, 1, MRT_INT, 0, 0,
				MRT_COMM_SELF, MRT_STATUS_IGNORE));
	/* a collective of other ranks may have sent more */
	CHECK(received() >= before + 3);
	mrt_counters(c, 1);
	CHECK(strcmp(c[0].name, "a") != 0 && !strcmp(c[1].name, "b"));
}

static void test_types(void)
{
	static const struct {
		struct mrt_type *type;
		size_t size;
	} types[] = {
	    {MRT_SHORT, sizeof(short)},
	    {MRT_INT, sizeof(int)},
	    {MRT_LONG, sizeof(long)},
	    {MRT_LONG_LONG, sizeof(long long)},
	    {MRT_UNSIGNED_SHORT, sizeof(short)},
	    {MRT_UNSIGNED, sizeof(int)},
	    {MRT_UNSIGNED_LONG, sizeof(long)},
	    {MRT_UNSIGNED_LONG_LONG, sizeof(long long)},
	    {MRT_FLOAT, sizeof(float)},
	    {MRT_FLOAT_COMPLEX, 2 * sizeof(float)},
	    {MRT_DOUBLE, sizeof(double)},
	    {MRT_DOUBLE_COMPLEX, 2 * sizeof(double)},
	    {MRT_LONG_DOUBLE, sizeof(long double)},
	    {MRT_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)},
	    {MRT_BOOL, sizeof(bool)},
	    {MRT_INT8, 1},
	    {MRT_UINT8, 1},
	    {MRT_CHAR, 1},
	    {MRT_SIGNED_CHAR, 1},
	    {MRT_UNSIGNED_CHAR, 1},
	    {MRT_BYTE, 1},
	    {MRT_INT16, 2},
	    {MRT_UINT16, 2},
	    {MRT_INT32, 4},
	    {MRT_UINT32, 4},
	    {MRT_INT64, 8},
	    {MRT_UINT64, 8},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		CHECK(mrt_type_size(types[i].type) == types[i].size);
	CHECK(mrt_type_size(MRT_TYPE_NULL) == 0);
	CHECK(mrt_type_size((struct mrt_type *)0x2ff) == 0);
	CHECK(mrt_type_size((struct mrt_type *)MRT_SUM) == 0);
}

enum { LONG = 64 << 20, PAGE = 4096 };

/* Returns how many of the LONG bytes' pages have memory. */
static int pages_of(void *p)
{
	static unsigned char in_core[LONG / PAGE];
	int pages = 0;

	CHECK(!mincore(p, LONG, in_core));
	for (int i = 0; i < LONG / PAGE; i++)
		pages += in_core[i] & 1;
	return pages;
}

/* Memory is only taken by pages that have been touched, also when it is used
 * again, and a long block gives it back. */
static void test_untouched(void)
{
	enum { EVERY = 16 };
	int dirty = 0;
	char *p, *half;

	OK(mrt_alloc(LONG, (void **)&p));
	CHECK(pages_of(p) < LONG / PAGE / EVERY);
	for (size_t k = 0; k < LONG; k += EVERY * PAGE)
		p[k] = 1;
	OK(mrt_free(p));
	OK(mrt_alloc(LONG, (void **)&p));
	CHECK(pages_of(p) < LONG / PAGE / EVERY / 2);
	OK(mrt_free(p));
	OK(mrt_alloc(LONG / 2, (void **)&half));
	for (size_t k = PAGE; k < LONG / 2; k += EVERY * PAGE)
		half[k] = half[k - 1] = 1;
	OK(mrt_free(half));
	OK(mrt_alloc(LONG, (void **)&p));
	CHECK(pages_of(p) < LONG / PAGE / EVERY * 2);
	for (size_t k = PAGE; k < LONG / 2; k += EVERY * PAGE)
		dirty += p[k] | p[k - 1];
	CHECK(!dirty);
	OK(mrt_free(p));
}

static void test_alloc(void)
{
	static const size_t sizes[] = {1, 64, 4096, 100000, 1 << 20};
	unsigned char *p[5];

	for (int i = 0; i < 5; i++) {
		int dirty = 0;

		OK(mrt_alloc(sizes[i], (void **)&p[i]));
		CHECK((uintptr_t)p[i] % (sizes[i] >= 4096 ? 4096 : 64) == 0);
		for (size_t k = 0; k < sizes[i]; k++)
			dirty += p[i][k] != 0;
		CHECK(!dirty);
		memset(p[i], i + 1, sizes[i]);
	}
	for (int i = 0; i < 5; i++) {
		CHECK(p[i][0] == i + 1 && p[i][sizes[i] - 1] == i + 1);
		OK(mrt_free(p[i]));
	}
	OK(mrt_free(NULL));
	for (int i = 0; i < 200; i++) {
		OK(mrt_alloc(1 << 20, (void **)&p[0]));
		CHECK(p[0][4711] == 0);
		p[0][4711] = 1;
		OK(mrt_free(p[0]));
	}
}

/* Returns whether the memory of the neighbours can be mapped: not on another
 * node, nor without shared memory at all. Names go to `to` and come from
 * `from`. */
static bool is_near(int to, int from)
{
	const char *fabric = getenv("MRT_FABRIC");
	char mine[128] = "", theirs[128] = "";

	OK(mrt_processor_name(mine, sizeof(mine)));
	OK(mrt_sendrecv(mine, sizeof(mine), MRT_CHAR, to, 5, theirs,
			sizeof(theirs), MRT_CHAR, from, 5, W,
			MRT_STATUS_IGNORE));
	if (fabric && strcmp(fabric, "auto") != 0 && strcmp(fabric, "sm") != 0)
		return from == me;
	return strcmp(mine, theirs) == 0;
}

/* Loads from and stores to the memory of the right neighbour, where 1000 holds
 * the value `there`. */
static void use_mapped(uint64_t remote, uint64_t there)
{
	uint64_t local, *theirs;
	void *p;

	OK(mrt_map(remote, 8192, right_of(me), W, &p));
	theirs = p;
	CHECK(theirs[1000] == there);
	theirs[1001] = (uint64_t)me + 9;
	OK(mrt_map(remote + 8, 8, right_of(me), W, &p));
	CHECK(p == (void *)(theirs + 1));
	FAILS(MRT_ERR_BUFFER,
	      mrt_map((uint64_t)(uintptr_t)&local, 8, right_of(me), W, &p));
}

static void test_map(void)
{
	bool right_near = is_near(left_of(me), right_of(me));
	bool left_near = is_near(right_of(me), left_of(me));
	uint64_t *mine, local, remote;
	void *p;

	OK(mrt_alloc(8192, &p));
	mine = p;
	mine[1000] = (uint64_t)me + 5;
	local = (uint64_t)(uintptr_t)mine;
	OK(mrt_sendrecv(&local, 1, MRT_UINT64, left_of(me), 3, &remote, 1,
			MRT_UINT64, right_of(me), 3, W, MRT_STATUS_IGNORE));
	OK(mrt_barrier(W));
	if (right_near)
		use_mapped(remote, (uint64_t)right_of(me) + 5);
	else
		FAILS(MRT_ERR_NO_FABRIC,
		      mrt_map(remote, 8192, right_of(me), W, &p));
	OK(mrt_barrier(W));
	CHECK(mine[1001] == (left_near ? (uint64_t)left_of(me) + 9 : 0));
	FAILS(MRT_ERR_RANK, mrt_map(remote, 8, np, W, &p));
	/* messages from and into mapped memory */
	memset(mine, me + 1, 4096);
	OK(mrt_sendrecv(mine, 512, MRT_UINT64, right_of(me), 4, mine + 512, 512,
			MRT_UINT64, left_of(me), 4, W, MRT_STATUS_IGNORE));
	CHECK(((unsigned char *)mine)[4096] == left_of(me) + 1);
	CHECK(((unsigned char *)mine)[8191] == left_of(me) + 1);
	OK(mrt_barrier(W));
	OK(mrt_free(mine));
}

const struct api_case api_misc[] = {
    {"rank, size, node, name, version", test_identity},
    {"time goes on", test_time},
    {"every code has a text", test_error_texts},
    {"variables", test_variables},
    {"counters", test_counters},
    {"sizes of types", test_types},
    {"alloc and free", test_alloc},
    {"untouched memory takes none", test_untouched},
    {"map: load and store at a peer", test_map},
    {NULL, NULL},
};
