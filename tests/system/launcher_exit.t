#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_exit.t tests exit codes and messages of mrun, with ranks that are
# plain PMIx clients.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"

run "$mrun" -n 4 true
check "all is well: 0" code_is 0
check "and nothing is said" err_empty
run "$mrun" -n 3 sh -c 'exit 3'
check "exit code of a rank" code_is 3
check "who exited" err_has "rank [0-2] on [^ ]* (pid [0-9]*, sh) exited with code 3"
run "$mrun" -n 1 sh -c 'kill -SEGV $$'
check "killed by a signal: 128+11" code_is 139
check "by which one" err_has \
	"rank 0 on [^ ]* (pid [0-9]*, sh) was killed by signal 11 (Segmentation fault)"
run sh -c "$mrun -n 1 sh -c 'echo last words >&2; kill -9 \$\$' 2>&1"
check "last words come before what mrun says" \
	[ "$(head -n 1 "$T/out")" = "last words" ]
run "$mrun" -n 2 no-such-program
check "not in PATH: 127" code_is 127
check "not in PATH is said once" [ "$(wc -l <"$T/err")" -eq 1 ]
run "$mrun" -n 2 ./no-such-program
check "no such file: 127" code_is 127
echo "not a program" >"$T/data"
run "$mrun" -n 2 "$T/data"
check "not executable: 126" code_is 126
run "$mrun" -n 2 /
check "a directory: 126" code_is 126
printf '\177ELFgarbage' >"$T/garbage"
chmod +x "$T/garbage"
run "$mrun" -n 2 "$T/garbage"
check "garbage: 126 or what sh says" [ "$code" -ge 1 ]
printf '#!/no/such/interpreter\n' >"$T/script"
chmod +x "$T/script"
run "$mrun" -n 2 "$T/script"
check "no interpreter: 127" code_is 127
check "no interpreter is told" err_has "cannot be executed: No such file"
run "$mrun" -n 1 sh -c 'exit 4' : -n 3 sleep 20
check "a failing rank ends those without client" code_is 4
check "at once" within 1500

run "$mrun" -n 8 "$client"
check "eight clients" code_is 0
run "$mrun" -n 4 "$client" info
check "job size" [ "$(grep -c 'pmix.job.size=4' "$T/out")" -eq 4 ]
check "local peers" out_has "pmix.lpeers=0,1,2,3"
check "nothing is missing" [ "$(grep -c missing "$T/out")" -eq 0 ]
check "each its own rank" [ "$(grep pmix.lrank "$T/out" | sort -u |
	wc -l)" -eq 4 ]
run "$mrun" -n 65 "$client" info
check "more than 64 ranks" [ "$(grep -c 'pmix.job.size=65' "$T/out")" -eq 65 ]
check "each its own rank" [ "$(grep pmix.lrank= "$T/out" | sort -u |
	wc -l)" -eq 65 ]
check "nothing is missing" [ "$(grep -c missing "$T/out")" -eq 0 ]
# what they share must not cost mrun its life
run sh -c 'ulimit -f 1000 && exec "$@"' sh "$mrun" -n 65 "$client" info
check "more than 64 ranks with a limit of file sizes" code_is 0
check "nothing is missing" [ "$(grep -c missing "$T/out")" -eq 0 ]
run unshare -m sh -c 'mount -t tmpfs -o size=4m none /dev/shm && exec "$@"' \
	sh "$mrun" -n 65 "$client" info
if err_has '^\(unshare\|mount\): '; then
	skip "more than 64 ranks with little shared memory" \
		"$(head -1 "$T/err")"
else
	check "more than 64 ranks with little shared memory" code_is 0
fi
run "$mrun" -n 65 "$client" locked 3
if [ "$code" -eq 0 ]; then
	skip "a rank is killed that holds the lock of what they share" \
		"this PMIx takes no lock"
else
	check "a rank is killed that holds the lock of what they share" \
		code_is 137
	check "it is named" err_has "rank 3 .*was killed by signal 9"
	check "in time" within 5000
fi

# The other ranks must learn who died, and why, well before mrun kills them.
event() { [ "$(grep -c "about rank 1: rank 1 .*$1" "$T/out")" -eq 3 ]; }

run "$mrun" -n 4 "$client" die 1 9
check "a client is killed: 137" code_is 137
check "the others get the event" event "was killed by signal 9"
check "mrun says how many" err_has "ending the job (3 other ranks)"
check "in time" within 5000
run "$mrun" -n 4 "$client" exit 1 5
check "a client exits with 5" code_is 5
check "the others get the event" event "exited with code 5"
check "in time" within 5000
run "$mrun" -n 4 "$client" exit 1 0
check "a client exits without finalize: 75" code_is 75
check "the others get the event" event "exited without finalize"
check "in time" within 5000
run "$mrun" -n 4 "$client" abort 1 7
check "a client aborts with 7" code_is 7
check "the others get the event" event "aborted the job with code 7: as asked"
check "in time" within 5000
run "$mrun" -n 4 "$client" abort 1 75
check "a client aborts with 75" code_is 75
run "$mrun" -n 4 "$client" absent 1 0
check "a rank ends before it joins, others have joined: 75" code_is 75
check "it is named" err_has "rank 1 .*ended without joining the job"
check "in time" within 5000
run "$mrun" -n 4 "$client" absent 1 6
check "a rank fails before it joins: its code" code_is 6
check "in time" within 5000
run "$mrun" -n 2 sh -c "$client; exit 9"
check "a failure after finalize counts" code_is 9
run "$mrun" -n 2 sh -c "$client && $client"
check "two programs one after the other" code_is 0
finish
