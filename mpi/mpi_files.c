/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_files.c loads ROMIO at the first call, and opens, closes and deletes
 * files. The other functions check their arguments and call ROMIO;
 * files.awk writes them.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_file.h"
#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

const char mpi_no_file[] = "the handle is no open file";

/* Returns the error that ROMIO is not there, with dlerror's words. */
static int romio_missing(void)
{
	return mpi_detailed(MPI_ERR_UNSUPPORTED_OPERATION, dlerror());
}

/* ROMIO lies beside libmpi_abi. It is never unloaded: attributes and requests
 * call it. */
static void *romio_library(void)
{
	char path[PATH_MAX] = "libmrt_romio.so";
	const char *slash = NULL;
	Dl_info here;

	if (dladdr(&mpi_files, &here))
		slash = strrchr(here.dli_fname, '/');
	if (slash)
		snprintf(path, sizeof(path), "%.*s/libmrt_romio.so",
			 (int)(slash - here.dli_fname), here.dli_fname);
	return dlopen(path, RTLD_NOW | RTLD_NODELETE);
}

static int romio_load(void)
{
	void *library;
	int rc = 0;

	mpi_lock();
	if (!mpi_files) {
		library = romio_library();
		if (library)
			mpi_files = dlsym(library, "mrt_romio_files");
		if (!mpi_files)
			rc = romio_missing();
	}
	mpi_unlock();
	return rc;
}

/* Ends a function without an open file, whose error of ROMIO's gets this head,
 * such as "cannot open /x/y for reading". */
static int without_file(const char *function, const char *head, int rc)
{
	const char *why = rc ? mpi_files->why() : "";
	char text[256];

	snprintf(text, sizeof(text), "%s: %s", head,
		 *why ? why : mpi_class_text(rc) ?: "");
	if (rc)
		mrt_set_error_detail(text);
	return mpi_file_result(MPI_FILE_NULL, function, rc);
}

struct mpi_file *mpi_file_enter(MPI_File fh, const char *name, size_t read,
				size_t written)
{
	struct mpi_file *file = mpi_file_of(fh);

	if (file) {
		pthread_mutex_lock(&file->mutex);
		mrt_set_outer_call(name, read, written);
	}
	return file;
}

size_t mpi_file_bytes(MPI_Count count, MPI_Datatype type)
{
	ptrdiff_t size = mrt_type_size(to_type(type));

	return count > 0 && size > 0 ? (size_t)count * (size_t)size : 0;
}

int mpi_file_leave(struct mpi_file *file, const char *function, int rc)
{
	if (file) {
		mrt_set_outer_call(NULL, 0, 0);
		pthread_mutex_unlock(&file->mutex);
	}
	return mpi_file_result(file ? (MPI_File)file : MPI_FILE_NULL, function,
			       rc);
}

int mpi_file_type(MPI_Datatype type)
{
	int committed, rc = mrt_type_traits(to_type(type), &committed, NULL);

	return rc || committed
		   ? rc
		   : mpi_detailed(MPI_ERR_TYPE, "the type is not committed");
}

/* ---- Open and close ----------------------------------------------------- */

static struct mpi_file *file_create(const char *name, int amode)
{
	struct mpi_file *file = calloc(1, sizeof(*file) + strlen(name) + 1);

	if (!file)
		return NULL;
	strcpy(file->name, name);
	file->amode = amode;
	file->errhandler =
	    mpi_errhandler_at(mpi_file_errhandler(MPI_FILE_NULL));
	pthread_mutex_init(&file->mutex, NULL);
	return file;
}

static void file_destroy(struct mpi_file *file)
{
	mpi_errhandler_release(file->errhandler);
	pthread_mutex_destroy(&file->mutex);
	free(file);
}

static const char *purpose_of(int amode)
{
	return amode & MPI_MODE_RDWR	 ? "reading and writing"
	       : amode & MPI_MODE_WRONLY ? "writing"
					 : "reading";
}

/* Return 0, or an error of the arguments with its detail. */
static int name_check(const char *filename)
{
	return !filename    ? mpi_detailed(MPI_ERR_ARG, "filename is NULL")
	       : !*filename ? mpi_detailed(MPI_ERR_BAD_FILE,
					   "the name of the file is empty")
			    : 0;
}

