/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_choice.h: checks that all ranks choose the same algorithms. They do if
 * their settings are equal, so each rank publishes a number for its
 * MRT_<COLLECTIVE> variables and one for its tuning file, besides
 * MRT_COLL_DIRECT and MRT_CHECK, and compares these with the ones of the first
 * rank of its node, which compares its own with rank 0's.
 */
#ifndef COLL_SAME_CHOICE_H
#define COLL_SAME_CHOICE_H

/* Reads the variables and the file (select_init) and publishes their numbers,
 * before the fence of the fabrics. Returns 0 or MRT_ERR_*. */
int same_choice_start(void);
/* Forgets the tuning file. */
void same_choice_stop(void);

/* Compares the settings with those of the other rank, after that fence. Returns
 * MRT_ERR_ENV (logged) if they differ. */
int same_choice_check(void);
#endif
