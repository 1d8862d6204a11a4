#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# module.sh: writes mpif.h or the source of a module to stdout.
#	AWK=awk module.sh FOLDER mpif.h|mpi|mpi_f08 WIDE
# FOLDER is the source folder, beside mpi/. WIDE is 1 for the module of INTEGERs of
# 8 bytes, which differs for mpi_f08 alone.
set -eu
folder=$1
what=$2
wide=$3
: "${AWK:=awk}"

# generated FILE.awk F08
generated()
{
	$AWK -v f08="$2" -v wide="$wide" -f "$folder/read.awk" -f "$folder/$1" \
		"$folder/rules.txt" "$folder/../mpi/functions.txt"
}

constants()
{
	$AWK -v f08="$1" -f "$folder/constants.awk" "$folder/../mpi/mpi.h"
	cat "$folder/variables.fh"
}

head_of_module()
{
	echo "module $what"
	echo "  use, intrinsic :: iso_c_binding, only: c_ptr"
	echo "  use mpi_f08_types"
	echo "  implicit none"
}

case $what in
mpif.h)
	echo "! mpif.h: constants of MPI, in fixed and in free form"
	constants 0
	cat "$folder/status.fh" "$folder/callbacks.fh" "$folder/functions.fh"
	;;
mpi)
	head_of_module
	constants 0
	cat "$folder/status.fh" "$folder/callbacks.fh"
	$AWK -v f08=0 -f "$folder/extra.awk"
	generated module.awk 0
	echo "end module"
	;;
mpi_f08)
	head_of_module
	constants 1
	cat "$folder/status_f08.fh"
	$AWK -f "$folder/callback.awk"
	$AWK -v f08=1 -f "$folder/extra.awk"
	generated module.awk 1
	echo "end module"
	;;
esac
