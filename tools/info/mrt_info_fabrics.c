/* SPDX-License-Identifier: Apache-2.0 */
/* mrt_info_fabrics.c: shared memory, and RDMA devices by mrt_info_verbs.c. */
#include "config.h"

#include "tools/info/info_parts.h"

#include <stdio.h>
#include <unistd.h>

#ifdef HAVE_OFI
#include "runtime/fabric/ofi/ofi.h"
#endif
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

/* Shows how libfabric would join several nodes, the best way first. */
static void info_ofi(void)
{
#ifdef HAVE_OFI
	struct ofi_offers offers = {.n = 0};
	char text[160], all[1024] = "";
	size_t at = 0;

	if (!ofi_lib_open())
		ofi_look(&offers, true, 0);
	for (int k = 0; k < offers.n && at < sizeof(all); k++)
		at += (size_t)snprintf(
		    all + at, sizeof(all) - at, "%s%s", k ? ", " : "",
		    ofi_text(offers.infos[k], text, sizeof(text)));
	info_text("ofi", "%s",
		  offers.n
		      ? all
		      : "libfabric is not there, or reaches no other node");
	ofi_offers_free(&offers);
#else
	info_text("ofi", "built without");
#endif
}

void info_fabrics(void)
{
	bool no_shm = access("/dev/shm", W_OK) != 0;

	info_open("fabrics", INFO_OBJECT);
	info_text("sm", no_shm ? "/dev/shm cannot be written"
			       : "shared memory inside this node");
	if (no_shm)
		info_text("sm hint",
			  "mount a tmpfs there that all may write (mode 1777); "
			  "until then jobs keep their files in TMPDIR");
	info_ofi();
	info_devices();
	info_close(INFO_OBJECT);
}
