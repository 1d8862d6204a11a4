# SPDX-License-Identifier: Apache-2.0
# replay.t publishes again what an older job has published, or what another rank
# has, or something damaged: the rank that reads it refuses it by name, the job
# ends with 76, and the older job, if it still runs, is not touched.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
replay=$top_builddir/tests/system/replay
mkdir "$work/old" "$work/alive"

# refused ERE NAME HOW DIR KEY FROM RANK.. checks that the job ends with 76,
# says why and leaves nothing.
refused()
{
	text=$1 name=$2
	shift 2
	run 30 "$MRUN" -n 3 "$replay" "$@"
	is "$rc" 76 "$name: exit code"
	like "$err" "what rank $5 has published as $3 is $text: refused" \
		"$name: is named"
	within 10000 "$name"
	no_leftovers "$name: nothing is left"
}

run 30 "$MRUN" -n 3 "$replay" keep "$work/old"
is "$rc" 0 "a job whose blobs are kept"
is "$(cd "$work/old" && echo *.0)" "mrt.coll.0 mrt.sm.0" \
	"what is published"

# keys of a job that is over, and of one that runs, whose memory can be opened
"$MRUN" -n 3 "$replay" stay "$work/alive" "$work/go" >"$work/stay" 2>&1 &
alive=$!
three_are_here()
{
	[ "$(grep -c here "$work/stay")" -eq 3 ]
}
wait_for 20 three_are_here
is $? 0 "a job that lives"
for from in old alive; do
	refused "of another job" "memory of a job, $from" \
		play "$work/$from" mrt.sm 0 0
	refused "of another job" "choices of a job, $from" \
		play "$work/$from" mrt.coll 0 0
done
echo >"$work/go"
wait $alive
is $? 0 "the job that lives has not been touched"

# keys of this job, but of another rank
mkdir "$work/same"
refused "of another rank" "another's choices" swap "$work/same" mrt.coll 2 0

# damaged keys
refused "of another length" "memory, a byte less" play "$work/old" mrt.sm 0 0 cut
refused "of another length" "memory, a byte more" play "$work/old" mrt.sm 0 0 more
refused "of another version of libmrt, or not of libmrt" "memory, other bits" \
	play "$work/old" mrt.sm 0 0 bits
: >"$work/old/mrt.coll.0"
refused "too short" "no choices" play "$work/old" mrt.coll 0 0
done_testing
