#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_output.t tests standard input, output and error of the ranks.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"

# Each of 8 ranks prints 40000 lines of 8 to 158 bytes as fast as it can.
cat >"$T/flood" <<'EOF'
exec awk -v rank="$PMIX_RANK" 'BEGIN {
	for (i = 0; i < 150; i++) x = x "x"
	for (i = 0; i < 40000; i++)
		printf "%d %05d %s.\n", rank, i, substr(x, 1, i % 150)
}'
EOF
# All lines must arrive, whole, and those of each rank in order.
whole_lines() {
	awk '!/^[0-7] [0-9][0-9][0-9][0-9][0-9] x*\.$/ { bad++; next }
	$2 + 0 != next_of[$1]++ || (NF == 3 && length($3) - 1 != $2 % 150) {
		bad++
	}
	END {
		for (r = 0; r < 8; r++)
			if (next_of[r] != 40000)
				bad++
		exit bad != 0
	}' "$1"
}

run "$mrun" -n 8 sh "$T/flood"
check "8 ranks at full speed into a file" code_is 0
check "no line is torn or lost" whole_lines "$T/out"
"$mrun" -n 8 sh "$T/flood" 2>"$T/err" | cat >"$T/out"
check "the same into a pipe" whole_lines "$T/out"
"$mrun" -n 8 sh -c "sh $T/flood >&2" 2>&1 >"$T/stdout" | cat >"$T/out"
check "the same on stderr" whole_lines "$T/out"
check "with nothing on stdout" [ ! -s "$T/stdout" ]
"$mrun" -n 8 sh -c "[ \$((PMIX_RANK % 2)) = 0 ] && exec sh $T/flood
	exec sh $T/flood >&2" 2>&1 | cat >"$T/out"
check "stdout and stderr in one pipe" whole_lines "$T/out"
"$mrun" -n 8 sh "$T/flood" 2>"$T/err" |
	(sleep 0.3 && cat) >"$T/out"
check "a reader that starts late loses nothing" whole_lines "$T/out"

unset PYTHONUNBUFFERED
buffers='echo $MRT_STREAM_BUFFERING:$PYTHONUNBUFFERED:$GFORTRAN_UNBUFFERED_PRECONNECTED'
run "$mrun" -n 1 sh -c "$buffers"
check "Fortran and Python write lines, too" out_is ":1:y"
run "$mrun" -n 1 --stream-buffering full sh -c "$buffers"
check "or may hold them back" out_is "full::"
run "$mrun" -n 1 --stream-buffering 3 true
check "--stream-buffering 3: 64" code_is 64

run "$mrun" -n 1 printf 'no newline'
check "the last line without newline" out_is "no newline"
run "$mrun" -n 1 sh -c 'head -c 3000000 /dev/zero | tr "\0" z'
check "one line of 3 MB" [ "$(wc -c <"$T/out")" -eq 3000000 ]
run "$mrun" -n 1 sh -c 'printf "a\0b\n"'
check "bytes are left alone" [ "$(od -An -c "$T/out" | tr -d ' ')" = 'a\0b\n' ]
run "$mrun" -n 1 sh -c '(while kill -0 $$ 2>/dev/null; do :; done
	echo late) & echo early'
check "what a rank leaves behind may finish" out_has late

run "$mrun" -n 2 --tag-output sh -c 'echo out; echo err >&2; printf part'
check "--tag-output on stdout" out_has '^\[1\]<stdout>: out$'
check "--tag-output on stderr" err_has '^\[0\]<stderr>: err$'
check "--tag-output ends half a line" out_has '^\[1\]<stdout>: part$'
run "$mrun" -n 3 --tag-output printf 'a\nb\n'
check "--tag-output on each line" [ "$(grep -c '^\[[0-2]\]<stdout>: [ab]$' \
	"$T/out")" -eq 6 ]

run "$mrun" -n 3 --output "$T/dir" sh -c 'echo $PMIX_RANK; echo e >&2'
check "--output" code_is 0
check "--output: stdout in files" \
	[ "$(cat "$T"/dir/rank.[012].out | tr '\n' ' ')" = "0 1 2 " ]
check "--output: stderr in files" [ "$(cat "$T/dir/rank.2.err")" = e ]
check "--output: nothing else" [ ! -s "$T/out" ]
run "$mrun" -n 1 --output "$T/no/such/dir" true
check "--output where nothing can be made: 71" code_is 71

