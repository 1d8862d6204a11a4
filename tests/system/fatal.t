# SPDX-License-Identifier: Apache-2.0
# fatal.t checks that an error in the default mode prints one line that says
# who, what and why, and ends the job with the exit code of its kind (sysexits).
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/fatal

# fatal CASE CODE TEXT lets rank 1 of 3 make the error.
fatal()
{
	run 20 "$MRUN" -n 3 "$program" "$1"
	is "$rc" "$2" "$1: exit code"
	like "$err" "^libmrt\\[1/3 [^ ]+ [0-9]+\\] $3" "$1: who, what, why"
	is "$(grep -c '^libmrt\[1/3' "$err")" 1 "$1: in one line"
	no_leftovers "$1: nothing is left"
}

fatal bad_rank 64 'MRT_ERR_RANK: mrt_send: .*99'
fatal bad_tag 64 'MRT_ERR_TAG: mrt_send: .*-5'
fatal truncated 64 'MRT_ERR_TRUNCATE: mrt_recv: .*'
fatal bad_buffer 64 'MRT_ERR_BUFFER: mrt_igather: sendbuf is NULL.*'
fatal bad_displs 64 'MRT_ERR_ARG: mrt_allgatherv: displs is NULL.*'
fatal abort 42 '.*mrt_abort'
fatal abort_odd 232 '.*mrt_abort'

# ---- crashes -----------------------------------------------------------------

# crash CASE CODE SIGNAL FRAME lets rank 1 of 3 crash.
crash()
{
	run 20 "$MRUN" -n 3 "$program" "$1"
	is "$rc" "$2" "$1: exit code"
	like "$err" "^libmrt\\[1/3 [^ ]+ [0-9]+\\] signal $3:\$" "$1: who, and what"
	like "$err" "^[^ ]*fatal\\($4\\+0x[0-9a-f]+\\)" "$1: where"
	is "$(grep -cv '^[^ ]* *\[0x[0-9a-f]*\]$' "$err")" 2 \
		"$1: beside the places, a line of the rank and one of mrun"
	like "$err" 'mrun: rank 1 .* was killed by signal' "$1: the job ends"
	no_leftovers "$1: nothing is left"
}
if [ -z "$SANITIZER" ]; then
	crash crash_null 139 '11 \(Segmentation fault\), address 0x0' crash_null
	is "$(sed -n 2p "$err" | grep -c '(crash_null+')" 1 \
		"the first place is that of the crash"
	crash crash_abort 134 '6 \(Aborted\)' crash_abort
	crash crash_overflow 139 '11 \(Segmentation fault\), address 0x[0-9a-f]+' \
		crash_overflow
	run 20 "$MRUN" -n 8 "$program" crash_all
	is "$rc" 139 "all crash: exit code"
	# which is known by the memory of the node
	[ "${MRT_FABRIC:-sm}" != sm ] ||
		is "$(grep -c '^libmrt' "$err")" 1 "all crash: one says where"
	run 20 env MRT_BACKTRACE=no "$MRUN" -n 3 "$program" crash_null
	is "$rc" 139 "MRT_BACKTRACE=no: exit code"
	is "$(grep -vc ^mrun: "$err")" 0 "MRT_BACKTRACE=no: the rank says nothing"
	for case in crash_handled crash_handled_before; do
		run 20 "$MRUN" -n 3 "$program" $case
		is "$rc" 11 "$case: exit code"
		is "$(grep -v ^mrun: "$err")" "the program's own handler" \
			"$case: the program's handler stays"
	done
fi

run 20 "$top_builddir/tests/system/fault_heard"
is "$(cat "$out")" heard "a fault is heard of between messages at hand"

run 20 "$program" before_init
is "$rc" 64 "before init: exit code"
like "$err" '^libmrt\[[0-9]+\] MRT_ERR_STATE: mrt_barrier' \
	"before init: who, what, why"

range='MRT_SM_RING=77 is not valid: use [0-9]+\.\.[0-9]+'
run 20 env MRT_SM_RING=77 "$program" none
is "$rc" 78 "a bad variable: exit code"
like "$err" "MRT_ERR_ENV: $range" "a bad variable: its name and range"
run 20 env MRT_SM_RING=77 "$MRUN" -n 2 "$program" none
is "$rc" 78 "a bad variable under mrun: exit code"
like "$err" "$range" "a bad variable under mrun: its name and range"
no_leftovers "a bad variable: nothing is left"

# unknown LABEL CMD... checks that MRT_ALLREDUC is warned about once.
unknown()
{
	label=$1
	shift
	run 20 env MRT_ALLREDUC=ring MRT_CXX=c++ MRT_PREFIX=/usr "$@"
	is "$rc" 0 "an unknown variable, $label: no error"
	like "$err" "^libmrt\\[0/.* MRT_ALLREDUC .*did you mean MRT_ALLREDUCE\\?" \
		"an unknown variable, $label: its name and the nearest"
	is "$(grep -c MRT_ "$err")" 1 "an unknown variable, $label: one line"
}

unknown "one rank" "$program" none
unknown "mrun" "$MRUN" -n 3 "$program" none
done_testing
