# SPDX-License-Identifier: Apache-2.0
# memcheck.sh, called by make check-valgrind, runs the unit tests and a
# selection of programs with each rank under valgrind's memcheck. There must be
# no error, and at the end no block that nothing points to. valgrind does not
# see what another process copies into our memory by process_vm_writev, so these
# copies are off.
: "${top_srcdir:?run by make check-valgrind}" "${top_builddir:?}"
cd "$top_builddir" || exit 70
command -v valgrind >/dev/null || {
	echo "check-valgrind: no valgrind; on Debian: apt-get install valgrind" >&2
	exit 77
}
failed=
count=0
log=$(mktemp "${TMPDIR:-/tmp}/memcheck.XXXXXX") || exit 70
trap 'rm -f "$log"' EXIT
valgrind="valgrind --quiet --error-exitcode=99 --leak-check=full \
--show-leak-kinds=definite --errors-for-leak-kinds=definite \
--suppressions=$top_srcdir/contrib/valgrind.supp"

# checked CMD... runs a command that contains $valgrind.
checked()
{
	count=$((count + 1))
	began=$(date +%s)
	MRT_SM_CMA=no timeout 600 ./libtool --mode=execute "$@" \
		>"$log" 2>&1 </dev/null
	rc=$?
	printf '%s\n' "$rc $(($(date +%s) - began)) s: $name"
	[ $rc -ne 0 ] || return 0
	tail -n 60 "$log"
	failed="$failed, $name"
}

# memcheck RANKS PROGRAM [ARG...] runs the program under mrun, or without mrun
# if RANKS is 0.
# shellcheck disable=SC2086 # words
memcheck()
{
	n=$1 name=$*
	shift
	if [ "$n" -eq 0 ]; then
		checked $valgrind "$@"
	else
		checked ./mrun -n "$n" $valgrind "$@"
	fi
}

for unit in $MEMCHECK_UNITS; do
	memcheck 0 "$unit"
done
memcheck 2 tests/system/api
memcheck 3 tests/system/storm --messages 1000 --seed 3
memcheck 2 tests/system/types --rounds 10
memcheck 2 tests/system/intercomm
memcheck 3 tests/system/coll_all --rounds 1
memcheck 3 tests/soak/soak --rounds 3 --ops 40 --max 5000 --stall 250
for program in $MEMCHECK_MPI; do
	memcheck 2 "$program"
done
memcheck 2 ./mrt-ring --laps 10
memcheck 2 ./mrt-cg --poisson 6 6 6
name="mrun -n 2 mrt-hello"
# shellcheck disable=SC2086 # words
checked $valgrind ./mrun -n 2 ./mrt-hello
[ -z "$failed" ] || {
	echo "check-valgrind: FAILED${failed#,}"
	exit 1
}
echo "check-valgrind: $count runs, nothing found"
