/* SPDX-License-Identifier: Apache-2.0 */
/* romio_error.c makes a class of MPI and a cause in words of what ROMIO says of
 * an error. libmpi_abi adds the name of the file. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "romio/romio.h"

static _Thread_local char why[256];

static const struct {
	const char *key, *text;
} texts[] = {
    {"**commnotintra", "the communicator has two groups"},
    {"**datarepextent", "the data representation has no extent function"},
    {"**datarepname", "the data representation has no name, or too long a one"},
    {"**drconvnotsupported", "conversion functions are not supported"},
    {"**fileamodediff", "amode differs among the ranks"},
    {"**fileamodeone", "amode has to have one of MPI_MODE_RDONLY, "
		       "MPI_MODE_WRONLY and MPI_MODE_RDWR"},
    {"**fileamoderead", "amode has MPI_MODE_RDONLY, and MPI_MODE_CREATE or "
			"MPI_MODE_EXCL"},
    {"**fileamodeseq", "amode has MPI_MODE_RDWR and MPI_MODE_SEQUENTIAL"},
    {"**ioagnomatch", "the hint cb_config_list matches no node"},
    {"**ioamodeseq", "the file was opened with MPI_MODE_SEQUENTIAL"},
    {"**iobadcount", "the count is negative"},
    {"**iobaddisp", "the displacement is negative"},
    {"**iobadoffset", "the offset is negative"},
    {"**iobadoverlap", "the displacements of the file type decrease, or its "
		       "elements overlap"},
    {"**iobadsize", "the size is negative"},
    {"**iobadwhence", "whence is none of MPI_SEEK_SET, MPI_SEEK_CUR and "
		      "MPI_SEEK_END"},
    {"**iodispifseq", "the displacement MPI_DISPLACEMENT_CURRENT goes with "
		      "MPI_MODE_SEQUENTIAL, and only with that"},
    {"**ioetype", "the bytes are no whole number of elements of the etype"},
    {"**iofiletype", "the file type is not made of whole etypes"},
    {"**iofstypeunsupported", "no driver for this file system"},
    {"**ionegoffset", "the offset would be negative"},
    {"**iopreallocrdwr", "the file was not opened for writing"},
    {"**iordonly", "the file was opened with MPI_MODE_RDONLY"},
    {"**iorsrc", "a strided read failed"},
    {"**iosequnsupported", "MPI_MODE_SEQUENTIAL needs shared file pointers, "
			   "which this file system has not"},
    {"**iosharedfailed", "the file of the shared file pointer, beside the "
			 "file, cannot be read or written"},
    {"**iosharedunsupported", "no shared file pointers on this file system"},
    {"**iosplitcoll", "a split collective is under way"},
    {"**iosplitcollnone", "no split collective is under way"},
    {"**iowronly", "the file was opened with MPI_MODE_WRONLY"},
    {"**iowsrc", "a strided write failed to read what it keeps"},
    {"**iowswc", "a strided write failed"},
    {"**nomem2", "out of memory"},
    {"**notsame", "an argument differs among the ranks"},
    {"**oremote_fail", "another rank failed to open it"},
    {"**unsupporteddatarep",
     "the data representation is none of native, internal and external32"},
};

static const char *text_of(const char *key)
{
	for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
		if (!strcmp(texts[k].key, key))
			return texts[k].text;
	return NULL;
}

static int class_of_errno(int error)
{
	switch (error) {
	case 0:
		return MPI_SUCCESS;
	case EACCES:
	case EPERM:
		return MPI_ERR_ACCESS;
	case ENOENT:
		return MPI_ERR_NO_SUCH_FILE;
	case EEXIST:
		return MPI_ERR_FILE_EXISTS;
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOTDIR:
		return MPI_ERR_BAD_FILE;
	case EROFS:
		return MPI_ERR_READ_ONLY;
	case ENOSPC:
		return MPI_ERR_NO_SPACE;
	case EDQUOT:
		return MPI_ERR_QUOTA;
	case ENOMEM:
		return MPI_ERR_NO_MEM;
	default:
		return MPI_ERR_IO;
	}
}

int ADIOI_Err_create_code(const char *function, const char *file, int error)
{
	if (error)
		snprintf(why, sizeof(why), "%s", strerror(error));
	return class_of_errno(error);
}

int MPIO_Err_create_code(int lastcode, int fatal, const char function[],
			 int line, int class, const char key[],
			 const char text[], ...)
{
	int error = errno;
	const char *says = text_of(key);
	va_list args;

	if (lastcode != MPI_SUCCESS && *why)
		return class; /* the first cause counts */
	if (says) {
		snprintf(why, sizeof(why), "%s", says);
	} else if (text && (!strcmp(text, "**io %s") ||
			    !strncmp(text, "Syscall error", 13))) {
		/* strerror's words are the last argument */
		va_start(args, text);
		if (*text == 'S')
			(void)va_arg(args, const char *);
		snprintf(why, sizeof(why), "%s", va_arg(args, const char *));
		va_end(args);
	} else {
		*why = '\0';
	}
	/* ROMIO gives all errors of the system this class */
	if (class == MPI_ERR_IO && *why && !strcmp(why, strerror(error)))
		return class_of_errno(error);
	return class;
}

int MPIO_Err_return_file(MPI_File fh, int code)
{
	return code;
}

int MPIO_Err_return_comm(MPI_Comm comm, int code)
{
	return code;
}

const char *romio_why(void)
{
	static _Thread_local char told[sizeof(why)];

	memcpy(told, why, sizeof(told));
	*why = '\0';
	return told;
}
