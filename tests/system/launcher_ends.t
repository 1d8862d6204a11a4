#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_ends.t tests abnormal ends: a job ends in time, with the right code,
# and leaves nothing behind.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"

# start COMMAND... runs in the background and sets $job; its ranks write their
# process ids and those of their children into files.
start() {
	rm -f "$T"/pid.*
	"$@" >"$T/out" 2>"$T/err" </dev/null &
	job=$!
}
# up N succeeds if N of these files are there.
up() { [ "$(cat "$T"/pid.* 2>/dev/null | wc -l)" -eq "$1" ]; }
# end_it SIGNAL sends the signal and waits for the end; sets $code, $ms and
# $pids.
end_it() {
	pids=$(cat "$T"/pid.*)
	start_watch
	kill "-$1" $job
	code=0
	wait $job 2>/dev/null || code=$?
	stop_watch
}
sleeper="echo \$\$ >$T/pid.\$PMIX_RANK; sleep 60; :"
# A child in the background and a wrapper above the rank.
family="sleep 61 & echo \$! >$T/pid.c\$PMIX_RANK; $sleeper"
# A signal that is ignored here is ignored by the child as well.
deaf="trap '' TERM INT; sleep 62 & echo \$! >$T/pid.c\$PMIX_RANK
echo \$\$ >$T/pid.\$PMIX_RANK; while :; do sleep 0.2; done"

# A hang-up that was ignored before stays ignored; then there is nothing to
# test.
hup=HUP:129
ignored=$(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status)
case $ignored in
[13579bdf]) hup= ;;
esac
for sig in INT:130 TERM:143 $hup; do
	start "$mrun" -n 4 sh -c "$family"
	check "ranks are up" until_true up 8
	end_it ${sig%:*}
	check "SIG${sig%:*} to mrun: ${sig#*:}" code_is "${sig#*:}"
	check "within 1 s" within 1000
	check "it is told" err_has "ending the job"
	check "no process is left" none_alive $pids
	check "no directory is left" no_dir_of $job
done

start "$mrun" -n 2 sh -c "$deaf"
check "ranks that ignore SIGTERM are up" until_true up 4
end_it TERM
check "they are killed: 143" code_is 143
check "within 1 s" within 1000
check "no process is left" none_alive $pids

start "$mrun" -n 2 sh -c "$deaf"
check "ranks that ignore SIGTERM are up" until_true up 4
kill -INT $job
until_true grep -q "ending the job" "$T/err"
end_it INT
check "a second SIGINT kills at once" within 300
check "no process is left" none_alive $pids

run "$mrun" -n 2 --timeout 0.5 sh -c "$family"
check "--timeout: 124" code_is 124
check "--timeout is told" err_has "did not end within 0.5 s"
check "--timeout is kept" within 1500
check "no process is left" none_alive $(cat "$T"/pid.*)
MPIEXEC_TIMEOUT=0.5 run "$mrun" -n 2 sleep 60
check "MPIEXEC_TIMEOUT: 124" code_is 124
MPIEXEC_TIMEOUT=0.001 run "$mrun" -n 2 --timeout 20 true
check "--timeout wins over MPIEXEC_TIMEOUT" code_is 0
MPIEXEC_TIMEOUT=never run "$mrun" -n 2 true
check "bad MPIEXEC_TIMEOUT: 64" code_is 64
check "bad MPIEXEC_TIMEOUT is named" err_has "MPIEXEC_TIMEOUT"

run "$mrun" -n 2 --timeout 20 true
check "--timeout of a job in time" code_is 0

start "$mrun" -n 4 sh -c "$family"
check "ranks are up" until_true up 8
end_it KILL
check "mrun is killed" code_is 137
check "no process is left" until_true none_alive $pids
check "no directory is left" until_true no_dirs_left

start "$mrun" -n 3 --output "$T/gone" sh -c "echo \$\$ >$T/pid.\$PMIX_RANK
	$client gone; echo code \$?"
all_joined() {
	[ "$(cat "$T"/gone/rank.*.out 2>/dev/null | grep -c joined)" -eq 3 ]
}
check "clients are up" until_true all_joined
end_it KILL
check "no process is left" until_true none_alive $pids
check "clients had the time to exit with 69" \
	[ "$(cat "$T"/gone/rank.*.out | grep -c 'code 69')" -eq 3 ]
check "no directory is left" until_true no_dirs_left

start "$mrun" -n 4 sh -c "$family"
check "ranks are up" until_true up 8
until_true test -s "$T/pid.2"
start_watch
pids=$(cat "$T"/pid.*)
kill -KILL "$(cat "$T/pid.2")"
code=0
wait $job || code=$?
stop_watch
check "a rank is killed from outside: 137" code_is 137
check "within 2 s" within 2000
check "it is named" err_has "rank 2 .*was killed by signal 9"
check "no process is left" none_alive $pids

start "$mrun" -n 2 sh -c "$sleeper"
check "ranks are up" until_true up 2
kill -STOP "$(cat "$T/pid.0")"
end_it TERM
check "a stopped rank is ended too" within 1000
check "no process is left" none_alive $pids

run "$mrun" -n 64 sh -c 'echo $PMIX_RANK'
check "64 ranks" code_is 0
check "64 ranks print" [ "$(sort -un "$T/out" | wc -l)" -eq 64 ]
run "$mrun" -n 64 "$client"
check "64 clients" code_is 0

bad=0
i=0
while [ $i -lt 50 ]; do
	case $((i % 5)) in
	0) run "$mrun" -n 4 "$client" die 2 9 && want=137 ;;
	1) run "$mrun" -n 4 "$client" exit 0 9 && want=9 ;;
	2) run "$mrun" -n 4 "$client" abort 3 8 && want=8 ;;
	3) run "$mrun" -n 4 "$client" absent 1 0 && want=75 ;;
	4) run "$mrun" -n 4 "$client" exit 1 0 && want=75 ;;
	esac
	if [ $code -ne $want ] || ! in_time 2000; then
		bad=$((bad + 1))
		echo "# round $i: code $code, not $want, in $ms ms"
	fi
	i=$((i + 1))
done
check "50 abnormal ends, each within 2 s and with its code" [ $bad -eq 0 ]
check "no directory is left" until_true no_dirs_left
finish
