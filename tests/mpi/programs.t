#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.t builds whole MPI programs the way users bring them (programs/), by
# their own means, and runs them with what make install puts down: a CMake
# project, an autotools project, C++, threads, a profiler, Python.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "a library with sanitizers is not for installing"
need_mrun

programs=$top_srcdir/tests/mpi/programs
ranks='1 2 4 8'
stage=$work/stage
run 120 make -C "$top_builddir" install DESTDIR="$stage" MAKEFLAGS=
is "$rc" 0 "make install DESTDIR="
MRT_PREFIX=$stage$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
PATH=$MRT_PREFIX/bin:$PATH
export MRT_PREFIX PATH

# builds LABEL COMMAND... returns whether the program was built.
builds()
{
	label=$1
	shift
	run 120 "$@"
	is "$rc" 0 "$label"
	[ "$rc" -eq 0 ]
}

# says LABEL PATTERN COMMAND... checks that with each number of ranks the
# program ends with 0 and prints the pattern; N is 10 times the pairs of
# neighbours.
says()
{
	label=$1
	pattern=$2
	shift 2
	for n in $ranks; do
		text=$(echo "$pattern" | sed "s/N/$(((n - 1) * 10))/")
		run 60 mrun -n "$n" "$@"
		is "$rc" 0 "$label: $n ranks"
		like "$out" "$text" "$label: $n ranks: what it says"
	done
}

heat_by_cmake()
{
	have cmake || { skip "no CMake" "a CMake project"; return; }
	builds "CMake finds MPI" cmake -S "$programs/heat" -B "$work/heat" \
		-DMPI_C_COMPILER=mrtcc \
		-DMPIEXEC_EXECUTABLE="$MRT_PREFIX/bin/mrun" || return
	builds "a CMake project is built" cmake --build "$work/heat" || return
	run 200 cmake -E chdir "$work/heat" ctest
	is "$rc" 0 "ctest runs it by mrun"
	like "$out" '100% tests passed, 0 tests failed out of 8' \
		"with and without persistent requests, at $ranks ranks"
}

cg_by_autotools()
{
	have autoreconf || { skip "no autotools" "an autotools project"; return; }
	cp -R "$programs/cg" "$work/cg"
	chmod -R u+w "$work/cg"
	builds "autoreconf" sh -c "cd '$work/cg' && autoreconf -i" || return
	builds "configure CC=mrtcc" sh -c \
		"cd '$work/cg' && ./configure CC=mrtcc" || return
	builds "an autotools project is built" make -C "$work/cg" \
		MAKEFLAGS= || return
	says "cg" '^cg: 1[0-9][0-9] steps' "$work/cg/cg"
}

particles_in_cxx()
{
	mrtcxx --version >/dev/null 2>&1 ||
		{ skip "no C++ compiler" "a C++ program"; return; }
	builds "mrtcxx" mrtcxx -std=c++17 -Wall -Wextra -Werror -O1 \
		"$programs/particles/particles.cc" -o "$work/particles" ||
		return
	says "C++" '^particles: 0 wrong' "$work/particles"
}

threads()
{
	builds "mrtcc -pthread" mrtcc -Wall -Wextra -Werror -pthread \
		"$programs/threads/threads.c" -o "$work/threads" || return
	says "four threads each" '4, 0 wrong' "$work/threads"
}

profiler()
{
	builds "a profiler, linked" mrtcc \
		"$programs/profile/pingpong.c" \
		"$programs/profile/count_sends.c" -o "$work/linked" || return
	says "linked" '^profile: N sends' "$work/linked"
	builds "a profiler as a library" mrtcc -shared -fPIC \
		"$programs/profile/count_sends.c" -o "$work/libcount.so" ||
		return
	builds "a program without it" mrtcc "$programs/profile/pingpong.c" \
		-o "$work/plain" || return
	run 60 mrun -n 4 "$work/plain"
	is "$rc $(wc -c <"$out")" "0 0" "says nothing"
	says "preloaded" '^profile: N sends' \
		env LD_PRELOAD="$work/libcount.so" "$work/plain"
}

# A module of Python loads the library of the ABI by its name, as those of mpi4py
# do, when the program asks for it, and for itself alone.
python()
{
	have python3 || { skip "no python3" "a module of Python"; return; }
	cat >"$work/sum.py" <<-'X'
		from ctypes import CDLL, CFUNCTYPE, POINTER, byref, c_int, c_void_p
		mpi = CDLL("libmpi_abi.so.1")
		world, integer, op = c_void_p(0x101), c_void_p(0x209), c_void_p()
		me, ranks, last = c_int(), c_int(), c_int()

		@CFUNCTYPE(None, POINTER(c_int), POINTER(c_int), c_void_p, c_void_p)
		def larger(a, b, n, datatype):
		    b[0] = max(a[0], b[0])

		mpi.MPI_Init(None, None)
		mpi.MPI_Comm_rank(world, byref(me))
		mpi.MPI_Comm_size(world, byref(ranks))
		mpi.MPI_Op_create(larger, 1, byref(op))
		mpi.MPI_Allreduce(byref(me), byref(last), 1, integer, op, world)
		mpi.MPI_Op_free(byref(op))
		mpi.MPI_Finalize()
		print("python:", ranks.value - 1 - last.value, "wrong")
	X
	says "Python" '^python: 0 wrong' \
		env LD_LIBRARY_PATH="$MRT_PREFIX/lib" python3 "$work/sum.py"
}

heat_by_cmake
cg_by_autotools
particles_in_cxx
threads
profiler
python
no_leftovers "nothing is left"
done_testing
