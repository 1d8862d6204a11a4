# SPDX-License-Identifier: Apache-2.0
# fortran.m4: finds a Fortran compiler that can make the bindings.

# _MRT_FORTRAN_PROGRAM: a module with descriptors that C gets, and a routine of
# C under the name that compilers after gfortran give it.
m4_define([_MRT_FORTRAN_PROGRAM], [cat >conftest.f90 <<'EOF'
module conftest_m
  interface
    subroutine size_of(x, n) bind(C, name="size_of")
      type(*), dimension(..), intent(in), asynchronous :: x
      integer, intent(out) :: n
    end subroutine
  end interface
end module
program conftest
  use conftest_m
  real(kind=8) :: x(4)
  integer :: n
  call size_of(x(1:4:2), n)
  call Plain_Name(n)
end program
EOF
cat >conftest_c.c <<'EOF'
#include <ISO_Fortran_binding.h>
void size_of(CFI_cdesc_t *x, int *n)
{
	*n = (int)x->elem_len;
}
void plain_name_(int *n)
{
}
EOF])

# MRT_FORTRAN sets have_fortran, fortran_summary and, if there is a compiler, FC,
# FCFLAGS, FORTRAN_CPPFLAGS (for the header of descriptors), FORTRAN_MODULES, the
# name of the folder for its modules, and FORTRAN_I8, its option for INTEGERs of 8
# bytes, unless the bindings for these are not built.
AC_DEFUN([MRT_FORTRAN], [
AC_ARG_VAR([FC], [Fortran compiler command])
AC_ARG_VAR([FCFLAGS], [Fortran compiler flags])
AC_ARG_WITH([fortran], [AS_HELP_STRING([--without-fortran],
  [build without the Fortran bindings])], [], [with_fortran=check])
AC_ARG_ENABLE([fortran-i8], [AS_HELP_STRING([--disable-fortran-i8],
  [build no Fortran bindings for default INTEGERs of 8 bytes])], [],
  [enable_fortran_i8=yes])
have_fortran=no
FORTRAN_I8=
fortran_summary="no, by --without-fortran"
AS_IF([test "x$with_fortran" != xno], [
  AC_CHECK_TOOLS([FC], [gfortran flang flang-new])
  fortran_summary="no, there was no Fortran compiler"
  AS_IF([test -n "$FC"], [
    : ${FCFLAGS=-O2 -g}
    AC_MSG_CHECKING([whether $FC can make the bindings])
    _MRT_FORTRAN_PROGRAM
    FORTRAN_CPPFLAGS=
    # another C compiler than the one that belongs to it has no such header
    mrt_bin=`command -v "${FC%% *}"`
    mrt_bin=`readlink -f "$mrt_bin"`
    for mrt_include in '' "`$FC -print-file-name=include 2>/dev/null`" \
      "${mrt_bin%/bin/*}/include/flang"; do
      FORTRAN_CPPFLAGS=${mrt_include:+"-idirafter $mrt_include"}
      AS_IF([{ $CC $FORTRAN_CPPFLAGS -c conftest_c.c -o conftest_c.o &&
        $FC $FCFLAGS conftest.f90 conftest_c.o -o conftest_f; } >conftest.log 2>&1],
        [have_fortran=yes])
      cat conftest.log >&AS_MESSAGE_LOG_FD
      test $have_fortran = no || break
    done
    AC_MSG_RESULT([$have_fortran])
    fortran_summary="no, $FC cannot make them: `
      grep -i 'error\|cannot\|not found' conftest.log | head -n 1 | cut -c 1-100`"
    rm -f conftest* ])
])
AS_IF([test $have_fortran = yes], [
  # the files of modules differ between compilers and their versions
  FORTRAN_MODULES=`$FC -dumpversion 2>/dev/null | sed 's/\..*//'`
  FORTRAN_MODULES=`basename "${FC%% *}" | sed 's/^.*\(gfortran\|flang\).*/\1/'`-$FORTRAN_MODULES
  fortran_summary="$FC, modules in fortran/$FORTRAN_MODULES"
  # INTEGER and LOGICAL are those of C, though no standard says so
  mrt_flag=-Wno-c-binding-type
  echo end >conftest.f90
  AS_IF([$FC $FCFLAGS -Werror $mrt_flag -c conftest.f90 >&AS_MESSAGE_LOG_FD 2>&1],
    [FORTRAN_FLAGS=$mrt_flag])
  AS_IF([test "x$enable_fortran_i8" != xno], [
    AC_MSG_CHECKING([for default INTEGERs of 8 bytes])
    # n is a division by zero if one is shorter
    cat >conftest.f90 <<'EOF'
module conftest_m
  type, bind(C) :: handle
    integer :: value
  end type
  logical, bind(C, name="conftest_yes") :: yes = .true.
  integer, parameter :: n = 1 / (kind(0) / 8 * (kind(.true.) / 8))
  interface
    subroutine size_of(x, n, h) bind(C, name="size_of")
      import
      type(*), dimension(..), intent(in), asynchronous :: x
      integer, optional, intent(out) :: n
      type(handle), intent(in) :: h
    end subroutine
  end interface
end module
EOF
    AS_IF([$FC $FCFLAGS -fdefault-integer-8 -c conftest.f90 \
      >&AS_MESSAGE_LOG_FD 2>&1],
      [FORTRAN_I8=-fdefault-integer-8
      fortran_summary="$fortran_summary, also for INTEGERs of 8 bytes"])
    AC_MSG_RESULT([${FORTRAN_I8:-no}]) ])
  rm -f conftest* ],
  [test "x$with_fortran" = xyes],
  [AC_MSG_ERROR([Fortran: $fortran_summary. On Debian: apt-get install gfortran])],
  [FC=])
AC_SUBST([FORTRAN_CPPFLAGS])
AC_SUBST([FORTRAN_FLAGS])
AC_SUBST([FORTRAN_MODULES])
AC_SUBST([FORTRAN_I8])
AC_SUBST([fortran_summary])
AM_CONDITIONAL([HAVE_FORTRAN], [test $have_fortran = yes])
AM_CONDITIONAL([HAVE_FORTRAN_I8], [test -n "$FORTRAN_I8"])
])
