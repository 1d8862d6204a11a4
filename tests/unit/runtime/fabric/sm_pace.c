/* SPDX-License-Identifier: Apache-2.0 */
/* sm_pace.c: the choice between two ways of copying, on machines whose ways
 * take times that the test sets and changes. */
#include "runtime/fabric/sm/sm_pace.h"

#include "tests/tap.h"

enum { LEN = 65536, MB = 1 << 20 };

static struct pace pace;
static uint64_t ps[PACE_WAYS]; /* per byte, of each way */
static uint64_t spent, copies[PACE_WAYS];

/* Makes n copies of len bytes as the pace says. */
static void copy(unsigned n, size_t len)
{
	for (; n; n--) {
		enum pace_way way = pace.way;
		uint64_t ns = len * ps[way] / 1000;

		spent += ns;
		copies[way]++;
		pace_record(&pace, way, len, ns);
	}
}

static void forget(void)
{
	spent = copies[PACE_CMA] = copies[PACE_BOUNCE] = 0;
}

static void machine(uint64_t cma, uint64_t bounce)
{
	ps[PACE_CMA] = cma;
	ps[PACE_BOUNCE] = bounce;
}

/* Checks that n copies take hardly longer than by the faster way. */
static void hardly_longer(const char *name, unsigned n, size_t len)
{
	uint64_t faster =
	    ps[PACE_CMA] < ps[PACE_BOUNCE] ? ps[PACE_CMA] : ps[PACE_BOUNCE];
	double least = (double)n * (double)(len * faster / 1000);

	forget();
	copy(n, len);
	if (!ok((double)spent < 1.06 * least, "%s", name))
		printf("# %.3f of the least time\n", (double)spent / least);
}

static void learns(void)
{
	static const struct {
		const char *name;
		uint64_t cma, bounce;
		size_t len;
	} rows[] = {{"near", 50, 25, LEN},
		    {"far", 50, 250, LEN},
		    {"nearly equal", 50, 49, LEN},
		    {"short", 200, 60, 8192},
		    {"long, near", 50, 25, 4 * MB},
		    {"long, far", 50, 200, 4 * MB},
		    {"an owner that calls once a second", 50, 10000000, MB}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pace = (struct pace){.way = PACE_CMA};
		machine(rows[i].cma, rows[i].bounce);
		copy(300, rows[i].len);
		hardly_longer(rows[i].name, 20000, rows[i].len);
	}
}

static void follows(void)
{
	pace = (struct pace){.way = PACE_CMA};
	machine(50, 25);
	copy(5000, LEN);
	is_int(pace.way, PACE_BOUNCE, "near: through buffers");
	machine(50, 250);
	copy(300, LEN);
	is_int(pace.way, PACE_CMA, "the CPUs move apart: seen after 20 MB");
	hardly_longer("and then as fast as can be", 20000, LEN);
	machine(50, 25);
	copy(64 * 32 * 6, LEN);
	is_int(pace.way, PACE_BOUNCE,
	       "and come together: seen at the next trial");
}

/* A copy during which the process was not scheduled. */
static void is_not_misled(void)
{
	pace = (struct pace){.way = PACE_CMA};
	machine(50, 25);
	copy(5000, LEN);
	while (pace.way != PACE_BOUNCE || pace.copies)
		copy(1, LEN);
	pace_record(&pace, PACE_BOUNCE, LEN, 4000000);
	copy(70, LEN);
	is_int(pace.way, PACE_BOUNCE, "one slow copy changes nothing");
}

/* A trial of a way that takes very long is over after few copies. */
static void gives_up(void)
{
	pace = (struct pace){.way = PACE_CMA};
	machine(50, 1000000);
	copy(5000, LEN);
	ok(copies[PACE_BOUNCE] > 0, "the slow way is tried");
	ok(copies[PACE_BOUNCE] < 64 + 4, "for a few copies (%d)",
	   (int)copies[PACE_BOUNCE]);
}

/* The first 2 MiB through buffers touch their memory, which takes long. */
static void warms_up(void)
{
	uint64_t cold = 2 * MB;

	pace = (struct pace){.way = PACE_CMA};
	machine(50, 500);
	for (int n = 0; n < 1500; n++) {
		if (pace.way == PACE_BOUNCE)
			cold -= cold < 16384 ? cold : 16384;
		if (!cold)
			machine(50, 25);
		copy(1, 16384);
	}
	is_int(pace.way, PACE_BOUNCE, "what is slow at first only is taken");
}

/* Two ends that copy in both directions at once, which is faster through
 * buffers if both ends do so, and slower if one does. */
static void joins(void)
{
	struct pace ends[2] = {{.way = PACE_CMA}, {.way = PACE_CMA}};
	int both = 0;

	/* the other end does not try yet: it receives later */
	for (int n = 0; n < 30000; n++) {
		unsigned bounces = 0;

		for (int e = 0; e < 2; e++)
			bounces += ends[e].way == PACE_BOUNCE;
		for (int e = 0; e < (n < 500 ? 1 : 2); e++) {
			enum pace_way way = ends[e].way;
			uint64_t cost = way == PACE_CMA ? 100
					: bounces == 2	? 60
							: 110;

			if (way == PACE_BOUNCE)
				pace_join(&ends[!e]);
			pace_record(&ends[e], way, LEN, LEN * cost / 1000);
		}
		both += n >= 15000 && bounces == 2;
	}
	ok(both > 14000, "both ends use buffers together (%d of 15000)", both);
}

static void classes(void)
{
	ok(pace_class(0) == 0 && pace_class(PACE_SHORT) == 0 &&
	       pace_class(PACE_SHORT + 1) == 1 && pace_class(32768) == 1 &&
	       pace_class(32769) == 2 && pace_class(131072) == 2 &&
	       pace_class(2 * MB) == 4 && pace_class(2 * MB + 1) == 5 &&
	       pace_class(SIZE_MAX) == PACE_CLASSES - 1,
	   "classes of lengths");
	pace = (struct pace){.way = PACE_CMA};
	pace_record(&pace, PACE_BOUNCE, LEN, 1);
	is_int((int)pace.copies, 0, "a copy of the way before does not count");
	pace_record(&pace, PACE_CMA, 8, 1);
	is_int((int)pace.bytes, PACE_SHORT, "short copies count alike");
}

int main(void)
{
	learns();
	follows();
	is_not_misled();
	forget();
	gives_up();
	warms_up();
	joins();
	classes();
	return tap_done();
}
