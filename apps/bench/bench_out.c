/* SPDX-License-Identifier: Apache-2.0 */
/* bench_out.c: prints rows as a table, CSV or JSON (see bench.h). */
#include "apps/bench/bench.h"

#include <stdio.h>

static const char *unit_of(const struct bench_test *test)
{
	switch (test->kind) {
	case BENCH_BANDWIDTH:
		return "MB/s";
	case BENCH_RATE:
		return "msg/s";
	case BENCH_PACK:
		return "GB/s";
	default:
		return "us";
	}
}

void bench_out_begin(const struct bench *b)
{
	char host[MRT_PROCESSOR_NAME_MAX];

	if (b->me != 0)
		return;
	mrt_processor_name(host, sizeof(host));
	if (b->format == BENCH_CSV)
		puts("test,ranks,bytes,iterations,unit,avg,min,max,check");
	else if (b->format == BENCH_JSON)
		printf("{\"library\": \"%s\", \"host\": \"%s\", "
		       "\"ranks\": %d,\n \"results\": [",
		       mrt_version(), host, b->ranks);
	else
		printf("# %s on %s, %d ranks\n", mrt_version(), host, b->ranks);
}

void bench_out_test(const struct bench *b, const struct bench_test *test)
{
	static const char *const heads[] = {
	    [BENCH_LATENCY] = "Latency (us)",
	    [BENCH_BANDWIDTH] = "Bandwidth (MB/s)",
	    [BENCH_RATE] = "MB/s        Messages/s",
	    [BENCH_OPERATION] = "With its flush (us)",
	    [BENCH_WAYS_TABLE] = "",
	    [BENCH_COLLECTIVE] = "Avg (us)     Min (us)     Max (us)",
	    [BENCH_BARRIER] = "Avg (us)     Min (us)     Max (us)",
	    [BENCH_PACK] = ""};

	if (b->me != 0 || b->format != BENCH_TABLE)
		return;
	printf("\n# libmrt %s test", test->name);
	if (test->kind == BENCH_BANDWIDTH || test->kind == BENCH_RATE)
		printf(", window %d", b->window);
	if (test->kind == BENCH_RATE)
		printf(", %d pairs", b->ranks / 2);
	if (test->kind == BENCH_WAYS_TABLE) {
		printf(", microseconds one way\n# %-7s %7s %9s %11s %11s %11s "
		       "%11s  %s\n",
		       "Block", "Count", "Stride", "fabric", "libmrt",
		       "program", "flat", "fabric/libmrt");
		return;
	}
	if (test->kind == BENCH_PACK) {
		printf(", GB/s\n# %-8s %-12s %9s %9s %9s\n", "Size", "Shape",
		       "pack", "unpack", "memcpy");
		return;
	}
	printf("\n# %-8s %22s %11s%s\n", "Size", heads[test->kind],
	       "Iterations", b->check ? "  Check" : "");
}

static void print_table_row(const struct bench *b, const struct bench_row *row)
{
	printf("%-10zu ", row->bytes);
	switch (row->test->kind) {
	case BENCH_RATE:
		printf("%10.2f %17.0f", row->avg * (double)row->bytes / 1e6,
		       row->avg);
		break;
	case BENCH_LATENCY:
	case BENCH_OPERATION:
	case BENCH_BANDWIDTH:
		printf("%22.2f", row->avg);
		break;
	default:
		printf("%9.2f %12.2f %12.2f", row->avg, row->min, row->max);
	}
	printf(" %11ld%s\n", row->iterations,
	       !b->check  ? ""
	       : row->bad ? "  FAIL"
			  : "  pass");
}

void bench_out_row(const struct bench *b, const struct bench_row *row)
{
	static int rows;
	const char *check = !b->check ? "none" : row->bad ? "fail" : "pass";

	if (b->me != 0)
		return;
	if (b->format == BENCH_TABLE)
		print_table_row(b, row);
	else if (b->format == BENCH_CSV)
		printf("%s,%d,%zu,%ld,%s,%.6g,%.6g,%.6g,%s\n", row->test->name,
		       b->ranks, row->bytes, row->iterations,
		       unit_of(row->test), row->avg, row->min, row->max, check);
	else
		printf("%s\n  {\"test\": \"%s\", \"bytes\": %zu, "
		       "\"iterations\": %ld, \"unit\": \"%s\",\n"
		       "   \"avg\": %.6g, \"min\": %.6g, \"max\": %.6g, "
		       "\"check\": \"%s\"}",
		       rows ? "," : "", row->test->name, row->bytes,
		       row->iterations, unit_of(row->test), row->avg, row->min,
		       row->max, check);
	rows++;
	fflush(stdout);
}

void bench_out_ways(const struct bench *b,
		    const struct bench_row rows[BENCH_WAYS], size_t block,
		    int count, size_t stride)
{
	int bad = 0;

	if (b->format != BENCH_TABLE) {
		for (int w = 0; w < BENCH_WAYS; w++)
			bench_out_row(b, &rows[w]);
		return;
	}
	if (b->me != 0)
		return;
	printf("%-9zu %7d %9zu", block, count, stride);
	for (int w = 0; w < BENCH_WAYS; w++) {
		printf(" %11.2f", rows[w].avg);
		bad |= rows[w].bad;
	}
	printf("  %.2f%s\n", rows[0].avg / rows[1].avg,
	       !b->check ? ""
	       : bad	 ? "  FAIL"
			 : "  pass");
	fflush(stdout);
}

void bench_out_pack(const struct bench *b,
		    const struct bench_row rows[BENCH_PACK_WAYS],
		    const char *shape)
{
	if (b->format != BENCH_TABLE) {
		for (int w = 0; w < BENCH_PACK_WAYS; w++)
			bench_out_row(b, &rows[w]);
		return;
	}
	if (b->me != 0)
		return;
	printf("%-10zu %-12s %9.2f %9.2f %9.2f%s\n", rows[0].bytes, shape,
	       rows[0].avg, rows[1].avg, rows[2].avg,
	       !b->check     ? ""
	       : rows[0].bad ? "  FAIL"
			     : "  pass");
	fflush(stdout);
}

void bench_out_end(const struct bench *b)
{
	if (b->me == 0 && b->format == BENCH_JSON)
		puts("\n]}");
}
