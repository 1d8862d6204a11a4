# SPDX-License-Identifier: Apache-2.0
# growth.t counts what a rank pays for the number of ranks: requests to PMIx,
# messages and bytes, shared memory, and rings that are looked at, at 32, 64 and
# 128 ranks. Noise cannot change counts or, of the last, their bounds.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
[ -z "$SANITIZER" ] || skip_all "the counts are the same without sanitizers"
growth=$top_builddir/tests/system/growth

# counts MOST|SUM GROUP COUNTER sets $n32, $n64 and $n128 to the largest value of
# a rank, or to the sum of all.
counts()
{
	for n in 32 64 128; do
		eval "n$n=\$(awk -F, -v g='$2' -v c='$3' '
			\$2 == \"\" && \$3 == g && \$4 == c {
				if (\$5 > most) most = \$5
				sum += \$5
			}
			END { print $1 + 0 }' '$work/$n.csv')"
	done
}

# each_pays TEXT BYTES: $n32, $n64 and $n128 are at most so many for each rank of
# the job.
each_pays()
{
	[ "$n32" -gt 0 ] && [ "$n32" -le $(($2 * 32)) ] &&
		[ "$n64" -le $(($2 * 64)) ] && [ "$n128" -le $(($2 * 128)) ]
	is $? 0 "$1 ($n32 $n64 $n128)"
}

# A poll looks at rings that have got something alone, so there are no more looks
# than messages: those that are counted, and some of each rank at the end.
looks_like_messages()
{
	counts sum p2p "eager messages"
	sent="$n32 $n64 $n128"
	counts sum sm "marked rings looked at"
	# shellcheck disable=SC2086 # three numbers
	set -- $sent
	[ "$n32" -gt 0 ] && [ "$n32" -le $(($1 + 8 * 32)) ] &&
		[ "$n64" -le $(($2 + 8 * 64)) ] && [ "$n128" -le $(($3 + 8 * 128)) ]
	is $? 0 "rings looked at: $n32 $n64 $n128, for $sent messages"
}

# job WHAT [ARG] runs growth with 32, 64 and 128 ranks.
job()
{
	what=$1
	shift
	for n in 32 64 128; do
		run 120 env MRT_COLL_DIRECT=no MRT_STATS=rank \
			MRT_STATS_FILE="$work/$n.csv" "$MRUN" -n $n "$growth" "$@"
		is "$rc" 0 "$n ranks: $what"
	done
}

job "what every job does"
counts most boot "launcher requests"
is "$n32 $n64 $n128" "0 0 0" "no rank asks PMIx"
counts sum p2p "eager messages"
# 9 collectives, each with at most log2 n messages of a rank
[ "$n32" -gt 0 ] && [ "$n32" -le $((10 * 32 * 5)) ] &&
	[ "$n64" -le $((10 * 64 * 6)) ] && [ "$n128" -le $((10 * 128 * 7)) ]
is $? 0 "messages like n log n at most ($n32 $n64 $n128)"
counts sum p2p "eager bytes"
[ "$n32" -le $((32 * 32 * 32)) ] && [ "$n64" -le $((32 * 64 * 64)) ] &&
	[ "$n128" -le $((32 * 128 * 128)) ]
is $? 0 "bytes of a rank like n at most ($n32 $n64 $n128)"
counts most sm "bytes of rings mapped"
is "$((n64 / n32)) $((n128 / n64))" "4 4" "each two ranks map as much"
n32=$((n32 / 32)) n64=$((n64 / 64)) n128=$((n128 / 128))
each_pays "which is a page and some lines" 4608
counts most sm "bytes of rings used"
[ "$n32" -gt 0 ] && [ "$n32" -le $((32768 * 5)) ] &&
	[ "$n64" -le $((32768 * 6)) ] && [ "$n128" -le $((32768 * 7)) ]
is $? 0 "of which those of log n others are used ($n32 $n64 $n128)"
looks_like_messages

job "a message to every rank" all
counts most boot "launcher requests"
is "$n32 $n64 $n128" "0 0 0" "nor then"
counts most p2p "eager messages"
is "$n32 $n64 $n128" "32 64 128" "a message to each, no other"
counts most sm "bytes of rings used"
each_pays "some lines of each ring are used, and no page" 768
looks_like_messages
done_testing
