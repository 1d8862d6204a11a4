/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gid.h: which address of a RoCE port is used unless MRT_GID_INDEX says so,
 * for the provider and for mrt-info, which shows it.
 */
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

/* How good an address of RoCE version 2 is, the first of the best is taken: an
 * IPv4 one is routed and there on every host; link-local ones need the right
 * interface. */
static inline int gid_worth(const uint8_t raw[16])
{
	if (gid_is_ipv4(raw))
		return 3;
	return gid_is_link_local(raw) ? 1 : 2;
}
#endif
