/* SPDX-License-Identifier: Apache-2.0 */
/*
 * romioconf.h says what ROMIO's own configure would find on Linux with glibc
 * and with an MPI that has all of MPI 4. ROMIO's sources include it by this
 * name.
 */
#ifndef ROMIOCONF_H_INCLUDED
#define ROMIOCONF_H_INCLUDED

/* Linux has these headers and functions. */
#define HAVE_DIRENT_H 1
#define HAVE_FCNTL_H 1
#define HAVE_LIMITS_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRINGS_H 1
#define HAVE_STRING_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_VFS_H 1
#define HAVE_TIME_H 1
#define HAVE_UNISTD_H 1
#define HAVE_DECL_PWRITE 1
#define HAVE_FSYNC 1
#define HAVE_FTRUNCATE 1
#define HAVE_LSTAT 1
#define HAVE_READLINK 1
#define HAVE_STAT 1
#define HAVE_STRDUP 1
#define HAVE_STRERROR 1
#define INT_LT_POINTER 1
#define HAVE_INT_LT_POINTER 1
#define HAVE_LONG_LONG_64 1

/* statfs tells which file system a path is on. */
#define HAVE_STATFS 1
#define HAVE_STRUCT_STATFS 1
#define ROMIO_HAVE_STRUCT_STATFS_WITH_F_TYPE 1

/* POSIX AIO reads and writes asynchronously. */
#define HAVE_AIO_H 1
#define HAVE_STRUCT_AIOCB_AIO_FILDES 1
#define HAVE_STRUCT_AIOCB_AIO_REQPRIO 1
#define HAVE_STRUCT_AIOCB_AIO_SIGEVENT 1
#define ROMIO_HAVE_WORKING_AIO 1

/* These drivers are built: for any local file system, and for NFS. */
#define ROMIO_UFS 1
#define ROMIO_NFS 1
#define ROMIO_RUN_ON_LINUX 1

/* The MPI below has these. */
#define HAVE_MPIIO_CONST const
#define HAVE_MPI_COMBINERS 1
#define HAVE_MPI_DARRAY_SUBARRAY 1
#define HAVE_MPI_GREQUEST 1
#define HAVE_MPI_GREQUEST_EXTENSIONS 1
#define HAVE_MPI_INFO 1
#define HAVE_MPI_LONG_LONG_INT 1
#define HAVE_MPI_STATUS_SET_ELEMENTS_X 1
#define HAVE_MPI_TYPE_SIZE_X 1
#define HAVE_STATUS_SET_BYTES 1
#define HAVE_DECL_MPI_COMBINER_HINDEXED_BLOCK 1
#define MPIIMPL_HAVE_MPI_COMBINER_DARRAY 1
#define MPIIMPL_HAVE_MPI_COMBINER_DUP 1
#define MPIIMPL_HAVE_MPI_COMBINER_SUBARRAY 1
#endif
