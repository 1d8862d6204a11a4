/* SPDX-License-Identifier: Apache-2.0 */
/* gid.h: which address (GID) of a RoCE port is used unless MRT_GID_INDEX names
 * one. The provider and mrt-info share this. */
#ifndef BASE_GID_H
#define BASE_GID_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool gid_is_ipv4(const uint8_t raw[16])
{
	static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};

	return memcmp(raw, prefix, sizeof(prefix)) == 0;
}

static inline bool gid_is_link_local(const uint8_t raw[16])
{
	return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80;
}

/* Ranks an address of RoCE version 2; the first of the highest rank is used.
 * IPv4 is routed and present on every host; link-local addresses need the right
 * interface. */
static inline int gid_worth(const uint8_t raw[16])
{
	if (gid_is_ipv4(raw))
		return 3;
	return gid_is_link_local(raw) ? 1 : 2;
}
#endif
