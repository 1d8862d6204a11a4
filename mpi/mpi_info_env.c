/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_info_env.c: how the process was started: MPI_INFO_ENV, and
 * MPI_Info_create_env, which may be called at any time and needs no other rank
 * (MPI 4.1, chapter 11.5).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "mpi/mpi_impl.h"
#include "mpi/mpi_info.h"

/* A value that is too long for info is omitted. */
static int info_env_put(struct MPI_ABI_Info *info, const char *key,
			const char *value)
{
	return strlen(value) < MPI_MAX_INFO_VAL ? mpi_info_put(info, key, value)
						: MPI_SUCCESS;
}

static int put_place(struct MPI_ABI_Info *info)
{
	struct utsname system;
	char dir[MPI_MAX_INFO_VAL];
	int code = MPI_SUCCESS;

	if (!uname(&system)) {
		code = info_env_put(info, "host", system.nodename)
			   ?: info_env_put(info, "arch", system.machine);
	}
	if (!code && getcwd(dir, sizeof(dir)))
		code = info_env_put(info, "wdir", dir);
	return code;
}

/* The name of the program, and its arguments separated by blanks. */
static int put_command(struct MPI_ABI_Info *info, int argc,
		       const char *const argv[])
{
	char text[MPI_MAX_INFO_VAL + 1] = "";
	size_t len = 0;
	int code;

	if (argc < 1 || !argv || !argv[0])
		return MPI_SUCCESS;
	code = info_env_put(info, "command", argv[0]);
	for (int k = 1; k < argc && argv[k] && len < sizeof(text); k++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					k > 1 ? " " : "", argv[k]);
	return code || argc == 1 ? code : info_env_put(info, "argv", text);
}

API(Info_create_env)(int argc, char *argv[], MPI_Info *info)
{
	MPI_Info made = MPI_INFO_NULL;
	int code = PMPI_Info_create(info ? &made : NULL);

	if (code)
		return code;
	code = put_command(made, argc, (const char *const *)argv)
		   ?: put_place(made);
	if (code) {
		PMPI_Info_free(&made);
		return mpi_fail(MPI_COMM_NULL, __func__, code,
				"no memory for info");
	}
	*info = made;
	return MPI_SUCCESS;
}

/* MPI_Init may be called without the arguments, so they are read from the
 * system. */
static void put_own_command(struct MPI_ABI_Info *info)
{
	enum { MOST = 256 };
	const char *argv[MOST];
	FILE *file = fopen("/proc/self/cmdline", "r");
	char text[2 * MPI_MAX_INFO_VAL], *at = text, *end;
	int argc = 0;

	if (!file)
		return;
	end = text + fread(text, 1, sizeof(text) - 1, file);
	*end = 0;
	fclose(file);
	for (; at < end && argc < MOST; at += strlen(at) + 1)
		argv[argc++] = at;
	put_command(info, argc, argv);
}

void mpi_info_env_make(void)
{
	char size[16];

	put_own_command(&mpi_info_env);
	snprintf(size, sizeof(size), "%d", mrt_size(MRT_COMM_WORLD));
	info_env_put(&mpi_info_env, "maxprocs", size);
	put_place(&mpi_info_env);
	if (getenv("MRT_INITIAL_ERRHANDLER"))
		info_env_put(&mpi_info_env, "mpi_initial_errhandler",
			     getenv("MRT_INITIAL_ERRHANDLER"));
}

void mpi_info_env_free(void)
{
	mpi_info_clear(&mpi_info_env);
}
