# SPDX-License-Identifier: Apache-2.0
# memcheck.sh: make check-valgrind: a selection of programs, each rank under
# valgrind's memcheck. Copies by process_vm_writev into our memory come from
# other processes, which valgrind does not see: they are off. Leaks are LSan's.
: "${top_srcdir:?run by make check-valgrind}" "${top_builddir:?}"
cd "$top_builddir" || exit 70
command -v valgrind >/dev/null || {
	echo "check-valgrind: no valgrind; on Debian: apt-get install valgrind" >&2
	exit 77
}
failed=

# memcheck RANKS PROGRAM [ARG...]
memcheck()
{
	n=$1
	shift
	printf '%s\n' "== $n ranks: $*"
	MRT_SM_CMA=no timeout 280 ./libtool --mode=execute ./mrun -n "$n" \
		valgrind --quiet --error-exitcode=99 --leak-check=no \
		--suppressions="$top_srcdir/tests/valgrind.supp" "$@" \
		>memcheck.log 2>&1 </dev/null && return
	tail -n 60 memcheck.log
	failed="$failed $1"
}

memcheck 2 tests/system/api
memcheck 3 tests/system/storm --messages 1000 --seed 3
memcheck 2 tests/system/types --rounds 10
memcheck 2 tests/system/intercomm
memcheck 3 tests/soak/soak --rounds 3 --ops 40 --max 5000 --stall 250
rm -f memcheck.log
[ -z "$failed" ] || {
	echo "check-valgrind: FAILED:$failed"
	exit 1
}
echo "check-valgrind: nothing found"
