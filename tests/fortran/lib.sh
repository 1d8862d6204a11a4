# SPDX-License-Identifier: Apache-2.0
# lib.sh: for the tests of the Fortran bindings, which compile programs with the
# compiler that they were built with; $FC comes from make.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -n "${FC:-}" ] || skip_all "built without Fortran"
[ -z "$SANITIZER" ] || skip_all "a program in Fortran has no sanitizer's library"
sources=$top_srcdir/tests/fortran
bindings=$top_builddir/fortran
# mpif.h declares no interfaces, and types differ between calls
mismatch=
case $FC in
*gfortran*) mismatch="-w -fallow-argument-mismatch" ;;
esac

# fortran NAME [OPTION | FILE]... makes the program $work/NAME.
fortran()
{
	name=$1
	shift
	# modules of the program itself go to where the compiler runs
	run 120 sh -c 'cd "$0" && exec "$@"' "$work" $FC -O1 -g -I"$bindings" \
		"$@" -o "$work/$name" -L"$top_builddir/.libs" \
		-Wl,-rpath,"$top_builddir/.libs" -lmpifort_abi -lmpi_abi
	is "$rc" 0 "$name is compiled"
}

# c_part FILE makes $work/FILE.o of a source in C.
c_part()
{
	run 60 ${CC:-cc} -I"$top_srcdir" -I"$top_srcdir/mpi" \
		-I"$top_builddir/mpi" -c "$1" -o "$work/${1##*/}.o"
	is "$rc" 0 "${1##*/} is compiled"
}
