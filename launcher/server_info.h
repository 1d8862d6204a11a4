/* SPDX-License-Identifier: Apache-2.0 */
/* server_info.h: what the PMIx server tells ranks about the job. */
#ifndef LAUNCHER_SERVER_INFO_H
#define LAUNCHER_SERVER_INFO_H

#include <pmix_common.h>

#include "launcher/map.h"

struct info_vec {
	pmix_info_t *items;
	size_t n, room;
};

/* Describes the job and each rank. Returns 0, or -1 when out of memory. */
int server_info_fill(struct info_vec *vec, const struct map *map,
		     const struct job *job);
#endif
