# SPDX-License-Identifier: Apache-2.0
# romio.m4: --with-romio=FOLDER. The sources of ROMIO are those that its own
# Makefiles name for any MPI, with the drivers for local file systems and NFS, but
# what romio/ has instead: handles, errors, requests of its own.
AC_DEFUN([MRT_ROMIO], [
AC_ARG_WITH([romio], [AS_HELP_STRING([--with-romio=FOLDER],
  [offer files by ROMIO: FOLDER is the source of MPICH, or its src/mpi/romio
  (contrib/romio-source fetches it into build-romio, where it is found)])], [],
  [with_romio=no; test ! -d "$srcdir/build-romio" || with_romio=yes])
AS_IF([test "x$with_romio" = xyes], [with_romio=$srcdir/build-romio])
ROMIO=
ROMIO_OBJECTS=
AS_IF([test "x$with_romio" != xno], [
  for folder in "$with_romio/src/mpi/romio" "$with_romio"; do
    AS_IF([test -f "$folder/adio/include/adio.h"],
      [ROMIO=`cd "$folder" && pwd`; break])
  done
  AS_IF([test -z "$ROMIO"],
    [AC_MSG_ERROR([no ROMIO in $with_romio: give the source of MPICH])])
  AS_IF([test -f "$ROMIO/mpi-io/io_impl.c"],
    [AC_MSG_ERROR([$ROMIO is of MPICH 4.2 or later: give that of 4.0 or 4.1])])
  for part in mpi-io adio/common adio/ad_ufs adio/ad_nfs; do
    ROMIO_OBJECTS="$ROMIO_OBJECTS `sed -nE \
      's,^ *('$part'/@<:@a-z0-9_-@:>@+)\.c.*,romio/theirs/\1.lo,p' \
      "$ROMIO/$part/Makefile.mk" | tr '\n' ' '`"
  done
  ROMIO_OBJECTS=`echo $ROMIO_OBJECTS | tr ' ' '\n' | sort -u | grep -vE \
    '/(io(req|test|wait).*|file_.2.|@<:@gs@:>@et_errh|mpir_cst_filesys|error|iscontig)\.lo' |
    tr '\n' ' '`
])
AS_IF([test -n "$ROMIO"], [have_files=yes], [have_files=no])
AC_SUBST([ROMIO])
AC_SUBST([ROMIO_OBJECTS])
AM_CONDITIONAL([HAVE_ROMIO], [test -n "$ROMIO"])
])
