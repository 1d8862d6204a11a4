/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_killed MODE FILE writes to a file in one way, on and on, until its last
 * rank kills itself; `once` writes and ends; in `alone` the last rank makes no
 * call, and in `mixed` it reads. The file is 64 bytes of each rank in turn.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

enum { PIECE = 64, PIECES = 256, CALLS = 20 };
#define W MPI_COMM_WORLD

static char text[PIECE * PIECES];
static int me, ranks;
static MPI_File file;

static void write_all(void)
{
	MPI_File_write_at_all(file, 0, text, sizeof(text), MPI_BYTE,
			      MPI_STATUS_IGNORE);
}

static void write_alone(void)
{
	if (me == ranks - 1)
		pause();
	write_all();
}

static void write_mixed(void)
{
	if (me == ranks - 1)
		MPI_File_read_at_all(file, 0, text, sizeof(text), MPI_BYTE,
				     MPI_STATUS_IGNORE);
	else
		write_all();
}

static void write_later(void)
{
	MPI_Request request;

	MPI_File_iwrite_at_all(file, 0, text, sizeof(text), MPI_BYTE, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void write_shared(void)
{
	MPI_File_write_shared(file, text, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_ordered(void)
{
	MPI_File_write_ordered(file, text, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
}

/* Writes 1 byte in 64, so that the rest is read and locked. */
static void write_sieved(void)
{
	MPI_File_write_at(file, 0, text, PIECES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static const struct mode {
	const char *name;
	void (*write)(void);
	int piece; /* of the view: bytes of each rank in turn; 0: no view */
} modes[] = {{"once", write_all, PIECE},    {"all", write_all, PIECE},
	     {"later", write_later, PIECE}, {"shared", write_shared, 0},
	     {"ordered", write_ordered, 0}, {"sieved", write_sieved, 1},
	     {"alone", write_alone, PIECE}, {"mixed", write_mixed, PIECE}};

static void set_view(int piece)
{
	MPI_Datatype one, turns;

	MPI_Type_contiguous(piece, MPI_BYTE, &one);
	MPI_Type_create_resized(one, 0, (MPI_Aint)PIECE * ranks, &turns);
	MPI_Type_commit(&turns);
	MPI_File_set_view(file, (MPI_Offset)me * piece, MPI_BYTE, turns,
			  "native", MPI_INFO_NULL);
	MPI_Type_free(&one);
	MPI_Type_free(&turns);
}

static const struct mode *find_mode(const char *name)
{
	for (size_t k = 0; k < sizeof(modes) / sizeof(*modes); k++)
		if (!strcmp(modes[k].name, name))
			return &modes[k];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct mode *mode = argc == 3 ? find_mode(argv[1]) : NULL;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &me);
	MPI_Comm_size(W, &ranks);
	if (!mode)
		MPI_Abort(W, 64);
	memset(text, 'a' + me, sizeof(text));
	MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
	MPI_File_open(W, argv[2], MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	if (mode->piece)
		set_view(mode->piece);
	for (int i = 0; mode != modes || i == 0; i++) {
		if (i == CALLS && me == ranks - 1)
			raise(SIGKILL);
		mode->write();
	}
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
