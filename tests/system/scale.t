#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale.t checks that mrt-scale measures what a study lacks, and nothing twice,
# whichever process is killed at whatever time; that its studies can be compared
# and drawn; and that damaged files are named.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
scale=$top_builddir/mrt-scale
[ -x "$scale" ] || skip_all "built without jansson"
PATH=$top_builddir:$PATH
study=$work/study

# Prints the definition and the samples of all points.
contents()
{
	cat "$1"/points/*.csv 2>/dev/null | sort
}

points()
{
	ls "$1/points" 2>/dev/null | grep -c '\.csv$'
}

# ---- run ----
run 120 "$scale" run allreduce,barrier,pairs --ranks 1..3 -m 8,4K \
	-a default,ring --samples 8:8 -s 0.0001 -t 1 -o "$study"
is "$rc" 0 "run"
is "$(wc -c <"$out")$(wc -c <"$err")" 00 "run: quiet without a terminal"
for n in 1 2 3; do
	is "$(ls "$study/points" | grep -cE "^(allreduce,default,$n,(8|4096)|$(
		)barrier,default,$n,0)\.csv$")" 3 "run: points of $n ranks"
done
is "$(ls "$study/points" | grep -cE "^(pingpong|send_overhead|$(
	)recv_overhead|gap),(cache|node),2,(8|4096)\.csv$")" 8 \
	"run: messages of pairs, once"
is "$(ls "$study/points" | grep -c '^turn,cpu,1,0\.csv$')" 1 \
	"run: the turn of a CPU"
is "$(contents "$study" | awk -F, 'NF != 10 || $9 < 0 || $7 > $8 || $8 != 8' |
	wc -l)" 0 "run: samples"
is "$(contents "$study" | cut -d, -f1,2,4,5,7 | uniq -d | wc -l)" 0 \
	"run: none twice"
like "$study/points/allreduce,ring,3,4096.csv" \
	'^allreduce,ring,ring,3,4096,[0-9]+,1,8,[0-9.e+-]+,3-[0-9TZ-]+$' \
	"run: what a row says"
is "$(ls "$study/jobs" | wc -l)" 3 "run: a record of each job"
if have jq; then
	is "$(jq -r '"\(.ranks) \(.places | length) \(.libmrt | split(" ")[0])"' \
		"$study"/jobs/3-*.json)" "3 3 libmrt" "run: placement, version"
else
	skip "no jq" "run: placement, version"
fi
contents "$study" >"$work/before"
run 60 "$scale" run allreduce,barrier,pairs --ranks 1..3 -m 8,4K \
	-a default,ring --samples 8:8 -s 0.0001 -t 1 -o "$study"
is "$rc" 0 "again"
contents "$study" | cmp -s - "$work/before"
is "$?,$(ls "$study/jobs" | wc -l)" 0,3 "again: nothing is measured"
no_leftovers "run: nothing is left behind"

# ---- killed ----
killed=$work/killed
some_more()
{
	[ "$(points "$killed")" -ge "$1" ] || ! kill -0 "$pid" 2>/dev/null
}

# victims NAME prints the processes of the run that have this name, or all.
victims()
{
	for p in $(marked_pids); do
		case $1,$(tr '\0' ' ' <"/proc/$p/cmdline" 2>/dev/null) in
		all,* | run,*"mrt-scale run "* | mrun,*mrun" -n"* | \
			rank,*"mrt-scale worker "*) echo "$p" ;;
		esac
	done
}

measure="$scale run barrier,allreduce,bcast --ranks 2,4 -m 8,64
	-a default,binomial,ring --samples 10:10 -s 0.002 -o $killed"
total=0
lost=0
shm_list >"$work/shm.before"
: >"$work/before"
# a rank that loses the race to be killed says so on stderr
victims="run rank all"
[ "$TEST_LEVEL" = quick ] || victims="$victims mrun all run"
for who in $victims; do
	mark=$$.kill.$who
	# shellcheck disable=SC2086 # a list of words
	TEST_MARK=$mark TMPDIR=$work/tmp $measure >"$out" 2>"$err" </dev/null &
	pid=$!
	wait_for 60 some_more $((total + 2))
	# shellcheck disable=SC2046 # a list of numbers
	kill -9 $(victims $who) 2>/dev/null
	wait $pid 2>/dev/null
	wait_for 15 nothing_marked || not_ok "$who killed: the job ends"
	total=$(points "$killed")
	contents "$killed" >"$work/now"
	lost=$((lost + $(comm -23 "$work/before" "$work/now" | wc -l)))
	cp "$work/now" "$work/before"
done
is "$lost" 0 "killed: nothing measured is lost"
[ "$total" -ge 6 ]
is $? 0 "killed: something was measured meanwhile ($total points)"
# what mrun leaves when it is killed, the next mrun removes
mark=none
# shellcheck disable=SC2086
run 120 $measure
is "$rc" 0 "killed: the same command ends the study"
contents "$killed" >"$work/now"
is "$(comm -23 "$work/before" "$work/now" | wc -l)" 0 \
	"killed: and measures nothing again"
is "$(cut -d, -f1,2,4,5,7 "$work/now" | sort | uniq -d | wc -l)" 0 \
	"killed: nothing is there twice"
is "$(ls "$killed/points" | grep -cE \
	'^(barrier,default,[24],0|(allreduce|bcast),default,[24],(8|64))\.csv$')" \
	10 "killed: the study is complete"
is "$(find "$killed" -name '*.tmp' | wc -l)" 0 "killed: no parts of files"
no_leftovers "killed: nothing is left behind"

run 30 timeout -s INT 2 "$scale" run barrier -n 2 --samples 1000:1000 -s 1 \
	-o "$work/interrupted"
like "$err" 'same command goes on' "interrupted: says how to go on"
is "$(find "$work/interrupted/points" -type f | wc -l)" 0 \
	"interrupted: no part of a point"
no_leftovers "interrupted: nothing is left behind"

# ---- wrong ----
# wrong CODE ERE NAME ARGS...
wrong()
{
	code=$1
	text=$2
	name=$3
	shift 3
	run 30 "$scale" "$@"
	is "$rc" "$code" "$name: exit code"
	like "$err" "$text" "$name: message"
}
wrong 64 'Usage: mrt-scale' "no command"
wrong 64 'nonsense: no such command' "an unknown command" nonsense
wrong 64 'alreduce is not measured' "an unknown test" run alreduce -n 2 -o x
wrong 64 'bad value 3\.\.1' "impossible ranks" run barrier -n 3..1 -o x
wrong 64 'needs --ranks' "no ranks" run barrier -o x
wrong 64 'bad value 8:1' "impossible sizes" run bcast -n 2 -m 8:1 -o x
wrong 73 'a file|Not a directory' "a study that is a file" \
	run barrier -n 2 -o "$out"
wrong 66 'is no study' "a folder that is no study" compare "$work" "$study"

# damaged FILE SED-SCRIPT TEXT NAME
damaged()
{
	rm -rf "$work/damaged"
	cp -r "$study" "$work/damaged"
	sed "$2" "$study/$1" >"$work/damaged/$1"
	wrong 65 "$3" "$4" compare "$study" "$work/damaged"
}
row=points/allreduce,default,2,8.csv
damaged $row '3s/^[^,]*/bcast/' "8.csv:3: test: 'bcast'" "another test"
damaged $row '5s/,5,8,/,6,8,/' "8.csv:5: sample: '6'" "a sample missing"
damaged $row '4s/8,[0-9.e+-]*,2-/8,1x,2-/' "8.csv:4: us: '1x'" "no time"
damaged $row '4s/8,[0-9.e+-]*,2-/8,nan,2-/' "8.csv:4: us: 'nan'" "not a number"
damaged $row '8d' '8.csv:7: ends after 7 of 8' "a line missing"
damaged $row '2s/,/;/' '8.csv:2: 9 fields' "a field missing"
damaged $row 's/,8,/,16,/' '8.csv:1: the file of this point is' \
	"a point of another name"
damaged study.json 's/{/[/' 'study.json:2:' "malformed JSON"
damaged study.json '/version/d' 'study.json: .*version' "a field of JSON"
damaged study.json 's/1/2/' 'study.json: version: 2' "another version"
cp "$study/study.json" "$work/damaged/study.json"
truncate -s -3 "$work/damaged/$row"
wrong 65 '8.csv:8: the line does not end' "a line cut off" \
	compare "$study" "$work/damaged"
wrong 65 '8.csv:8: the line does not end' "run: a damaged study" \
	run barrier -n 2 -o "$work/damaged"

# ---- compare ----
# a study in which all points of allreduce's ring are twice as fast
cp -r "$study/." "$work/faster"
for f in "$work"/faster/points/allreduce,ring*; do
	awk -F, -v OFS=, '{ $9 = $9 / 1e6; print }' "$f" >"$work/x"
	mv "$work/x" "$f"
done
rm "$work"/faster/points/barrier,*
run 30 "$scale" compare "$study" "$work/faster"
is "$rc" 0 "compare"
like "$out" '^allreduce +ring +3 +4096 .* 0\.000 .* faster$' "compare: faster"
like "$out" '^allreduce +default +3 +8 .* 1\.000 .* 1 -$' "compare: the same"
like "$out" '^# .* 0 slower; [0-9]+ only in a, 0 only in b$' \
	"compare: what only one has"
run 30 "$scale" compare --csv "$work/faster" "$study"
is "$(awk -F, 'NF != 17' "$out" | wc -l)" 0 "compare: CSV"
is "$(awk -F, '$2 == "ring" && $17 != "slower"' "$out" | wc -l)" 0 \
	"compare: slower"

# ---- plot ----
# noisy_point ALGORITHM BYTES MEDIAN
noisy_point()
{
	awk -v OFS=, -v way="$1" -v bytes="$2" -v us="$3" 'BEGIN {
		for (k = 1; k <= 8; k++)
			print "allreduce", way, way, 4, bytes, 1, k, 8,
				us + 1.5 * (k - 4.5), "none"
	}' >"$work/cross/points/allreduce,$1,4,$2.csv"
}

