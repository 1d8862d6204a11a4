# SPDX-License-Identifier: Apache-2.0
# launcher_lib.sh is sourced by the tests of mrun. It prints TAP and needs POSIX
# sh and a built tree in the current directory (or $top_builddir).

# shellcheck source=tests/system/stopwatch.sh
. "${srcdir:-.}/tests/system/stopwatch.sh"
top=$(cd "${top_builddir:-.}" && pwd)
mrun=$top/mrun
client=$top/tests/system/launcher_client
T=$(mktemp -d "${TMPDIR:-/tmp}/launcher-test.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 143' INT TERM HUP
# The environment of the caller must not change what is tested.
unset SLURM_JOB_NUM_NODES SLURM_NNODES
tests=0
failures=0

# check NAME COMMAND... is one test, which passes if the command succeeds.
check() {
	name=$1
	shift
	tests=$((tests + 1))
	if "$@"; then
		echo "ok $tests - $name"
	else
		failures=$((failures + 1))
		echo "not ok $tests - $name"
		echo "# code ${code:-?}, ${ms:-?} ms; failed: $*"
		sed 's/^/# stdout: /' "$T/out" 2>/dev/null | head -5
		sed 's/^/# stderr: /' "$T/err" 2>/dev/null | head -5
	fi
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# run COMMAND... fills $T/out, $T/err, $code and $ms. A run that hangs ends with
# 99.
run() {
	start_watch
	code=0
	timeout -k 1 25 "$@" >"$T/out" 2>"$T/err" </dev/null || code=$?
	stop_watch
}

code_is() { [ "$code" -eq "$1" ]; }
within() { in_time "$1"; }
out_is() { [ "$(cat "$T/out")" = "$1" ]; }
sorted_is() { [ "$(sort "$T/out" | tr '\n' ' ')" = "$1 " ]; }
out_has() { grep -q -- "$1" "$T/out"; }
err_has() { grep -q -- "$1" "$T/err"; }
err_empty() { [ ! -s "$T/err" ]; }
out_lines() { [ "$(wc -l <"$T/out")" -eq "$1" ]; }

# until_true COMMAND... waits at most 5 s until the command succeeds.
until_true() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -le 500 ] || return 1
		sleep 0.01
	done
}

# alive PID succeeds if the process runs and is no unreaped zombie.
alive() {
	state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c1)
	[ -n "$state" ] && [ "$state" != Z ] && [ "$state" != X ]
}

none_alive() {
	for pid; do
		! alive "$pid" || return 1
	done
}

# no_dir_of PID succeeds if that mrun has no job directory left; a job directory
# is named mrun.PID.RANDOM.
no_dir_of() {
	for dir in /dev/shm/mrun."$1".* /tmp/mrun."$1".*; do
		[ ! -d "$dir" ] || return 1
	done
}

# no_dirs_left succeeds if no dead mrun has a job directory. Tests that run
# beside this one may just have killed an mrun of theirs, so call it through
# until_true.
no_dirs_left() {
	for dir in /dev/shm/mrun.*.* /tmp/mrun.*.*; do
		owner=${dir#*/mrun.}
		owner=${owner%%.*}
		[ ! -d "$dir" ] || alive "$owner" || return 1
	done
}

finish() {
	echo "1..$tests"
	[ $failures -eq 0 ]
}
