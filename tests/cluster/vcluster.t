# SPDX-License-Identifier: Apache-2.0
# vcluster.t tests the script on its host: options, output, exit codes, and that
# it leaves nothing, however it ends. What does not depend on the kind of machine
# is tried with namespaces, which are up at once.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
need_cluster -N 1

# bad_usage ARG...
bad_usage()
{
	run 10 "$vcluster" "$@"
	is "$rc" 64 "bad usage: $*"
}
bad_usage
bad_usage -N 1
bad_usage -N 0 -- true
bad_usage -N 5 -- true
bad_usage --namespaces -N 17 -- true
bad_usage -N 1 --cpus two -- true
bad_usage -N 1 --accel warp -- true
bad_usage -N 1 --user nobody-of-that-name -- true
bad_usage -N 1 --memlock much -- true
bad_usage --frobnicate
bad_usage ctl frobnicate
run 10 env TMPDIR="$work" "$vcluster" ctl kill 1
is "$rc" 69 "ctl without a cluster"
no_leftovers "they leave nothing"
run 10 "$vcluster" --help
is "$rc" 0 "--help"

# one boot: separate output, arguments, folder, environment, files
cat >"$work/script" <<'X'
printf '%s|' "$@" "$PWD" "$GREETING" "$(id -un)" "$(wc -c)"
echo bytes >&2
mkdir "$OUT/deep" && echo file >"$OUT/deep/f"
: >"$OUT/begin" && sleep 1 && : >"$OUT/end"
echo lost >lost
cksum /bin/sh /usr/bin/awk /usr/lib/*/libc.so.6 \
	/usr/lib/*/pmix2/lib/libpmix.so.2 >"$OUT/near"
kill -TERM $$
X
cd "$work/tmp" && chmod 755 "$work" && chmod 777 . || exit 99
export GREETING="it's   me"
run 90 "$vcluster" -N 1 --user daemon --out "$work/files" \
	-- sh "$work/script" "two words" 'a"b$c' ''
is "$rc" 143 "the exit code says by which signal the command ended"
is "$(cat "$out")" "two words|a\"b\$c||$work/tmp|it's   me|daemon|0|" \
	"arguments, folder, environment, user, no input"
is "$(cat "$err")" bytes "standard error, and nothing else in it"
is "$(cat "$work/files/deep/f")" file "\$OUT"
is "$(cat "$work/files/near")" "$(cksum /bin/sh /usr/bin/awk \
	/usr/lib/*/libc.so.6 /usr/lib/*/pmix2/lib/libpmix.so.2)" \
	"files that are kept near are whole"
# a second of the machine by the host's clock, which sets the times of files
slept=$(($(stat -c %.3Y "$work/files/end" | tr -d .) -
	$(stat -c %.3Y "$work/files/begin" | tr -d .)))
[ "$slept" -ge 900 ] && ok "the clock of the machine is not fast" ||
	not_ok "the clock of the machine is not fast: $slept ms in a second"
is "$(ls -A .)" "" "the host's files are as they were"
no_leftovers "nothing is left"

run 90 "$vcluster" -N 1 -- sh -c 'echo "<2>on fire" >/dev/kmsg; exit 3'
is "$rc" 3 "a command fails"
like "$err" '^node1: .* on fire$' "what the kernel has said is shown"
run 90 "$vcluster" -N 1 -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
is "$rc" 70 "a panic"
like "$err" 'Kernel (panic|Offset)' "shows the end of the console"
no_leftovers "after a panic nothing is left"

# ended_by SIGNAL WANT OPTION... sends the signal in the middle of a command.
ended_by()
{
	sent=$1
	want=$2
	shift 2
	rm -rf "$work/files"
	shm_list >"$work/shm.before"
	mark=$$.$sent
	# the shell would start it with SIGINT ignored: env restores the default
	TEST_MARK=$mark TMPDIR=$work/tmp env --default-signal=INT \
		"$vcluster" "$@" --out "$work/files" \
		-- sh -c ': >"$OUT/on"; sleep 600' >"$out" 2>"$err" &
	pid=$!
	command="a command of $* ended by SIG$sent"
	wait_for 60 test -e "$work/files/on"
	is $? 0 "$*: a command runs"
	kill -s "$sent" $pid
	wait $pid 2>/dev/null
	rc=$?
	is "$rc" "$want" "$*: SIG$sent ends it"
	no_leftovers "$*: SIG$sent: nothing is left"
}
ended_by KILL 137 -N 1

run 60 "$vcluster" --namespaces -N 1 --check
[ "$rc" -ne 77 ] || {
	skip "$(tail -n 1 "$err")" "nodes of namespaces"
	done_testing
}
for signal in INT=130 TERM=143 KILL=137; do
	ended_by "${signal%=*}" "${signal#*=}" --namespaces -N 2
done
run 60 "$top_srcdir/tests/cluster/netcluster" -N 1 --user daemon \
	-- sh -c 'echo "$PWD" "$(id -un)"; exit 5'
is "$rc $(cat "$out")" "5 $PWD daemon" "netcluster: folder, user, exit code"
run 60 "$vcluster" --namespaces -N 1 --netem 'frobnicate' -- true
is "$rc" 64 "--netem is checked"
run 60 "$vcluster" --namespaces -N 1 --timeout 4 -- sleep 60
is "$rc" 124 "--timeout"
no_leftovers "after a timeout nothing is left"
done_testing
