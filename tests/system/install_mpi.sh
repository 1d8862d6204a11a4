# SPDX-License-Identifier: Apache-2.0
# install_mpi.sh is the part of install.t about MPI programs in C and C++, built
# with mrtcc, mrtcxx and pkg-config, and by CMake, autoconf and Meson, which find
# mpicc and mpiexec in PATH. It uses $root (of the installed tree), $lib and $pc
# of install.t.

# needed PROGRAM prints the libraries that the program needs.
needed()
{
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

write_programs()
{
	mkdir -p "$work/mpi"
	cat >"$work/mpi/ring.c" <<'X'
#include <stdio.h>
#include <mpi.h>
int main(int argc, char **argv)
{
	int me, n, in = -1;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Irecv(&in, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD,
		  &request);
	MPI_Send(&me, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (in == (me + n - 1) % n)
		printf("right\n");
	return MPI_Finalize();
}
X
	sed 's/stdio.h/cstdio/; s/printf/std::printf/' "$work/mpi/ring.c" \
		>"$work/mpi/ring.cc"
	cat >"$work/mpi/ring.f90" <<'X'
program ring
	use mpi_f08
	implicit none
	integer :: me, n, ierr, in(1)
	call MPI_Init(ierr)
	call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
	call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
	call MPI_Sendrecv([me], 1, MPI_INTEGER, modulo(me + 1, n), 0, in, 1, &
		MPI_INTEGER, modulo(me - 1, n), 0, MPI_COMM_WORLD, &
		MPI_STATUS_IGNORE, ierr)
	if (in(1) == modulo(me - 1, n)) print '(a)', 'right'
	call MPI_Finalize(ierr)
end program
X
	cat >"$work/mpi/CMakeLists.txt" <<'X'
cmake_minimum_required(VERSION 3.16)
project(ring C CXX)
enable_testing()
find_package(MPI REQUIRED COMPONENTS C CXX)
add_executable(ring_c ring.c)
target_link_libraries(ring_c MPI::MPI_C)
add_executable(ring_cxx ring.cc)
target_link_libraries(ring_cxx MPI::MPI_CXX)
foreach(program ring_c ring_cxx)
	add_test(NAME ${program} COMMAND ${MPIEXEC_EXECUTABLE}
		${MPIEXEC_NUMPROC_FLAG} 3 $<TARGET_FILE:${program}>)
endforeach()
message(STATUS "MPI_C_VERSION ${MPI_C_VERSION}")
if(WITH_FORTRAN)
	enable_language(Fortran)
	find_package(MPI REQUIRED COMPONENTS Fortran)
	add_executable(ring_fortran ring.f90)
	target_link_libraries(ring_fortran MPI::MPI_Fortran)
	message(STATUS "f08: ${MPI_Fortran_HAVE_F08_MODULE}")
endif()
X
}

# ring PROGRAM NAME checks that the program runs on three ranks.
ring()
{
	run 60 "$root/bin/mrun" -n 3 "$1"
	is "$rc $(grep -c right "$out")" "0 3" "$2"
}

# INTEGERs of 8 bytes have a library and modules of their own.
fortran_wide()
{
	[ -e "$lib/libmpifort_abi_i8.so" ] || {
		run 60 mrtfort -fdefault-integer-8 "$work/mpi/ring.f90"
		like "$err" "mrtfort: libmrt was built without INTEGERs of 8 bytes" \
			"mrtfort refuses another default INTEGER"
		return
	}
	run 60 mrtfort -fdefault-integer-8 "$work/mpi/ring.f90" \
		-o "$work/mpi/wide"
	is "$rc" 0 "mrtfort -fdefault-integer-8"
	is "$(needed "$work/mpi/wide" | grep -c '^libmpifort_abi_i8.so.1$')" \
		1 "needs another library"
	ring "$work/mpi/wide" "and gives a program that runs"
	run 60 $FC "$work/mpi/ring.f90" -o "$work/mpi/wide_by_pc" \
		$(flags_of libmpifort_abi_i8)
	is "$rc" 0 "pkg-config libmpifort_abi_i8"
	ring "$work/mpi/wide_by_pc" "gives one, too"
}

fortran_wrappers()
{
	for name in mrtfort mrtf77 mrtf90 mrtf08; do
		run 60 $name "$work/mpi/ring.f90" -o "$work/mpi/by_$name"
		is "$rc" 0 "$name compiles a program"
	done
	ring "$work/mpi/by_mrtf08" "which runs"
	is "$(needed "$work/mpi/by_mrtfort" | grep -c '^libmpifort_abi.so.1$')" \
		1 "and needs the library of the bindings"
	for form in "include 'mpif.h'" "use mpi"; do
		sed "/implicit none/d; s/use mpi_f08/$form/" \
			"$work/mpi/ring.f90" >"$work/mpi/old.f90"
		run 60 mrtfort "$work/mpi/old.f90" -o "$work/mpi/old"
		is "$rc" 0 "$form"
	done
	fortran_wide
	printf '#!/bin/sh\necho 7.3\n' >"$work/mpi/gfortran"
	chmod +x "$work/mpi/gfortran"
	run 20 env MRT_FC="$work/mpi/gfortran" mrtfort "$work/mpi/ring.f90"
	is "$rc" 1 "another compiler has no modules"
	like "$err" "modules are for $(ls "$lib/libmrt/fortran"), not for gfortran-7$" \
		"and mrtfort says so"
	run 60 $FC "$work/mpi/ring.f90" -o "$work/mpi/by_pc_fortran" \
		$(flags_of libmpifort_abi)
	is "$rc" 0 "pkg-config libmpifort_abi"
	ring "$work/mpi/by_pc_fortran" "gives a program that runs"
	run 60 $FC $(mrtfort -showme:compile) "$work/mpi/ring.f90" \
		-o "$work/mpi/asked" $(mrtfort -showme:link)
	is "$rc" 0 "mrtfort -showme:compile and -showme:link"
}

wrappers()
{
	run 60 mrtcc "$work/mpi/ring.c" -o "$work/mpi/by_cc"
	is "$rc" 0 "mrtcc compiles an MPI program"
	ring "$work/mpi/by_cc" "which runs"
	is "$(needed "$work/mpi/by_cc" | grep -c '^libmpi_abi.so.1$')" 1 \
		"and needs the library of the standard ABI"
	run 60 mrtcc "$work/hello.c" -o "$work/mpi/native"
	is "$rc" 0 "mrtcc compiles a program of mrt.h"
	is "$(needed "$work/mpi/native" | grep -c mpi)" 0 \
		"which needs no MPI"
	if [ "$have_cxx" = yes ]; then
		run 60 mrtcxx "$work/mpi/ring.cc" -o "$work/mpi/by_cxx"
		is "$rc" 0 "mrtcxx compiles a C++ program"
		ring "$work/mpi/by_cxx" "which runs, too"
	else
		skip "no C++ compiler" "mrtcxx compiles a C++ program"
	fi
	if [ -n "${FC:-}" ]; then
		fortran_wrappers
	else
		run 20 mrtfort "$work/mpi/ring.f90"
		is "$rc" 1 "mrtfort fails"
		like "$err" "built without Fortran: no" "and says why"
	fi
}

# Asks what other build systems ask, and checks that a program compiles and
# links with the answers.
questions()
{
	run 20 mrtcc -showme:incdirs
	is "$(cat "$out")" "$root/include" "mrtcc -showme:incdirs"
	run 20 mrtcc --showme:libdirs
	is "$(cat "$out")" "$lib" "mrtcc --showme:libdirs"
	for question in "-showme:compile -showme:link" \
		"-compile_info -link_info"; do
		set -- $question
		compile=$(mrtcc "$1" | sed "s|^$CC ||")
		link=$(mrtcc "$2" | sed "s|^$CC ||")
		run 60 $CC $compile "$work/mpi/ring.c" -o "$work/mpi/asked" \
			$link
		is "$rc" 0 "mrtcc $question"
	done
	run 60 $CC "$work/mpi/ring.c" -o "$work/mpi/by_pc" \
		$(flags_of libmpi_abi)
	is "$rc" 0 "pkg-config libmpi_abi"
	ring "$work/mpi/by_pc" "gives a program that runs"
}

# The other names of the compilers and of mrun.
mpi_names()
{
	missing=
	for name in mpicc mpigcc mpixlc mpicxx mpic++ mpiCC mpigxx mpixlC \
		mpifort mpif77 mpif90 mpifc mpixlf mpiexec mpirun \
		mpicc_abi mpicxx_abi mpifort_abi; do
		[ "$(command -v $name)" = "$mpi_bin/$name" ] || missing=$name
	done
	is "$missing" "" "the names that build systems look for"
	case $(readlink "$mpi_bin"/*) in
	*"$stage"* | /*) not_ok "links stay right where the prefix is moved" ;;
	*) ok "links stay right where the prefix is moved" ;;
	esac
	[ -z "${FC:-}" ] || for name in mpifort mpif77 mpif90 mpifc mpixlf \
		mpifort_abi; do
		is "$($name -show x.f)" "$(mrtfort -show x.f)" "$name is mrtfort"
	done
	[ -z "${FC:-}" ] || old_fortran
	run 60 mpicc "$work/mpi/ring.c" -o "$work/mpi/by_mpicc"
	run 60 mpiexec -n 3 "$work/mpi/by_mpicc"
	is "$rc $(grep -c right "$out")" "0 3" "mpicc and mpiexec"
	for name in mpicxx mpic++ mpiCC mpigxx mpixlC; do
		is "$($name -show x.cc)" "$(mrtcxx -show x.cc)" "$name is mrtcxx"
	done
}

# Programs of before Fortran 90 call a routine with buffers of several types, and
# have hexadecimal constants where Fortran has none.
old_fortran()
{
	cat >"$work/old.f" <<'X'
      program old
      include 'mpif.h'
      integer ierr, i(2)
      double precision d(2)
      i(1) = z'ff'
      call MPI_INIT(ierr)
      call MPI_BCAST(i,2,MPI_INTEGER,0,MPI_COMM_WORLD,ierr)
      call MPI_BCAST(d,2,MPI_DOUBLE_PRECISION,0,MPI_COMM_WORLD,ierr)
      call MPI_FINALIZE(ierr)
      end
X
	run 60 mpif77 "$work/old.f" -o "$work/old"
	is "$rc" 0 "mpif77 compiles calls with buffers of several types"
}

# cmake_project NAME OPTION...
cmake_project()
{
	name=$1
	shift
	if ! have cmake || [ "$have_cxx" = no ]; then
		skip "no CMake or no C++ compiler" "$name"
		return
	fi
	rm -rf "$work/cmake"
	run 120 cmake -S "$work/mpi" -B "$work/cmake" \
		-DWITH_FORTRAN="${FC:+ON}" "$@"
	is "$rc" 0 "$name"
	like "$out" "MPI_C_VERSION 5.0" "finds version 5.0"
	run 120 cmake --build "$work/cmake"
	is "$rc" 0 "the project builds"
	run 120 cmake -E chdir "$work/cmake" ctest
	is "$rc" 0 "and its tests run"
	like "$out" "100% tests passed" "and pass"
	is "$(readelf -d "$work/cmake/ring_c" | grep -c "path.*$lib")" 1 \
		"with the path of the library"
	[ -z "${FC:-}" ] || ring "$work/cmake/ring_fortran" "in Fortran, too"
}

# autoconf_ring NAME OPTION... configures, builds and runs the project of
# $work/ac. It then removes it: autoconf takes two versions of configure.ac that
# are less than a second apart for one.
autoconf_ring()
{
	name=$1
	shift
	run 120 sh -c 'cd "$0" && aclocal && autoconf && ./configure "$@" &&
		make -B' "$work/ac" "$@"
	is "$rc" 0 "$name"
	ring "$work/ac/ring" "gives a program that runs"
	rm -r "$work/ac"
}

# autoconf_project NAME CHECKS COMPILER OPTION... has these checks in its
# configure.ac, which set the variable COMPILER.
autoconf_project()
{
	mkdir "$work/ac"
	cp "$work/mpi/ring.c" "$work/ac"
	cat >"$work/ac/configure.ac" <<X
AC_INIT([ring], [1])
AC_PROG_CC
$2
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
X
	printf 'ring: ring.c\n\t@%s@ @CFLAGS@ $< -o $@ @LIBS@\n' "$3" \
		>"$work/ac/Makefile.in"
	name=$1
	shift 3
	autoconf_ring "$name" "$@"
}

fortran_project()
{
	mkdir "$work/ac"
	cp "$work/mpi/ring.f90" "$work/ac"
	cat >"$work/ac/configure.ac" <<'X'
AC_INIT([ring], [1])
AC_PROG_FC
AC_LANG([Fortran])
AC_MSG_CHECKING([for mpi_f08])
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [      use mpi_f08
      call MPI_Init()])], [], [AC_MSG_ERROR([no])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
X
	printf 'ring: ring.f90\n\t@FC@ @FCFLAGS@ $< -o $@ @LIBS@\n' \
		>"$work/ac/Makefile.in"
	autoconf_ring "./configure FC=mpifort" FC=mpifort
}

meson_project()
{
	if ! have meson || ! have ninja; then
		skip "no Meson or no ninja" "dependency('mpi') of Meson"
		return
	fi
	cat >"$work/mpi/meson.build" <<'X'
project('ring', 'c')
executable('ring', 'ring.c', dependencies: dependency('mpi', language: 'c'))
X
	# Meson asks pkg-config for Open MPI first.
	run 120 env PKG_CONFIG_LIBDIR="$(dirname "$pc")" CC="$CC" \
		meson setup "$work/meson" "$work/mpi"
	is "$rc" 0 "dependency('mpi') of Meson"
	run 120 ninja -C "$work/meson"
	is "$rc" 0 "the project builds"
	ring "$work/meson/ring" "and runs"
}

build_systems()
{
	cmake_project "find_package(MPI) of CMake with mpicc in PATH"
	if have autoconf && have aclocal; then
		autoconf_project "./configure CC=mpicc" \
			"AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([no])])" \
			CC CC=mpicc
	else
		skip "no autoconf" "./configure CC=mpicc"
	fi
	if have aclocal && [ -e "$(aclocal --print-ac-dir)/ax_mpi.m4" ]; then
		autoconf_project "AX_MPI of autoconf" \
			"AX_MPI([], [AC_MSG_ERROR([no])])" MPICC
	else
		skip "no autoconf-archive" "AX_MPI of autoconf"
	fi
	if have autoconf && have aclocal && [ -n "${FC:-}" ]; then
		fortran_project
	fi
	meson_project
}

# The modulefiles put all of this into the environment.
modulefiles()
{
	files=$(dirname "$(find "$root" -path '*/modulefiles/libmrt/*.lua')")
	like "$files"/*.lua '^prepend_path."PATH", ".*/libmrt/bin".$' \
		"the modulefile for Lmod"
	modulecmd=$(find /usr/lib /usr/share/modules /usr/libexec \
		-name modulecmd.tcl 2>/dev/null | head -n 1)
	if ! have tclsh || [ -z "$modulecmd" ]; then
		skip "no Environment Modules" "the modulefile in Tcl"
		return
	fi
	run 20 env -u MANPATH MODULEPATH="${files%/*}" tclsh "$modulecmd" \
		sh load libmrt
	# modules leave alone a folder that is in PATH already
	for line in "PATH=.*/libmrt/bin:.*$prefix/bin:" "MANPATH=$prefix/.*man:;" \
		"PKG_CONFIG_PATH=.*/pkgconfig" "CMAKE_PREFIX_PATH=$prefix"; do
		like "$out" "^$line" "the modulefile in Tcl: ${line%%=*}"
	done
}

install_mpi()
{
	CC=${CC:-cc}
	MRT_PREFIX=$root
	PATH=$root/bin:$PATH
	export MRT_PREFIX PATH
	have_cxx=yes
	mrtcxx --version >"$out" 2>&1 || have_cxx=no
	write_programs
	wrappers
	questions
	cmake_project "find_package(MPI) of CMake" \
		-DMPI_C_COMPILER="$root/bin/mrtcc" \
		-DMPI_CXX_COMPILER="$root/bin/mrtcxx" \
		-DMPI_Fortran_COMPILER="$root/bin/mrtfort" \
		-DMPIEXEC_EXECUTABLE="$root/bin/mrun"
	mpi_bin=$(dirname "$(find "$root" -name mpicc)")
	PATH=$mpi_bin:$PATH
	mpi_names
	build_systems
	modulefiles
}
