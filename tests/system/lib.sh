# SPDX-License-Identifier: Apache-2.0
# lib.sh: TAP and process helpers for the shell tests (POSIX sh; source it).
#
#   run SECS CMD...     runs under a timeout; sets $rc, $ms, $out, $err (files)
#   start CMD...        runs in the background; sets $job; finish waits for it
#   within MS NAME      checks that the last run took no longer (in_time)
#   is GOT WANT NAME    like FILE ERE NAME     ok NAME    not_ok NAME
#   cases NP CMD...     runs CMD under mrun and takes over its TAP lines
#   wait_for SECS CMD   polls until CMD succeeds
#   no_leftovers NAME   checks that the last run left no process, nothing in
#                       /dev/shm and nothing in /tmp
#   skip REASON NAME    skip_all REASON        done_testing (last line)
#   in_turn K           succeeds at every Kth call, others each day: for what
#                       would take too long in every run
#   leaks_allowed       turns LeakSanitizer off from here on; say why there
#
# make check sets top_srcdir, top_builddir (absolute) and TEST_LEVEL=quick|full.
# With TEST_PATIENCE=N run allows a command N times its seconds: for a machine
# that is busy with more important things.

: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}"
: "${TEST_LEVEL:=full}"
tap_n=0
tap_bad=0
mark_n=0
rc=0
# shellcheck source=tests/system/stopwatch.sh
. "$top_srcdir/tests/system/stopwatch.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/mrt-test.XXXXXX") || exit 99
out=$work/out
err=$work/err
mkdir "$work/tmp"
trap 'rm -rf "$work"' EXIT
trap 'exit 143' INT TERM HUP

ok()
{
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $*"
}

not_ok()
{
	tap_n=$((tap_n + 1))
	tap_bad=$((tap_bad + 1))
	echo "not ok $tap_n - $*"
}

in_turn()
{
	turn=$((${turn:-$(date +%j | sed 's/^0*//')} + 1))
	[ $((turn % $1)) -eq 0 ]
}

diag()
{
	echo "$*" | sed 's/^/# /'
}

# Shows the output of the last run, for whoever reads a failure.
show_run()
{
	diag "command: $command"
	diag "exit code $rc (124, 137: timeout)"
	tail -n 20 "$out" | sed 's/^/# out: /'
	tail -n 20 "$err" | sed 's/^/# err: /'
}

is()
{
	if [ "$1" = "$2" ]; then
		ok "$3"
	else
		not_ok "$3"
		diag "got '$1', want '$2'"
		if [ -f "$out" ]; then show_run; fi
	fi
}

like()
{
	if grep -Eq -- "$2" "$1"; then
		ok "$3"
	else
		not_ok "$3"
		diag "no line matches: $2"
		show_run
	fi
}

# unlike FILE REGEX LABEL checks that no line matches.
unlike()
{
	if grep -Eq -- "$2" "$1"; then
		not_ok "$3"
		diag "a line matches: $2"
		show_run
	else
		ok "$3"
	fi
}

skip()
{
	reason=$1
	shift
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $* # SKIP $reason"
}

skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

done_testing()
{
	echo "1..$tap_n"
	[ "$tap_bad" -eq 0 ]
	exit
}

# No process, nor does a stopwatch take one: they run around each command, and on
# an emulated machine a process takes 50 ms.
shm_list()
{
	for shm_file in /dev/shm/.[!.]* /dev/shm/*; do
		case ${shm_file##*/} in
		*mrt* | *pmix* | *prte* | *ompi*) echo "${shm_file##*/}" ;;
		esac
	done
}

# The mark in the environment finds all descendants, even daemons.
run()
{
	secs=$(($1 * ${TEST_PATIENCE:-1}))
	shift
	command=$*
	mark_n=$((mark_n + 1))
	mark=$$.$mark_n
	shm_list >"$work/shm.before"
	start_watch
	TEST_MARK=$mark TMPDIR=$work/tmp timeout -k 5 "$secs" "$@" \
		>"$out" 2>"$err" </dev/null
	rc=$?
	stop_watch
	# standard output may be what a function prints
	[ "$ms" -lt 5000 ] || diag "$ms ms: $command" >&2
}

start()
{
	command=$*
	mark_n=$((mark_n + 1))
	mark=$$.$mark_n
	shm_list >"$work/shm.before"
	# here, not in the background: what the last job said is not this one's
	: >"$out"
	: >"$err"
	TEST_MARK=$mark TMPDIR=$work/tmp "$@" >>"$out" 2>>"$err" </dev/null &
	job=$!
}

finish()
{
	rc=0
	wait "$job" || rc=$?
}

within()
{
	in_time "$1"
	is $? 0 "$2 ($ms ms, at most $1; CPUs short for $short)"
}

wait_for()
{
	tries=$(($1 * 20))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

# Zombies are not counted: their environment is empty.
marked_pids()
{
	grep -lazx "TEST_MARK=$mark" /proc/[0-9]*/environ 2>/dev/null |
		cut -d/ -f3
}

nothing_marked()
{
	[ -z "$(marked_pids)" ]
}

new_shm_gone()
{
	shm_list | grep -xFf "$work/shm.new" >"$work/shm.left"
	[ ! -s "$work/shm.left" ]
}

no_leftovers()
{
	bad=
	shm_list | grep -vxFf "$work/shm.before" >"$work/shm.new"
	wait_for 3 nothing_marked || bad="processes: $(marked_pids | tr '\n' ' ')"
	# files of other jobs on the machine come and go; ours would stay
	wait_for 3 new_shm_gone || bad="$bad /dev/shm: $(cat "$work/shm.left")"
	left=$(ls -A "$work/tmp")
	[ -z "$left" ] || bad="$bad temporary files: $left"
	if [ -z "$bad" ]; then
		ok "$1"
	else
		not_ok "$1"
		diag "left behind: $bad"
		for p in $(marked_pids); do
			tr '\0' ' ' <"/proc/$p/cmdline" 2>/dev/null |
				sed "s/^/# $p: /;s/$/\n/"
			kill -9 "$p" 2>/dev/null
		done
		rm -rf "$work"/tmp/*
	fi
}

have()
{
	command -v "$1" >/dev/null 2>&1
}

leaks_allowed()
{
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export ASAN_OPTIONS
}

need_mrun()
{
	[ -x "$MRUN" ] || skip_all "mrun is not built"
}
: "${MRUN:=$top_builddir/mrun}"

# cases LABEL CMD... runs CMD, which prints one line "ok - name" or "not ok -
# name" per case; its exit code is one more test.
cases()
{
	label=$1
	shift
	run "${CASES_TIMEOUT:-60}" "$@"
	grep -E '^(not )?ok - ' "$out" >"$work/cases" || :
	while IFS= read -r line; do
		case $line in
		ok*) ok "$label ${line#ok - }" ;;
		*) not_ok "$label ${line#not ok - }" ;;
		esac
	done <"$work/cases"
	if [ "$rc" -eq 0 ] && [ -s "$work/cases" ]; then
		ok "$label ends with 0"
	else
		not_ok "$label ends with 0"
		show_run
	fi
}
