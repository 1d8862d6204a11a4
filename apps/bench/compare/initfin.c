/* SPDX-License-Identifier: Apache-2.0 */
/* initfin.c: joins and leaves a job, for the wall time of that. */
#include <mrt.h>

int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	mrt_finalize();
	return 0;
}
