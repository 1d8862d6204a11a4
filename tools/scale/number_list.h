/* SPDX-License-Identifier: Apache-2.0 */
/* number_list.h: numbers of ranks or nodes on the command line. */
#ifndef TOOLS_SCALE_NUMBER_LIST_H
#define TOOLS_SCALE_NUMBER_LIST_H

/* Parses "1..8", "2..64*2" (by doubling) or a list "2,4,9..16" into list[max],
 * ascending. Returns how many there are, or -1. Numbers are 1 to 2^24. */
int list_parse(int *list, int max, const char *text);

#endif
