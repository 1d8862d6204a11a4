/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c: a loop of wide loads and stores; and what the CPU can do. */
#include "runtime/base/copy.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

typedef uint64_t wide __attribute__((vector_size(32), aligned(1), may_alias));

enum { STEP = 4 * sizeof(wide) };

/* The stores of a step come after its loads, since a load waits for a store
 * before it whose address has the same low bits. */
static inline __attribute__((always_inline)) void
copy_steps(char *to, const char *from, size_t n)
{
	for (; n >= STEP; n -= STEP, to += STEP, from += STEP) {
		const wide *s = (const wide *)from;
		wide *d = (wide *)to;
		wide a = s[0], b = s[1], c = s[2], e = s[3];

		d[0] = a;
		d[1] = b;
		d[2] = c;
		d[3] = e;
	}
	memcpy(to, from, n);
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void
copy_avx2(char *to, const char *from, size_t n)
{
	copy_steps(to, from, n);
}
#endif

void copy_near(void *to, const void *from, size_t n)
{
	/* whole steps from a line's beginning on */
	size_t head = -(uintptr_t)to % 64;

	head = head < n ? head : n;
	memcpy(to, from, head);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		copy_avx2((char *)to + head, (const char *)from + head,
			  n - head);
		return;
	}
#endif
	copy_steps((char *)to + head, (const char *)from + head, n - head);
}

bool copy_has_strings;

#ifdef __x86_64__
static __attribute__((constructor)) void find_strings(void)
{
	unsigned a, b, c, d;

	copy_has_strings =
	    __get_cpuid_count(7, 0, &a, &b, &c, &d) && d & 1 << 4;
}
#endif
