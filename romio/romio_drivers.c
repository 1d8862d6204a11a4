/* SPDX-License-Identifier: Apache-2.0 */
/*
 * romio_drivers.c replaces functions of ROMIO's drivers for local file systems
 * and NFS, and is compiled as ROMIO's sources are.
 *
 * On local file systems independent calls move pieces that lie far apart one by
 * one. ROMIO by itself reads all that lies between the first and the last piece
 * and, for a write, locks it and writes it back (data sieving: R. Thakur, W.
 * Gropp, E. Lusk, "Data Sieving and Collective I/O in ROMIO", Frontiers 1999,
 * section 3), which pays while pieces share pages.
 *
 * A rank of ROMIO whose transfer fails leaves a collective call while others go
 * on with its rounds, and nonblocking ones drop the error.
 *
 * ROMIO's strided and collective reads count bytes after the end of the file,
 * too. On NFS all its ranks set the size of a file, some perhaps after others
 * have written to it again.
 */
#include <ad_nfs.h>
#include <adio.h>
#include <adio_extern.h>
#include <errno.h>

#include "romio/romio.h"

/* Pieces this many bytes apart share no page, so that sieving moves pages that
 * nobody needs. */
enum { APART = 4096 };
/* Sieving reads use a buffer that stays in a core's cache; ROMIO's has 4 MiB.
 */
#define READ_BUFFER "131072"

/* `struct place` is a byte of the view: `into` bytes into a block of a tile, a
 * copy of the file type. */
struct place {
	const ADIOI_Flatlist_node *flat;
	MPI_Aint extent;
	MPI_Count size;
	ADIO_Offset tile, into;
	MPI_Count block;
};

static ADIO_Offset left_in_block(const struct place *p)
{
	return p->flat->blocklens[p->block] - p->into;
}

/* Goes on to the next block if nothing is left in this one. */
static void place_settle(struct place *p)
{
	while (left_in_block(p) <= 0) {
		p->into = 0;
		if (++p->block == p->flat->count) {
			p->block = 0;
			p->tile++;
		}
	}
}

/* Finds a place by the bytes of data before it. */
static void place_by_data(struct place *p, ADIO_Offset data)
{
	p->tile = data / p->size;
	p->into = data % p->size;
	for (p->block = 0; left_in_block(p) <= 0; p->block++)
		p->into -= p->flat->blocklens[p->block];
}

/* Finds a place, or the next one, by its bytes from the view's displacement. */
static void place_by_bytes(struct place *p, ADIO_Offset bytes)
{
	ADIO_Offset at;

	p->tile = (bytes - p->flat->indices[0]) / p->extent;
	at = bytes - p->tile * p->extent;
	for (p->block = 0; p->block < p->flat->count - 1; p->block++)
		if (p->flat->blocklens[p->block] &&
		    p->flat->indices[p->block] + p->flat->blocklens[p->block] >
			at)
			break;
	p->into = MPL_MAX(at - p->flat->indices[p->block], 0);
	place_settle(p);
}

/* Returns the bytes of data before a place. */
static ADIO_Offset data_before(const struct place *p)
{
	ADIO_Offset data = p->tile * p->size + p->into;

	for (MPI_Count k = 0; k < p->block; k++)
		data += p->flat->blocklens[k];
	return data;
}

static void place_begin(struct place *p, ADIO_File fd)
{
	MPI_Aint lb;

	p->flat = ADIOI_Flatten_and_find(fd->filetype);
	MPI_Type_get_extent(fd->filetype, &lb, &p->extent);
	MPI_Type_size_x(fd->filetype, &p->size);
}

static void place_find(struct place *p, ADIO_File fd, int pointer,
		       ADIO_Offset offset)
{
	place_begin(p, fd);
	if (pointer == ADIO_INDIVIDUAL)
		place_by_bytes(p, fd->fp_ind - fd->disp);
	else
		place_by_data(p, offset * fd->etype_size);
}

