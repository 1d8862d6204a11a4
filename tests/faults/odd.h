/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd.h: phases of the victim that only its rank FAULT_RANK goes through, and
 * that are no kill but what a program does wrong, or seldom.
 */
#ifndef FAULTS_ODD_H
#define FAULTS_ODD_H

#include <stdbool.h>

/* Runs the phase of this name; false: there is none. */
bool odd_run(const char *name);

/* The same for phases instead of MPI_Init: true if it was one, and ran. */
bool odd_before(const char *name);
#endif
