/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tap.h implements the Test Anything Protocol for one-process C tests: main
 * calls ok() as often as it likes and ends with `return tap_done();`.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

static inline int __attribute__((format(printf, 4, 5)))
tap_ok(int good, const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	if (!good) {
		tap_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	fflush(stdout);
	return good;
}

/* Whether the test is to leave out what takes long. */
static inline bool tap_quick(void)
{
	const char *level = getenv("TEST_LEVEL");

	return level && !strcmp(level, "quick");
}

/* Use as ok(condition, "what %s", ...): one TAP line with the result. */
#define ok(condition, ...)                                                     \
	tap_ok(!!(condition), __FILE__, __LINE__, __VA_ARGS__)

/* is_int compares two integers and shows both when they differ. */
#define is_int(got, want, ...)                                                 \
	do {                                                                   \
		long long got_ = (got), want_ = (want);                        \
		if (!ok(got_ == want_, __VA_ARGS__))                           \
			printf("# got %lld, want %lld\n", got_, want_);        \
	} while (0)

/* is_str compares two strings and shows both when they differ. */
#define is_str(got, want, ...)                                                 \
	do {                                                                   \
		const char *got_ = (got), *want_ = (want);                     \
		if (!ok(!strcmp(got_, want_), __VA_ARGS__))                    \
			printf("# got '%s', want '%s'\n", got_, want_);        \
	} while (0)

/* has_str checks that `text` contains `part`. */
#define has_str(text, part, ...)                                               \
	do {                                                                   \
		const char *text_ = (text), *part_ = (part);                   \
		if (!ok(strstr(text_, part_), __VA_ARGS__))                    \
			printf("# no '%s' in '%s'\n", part_, text_);           \
	} while (0)

/* Prints the plan and returns the exit code for main. */
static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

/* Skips all tests of the program and ends it. */
static inline void __attribute__((noreturn)) tap_skip_all(const char *reason)
{
	printf("1..0 # SKIP %s\n", reason);
	exit(0);
}
#endif
