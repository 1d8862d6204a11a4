# SPDX-License-Identifier: Apache-2.0
# lib.sh: for the tests of the Fortran bindings, which compile programs with the
# compiler that they were built with; $FC comes from make.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -n "${FC:-}" ] || skip_all "built without Fortran"
[ -z "$SANITIZER" ] || skip_all "a program in Fortran has no sanitizer's library"
sources=$top_srcdir/tests/fortran
bindings=$top_builddir/fortran
wide=0  # 1 for INTEGERs of 8 bytes
bytes= # _i8 for these

# Whether the bindings for INTEGERs of 8 bytes were built.
have_wide()
{
	[ -n "$FORTRAN_I8" ] && return
	diag "no INTEGERs of 8 bytes: $FC does not have them, or configure was told so"
	return 1
}

# wide 0|1 compiles what follows for INTEGERs of 4 or 8 bytes.
wide()
{
	wide=$1
	bytes=
	[ "$wide" = 0 ] || bytes=_i8
}

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
	[ "$wide" = 0 ] || set -- $FORTRAN_I8 -I"$bindings/i8" "$@"
	run 120 sh -c 'cd "$0" && exec "$@"' "$work" $FC -O1 -g "$@" \
		-I"$bindings" -o "$work/$name" -L"$top_builddir/.libs" \
		-Wl,-rpath,"$top_builddir/.libs" -lmpifort_abi$bytes -lmpi_abi
	is "$rc" 0 "$name is compiled"
}

# c_part FILE makes $work/FILE.o of a source in C.
c_part()
{
	[ "$wide" = 0 ] || set -- "$1" -DMPI_ABI_Fint=int64_t
	run 60 ${CC:-cc} -I"$top_srcdir" -I"$top_srcdir/mpi" \
		-I"$top_builddir/mpi" -c "$@" -o "$work/${1##*/}.o"
	is "$rc" 0 "${1##*/} is compiled"
}
