#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_checkpoint.t checks that mrt-heat2d, begun again at a checkpoint on any number
# of ranks, ends with the field of a run without a stop, bit for bit, and that whoever
# dies in the middle of a checkpoint leaves the last whole one.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
heat=$top_builddir/mrt-heat2d
file=$work/plate

# heat N ARGS... runs it on N ranks, and sets $hash.
heat()
{
	n=$1
	shift
	run 60 "$MRUN" -n "$n" "$heat" --nx 250 --ny 200 "$@"
	hash=$(sed -n 's/^field hash //p' "$out")
}

# refused CODE ERE NAME ARGS... checks the exit code and the only line about it.
refused()
{
	code=$1
	line=$2
	name=$3
	shift 3
	heat 3 --steps 9 --every 9 "$@"
	is "$rc $(grep -c ^mrt-heat2d: "$err")" "$code 1" \
		"$name: exit code $code, one line"
	like "$err" "^mrt-heat2d: $line" "$name: says what and why"
}

if [ ! -e "$top_builddir/.libs/libmrt_romio.so" ]; then
	refused 73 "cannot write $file.new: .* built without files" "without files" -c "$file"
	skip "built without files: configure --with-romio=FOLDER" "checkpoints"
	done_testing
fi

step_of()
{
	od -An -tu8 -j24 -N8 "$file" | tr -d ' '
}

# begins_at STEP HASH NAME checks a run that has begun there.
begins_at()
{
	is "$rc $hash" "0 $2" "$3: the same field"
	like "$out" "^begins at step $1\$" "$3: begins at step $1"
	is "$(grep -cE 'drift .*: kept$|^range .*: within$' "$out")" 2 \
		"$3: the checks hold over both parts"
}

heat 3 --steps 70
whole=$hash
heat 2 --steps 70 -c "$file" --restart --every 20
begins_at 0 "$whole" "no checkpoint yet"
is "$(step_of) $(wc -c <"$file")" "60 $((48 + 250 * 200 * 8))" "the last checkpoint"
for n in 1 2 3 5 8; do
	heat "$n" --steps 70 --checkpoint "$file" -r
	begins_at 60 "$whole" "$n ranks go on"
done

went_on()
{
	now=$(step_of 2>/dev/null)
	[ "${now:-0}" -gt "$before" ]
}

# killed_in_checkpoint N K starts N ranks, which save after every step, and kills the
# Kth while one checkpoint of theirs is there and the next is written. Returns 1 if that
# was ready before the rank was dead, and sets tries to 0 if it did not come so far.
killed_in_checkpoint()
{
	before=$(step_of)
	start "$MRUN" -n "$1" "$heat" --nx 250 --ny 200 --steps 1000000000 \
		-c "$file" --every 1 --restart
	wait_for 30 went_on || tries=0
	victim=$(pgrep -P "$job" mrt-heat2d | sed -n "$2p")
	wait_for 5 test -e "$file.new" || tries=0
	kill -KILL "${victim:-$job}"
	finish
	[ -e "$file.new" ]
}

for who in "0 of 4" "1 of 2" "1 of 3" "4 of 5" "2 of 4"; do
	n=${who#* of }
	name="rank $who killed in a checkpoint"
	tries=20
	until killed_in_checkpoint "$n" $((${who%% *} + 1)) || [ "$tries" -le 0 ]; do
		tries=$((tries - 1))
		diag "$name: too late"
	done
	is "$rc $((tries > 0))" "137 1" "$name"
	now=$(step_of)
	heat 3 --steps $((now + 5))
	whole=$hash
	heat $((n % 4 + 1)) --steps $((now + 5)) -c "$file" -r --every 1000000000
	begins_at "$now" "$whole" "$name"
done
no_leftovers "nothing else is left"

for bytes in 1000 1000000; do
	head -c "$bytes" /dev/zero >"$file.new"
	now=$(step_of)
	heat 4 --steps $((now + 1)) -c "$file" -r --every 1
	whole=$hash
	begins_at "$now" "$whole" "$bytes bytes of a torn checkpoint"
	is "$(wc -c <"$file")" $((48 + 250 * 200 * 8)) \
		"$bytes bytes of a torn checkpoint: nothing of them is left"
	heat 2 --steps $((now + 1)) -c "$file" -r
	begins_at $((now + 1)) "$whole" "what has taken the place of $bytes bytes"
done

damaged=$work/damaged
head -c 300000 "$file" >"$damaged"
refused 65 "$damaged is truncated or damaged" "truncated" -c "$damaged" -r
cp "$file" "$damaged"
printf x | dd of="$damaged" bs=1 seek=77777 conv=notrunc 2>/dev/null
refused 65 "$damaged is truncated or damaged" "a byte is another" -c "$damaged" -r
: >"$damaged"
refused 65 "$damaged is no checkpoint" "an empty file" -c "$damaged" -r
refused 65 "$file is of 250 x 200 cells and a time step of 0.225" "other cells" \
	-c "$file" -r -x 200 -y 250
refused 65 "$file is of 250 x 200 cells and a time step of 0.225" "another time step" \
	-c "$file" -r -d 0.2
refused 65 "$file is of step $(step_of), after the last" "a later step" -c "$file" -r
refused 64 "--restart needs --checkpoint" "no file named" -r
refused 66 "cannot read $work: .*: Is a directory" "a folder" -c "$work" -r
refused 73 "cannot replace $work/tmp: Is a directory" "a folder" -c "$work/tmp"
refused 73 "cannot write $work/no/f.new: no such file" "no such folder" -c "$work/no/f"
sum=$(cksum <"$file")
ln -s /dev/full "$file.new"
refused 73 "cannot write $file.new: .*: No space left on device" "a full disk" -c "$file"
is "$(cksum <"$file")" "$sum" "a full disk: the last checkpoint stays"
done_testing
