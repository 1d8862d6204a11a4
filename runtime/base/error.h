/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.h: the one error domain (enum mrt_error of mrt.h) and how codes of
 * others enter it.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

/* Exit codes, after sysexits.h; of ranks and of the launcher's programs. */
enum exit_code {
	EXIT_USAGE = 64,
	EXIT_SERVICE = 69, /* the launcher or a fabric is not there */
	EXIT_INTERNAL = 70,
	EXIT_RESOURCE = 71,
	EXIT_PEER = 75,
	EXIT_PROTOCOL = 76,
	EXIT_PERM = 77,
	EXIT_CONFIG = 78
};

/* "MRT_ERR_TRUNCATE"; "MRT_ERR_?" for an unknown code. */
const char *error_name(int code);
/* One line of explanation, never NULL. */
const char *error_text(int code);
/* Exit code (sysexits) of a process that ends because of `code`. */
int error_exit_code(int code);
/* A code that has come from a peer: itself, or MRT_ERR_PROTOCOL if there is
 * none such. */
int error_from_peer(int64_t code);
/* The MRT_ERR_* that says the same as errno value `err`. */
int error_from_errno(int err);

/* Back-pressure: try again after progress. Internal, never logged, never
 * returned to a user; outside the range of enum mrt_error. */
#define ERR_AGAIN (-1000)
#endif