static ADIO_Offset place_in_file(const struct place *p, ADIO_File fd)
{
	return fd->disp + p->tile * p->extent + p->flat->indices[p->block] +
	       p->into;
}

/* Moves `bytes` from a place on, piece by piece. */
static void move_pieces(ADIO_File fd, char *buf, ADIO_Offset bytes, int pointer,
			ADIO_Offset offset, int writes, MPI_Status *status,
			int *error)
{
	ADIO_Offset at, n, moved = 0, done = 0;
	struct place p;
	ssize_t got;

	*error = MPI_SUCCESS;
	place_find(&p, fd, pointer, offset);
	for (; done < bytes; done += n, p.into += n) {
		place_settle(&p);
		at = place_in_file(&p, fd);
		n = MPL_MIN(left_in_block(&p), bytes - done);
		got = writes ? pwrite(fd->fd_sys, buf + done, (size_t)n, at)
			     : pread(fd->fd_sys, buf + done, (size_t)n, at);
		if (got < 0) {
			*error = ADIOI_Err_create_code(__func__, fd->filename,
						       errno);
			return;
		}
		n = got ? got : n; /* 0: the file has ended */
		moved += got;
	}
	place_settle(&p);
	if (pointer == ADIO_INDIVIDUAL)
		fd->fp_ind = place_in_file(&p, fd);
	fd->fp_sys_posn = -1;
	MPIR_Status_set_bytes(status, MPI_BYTE, moved);
}

/* Returns the mean distance from piece to piece of a file type. */
static MPI_Aint type_distance(ADIO_File fd)
{
	const ADIOI_Flatlist_node *flat = ADIOI_Flatten_and_find(fd->filetype);
	MPI_Count first = 0, last = flat->count - 1;
	MPI_Aint lb, extent;

	/* blocks of no bytes mark the bounds of a type */
	while (first < last && !flat->blocklens[first])
		first++;
	while (first < last && !flat->blocklens[last])
		last--;
	if (first > last || !flat->blocklens[first])
		return 0;
	MPI_Type_get_extent(fd->filetype, &lb, &extent);
	return first == last ? extent
			     : (flat->indices[last] - flat->indices[first]) /
				   (last - first);
}

/* `local` and `nfs` keep the functions of ROMIO's drivers that drivers_init
 * replaces. */
static struct ADIOI_Fns_struct local, nfs;

static const struct ADIOI_Fns_struct *driver_theirs(ADIO_File fd)
{
	return fd->fns == &ADIO_NFS_operations ? &nfs : &local;
}

/* Tells whether to move the pieces of the view one by one: unless a hint says
 * otherwise, and not on NFS, where each would be locked. */
static int is_apart(ADIO_File fd, int hint, MPI_Datatype type)
{
	int memory_dense, file_dense;

	ADIOI_Datatype_iscontig(type, &memory_dense);
	ADIOI_Datatype_iscontig(fd->filetype, &file_dense);
	return driver_theirs(fd) == &local && hint == ADIOI_HINT_AUTO &&
	       !fd->atomicity && memory_dense && !file_dense &&
	       type_distance(fd) >= APART;
}

static ADIO_Offset bytes_of(int count, MPI_Datatype type)
{
	MPI_Count size;

	MPI_Type_size_x(type, &size);
	return size * count;
}

static void write_strided(ADIO_File fd, const void *buf, int count,
			  MPI_Datatype type, int pointer, ADIO_Offset offset,
			  MPI_Status *status, int *error)
{
	if (is_apart(fd, fd->hints->ds_write, type))
		move_pieces(fd, (char *)buf, bytes_of(count, type), pointer,
			    offset, 1, status, error);
	else
		driver_theirs(fd)->ADIOI_xxx_WriteStrided(
		    fd, buf, count, type, pointer, offset, status, error);
}

/* ---- Reads that meet the end of the file --------------------------------- */

