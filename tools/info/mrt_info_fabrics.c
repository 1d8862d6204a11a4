/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_info_fabrics.c: shared memory, and RDMA devices by mrt_info_verbs.c. */
#include "config.h"

#include "tools/info/info_parts.h"

#include <unistd.h>

#include "tools/info/info_out.h"

#ifndef HAVE_VERBS
void info_devices(void)
{
	info_text("verbs", "built without");
	info_text("verbs hint", "jobs of several nodes need it; install "
				"libibverbs-dev, then configure and make");
	info_open("devices", INFO_LIST);
	info_close(INFO_LIST);
}
#endif

void info_fabrics(void)
{
	info_open("fabrics", INFO_OBJECT);
	info_text("sm", access("/dev/shm", W_OK)
			    ? "/dev/shm cannot be written"
			    : "shared memory inside this node");
	info_devices();
	info_close(INFO_OBJECT);
}
