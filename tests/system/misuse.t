# SPDX-License-Identifier: Apache-2.0
# misuse.t calls every public function with every kind of wrong argument. Where
# errors return, all rows of the table (tests/system/misuse) run in one job;
# where errors are fatal, each row of a sample ends its job with the code of its
# kind and one line that says who, what and why.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/misuse/misuse

# every function that the library exports has rows
nm -D --defined-only "$top_builddir/.libs/libmrt.so" 2>/dev/null |
	sed -n 's/.* T \(mrt_[a-z0-9_]*\)$/\1/p' | sort >"$work/exported"
sed -n 's/^{"\(mrt_[a-z0-9_]*\)".*/\1/p' \
	"$top_builddir/tests/system/misuse/calls.c" | sort >"$work/tabled"
if [ -s "$work/exported" ]; then
	is "$(comm -3 "$work/exported" "$work/tabled")" "" \
		"the table has every function of the library"
else
	skip "no shared library" "the table has every function of the library"
fi

# table LABEL CMD... runs the whole table.
table()
{
	run 60 env SANITIZER="$SANITIZER" "$@"
	label=${tables_label:?}
	is "$rc" 0 "$label: all rows are as expected"
	grep '^not ok' "$out" | head -n 20 | sed 's/^/# /'
	grep '^# [0-9]* functions' "$out"
	no_leftovers "$label: nothing is left"
}
tables_label="alone"
table "$program"
tables_label="2 ranks"
table "$MRUN" -n 2 "$program"
if [ "$TEST_LEVEL" = full ]; then
	tables_label="3 ranks"
	table "$MRUN" -n 3 "$program"
fi

# fatal ROW CODE TEXT runs one row whose error ends the job.
fatal()
{
	run 20 "$MRUN" -n 2 "$program" -f "$1"
	is "$rc" "$2" "$1: exit code"
	like "$err" "^libmrt\\[1/2 [^ ]+ [0-9]+\\] MRT_ERR_$3" \
		"$1: who, what, why"
	is "$(grep -c '^libmrt\[1/2' "$err")" 1 "$1: in one line"
	no_leftovers "$1: nothing is left"
}

fatal 'mrt_bcast:root:99' 64 'ROOT: mrt_bcast: .*99'
fatal 'mrt_wait:request:a completed request' 64 \
	'REQUEST: mrt_wait: 0x[0-9a-f]+ is not a request'
fatal 'mrt_alltoallv:sdispls:{PTRDIFF_MAX, ..}' 64 \
	'COUNT: mrt_alltoallv: sdispls of block 0 is [0-9]+'
if [ "$TEST_LEVEL" = full ]; then
	fatal 'mrt_comm_dup:comm:a freed communicator' 64 \
		'COMM: mrt_comm_dup: 0x[0-9a-f]+ is not a communicator'
	fatal 'mrt_type_free:type:a freed type' 64 \
		'TYPE: mrt_type_free: 0x[0-9a-f]+ is not a type'
	fatal 'mrt_send:buf:MRT_IN_PLACE' 64 'BUFFER: mrt_send: MRT_IN_PLACE is for'
	fatal 'mrt_reduce_local:op:a freed operation' 64 \
		'OP: mrt_reduce_local: 0x[0-9a-f]+ is not an operation'
	fatal 'mrt_group_union:b:a freed group' 64 \
		'GROUP: mrt_group_union: 0x[0-9a-f]+ is not a group'
fi
done_testing
