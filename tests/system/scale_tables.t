#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale_tables.t checks that mrt-scale reads tables of measured times, compares
# them with what a fabric predicts, and names what is wrong with a table. The
# times are made up: those that a fabric predicts.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
scale=$top_builddir/mrt-scale
[ -x "$scale" ] || skip_all "built without jansson"
hdr=$top_srcdir/tools/scale/fabrics/hdr.json
names=system,nodes,ranks_per_node,collective,algorithm,bytes,us

# wrong RC ERE NAME ARGS... checks that a command fails and says why.
wrong()
{
	want=$1 ere=$2 name=$3
	shift 3
	run 30 "$scale" "$@"
	is "$rc" "$want" "$name"
	like "$err" "$ere" "$name: why"
}

# table FABRIC NODES... prints a table of what the fabric predicts for some
# algorithms.
table()
{
	table_of=$1
	shift
	echo "# made up"
	echo $names
	for n in "$@"; do
		for at in allreduce:1 allgather:"$n"; do
			ways=recursive_doubling,ring
			[ "${at%:*}" = allgather ] || ways=$ways,rabenseifner
			"$scale" simulate "${at%:*}" -f "$table_of" -N "$n" \
				-m 64,4K,256K,4M -a $ways --csv |
				awk -F, -v blocks="${at#*:}" 'NR > 1 {
					print "there," $3 ",1," $1 "," $6 \
						"," $5 * blocks "," $8 }'
		done
	done
}

# ---- CSV ----
table "$hdr" 4 8 >"$work/same.csv"
run 60 "$scale" compare "$work/same.csv" -f "$hdr"
is "$rc" 0 "compare a table"
# elements of a reduction have 8 bytes in simulate, 4 in a table
like "$out" '^all +40 +[01]\.[0-9]+ +1\.000 +[01]\.[0-9]+ +0\.00[0-9]$' \
	"compare: what the fabric itself predicts"
like "$out" '^allgather +to 2K +4 +1\.000 +1\.000 +1\.000 +0\.000$' \
	"compare: by collective and size"
like "$out" 'of 16 calls .* named in 16 \(100 %\); .* 1.000 times .* 1.00 at' \
	"compare: the fastest algorithm"
awk -F, -v OFS=, 'NF == 7 && $7 + 0 { $7 *= 2 } 1' "$work/same.csv" \
	>"$work/twice.csv"
run 60 "$scale" compare "$work/twice.csv" -f "$hdr"
like "$out" '^allgather +to 2K +4 +0\.500 +0\.500 +0\.500 +0\.693$' \
	"compare: times twice as long"
awk -F, -v OFS=, 'NF == 7 && $7 + 0 { $7 = 1e6 / $7 } 1' "$work/same.csv" \
	>"$work/upside_down.csv"
run 60 "$scale" compare "$work/upside_down.csv" -f "$hdr"
like "$out" 'of 16 calls .* is named in 0 \(0 %\)' "compare: never the fastest"
{
	echo $names
	echo here,4,1,allgather,neighbor_x,4096,10
	echo here,4,1,bcast,pipeline,4096,10
	echo here,4,1,reduce,nonoverlapping,4096,10
	echo here,4,1,allreduce,nonoverlapping,4096,10
	echo here,4,1,allreduce,segmented_ring_x,4096,10
	echo here,4,1,allgather,linear_x,4096,10
	echo here,4,1,bcast,scatter_allgather_ring_x,4096,10
	echo here,4,1,bcast,scatter_allgather_x,4096,10
	echo here,4,1,bcast,binary,4096,10
	echo here,4,1,bcast,binary_x,4096,10
	echo here,4,1,allreduce,bine_bdw_x,4096,10
	echo here,4,1,reduce,bine_bdw_x,4096,10
	echo here,4,1,gather,linear_sync_x,4096,10
	echo here,4,1,allreduce,swing_over,4096,10
	echo here,4,1,allreduce,default_x,4096,10
	echo here,4,1,allgather,ring,8,10
} >"$work/names.csv"
whole=1099511627776 # a segment that holds any vector
run 30 "$scale" compare "$work/names.csv" -f "$hdr" --csv
is "$(awk -F, 'NR > 1 { print $5 "=" $6 }' "$out" | tr '\n' ' ')" \
	"neighbor_x=neighbor_exchange pipeline=chain:$whole segmented_ring_x=ring $(
	)scatter_allgather_ring_x=scatter_allgather binary=binary $(
	)binary_x=binary:$whole bine_bdw_x=bine_halving " \
	"compare: what others call an algorithm"
