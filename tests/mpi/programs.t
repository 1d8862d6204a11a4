#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.t builds whole MPI programs the way users bring them (programs/), by
# their own means, and runs them with what make install puts down: a CMake
# project, an autotools project, C++, threads, a profiler.
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

heat_by_cmake
cg_by_autotools
particles_in_cxx
threads
profiler
no_leftovers "nothing is left"
done_testing
