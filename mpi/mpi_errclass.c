/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errclass.c: names and texts of the error classes of the standard. */
#include <stddef.h>

#include "mpi/mpi_errhandler.h"

#define ROW(class, text)                                                       \
	{                                                                      \
		class, #class, text                                            \
	}
static const struct row {
	int class;
	const char *name, *text;
} rows[] = {
    ROW(MPI_SUCCESS, "success"),
    ROW(MPI_ERR_BUFFER, "invalid buffer pointer"),
    ROW(MPI_ERR_COUNT, "invalid count argument"),
    ROW(MPI_ERR_TYPE, "invalid datatype argument"),
    ROW(MPI_ERR_TAG, "invalid tag argument"),
    ROW(MPI_ERR_COMM, "invalid communicator"),
    ROW(MPI_ERR_RANK, "invalid rank"),
    ROW(MPI_ERR_REQUEST, "invalid request handle"),
    ROW(MPI_ERR_ROOT, "invalid root"),
    ROW(MPI_ERR_GROUP, "invalid group"),
    ROW(MPI_ERR_OP, "invalid reduction operation"),
    ROW(MPI_ERR_TOPOLOGY, "invalid topology"),
    ROW(MPI_ERR_DIMS, "invalid dimension argument"),
    ROW(MPI_ERR_ARG, "invalid argument of some other kind"),
    ROW(MPI_ERR_UNKNOWN, "unknown error"),
    ROW(MPI_ERR_TRUNCATE, "message truncated on receive"),
    ROW(MPI_ERR_OTHER, "an error that has no class of its own"),
    ROW(MPI_ERR_INTERN, "internal error of the library"),
    ROW(MPI_ERR_PENDING, "the request is neither failed nor completed"),
    ROW(MPI_ERR_IN_STATUS, "the error code is in the status"),
    ROW(MPI_ERR_ACCESS, "permission denied"),
    ROW(MPI_ERR_AMODE, "invalid access mode of a file"),
    ROW(MPI_ERR_ASSERT, "invalid assertion argument"),
    ROW(MPI_ERR_BAD_FILE, "invalid file name"),
    ROW(MPI_ERR_BASE, "invalid base of memory"),
    ROW(MPI_ERR_CONVERSION, "error in a conversion function of the user"),
    ROW(MPI_ERR_DISP, "invalid displacement argument"),
    ROW(MPI_ERR_DUP_DATAREP, "the data representation is defined already"),
    ROW(MPI_ERR_FILE_EXISTS, "the file exists"),
    ROW(MPI_ERR_FILE_IN_USE, "the file is in use"),
    ROW(MPI_ERR_FILE, "invalid file handle"),
    ROW(MPI_ERR_INFO_KEY, "invalid info key: empty or too long"),
    ROW(MPI_ERR_INFO_NOKEY, "no such key in the info"),
    ROW(MPI_ERR_INFO_VALUE, "invalid info value: too long"),
    ROW(MPI_ERR_INFO, "invalid info handle"),
    ROW(MPI_ERR_IO, "input or output failed"),
    ROW(MPI_ERR_KEYVAL, "invalid key of an attribute"),
    ROW(MPI_ERR_LOCKTYPE, "invalid lock type"),
    ROW(MPI_ERR_NAME, "the service name has not been published"),
    ROW(MPI_ERR_NO_MEM, "out of memory"),
    ROW(MPI_ERR_NOT_SAME,
	"a collective argument is not the same on all processes"),
    ROW(MPI_ERR_NO_SPACE, "not enough space"),
    ROW(MPI_ERR_NO_SUCH_FILE, "no such file"),
    ROW(MPI_ERR_PORT, "invalid port name"),
    ROW(MPI_ERR_QUOTA, "quota exceeded"),
    ROW(MPI_ERR_READ_ONLY, "the file or file system is read-only"),
    ROW(MPI_ERR_RMA_ATTACH, "memory cannot be attached"),
    ROW(MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window"),
    ROW(MPI_ERR_RMA_RANGE, "target memory is not part of the window"),
    ROW(MPI_ERR_RMA_SHARED, "memory cannot be shared"),
    ROW(MPI_ERR_RMA_SYNC, "wrong synchronisation of one-sided calls"),
    ROW(MPI_ERR_SERVICE, "invalid service name, or the service is gone"),
    ROW(MPI_ERR_SIZE, "invalid size argument"),
    ROW(MPI_ERR_SPAWN, "processes could not be spawned"),
    ROW(MPI_ERR_UNSUPPORTED_DATAREP,
	"the data representation is not supported"),
    ROW(MPI_ERR_UNSUPPORTED_OPERATION, "the operation is not supported"),
    ROW(MPI_ERR_WIN, "invalid window"),
    ROW(MPI_ERR_RMA_FLAVOR, "wrong flavor of window"),
    ROW(MPI_ERR_PROC_ABORTED, "a peer process has aborted"),
    ROW(MPI_ERR_VALUE_TOO_LARGE,
	"the value does not fit into the type of the result"),
    ROW(MPI_ERR_SESSION, "invalid session"),
    ROW(MPI_ERR_ERRHANDLER, "invalid error handler"),
    ROW(MPI_ERR_ABI, "wrong version of the ABI"),
    ROW(MPI_T_ERR_CANNOT_INIT, "the tool interface cannot be initialized"),
    ROW(MPI_T_ERR_NOT_ACCESSIBLE, "the tool interface is not accessible"),
    ROW(MPI_T_ERR_NOT_INITIALIZED, "the tool interface is not initialized"),
    ROW(MPI_T_ERR_NOT_SUPPORTED, "not supported by the tool interface"),
    ROW(MPI_T_ERR_MEMORY, "out of memory in the tool interface"),
    ROW(MPI_T_ERR_INVALID, "invalid use of the tool interface"),
    ROW(MPI_T_ERR_INVALID_INDEX, "invalid index of a variable or category"),
    ROW(MPI_T_ERR_INVALID_ITEM, "invalid index of an item"),
    ROW(MPI_T_ERR_INVALID_SESSION, "invalid session of the tool interface"),
    ROW(MPI_T_ERR_INVALID_HANDLE, "invalid handle of the tool interface"),
    ROW(MPI_T_ERR_INVALID_NAME, "no variable or category of this name"),
    ROW(MPI_T_ERR_OUT_OF_HANDLES, "no more handles available"),
    ROW(MPI_T_ERR_OUT_OF_SESSIONS, "no more sessions available"),
    ROW(MPI_T_ERR_CVAR_SET_NOT_NOW,
	"the control variable cannot be set at this moment"),
    ROW(MPI_T_ERR_CVAR_SET_NEVER, "the control variable cannot be set"),
    ROW(MPI_T_ERR_PVAR_NO_WRITE,
	"the performance variable cannot be written or reset"),
    ROW(MPI_T_ERR_PVAR_NO_STARTSTOP,
	"the performance variable cannot be started or stopped"),
    ROW(MPI_T_ERR_PVAR_NO_ATOMIC,
	"the performance variable cannot be read and written atomically"),
};

static const struct row *errclass_find(int class)
{
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++)
		if (rows[k].class == class)
			return &rows[k];
	return NULL;
}

const char *mpi_error_name(int class)
{
	const struct row *row = errclass_find(class);

	return row ? row->name : "an error class of the program's";
}

const char *mpi_class_text(int class)
{
	const struct row *row = errclass_find(class);

	return row ? row->text : NULL;
}