run 30 "$scale" compare "$work/names.csv" -f "$hdr"
like "$out" '^# 8 rows left out: algorithms' "compare: unknown algorithms"
like "$out" '^# 1 rows left out: less than' "compare: less than an element"

# what other libraries do otherwise
# predicted COLLECTIVE ALGORITHM BYTES FABRIC prints the microseconds of 32 nodes.
predicted()
{
	printf '%s\nhere,32,1,%s,%s,%s,10\n' $names "$1" "$2" "$3" >"$work/one.csv"
	run 30 "$scale" compare "$work/one.csv" -f "$4" --csv
	awk -F, 'NR == 2 { print $9 }' "$out"
}
# is_more A B FACTOR NAME checks that B is more than FACTOR times A.
is_more()
{
	is "$(awk "BEGIN { print (${2:-0} > $3 * ${1:-1}) }")" 1 "$4 ($1, $2 us)"
}
is_more "$(predicted scatter linear_nb_x 1M "$hdr")" \
	"$(predicted scatter linear_x 1M "$hdr")" 2 \
	"compare: a root that ends each message before the next"
is_more "$(predicted bcast binary 64M "$hdr")" \
	"$(predicted bcast binary_x 64M "$hdr")" 3 "compare: whole vectors"
sed 's/"turn": 1300/"exchange": 2, &/' "$hdr" >"$work/exchange.json"
is_more "$(predicted alltoall pairwise_x 32M "$work/exchange.json")" \
	"$(predicted alltoall pairwise 32M "$work/exchange.json")" 1.8 \
	"compare: an alltoall in which no two ranks exchange"
sed 's/"turn": 1300/"fresh": 1, "fresh_huge": 2, &/' "$hdr" >"$work/fresh.json"
# fresh COLLECTIVE ALGORITHM BYTES prints the ms that allocations take.
fresh()
{
	echo "$(predicted "$@" "$hdr") $(predicted "$@" "$work/fresh.json")" |
		awk '{ printf "%.2f\n", ($2 - $1) / 1048.576 }'
}
is "$(fresh reduce rabenseifner_x 128K) $(fresh reduce rabenseifner_x 1M) $(
	)$(fresh reduce rabenseifner_x 8M)" "0.00 2.00 28.00" \
	"compare: two vectors are allocated anew from 128 KiB on"
is "$(fresh gather binomial_x 32M) $(fresh gather binomial_x 64M) $(
	)$(fresh gather linear_x 64M)" "0.00 62.00 0.00" \
	"compare: one vector from 32 MiB on"

# ranks that share CPUs
run 30 "$scale" simulate allreduce -f shm -N 1 --ppn 4 --cpus 2 -m 64 -a ring \
	--csv
awk -F, -v names=$names 'NR == 2 {
	print names "\nhere,1,4,allreduce,ring,64," $8 }' "$out" >"$work/cpus.csv"
run 30 "$scale" compare "$work/cpus.csv" -f shm --cpus 2
like "$out" '^all .* 1\.000 +1\.000 +1\.000 +0\.000$' "compare: shared CPUs"
run 30 "$scale" compare "$work/cpus.csv" -f shm
like "$out" '^all .* 0\.[0-6][0-9]* ' "compare: a CPU for each rank"

# bad ROW FIELD
bad()
{
	printf '%s\n%s\n' $names "$1" >"$work/bad.csv"
	wrong 65 "bad.csv:2: $2" "table: $2" \
		compare "$work/bad.csv" -f "$hdr"
}
bad here,0,1,allreduce,ring,64,1 nodes
bad here,4,x,allreduce,ring,64,1 ranks_per_node
bad here,4,1,allreducer,ring,64,1 "collective: no such"
bad here,4,1,allreduce,ring,-1,1 bytes
bad here,4,1,allreduce,ring,64,0 us
bad here,4,1,allreduce,ring,64 "want seven fields"
bad here,4,1,allreduce,ring,64,1,2 "want seven fields"
echo nodes,us >"$work/bad.csv"
wrong 65 'bad.csv:1: want a table' "table: other columns" \
	compare "$work/bad.csv" -f "$hdr"
wrong 66 'none.csv: No such file' "table: none" \
	compare "$work/none.csv" -f "$hdr"
echo $names >"$work/bad.csv"
wrong 65 'no times' "table: empty" compare "$work/bad.csv" -f "$hdr"
wrong 64 'two studies' "table: without a fabric" compare "$work/bad.csv"

