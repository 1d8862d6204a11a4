#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh, called by make fuzz, builds the library and the targets with clang,
# libFuzzer and sanitizers in ./fuzz, runs each for FUZZ_SECONDS from its kept
# inputs, and prints how often it ran. Its findings are in fuzz/TARGET.found.
# With FUZZ_KEEP=yes the kept inputs are selected anew: at most $kept of the
# shortest inputs that together reach all that is reached, one per line.
set -eu
: "${top_srcdir:?run by make fuzz}"
seconds=${FUZZ_SECONDS:-60}
kept=400 # inputs of a target
corpus=$top_srcdir/tests/fuzz/corpus
flags='-g -O1 -fno-omit-frame-pointer'
flags="$flags -fsanitize=fuzzer-no-link,address,undefined"
flags="$flags -fno-sanitize-recover=undefined"
ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0
export ASAN_OPTIONS

mkdir -p fuzz
cd fuzz
[ -f config.status ] ||
	"$top_srcdir/configure" -q CC=clang CFLAGS="$flags" --disable-shared
make -s libmrt-core.la
libs=$(sed -n "s/^dependency_libs='\(.*\)'/\1/p" libmrt-core.la)

# a target's file lists further sources after "sources:"
build()
{
	more=$(sed -n 's|^ \* sources: *||p' "$top_srcdir/tests/fuzz/$1.c")
	sources=$top_srcdir/tests/fuzz/$1.c
	for file in $more; do
		sources="$sources $top_srcdir/tests/fuzz/$file"
	done
	# shellcheck disable=SC2086
	clang $flags -fsanitize=fuzzer -D_GNU_SOURCE -std=gnu11 -pthread \
		-I"$top_srcdir" -I"$top_srcdir/include" -I. -o "$1" \
		$sources .libs/libmrt-core.a $libs -ldl -lm
}

# Turns one line of hexadecimal digits per input into files.
unpack()
{
	mkdir -p "$1.corpus"
	[ -f "$corpus/$1" ] || return 0
	n=0
	while IFS= read -r line; do
		n=$((n + 1))
		# shellcheck disable=SC2059
		printf "$(echo "$line" | sed 's/../\\x&/g')" >"$1.corpus/$n"
	done <"$corpus/$1"
}

keep()
{
	rm -rf "$1.least"
	mkdir "$1.least"
	"./$1" -set_cover_merge=1 "$1.least" "$1.corpus" >"$1.merge" 2>&1
	mkdir -p "$corpus"
	for file in $(find "$1.least" -type f -printf '%s %p\n' | sort -n |
		head -n "$kept" | cut -d' ' -f2); do
		od -An -v -tx1 "$file" | tr -d ' \n'
		echo
	done >"$corpus/$1"
}

bad=0
for target in ${FUZZ_TARGETS:?}; do
	name=${target##*/}
	build "$name"
	unpack "$name"
	mkdir -p "$name.found"
	"./$name" -max_len=600 -timeout=10 -max_total_time="$seconds" \
		-artifact_prefix="$name.found/" "$name.corpus" \
		>"$name.log" 2>&1 || bad=1
	echo "$name: $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$name.log") runs," \
		"$(grep -o 'cov: [0-9]*' "$name.log" | tail -n 1)," \
		"found: $(find "$name.found" -type f | wc -l)"
	[ "${FUZZ_KEEP:-}" != yes ] || keep "$name"
done
exit $bad
