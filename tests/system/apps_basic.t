#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_basic.t runs mrt-hello and mrt-ring and checks the usage of every
# program.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
B=$top_builddir

for n in 1 2 3 5 8; do
	run 30 "$MRUN" -n "$n" "$B/mrt-hello"
	is "$rc $(grep -cE "^hello from rank [0-9]+ of $n " "$out")" "0 $n" \
		"hello: $n ranks speak"
	is "$(cut -d' ' -f4 "$out" | sort -n | tr '\n' ' ')" \
		"$(i=0; while [ $i -lt "$n" ]; do printf '%d ' $i
		i=$((i + 1)); done)" "hello: each of $n ranks once"
	run 30 "$MRUN" -n "$n" "$B/mrt-ring" --laps 20 --bytes 64K
	is "$rc" 0 "ring: the token comes back, $n ranks"
	like "$out" "^$n ranks, 20 laps of 65536 bytes: [0-9.]+ s, " \
		"ring: its time, $n ranks"
done

for p in mrt-hello mrt-ring mrt-cg mrt-heat2d mrt-bench; do
	run 30 "$B/$p" --help
	is "$rc" 0 "$p --help"
	like "$out" "^Usage: mrun -n N $p" "$p --help says how"
	run 30 "$MRUN" -n 3 "$B/$p" --no-such-option
	is "$rc" 64 "$p: an unknown option is exit code 64"
	is "$(grep -c no-such-option "$err")" 1 "$p: named once, not by all"
done
for p in mrt-hello mrt-ring mrt-cg mrt-heat2d mrt-bench mrt-tune mrt-scale mrt-plan \
	mrt-trace mrt-info mrun; do
	[ -x "$B/$p" ] || continue
	run 30 "$B/$p" --version
	like "$out" "^$p \(libmrt\) [0-9.]+$" "$p --version"
	run 30 "$B/$p" --no-such-option
	like "$err" "^$p: .*no-such-option" "$p: the message begins with its name"
done
for bad in "mrt-ring -l 0" "mrt-ring -b 7" "mrt-ring -b 1T" "mrt-ring x" \
	"mrt-cg" "mrt-cg a b" "mrt-cg --poisson 3 3" "mrt-cg --poisson 3 0 3" \
	"mrt-cg --poisson 2000 2000 2000" "mrt-cg --tol 0 --poisson 3 3 3" \
	"mrt-cg --precond ilu --poisson 3 3 3" \
	"mrt-cg --rhs twos --poisson 3 3 3" "mrt-heat2d --dt 0.3" \
	"mrt-heat2d --out a.jpg" "mrt-heat2d --nx 0" "mrt-heat2d more" \
	"mrt-bench" "mrt-bench nothing" "mrt-bench latency:8" \
	"mrt-bench barrier bcast:1:" "mrt-bench -w 0 barrier"; do
	# shellcheck disable=SC2086
	run 30 "$B"/$bad
	is "$rc" 64 "usage error: $bad"
done
done_testing
