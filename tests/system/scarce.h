/* SPDX-License-Identifier: Apache-2.0 */
/* scarce.h: which of the library's calls for memory and descriptors fail. */
#ifndef TESTS_SCARCE_H
#define TESTS_SCARCE_H

#include <stdbool.h>

extern struct scarce {
	const char *what; /* that failed last; NULL: none */
	bool mine;	  /* it is this rank whose calls fail */
} scarce;

/* "mem" or "sys". */
void scarce_kind(const char *kind);
/* The nth call from now fails, all later ones too if asked for. */
void scarce_arm(long n, bool all_later);
void scarce_disarm(void);
/* By SCARCE=KIND:N[+]:RANK; false if it cannot be read. */
bool scarce_from_environment(void);
#endif
