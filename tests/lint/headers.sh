#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# headers.sh checks that every header compiles alone, and the public ones also
# as C++. A *_body.h is no header but a text that is compiled several times;
# mpi_prototypes.h, mpi_removed.h and mpi_fortran.h are parts of mpi.h;
# mpi_shim.h is for the mpi.h of other libraries. section.h and pending.h of
# fortran/ need what comes with a Fortran compiler.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

: "${CC:=cc}"

without='^fortran/(section|pending)[.]h'
[ -z "${FC:-}" ] || without=^$
lint()
{
	for header in $(c_files "$1" include $source_folders |
		grep '\.h$' | grep -vE '_body\.h$|mpi_shim\.h$' |
		grep -vE 'mpi_(prototypes|removed|fortran)\.h$' |
		grep -vE "$without"); do
		case $header in
		include/*) name=${header#include/} ;;
		*) name=$header ;;
		esac
		# the include guard works: including a header twice does no harm
		printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
			$CC -std=gnu11 -D_GNU_SOURCE -Wall -Wextra \
			-Wno-unused-parameter \
			-Werror -fsyntax-only -I"$1" -I"$1/include" \
			-I"$top_srcdir" -I"$top_srcdir/include" \
			-I"$top_srcdir/mpi" -I"$top_builddir/mpi" \
			-I"$top_builddir" $LINT_CPPFLAGS -x c - \
			>"$work/cc" 2>&1 ||
			echo "$header: $(head -n 3 "$work/cc" | tr '\n' ' ')"
	done
}

clean "every header compiles alone"
catches "a header that needs another" p2p/alone.h <<'X'
static inline size_t alone(void) { return 0; }
X
catches "a header without a guard" p2p/twice.h <<'X'
struct twice { int x; };
X
# a constant such as MPI_UNWEIGHTED must not pass for an array that is read
printf '#include <mpi.h>\nint of(int *r, MPI_Comm *c);\nint of(int *r, %s\n}\n' \
	'MPI_Comm *c)
{
	return MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, r,
			MPI_UNWEIGHTED, 1, r, MPI_UNWEIGHTED, MPI_INFO_NULL,
			0, c);' |
	$CC -std=c99 -pedantic -Wall -Wextra -Werror -O2 \
	-I"$top_srcdir/mpi" -I"$top_builddir/mpi" \
	-x c -c -o /dev/null - >"$out" 2>&1
is $? 0 "mpi.h brings no warnings into a program"
if ${CXX:-c++} --version >/dev/null 2>&1; then
	printf '#include <mrt_lib.h>\nint main() { return MRT_SUCCESS; }\n' |
		${CXX:-c++} -Wall -Werror -fsyntax-only \
		-I"$top_srcdir/include" -x c++ - >"$out" 2>&1
	is $? 0 "mrt.h and mrt_lib.h compile as C++"
	printf '#include <mpi.h>\nint main() { return MPI_SUCCESS; }\n' |
		${CXX:-c++} -Wall -Wextra -pedantic -Werror -fsyntax-only \
		-I"$top_srcdir/mpi" -I"$top_builddir/mpi" -x c++ - >"$out" 2>&1
	is $? 0 "mpi.h compiles as C++"
else
	skip "no C++ compiler" "mrt.h and mrt_lib.h compile as C++"
	skip "no C++ compiler" "mpi.h compiles as C++"
fi
lint_done
