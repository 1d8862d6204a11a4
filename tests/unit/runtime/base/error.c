/* SPDX-License-Identifier: Apache-2.0 */
/* error.c: tests runtime/base/error.c: names, texts, exit codes. */
#include "runtime/base/error.h"

#include <errno.h>

#include "mrt.h"
#include "tests/tap.h"

/* sysexits.h: 64 usage, 69 service gone, 70 internal, 71 resource, 75 peer,
 * 76 protocol, 77 permission, 78 configuration. */
static const struct {
	int code, exit;
} promised[] = {
    {MRT_ERR_ARG, 64},	{MRT_ERR_TRUNCATE, 64},	 {MRT_ERR_STATE, 64},
    {MRT_ERR_ENV, 78},	{MRT_ERR_NO_MEM, 71},	 {MRT_ERR_RESOURCE, 71},
    {MRT_ERR_PERM, 77}, {MRT_ERR_NO_FABRIC, 69}, {MRT_ERR_SERVICE, 69},
    {MRT_ERR_PEER, 75}, {MRT_ERR_PROTOCOL, 76},	 {MRT_ERR_INTERNAL, 70},
};

static void test_table(void)
{
	for (int code = -1; code > MRT_ERR_LAST; code--) {
		int repeated = 0;

		ok(!strncmp(error_name(code), "MRT_ERR_", 8) &&
		       !strchr(error_name(code), '?'),
		   "%d is %s", code, error_name(code));
		ok(strlen(error_text(code)) > 5, "%d has a text", code);
		ok(error_exit_code(code) >= 64 && error_exit_code(code) <= 78,
		   "%d has an exit code of sysexits", code);
		for (int other = code + 1; other <= 0; other++)
			repeated +=
			    !strcmp(error_text(other), error_text(code));
		is_int(repeated, 0, "%d has a text of its own", code);
	}
	for (size_t i = 0; i < sizeof(promised) / sizeof(promised[0]); i++)
		is_int(error_exit_code(promised[i].code), promised[i].exit,
		       "exit code of %s", error_name(promised[i].code));
}

static void test_outside(void)
{
	static const int outside[] = {1, MRT_ERR_LAST, -1000, 2147483647,
				      -2147483647 - 1};

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		is_str(error_name(outside[i]), "MRT_ERR_?", "%d is unknown",
		       outside[i]);
		ok(mrt_error_string(outside[i]), "%d has a text all the same",
		   outside[i]);
		is_int(error_exit_code(outside[i]), 70, "%d is internal",
		       outside[i]);
	}
	is_str(mrt_error_string(MRT_SUCCESS), "success", "0 is success");
	is_int(error_exit_code(0), 0, "success exits with 0");
}

static void test_errno(void)
{
	is_int(error_from_errno(0), MRT_SUCCESS, "no errno, no error");
	is_int(error_from_errno(ENOMEM), MRT_ERR_NO_MEM, "ENOMEM");
	is_int(error_from_errno(ENOSPC), MRT_ERR_NO_MEM, "ENOSPC");
	is_int(error_from_errno(EPERM), MRT_ERR_PERM, "EPERM");
	is_int(error_from_errno(EMFILE), MRT_ERR_RESOURCE, "EMFILE");
	for (int e = 1; e < 134; e++)
		if (error_from_errno(e) >= 0 ||
		    error_from_errno(e) <= MRT_ERR_LAST)
			ok(0, "errno %d becomes a code of ours", e);
}

int main(void)
{
	test_table();
	test_outside();
	test_errno();
	return tap_done();
}