# Each of 4 ranks prints a warning of libmrt and a line of its own, and waits while
# there is a file.
cat >"$T/warn" <<'EOF'
echo "libmrt[$PMIX_RANK/4 node $$] warning: X" >&2
echo "mine" >&2
echo "libmrt[$PMIX_RANK/4 node $$] warning: X"
: >"$1.$PMIX_RANK"
while [ -e "$1" ]; do sleep 0.1; done
EOF
warned() { [ "$(grep -c 'libmrt.* warning: X$' "$1")" -eq "$2" ]; }
# counted N: the counts, which may come in parts, are N together.
counted() {
	[ "$(awk '/^mrun: the same from [1-3] more ranks? \([-0-3,]*\): warning: X$/ {
		n += $5 } END { print n + 0 }' "$T/err")" -eq "$1" ]
}
run "$mrun" -n 4 sh "$T/warn" "$T/none"
check "a warning of all ranks is shown once" warned "$T/err" 1
check "the others are counted" counted 3
check "lines of programs are not" [ "$(grep -c mine "$T/err")" -eq 4 ]
check "nor is stdout" warned "$T/out" 4
for how in --no-aggregate --tag-output; do
	run "$mrun" -n 4 $how sh "$T/warn" "$T/none"
	check "$how: each is shown" warned "$T/err" 4
	check "$how: none is counted" counted 0
done
run "$mrun" -n 4 --output "$T/warned" sh "$T/warn" "$T/none"
check "--output: each is in its file" \
	[ "$(cat "$T"/warned/rank.?.err | grep -c '^libmrt')" -eq 4 ]
all_wait() { ls "$T/wait.0" "$T/wait.1" "$T/wait.2" "$T/wait.3"; }
for when in "while the job runs" "when it is ended"; do
	rm -f "$T"/wait.?
	: >"$T/wait"
	"$mrun" -n 4 sh "$T/warn" "$T/wait" >"$T/out" 2>"$T/err" </dev/null &
	until_true all_wait >/dev/null 2>&1
	if [ "$when" = "when it is ended" ]; then
		kill -TERM $!
		wait $! || :
	fi
	check "counts are told $when" until_true counted 3
	kill -TERM $! 2>/dev/null && wait $!
done

printf 'one\ntwo\n' >"$T/in"
"$mrun" -n 3 cat <"$T/in" >"$T/out" 2>"$T/err"
check "stdin from a file goes to rank 0" out_is "one
two"
printf 'one\ntwo\n' | "$mrun" -n 3 --stdin 2 sh -c 'sed "s/^/$PMIX_RANK /"' \
	>"$T/out" 2>"$T/err"
check "--stdin 2" out_is "2 one
2 two"
printf 'one\ntwo\n' | "$mrun" -n 3 --stdin none cat >"$T/out" 2>"$T/err"
check "--stdin none" [ ! -s "$T/out" ]
{
	"$mrun" -n 1 true
	cat
} <"$T/in" >"$T/out"
check "what no rank reads stays in stdin" out_is "one
two"

if command -v script >/dev/null; then
	echo typed | timeout 20 script -qec \
		"$mrun -n 2 sh -c 'read x; echo \"got \$x\"; [ -t 0 ]; exit 0'" \
		/dev/null >"$T/out" 2>"$T/err"
	check "a terminal is forwarded" out_has "got typed"
	timeout 20 script -qec "$mrun -n 2 sh -c \
		'test -t 1 && printf \"a\\\\r\\\\tb\\\\n\"'" /dev/null \
		</dev/null >"$T/out" 2>"$T/err"
	check "on a terminal stdout of a rank is one" out_lines 2
	check "that leaves bytes alone" [ "$(grep -c "^a.$(printf '\t')b" \
		"$T/out")" = 2 ]
	timeout 30 script -qec "$mrun -n 8 sh $T/flood" /dev/null </dev/null |
		tr -d '\r' >"$T/out"
	# a rank that is stopped for long within a line has it torn there
	check "no byte is lost there" [ "$(tr -d '\n' <"$T/out" | wc -c)" -eq \
		$((8 * $(sh "$T/flood" | tr -d '\n' | wc -c))) ]
else
	skip "no script(1)" "a terminal is forwarded"
	skip "no script(1)" "stdout on a terminal"
fi

code=0
"$mrun" -n 2 sh -c 'cat; echo x' <&- >&- 2>&- || code=$?
check "with 0, 1, 2 closed" code_is 0
"$mrun" -n 2 echo x <&- >"$T/out" 2>&-
check "with 0 and 2 closed the output arrives" out_lines 2

start_watch
{
	code=0
	timeout -k 1 20 "$mrun" -n 4 yes || code=$?
	echo $code >"$T/code"
} 2>"$T/err" | head -1 >"$T/out"
stop_watch
code=$(cat "$T/code")
check "a reader that goes away: 141" code_is 141
check "without a word" err_empty
check "within 2 s" within 2000
run sh -c "exec $mrun -n 1 echo x >/dev/full"
check "a full disk is an error: 71" code_is 71
check "a full disk is told" err_has "No space left"
finish
