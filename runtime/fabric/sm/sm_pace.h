/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_pace.h: which of two ways of copying is faster now, judged by the time
 * that copies took. Both ends copying by CMA is faster while the CPUs are far
 * from each other, or while the reader alone calls libmrt; two copies through
 * buffers that stay in the caches are faster by a factor of two while the CPUs
 * are near. Both change while a job runs.
 *
 * A pace is for one peer and one class of lengths. It keeps to a way for a
 * trial of some copies. Once both are known it takes the faster one, and now
 * and then tries the other, the less often the slower that was, so that trials
 * cost a few per cent. The first trial of each way does not count, as memory is
 * touched for the first time.
 *
 * Where messages go both ways at once, two copies may be faster only if both
 * directions are copied so: the CPUs would else copy for the other direction,
 * too. So when the peer begins to use the buffers, this end tries them as well,
 * and keeps to them unless CMA takes half their time: each end would else
 * choose what is faster for itself and makes both slower.
 */
#ifndef FABRIC_SM_PACE_H
#define FABRIC_SM_PACE_H

#include <stddef.h>
#include <stdint.h>

enum pace_way { PACE_CMA, PACE_BOUNCE, PACE_WAYS };

enum { PACE_CLASSES = 6, PACE_SHORT = 4096 };

struct pace {
	/* picoseconds per byte in the last trial of each way, and in the better
	 * of the last two that were in a row; 0: not known */
	uint64_t last[PACE_WAYS], ps[PACE_WAYS];
	uint64_t ns, bytes; /* of the trial under way */
	uint32_t copies;    /* of the trial under way */
	uint32_t stay;	    /* trials until the slower way is tried again */
	uint32_t alone;	    /* copies since the peer has used the buffers */
	uint8_t joined;	    /* the peer has used the buffers lately */
	uint8_t warm[PACE_WAYS];
	uint8_t way; /* enum pace_way: the way to copy now */
};

/* Returns the class of a length, from 0 on. */
unsigned pace_class(size_t len);
/* Records that a copy of `bytes` > 0 took `ns`, and chooses the way of later
 * ones. A copy that was begun before the way changed is ignored. */
void pace_record(struct pace *p, enum pace_way way, size_t bytes, uint64_t ns);
/* Records that the peer uses the buffers for a copy in the other direction. */
void pace_join(struct pace *p);
#endif
