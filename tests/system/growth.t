# SPDX-License-Identifier: Apache-2.0
# growth.t counts what a rank pays for the number of ranks: requests to PMIx,
# messages and bytes at 32, 64 and 128 ranks. Noise cannot change counts, so
# their growth is exact.
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
counts most boot "PMIx requests"
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

job "a message to every rank" all
counts most boot "PMIx requests"
is "$n32 $n64 $n128" "0 0 0" "nor then"
counts most p2p "eager messages"
is "$n32 $n64 $n128" "32 64 128" "a message to each, no other"
done_testing
