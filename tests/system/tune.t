#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tune.t checks algorithms set at run time; files of mrt-tune, which are
# written, read and obeyed by all ranks alike, or refused; the other output of
# mrt-tune; and mrt-info coll.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun

choice=$top_builddir/tests/system/choice
tune=$top_builddir/mrt-tune
info=$top_builddir/mrt-info
file=$work/tune

for n in 1 2 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$choice"
done
MRT_COLL_DIRECT=no
export MRT_COLL_DIRECT
cases "messages:" "$MRUN" -n 3 "$choice"
unset MRT_COLL_DIRECT

# obeyed: up to the first row the direct way stays, then the file counts
cat >"$file" <<X
libmrt-tune 1
allreduce 3 3 0 4095 default
allreduce 3 3 4096 65535 rabenseifner
allreduce 3 3 65536 max ring
X
MRT_TUNE_FILE=$file
export MRT_TUNE_FILE
run 20 "$MRUN" -n 3 "$choice" allreduce 8 4088 4096 65528 65536
is "$rc" 0 "a file is read"
is "$(awk '{ print $3 }' "$out" | tr '\n' ' ')" \
	"direct direct rabenseifner rabenseifner ring " "and obeyed"
run 20 "$MRUN" -n 2 "$choice" allreduce 100000
is "$(grep -cE 'ring|rabens' "$out")$(grep -c direct "$out")" 01 \
	"not for other numbers of ranks"
run 20 env MRT_ALLREDUCE=recursive_doubling "$MRUN" -n 3 "$choice" \
	allreduce 8 65536
is "$(grep -c ' recursive_doubling$' "$out")" 2 "a variable goes before it"
run 20 "$info" coll -n 3,4 -f verbs
sed -n '/^  allreduce/,$p' "$out" >"$work/allreduce"
like "$work/allreduce" '3 ranks, net .* 4096: rabenseifner +65536: ring$' \
	"mrt-info coll shows it"
like "$work/allreduce" '4 ranks, net .* 0: ' "and what is chosen without"

echo 'allreduce 3 3 0 8 rign' >>"$file"
run 20 "$MRUN" -n 3 "$choice" allreduce 8
is "$rc" 78 "a bad line is an error of the configuration"
like "$err" "$file:5: rign: .*ring" "which names file, line and field"
run 20 "$info" coll
is "$rc" 78 "for mrt-info too"
unset MRT_TUNE_FILE

# ranks that were told different things
cat >"$work/differ" <<'X'
#!/bin/sh
# differ VARIABLE VALUE... gives rank 1 a value of its own.
variable=$1
shift
if [ "$PMIX_RANK" = 1 ]; then
	export "$variable=$1"
fi
shift
exec "$@"
X
chmod +x "$work/differ"
echo 'libmrt-tune 1' >"$work/one"
echo 'libmrt-tune 1
allreduce 2 2 0 max ring' >"$work/two"
differ()
{
	run 20 env "$1" "$MRUN" -n 2 "$work/differ" "$2" "$3" "$choice" \
		allreduce 8
}
differ "MRT_TUNE_FILE=$work/one" MRT_TUNE_FILE "$work/two"
is "$rc" 78 "another file on one rank is an error"
like "$err" 'MRT_TUNE_FILE=.*rank 0 ' "which names the variable and a rank"
differ A=b MRT_TUNE_FILE "$work/two"
is "$rc" 78 "so is a file on one rank alone"
cp "$work/one" "$work/copy"
differ "MRT_TUNE_FILE=$work/one" MRT_TUNE_FILE "$work/copy"
is "$rc" 0 "a copy elsewhere is no error"
differ A=b MRT_ALLREDUCE ring
is "$rc" 78 "another algorithm on one rank is an error"
like "$err" 'rank 0' "which names a rank"

# mrt-tune
rm -f "$file"
run 120 "$MRUN" -n 3 "$tune" -m 8,4K,64K -r 3 -t 0.0005 -o "$file" \
	barrier bcast allreduce
is "$rc" 0 "mrt-tune"
like "$out" '^ +4096 +[0-9.]+ ' "its table has a row for each size"
is "$(head -n 1 "$file")" "libmrt-tune 1" "it writes a file"
is "$(awk '!/^#/ && $2 == 3 && $3 == 3 { print $1 }' "$file" | sort -u |
	tr '\n' ' ')" "allreduce barrier bcast " "with rows for these ranks"
