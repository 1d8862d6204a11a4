# SPDX-License-Identifier: Apache-2.0
# file_killed.t: a rank that dies while all write to one file ends the job, and
# leaves no lock: the next job writes the file.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
[ -e "$top_builddir/.libs/libmrt_romio.so" ] ||
	skip_all "built without files: configure --with-romio=FOLDER"
program=$top_builddir/tests/mpi/file_killed

for mode in all later shared ordered sieved; do
	start_watch
	run 30 "$MRUN" -n 4 "$program" "$mode" "$work/file"
	stop_watch
	is "$rc" 137 "$mode: the job ends"
	like "$err" 'rank 3 .*SIGKILL|signal 9|Killed' "$mode: the rank is named"
	within 5000 "$mode"
	run 30 "$MRUN" -n 4 "$program" once "$work/file"
	is "$rc $(tr -d '\n' <"$work/file" | fold -w 64 | uniq -c | head -n 4 |
		awk '{ printf "%s", substr($2, 1, 1) }')" "0 abcd" \
		"$mode: the next job writes the file"
done

no_leftovers "nothing is left"
done_testing