static int open_check(MPI_Comm comm, const char *filename, MPI_Info info,
		      const MPI_File *fh)
{
	int size = mrt_size(to_comm(comm));

	if (size < 0)
		return size;
	if (!fh)
		return mpi_detailed(MPI_ERR_ARG, "fh is NULL");
	return name_check(filename) ?: mpi_info_check(info);
}

API(File_open)
(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
	int rc = open_check(comm, filename, info, fh) ?: romio_load();
	struct mpi_file *file;
	char head[256];

	if (rc)
		return mpi_file_result(MPI_FILE_NULL, __func__, rc);
	file = file_create(filename, amode);
	if (!file)
		return mpi_file_result(MPI_FILE_NULL, __func__,
				       mpi_detailed(MPI_ERR_NO_MEM, "a file"));
	mrt_set_outer_call("MPI_File_open", 0, 0);
	rc = mpi_files->File_open(comm, filename, amode, info, &file->romio);
	mrt_set_outer_call(NULL, 0, 0);
	if (rc) {
		file_destroy(file);
		snprintf(head, sizeof(head), "cannot open %s for %s", filename,
			 purpose_of(amode));
		return without_file(__func__, head, rc);
	}
	mpi_file_add(file);
	*fh = (MPI_File)file;
	return MPI_SUCCESS;
}

API(File_close)(MPI_File *fh)
{
	struct mpi_file *file = fh ? mpi_file_of(*fh) : NULL;
	int rc;

	if (!file)
		return mpi_file_leave(NULL, __func__,
				      mpi_detailed(MPI_ERR_FILE, mpi_no_file));
	mrt_set_outer_call("MPI_File_close", 0, 0);
	rc = mpi_file_told(file, mpi_files->File_close(&file->romio));
	mrt_set_outer_call(NULL, 0, 0);
	rc = mpi_file_result(*fh, __func__, rc);
	mpi_file_remove(file);
	file_destroy(file);
	*fh = MPI_FILE_NULL;
	return rc;
}

API(File_delete)(const char *filename, MPI_Info info)
{
	int rc = name_check(filename) ?: mpi_info_check(info) ?: romio_load();
	char head[256];

	if (rc)
		return mpi_file_result(MPI_FILE_NULL, __func__, rc);
	snprintf(head, sizeof(head), "cannot delete %s", filename);
	return without_file(__func__, head,
			    mpi_files->File_delete(filename, info));
}

API(File_get_amode)(MPI_File fh, int *amode)
{
	struct mpi_file *file = mpi_file_enter(fh, "MPI_File_get_amode", 0, 0);
	int rc = !file	  ? mpi_detailed(MPI_ERR_FILE, mpi_no_file)
		 : !amode ? mpi_detailed(MPI_ERR_ARG, "amode is NULL")
			  : 0;

	if (!rc)
		*amode = file->amode;
	return mpi_file_leave(file, __func__, rc);
}

/* ---- Data representations ----------------------------------------------- */

static int datarep_register(const char *function, const char *datarep,
			    bool converts, MPI_Datarep_extent_function *extent,
			    void *extra_state)
{
	int rc = !datarep ? mpi_detailed(MPI_ERR_ARG, "datarep is NULL")
		 : converts
		     ? mpi_detailed(MPI_ERR_CONVERSION,
				    "conversion functions are not supported")
		     : romio_load();
	char head[256];

	if (rc)
		return mpi_file_result(MPI_FILE_NULL, function, rc);
	snprintf(head, sizeof(head), "datarep %s", datarep);
	return without_file(function, head,
			    mpi_files->Register_datarep(
				datarep, MPI_CONVERSION_FN_NULL,
				MPI_CONVERSION_FN_NULL, extent, extra_state));
}

API(Register_datarep)
(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
 MPI_Datarep_conversion_function *write_conversion_fn,
 MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
	return datarep_register(__func__, datarep,
				read_conversion_fn || write_conversion_fn,
				dtype_file_extent_fn, extra_state);
}

API(Register_datarep_c)
(const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
 MPI_Datarep_conversion_function_c *write_conversion_fn,
 MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
	return datarep_register(__func__, datarep,
				read_conversion_fn || write_conversion_fn,
				dtype_file_extent_fn, extra_state);
}
