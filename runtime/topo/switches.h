/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.h: the switches through which this node is reached, as Slurm's
 * variables or a file of MRT_TOPOLOGY tell. Such a file is one of
 *
 *   Slurm's topology.conf, "SwitchName=leaf1 Nodes=node[01-16]";
 *   the output of ibnetdiscover;
 *   lines of nodes and their switches: "node[01-16] core.leaf1".
 */
#ifndef TOPO_SWITCHES_H
#define TOPO_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

enum { SWITCHES_TEXT = 256 };

/* Writes the names of the switches, outermost first, with dots between them, or
 * an empty text if nobody tells, or (after a warning) if the file of
 * MRT_TOPOLOGY does not have this host, whose domain does not count. Returns 0,
 * or MRT_ERR_ENV (logged) if the file cannot be read. */
int switches_find(const char *host, char text[SWITCHES_TEXT]);

/* Returns a number by which nodes sort such that those with the same switches
 * follow each other, and those with the same outer ones, too; 0 for an empty
 * text. */
uint64_t switches_number(const char *text);

/* Finds the switches and sets their number. Returns as switches_find. */
int switches_learn(const char *host, uint64_t *number);
#endif
