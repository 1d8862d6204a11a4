# SPDX-License-Identifier: Apache-2.0
# rings.t checks what the ranks of a large node take in shared memory: the bytes
# of rings grow with the pairs that talk and with what they send, and messages
# are eager up to the same length whatever the number of ranks.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/rings
csv=$work/stats.csv

# most GROUP COUNTER prints the largest number of all ranks, or their sum.
most()
{
	awk -F, -v g="$1" -v c="$2" '$2 == "" && $3 == g && $4 == c {
		sum += $5
		if ($5 + 0 > most)
			most = $5
	} END { print c ~ /messages/ ? sum : most + 0 }' "$csv"
}

# at_most LIMIT COUNTER
at_most()
{
	found=$(most sm "$2")
	verdict=$([ "$found" -gt 0 ] && [ "$found" -le "$1" ] && echo right)
	is "$verdict" right "$n ranks: $2: $found of a rank, at most $1"
}

# A small ring has 5 lines of 64 bytes and a page; a large one 65 lines and
# MRT_SM_RING, in pages. A rank has rings to and from all, and four of them, to
# and from its neighbours, are large ones.
small=320
large=40960
for n in 32 64 128; do
	rm -f "$csv"
	run 60 env MRT_STATS_FILE="$csv" "$MRUN" -n $n "$program" 8192
	is "$rc" 0 "$n ranks: neighbours with long messages"
	is "$(most sm "rings enlarged")" 4 "$n ranks: rings enlarged of a rank"
	at_most $((2 * n * small + 4 * large)) "bytes of rings used"
	at_most $((n * n * (small + 4096) + 4 * large + 4096)) \
		"bytes of rings mapped"
	is "$(most p2p "rendezvous messages")" 0 "$n ranks: all are eager"
done

# Where ranks share CPUs, a ring that is full is continued in a wider one, to and
# from both neighbours; where each has its own, it is not.
for cpus in 1 "$(nproc)"; do
	rm -f "$csv"
	run 60 env MRT_STATS_FILE="$csv" taskset -c "0-$((cpus - 1))" \
		"$MRUN" -n 2 --bind-to none "$program" 8192 64
	is "$rc" 0 "2 ranks, CPUs: $cpus: many messages at once"
	[ "$cpus" -gt 1 ] && want=0 || want=2
	is "$(most sm "rings enlarged")" $want \
		"2 ranks, CPUs: $cpus: wider rings of a rank"
	[ "$(nproc)" -gt 1 ] || break
done

# messages of all kinds and lengths, through rings that grow
storm=$top_builddir/tests/system/storm
total=6000
for way in MRT_SM_CMA=no MRT_SM_BACKING=shm; do
	run 100 env $way MRT_STATS=1 "$MRUN" -n 20 "$storm" --messages $total
	is "$rc" 0 "20 ranks, $way: storm"
	like "$err" '^sm +rings enlarged ' "20 ranks, $way: with larger rings"
done
# where pages are larger than those of this machine, all that is mapped of files
# begins at such a page
large_pages()
{
	pages=$top_builddir/tests/system/.libs/large_pages.so
	what="pages of 64 KiB, $1"
	for n in 3 20; do
		run 100 env LD_PRELOAD="$pages" "$1" "$MRUN" -n $n "$storm" \
			--messages $total
		is "$rc" 0 "$what, $n ranks: storm"
	done
	run 100 env LD_PRELOAD="$pages" "$1" "$MRUN" -n 5 \
		"$top_builddir/tests/system/onesided"
	is "$rc" 0 "$what: memory of mrt_alloc"
	run 100 env LD_PRELOAD="$pages" "$1" "$MRUN" -n 3 \
		"$top_builddir/tests/system/coll" --max-count 20000 allreduce
	is "$rc" 0 "$what: allreduce"
}
if [ -z "$SANITIZER" ]; then # sanitizers must be loaded first
	large_pages MRT_SM_CMA=no
	large_pages MRT_SM_BACKING=shm
fi
no_leftovers "nothing is left"
done_testing
