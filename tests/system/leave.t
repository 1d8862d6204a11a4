# SPDX-License-Identifier: Apache-2.0
# leave.t runs programs that leave requests, objects and messages behind at
# mrt_finalize. They end well, within the 5 s after which messages that never
# come are given up; MRT_CHECK=yes reports what is left, and reports nothing of
# a clean program.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/leave
# what the programs leave behind is not freed either
leaks_allowed

where='left at mrt_finalize'
# leave CASE [TEXT...]: with MRT_CHECK rank 1 prints each TEXT, in as many
# lines.
leave()
{
	name=$1
	shift
	run 30 "$MRUN" -n 2 "$program" "$name"
	is "$rc" 0 "$name: exit code"
	within 15000 "$name: ends"
	is "$(grep -c MRT_CHECK "$err")" 0 "$name: says nothing unasked"
	run 30 env MRT_CHECK=yes "$MRUN" -n 2 --no-aggregate "$program" "$name"
	is "$rc" 0 "$name: exit code, checked"
	is "$(grep -c '^libmrt\[1/2.*MRT_CHECK' "$err")" $# "$name: $# lines"
	for text in "$@"; do
		like "$err" "^libmrt\\[1/2 .*$where: $text" \
			"$name: says what"
	done
	no_leftovers "$name: nothing is left"
}

completed='that no test or wait has completed'
nobody='messages that nobody receives'
leave nothing
leave receives "receives $completed: 2, one for a message from any rank with"
leave sends "sends $completed: 1, one for rank 0 to receive 1048576 bytes" \
	"$nobody: 1, such as a message from rank 0 with tag 9, of 1048576 bytes"
leave persistent 'persistent requests: 1$' \
	"collectives $completed: 1, one for mrt_barrier"
leave objects 'types: 1$' 'operations: 1$' 'groups: 1$'
leave windows 'windows: 1$'
leave messages 'messages found by mrt_mprobe and not received: 1$' \
	"$nobody: 1, such as a message from rank 1 with tag 2, of 8 bytes"
leave freed_pair
leave closed
where=mrt_comm_free
leave strays "$nobody: 3, such as a message from rank 0 with tag 1[123] on\
 communicator [0-9]+, of 8 bytes"
where='left at mrt_finalize'
if [ "$TEST_LEVEL" = full ]; then
	for way in yes no; do
		for name in collectives uneven; do
			of="collectives that one rank has begun ($name, $way)"
			run 30 env MRT_COLL_DIRECT=$way \
				"$MRUN" -n 2 "$program" $name
			is "$rc" 0 "$of: exit code"
			like "$err" '^libmrt\[0/2 .*more collectives of the' \
				"$of: are told of"
			within 15000 "$of: ends"
			no_leftovers "$of: nothing is left"
		done
	done
	leave freed_receive
	run 30 "$MRUN" -n 2 "$program" freed_send
	is "$rc" 0 "a send that nobody receives: exit code"
	like "$err" 'were freed are not over, one for rank 1 to receive' \
		"a send that nobody receives: is given up"
	leave communicators 'communicators: 2$'
	leave buffered 'a buffer for buffered sends' \
		"$nobody: 1, such as a message from rank 0 with tag 3, of 524288 bytes"
fi
done_testing