MPI_Count romio_read_count(ADIO_File fd, MPI_Count before, MPI_Count bytes)
{
	ADIO_Fcntl_t end = {.fsize = -1};
	struct place p;
	int error;

	if (!bytes)
		return 0;
	ADIO_Fcntl(fd, ADIO_FCNTL_GET_FSIZE, &end, &error);
	place_begin(&p, fd);
	place_by_data(&p, before + bytes - 1);
	if (error != MPI_SUCCESS || place_in_file(&p, fd) < end.fsize)
		return bytes;
	if (end.fsize <= fd->disp)
		return 0;
	place_by_bytes(&p, end.fsize - fd->disp);
	return MPL_MAX(data_before(&p) - before, 0);
}

/* Returns the bytes of a read, and sets *before to the bytes of the view before
 * it. */
static ADIO_Offset read_begin(ADIO_File fd, int count, MPI_Datatype type,
			      int pointer, ADIO_Offset offset,
			      MPI_Count *before)
{
	MPI_Count size;
	struct place p;

	*before = 0;
	MPI_Type_size_x(fd->filetype, &size);
	if (!size || !bytes_of(count, type))
		return 0;
	place_find(&p, fd, pointer, offset);
	*before = data_before(&p);
	return bytes_of(count, type);
}

/* Reads by a function of ROMIO's, and sets the count. */
static void read_counted(__typeof__(&ADIOI_GEN_ReadStrided) read, ADIO_File fd,
			 void *buf, int count, MPI_Datatype type, int pointer,
			 ADIO_Offset offset, MPI_Status *status, int *error)
{
	MPI_Count before, bytes;

	bytes = read_begin(fd, count, type, pointer, offset, &before);
	read(fd, buf, count, type, pointer, offset, status, error);
	if (*error == MPI_SUCCESS && status != MPI_STATUS_IGNORE)
		MPIR_Status_set_bytes(status, MPI_BYTE,
				      romio_read_count(fd, before, bytes));
}

static void read_strided(ADIO_File fd, void *buf, int count, MPI_Datatype type,
			 int pointer, ADIO_Offset offset, MPI_Status *status,
			 int *error)
{
	if (is_apart(fd, fd->hints->ds_read, type))
		move_pieces(fd, buf, bytes_of(count, type), pointer, offset, 0,
			    status, error);
	else
		read_counted(driver_theirs(fd)->ADIOI_xxx_ReadStrided, fd, buf,
			     count, type, pointer, offset, status, error);
}

static void iread_strided(ADIO_File fd, void *buf, int count, MPI_Datatype type,
			  int pointer, ADIO_Offset offset, MPI_Request *request,
			  int *error)
{
	MPI_Count bytes = 0;
	MPI_Status status;

	read_strided(fd, buf, count, type, pointer, offset, &status, error);
	if (*error == MPI_SUCCESS)
		MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
	MPIO_Completed_request_create(&fd, bytes, error, request);
}

static void iread_all(ADIO_File fd, void *buf, int count, MPI_Datatype type,
		      int pointer, ADIO_Offset offset, MPI_Request *request,
		      int *error)
{
	MPI_Count before, bytes;

	bytes = read_begin(fd, count, type, pointer, offset, &before);
	romio_reads(before, bytes);
	ADIOI_GEN_IreadStridedColl(fd, buf, count, type, pointer, offset,
				   request, error);
}

/* ---- Collective calls in which a rank fails ------------------------------ */

/* `together` tells whether this thread is in a collective read or write, and
 * `failed` is the first error of a transfer in it. */
static _Thread_local int together, failed;

/* Keeps the error of a transfer for the end of the collective call, which ROMIO
 * would leave while others go on with its rounds. */
static void transfer_end(MPI_Status *status, int *error)
{
	if (*error == MPI_SUCCESS)
		return;
	romio_poll_failed(errno);
	if (!together)
		return;
	failed = failed ? failed : *error;
	*error = MPI_SUCCESS;
	MPIR_Status_set_bytes(status, MPI_BYTE, 0);
}

