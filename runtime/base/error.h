/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.h: the one error domain (enum mrt_error of mrt.h) and how codes of
 * others enter it.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/* "MRT_ERR_TRUNCATE"; "MRT_ERR_?" for an unknown code. */
const char *error_name(int code);
/* One line of explanation, never NULL. */
const char *error_text(int code);
/* Exit code (sysexits) of a process that ends because of `code`. */
int error_exit_code(int code);
/* The MRT_ERR_* that says the same as errno value `err`. */
int error_from_errno(int err);

/* Back-pressure: try again after progress. Internal, never logged, never
 * returned to a user; outside the range of enum mrt_error. */
#define ERR_AGAIN (-1000)
#endif
