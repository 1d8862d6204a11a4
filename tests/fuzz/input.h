/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h takes the bytes that a fuzzer chose, one value after the other, and
 * has what targets share. A target is a program that defines
 * LLVMFuzzerTestOneInput; its main is libFuzzer's with clang (make fuzz), or
 * that of replay.c, which runs the inputs kept in tests/fuzz/corpus (make
 * check).
 */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

static inline bool in_over(const struct input *in)
{
	return in->at >= in->end;
}

/* Takes n bytes; zeroes follow the end of the input. */
static inline void in_bytes(struct input *in, void *to, size_t n)
{
	size_t left = (size_t)(in->end - in->at), k = n < left ? n : left;

	memset(to, 0, n);
	if (k)
		memcpy(to, in->at, k);
	in->at += k;
}

static inline uint8_t in8(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static inline unsigned in_below(struct input *in, unsigned n)
{
	return in8(in) % n;
}

static inline uint16_t in16(struct input *in)
{
	uint16_t x;

	in_bytes(in, &x, sizeof(x));
	return x;
}

static inline uint32_t in32(struct input *in)
{
	uint32_t x;

	in_bytes(in, &x, sizeof(x));
	return x;
}

static inline uint64_t in64(struct input *in)
{
	uint64_t x;

	in_bytes(in, &x, sizeof(x));
	return x;
}

/* A false condition is a finding: the fuzzer keeps the input. */
#define MUST(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__,       \
				__LINE__, #condition);                         \
			abort();                                               \
		}                                                              \
	} while (0)
#endif
