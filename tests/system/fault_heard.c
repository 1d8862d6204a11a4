/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_heard.c checks that a rank hears of a fault even if each message that
 * it waits for has already arrived. It is one rank without a launcher.
 */
#include "runtime/base/fault.h"
#include "tests/system/api.h"

int me, np, api_failures;

enum { ROUNDS = 1000 }; /* many more than receives without progress */

/* Returns after how many receives of messages to itself the rank hears of
 * it. */
static int listen(void)
{
	int n = 0, x = 0;

	while (n < ROUNDS && !mrt_send(&x, 1, MRT_INT, 0, 0, W) &&
	       !mrt_recv(&x, 1, MRT_INT, 0, 0, W, MRT_STATUS_IGNORE))
		n++;
	return n;
}

int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (listen() != ROUNDS)
		puts("failed before");
	fault_raise(MRT_ERR_PEER, "rank 99 has died");
	puts(listen() < ROUNDS ? "heard" : "not heard");
	return 0;
}
