# SPDX-License-Identifier: Apache-2.0
# error_words.t checks that an MPI program is told of its mistakes in the words of
# MPI, and in no name of libmrt's own interface: it makes each mistake of the
# table in docs/mistakes.md and compares what is printed with what the table shows.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/mpi/error_words
leaks_allowed

sed -n 's/^| `\([a-z_]*[*]*\)` | .* | \([0-9a-z]*\) | \(.*\) |$/\1|\2|\3/p' \
	"$top_srcdir/docs/mistakes.md" >"$work/table"
is "$(sed 's/[*]*|.*//' "$work/table")" "$("$program")" \
	"the table has all mistakes"
is "$([ "$(wc -l <"$work/table")" -ge 39 ] && echo 39)" 39 "they are many"

# Takes out of lines what differs from run to run, and who says it.
plain()
{
	sed -E 's/^libmrt(\[[^]]*\])?:? ((error|warning): )?//
		s/0x[0-9a-f]+/0x1/g
		s/\(pid [0-9]+[^)]*\)/(pid)/
		s/(rank [0-9]) on [^ ]+ \(pid/\1 on node (pid/
		s/for [0-9.]+ s/for 1 s/
		s/, core dumped//' "$@"
}

# printed succeeds if all that the table shows has been printed.
printed()
{
	plain "$err" >"$work/got"
	! grep -vxFf "$work/got" "$work/want" >"$work/missing"
}

# printed_of_hung asks mrun what a job waits for, once it has ranks and so listens.
printed_of_hung()
{
	pgrep -P "$job" error_words >/dev/null || return
	kill -USR1 "$job"
	sleep 0.1
	printed
}

while IFS='|' read -r name code shown; do
	check=no
	case $name in *\*) check=yes name=${name%?} ;; esac
	if [ "$name" = crashes ] && [ -n "$SANITIZER" ]; then
		skip "the sanitizer has the signal" "$name"
		continue
	fi
	if [ "$code" = wrong ]; then
		run 30 "$MRUN" -n 2 "$program" "$name"
		is "$rc $(cat "$err")" "0 " "$name: nothing is printed"
		continue
	fi
	echo "$shown" | sed 's/`<br>`/\n/g; s/^`//; s/`$//' | plain >"$work/want"
	if [ "$code" = hangs ]; then
		start "$MRUN" -n 2 "$program" "$name"
		wait_for 30 printed_of_hung || :
		kill -TERM "$job"
		finish
		# of ranks that have not begun mrun does not know whose words to use
		sed -i '/not called mrt_init/d' "$err"
	else
		run 30 env MRT_CHECK=$check "$MRUN" -n 2 "$program" "$name"
		is "$rc" "$code" "$name: the exit code"
	fi
	printed || :
	is "$(cat "$work/missing")" "" "$name: what is printed"
	unlike "$err" "mrt_[a-z]|MRT_[ABD-Z]" "$name: in no other words"
done <"$work/table"

# what is copied arrives right, what is not as it was changed
for most in 8192 0; do
	run 30 env MRT_SM_EAGER_MAX=$most MRT_IB_EAGER_MAX=$most \
		"$MRUN" -n 2 "$program" reused
	is "$(cat "$out")" "$((2 - (most > 0)))" \
		"reused: the message, copied up to $most bytes"
done

# ranks that say the same are counted, with what only they say left out
run 30 "$MRUN" -n 2 "$program" ports
like "$err" '^mrun: the same from 1 more rank \([01]\): MPI_Open_port: libmrt' \
	"what both say is told once"
is "$(grep -c '^libmrt.*MPI_Open_port' "$err")" 1 "and counted"
done_testing