# crossing_point ALGORITHM BYTES MEASURED PREDICTED [THE DEFAULT MEASURED,
# PREDICTED]
crossing_point()
{
	for sample in 1 2 3 4 5 6 7 8; do
		echo "allreduce,$1,${5:-$1},4,$2,1,$sample,8,$3,none"
	done >"$work/cross/points/allreduce,$1,4,$2.csv"
	echo "allreduce,$1,${6:-$1},4,$2,1,1,1,$4,hdr" \
		>"$work/cross.hdr/points/allreduce,$1,4,$2.csv"
}

run 30 "$scale" plot "$work/damaged"
is "$rc" 65 "plot: a damaged study"
cp -r "$study" "$work/injected"
sed "s/ring/x'y/" "$study/points/allreduce,ring,2,8.csv" \
	>"$work/injected/points/allreduce,ring,2,8.csv"
wrong 65 "8.csv:1: way: 'x'y' is not a name" "plot: a name with a quote" \
	plot "$work/injected"
mkdir "$work/bin"
for program in sh env sed dirname; do
	ln -s "$(command -v $program)" "$work/bin/$program"
done
run 30 env PATH="$work/bin" "$scale" plot "$study" -o "$work/no"
is "$rc" 73 "plot: no gnuplot"
like "$err" gnuplot-nox "plot: no gnuplot: names the package"
is "$(ls "$work/no" | wc -l)" 0 "plot: no gnuplot: no part of a picture"
if have gnuplot; then
	run 60 "$scale" plot "$study" --with "$work/faster"
	is "$rc" 0 "plot"
	names='(allreduce-([123]-ranks|[48].*-bytes)|barrier-0-bytes|gap-2-ranks)'
	is "$(ls "$study/plots" | grep -cE "^$names\.(svg|png)$")" 14 \
		"plot: over sizes and over ranks"
	like "$study/plots/allreduce-4096-bytes.svg" '>the other study<' \
		"plot: another study"
	is "$(od -An -c -N 4 "$study/plots/gap-2-ranks.png" | tr -d ' ')" \
		'211PNG' "plot: PNG"
	is "$(grep -c 'src="[^"/]*\.svg"' "$study/plots/index.html")" \
		"$(ls "$study/plots" | grep -c svg)" \
		"plot: all pictures are in the page"
	is "$(sed -n 's/.*src="\([^"]*\)".*/\1/p' "$study/plots/index.html" |
		while read -r f; do [ -s "$study/plots/$f" ] || echo "$f"; done)" "" \
		"plot: under their names"
	like "$study/plots/index.html" \
		'^<tr><td>3<td>4096<td>ring<td>ring<td>[0-9.]+' "plot: tables"
	is "$(find "$study/plots" -name '*.tmp' | wc -l)" 0 "plot: no remains"

	# ring becomes faster than linear at 64 bytes; the prediction says
	# between 64 and 512
	mkdir -p "$work/cross/points" "$work/cross.hdr/points"
	cp "$study/study.json" "$work/cross"
	sed 's/false/true/' "$study/study.json" >"$work/cross.hdr/study.json"
	crossing_point linear 8 1 1
	crossing_point linear 64 4 1.5
	crossing_point linear 512 9 6
	crossing_point ring 8 3 3
	crossing_point ring 64 4 3
	crossing_point ring 512 5 3
	# a default that was another algorithm has no ratio
	crossing_point default 8 1 1 linear ring
	run 30 "$scale" plot "$work/cross" --with "$work/cross.hdr" \
		-o "$work/crossed"
	is "$rc" 0 "plot: with predictions"
	svg=$work/crossed/allreduce-4-ranks.svg
	is "$(grep -c '<text>ring</text>' "$svg")" 3 \
		"plot: crossings of what is measured and of what is predicted"
	like "$svg" '>predicted, hdr<' "plot: the fabric of predictions"
	like "$svg" '>measured<' "plot: which is which"
	like "$work/crossed/index.html" \
		'<td>ring<td>ring<td>4<td>4<td>4<td>4<td>4<td>8<td>1<td>3<td>ring<td>1.33<' \
		"plot: predicted in the table"
	like "$work/crossed/index.html" '<td>linear<td>1<.*<td>ring<td>-</tr>' \
		"plot: no ratio of two algorithms"
	like "$work/crossed/index.html" "$(printf %s '^<p>allreduce: 6 points .*' \
		'median 1.42, from 1 to 2.67, within a factor of 2 in 5')" \
		"plot: how far predictions can be trusted"
	run 30 "$scale" plot "$work/cross.hdr" --with "$work/cross" \
		-o "$work/crossed2"
	cmp -s "$svg" "$work/crossed2/allreduce-4-ranks.svg"
	is "$rc,$?" 0,0 "plot: measurements with predictions, or the reverse"

	# ring is the faster one at 64 bytes, but only by chance
	rm "$work"/cross/points/*
	for at in linear,8,10 ring,8,13 linear,64,13 ring,64,10; do
		at=$(echo "$at" | tr , ' ')
		# shellcheck disable=SC2086 # words
		noisy_point $at
	done
	run 30 "$scale" plot "$work/cross" -o "$work/noise"
	is "$rc,$(grep -c '<text>ring</text>' "$work/noise/allreduce-4-ranks.svg")" \
		0,1 "plot: noise makes no crossing"
else
	skip "no gnuplot" "plot"
fi

# ---- fit ----
# pairs of a machine whose times follow a line: 1 us and 2 ns per byte, 100 ns
# per send, 200 ns per receive
mkdir -p "$work/line/points"
cp "$study/study.json" "$work/line"
pair()
{
	for sample in 1 2 3 4 5 6 7 8; do
		echo "$1,leaf,none,2,$2,1,$sample,8,$3,none"
	done >"$work/line/points/$1,leaf,2,$2.csv"
}
for bytes in 8 64 512 4096; do
	pair pingpong $bytes "$(awk "BEGIN { print 1 + 0.002 * $bytes }")"
	pair send_overhead $bytes 0.1
	pair recv_overhead $bytes 0.2
	pair gap $bytes 0.01
done
run 30 "$scale" fit "$work/line" -o "$work/line.json"
is "$rc" 0 "fit"
# L = 1000 - 100 - 200 + G
like "$out" '^ +any +eager +702\.0 +100\.0 +200\.0 +10\.0 +2\.0000 +0\.0000' \
	"fit: the parameters of a machine that is a line"
is "$(grep -cE ' [+-]0\.0 %$' "$out")" 4 "fit: no residuals then"
like "$out" '^# turn 1300.0, assumed' "fit: a turn that was not measured"
if have jq; then
	is "$(jq -r '"\(.levels.leaf.measured) \(.levels.other.measured) " +
		"\(.residuals | length)"' "$work/line.json" | tr -d ' ')" \
		"[8,4096][0,0]4" "fit: what was measured, residuals stored"
else
	skip "no jq" "fit: what was measured, residuals stored"
fi
run 30 "$scale" fit "$study" -o "$work/here.json"
is "$rc" 0 "fit: measured pairs"
like "$out" '^# level (leaf|other) was not measured: like' "fit: what is missing"
like "$out" '^# turn [0-9.]+$' "fit: a turn that was"
wrong 65 'has no pairs; measure them' "fit: no pairs" \
	fit "$killed" -o "$work/none.json"
wrong 73 'No such file' "fit: no place for the file" \
	fit "$study" -o "$work/none/none.json"

# ---- simulate ----
# a single message between two nodes: a bcast of 512 bytes
run 30 "$scale" simulate bcast -f "$work/line.json" -N 2 -m 512 -a binomial \
	--csv
is "$rc" 0 "simulate"
is "$(awk -F, 'NR == 2 { print $8 }' "$out")" 2.024 \
	"simulate: a message takes what the fabric says"
# the same bcast on one CPU: the receiver waits for its turn, 1300 ns
predict()
{
	run 30 "$scale" simulate bcast -N 1 --ppn 2 -m 512 -a binomial --csv \
		-f "$@"
	awk -F, 'NR == 2 { print $8, $12 }' "$out"
}
is "$(predict "$work/line.json" --cpus 2)" "2.024 0" \
	"simulate: a CPU for each rank"
is "$(predict "$work/line.json" --cpus 1)" "2.024 0" \
	"simulate: one CPU, a message that comes after the turn"
sed 's/"turn": 1300.0/"turn": 5000/' "$work/line.json" >"$work/slow.json"
is "$(predict "$work/slow.json" --cpus 1)" "5.3 3.276" \
	"simulate: one CPU, a message that waits for it"
sed '/"turn"/d' "$work/slow.json" >"$work/old.json"
is "$(predict "$work/old.json" --cpus 1)" "2.024 0" \
	"simulate: a fabric without a turn"
for fabric in shm hdr ndr; do
	run 60 "$scale" simulate barrier --csv -a all --ppn 2 -N 1..64*4 \
		-f "$top_srcdir/tools/scale/fabrics/$fabric.json" \
		-o "$work/$fabric"
	is "$rc" 0 "simulate: $fabric"
	is "$(awk -F, 'NR > 1 { sum = $9 + $10 + $11 + $12 + $13 }
		NF != 25 || sum > $8 * 1.001 || sum < $8 * 0.999' "$out" |
		wc -l)" 0 \
		"simulate: $fabric: parts of the time"
done
# a point with too many steps is an error, or is left out of "all"
wrong 1 'nodes, 0 bytes, linear: 16384 ranks of up to [0-9]+ steps are too many' \
	"simulate: too many steps" simulate barrier -a linear -N 16384 \
	-f "$top_srcdir/tools/scale/fabrics/ndr.json"
run 60 "$scale" simulate barrier --csv -a all -N 16384 \
	-f "$top_srcdir/tools/scale/fabrics/ndr.json"
is "$rc" 0 "simulate: all algorithms of many nodes"
like "$err" 'bytes, linear is left out: .* too many' \
	"simulate: what is left out"
is "$(awk -F, 'NR > 1 && NF == 25 { print $6 }' "$out" | tr '\n' ' ')" \
	"default dissemination tree n_way_dissemination $(
	)recursive_doubling atomic " "simulate: what is not"
run 30 "$scale" simulate barrier -f "$work/line.json" -N 1 --ppn 1..4,8 \
	-o "$work/ppn"
is "$rc,$(ls "$work/ppn/points" | cut -d, -f3 | sort -n | tr '\n' ' ')" \
	"0,1 2 3 4 8 " "simulate: a list of ranks of a node"
wrong 64 'only one of' "simulate: two lists that make the same ranks" \
	simulate barrier -f "$work/line.json" -N 1,2 --ppn 1,2 -o "$work/ppn"
run 30 "$scale" compare "$work/hdr" "$work/ndr"
is "$rc" 0 "simulate: predictions are a study"
wrong 65 'holds predictions' "simulate: nothing is measured into it" \
	run barrier -n 2 -o "$work/hdr"
hdr=$top_srcdir/tools/scale/fabrics/hdr.json
# a folder with the name of the fabric exists as well
run 30 sh -c 'cd "$1" && [ -d hdr ] && "$2" simulate barrier -f hdr -N 2 --csv' \
	- "$work" "$scale"
is "$rc" 0 "simulate: a fabric by its name, from another folder"
like "$out" '^barrier,hdr,2,' "simulate: which is that fabric"
wrong 66 'unknown fabric: .*: hdr, ndr, shm$' "simulate: unknown fabric" \
	simulate barrier -f edr -N 2
wrong 66 'edr: No such file' "simulate: a fabric's file that is not there" \
	simulate barrier -f ./edr -N 2
wrong 64 'topology .fattree:0.: use .' "simulate: impossible topology" \
	simulate barrier -f "$hdr" -N 2 -T fattree:0
wrong 64 'is not ,taper=T' "simulate: no link is left" \
	simulate barrier -f "$hdr" -N 2 -T fattree:4,load=1
# Neighbours exchange, of which the middle ones are in two groups.
printf '7 1\n2 3\n' >"$work/places"
for place in blocked "$work/places" scattered:4; do
	run 30 "$scale" simulate allgather -f "$hdr" -N 4 -m 1024 \
		-T fattree:2 --place "$place" -a ring --csv
	awk -F, 'NR == 2 { print $NF }' "$out"
done >"$work/between"
is "$(tr '\n' ' ' <"$work/between")" "6144 9216 6144 " \
	"simulate: the places of nodes"
# A ring or chain by ranks goes from switch to switch each time, one by switches
# once or twice.
printf '0 2 1 3\n' >"$work/mixed"
between()
{
	for order in switches ranks; do
		run 30 "$scale" simulate "$1" -f "$hdr" -N 4 --ppn "$2" -m 1K \
			-T fattree:2 --place "$work/mixed" --order $order \
			-a "$3" --csv
		awk -F, 'NR == 2 { print $NF }' "$out"
	done | tr '\n' ' '
}
is "$(between allgather 1 ring)" "6144 12288 " "simulate: the order of a ring"
is "$(between bcast 1 chain)" "1024 3072 " "simulate: of a chain"
is "$(between bcast 2 hierarchical:chain)" "1024 3072 " \
	"simulate: of the leaders of nodes"
wrong 64 'bad value nodes' "simulate: no such order" \
	simulate barrier -f "$hdr" -N 2 --order nodes
wrong 65 'has 4 places of nodes' "simulate: too few places" \
	simulate barrier -f "$hdr" -N 5 --place "$work/places"
wrong 64 'scattered:3: no number from 4' "simulate: more nodes than places" \
	simulate barrier -f "$hdr" -N 4 --place scattered:3
wrong 66 'nowhere: No such file' "simulate: no file of places" \
	simulate barrier -f "$hdr" -N 4 --place "$work/nowhere"
wrong 64 'bad value 0' "simulate: no nodes" simulate barrier -f "$hdr" -N 0
wrong 64 'bad value 0' "simulate: no CPUs" \
	simulate barrier -f "$hdr" -N 2 --ppn 2 --cpus 0
wrong 64 'bad value 3,0' "simulate: a node without ranks" \
	simulate barrier -f "$hdr" -N 2 --uneven 3,0
run 30 "$scale" simulate bcast -f "$hdr" -N 4 --uneven 3,1 --last 2 -m 8 \
	-a linear --csv
like "$out" ',4,9,8,linear,' "simulate: nodes of 3, 1, 3 and 2 ranks"
like "$out" ',2,0,6,0,' "simulate: six of whose messages are between nodes"
wrong 64 'bad value x' "simulate: CPUs that are no number" \
	simulate barrier -f "$hdr" -N 2 --ppn 2 --cpus x
wrong 64 'no such collective' "simulate: no collective" \
	simulate barier -f "$hdr" -N 2
wrong 64 'rign' "simulate: no algorithm" \
	simulate allreduce -f "$hdr" -N 2 -m 8 -a rign
wrong 64 'ranks' "simulate: too many ranks" \
	simulate barrier -f "$hdr" -N 16777216 --ppn 1024

# fabric SED-SCRIPT TEXT NAME
fabric()
{
	sed "$1" "$hdr" >"$work/bad.json"
	wrong 65 "$2" "fabric: $3" simulate barrier -f "$work/bad.json" -N 2
}
line=$(grep -n '"L": 730' "$hdr" | cut -d: -f1 | tail -n 1)
fabric "$line s/\"L\": 730/\"L\": -1/" \
	"bad.json: levels.leaf.ranges.1.L: want" "a negative time"
fabric "$line s/\"o_s\": 40/\"o_x\": 40/" \
	"bad.json: levels.leaf.ranges.1.o_x: no such" "an unknown field"
fabric "$line s/\"o_s\": 40, //" \
	"bad.json: levels.leaf.ranges.1.o_s: missing" "a missing field"
fabric "$line s/730/1e99/" 'bad.json: file: level leaf.* L' \
	"not a time of this world"
fabric 's/"turn": 1300/"turn": -1/' 'bad.json: turn: want a number' \
	"a negative turn"
fabric 's/"node": "cache"/"node": "cash"/' \
	'bad.json: levels.node: no level' "a level like none"
fabric '3s/,$//' 'bad.json:4:[0-9]+: ' "malformed JSON"
fabric 's/"version": 1/"version": 9/' 'bad.json: version: want 1' \
	"another version"
done_testing
