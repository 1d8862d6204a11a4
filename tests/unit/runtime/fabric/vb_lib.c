/* SPDX-License-Identifier: Apache-2.0 */
/* vb_lib.c: a program loads libibverbs only when it lists devices; then all
 * functions that libmrt calls are found, or done without, where the library is
 * of 2020 and before. */
#include <errno.h>
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

static int missing;

void *__real_dlvsym(void *library, const char *name, const char *version);
void *__wrap_dlvsym(void *library, const char *name, const char *version);

/* Hides what came later than version 28 of rdma-core. */
void *__wrap_dlvsym(void *library, const char *name, const char *version)
{
	void *found = __real_dlvsym(library, name, version);

	missing += !found;
	return strcmp(version, "IBVERBS_1.10") > 0 && strlen(version) == 12
		   ? NULL
		   : found;
}

int main(void)
{
	struct ibv_device nowhere = {.ibdev_path = "/nowhere"};
	struct ibv_context context = {.device = &nowhere};
	struct ibv_gid_entry entry;

	struct ibv_device **list;
	int n = -1;

	ok(is_mapped("/libc.so"), "libraries are seen");
	ok(!is_mapped("/libibverbs.so"), "libibverbs is not there at start");
	is_int(vb_lib_open(), 0, "it is found, without its newest functions");
	is_int(missing, 0, "which this one has, under their versions");
	is_int(ibv_is_fork_initialized(), IBV_FORK_DISABLED,
	       "whether fork is safe is not known then");
	is_int(ibv_query_gid_ex(&context, 1, 0, &entry, 0), ENODATA,
	       "addresses are looked for in the kernel's files");
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
