#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# options.sh builds libmrt without what configure can leave out: all of it at once,
# by clang where it is there, or, as make check-options, each part alone by each
# compiler, which takes minutes for each. No file may lose the flags of the rest,
# need what is left out, or be warned of.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "the compiler does not look at options of sanitizers"
[ "$TEST_LEVEL" = full ] || skip_all "a build takes a minute"

# in a folder of its own: configure may leave a copy of itself
offs="CXX=no $(cd "$work" && sh "$top_srcdir/configure" --help |
	grep -oE '^  --(without|disable)-[a-z0-9-]+' |
	grep -vE -- '-(option|silent|dependency|libtool)')"

# build NAME CC OPTION...
build()
{
	name="$1, $2"
	compiler=$2
	shift 2
	rm -rf "$work/build"
	mkdir "$work/build"
	cd "$work/build" || exit 99
	run 300 sh "$top_srcdir/configure" --enable-werror \
		CC="$compiler" CFLAGS=-O0 "$@"
	is "$rc" 0 "configure $name"
	# what newer compilers refuse, among the user's flags: those of configure are
	# what may be lost
	run 1800 env -u MAKEFLAGS make -j2 V=1 CFLAGS="-O0 -Werror=implicit \
		-Werror=int-conversion -Werror=incompatible-pointer-types"
	is "$rc" 0 "make $name"
	grep -E '(^| )-c .*\.c( |$)' "$out" | grep -v -e -std=gnu11 >"$work/lost"
	is "$(sed -n 's/.*[ /]\([a-z0-9_]*\.c\).*/\1/p' "$work/lost" | sort -u)" "" \
		"every file has its flags"
	run 60 ./mrun -n 2 ./mrt-hello
	is "$rc" 0 "and it runs"
}

by_compiler()
{
	if [ "${OPTIONS:-}" = each ]; then
		for off in $offs; do
			build "$off" "$1" "$off"
		done
	else
		# shellcheck disable=SC2086 # words
		build "$(echo $offs)" "$1" $offs
	fi
}

[ "${OPTIONS:-}" != each ] && have clang || by_compiler "${CC:-cc}"
! have clang || by_compiler clang
done_testing
