#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# files.t writes and reads a file through each interface, at several numbers of ranks.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"
need_mrun
[ -e "$top_builddir/.libs/libmrt_romio.so" ] ||
	skip_all "built without files: configure --with-romio=FOLDER"

# interface NAME OPTION...
interface()
{
	program=$1$bytes
	shift
	fortran "$program" "$@" "$sources/files.F90" "$sources/check.f90"
	for n in 1 2 4; do
		cases "$program, $n ranks:" "$MRUN" -n $n "$work/$program" \
			"$work/file"
	done
}

interfaces()
{
	wide "$1"
	interface mpif $mismatch
	interface mpi -DUSE_MPI
	interface mpi_f08 -DUSE_F08
}

interfaces 0
if have_wide; then interfaces 1; fi
is "$(ls -A "$work" | grep file)" "" "no file is left"
no_leftovers "nothing is left"
done_testing
