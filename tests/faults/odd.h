/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd.h: phases of the victim that only the rank FAULT_RANK goes through. They
 * do not kill, but do what a program does wrong, or seldom.
 */
#ifndef FAULTS_ODD_H
#define FAULTS_ODD_H

#include <stdbool.h>

/* Runs the phase of this name; returns false if there is none. */
bool odd_run(const char *name);

/* Like odd_run, for phases that run instead of MPI_Init. */
bool odd_before(const char *name);
#endif
