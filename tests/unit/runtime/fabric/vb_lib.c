/* SPDX-License-Identifier: Apache-2.0 */
/* vb_lib.c: a program loads libibverbs only when it lists devices; then all
 * functions that libmrt calls are found. */
#include "runtime/fabric/verbs/vb_device.h"

#include "tests/tap.h"

static bool is_mapped(const char *what)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4352];
	bool found = false;

	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, what) != NULL;
	if (maps)
		fclose(maps);
	return found;
}

int main(void)
{
	struct ibv_device **list;
	int n = -1;

	ok(is_mapped("/libc.so"), "libraries are seen");
	ok(!is_mapped("/libibverbs.so"), "libibverbs is not there at start");
	is_int(vb_lib_open(), 0, "it is found, with all its functions");
	ok(is_mapped("/libibverbs.so"), "and is there now");
	is_int(vb_lib_open(), 0, "once more");
	list = ibv_get_device_list(&n);
	ok(n >= 0, "%d devices", n);
	if (list)
		ibv_free_device_list(list);
	has_str(ibv_wc_status_str(IBV_WC_SUCCESS), "success", "success");
	has_str(ibv_port_state_str(IBV_PORT_DOWN), "down", "a port is down");
	return tap_done();
}