# profiles: those of the file replace members and levels
# us FABRIC prints the time of one message both ways, and its band.
us()
{
	run 30 "$scale" simulate allreduce -f "$1" -N 2 -m 64 --csv \
		-a recursive_doubling
	awk -F, 'NR == 2 { print ($8 > 2), ($23 / $8 < 1 && 1 < $24 / $8) }' \
		"$out"
}
is "$(us hdr)" "0 0" "profile: none"
is "$(us hdr+openmpi)" "1 1" "profile: openmpi takes longer than libmrt"
cp "$hdr" "$work/a+b.json"
is "$(us "$work/a+b.json")" "0 0" "profile: a file with a plus in its name"
is "$(us "$work/a+b.json+openmpi")" "1 1" "profile: of such a file"
wrong 66 "no profile 'none'" "profile: unknown" \
	simulate allreduce -N 2 -m 64 -f hdr+none

# ---- OSU ----
# osu TITLE HEADING ROW... prints a table of OSU.
osu()
{
	printf '\n# OSU MPI%s v7.3\n# Datatype: MPI_CHAR.\n# %s\n' "$1" "$2"
	shift 2
	for row in "$@"; do
		echo "$row" | tr : ' '
	done
}
# compared ARGS... prints nodes, collective, bytes and time of the rows.
compared()
{
	run 30 "$scale" compare "$work/osu" -f "$hdr" --csv "$@"
	awk -F, 'NR > 1 { print $2, $4, $7, $8 }' "$out" | tr '\n' ';'
}
osu " Latency Test" "Size          Latency (us)" 1:1.10 1024:2.20 >"$work/osu"
is "$(compared)" "2 message 1 1.1;2 message 1024 2.2;" "osu_latency"
osu " Bandwidth Test" "Size      Bandwidth (MB/s)" 1000:500 >"$work/osu"
is "$(compared)" "2 gap 1000 2;" "osu_bw"
osu " Multiple Bandwidth / Message Rate Test" \
	"[ pairs: 4 ] [ window size: 64 ]" 1000:2000:2000000 >"$work/osu"
is "$(compared),$(awk -F, 'NR > 1 { print $3 }' "$out")" "2 gap 1000 0.5;,4" \
	"osu_mbw_mr"
osu " Allreduce Latency Test" "Size   Avg Latency(us)" 4:5.5 64:6 >"$work/osu"
is "$(compared -N 8)" "8 allreduce 4 5.5;8 allreduce 64 6;" "osu_allreduce"
is "$(compared -N 8 -a ring; cut -d, -f6 "$out" | sed -n 2p)" \
	"8 allreduce 4 5.5;8 allreduce 64 6;ring" "osu_allreduce: an algorithm"
osu " Allgather Latency Test" "Size   Avg Latency(us)" 4:5.5 >"$work/osu"
is "$(compared -N 4 --ppn 2)" "4 allgather 32 5.5;" \
	"osu_allgather: bytes of a block"
osu " Barrier Latency Test" "Avg Latency(us)" 7.5 >"$work/osu"
is "$(compared -N 4)" "4 barrier 0 7.5;" "osu_barrier"
wrong 64 'needs --nodes' "osu_barrier: of how many nodes" \
	compare "$work/osu" -f "$hdr"
osu " Bi-Directional Bandwidth Test" "Size Bandwidth (MB/s)" 1:2 >"$work/osu"
wrong 65 'this test of OSU is not used' "osu_bibw" compare "$work/osu" -f "$hdr"

# ---- fit ----
# a machine with twice the latency and half the bandwidth, a library that takes
# longer for a call, and vectors that leave the cache
sed 's/"L": 730/"L": 1500/; s/"G": 0.0417/"G": 0.08/
	s/"turn"/"call": 1200, "jitter": 300, "spread": 400, "exchange": 1.5, &/
	s/"cache": [0-9][0-9]*/"cache": 2000000/; s/"reduce_far": [0-9.]*/"reduce_far": 0.4/
	s/"copy_far": [0-9.]*/"copy_far": 0.3/' \
	"$hdr" >"$work/there.json"
table "$work/there.json" 2 4 8 16 32 >"$work/there.csv"
run 120 "$scale" fit "$work/there.csv" -o "$work/fitted.json"
is "$rc" 0 "fit a table"
is "$(cat "$err")" "" "fit: quiet without a terminal"
is "$(grep -c '^# ---- fitted to .* rows, up to .* ranks' "$out")" 4 \
	"fit: cross validation for each number of ranks but the largest"

