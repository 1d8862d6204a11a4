/* SPDX-License-Identifier: Apache-2.0 */
/* scarce.h chooses which of the library's calls for memory and descriptors
 * fail. */
#ifndef TESTS_SCARCE_H
#define TESTS_SCARCE_H

#include <stdbool.h>

extern struct scarce {
	const char *what; /* the call that failed last, NULL if none has */
	bool mine;	  /* this is the rank whose calls fail */
} scarce;

/* Chooses the kind of calls that fail: "mem" or "sys". */
void scarce_kind(const char *kind);
/* Makes the nth call from now fail, and all later ones if all_later is set. */
void scarce_arm(long n, bool all_later);
void scarce_disarm(void);
/* Does what SCARCE=KIND:N[+]:RANK in the environment says; returns false if
 * SCARCE cannot be parsed. */
bool scarce_from_environment(void);
#endif
