/* SPDX-License-Identifier: Apache-2.0 */
/* error.h: the one error domain (enum mrt_error of mrt.h) and the translation
 * of foreign codes into it. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

/* Exit codes of ranks and of the launcher's programs, after sysexits.h. */
enum exit_code {
	EXIT_USAGE = 64,
	EXIT_SERVICE = 69, /* the launcher or a fabric is missing */
	EXIT_INTERNAL = 70,
	EXIT_RESOURCE = 71,
	EXIT_PEER = 75,
	EXIT_PROTOCOL = 76,
	EXIT_PERM = 77,
	EXIT_CONFIG = 78
};

/* Returns a name like "MRT_ERR_TRUNCATE", or "MRT_ERR_?" for an unknown
 * code. */
const char *error_name(int code);
/* Returns one line of explanation, never NULL. */
const char *error_text(int code);
/* Returns the exit code of a process that ends because of `code`. */
int error_exit_code(int code);
/* Returns a code that a peer has sent if it is a valid one, else
 * MRT_ERR_PROTOCOL. */
int error_from_peer(int64_t code);
/* Returns the MRT_ERR_* code for errno value `err`. */
int error_from_errno(int err);

/* Back-pressure: try again after progress. It is internal, outside the range of
 * enum mrt_error: never logged, never returned to a user. */
#define ERR_AGAIN (-1000)
#endif
