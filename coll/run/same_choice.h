/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_choice.h: all ranks must choose the same algorithms. They do if they
 * have been told the same: each publishes a number for its MRT_<COLLECTIVE>
 * variables and one for its tuning file, and compares them with those of the
 * first rank of its node, and that one with rank 0's.
 */
#ifndef COLL_SAME_CHOICE_H
#define COLL_SAME_CHOICE_H

/* Reads variables and file (select_init), and publishes; before the fence
 * of the fabrics. stop forgets the file. */
int same_choice_start(void);
void same_choice_stop(void);

/* After that fence: MRT_ERR_ENV (logged) if another rank was told something
 * else. */
int same_choice_check(void);
#endif
