/* SPDX-License-Identifier: Apache-2.0 */
/* error.c: the table of names, texts and exit codes of MRT_ERR_*. */
#include "runtime/base/error.h"

#include <errno.h>

#include "mrt.h"

#define ROW(code, exit, text) [-(code)] = {#code, text, exit}
static const struct {
	const char *name, *text;
	int exit;
} errors[] = {
    ROW(MRT_SUCCESS, 0, "success"),
    ROW(MRT_ERR_ARG, EXIT_USAGE, "invalid argument"),
    ROW(MRT_ERR_COMM, EXIT_USAGE, "invalid communicator"),
    ROW(MRT_ERR_RANK, EXIT_USAGE, "rank out of range of the communicator"),
    ROW(MRT_ERR_TAG, EXIT_USAGE, "tag out of range"),
    ROW(MRT_ERR_COUNT, EXIT_USAGE, "count too large"),
    ROW(MRT_ERR_TYPE, EXIT_USAGE, "invalid type"),
    ROW(MRT_ERR_OP, EXIT_USAGE,
	"invalid reduction operation, or not defined for this type"),
    ROW(MRT_ERR_ROOT, EXIT_USAGE, "root out of range of the communicator"),
    ROW(MRT_ERR_BUFFER, EXIT_USAGE, "NULL, overlapping or foreign buffer"),
    ROW(MRT_ERR_REQUEST, EXIT_USAGE, "invalid request"),
    ROW(MRT_ERR_TRUNCATE, EXIT_USAGE, "message longer than the receive buffer"),
    ROW(MRT_ERR_IN_STATUS, EXIT_USAGE,
	"a request failed: see the error of each status"),
    ROW(MRT_ERR_STATE, EXIT_USAGE,
	"called before mrt_init, after mrt_finalize, or twice"),
    ROW(MRT_ERR_ENV, EXIT_CONFIG, "an MRT_* variable has a bad value"),
    ROW(MRT_ERR_NO_MEM, EXIT_RESOURCE, "out of memory"),
    ROW(MRT_ERR_RESOURCE, EXIT_RESOURCE, "a limit of the system is reached"),
    ROW(MRT_ERR_PERM, EXIT_PERM, "permission denied by the system"),
    ROW(MRT_ERR_NO_FABRIC, EXIT_SERVICE, "no way to reach a peer"),
    ROW(MRT_ERR_SERVICE, EXIT_SERVICE,
	"the launcher or its PMIx server is gone"),
    ROW(MRT_ERR_PEER, EXIT_PEER, "a peer has died or left"),
    ROW(MRT_ERR_PROTOCOL, EXIT_PROTOCOL,
	"a peer speaks another version or garbage"),
    ROW(MRT_ERR_UNSUPPORTED, EXIT_USAGE, "not offered by this version"),
    ROW(MRT_ERR_INTERNAL, EXIT_INTERNAL, "a bug in libmrt"),
    ROW(MRT_ERR_GROUP, EXIT_USAGE, "invalid group"),
    ROW(MRT_ERR_COLLECTIVE, EXIT_USAGE,
	"ranks call different collectives, or with arguments that do not fit"),
    ROW(MRT_ERR_WIN, EXIT_USAGE, "invalid window, or of another flavor"),
    ROW(MRT_ERR_EPOCH, EXIT_USAGE,
	"no access epoch, or the wrong call, on this window"),
    ROW(MRT_ERR_RANGE, EXIT_USAGE, "memory outside of the window"),
    ROW(MRT_ERR_SHARED, EXIT_USAGE, "the ranks cannot share memory"),
    ROW(MRT_ERR_CONFLICT, EXIT_USAGE, "conflicting accesses to a window"),
};
_Static_assert(sizeof(errors) / sizeof(errors[0]) == -MRT_ERR_LAST,
	       "a row for each code");

static int error_row(int code)
{
	return code <= 0 && code > MRT_ERR_LAST ? -code : -1;
}

const char *error_name(int code)
{
	return error_row(code) < 0 ? "MRT_ERR_?" : errors[error_row(code)].name;
}

const char *error_text(int code)
{
	return error_row(code) < 0 ? "unknown error code"
				   : errors[error_row(code)].text;
}

int error_exit_code(int code)
{
	return error_row(code) < 0 ? EXIT_INTERNAL
				   : errors[error_row(code)].exit;
}

int error_from_peer(int64_t code)
{
	return code <= 0 && code > MRT_ERR_LAST ? (int)code : MRT_ERR_PROTOCOL;
}

int error_from_errno(int err)
{
	switch (err) {
	case 0:
		return MRT_SUCCESS;
	case ENOMEM:
	case ENOSPC:
		return MRT_ERR_NO_MEM;
	case EPERM:
	case EACCES:
	case ENOSYS: /* some seccomp filters answer so */
		return MRT_ERR_PERM;
	case EINVAL:
		return MRT_ERR_ARG;
	case EMFILE:
	case ENFILE:
	case EAGAIN:
	case EDQUOT:
	case EFBIG:
	case ENOENT:
	case EROFS:
		return MRT_ERR_RESOURCE;
	default:
		return MRT_ERR_INTERNAL;
	}
}

const char *mrt_error_string(int code)
{
	return error_text(code);
}