# the rows of a collective cover all sizes without gap or overlap
is "$(awk '!/^#/ && NF == 6 { if ($1 != c && $4 != 0 ||
	$1 == c && $4 != to + 1) bad++; c = $1; to = $5; last[c] = $5 }
	END { for (c in last) bad += last[c] != "max"; print bad + 0 }' \
	"$file")" 0 "from 0 bytes to any number, without gaps"
run 20 env MRT_TUNE_FILE="$file" "$MRUN" -n 3 "$choice" allreduce 65536
is "$rc" 0 "the file is read"
want=$(awk '$1 == "allreduce" && $5 == "max" { print $6 }' "$file")
got=$(awk '{ print $3 }' "$out")
case $want in
default) is "$got" direct "and obeyed" ;;
*) is "$got" "$want" "and obeyed" ;;
esac
echo 'reduce 3 3 0 max binomial' >>"$file"
echo 'allreduce 5 7 0 max ring' >>"$file"
echo 'allreduce 3 3 0 max nothing' >>"$file"
run 60 "$MRUN" -n 3 "$tune" -m 8 -r 1 -t 0.0005 -o "$file" allreduce
is "$(awk '!/^#/ && NF == 6 { print $1 $2 }' "$file" | sort -u |
	tr '\n' ' ')$(grep -c nothing "$file")" \
	"allreduce3 allreduce5 barrier3 bcast3 reduce3 0" \
	"lines for others stay, its own are replaced"
run 60 "$MRUN" -n 2 "$tune" -m 8 -r 1 -t 0.0005 -o /nonexistent/x barrier
is "$rc" 73 "a file that cannot be written"
run 60 "$MRUN" -n 2 "$tune" alreduce
is "$rc" 64 "an unknown collective"

# Beside other processes the shorter message may be the slower one, which gives
# no parameters.
for try in 1 2 3; do
	run 60 "$MRUN" -n 2 "$tune" -m 8,64K,4M -r 5 -t 0.0005 -o "$work/pair" \
		bcast
	grep -q 'took no longer' "$err" || break
done
is "$(grep -c '^model sm ' "$work/pair")" 3 "two ranks: parameters"
run 20 env MRT_TUNE_FILE="$work/pair" "$info" coll
latency=$(awk '$1 == "model" && $3 == "latency" { print $4 }' "$work/pair")
like "$out" "^ +sm +latency $latency," "which are read"

# an interrupted run leaves no file, nor a part of one
run 20 timeout -s INT 1 "$MRUN" -n 2 "$tune" -t 100 -o "$work/interrupted" \
	bcast
is "$rc" 124 "interrupted while it measures"
is "$(ls "$work" | grep -c interrupted)" 0 "interrupted: no file"
no_leftovers "interrupted: nothing is left behind"

run 60 "$MRUN" -n 2 "$tune" -m 8,64 -r 1 -t 0.0005 --csv bcast barrier
is "$(awk -F, 'NF != 6 || NR > 1 && ($6 <= 0 || $6 > $5)' "$out" |
	wc -l)" 0 "CSV: 6 fields"
is "$(awk -F, 'NR > 1 && $4 == "default" { print $1, $3 }' "$out" |
	tr '\n' ' ')" "bcast 8 bcast 64 barrier 0 " "CSV: collectives, sizes"
run 60 "$MRUN" -n 2 "$tune" -m 8,64 -r 1 -t 0.0005 --json bcast
cp "$out" "$work/json"
if have python3; then
	is "$(python3 -c 'import json,sys
print(len([r for r in json.load(open(sys.argv[1]))["results"]
           if r["algorithm"] == "default"]))' "$work/json")" 2 "JSON"
	run 20 "$info" coll --json -n 2,8
	is "$(python3 -c 'import json,sys
all = json.load(open(sys.argv[1]))["collectives"]
print(all[1]["name"], {c["ranks"] for x in all for c in x["chosen"]} == {2, 8},
      all[1]["chosen"][0]["ranges"][0]["from"])' "$out")" "bcast True 0" \
		"mrt-info coll: JSON"
else
	skip "no python3" "JSON"
fi
run 20 "$info" coll -n 0
is "$rc" 64 "mrt-info coll: bad ranks"
run 20 "$info" -n 2
is "$rc" 64 "mrt-info: -n goes with coll"

no_leftovers "nothing is left behind"
done_testing
