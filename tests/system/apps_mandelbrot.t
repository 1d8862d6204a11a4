#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_mandelbrot.t checks that any number of ranks draws the same picture, by
# a shared counter and in equal shares, and that each task is done once.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
mandelbrot=$top_builddir/mrt-mandelbrot

for n in 1 2 3 5 8; do
	for way in "" --static; do
		run 60 "$MRUN" -n "$n" "$mandelbrot" -s 97x61 -i 200 -r 3 $way \
			-o "$work/$n.pgm"
		is "$rc" 0 "$n ranks $way"
		is "$(awk '/^tasks:/ { for (i = 2; i <= NF; i++) n += $i
			print NF - 1, n }' "$out")" "$n 21" \
			"$n ranks $way: 21 tasks are done"
		now=$(sed -n 's/.*checksum //p' "$out")
		: "${sum:=$now}"
		is "$now" "${sum:-none}" "$n ranks $way: the same checksum"
		is "$(cksum <"$work/$n.pgm")" "$(cksum <"$work/1.pgm")" \
			"$n ranks $way: the same picture"
	done
done
is "$(head -c 13 "$work/1.pgm" | tr '\n' ' ')" "P5 97 61 255 " "a PGM file"
is "$(wc -c <"$work/1.pgm")" $((13 + 97 * 61)) "of its size"

for bad in "-s 97" "-i 0" "-r x" "--no-such-option" more; do
	# shellcheck disable=SC2086
	run 30 "$MRUN" -n 2 "$mandelbrot" $bad
	is "$rc" 64 "usage error: $bad"
done
run 30 "$MRUN" -n 2 "$mandelbrot" -s 8x8 -o /nonexistent/a.pgm
is "$rc" 73 "a picture that cannot be written"
like "$err" 'cannot write /nonexistent/a.pgm' "is named"
done_testing
