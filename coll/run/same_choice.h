/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_choice.h: checks that all ranks choose the same algorithms. They do if
 * their settings are equal, so each rank tells a number for its
 * MRT_<COLLECTIVE> variables and one for its tuning file, besides
 * MRT_COLL_DIRECT and MRT_CHECK, and compares these with the ones of the first
 * rank of its node, which compares its own with rank 0's. The ranks of a node
 * tell each other in the memory that they share.
 */
#ifndef COLL_SAME_CHOICE_H
#define COLL_SAME_CHOICE_H

#include <stdint.h>

#include "runtime/fabric/fabric.h"

/* Reads the variables and the file (select_init) and publishes their numbers if
 * other ranks may ask, before the fence of the fabrics. Returns 0 or MRT_ERR_*.
 */
int same_choice_start(void);
/* Sets what the fabrics tell the other ranks of the node. */
void same_choice_words(uint64_t words[FAB_WORDS]);
/* Forgets the tuning file. */
void same_choice_stop(void);

/* Compares the settings with those of the other rank, after that fence. Returns
 * MRT_ERR_ENV (logged) if they differ. */
int same_choice_check(void);
#endif