static void read_contig(ADIO_File fd, void *buf, int count, MPI_Datatype type,
			int pointer, ADIO_Offset offset, MPI_Status *status,
			int *error)
{
	driver_theirs(fd)->ADIOI_xxx_ReadContig(fd, buf, count, type, pointer,
						offset, status, error);
	transfer_end(status, error);
}

static void write_contig(ADIO_File fd, const void *buf, int count,
			 MPI_Datatype type, int pointer, ADIO_Offset offset,
			 MPI_Status *status, int *error)
{
	driver_theirs(fd)->ADIOI_xxx_WriteContig(fd, buf, count, type, pointer,
						 offset, status, error);
	transfer_end(status, error);
}

MPI_Comm romio_comm(ADIO_File fd)
{
	return fd->comm;
}

static void all_begin(void)
{
	together = 1;
	failed = MPI_SUCCESS;
}

/* Lets all ranks return an error if one has failed. */
static void all_end(ADIO_File fd, int *error)
{
	int worst, mine = failed ? failed : *error;

	together = 0;
	MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, fd->comm);
	*error = mine ? mine : worst;
}

static void read_all(ADIO_File fd, void *buf, int count, MPI_Datatype type,
		     int pointer, ADIO_Offset offset, MPI_Status *status,
		     int *error)
{
	all_begin();
	read_counted(ADIOI_GEN_ReadStridedColl, fd, buf, count, type, pointer,
		     offset, status, error);
	all_end(fd, error);
}

static void write_all(ADIO_File fd, const void *buf, int count,
		      MPI_Datatype type, int pointer, ADIO_Offset offset,
		      MPI_Status *status, int *error)
{
	all_begin();
	ADIOI_GEN_WriteStridedColl(fd, buf, count, type, pointer, offset,
				   status, error);
	all_end(fd, error);
}

/* ---- The drivers --------------------------------------------------------- */

/* No rank goes on before all have set the size. */
static void nfs_resize(ADIO_File fd, ADIO_Offset size, int *error)
{
	int one;

	ADIOI_NFS_Resize(fd, size, &one);
	MPI_Allreduce(&one, error, 1, MPI_INT, MPI_MAX, fd->comm);
}

static void set_info(ADIO_File fd, MPI_Info info, int *error)
{
	int given = fd->hints->initialized, len = 0;
	char none[1];

	if (!given && info != MPI_INFO_NULL)
		MPI_Info_get_string(info, "ind_rd_buffer_size", &len, none,
				    &given);
	ADIOI_GEN_SetInfo(fd, info, error);
	if (given || *error != MPI_SUCCESS)
		return;
	fd->hints->ind_rd_buffer_size = atoi(READ_BUFFER);
	ADIOI_Info_set(fd->info, "ind_rd_buffer_size", READ_BUFFER);
}

static void driver_init(struct ADIOI_Fns_struct *driver)
{
	driver->ADIOI_xxx_ReadContig = read_contig;
	driver->ADIOI_xxx_WriteContig = write_contig;
	driver->ADIOI_xxx_ReadStrided = read_strided;
	driver->ADIOI_xxx_WriteStrided = write_strided;
	driver->ADIOI_xxx_IreadStrided = iread_strided;
	driver->ADIOI_xxx_IreadStridedColl = iread_all;
	driver->ADIOI_xxx_ReadStridedColl = read_all;
	driver->ADIOI_xxx_WriteStridedColl = write_all;
}

__attribute__((constructor)) static void drivers_init(void)
{
	local = ADIO_UFS_operations;
	nfs = ADIO_NFS_operations;
	driver_init(&ADIO_UFS_operations);
	driver_init(&ADIO_NFS_operations);
	ADIO_UFS_operations.ADIOI_xxx_SetInfo = set_info;
	ADIO_NFS_operations.ADIOI_xxx_Resize = nfs_resize;
}