# value NAME prints 1 if the interval of a parameter holds this value.
holds()
{
	sed -n "s/^# $1  *//p" "$out" |
		awk -v want="$2" '{ print ($2 <= want && want <= $4) }'
}
is "$(holds call 1200)$(holds spread 400)$(holds exchange 1.5)$(
	)$(holds jitter 300)$(holds reduce_far 0.4)$(holds 'L, eager' 1500)" 111111 \
	"fit: intervals hold what was put in"
like "$out" '^# factor inside a node .* not determined$' \
	"fit: what the times do not tell"
# fitted to 8 nodes at least, larger numbers are predicted within 5 %
is "$(awk '/^# ---- fitted to .* up to/ { nodes = $(NF - 3) }
	/^# ---- all/ { exit }
	/^all / && nodes >= 8 { print ($NF <= 0.05) }' "$out" |
	tr '\n' ' ')" "1 1 " "fit: more nodes than were fitted"
run 60 "$scale" compare "$work/there.csv" -f "$work/fitted.json"
is "$(awk '/^all / { print ($NF <= 0.02) }' "$out")" 1 "fit: the same times"
# three collectives: each is predicted by a fit to the others
{
	grep ',4,' "$work/there.csv" | sed "1i $names"
	"$scale" simulate gather -f "$work/there.json" -N 4 -m 64,4K,256K \
		-a linear,binomial --csv |
		awk -F, 'NR > 1 { print "there," $3 ",1," $1 "," $6 "," $5 * 4 "," $8 }'
} >"$work/three.csv"
run 60 "$scale" fit "$work/three.csv" -o "$work/three.json"
is "$(awk '/^# ---- .* rows, without/ { fitted = $5; name = $8 }
	/^all / && name { print fitted, name, $2, ($NF <= 0.2); name = "" }' "$out" |
	tr '\n' ' ')" "14 allreduce; 12 1 18 allgather; 8 1 20 gather; 6 1 " \
	"fit: cross validation for each collective"

run 60 script -qec "'$scale' fit '$work/three.csv' -o '$work/three.json'" \
	/dev/null </dev/null
is "$(grep -c 'fit to 26 rows: step [0-9]*, cost [0-9.]* ' "$out")" 1 \
	"fit: progress on a terminal"

# bands
sed 's/"p10": [0-9.]*/"p10": 0.01/; s/"p90": [0-9.]*/"p90": 100/' \
	"$work/fitted.json" >"$work/wide.json"
run 60 "$scale" compare "$work/there.csv" -f "$work/wide.json"
like "$out" '^# of [0-9]+ measured times 100 % are inside the bands ' \
	"compare: times inside the bands"
run 30 "$scale" simulate allreduce -f "$work/wide.json" -N 4 -m 64 -a ring --csv
is "$(awk -F, 'NR == 2 { print $23 / $8, $24 / $8 }' "$out")" "0.01 100" \
	"simulate: the band of a prediction"
awk -F, -v OFS=, 'NF == 7 && $7 + 0 { $7 *= 101 } 1' "$work/there.csv" \
	>"$work/late.csv"
run 60 "$scale" compare "$work/late.csv" -f "$work/wide.json"
like "$out" '^# of [0-9]+ measured times [0-4]?[0-9] % are .* \(0 below, ' \
	"compare: times above the bands"

# connections: one for each message of a rank with more than 256 peers
# opening NODES ARGS... prints the ms that connections cost in a pairwise
# alltoall.
opening()
{
	n=$1
	shift
	for args in "$*" "$* --connect 0"; do
		# shellcheck disable=SC2086 # words
		run 60 "$scale" simulate alltoall -N "$n" -a pairwise -m 64 \
			--csv $args
		awk -F, 'NR == 2 { print $8 }' "$out"
	done | awk '{ us[NR] = $1 } END { print int((us[1] - us[2]) / 1e3 + 0.5) }'
}
is "$(opening 257 -f hdr),$(opening 258 -f hdr),$(opening 258 -f ndr)" \
	"0,258,258" "connect: 257 peers pay, 256 do not"
is "$(opening 258 -f hdr+openmpi),$(opening 258 -f shm)" "0,0" \
	"connect: other libraries and fabrics without it pay nothing"
is "$(awk -F'[:,]' '/"connect(ed)?"/ { printf "%d ", $2 }' "$work/fitted.json")" \
	"1000000 256 " "connect: a fitted fabric has it"
