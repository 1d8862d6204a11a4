# SPDX-License-Identifier: Apache-2.0
# install_mpi.sh is the part of install.t about MPI programs in C and C++, built
# with mrtcc, mrtcxx, pkg-config and CMake. It uses $root (of the installed
# tree), $lib and $pc of install.t.

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
X
}

# ring PROGRAM NAME checks that the program runs on three ranks.
ring()
{
	run 60 "$root/bin/mrun" -n 3 "$1"
	is "$rc $(grep -c right "$out")" "0 3" "$2"
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
	run 20 mrtfort "$work/mpi/ring.f"
	is "$rc" 1 "mrtfort fails"
	like "$err" "does not offer Fortran" "and says why"
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
	flags=$(PKG_CONFIG_PATH=$(dirname "$pc") \
		PKG_CONFIG_SYSROOT_DIR=$stage \
		pkg-config --cflags --libs libmpi_abi)
	run 60 $CC "$work/mpi/ring.c" -o "$work/mpi/by_pc" $flags \
		-Wl,-rpath,"$lib" -Wl,-rpath-link,"$lib"
	is "$rc" 0 "pkg-config libmpi_abi"
	ring "$work/mpi/by_pc" "gives a program that runs"
}

cmake_project()
{
	if ! have cmake || [ "$have_cxx" = no ]; then
		skip "no CMake or no C++ compiler" "a CMake project"
		return
	fi
	run 120 cmake -S "$work/mpi" -B "$work/cmake" \
		-DMPI_C_COMPILER="$root/bin/mrtcc" \
		-DMPI_CXX_COMPILER="$root/bin/mrtcxx" \
		-DMPIEXEC_EXECUTABLE="$root/bin/mrun"
	is "$rc" 0 "find_package(MPI) of CMake"
	like "$out" "MPI_C_VERSION 5.0" "finds version 5.0"
	run 120 cmake --build "$work/cmake"
	is "$rc" 0 "the project builds"
	run 120 cmake -E chdir "$work/cmake" ctest
	is "$rc" 0 "and its tests run"
	like "$out" "100% tests passed" "and pass"
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
	cmake_project
}
