# SPDX-License-Identifier: Apache-2.0
# replay.t publishes again what an older job has published, or what another rank
# has, or something damaged: the rank that reads it refuses it by name, the job
# ends with 76, and the older job, if it still runs, is not touched. Ranks read
# files of the job's directory, and with MRT_SM_BACKING=shm what PMIx has.
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
is "$(cd "$work/old" && echo *)" "mrt.coll.0 mrt.sm.0" \
	"what is published, by the lowest rank of the node alone"

# keys of a job that is over, and of one that runs, whose memory can be opened
"$MRUN" -n 3 "$replay" stay "$work/alive" "$work/go" >"$work/stay" 2>&1 &
alive=$!
three_are_here()
{
	[ "$(grep -c here "$work/stay")" -eq 3 ]
}
wait_for 20 three_are_here
is $? 0 "a job that lives"
is "$(find /dev/shm/mrun.$alive.* /tmp/mrun.$alive.* -name 'mrt.sm*' 2>&1 |
	grep -v '^find: ./tmp')" "" "whose file is removed when all have read it"
for MRT_SM_BACKING in memfd shm; do
	export MRT_SM_BACKING
	for from in old alive; do
		refused "of another job" \
			"$MRT_SM_BACKING: memory of a job, $from" \
			play "$work/$from" mrt.sm 0 0
	done
done
echo >"$work/go"
wait $alive
is $? 0 "the job that lives has not been touched"

for MRT_SM_BACKING in memfd shm; do
	by="$MRT_SM_BACKING:"
	# keys of this job, but of another rank, or of another kind
	mkdir "$work/$by"
	refused "of another rank" "$by another's memory" \
		swap "$work/$by" mrt.sm 0 0 rank
	refused "of another kind" "$by what is no memory" \
		swap "$work/$by" mrt.sm 0 0 key

	# damaged keys
	refused "of another length" "$by memory, a byte less" \
		play "$work/old" mrt.sm 0 0 cut
	refused "of another length" "$by memory, a byte more" \
		play "$work/old" mrt.sm 0 0 more
	refused "of another version of libmrt, or not of libmrt" \
		"$by memory, other bits" play "$work/old" mrt.sm 0 0 bits
	: >"$work/$by/mrt.sm.0"
	refused "too short" "$by nothing" play "$work/$by" mrt.sm 0 0
done
done_testing
