/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare.c: does with PMIx what every rank needs to find the others, and nothing
 * else: publishes a kilobyte, and exchanges. Its wall time under mrun is the
 * lower bound for init and finalize.
 */
#include <pmix.h>
#include <stdbool.h>
#include <string.h>

int main(void)
{
	static char blob[1024];
	pmix_proc_t me, all;
	pmix_info_t collect;
	pmix_value_t value;
	bool yes = true;

	if (PMIx_Init(&me, NULL, 0) != PMIX_SUCCESS)
		return 69;
	memset(&value, 0, sizeof(value));
	value.type = PMIX_BYTE_OBJECT;
	value.data.bo.bytes = blob;
	value.data.bo.size = sizeof(blob);
	PMIx_Put(PMIX_GLOBAL, "blob", &value);
	PMIx_Commit();
	PMIX_LOAD_PROCID(&all, me.nspace, PMIX_RANK_WILDCARD);
	PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
	PMIx_Fence(&all, 1, &collect, 1);
	PMIx_Finalize(NULL, 0);
	return 0;
}
