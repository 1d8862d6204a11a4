/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.h: the engine for very many ranks of which most do the same at the
 * same time as their neighbours, though no symmetry makes them: recursive
 * doubling or multiplying of a number of ranks that is folded. It simulates
 * some ranks by the engine of flow.h. Each stands for those after it, up to the
 * next one; what a sample would get from a rank that is none, it gets from the
 * one that stands for that. Even ranks stand for even ones and odd for odd,
 * since neighbours fold in pairs.
 *
 * Where two neighbouring samples differ, in their steps or in the time of
 * anything, the ranks between them become samples by halves, until the place is
 * found. There the ranks that get messages at different times become samples,
 * too: what begins at one rank goes on at its peers. At the end random ranks
 * are compared with what stands for them. So a job of a million ranks needs a
 * few thousand of them, and the time that is found is that of all ranks unless
 * some that differ were met by neither way.
 * Where several critical paths are equally long, the parts of the result may be
 * those of another path than the other engines report.
 */
#ifndef TOOLS_SIM_SAMPLE_H
#define TOOLS_SIM_SAMPLE_H

#include "tools/sim/sim_machine.h"

/* Like timed_run. Returns MRT_ERR_UNSUPPORTED for jobs whose ranks differ by
 * more than their steps (noise, jitter, distance, several ranks on a node), or
 * too often; then the result has not been changed. */
int sample_run(const struct sim_machine *m, const struct algorithm *algorithm,
	       const struct shape *shape, struct sim_result *result);
#endif