is "$(opening 258 -f "$work/fitted.json")" 258 "connect: and it is read"
run 60 "$scale" simulate alltoall -N 8 -a pairwise -m 64 --csv -f hdr \
	--connect 1e6:6
like "$out" ',70[0-9][0-9]\.' "connect: another number stays connected"
wrong 64 "bad value x" "connect: no number" \
	simulate barrier -f hdr -N 2 --connect x
wrong 65 'connect: want a number' "connect: no number in a fabric" simulate \
	barrier -N 2 -f "$(sed 's/"connect": 1000000/"connect": -1/' "$hdr" \
	>"$work/bad.json"; echo "$work/bad.json")"
chosen()
{
	run 60 "$scale" simulate alltoall -N 1024 -m 64K --csv -f hdr
	awk -F, 'NR == 2 { print $7 }' "$out"
}
is "$(chosen)" bruck "connect: the default choice for 1024 nodes"
printf 'libmrt-tune 1\nmodel net connected 0\n' >"$work/tune"
MRT_TUNE_FILE=$work/tune
export MRT_TUNE_FILE
is "$(chosen)" linear "connect: if all stay connected"
unset MRT_TUNE_FILE
MRT_IB_PEERS=1023
export MRT_IB_PEERS
is "$(chosen)" linear "connect: or if so many do"
unset MRT_IB_PEERS

# jitter: of the fabric, or of the option
sed 's/"turn"/"jitter": 100, "jitter_tail": 0.5, &/' "$hdr" >"$work/late.json"
# late NODES ARGS... prints by how many ns a barrier takes longer than without.
late()
{
	n=$1
	shift
	for args in "-f hdr" "$*"; do
		# shellcheck disable=SC2086 # words
		run 30 "$scale" simulate barrier -N "$n" -a dissemination --csv \
			$args
		awk -F, 'NR == 2 { print $8 }' "$out"
	done | awk '{ us[NR] = $1 } END { printf "%.0f\n", (us[2] - us[1]) * 1e3 }'
}
is "$(late 4 -f hdr --jitter 100),$(late 4 -f hdr --jitter 100 --seed 2)" \
	"208,208" "jitter: the latest of 4 ranks"
is "$(late 600 -f hdr --jitter 1e4)" 69750 "jitter: the latest of 600"
is "$(late 4 -f "$work/late.json"),$(late 4 -f "$work/late.json" --jitter 0)" \
	"266,0" "jitter: of the fabric, and none"
wrong 64 "bad value x" "jitter: no number" \
	simulate barrier -f hdr -N 2 --jitter x
wrong 64 "bad value 100:1" "jitter: a tail without a mean" \
	simulate barrier -f hdr -N 2 --jitter 100:1
wrong 65 'jitter_tail' "jitter: such a tail in a fabric" simulate barrier -N 2 \
	-f "$(sed 's/"jitter_tail": 0.5/"jitter_tail": 1/' "$work/late.json" \
		>"$work/bad.json"; echo "$work/bad.json")"

# bands of what was not fitted: factors on the parts of the critical path
for f in hdr ndr; do
	for n in 1 64; do
		run 30 "$scale" simulate allreduce -f $f -N 16 --ppn $n \
			-m 8,1M --csv
		is "$(awk -F, 'NR > 1 {
			low = $9 + $10 + $11 + $12 + $13
			high = 6.8 * $9 + 2.41 * $10 + 1.69 * ($11 + $12)
			high += 4.8 * $13
			printf "%.3f %.3f ", $23 / low, $24 / high }' "$out")" \
			"1.000 1.000 1.000 1.000 " \
			"simulate: bands of $f, $n ranks on a node"
	done
done
sed 's/"latency": \[1, 2.41\]/"latency": [3, 2]/' "$hdr" >"$work/bad.json"
wrong 65 'bad.json: bands.latency: want two factors in order' \
	"bands: upside down" simulate barrier -N 2 -f "$work/bad.json"
sed 's/"latency": \[1, 2.41\]/"late": [1, 2]/' "$hdr" >"$work/bad.json"
wrong 65 'bad.json: bands.late: no such field' \
	"bands: of no part" simulate barrier -N 2 -f "$work/bad.json"
sed '$s/^there/elsewhere/' "$work/there.csv" >"$work/two.csv"
wrong 64 'several systems: there, elsewhere' "fit: of two systems" \
	fit "$work/two.csv" -o "$work/two.json"
run 30 "$scale" compare "$work/two.csv" -f "$hdr" --system elsewhere --csv
is "$(wc -l <"$out")" 2 "compare: one of two systems"
done_testing
